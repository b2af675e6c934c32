package reply_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"fettle/internal/edit"
	"fettle/internal/fix/reply"
)

// tree is files by name.
type tree map[string]string

func (t tree) source(path string) (edit.File, error) {
	text, ok := t[path]
	return edit.File{Data: []byte(text), Mode: 0o644, Exists: ok}, nil
}

const (
	calc = "import os\n\nLIMIT = 3\n\n\ndef add(a, b):\n    return a - b\n\n\ndef sub(a, b):\n    return a - b\n"
	good = "import os\n\nLIMIT = 3\n\n\ndef add(a, b):\n    return a + b\n\n\ndef sub(a, b):\n    return a - b\n"
)

func ground(files tree) reply.Ground {
	g := reply.Ground{Source: files.source, Files: map[string]reply.Sight{}}
	for name := range files {
		switch {
		case strings.Contains(name, "test"):
			g.Files[name] = reply.ReadOnly
		case !strings.HasPrefix(name, "hidden"):
			g.Files[name] = reply.Whole
		}
	}
	return g
}

func text(v any) string {
	b, _ := json.Marshal(v)
	return string(b)
}

func before(s, end string) string {
	s, _, _ = strings.Cut(s, end)
	return s
}

type object = map[string]any

func TestRead(t *testing.T) {
	one := tree{"pkg/calc.py": calc, "test_calc.py": "import calc\n", "hidden.py": "x = 1\n"}
	two := tree{"a.txt": "before a\n", "b.txt": "before b\n"}
	fixed := object{"path": "pkg/calc.py", "old": "def add(a, b):\n    return a - b", "new": "def add(a, b):\n    return a + b"}
	answer := func(edits ...any) object {
		return object{"explanation": "add subtracted", "confidence": 0.9, "edits": edits}
	}
	fence := func(mark, info, body string) string { return mark + info + "\n" + body + mark + "\n" }
	for _, c := range []struct {
		name    string
		files   tree
		ground  func(*reply.Ground)
		text    string
		cut     bool
		want    string // what pkg/calc.py is; empty: as it should be
		wants   tree   // or all files that change
		none    bool   // it proposes nothing
		refused string
		note    string
		sure    float64 // zero: do not ask
	}{
		{name: "as asked for", text: text(answer(fixed)), sure: 0.9},
		{name: "nothing to propose", text: `{"explanation": "the test is wrong", "confidence": 0.2, "edits": []}`, none: true, sure: 0.2},
		{name: "no confidence", text: text(object{"edits": []any{fixed}}), sure: 0.5},
		{name: "confidence in percent", text: text(object{"edits": []any{fixed}, "confidence": 85}), sure: 0.85},
		{name: "confidence beyond", text: text(object{"edits": []any{fixed}, "confidence": 1000}), sure: 1},
		{name: "confidence below", text: text(object{"edits": []any{fixed}, "confidence": -1, "explanation": "x"}), sure: 0.0001},
		{name: "confidence that is no number", text: text(object{"edits": []any{fixed}, "confidence": "NaN"}), sure: 0.5},
		{name: "fixed_code", text: text(object{"fixed_code": good, "explanation": "x", "confidence": 0.7, "changes_made": []string{"y"}}), sure: 0.7},
		{name: "fixed_code that holds a fence", text: "```json\n" + text(object{"fixed_code": good + "# ```\n", "confidence": 0.7}) + "\n```", want: good + "# ```\n"},
		{name: "file and line edits", text: text(object{"file": "pkg/calc.py", "edits": []object{{"line": 7, "old": "a - b", "new": "a + b"}}})},
		{name: "operation", text: text(object{"operation": "patch", "path": "pkg/calc.py", "search_block": "def add(a, b):\n    return a - b", "replace_block": "def add(a, b):\n    return a + b"})},
		{name: "files by name", text: text(object{"files": object{"pkg/calc.py": good}})},
		{name: "a diff in JSON", text: text(object{"patch": "--- a/pkg/calc.py\n+++ b/pkg/calc.py\n@@ -6,2 +6,2 @@\n def add(a, b):\n-    return a - b\n+    return a + b\n", "confidence": 0.4}), sure: 0.4},
		{name: "in a tool's call", text: `{"name": "fix", "arguments": ` + text(text(answer(fixed))) + `}`},
		{name: "lines that go", text: text(answer(fixed, object{"path": "pkg/calc.py", "old": "LIMIT = 3", "new": nil})), want: strings.Replace(good, "LIMIT = 3\n", "", 1)},
		{name: "lines that are added", text: text(answer(fixed, object{"path": "pkg/calc.py", "line": 3, "insert_after": "MORE = 4"})), want: strings.Replace(good, "LIMIT = 3\n", "LIMIT = 3\nMORE = 4\n", 1)},
		{name: "edits one after the other", text: text(fixed) + "\n" + text(object{"path": "pkg/calc.py", "line": 3, "old": "LIMIT = 3", "new": "LIMIT = 4"}), want: strings.Replace(good, "= 3", "= 4", 1)},
		{name: "edits with words between", text: text(fixed) + "\nOr rather:\n" + text(object{"path": "pkg/calc.py", "line": 3, "old": "LIMIT = 3", "new": "LIMIT = 4"}), refused: "2 answers that do different things"},
		{name: "a draft and a correction", text: text(answer(object{"path": "pkg/calc.py", "old": "LIMIT = 3", "new": "LIMIT = 5"})) + "\nNo, better:\n" + text(answer(fixed)), refused: "2 answers that do different things"},
		{name: "JSON and blocks that differ", text: text(answer(fixed)) + "\npkg/calc.py\n<<<<<<< SEARCH\nLIMIT = 3\n=======\nLIMIT = 4\n>>>>>>> REPLACE\n", refused: "2 answers that do different things"},
		{name: "JSON and a diff that say the same", text: text(answer(fixed)) + "\nAs a diff:\n```diff\n--- a/pkg/calc.py\n+++ b/pkg/calc.py\n@@ -6,2 +6,2 @@\n def add(a, b):\n-    return a - b\n+    return a + b\n```\n"},

		{name: "ends within a string", text: before(text(answer(fixed)), "return a +"), refused: "the text ends inside of edits[0]"},
		{name: "ends within a later edit", text: `{"edits": [` + text(fixed) + `, {"path": "pkg/calc.py", "old": "LIM`, refused: "the text ends inside of edits[1].old"},
		{name: "cut by the provider", text: text(answer(fixed)), cut: true, refused: "was cut off before its end"},
		{name: "a broken edit behind a good one", text: `{"edits": [` + text(fixed) + `, {"path" "x"}]}`, refused: "a colon should follow"},
		{name: "thoughts without an end", text: "<think>\n" + text(answer(fixed)), refused: "ends within <think>"},
		{name: "nothing", text: " \n", refused: "empty"},
		{name: "a refusal", text: "I cannot help with that.", refused: "there is no answer in the reply"},
		{name: "not UTF-8", text: "{\"edits\": \"\xff\"}", refused: "not valid UTF-8"},

		{name: "a file that was not shown", text: text(answer(object{"path": "hidden.py", "old": "x = 1", "new": "x = 2"})), refused: "hidden.py: the file was not shown and cannot be changed; these may be: pkg/calc.py"},
		{name: "evidence", text: text(answer(object{"path": "test_calc.py", "old": "import calc", "new": "import sys"})), refused: "shown as evidence"},
		{name: "a file that is not there", text: text(answer(object{"path": "pkg/new.py", "content": "x = 1\n"})), refused: "no such file, and none may be created"},
		{name: "a file that may be made", ground: func(g *reply.Ground) { g.Creates = func(string) error { return nil } }, text: text(answer(object{"path": "pkg/new.py", "content": "x = 1\n"})), wants: tree{"pkg/new.py": "x = 1\n"}},
		{name: "a wrong folder, where a file could be made", ground: func(g *reply.Ground) { g.Creates = func(string) error { return nil } }, text: text(answer(object{"path": "src/pkg/calc.py", "content": strings.Replace(calc, "= 3", "= 4", 1)})), wants: tree{"pkg/calc.py": strings.Replace(calc, "= 3", "= 4", 1)}},
		{name: "a file that may not be made", ground: func(g *reply.Ground) { g.Creates = func(string) error { return errors.New("outside of the goal") } }, text: text(answer(object{"path": "pkg/new.py", "content": "x = 1\n"})), refused: "may not be created: outside of the goal"},
		{name: "traversal", text: text(answer(object{"path": "../x.py", "content": "x"})), refused: "leads out of the repository"},
		{name: "absolute", text: text(answer(object{"path": "/etc/passwd", "content": "x"})), refused: "absolute"},
		{name: "git's own", text: text(answer(object{"path": ".git/hooks/pre-commit", "content": "x"})), refused: "git's own"},
		{name: "traversal in a diff", text: "```diff\n--- /dev/null\n+++ b/../x\n@@ -0,0 +1 @@\n+x\n```\n", refused: "out of the workspace"},
		{name: "the end of a name", text: text(answer(object{"path": "calc.py", "old": "def add(a, b):\n    return a - b", "new": "def add(a, b):\n    return a + b"})), note: "calls the file calc.py"},
		{name: "only a part was seen", ground: func(g *reply.Ground) { g.Files["pkg/calc.py"] = reply.Some }, text: text(answer(object{"path": "pkg/calc.py", "content": good})), refused: "only a part of the file was shown"},

		{name: "stands twice", text: text(answer(object{"path": "pkg/calc.py", "old": "    return a - b", "new": "    return a + b"})), refused: "stands in 2 places"},
		{name: "changes nothing", text: text(answer(object{"path": "pkg/calc.py", "old": "LIMIT = 3", "new": "LIMIT = 3"})), refused: "leaves every file as it is"},
		{name: "no longer parses", text: text(answer(object{"path": "pkg/calc.py", "old": "LIMIT = 3", "new": "LIMIT = (3"})), refused: "no longer parses as python"},
		{name: "existing code", text: text(answer(object{"path": "pkg/calc.py", "old": "def add(a, b):\n    return a - b", "new": "def add(a, b):\n    # ... existing code ...\n    return a + b"})), refused: "leaves code out"},
		{name: "dots", text: text(answer(object{"path": "pkg/calc.py", "content": strings.Replace(good, "    return a - b", "    ...", 1)})), refused: "leaves code out"},
		{name: "a word that is no placeholder", text: text(answer(fixed, object{"path": "pkg/calc.py", "line": 3, "insert_before": "# the rest is up to callers"})), want: strings.Replace(good, "LIMIT", "# the rest is up to callers\nLIMIT", 1)},
		{name: "indentation lost", text: text(answer(object{"path": "pkg/calc.py", "line": 7, "old": "return a - b", "new": "c = a + b\nreturn c"})), refused: "how deep each new line should be is unclear"},
		{name: "a backslash lost", files: tree{"pkg/calc.py": "S = 1 - 1\nT = ' \\t'\n"}, text: text(answer(object{"path": "pkg/calc.py", "content": "S = 1 + 1\nT = ' \t'\n"})), refused: "a backslash was lost"},
		{name: "a function lost", text: text(answer(object{"path": "pkg/calc.py", "content": before(good, "\n\ndef sub")})), refused: "lacks sub"},
		{name: "an import lost", text: text(answer(object{"path": "pkg/calc.py", "content": strings.TrimPrefix(good, "import os\n\n")})), refused: "lacks import os"},
		{name: "an import that may go", ground: func(g *reply.Ground) { g.Prunes = true }, text: text(answer(object{"path": "pkg/calc.py", "content": strings.TrimPrefix(good, "import os\n\n")})), want: strings.TrimPrefix(good, "import os\n\n")},
		{name: "a function renamed", text: text(answer(object{"path": "pkg/calc.py", "content": strings.Replace(good, "sub", "minus", 1)})), want: strings.Replace(good, "sub", "minus", 1)},

		// What follows was learnt from how other tools read replies.
		{name: "a name in the fence", text: "Here:\n\n```text\npkg/calc.py\n<<<<<<< SEARCH\nLIMIT = 3\n=======\nLIMIT = 4\n>>>>>>> REPLACE\n```\n\nDone!\n", want: strings.Replace(calc, "= 3", "= 4", 1)},
		{name: "a name above the fence", text: "pkg/calc.py\n```python\n<<<<<<< SEARCH\nLIMIT = 3\n=======\nLIMIT = 4\n>>>>>>> REPLACE\n```\n", want: strings.Replace(calc, "= 3", "= 4", 1)},
		{name: "a name in a fence of its own", text: " ```python\npkg/calc.py\n```\n```python\n<<<<<<< SEARCH\nLIMIT = 3\n=======\nLIMIT = 4\n>>>>>>> REPLACE\n```\n", want: strings.Replace(calc, "= 3", "= 4", 1)},
		{name: "dots between two blocks", text: "pkg/calc.py\n<<<<<<< SEARCH\nLIMIT = 3\n=======\nLIMIT = 4\n>>>>>>> REPLACE\n\n...\n\n<<<<<<< SEARCH\nimport os\n=======\nimport sys\n>>>>>>> REPLACE\n", want: strings.Replace(strings.Replace(calc, "= 3", "= 4", 1), "os", "sys", 1)},
		{name: "no end", text: "```text\npkg/calc.py\n<<<<<<< SEARCH\nLIMIT = 3\n=======\nLIMIT = 4\n\noops!\n", refused: "REPLACE line"},
		{name: "no divider", text: "pkg/calc.py\n<<<<<<< SEARCH\nLIMIT = 3\n>>>>>>> REPLACE\n", refused: "needs a ======= line"},
		{name: "no name, several files", files: two, text: "<<<<<<< SEARCH\nbefore a\n=======\nafter\n>>>>>>> REPLACE\n", refused: "no file name stands above"},
		{name: "a new file in the same folder", ground: func(g *reply.Ground) { g.Creates = func(string) error { return nil } }, text: "pkg/new.py\n```python\n<<<<<<< SEARCH\n=======\nthree\n>>>>>>> REPLACE\n```\nand\npkg/calc.py\n<<<<<<< SEARCH\nLIMIT = 3\n=======\nLIMIT = 4\n>>>>>>> REPLACE\n", wants: tree{"pkg/new.py": "three\n", "pkg/calc.py": strings.Replace(calc, "= 3", "= 4", 1)}},
		{name: "indentation lost", text: "pkg/calc.py\n<<<<<<< SEARCH\n  def add(a, b):\n      return a - b\n=======\n  def add(a, b):\n      return a + b\n>>>>>>> REPLACE\n", note: "white space only"},
		{name: "first of several", text: "pkg/calc.py\n<<<<<<< SEARCH\n    return a - b\n=======\n    return a + b\n>>>>>>> REPLACE\n", refused: "2 places"},
		{name: "lines left out of the search", text: "pkg/calc.py\n<<<<<<< SEARCH\ndef add(a, b):\n...\n=======\ndef add(a, b):\n    return a + b\n>>>>>>> REPLACE\n", refused: "not in the file"},
		{name: "a diff without numbers", text: "Some text...\n\n```diff\n--- pkg/calc.py\n+++ pkg/calc.py\n@@ ... @@\n def add(a, b):\n-    return a - b\n+    return a + b\n```\n", note: "names no line"},
		{name: "a diff in prose", text: "So:\n\n--- a/pkg/calc.py\n+++ b/pkg/calc.py\n@@ -6,2 +6,2 @@\n def add(a, b):\n-    return a - b\n+    return a + b\n\nThat is all.\n"},
		{name: "a diff that breaks off", text: "--- a/pkg/calc.py\n+++ b/pkg/calc.py\n@@ -6,2 +6,2 @@\n def add(a, b):\n-    return a - b\n", refused: "has fewer lines than its @@ line says"},
		{name: "a fence that breaks off", text: "```diff\n--- a/pkg/calc.py\n+++ b/pkg/calc.py\n@@ -6,2 +6,2 @@\n def add(a, b):\n-    return a - b\n+    return a + b\n", refused: "fence never ends"},
		{name: "a new file that is not one", text: "```diff\n--- /dev/null\n+++ pkg/calc.py\n@@ ... @@\n-LIMIT = 3\n+LIMIT = 4\n```\n", refused: "new file depends on old contents"},
		{name: "two diffs", files: two, text: "```diff\n--- a.txt\n+++ a.txt\n@@ ... @@\n-before a\n+after a\n\n--- b.txt\n+++ b.txt\n@@ ... @@\n-before b\n+after b\n```\n", wants: tree{"a.txt": "after a\n", "b.txt": "after b\n"}},
		{name: "a whole file", text: "pkg/calc.py\n```\n" + good + "```"},
		{name: "the only file, without a name", text: "Here is the file, mended:\n\n```python\n" + good + "```\n\nIt adds now.\n"},
		{name: "files named in a sentence", files: two, text: "Here is a new version of `a.txt` for you:\n\n```\nafter a\n```\n\nAnd here is `b.txt`:\n\n```\nafter b\n```\n", wants: tree{"a.txt": "after a\n", "b.txt": "after b\n"}},
		{name: "files named by headings", files: two, text: "\n### a.txt\n```\nafter a\n```\n\n### b.txt\n```\nafter b\n```\n", wants: tree{"a.txt": "after a\n", "b.txt": "after b\n"}},
		{name: "a name as a comment", text: fence("```", "python", "# pkg/calc.py\n"+good)},
		{name: "a name beside the language", text: fence("```", "python pkg/calc.py", good)},
		{name: "tildes", text: "pkg/calc.py\n" + fence("~~~", "", good)},
		{name: "what to run", text: "pkg/calc.py\n" + fence("```", "", good) + "Run it:\n" + fence("```", "sh", "python pkg/calc.py\n")},
		{name: "two fences for one file", text: fence("```", "", good) + fence("```", "", good), refused: "nothing says which file it is"},
		{name: "a fence without an end", text: "pkg/calc.py\n```\n" + good, refused: "never ends"},
		{name: "a fence in a fence", files: tree{"pkg/calc.py": calc + "# x\n```\ny\n```\n"}, text: "pkg/calc.py\n```\n" + good + "# x\n```\ny\n```\n```\n", refused: "holds fences itself"},
		{name: "only the function", text: "pkg/calc.py\n```python\ndef add(a, b):\n    return a + b\n```\n", refused: "lacks"},
		{name: "an example", files: two, text: "To print, use:\n\n```python\nprint(1)\n```\n", refused: "nothing says which file it is"},

		// Odd answers, of which a part could be taken for all.
		{name: "a list of edits beside a diff", files: two, text: text(object{"patch": "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-before a\n+after\n", "edits": []object{{"path": "b.txt", "old": "before b", "new": "after"}}}), refused: "a diff and edits beside it"},
		{name: "an edit beside a diff", files: two, text: text(object{"diff": "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-before a\n+after\n", "path": "b.txt", "old": "before b", "new": "after"}), refused: "a diff and edits beside it"},
		{name: "an empty diff beside edits", text: text(object{"diff": "", "edits": []any{fixed}})},
		{name: "an empty list beside a diff", files: two, text: text(object{"diff": "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-before a\n+after\n", "edits": []any{}}), wants: tree{"a.txt": "after\n"}},
		{name: "a deletion beside a list", files: two, text: text(object{"path": "a.txt", "delete": true, "edits": []object{{"path": "b.txt", "old": "before b", "new": "after"}}}), refused: "a list of edits and an edit beside it"},
		{name: "a deletion beside an empty list", files: two, text: text(object{"operation": "delete", "path": "a.txt", "edits": []any{}}), refused: "a list of edits and an edit beside it"},
		{name: "an insertion beside a list", text: text(object{"path": "pkg/calc.py", "line": 3, "insert_after": "MORE = 4", "edits": []any{fixed}}), refused: "a list of edits and an edit beside it"},
		{name: "two answers in one wrapper", files: two, text: text(object{"input": answer(object{"path": "a.txt", "old": "before a", "new": "after"}), "result": answer(object{"path": "b.txt", "old": "before b", "new": "after"})}), refused: "several answers"},
		{name: "an answer beside what is none", text: text(object{"answer": answer(fixed), "data": object{"x": 1}, "args": []any{1}, "output": "{}"})},
		{name: "the same answer twice in a wrapper", text: text(object{"answer": answer(fixed), "output": text(answer(fixed))})},
		{name: "old, and what should be there as content", files: tree{"a.ini": "[a]\nx = 1\ny = 2\n"}, text: text(answer(object{"path": "a.ini", "old": "x = 1", "content": "x = 2"})), refused: "as \"new\""},
		{name: "a line, and what should be there as content", files: tree{"a.ini": "[a]\nx = 1\ny = 2\n"}, text: text(answer(object{"path": "a.ini", "line": 2, "content": "x = 2\n"})), refused: "says that it is a part"},
		{name: "all of the file, from its first line", files: tree{"a.ini": "[a]\nx = 1\n"}, text: text(answer(object{"path": "a.ini", "line": 1, "old": "", "new": "", "content": "[a]\nx = 2\n"})), wants: tree{"a.ini": "[a]\nx = 2\n"}},
		{name: "an empty content", files: tree{"a.ini": "[a]\n"}, text: text(answer(object{"path": "a.ini", "content": ""})), refused: "\"content\" is empty"},
		{name: "a deletion with a content", files: two, text: text(answer(object{"operation": "remove", "path": "a.txt", "content": "before a"})), refused: "one of these"},
		{name: "a file of which a part was seen is deleted", ground: func(g *reply.Ground) { g.Files["pkg/calc.py"] = reply.Some }, text: text(answer(object{"path": "pkg/calc.py", "delete": true})), refused: "cannot be deleted"},
		{name: "a block in a list of Markdown", files: two, text: "1. First\n\na.txt\n<<<<<<< SEARCH\nbefore a\n=======\nafter\n>>>>>>> REPLACE\n\n2. Then\n\n   b.txt\n   <<<<<<< SEARCH\n   before b\n   =======\n   after\n   >>>>>>> REPLACE\n", refused: "a search/replace block is not read"},
		{name: "a block in a quotation beside JSON", files: two, text: text(answer(object{"path": "a.txt", "old": "before a", "new": "after"})) + "\n> b.txt\n> <<<<<<< SEARCH\n> before b\n> =======\n> after\n> >>>>>>> REPLACE\n", refused: "a search/replace block is not read"},
		{name: "marks within an edit", files: tree{"a.txt": "old\n"}, text: text(answer(object{"path": "a.txt", "old": "old", "new": "  <<<<<<< SEARCH"})), wants: tree{"a.txt": "  <<<<<<< SEARCH\n"}},
		{name: "a block behind a diff in prose", files: two, text: "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-before a\n+after\n\nAnd b.txt\n<<<<<<< SEARCH\nbefore b\n=======\nafter\n>>>>>>> REPLACE\n", refused: "do different things"},
		{name: "a file in a fence beside edits of another", files: two, text: text(answer(object{"path": "a.txt", "old": "before a", "new": "after"})) + "\nand b.txt:\n```\nafter b\n```\n", refused: "beside the answer the reply holds all of the file in a fence"},
		{name: "a file in a fence that says it otherwise", text: text(answer(fixed)) + "\npkg/calc.py\n```python\n" + strings.Replace(calc, "a - b", "b + a", 1) + "```\n", refused: "beside the answer"},
		{name: "a file in a fence that says the same", text: text(answer(fixed)) + "\npkg/calc.py is then\n```python\n" + good + "```\n"},
		{name: "a function in a fence beside edits", text: text(answer(fixed)) + "\nIn pkg/calc.py that makes\n```python\ndef add(a, b):\n    return a + b\n```\n"},
		{name: "the file as it was, in a fence beside edits", text: "pkg/calc.py was\n```python\n" + calc + "```\n" + text(answer(fixed))},
		{name: "evidence in a fence beside edits", text: "test_calc.py has\n```python\nimport calc, sys\n```\n" + text(answer(fixed))},
		{name: "a diff without names", files: tree{"a.ini": "[a]\nx = 1\n"}, text: "```diff\n@@ -1,2 +1,2 @@\n [a]\n-x = 1\n+x = 2\n```\n", refused: "a diff without the lines --- and +++"},
		{name: "a diff without names, under one", files: two, text: "a.txt\n```\n@@ -1 +1 @@\n-before a\n+after\n```\n", refused: "a diff without the lines --- and +++"},
		{name: "JSON that is no answer, where one file may be changed", files: tree{"a.ini": "[a]\nx = 1\n"}, text: "```json\n{\"status\": \"done\"}\n```\n", refused: "the JSON in the fence is no answer"},
		{name: "a file of JSON", files: tree{"a.json": "{\"x\": 1}\n"}, text: "a.json\n```json\n{\"x\": 2}\n```\n", wants: tree{"a.json": "{\"x\": 2}\n"}},
		{name: "a piece of a file that is no code", files: tree{"a.ini": "[a]\nx = 1\n[b]\ny = 1\nz = 1\n"}, text: "```ini\n[a]\nx = 2\n```\n", refused: "lines less"},
	} {
		t.Run(c.name, func(t *testing.T) {
			files := one
			if c.files != nil {
				files = c.files
			}
			g := ground(files)
			if c.ground != nil {
				c.ground(&g)
			}
			a, err := reply.Read(t.Context(), c.text, c.cut, g)
			var rejected *edit.RejectError
			if c.refused != "" {
				if !errors.As(err, &rejected) || !strings.Contains(err.Error(), c.refused) || a.Patch != nil {
					t.Errorf("got %v, %v", a.Patch, err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if c.sure != 0 && (a.Confidence > c.sure || a.Confidence < c.sure-0.001) {
				t.Errorf("confidence %v", a.Confidence)
			}
			if c.none {
				if len(a.Patch) > 0 || a.Explanation == "" {
					t.Errorf("got %+v", a)
				}
				return
			}
			after, err := a.Patch.Apply(g.Source)
			if err != nil {
				t.Fatal(err)
			}
			wants := c.wants
			if wants == nil {
				wants = tree{"pkg/calc.py": good}
				if c.want != "" {
					wants["pkg/calc.py"] = c.want
				}
			}
			if len(after) != len(wants) {
				t.Errorf("it changes %v", a.Patch.Paths())
			}
			for name, want := range wants {
				if got := string(after[name].Data); got != want {
					t.Errorf("%s is %q, want %q", name, got, want)
				}
			}
			if c.note != "" && !strings.Contains(fmt.Sprint(a.Notes), c.note) {
				t.Errorf("notes: %v", a.Notes)
			}
		})
	}
}

// What was taken out before the model saw the file is put back, or the answer is refused.
func TestMarks(t *testing.T) {
	files := tree{"a.py": "key = \"s3cr3t-value\"\nx = 1\n"}
	g := ground(files)
	g.Restore = func(_, text string) (string, error) {
		out := strings.ReplaceAll(text, "[REDACTED:assigned:00000000]", "s3cr3t-value")
		if strings.Contains(out, "[REDACTED:") {
			return "", errors.New("the answer holds a mark that stands for nothing in the file")
		}
		return out, nil
	}
	shown := "key = \"[REDACTED:assigned:00000000]\"\nx = "
	for name, text := range map[string]string{
		"edits":  text(object{"edits": []object{{"path": "a.py", "old": shown + "1", "new": shown + "2"}}}),
		"diff":   "```diff\n--- a/a.py\n+++ b/a.py\n@@ -1,2 +1,2 @@\n key = \"[REDACTED:assigned:00000000]\"\n-x = 1\n+x = 2\n```\n",
		"blocks": "a.py\n<<<<<<< SEARCH\n" + shown + "1\n=======\n" + shown + "2\n>>>>>>> REPLACE\n",
		"whole":  "a.py\n```\n" + shown + "2\n```\n",
	} {
		a, err := reply.Read(t.Context(), text, false, g)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		after, err := a.Patch.Apply(g.Source)
		if got := string(after["a.py"].Data); err != nil || got != "key = \"s3cr3t-value\"\nx = 2\n" {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	_, err := reply.Read(t.Context(), text(object{"edits": []object{{"path": "a.py", "old": "x = 1", "new": "x = \"[REDACTED:github:12345678]\""}}}), false, g)
	if err == nil || !strings.Contains(err.Error(), "stands for nothing") {
		t.Errorf("got %v", err)
	}
}

// No reply makes the reader panic, nor half a patch.
func FuzzRead(f *testing.F) {
	edits := text(object{"edits": []object{{"path": "a.py", "old": "x = 1", "new": "x = 2"}}})
	for _, s := range []string{edits, edits[:20], "a.py\n<<<<<<< SEARCH\nx = 1\n=======\nx = 2\n>>>>>>> REPLACE\n", "```diff\n--- a/a.py\n+++ b/a.py\n@@ ... @@\n-x = 1\n+x = 2\n```", "a.py\n```\nx = 3\n```\n", "<think></think>{'fixed_code': '''x''', confidence: 9}"} {
		f.Add(s)
	}
	files := tree{"a.py": "x = 1\ny = 2\n", "test_a.py": "z\n"}
	f.Fuzz(func(t *testing.T, text string) {
		g := ground(files)
		a, err := reply.Read(context.Background(), text, false, g)
		if err != nil {
			var rejected *edit.RejectError
			if a.Patch != nil || !errors.As(err, &rejected) || rejected.Reason == "" {
				t.Fatalf("%v with %v", err, a.Patch)
			}
			return
		}
		if a.Confidence < 0 || a.Confidence > 1 {
			t.Fatalf("confidence %v", a.Confidence)
		}
		if _, err := a.Patch.Apply(g.Source); err != nil {
			t.Fatal(err)
		}
		for _, name := range a.Patch.Paths() {
			if name != "a.py" {
				t.Fatalf("it changes %s", name)
			}
		}
	})
}

// TestEnvelopes: patches as Codex's apply_patch takes them.
func TestEnvelopes(t *testing.T) {
	files := tree{"pkg/calc.py": calc, "test_calc.py": "import calc\n", "old.py": "x = 1\n", "wide.py": "def a():\n    return 1\n\n\ndef b():\n    return 1\n",
		"sub/old.py": "y = 1\n", "notes.txt": "a \u2013 b\nsays \u201cno\u201d\nend  \nlast", "twice.txt": "x\ny\nx\ny\n"}
	wrap := func(s string) string { return "*** Begin Patch\n" + s + "*** End Patch" }
	add := "*** Update File: pkg/calc.py\n@@ def add(a, b):\n-    return a - b\n+    return a + b\n"
	cases := []struct {
		name, reply string
		want        tree   // that change; "" is gone
		refused     string // or why not
	}{
		{"below a line", "Here:\n" + wrap(add), tree{"pkg/calc.py": good}, ""},
		{"in a fence, below a line between signs", "```\n" + wrap(strings.Replace(add, "b):\n", "b): @@\n", 1)) + "\n```\n", tree{"pkg/calc.py": good}, ""},
		{"with lines around", wrap("*** Update File: pkg/calc.py\n@@\n def add(a, b):\n-    return a - b\n+    return a + b\n \n"), tree{"pkg/calc.py": good}, ""},
		{"blanks lost of an empty line", wrap("*** Update File: pkg/calc.py\n def add(a, b):\n-    return a - b\n+    return a + b\n\n*** End of File\n"), tree{"pkg/calc.py": good}, ""},
		{"several files, and one that goes", wrap(add + "*** Update File: wide.py\n@@ def b():\n-    return 1\n+    return 2\n*** Delete File: old.py\n"), tree{"pkg/calc.py": good, "wide.py": "def a():\n    return 1\n\n\ndef b():\n    return 2\n", "old.py": ""}, ""},
		{"two hunks", wrap("*** Update File: wide.py\n@@ def a():\n-    return 1\n+    return 3\n@@ def b():\n-    return 1\n+    return 2\n"), tree{"wide.py": "def a():\n    return 3\n\n\ndef b():\n    return 2\n"}, ""},
		{"in a call of a tool", text(object{"name": "apply_patch", "arguments": object{"input": wrap(add)}}), tree{"pkg/calc.py": good}, ""},
		{"in a command", text(object{"command": []string{"apply_patch", wrap(add)}}), tree{"pkg/calc.py": good}, ""},
		{"lines that stand twice", wrap(strings.Replace(add, " def add(a, b):", "", 1)), nil, "2 places"},
		{"below no line of the file", wrap(strings.Replace(add, "def add", "def mul", 1)), nil, "the line behind @@ is not in the file"},
		{"without its end", "*** Begin Patch\n" + add, nil, "no *** End Patch line"},
		{"only new lines below a line", wrap("*** Update File: pkg/calc.py\n@@ def add(a, b):\n+    print(a)\n"), nil, "none around them says where"},
		{"only new lines", wrap("*** Update File: old.py\n@@\n+\n+y = 2\n"), tree{"old.py": "x = 1\n\ny = 2\n"}, ""},
		{"only new lines, then others", wrap("*** Update File: twice.txt\n@@\n+z\n@@\n-x\n-y\n-x\n+v\n"), tree{"twice.txt": "v\ny\nz\n"}, ""},
		{"only new lines, and an empty one before the next", wrap("*** Update File: twice.txt\n@@\n+z\n\n@@\n-x\n-y\n-x\n+v\n"), tree{"twice.txt": "v\ny\nz\n"}, ""},
		{"no line at all", wrap("*** Update File: twice.txt\n@@\n\n@@\n-x\n-y\n-x\n+v\n"), nil, "the hunk at line 3 of the patch has no lines"},
		{"only new lines behind a line that has no end", wrap("*** Update File: notes.txt\n+more\n"), tree{"notes.txt": "a \u2013 b\nsays \u201cno\u201d\nend  \nlast\nmore"}, ""},
		{"the file's last lines", wrap("*** Update File: twice.txt\n@@\n x\n-y\n+z\n*** End of File\n"), tree{"twice.txt": "x\ny\nx\nz\n"}, ""},
		{"not the file's last lines", wrap("*** Update File: wide.py\n@@\n     return 1\n+    # so\n*** End of File\n*** Update File: twice.txt\n-x\n+z\n*** End of File\n"), nil, "2 places"},
		{"signs between blanks", "  *** Begin Patch \n  *** Update File: old.py \n@@\n-x = 1\n+x = 2\n *** End Patch  ", tree{"old.py": "x = 2\n"}, ""},
		{"blanks lost at the end of a line", wrap("*** Update File: notes.txt\n@@\n end\n-last\n+least\n"), tree{"notes.txt": "a \u2013 b\nsays \u201cno\u201d\nend  \nleast"}, ""},
		{"plain signs", wrap("*** Update File: notes.txt\n@@\n a - b\n-says \"no\"\n+says \"yes\"\n"), tree{"notes.txt": "a \u2013 b\nsays \"yes\"\nend  \nlast"}, ""},
		{"an empty line between hunks", wrap("*** Update File: twice.txt\n@@\n x\n-y\n-x\n y\n\n*** Update File: old.py\n-x = 1\n+x = 2\n"), tree{"twice.txt": "x\ny\n", "old.py": "x = 2\n"}, ""},
		{"a command", "apply_patch <<'EOF'\n" + wrap(add) + "\nEOF\n", tree{"pkg/calc.py": good}, ""},
		{"a command that goes into a folder", "```sh\ncd sub && apply_patch <<EOF\n" + wrap("*** Update File: old.py\n-y = 1\n+y = 2\n") + "\nEOF\n```\n", tree{"sub/old.py": "y = 2\n"}, ""},
		{"… as words", text(object{"command": []string{"bash", "-lc", "cd 'sub' && applypatch <<\"EOF\"\n" + wrap("*** Update File: old.py\n-y = 1\n+y = 2\n") + "\nEOF"}}), tree{"sub/old.py": "y = 2\n"}, ""},
		{"… in a shell of its own", "bash -lc 'apply_patch <<EOF\n" + wrap(add) + "\nEOF'", tree{"pkg/calc.py": good}, ""},
		{"a command that does more", "echo so && apply_patch <<'EOF'\n" + wrap(add) + "\nEOF\n", nil, "does more than apply it (echo so && apply_patch"},
		{"a command that does more behind it", "apply_patch <<'EOF' && rm x\n" + wrap(add) + "\nEOF\n", nil, "does more than apply it"},
		{"a command that goes into two folders", "cd pkg && cd sub && apply_patch <<'EOF'\n" + wrap(add) + "\nEOF\n", nil, "does more than apply it"},
		{"an empty patch", wrap(""), nil, "say which files change"},
		{"an unknown operation", wrap("*** Frobnicate File: old.py\n"), nil, "belongs to no file"},
		{"a line that is nowhere", wrap("*** Update File: old.py\n@@\n-z = 1\n+z = 2\n"), nil, "not in the file"},
		{"a file that is nowhere", wrap("*** Delete File: gone.py\n"), nil, "there is no such file"},
		{"a line without its mark", wrap("*** Update File: pkg/calc.py\n@@ def add(a, b):\n    return a - b\n+    return a + b\n"), nil, "has no mark of its own"},
		{"a new name", wrap(strings.Replace(add, "\n", "\n*** Move to: pkg/made/calc.py\n", 1)), tree{"pkg/calc.py": "", "pkg/made/calc.py": good}, ""},
		{"a new name alone", wrap("*** Update File: old.py\n*** Move to: made/old.py\n"), tree{"old.py": "", "made/old.py": "x = 1\n"}, ""},
		{"a new name where none may be", wrap("*** Update File: old.py\n*** Move to: new/old.py\n"), nil, "may not be created: not here"},
		{"a new name that another has", wrap("*** Update File: old.py\n*** Move to: wide.py\n@@\n-x = 1\n+x = 2\n"), nil, "a name that another file has"},
		{"a new name outside", wrap("*** Update File: old.py\n*** Move to: ../old.py\n"), nil, "leads out of the repository"},
		{"a new name for a test", wrap("*** Update File: test_calc.py\n*** Move to: made/x.py\n"), nil, "shown as evidence"},
		{"a new name too late", wrap("*** Update File: old.py\n-x = 1\n+x = 2\n*** Move to: made/old.py\n"), nil, "right below the line"},
		{"a file that is there", wrap("*** Add File: old.py\n+x = 2\n"), nil, "is there already"},
		{"a new file", wrap("*** Add File: made/new.py\n+x = 2\n"), tree{"made/new.py": "x = 2\n"}, ""},
		{"a new file where none may be", wrap("*** Add File: new.py\n+x = 2\n"), nil, "may not be created: not here"},
		{"a test", wrap("*** Update File: test_calc.py\n-import calc\n+import sys\n"), nil, "shown as evidence"},
		{"nothing of a file", wrap("*** Update File: pkg/calc.py\n"), nil, "says of none of its lines how"},
		{"lines of no file", wrap("-x\n+y\n"), nil, "belongs to no file"},
		{"a diff beside it that does something else", wrap(add) + "\n```diff\n--- a/old.py\n+++ b/old.py\n@@ -1 +1 @@\n-x = 1\n+x = 2\n```\n", nil, "do different things"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			g := ground(files)
			g.Creates = func(name string) error {
				if !strings.Contains(name, "made/") {
					return errors.New("not here")
				}
				return nil
			}
			a, err := reply.Read(t.Context(), c.reply, false, g)
			if c.refused != "" {
				var rejected *edit.RejectError
				if !errors.As(err, &rejected) || !strings.Contains(err.Error(), c.refused) {
					t.Errorf("got %v, %v", a.Patch, err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			got, err := a.Patch.Apply(files.source)
			if err != nil || len(got) != len(c.want) {
				t.Fatalf("got %v, %v", got, err)
			}
			for name, want := range c.want {
				if string(got[name].Data) != want {
					t.Errorf("%s became %q", name, got[name].Data)
				}
			}
		})
	}
}
