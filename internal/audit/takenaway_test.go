package audit_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"fettle/internal/audit"
)

// TestTakenAway holds what is seen of code and words that are gone, in every language that is read for it, and what is an ordinary change.
func TestTakenAway(t *testing.T) {
	const (
		js   = "export function half(n) {\n  // whole numbers only\n  return n >> 1;\n}\n\nclass Cart {\n  total() {\n    return this.sum;\n  }\n  #tax(x) {\n    return x * 2;\n  }\n}\nmodule.exports = { Cart };\n"
		ts   = "export function read(a: string): number;\nexport function read(a: any): number {\n  return Number(a);\n}\nconst inner = (x: number) => {\n  return x + 1;\n};\nexport const twice = (x: number) => inner(x) * 2;\n"
		java = "public class Cart {\n    // in cents\n    public int total(int a) {\n        return a * 2;\n    }\n    public int total(String a) {\n        return a.length();\n    }\n    private int tax() {\n        return 1 + total(2);\n    }\n    public boolean equals(Object o) {\n        return o == this;\n    }\n}\n"
		py   = "# SPDX-License-Identifier: MIT\nclass Cart:\n    \"\"\"What is bought.\"\"\"\n\n    def total(self):\n        \"\"\"In cents.\"\"\"\n        # tax is in it\n        # so are the tips\n        return self.sum\n\n\ndef main():\n    return Cart()\n"
		gosc = "package a\n\n// F halves.\nfunc F(n int) int {\n\treturn n / 2\n}\n\nfunc (c Cart) Equal(o Cart) bool {\n\treturn c.id == o.id\n}\n"
	)
	for _, c := range []struct {
		name, path, before, old, new string
		want                         []string
	}{
		{"js: a body is emptied", "a.js", js, "    return this.sum;\n", "", []string{"refuse placeholder"}},
		{"js: not implemented", "a.js", js, "return this.sum", "throw new Error('not implemented')", []string{"refuse placeholder"}},
		{"js: an exported function is gone", "a.js", js, "export function half(n) {\n  // whole numbers only\n  return n >> 1;\n}\n", "", []string{"ask deleted-function"}},
		{"js: one of a list of exports is gone", "a.js", js + "function f() {\n  return g(1);\n}\nexport { f };\n", "function f() {\n  return g(1);\n}\n", "", []string{"ask deleted-function", "refuse undefined-name"}},
		{"js: one by a name with a sign is gone", "a.js", js + "export const of$ = (n) => {\n  return g(n);\n};\n", "export const of$ = (n) => {\n  return g(n);\n};\n", "", []string{"ask deleted-function"}},
		{"js: one of its own is gone", "a.js", js + "const own = () => {\n  return g(1);\n};\nexport const all = 1;\n", "const own = () => {\n  return g(1);\n};\n", "", []string{"note deleted-function"}},
		{"js: a private method is gone", "a.js", js, "  #tax(x) {\n    return x * 2;\n  }\n", "", []string{"note deleted-function"}},
		{"js: defined twice", "a.js", js, "module.exports", "function half(n) {\n  return n / 2;\n}\nmodule.exports", []string{"refuse duplicate"}},
		{"js: a class twice", "a.js", js, "module.exports", "class Cart {\n  sum() {\n    return Number();\n  }\n}\nmodule.exports", []string{"refuse duplicate"}},
		{"js: a method twice", "a.js", js, "  #tax(x)", "  total() {\n    return Number(1);\n  }\n  #tax(x)", []string{"refuse duplicate"}},
		{"js: a getter and a setter", "a.js", js, "  #tax(x)", "  get v() {\n    return f(1);\n  }\n  set v(x) {\n    f(x);\n  }\n  #tax(x)", []string{"ask undefined-name"}},
		{"js: an error is swallowed", "a.js", js, "return this.sum;", "try {\n      return this.sum;\n    } catch (e) {}", []string{"ask swallowed-errors"}},
		{"js: a rejection is swallowed", "a.js", js, "return this.sum;", "return this.sum.catch(() => {});", []string{"ask swallowed-errors"}},
		{"js: an error is a value", "a.js", js, "return this.sum;", "try {\n      return this.sum;\n    } catch (e) {\n      return null;\n    }", nil},
		{"js: a comment is gone", "a.js", js, "  // whole numbers only\n", "", []string{"note deleted-comment"}},
		{"js: honest", "a.js", js, "n >> 1", "Math.floor(n / 2)", nil},
		{"ts: overloads", "a.ts", ts, "Number(a)", "Number(a) + 1", nil},
		{"ts: emptied", "a.ts", ts, "  return x + 1;\n", "", []string{"refuse placeholder"}},
		{"ts: gone, and used within", "a.ts", ts, "const inner = (x: number) => {\n  return x + 1;\n};\n", "", []string{"note deleted-function", "refuse undefined-name"}},
		{"ts: defined twice", "a.ts", ts, "const inner", "function read(b: string) {\n  return b.length;\n}\nconst inner", []string{"refuse duplicate"}},
		{"java: emptied", "Cart.java", java, "        return a * 2;\n", "", []string{"refuse placeholder"}},
		{"java: not supported", "Cart.java", java, "return a * 2;", "throw new UnsupportedOperationException();", []string{"refuse placeholder"}},
		{"java: a public method is gone", "Cart.java", java, "    public boolean equals(Object o) {\n        return o == this;\n    }\n", "", []string{"ask deleted-function"}},
		{"java: a private method is gone", "Cart.java", java, "    private int tax() {\n        return 1 + total(2);\n    }\n", "", []string{"note deleted-function"}},
		{"java: defined twice", "Cart.java", java, "    private int tax", "    public int total(int b) {\n        return b * 3;\n    }\n    private int tax", []string{"refuse duplicate"}},
		{"java: overloaded", "Cart.java", java, "    private int tax", "    public int total(long b) {\n        return (int) b;\n    }\n    private int tax", nil},
		{"java: equal to everything", "Cart.java", java, "return o == this", "return true", []string{"refuse always-equal", "refuse constant-answer"}},
		{"java: an error is swallowed", "Cart.java", java, "return a.length();", "try {\n            return a.length();\n        } catch (RuntimeException e) {\n        }\n        return 0;", []string{"ask swallowed-errors"}},
		{"java: an expected error", "Cart.java", java, "return a.length();", "try {\n            return a.length();\n        } catch (NumberFormatException e) {\n        }\n        return 0;", nil},
		{"go: equal to everything", "a.go", gosc, "return c.id == o.id", "return true", []string{"refuse always-equal", "refuse constant-answer"}},
		{"go: an end that says nothing is gone", "a.go", gosc + "\nfunc (c Cart) mark() {\n\treturn\n}\n", "mark() {\n\treturn\n}", "mark() {}", nil},
		{"go: an end is all that is left", "a.go", gosc + "\nfunc (c *Cart) mark() {\n\tc.id++\n}\n", "c.id++", "return", []string{"refuse placeholder"}},
		{"go: a panic is swallowed", "a.go", gosc, "\treturn n / 2", "\tdefer func() { recover() }()\n\treturn n / 2", []string{"ask swallowed-errors"}},
		{"go: an error is swallowed", "a.go", gosc, "\treturn n / 2", "\tif err := g(); err != nil {\n\t}\n\treturn n / 2", []string{"ask swallowed-errors"}},
		{"go: a comment is gone", "a.go", gosc, "// F halves.\n", "", []string{"note deleted-comment"}},
		{"java: each constant has its own", "Cart.java", java, "    private int tax", "    enum Way {\n        UP {\n            int step(int a) {\n                return a + 1;\n            }\n        }, DOWN {\n            int step(int a) {\n                return a - 1;\n            }\n        };\n        abstract int step(int a);\n    }\n    private int tax", nil},
		{"java: each nameless class has its own", "Cart.java", java, "    private int tax", "    static final Way UP = new Way() {\n        public int step(int a) {\n            return a + 1;\n        }\n    };\n    static final Way DOWN = new Way() {\n        public int step(int a) {\n            return a - 1;\n        }\n    };\n    private int tax", nil},
		{"python: a class twice", "a.py", py, "def main", "class Cart:\n    '''Bought.'''\n\n\ndef main", []string{"refuse duplicate"}},
		{"python: a docstring is gone", "a.py", py, "        \"\"\"In cents.\"\"\"\n", "", []string{"note deleted-comment"}},
		{"python: every word is gone", "a.py", py, "        \"\"\"In cents.\"\"\"\n        # tax is in it\n        # so are the tips\n", "", []string{"ask deleted-comment"}},
		{"python: a licence is gone", "a.py", py, "# SPDX-License-Identifier: MIT\n", "", []string{"ask deleted-comment"}},
		{"python: a module's docstring is gone", "a.py", "\"\"\"Carts.\"\"\"\nimport os\nos.getcwd()\n", "\"\"\"Carts.\"\"\"\n", "", []string{"note deleted-comment"}},
		{"python: a module's docstring is another", "a.py", "\"\"\"Carts.\"\"\"\nimport os\nos.getcwd()\n", "Carts.", "What is bought.", nil},
		{"python: a module's licence and docstring are gone", "a.py", "# Copyright A\n\"\"\"Carts.\"\"\"\nimport os\nos.getcwd()\n", "# Copyright A\n\"\"\"Carts.\"\"\"\n", "", []string{"ask deleted-comment"}},
		{"python: a licence in the docstring is gone", "a.py", "\"\"\"Carts.\n\nCopyright A\n\"\"\"\nimport os\nos.getcwd()\n", "\"\"\"Carts.\n\nCopyright A\n\"\"\"\n", "", []string{"ask deleted-comment"}},
		{"python: a licence goes into the docstring", "a.py", "# Copyright A\n\"\"\"Carts.\"\"\"\nimport os\nos.getcwd()\n", "# Copyright A\n\"\"\"Carts.\"\"\"\n", "\"\"\"Carts.\n\nCopyright A\n\"\"\"\n", nil},
		{"go: a licence is gone, and what it stood above is another", "a.go", "// Copyright A\npackage a\n\nvar X = 1\n", "// Copyright A\npackage a\n", "package b\n", []string{"ask deleted-comment"}},
		{"go: a licence of another year", "a.go", "// Copyright 2024 The A Authors\npackage a\n\nvar X = 1\n", "// Copyright 2024 The A Authors\npackage a\n", "// Copyright 2025 The A Authors\npackage b\n", nil},
		{"python: worded otherwise", "a.py", py, "        # tax is in it\n        # so are the tips\n", "        # tax is in it, so are the tips\n", nil},
		{"python: its code is gone too", "a.py", py, "        # tax is in it\n        # so are the tips\n        return self.sum\n", "        return self.all()\n", nil},
		{"python: code that was switched off", "a.py", "def f(x):\n    # print(x)\n    # return g(x)\n    # x = 1\n    return x\n", "    # print(x)\n    # return g(x)\n    # x = 1\n", "", nil},
		{"a page is gone", "docs/guide.md", "# Guide\n\nHow to.\n", "# Guide\n\nHow to.\n", "", []string{"ask deleted-docs"}},
		{"most of a page is gone", "README.md", "# Guide\n" + strings.Repeat("A line.\n", 40), strings.Repeat("A line.\n", 40), "A line.\n", []string{"ask deleted-docs"}},
		{"a page is mended", "README.md", "# Guide\n" + strings.Repeat("A line.\n", 40), "# Guide", "# The guide", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			check(t, input(files{c.path: c.before}, files{c.path: replaceOnce(t, c.before, c.old, c.new)}), c.want)
		})
	}
}

