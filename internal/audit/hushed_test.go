package audit_test

import (
	"slices"
	"testing"

	"fettle/internal/audit"
)

// TestHushed are marks that keep a tool silent, of a person: noted where nothing is lost by them, a question where something may be, and refused where they take a whole
// file out of a check. Whoever has to mend a finding may leave none of them, whatever it is about.
func TestHushed(t *testing.T) {
	const (
		py     = "import json\n\n\ndef load(text, a, b):\n    return json.loads(text)\n"
		pyTest = "import pytest\n\nfrom shop import load\n\n\ndef test_load():\n    assert load('1') == 1\n"
		pyBoth = "from shop import load\n\n\ndef test_load():\n    try:\n        load(1)\n    except TypeError:\n        raise ValueError\n    assert load('1') == 1\n"
		js     = "export async function all(list) {\n  for (const one of list) {\n    await one();\n  }\n  return list.length;\n}\n"
		jsTest = "import { all } from './all.js';\n\ntest('all', async () => {\n  expect(await all([])).toBe(0);\n});\n"
		goCode = "package a\n\nimport . \"strings\"\n\nfunc A() string {\n\treturn Trim(\" a \", \" \")\n}\n"
		java   = "package a;\n\nclass Box<T> {\n    private Object held;\n\n    T get() {\n        return (T) held;\n    }\n}\n"
		jTest  = "package a;\n\nimport static org.junit.jupiter.api.Assertions.assertEquals;\n\nimport org.junit.jupiter.api.Test;\n\nclass BoxTest {\n    @Test\n    void gets() {\n        assertEquals(1, new Box(1).get());\n    }\n}\n"
	)
	note, ask, refuse := []string{"note suppression"}, []string{"ask suppression"}, []string{"refuse suppression"}
	for _, c := range []struct {
		change
		want []string
	}{
		// About form.
		{change{"python: too many arguments", "shop.py", py, "a, b):", "a, b):  # noqa: PLR0913"}, note},
		{change{"python: the layout of a table", "shop.py", py, "    return", "    # fmt: off\n    return"}, note},
		{change{"script: one after the other", "all.js", js, "    await one", "    // eslint-disable-next-line no-await-in-loop\n    await one"}, note},
		{change{"script: the order of a plugin", "all.js", js, "export", "// eslint-disable-next-line unicorn/prefer-top-level-await\nexport"}, note},
		{change{"go: an import, in all of the file", "a.go", goCode, "import .", "//revive:disable:dot-imports\nimport ."}, note},
		{change{"go: a long function", "a.go", goCode, "string {", "string { //nolint:funlen // a table"}, note},
		{change{"java: no version of what is written out", "src/main/java/a/Box.java", java, "class Box", "@SuppressWarnings(\"serial\")\nclass Box"}, note},

		// In a text, where no tool reads it.
		{change{"java: in a program that a test makes up", "src/test/java/a/BoxTest.java", jTest, "        assertEquals", "        new Box(\"@SuppressWarnings(\\\"mutable\\\") class A {}\").get();\n        assertEquals"}, nil},
		{change{"go: in a text", "a.go", goCode, "\" a \"", "\" //nolint:errcheck\""}, nil},
		{change{"go: in a text, and behind it", "a.go", goCode, "\" a \", \" \")", "\" //nolint:errcheck\", \" \") //nolint:errcheck"}, []string{"ask suppression"}},
		{change{"script: in what is put into a text", "all.js", js, "    await one", "    one(`${/* eslint-disable-line no-undef */ one}`);\n    await one"}, ask},
		{change{"python: flake8 reads texts", "shop.py", py, "loads(text)", "loads(text + '  # noqa: F821')"}, ask},

		// What may hide a fault.
		{change{"python: nothing in particular", "shop.py", py, "a, b):", "a, b):  # noqa"}, ask},
		{change{"python: a name that is not there", "shop.py", py, "loads(text)", "loads(txet)  # noqa: F821"}, []string{"ask suppression", "refuse undefined-name"}},
		{change{"python: form, and more", "shop.py", py, "a, b):", "a, b):  # noqa: E501, F811"}, []string{"note suppression", "ask suppression"}},
		{change{"python: its type", "shop.py", py, "loads(text)", "loads(text)  # type: ignore[no-any-return]"}, ask},
		{change{"python: an injection", "shop.py", py, "loads(text)", "loads(text)  # noqa: S608"}, ask},
		{change{"python: nothing is covered", "shop.py", py, "a, b):", "a, b):  # pragma: no cover"}, ask},
		{change{"script: what is not heard", "all.js", js, "    await one", "    // eslint-disable-next-line @typescript-eslint/no-floating-promises\n    await one"}, ask},
		{change{"script: any rule", "all.js", js, "    await one", "    // eslint-disable-next-line\n    await one"}, ask},
		{change{"script: a plugin's rule against marks", "all.js", js, "export", "/* eslint-disable unicorn/no-abusive-eslint-disable */\nexport"}, ask},
		{change{"go: an error", "a.go", goCode, "return", "//nolint:errcheck\n\treturn"}, ask},
		{change{"go: form, and more", "a.go", goCode, "string {", "string { //nolint:funlen,errcheck"}, []string{"note suppression", "ask suppression"}},
		{change{"java: a cast that was there", "src/main/java/a/Box.java", java, "    T get", "    @SuppressWarnings(\"unchecked\")\n    T get"}, ask},
		{change{"java: a cast in what is new", "src/main/java/a/Box.java", java, "    T get", "    @SuppressWarnings(\"unchecked\")\n    <U> U as() {\n        return (U) held;\n    }\n\n    T get"}, note},
		{change{"java: all of a new function", "src/main/java/a/Box.java", java, "    T get", "    @SuppressWarnings(\"all\")\n    <U> U as() {\n        return (U) held;\n    }\n\n    T get"}, ask},
		{change{"java: all of a class", "src/main/java/a/Box.java", java, "class Box", "@SuppressWarnings(\"all\")\nclass Box"}, refuse},

		// A whole file.
		{change{"python: nothing of a file", "shop.py", py, "import json", "# ruff: noqa\nimport json"}, refuse},
		{change{"python: no type of a file", "shop.py", py, "import json", "# mypy: ignore-errors\nimport json"}, refuse},
		{change{"script: nothing of a file", "all.js", js, "export", "/* eslint-disable */\nexport"}, refuse},
		{change{"script: no type of a file", "all.ts", js, "export", "// @ts-nocheck\nexport"}, refuse},

		// What tests do on purpose.
		{change{"test: a wrong type", "tests/test_shop.py", pyTest, "    assert load('1') == 1\n", "    assert load('1') == 1\n    with pytest.raises(TypeError):\n        load(1)  # type: ignore[arg-type]\n"}, note},
		{change{"test: an error without its cause", "tests/test_shop.py", pyBoth, "raise ValueError", "raise ValueError  # noqa: B904"}, note},
		{change{"test: any type", "tests/test_shop.py", pyTest, "load('1') ==", "load('1')  ==  # type: ignore\\\n       "}, ask},
		{change{"test: what compares nothing", "tests/test_shop.py", pyTest, "    assert load('1') == 1\n", "    assert load('1') == 1\n    load('2') == 2  # noqa: B015\n"}, ask},
		{change{"test: one hides another", "tests/test_shop.py", pyTest, "def test_load():", "def test_load():  # noqa: F811"}, ask},
		{change{"test: any error will do", "tests/test_shop.py", pyTest, "    assert load('1') == 1\n", "    assert load('1') == 1\n    with pytest.raises(Exception):  # noqa: B017\n        load(1)\n"}, ask},
		{change{"test: what is not waited for", "tests/test_shop.py", pyTest, "    assert load('1') == 1\n", "    assert load('1') == 1\n    load('2')  # type: ignore[unused-coroutine]\n"}, ask},
		{change{"test: types are what is tested", "tests/test_shop.py", pyTest, "    assert load('1') == 1\n", "    assert load('1') == 1\n    assert_type(load('1'), int)  # type: ignore[assert-type]\n"}, []string{"ask suppression", "refuse undefined-name"}},
		{change{"test: types are what the file tests", "tests/typing/test_shop.py", pyTest, "load('1') ==", "load(1) ==  # type: ignore[arg-type]\\\n       "}, ask},
		{change{"test: a file that asserts nothing", "tests/test_shop.py", "from shop import load\n\nload('1')\n", "load('1')", "load(1)  # type: ignore[arg-type]"}, ask},
		{change{"test: assertions that need not be there", "all.test.js", jsTest, "import", "/* eslint-disable jest/expect-expect */\nimport"}, ask},
		{change{"test: a rule about promises", "all.test.js", jsTest, "  expect(await", "  // eslint-disable-next-line @typescript-eslint/no-floating-promises\n  expect(await"}, ask},
		{change{"test: any", "all.test.ts", jsTest, "  expect(await", "  // eslint-disable-next-line @typescript-eslint/no-explicit-any\n  expect(await"}, note},
		{change{"test: types of an old test", "all.test.ts", jsTest, "  expect(await", "  // @ts-ignore\n  expect(await"}, ask},
		{change{"test: java's raw types", "src/test/java/a/BoxTest.java", jTest, "    @Test", "    @SuppressWarnings(\"rawtypes\")\n    @Test"}, note},
		{change{"test: java's raw types in all of it", "src/test/java/a/BoxTest.java", jTest, "class BoxTest", "@SuppressWarnings(\"rawtypes\")\nclass BoxTest"}, ask},
		{change{"test: java's, one that nobody runs", "src/test/java/a/BoxTest.java", jTest, "    @Test", "    @SuppressWarnings(\"JUnit4TestNotRun\")\n    @Test"}, ask},
	} {
		t.Run(c.name, func(t *testing.T) {
			in := c.input(t)
			r := audit.By(t.Context(), "suppression", in)
			got := append(effects(r), effects(audit.By(t.Context(), "undefined-name", in))...)
			slices.Sort(got)
			slices.Sort(c.want)
			if !slices.Equal(got, c.want) {
				t.Errorf("got %q, want %q\n%v", got, c.want, r.Findings)
			}
			for _, by := range []audit.Maker{audit.Healer, audit.Tidier} {
				in.Goal.By = by
				for _, f := range audit.By(t.Context(), "suppression", in).Findings {
					if f.Effect != audit.Refuse {
						t.Errorf("a fixer (%d): %v", by, f)
					}
				}
			}
		})
	}
}
