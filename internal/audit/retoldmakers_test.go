package audit_test

import (
	"strings"
	"testing"
)

// TestRetoldMakers are tests whose mocks and objects a helper makes now, which they made themselves, or the other way round, and such whose helper makes something else.
func TestRetoldMakers(t *testing.T) {
	const (
		jsHead = "import { Api } from '../src/api';\n\n"
		js     = "test('gets', async () => {\n  const send = jest.fn().mockResolvedValue({ id: 7 });\n  const api = new Api(send);\n  expect(await api.get('a')).toEqual({ id: 7 });\n  expect(send).toHaveBeenCalledWith('a');\n});\n"
		setup  = "function setup(answer) {\n  const send = jest.fn().mockResolvedValue(answer);\n  return { api: new Api(send), send };\n}\n\ntest('gets', async () => {\n  const { api, send } = setup({ id: 7 });\n  expect(await api.get('a')).toEqual({ id: 7 });\n  expect(send).toHaveBeenCalledWith('a');\n});\n"
		sender = "const sender = (answer) => jest.fn().mockResolvedValue(answer);\n\ntest('gets', async () => {\n  const send = sender({ id: 7 });\n  const api = new Api(send);\n  expect(await api.get('a')).toEqual({ id: 7 });\n  expect(send).toHaveBeenCalledWith('a');\n});\n"
		pyHead = "from unittest import mock\n\nfrom shop import Api\n\n\n"
		py     = "def test_get():\n    send = mock.Mock()\n    send.ask.return_value = 7\n    api = Api(send)\n    assert api.get('a') == 7\n    send.ask.assert_called_once_with('a')\n"
		made   = "def made(answer):\n    double = mock.Mock()\n    double.ask.return_value = answer\n    return Api(double), double\n\n\ndef test_get():\n    api, send = made(7)\n    assert api.get('a') == 7\n    send.ask.assert_called_once_with('a')\n"
		jHead  = "package a;\n\nimport static org.junit.jupiter.api.Assertions.assertEquals;\nimport static org.mockito.Mockito.mock;\nimport static org.mockito.Mockito.when;\n\nimport org.junit.jupiter.api.Test;\n\nclass ServiceTest {\n"
		java   = "    @Test\n    void finds() {\n        Store store = mock(Store.class);\n        when(store.first()).thenReturn(7);\n        assertEquals(7, new Service(store).first());\n    }\n"
		store  = "    private static Store storeOf(int n) {\n        Store store = mock(Store.class);\n        when(store.first()).thenReturn(n);\n        return store;\n    }\n\n    @Test\n    void finds() {\n        Store store = storeOf(7);\n        assertEquals(7, new Service(store).first());\n    }\n"
		goHead = "package a\n\nimport \"testing\"\n\ntype fakeStore struct{ n int }\n\nfunc (f *fakeStore) First() int { return f.n }\n\n"
		golang = "func TestFirst(t *testing.T) {\n\ts := &fakeStore{n: 7}\n\tif got := NewService(s).First(); got != 7 {\n\t\tt.Error(got)\n\t}\n\tif s.n != 7 {\n\t\tt.Error(s.n)\n\t}\n}\n"
		fake   = "func storeOf(n int) *fakeStore {\n\treturn &fakeStore{n: n}\n}\n\nfunc TestFirst(t *testing.T) {\n\ts := storeOf(7)\n\tif got := NewService(s).First(); got != 7 {\n\t\tt.Error(got)\n\t}\n\tif s.n != 7 {\n\t\tt.Error(s.n)\n\t}\n}\n"
	)
	for _, c := range []struct{ name, path, head, plain, helper, foot string }{
		{"script: a setup of two", "test/api.test.js", jsHead, js, setup, ""},
		{"script: a double", "test/api.test.js", jsHead, js, sender, ""},
		{"python", "tests/test_shop.py", pyHead, py, made, ""},
		{"java", "src/test/java/a/ServiceTest.java", jHead, java, store, "}\n"},
		{"go", "a/service_test.go", goHead, golang, fake, ""},
	} {
		retelling{c.name, c.path, c.plain, c.helper, false}.in(c.head, c.foot).try(t)
		retelling{c.name + ", turned round", c.path, c.helper, c.plain, false}.in(c.head, c.foot).try(t)
	}
	const ts = "test/api.test.js"
	for _, r := range []retelling{
		{"the double answers something else", ts, js, strings.Replace(setup, "Value(answer)", "Value({ id: 8 })", 1), true},
		{"it is given something else", ts, js, strings.Replace(setup, "setup({ id: 7 })", "setup({ id: 8 })", 1), true},
		{"what is asked is a double", ts, js, strings.Replace(setup, "api: new Api(send)", "api: { get: async () => answer }", 1), true},
		{"what is asked is replaced on the way", ts, js, strings.Replace(setup, "  return {", "  Api.prototype.get = async () => answer;\n  return {", 1), true},
		{"the names are turned round", ts, js, strings.Replace(setup, "{ api, send } = setup", "{ api: send, send: api } = setup", 1), true},
		{"it may end before", ts, js, strings.Replace(setup, "  return {", "  if (answer) return { api: { get: async () => answer }, send };\n  return {", 1), true},
		{"it is made again", ts, js, strings.Replace(setup, "test('gets", "setup = (answer) => ({ api: { get: async () => answer }, send: jest.fn() });\n\ntest('gets", 1), true},
		{"another double is asked how it was used", ts, js, strings.Replace(setup, "Api(send), send }", "Api(send), send: jest.fn() }", 1), true},
		{"nobody waits", ts, js, strings.Replace(setup, "expect(await api", "expect(api", 1), true},
		{"the test demands less", ts, js, strings.Replace(setup, "  expect(send).toHaveBeenCalledWith('a');\n", "", 1), true},
	} {
		r.in(jsHead, "").try(t)
	}
}