// TestLocks holds what a lock means alone, with its manifest, and with packages from elsewhere.
func TestLocks(t *testing.T) {
	const lock = "left-pad@^1.0.0:\n  resolved \"https://registry.yarnpkg.com/left-pad/-/left-pad-1.0.0.tgz\"\n"
	before := files{"yarn.lock": lock, "package.json": "{\"dependencies\": {\"left-pad\": \"^1.0.0\"}}\n", "go.mod": "module a\n"}
	for _, c := range []struct {
		name          string
		change        files
		fixer, person string
	}{
		{"alone", files{"yarn.lock": strings.Replace(lock, "1.0.0.tgz", "1.0.1.tgz", 1)}, "ask lockfile", "ask lockfile"},
		{"with its manifest", files{"yarn.lock": strings.Replace(lock, "1.0.0.tgz", "1.0.1.tgz", 1), "package.json": "{\"dependencies\": {\"left-pad\": \"^1.0.1\"}}\n"}, "ask lockfile", "note lockfile"},
		{"with another's manifest", files{"yarn.lock": strings.Replace(lock, "1.0.0.tgz", "1.0.1.tgz", 1), "go.mod": "module b\n"}, "ask lockfile", "ask lockfile"},
		{"from elsewhere", files{"yarn.lock": strings.Replace(lock, "registry.yarnpkg.com", "packages.example.net", 1), "package.json": "{\"dependencies\": {\"left-pad\": \"^1.0.1\"}}\n"}, "ask lockfile", "ask lockfile"},
		{"gone", files{"yarn.lock": ""}, "ask lockfile", "ask lockfile"},
	} {
		after := maps.Clone(before)
		maps.Copy(after, c.change)
		for by, want := range map[audit.Maker]string{audit.Healer: c.fixer, audit.Person: c.person} {
			in := input(before, after)
			in.Goal = audit.Goal{By: by, Configs: true}
			if got := effects(audit.Audit(t.Context(), in)); !slices.Contains(got, want) || len(got) != 1 {
				t.Errorf("%s, by %d: got %q, want %q", c.name, by, got, want)
			}
		}
	}
}

