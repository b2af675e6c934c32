package node

import (
	"strings"
	"testing"

	"fettle/internal/check"
	"fettle/internal/edit"
	"fettle/internal/syntax"
)

func instrumented(t *testing.T, text string) (string, []insert) {
	t.Helper()
	tree, err := syntax.Parse(t.Context(), syntax.JavaScript, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	var in inserts
	steps(tree, &in)
	all := in.sorted()
	return put(text, all), all
}

func TestSteps(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"for (;;) { a() }", "for (;;) {S a() }"},
		{"for (const x of xs) a(x);", "for (const x of xs) {Sa(x);}"},
		{"outer: while (a) while (b) c; d", "outer: while (a) {Swhile (b) {Sc;}} d"},
		{"while (a) if (b) c; else d;", "while (a) {Sif (b) c; else d;}"},
		{"do a(); while (b)", "do {Sa();} while (b)"},
		{"while (a);", "while (a){S;}"},
		{"function f() { 'use strict'; return 1 }", "function f() { 'use strict';S return 1 }"},
		{"const f = x => y => x + y;", "const f = x => Py => Px + y));"},
		{"const f = async () => ({ a: 1 });", "const f = async () => P({ a: 1 }));"},
		{"class A { constructor() { super() } get a() { return 1 } static *b() {} #c = () => 2 }",
			"class A { constructor() {S super() } get a() {S return 1 } static *b() {S} #c = () => P2) }"},
		{"while (a) b = x => x", "while (a) {Sb = x => Px)}"},
	} {
		got, _ := instrumented(t, c.text)
		want := strings.NewReplacer("S", stepCall, "P", stepPart).Replace(c.want)
		if got != want {
			t.Errorf("%s:\n got %s\nwant %s", c.text, got, want)
		}
	}
}

// Inserts that are carried over an edit count where those of the new text would.
func TestCarried(t *testing.T) {
	const text = "function f(xs) { let n = 0; for (const x of xs) n += x; return xs.map(x => x + n); }\nwhile (a) { b(); }\n"
	full, all := instrumented(t, text)
	if got, ok := carried(text, all, nil); !ok || got != full {
		t.Fatalf("without an edit: %q", got)
	}
	for _, c := range []struct {
		was, is string
		carried bool
	}{
		{"n += x", "n -= x", true},
		{"n += x;", "n -= x;", true},
		{"x + n", "x", true},
		{"x => x + n", "g", true},
		{"let n = 0;", "", true},
		{"for (const x of xs) n += x;", "n = xs.length;", true},
		{"let n = 0;", "let n = 0; for (;;);", false},
		{"of xs) n", "of xs) m", false},
		{"{ b(); }", "{ c(); }", false},
		{"b();", "c();", true},
		{"xs.map(x => x + n)", "xs.map(y => y)", false},
	} {
		i := strings.Index(text, c.was)
		e := edit.Edit{Start: i, End: i + len(c.was), New: []byte(c.is)}
		after := text[:e.Start] + c.is + text[e.End:]
		got, ok := carried(text, all, []edit.Edit{e})
		if ok != c.carried {
			t.Errorf("%q -> %q: carried %t", c.was, c.is, ok)
		}
		if want, _ := instrumented(t, after); ok && got != want {
			t.Errorf("%q -> %q:\n got %s\nwant %s", c.was, c.is, got, want)
		}
	}
}

func TestBetween(t *testing.T) {
	for _, c := range []struct {
		was, is string
		want    change
	}{
		{"abc", "abc", change{Head: 3}},
		{"aöb", "aüb", change{Head: 1, Tail: 1, Text: "ü"}},
		{"x😀y", "x😁y", change{Head: 1, Tail: 1, Text: "😁"}},
		{"😀aa", "😀a", change{Head: 3}},
		{"", "n", change{Text: "n"}},
	} {
		if got := between("", c.was, c.is); got != c.want {
			t.Errorf("%q, %q: %+v", c.was, c.is, got)
		}
	}
}

func TestSqueezed(t *testing.T) {
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"a  = b; // c", "a = b;", true},
		{"a /* x */ = b", "a = b", true},
		{"a\n\n  b", "a\nb", true},
		{"a\nb", "a b", false},
		{"'a  b'", "'a b'", false},
		{"`a\n  b`", "`a\nb`", false},
		{"'//'  + b", "'//' + b", true},
		{"return n -1", "return n - 1", false},
	} {
		if got := squeezed(c.a) == squeezed(c.b); got != c.same {
			t.Errorf("%q, %q: %t", c.a, c.b, got)
		}
	}
}

func checkOf(parser string, run ...string) check.Check {
	return check.Check{Name: "test", Parser: parser, Run: run}
}

func TestCommands(t *testing.T) {
	for _, c := range []struct {
		parser string
		run    string
		ok     bool
		flags  string
	}{
		{"tap", "node --test --test-reporter=tap", true, ""},
		{"tap", "node --import ./setup.mjs --test --test-timeout 100 --conditions=dev test/", true, "--import ./setup.mjs --conditions=dev"},
		{"tap", "ava --tap", false, ""},
		{"tap", "node server.js", false, ""},
		{"tap", "npm run -s test -- --test-reporter=tap", false, ""},
		{"jest", "npx --no-install --offline jest --json --outputFile={report}", true, ""},
		{"mocha", "yarn run mocha --reporter json", true, ""},
		{"mocha", "yarn run test --reporter json", false, ""},
		{"vitest", "node_modules/.bin/vitest run", true, ""},
		{"pytest", "pytest", false, ""},
	} {
		cmd, ok := readCommand(checkOf(c.parser, strings.Fields(c.run)...))
		if ok != c.ok || strings.Join(cmd.nodeFlags(), " ") != c.flags {
			t.Errorf("%s: %t, %q", c.run, ok, cmd.nodeFlags())
		}
	}
	if _, ok := readCommand(checkOf("tap", "sh", "-c", "node --test | tee log")); ok {
		t.Error("a pipeline is taken")
	}
	if cmd, ok := readCommand(checkOf("tap", "sh", "-c", "exec node --test test/*.js")); !ok || !cmd.shell {
		t.Error("a command with globs is not taken")
	}
}
