package edit_test

import (
	"encoding/json"
	"testing"

	"fettle/internal/edit"
)

func patchOp(search, replace string) string {
	b, _ := json.Marshal(map[string]string{"operation": "patch", "path": "f", "search_block": search, "replace_block": replace})
	return string(b)
}

func block(search, replace string) string {
	return "<<<<<<< SEARCH\n" + search + "=======\n" + replace + ">>>>>>> REPLACE\n"
}

func TestReadOperations(t *testing.T) {
	const class = "class A:\n    def f(self):\n        return 1\n\n    def g(self):\n        return 2\n"
	runAll(t, edit.ReadBlocks, []reading{
		{name: "exact", base: class, proposal: patchOp("return 1", "return 3"), want: "class A:\n    def f(self):\n        return 3\n\n    def g(self):\n        return 2\n"},
		{name: "first of two equal lines is not it", base: "a = 1\nb\na = 1\n", proposal: patchOp("a = 1\n", "a = 2\n"), refused: "f:1: the search text stands in 2 places, at lines 1 and 3"},
		{name: "a part of another line makes it two", base: "return 1\nreturn 10\n", proposal: patchOp("return 1", "x"), refused: "lines 1 and 2"},
		{name: "does not eat the newline", base: "a = 1\nb = 2\n", proposal: patchOp("a = 1\n", "a = 9"), want: "a = 9\nb = 2\n"},
		{name: "does not add a newline", base: "a = 1\nb = 2\n", proposal: patchOp("a = 1", "a = 9\n"), want: "a = 9\nb = 2\n"},
		{name: "in the middle of a line", base: "f(a, b)  # x\ny\n", proposal: patchOp("a, b", "b, a"), want: "f(b, a)  # x\ny\n"},
		{name: "end of a line keeps the newline", base: "x = a + b\ny\n", proposal: patchOp("a + b\n", "a - b"), want: "x = a - b\ny\n"},
		{name: "empty replacement takes lines away", base: "import os\nx\n", proposal: patchOp("import os", ""), want: "x\n"},
		{name: "method at column 0", base: class, proposal: patchOp("def g(self):\n    return 2\n", "def g(self):\n    # two\n    return 3\n"), note: "white space only",
			want: "class A:\n    def f(self):\n        return 1\n\n    def g(self):\n        # two\n        return 3\n"},
		{name: "too deep", base: "a\n  b\n", proposal: patchOp("    a\n      b\n", "    a\n      c\n"), want: "a\n  c\n", note: "white space only"},
		{name: "tabs for blanks", base: "if a:\n\tb\n\tc\n", proposal: patchOp("if a:\n    b\n    c\n", "if a:\n    b\n    d\n"), want: "if a:\n\tb\n\td\n", note: "white space only"},
		{name: "indentation that nobody can explain", base: "if a:\n\tb\n\tc\n", proposal: patchOp("if a:\n    b\n    c\n", "if a:\n  b\n"), refused: "does not explain"},
		{name: "blanks in a line", base: "x  =  1\ny\n", proposal: patchOp("x = 1\n", "x = 2\n"), want: "x = 2\ny\n", note: "white space only"},
		{name: "white space only, twice", base: "  x\ny\n\tx\n", proposal: patchOp("x \n", "z\n"), refused: "lines 1 and 3"},
		{name: "one line without its indentation", base: "if a:\n    x = 1\n", proposal: patchOp("x = 1", "x = 2\ny = 3"), want: "if a:\n    x = 2\n    y = 3\n", note: "left out the indentation"},
		{name: "one line without its indentation, unclear", base: "if a:\n    x = 1\n", proposal: patchOp("x = 1", "if b:\n    x = 2"), refused: "unclear"},
		{name: "not there", base: class, proposal: patchOp("return 7", "x"), refused: "not in the file"},
		{name: "trailing words differ", base: "a b\n", proposal: patchOp("ab", "x"), refused: "not in the file"},
		{name: "empty search", base: class, proposal: patchOp("", "x"), refused: "the search text is empty"},
		{name: "empty search, empty file", base: "", proposal: patchOp("", "x\n"), want: "x\n"},
		{name: "only blanks", base: "a\n\n\n", proposal: patchOp("   \n", "x"), refused: "only blanks"},
		{name: "CRLF", base: "a\r\nb\r\nc\r\n", proposal: patchOp("a\nb\n", "a\nx\ny\n"), want: "a\r\nx\r\ny\r\nc\r\n"},
		{name: "CRLF in a line", base: "a\r\nb c\r\nd", proposal: patchOp("c\nd", "e\nf"), want: "a\r\nb e\r\nf"},
		{name: "byte order mark", base: "\ufeffa\nb\n", proposal: patchOp("a\n", "x\n"), want: "\ufeffx\nb\n"},
		{name: "open end", base: "a\nb", proposal: patchOp("b\n", "c\n"), want: "a\nc", note: "white space only"},
		{name: "two blocks with the same context", base: "a\nb\nc\n", proposal: "[" + patchOp("a\nb\n", "A\nb\n") + "," + patchOp("b\nc\n", "b\nC\n") + "]", want: "A\nb\nC\n"},
		{name: "two blocks, one place", base: "a\nb\nc\n", proposal: "[" + patchOp("a\nb\n", "a\nB\n") + "," + patchOp("b\nc\n", "x\nc\n") + "]", refused: "two edits"},
		{name: "second block wants what the first made", base: "a\n", proposal: "[" + patchOp("a\n", "b\n") + "," + patchOp("b\n", "c\n") + "]", refused: "not in the file"},
		{name: "no file", base: "-", proposal: patchOp("a", "b"), refused: "f: the file does not exist"},
		{name: "create", base: "-", proposal: `{"operation":"create","path":"f","content":"a\n"}`, want: "a\n"},
		{name: "create in a fence", base: "-", proposal: `{"operation":"create","path":"f","content":"` + "```python\\na\\n```" + `"}`, want: "a\n", note: "code fence"},
		{name: "create over a file", base: "a", proposal: `{"operation":"create","path":"f","content":"a\n"}`, refused: "exists already"},
		{name: "delete", base: "a", proposal: `{"operation":"delete","path":"f"}`, want: "-"},
		{name: "delete and patch", base: "a", proposal: `[{"operation":"delete","path":"f"},` + patchOp("a", "b") + `]`, refused: "both delete and modify"},
		{name: "delete with content", base: "a", proposal: `{"operation":"delete","path":"f","content":""}`, refused: "nothing else"},
		{name: "patch without search", base: "a", proposal: `{"operation":"patch","path":"f","replace_block":"x"}`, refused: "nothing else"},
		{name: "create without content", base: "-", proposal: `{"operation":"create","path":"f"}`, refused: "nothing else"},
		{name: "unknown", base: "a", proposal: `{"operation":"move","path":"f"}`, refused: `unknown operation "move"`},
		{name: "escape", base: "a", proposal: `{"operation":"create","path":"/etc/cron.d/x","content":""}`, refused: "absolute"},
	})
}

