package reply_test

import (
	"errors"
	"strings"
	"testing"

	"fettle/internal/edit"
	"fettle/internal/fix/reply"
)

// Models, small ones above all, write a right answer with things in it that nobody asked for. They are taken off where the file cannot mean them.
func TestHabits(t *testing.T) {
	const old, fresh = "def add(a, b):\n    return a - b", "def add(a, b):\n    return a + b"
	const notation = "S = '''\n1| a\n'''\n\n\ndef add(a, b):\n    return a - b\n"
	doubly := func(s string) string { return strings.ReplaceAll(s, "\n", `\n`) }
	for _, c := range []struct {
		name    string
		path    string // empty: pkg/calc.py
		base    string // empty: calc
		edit    object
		some    bool   // only a part of the file was shown
		want    string // empty: good
		refused string
		note    string
	}{
		{name: "every member is filled", edit: object{"line": 6, "old": old, "new": fresh, "content": good, "delete": false}, note: `"content" was left out`},
		{name: "a part of the file, and every member is filled", some: true, edit: object{"line": 6, "old": old, "new": fresh, "content": fresh, "delete": false}, note: `"content" was left out`},
		{name: "the file as it is beside the edit", edit: object{"line": 6, "old": old, "new": fresh, "content": calc}, note: `"content" was left out`},
		{name: "nothing, as a word", edit: object{"line": 6, "old": old, "new": fresh, "content": "null"}, note: `"content" was left out`},
		{name: "a word about the edit", edit: object{"line": 7, "old": "def add(a, b):\n    return a - b", "new": "def add(a, b):\n    return a + b", "content": "This line adds the two numbers, so that the test passes.", "delete": false}, note: `"content" was left out`},
		{name: "an edit, and another file", edit: object{"line": 6, "old": old, "new": fresh, "content": strings.Replace(good, "LIMIT = 3", "LIMIT = 4", 1)}, refused: `"old" and "new" say one thing, and "content" another`},
		{name: "a part of the file, and all of it given", some: true, edit: object{"content": good}, refused: "only a part of the file was shown"},

		{name: "numbers before old", edit: object{"line": 6, "old": "6| def add(a, b):\n7|     return a - b", "new": fresh}, note: "line numbers in the code were left out"},
		{name: "numbers before both", edit: object{"line": 6, "old": "6| def add(a, b):\n7|     return a - b", "new": "6| def add(a, b):\n7|     return a + b"}, note: "line numbers in the code were left out"},
		{name: "numbers before new", edit: object{"line": 6, "old": old, "new": "6| def add(a, b):\n7|     return a + b"}, note: "line numbers in the code were left out"},
		{name: "numbers before all of a file", edit: object{"content": "1| import os\n2| \n3| LIMIT = 3\n4|\n5| \n6| def add(a, b):\n7|     return a + b\n8| \n9| \n10| def sub(a, b):\n11|     return a - b\n"}, note: "line numbers in the code were left out"},
		{name: "numbers that fall", edit: object{"line": 6, "old": old, "new": "7| def add(a, b):\n6|     return a + b"}, refused: "no longer parses"},
		{name: "a number before one line only", edit: object{"line": 6, "old": "6| def add(a, b):\n    return a - b", "new": fresh}, refused: "not in the file"},
		{name: "a file with such numbers", base: notation, edit: object{"old": "1| a", "new": "1| b"}, want: strings.Replace(notation, "1| a", "1| b", 1)},

		{name: "a fence around new", edit: object{"line": 6, "old": old, "new": "```python\n" + fresh + "\n```"}, note: "fence around the code was left out"},
		{name: "a fence around all of a file", edit: object{"content": "```\n" + good + "```\n"}, note: "fence around the code was left out"},
		{name: "a fence that begins", edit: object{"line": 6, "old": old, "new": "```python\n" + fresh}, refused: "no longer parses"},
		{name: "a fence where one is meant", path: "notes.md", base: "x\ny\n", edit: object{"old": "y", "new": "```\nz\n```"}, want: "x\n```\nz\n```\n"},

		{name: "escaped twice", edit: object{"line": 6, "old": doubly(old), "new": doubly(fresh)}, note: "escaped twice"},
		{name: "new escaped twice", edit: object{"line": 6, "old": old, "new": doubly(fresh)}, note: "escaped twice"},
		{name: "all of a file escaped twice", edit: object{"content": doubly(good)}, note: "escaped twice"},
		{name: "an escape that is meant", base: "S = 'a'\n\n\ndef f():\n    return S\n", edit: object{"old": "S = 'a'", "new": `S = 'a\n'`}, want: "S = 'a\\n'\n\n\ndef f():\n    return S\n"},
		{name: "an escape that stands there", base: "S = 'a\\nb'\nT = 1\n", edit: object{"old": `S = 'a\nb'`, "new": `S = 'a\nc'`}, want: "S = 'a\\nc'\nT = 1\n"},

		{name: "a line deleted", edit: object{"line": 7, "delete": true}, refused: `"delete" takes all of the file away`},
		{name: "lines deleted", edit: object{"old": "LIMIT = 3", "delete": true}, refused: `"delete" takes all of the file away`},
		{name: "an edit with nothing, and a deletion", edit: object{"old": old, "new": "", "delete": true}, refused: `"delete" takes all of the file away`},
		{name: "an edit and a deletion", edit: object{"old": old, "new": fresh, "delete": true}, note: `"delete" beside "old" and "new" was left out`},
		{name: "all at once, and a deletion", edit: object{"line": 6, "old": old, "new": fresh, "content": fresh, "delete": true}, some: true, note: `"delete" beside "old" and "new" was left out`},

		{name: "the file in the place of a line", edit: object{"line": 7, "old": "    return a - b", "new": good}, refused: "add is defined 2 times"},
		{name: "the function below its first line", edit: object{"line": 6, "old": "def add(a, b):", "new": "def add(a, b):\n    return a + b\n\n\ndef add(a, b):"}, refused: "add is defined 2 times"},
		{name: "defined again where that is meant", base: "import sys\n\nif sys:\n    def f():\n        return 1\nelse:\n    def f():\n        return 2\n", edit: object{"old": "        return 2", "new": "        return 3"}, want: "import sys\n\nif sys:\n    def f():\n        return 1\nelse:\n    def f():\n        return 3\n"},
		{name: "defined again under a decorator", base: "from typing import overload\n\n\ndef f(x):\n    return x\n", edit: object{"old": "def f(x):", "new": "@overload\ndef f(x: int): pass\n\n\ndef f(x):"}, want: "from typing import overload\n\n\n@overload\ndef f(x: int): pass\n\n\ndef f(x):\n    return x\n"},
		{name: "functions in the place of a line of JavaScript", path: "a.js", base: "function f() {\n  return 1;\n}\n", edit: object{"old": "function f() {", "new": "function f() {\n  return 2;\n}\nfunction f() {"}, refused: "f is defined 2 times"},
	} {
		t.Run(c.name, func(t *testing.T) {
			path, base, want := c.path, c.base, c.want
			if path == "" {
				path = "pkg/calc.py"
			}
			if base == "" {
				base = calc
			}
			if want == "" {
				want = good
			}
			files := tree{path: base}
			g := ground(files)
			if c.some {
				g.Files[path] = reply.Some
			}
			all := object{"path": path, "line": nil, "old": nil, "new": nil, "content": nil, "delete": nil}
			for k, v := range c.edit {
				all[k] = v
			}
			a, err := reply.Read(t.Context(), text(object{"explanation": "x", "confidence": 0.9, "edits": []any{all}}), false, g)
			if c.refused != "" {
				var rejected *edit.RejectError
				if !errors.As(err, &rejected) || !strings.Contains(err.Error(), c.refused) {
					t.Fatalf("%v, %v", a, err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			after, err := a.Patch.Apply(files.source)
			if err != nil {
				t.Fatal(err)
			}
			if got := string(after[path].Data); got != want {
				t.Errorf("%q", got)
			}
			var notes []string
			for _, n := range a.Notes {
				notes = append(notes, n.Text)
			}
			said := strings.Join(notes, "\n")
			if c.note == "" && said != "" || !strings.Contains(said, c.note) {
				t.Errorf("notes: %q", said)
			}
		})
	}
}