// TestKeptInside are methods of Go's that are gone with an exported name: of a type that its package keeps to itself, of one that others can have a value of, and such as any value is asked for.
func TestKeptInside(t *testing.T) {
	const (
		queue = "package a\n\ntype queue struct{ all []int }\n\nfunc (q *queue) Push(n int) {\n\tq.all = append(q.all, n)\n}\n\nfunc (q *queue) Drop() {\n\tq.all = q.all[1:]\n}\n\nfunc (q *queue) MarshalJSON() ([]byte, error) {\n\treturn []byte(\"1\"), nil\n}\n"
		drop  = "func (q *queue) Drop() {\n\tq.all = q.all[1:]\n}\n\n"
		json  = "func (q *queue) MarshalJSON() ([]byte, error) {\n\treturn []byte(\"1\"), nil\n}\n"
	)
	for _, c := range []struct {
		name, gone, beside, want string
	}{
		{"nobody else has one", drop, "package a\n\ntype Shop struct{ queue *queue }\n", "note deleted-function"},
		{"others have one by a function", drop, "package a\n\nfunc New() *queue {\n\treturn &queue{}\n}\n", "ask deleted-function"},
		{"it is a part of what others have", drop, "package a\n\ntype Shop struct{ queue }\n", "ask deleted-function"},
		{"whoever writes it as JSON asks for it", json, "package a\n", "ask deleted-function"},
	} {
		before := files{"a/queue.go": queue, "a/shop.go": c.beside}
		in := listed(before, before.changed(t, "a/queue.go", c.gone, ""))
		in.Goal.By = audit.Person
		if got := effects(audit.By(t.Context(), "deleted-function", in)); len(got) != 1 || got[0] != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		if in.Files = nil; audit.By(t.Context(), "deleted-function", in).Findings[0].Effect != audit.Ask {
			t.Errorf("%s: nobody knows the package, and nobody is asked", c.name)
		}
	}
}