func TestReadTextBlocks(t *testing.T) {
	runAll(t, edit.ReadBlocks, []reading{
		{name: "plain", base: "a\nb\n", proposal: "f\n" + block("b\n", "c\n"), want: "a\nc\n"},
		{name: "prose, ornaments and fences", base: "a\nb\n", proposal: "I change this:\n\n**`f`**:\n```python\n" + block("b\n", "c\n") + "```\nDone.\n", want: "a\nc\n"},
		{name: "two blocks of one file", base: "a\nb\n", proposal: "f\n" + block("a\n", "x\n") + "\n" + block("b\n", "y\n"), want: "x\ny\n"},
		{name: "whole lines only", base: "max = 1\nx = 1\n", proposal: "f\n" + block("x = 1\n", "x = 2\n"), want: "max = 1\nx = 2\n"},
		{name: "lines taken away", base: "a\nb\nc\n", proposal: "f\n" + block("b\n", ""), want: "a\nc\n"},
		{name: "open end stays open", base: "a\nb", proposal: "f\n" + block("b\n", "c\nd\n"), want: "a\nc\nd"},
		{name: "last lines go, the end stays open", base: "a\nb", proposal: "f\n" + block("b\n", ""), want: "a"},
		{name: "CRLF in the file", base: "a\r\nb\r\n", proposal: "f\n" + block("b\n", "c\nd\n"), want: "a\r\nc\r\nd\r\n"},
		{name: "CRLF in the proposal", base: "a\nb\n", proposal: "f\r\n<<<<<<< SEARCH\r\nb\r\n=======\r\nc\r\n>>>>>>> REPLACE\r\n", want: "a\nc\n"},
		{name: "new file", base: "-", proposal: "f\n" + block("", "a\n"), want: "a\n"},
		{name: "empty search in a full file", base: "a\n", proposal: "f\n" + block("", "b\n"), refused: "the search text is empty"},
		{name: "twice in the file", base: "a\nb\na\n", proposal: "f\n" + block("a\n", "x\n"), refused: "lines 1 and 3"},
		{name: "indented", base: "if x:\n    a\n", proposal: "f\n" + block("a\n", "b\nc\n"), want: "if x:\n    b\n    c\n", note: "f:2: matched by white space only"},
		{name: "no name", base: "a\n", proposal: block("a\n", "b\n"), refused: "no file name"},
		{name: "prose for a name", base: "a\n", proposal: "Here is the fix\n" + block("a\n", "b\n"), refused: "Here is the fix: the file does not exist"},
		{name: "never ends", base: "a\n", proposal: "f\n<<<<<<< SEARCH\na\n=======\nb\n", refused: "line 2 of the proposal: the block needs"},
		{name: "not divided", base: "a\n", proposal: "f\n<<<<<<< SEARCH\na\n>>>>>>> REPLACE\n", refused: "line 2"},
		{name: "divided twice", base: "a\n", proposal: "f\n<<<<<<< SEARCH\nT\n=======\n=======\nb\n>>>>>>> REPLACE\n", refused: "second ======="},
		{name: "next begins too early", base: "a\n", proposal: "f\n<<<<<<< SEARCH\na\n=======\nb\n" + block("x\n", "y\n"), refused: "before the next one begins"},
		{name: "end without a beginning", base: "a\n", proposal: "f\n" + block("a\n", "b\n") + ">>>>>>> REPLACE\n", refused: "without a SEARCH"},
	})
	name := "[id] page.tsx" // brackets do not make it JSON
	p, _, err := edit.Read([]byte(name+"\n"+block("a\n", "b\n")), of(name, "a\n").Source)
	if err != nil || len(p) != 1 || p[0].Path != name {
		t.Errorf("got %v, %v", p, err)
	}
}
