package audit_test

import (
	"strings"
	"testing"
)

// TestRetoldSuites are tests of JavaScript's that are put into a suite, or taken out of one, with what stands around them, and such that are lost on the way.
func TestRetoldSuites(t *testing.T) {
	const (
		head   = "const { test, expect } = require('@jest/globals');\nconst { Cart } = require('../src/cart');\n\n"
		around = "const prices = { tea: 3 };\nlet cart;\n\nbeforeEach(() => {\n  cart = new Cart(prices);\n});\n\nfunction fill(n) {\n  for (let i = 0; i < n; i++) cart.add('tea');\n}\n\n"
		tests  = "test('is empty', () => {\n  expect(cart.total()).toBe(0);\n});\n\ntest('adds up', () => {\n  fill(3);\n  expect(cart.total()).toBe(9);\n});\n"
		more   = "\ntest('forgets', () => {\n  fill(2);\n  cart.clear();\n  expect(cart.total()).toBe(0);\n});\n"
	)
	inside := func(open, body string) string {
		return open + "\n  " + strings.ReplaceAll(strings.TrimSuffix(body, "\n"), "\n", "\n  ") + "\n});\n"
	}
	const open = "describe('cart', () => {"
	flat := head + around + tests
	for _, r := range []retelling{
		{"the tests", "", head + tests, head + inside(open, tests), false},
		{"the tests, out of it", "", head + inside(open, tests), head + tests, false},
		{"what stands around them too", "", flat, head + inside(open, around+tests), false},
		{"what stands around them too, out of it", "", head + inside(open, around+tests), flat, false},
		{"a part of what stands around them", "", flat, head + before(around, "beforeEach") + inside(open, from(around, "beforeEach")+tests), false},
		{"with a test more", "", flat, head + inside(open, around+tests+more), false},
		{"into a suite in a suite", "", flat, head + inside("describe('shop', () => {", inside(open, around+tests)), false},

		{"a suite that is skipped", "", flat, head + inside("describe.skip('cart', () => {", around+tests), true},
		{"a suite of no rows", "", flat, head + inside("describe.each([])('cart', () => {", around+tests), true},
		{"a suite that nobody opens", "", flat, head + "function suite() {\n" + inside(open, around+tests) + "}\n", true},
		{"a suite of the file's own", "", flat, head + "function describe(name, body) {}\n\n" + inside(open, around+tests), true},
		{"a suite of somebody else's", "", flat, head + "const { describe } = require('./fakes');\n\n" + inside(open, around+tests), true},
		{"the setup is lost", "", flat, head + inside(open, strings.Replace(around, "beforeEach(() => {\n  cart = new Cart(prices);\n});\n\n", "", 1)+tests), true},
		{"the setup is another", "", flat, head + inside(open, strings.Replace(around, "tea: 3", "tea: 0", 1)+tests), true},
		{"the setup replaces what is asked", "", flat, head + inside(open, strings.Replace(around, "prices);\n", "prices);\n  cart.total = () => 9;\n", 1)+tests), true},
		{"a setup for one of them", "", flat, head + "const prices = { tea: 3 };\nlet cart;\n\nfunction fill(n) {\n  for (let i = 0; i < n; i++) cart.add('tea');\n}\n\n" + inside(open, "beforeEach(() => {\n  cart = new Cart(prices);\n});\n\n"+before(tests, "\ntest('adds")) + from(tests, "test('adds"), true},
		{"a test is lost", "", flat, head + inside(open, around+before(tests, "\ntest('adds")), true},
		{"a test demands less", "", flat, head + inside(open, around+strings.Replace(tests, "toBe(9)", "toBeDefined()", 1)), true},
	} {
		r.path = "test/cart.test.js"
		r.try(t)
	}
}
