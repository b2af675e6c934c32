package edit_test

import (
	"encoding/json"
	"testing"

	"fettle/internal/edit"
)

// readParts reads parts that are written as JSON.
func readParts(data []byte, src edit.Source) (edit.Patch, []edit.Note, error) {
	var parts []edit.Part
	if err := json.Unmarshal(data, &parts); err != nil {
		return nil, nil, err
	}
	return edit.ReadParts(parts, src)
}

func parts(all ...edit.Part) string {
	for i := range all {
		if all[i].Path == "" {
			all[i].Path = "f"
		}
	}
	b, _ := json.Marshal(all)
	return string(b)
}

func swap(line int, old, fresh string) edit.Part {
	return edit.Part{Line: line, Old: &old, New: &fresh}
}

func TestReadParts(t *testing.T) {
	const code = "def f(a):\n    return a\n\ndef g(a):\n    return a\n"
	text := func(s string) *string { return &s }
	runAll(t, readParts, []reading{
		{name: "the line that is said", base: code, proposal: parts(swap(5, "    return a", "    return a + 1")), want: "def f(a):\n    return a\n\ndef g(a):\n    return a + 1\n"},
		{name: "several lines, the first of which is said", base: code, proposal: parts(swap(4, "def g(a):\n    return a\n", "def g(b):\n    return b\n")), want: "def f(a):\n    return a\n\ndef g(b):\n    return b\n"},
		{name: "another line, but only one is it", base: code, proposal: parts(swap(3, "def g(a):", "def h(a):")), want: "def f(a):\n    return a\n\ndef h(a):\n    return a\n", note: "f:4: the text for line 3 was found at line 4"},
		{name: "another line, and two are it", base: code, proposal: parts(swap(1, "    return a", "    return 1")), refused: "2 places, at lines 2 and 5"},
		{name: "no line, and two are it", base: code, proposal: parts(swap(0, "    return a", "    return 1")), refused: "2 places"},
		{name: "a piece of the line that is said", base: code, proposal: parts(swap(5, "return a", "return json(a)")), want: "def f(a):\n    return a\n\ndef g(a):\n    return json(a)\n"},
		{name: "a piece that stands twice", base: code, proposal: parts(swap(0, "return a", "return 1")), refused: "2 places"},
		{name: "whole lines before pieces", base: "x = 1\nmax = 1\n", proposal: parts(swap(0, "x = 1", "x = 2")), want: "x = 2\nmax = 1\n"},
		{name: "a piece within a word", base: "max = 1\n", proposal: parts(swap(0, "x = 1", "x = 2")), refused: "within a longer word"},
		{name: "a piece within a word of the line that is said", base: "max = 10\n", proposal: parts(swap(1, "max = 1", "x = 2")), refused: "within a longer word"},
		{name: "nothing takes lines away", base: code, proposal: parts(swap(2, "    return a", "")), want: "def f(a):\n\ndef g(a):\n    return a\n"},
		{name: "lines by white space", base: "if a:\n\tb(1)\n", proposal: parts(swap(0, "if a:\n    b(1)", "if a:\n    b(2)")), want: "if a:\n\tb(2)\n", note: "white space only"},
		{name: "what stays keeps its blanks", base: "s = \"a  b\"\nreturn 1\n", proposal: parts(swap(0, "s = \"a b\"\nreturn 1", "s = \"a b\"\nreturn 2")), want: "s = \"a  b\"\nreturn 2\n", note: "white space only"},
		{name: "blanks in a text that changes", base: "s = f(\"a  b\", 1)\n", proposal: parts(swap(0, "s = f(\"a b\", 1)", "s = f(\"a b\", 2)")), refused: "a text in quotes"},
		{name: "insert before", base: code, proposal: parts(edit.Part{Line: 4, Before: text("# g")}), want: "def f(a):\n    return a\n\n# g\ndef g(a):\n    return a\n"},
		{name: "insert behind what stands once", base: code, proposal: parts(edit.Part{Old: text("def g(a):\n    return a"), After: text("# end")}), want: code + "# end\n"},
		{name: "insert beside what stands twice", base: code, proposal: parts(edit.Part{Old: text("    return a"), After: text("# end")}), refused: "2 places"},
		{name: "insert beside nothing", base: code, proposal: parts(edit.Part{Old: text("zzz"), After: text("# end")}), refused: "are not in the file"},
		{name: "insert nowhere", base: code, proposal: parts(edit.Part{After: text("# end")}), refused: "no such line"},
		{name: "insert into nothing", base: "", proposal: parts(edit.Part{After: text("x")}), want: "x\n"},
		{name: "whole", base: "a\r\nb\r\n", proposal: parts(edit.Part{Content: text("a\nc\n")}), want: "a\r\nc\r\n", note: "kept the line endings"},
		{name: "create", base: "-", proposal: parts(swap(0, "", "x\n")), want: "x\n"},
		{name: "empty search in a full file", base: code, proposal: parts(swap(0, "", "x\n")), refused: "the search text is empty"},
		{name: "delete", base: code, proposal: parts(edit.Part{Delete: true}), want: "-"},
		{name: "two ways", base: code, proposal: parts(edit.Part{Delete: true, Content: text("")}), refused: "one of these"},
		{name: "no way", base: code, proposal: parts(edit.Part{Old: text("x")}), refused: "one of these"},
		{name: "replaces what?", base: code, proposal: parts(edit.Part{Line: 1, New: text("x")}), refused: "does not say what it replaces"},
		{name: "one place twice", base: code, proposal: parts(swap(0, "def f(a):", "def x(a):"), swap(0, "def f(a):", "def y(a):")), refused: "two edits"},
		{name: "nothing", base: code, proposal: "[]", refused: "empty"},
	})
}
