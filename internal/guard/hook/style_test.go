package hook_test

import (
	"os"
	"path/filepath"
	"testing"
)

func TestStyle(t *testing.T) {
	for _, c := range []struct{ file, before, after, want string }{
		{"a.js", "let a = 'x';", "let a = \"x\";", "deny"},
		{"a.js", "let a = 'x';", "let a = 'x'", "deny"},
		{"a.ts", "f(a,\n  b)", "f(a,\n    b)", "deny"},
		{"a.ts", "f(\n    a,\n)", "f(\n    a\n)", "deny"},
		{"a.py", "x = 'a'", "x = \"a\"", "deny"},
		{"a.py", "x = (\n    a,\n)", "x = (\n    a\n)", ""},
		{"a.py", "x = (1)", "x = (1,)", ""},
		{"A.java", "int x = 1", "int x = 1;", ""},
		{"a.go", "f(\n\ta\n)", "f(\n\ta,\n)", ""},
		{"a.js", "x = '\"'", "x = \"'\"", ""},
		{"a.js", "x = `\n  a`", "x = `\na`", ""},
		{"a.py", "if a:\n    b()\nc()", "if a:\n    b()\n    c()", ""},
		{"a.go", "x := 'a'", "x := \"a\"", ""},
		{"a.js", "let a = 'x';", "let a = \"y\";", ""},
		{"a.js", "let a = 'x';", "", ""},
		{"README.md", "it's", "it\"s", ""},
		{"a.yaml", "a:\n  b", "a:\n    b", ""},
		{"a.js", "f('a');", "f(\"a\")", "deny"},
		{"a.js", "a  =  1", "a = 1", "deny"},
		{"a.js", "x = {b:1}", "x = { b: 1 }", "deny"},
		{"a.py", "x=1", "x = 1", "deny"},
		{"a.js", "x = a - -b", "x = a--b", ""},
		{"a.js", "x = /a b/", "x = /ab/", ""},
		{"a.js", "returna", "return a", ""},
		{"a.py", "import os\nimport abc\n", "import abc\nimport os\n", "deny"},
		{"a.py", "import os\nimport abc\n", "import abc\nimport sys\n", ""},
		{"a.js", "f('a', 1);", "f(\"a\", 2)", ""},
		{"a.css", "a {\n  color: red;\n}", "a {\n    color: red;\n}", "deny"},
		{"a.css", "a .b {}", "a.b {}", ""},
		{"a.css", "a { margin: 0 1px }", "a { margin: 01px }", ""},
		{"a.json", "{\"a\": 1}", "{ \"a\" : 1 }", "deny"},
		{"a.json", "{\"a\":\n  [1]}", "{\"a\": [1]}", "deny"},
		{"a.json", "{\"a b\": 1}", "{\"ab\": 1}", ""},
		{"a.json", "b\": 1, \"c", "b\":1,\"c", ""},
		{"a.html", "<p>\n  x\n</p>", "<p>\nx\n</p>", "deny"},
		{"a.html", "<b>x</b> <i>", "<b>x</b><i>", ""},
		{"a.html", "<pre>\n  x\n</pre>", "<pre>\nx\n</pre>", ""},
		{"a.sh", "if a; then\n  b\nfi", "if a; then\n\tb\nfi", "deny"},
		{"a.sh", "echo a  b", "echo a b", ""},
		{"a.sh", "cat <<X\n a\nX", "cat <<X\na\nX", ""},
	} {
		y := newYard(t)
		y.says("mend the bug")
		y.edit(c.file, c.before, c.after).want(t, c.file+": "+c.before+" → "+c.after, c.want, "")
		y.says("and tidy the quotes and the formatting")
		y.edit(c.file, c.before, c.after).want(t, "asked for: "+c.after, "", "")
	}
}

// TestStyleAskedFor are messages that speak of style, and such that do not.
func TestStyleAskedFor(t *testing.T) {
	for says, want := range map[string]string{
		"run the formatter on a.js": "", "make the quotes the same": "", "use LF line endings": "", "sort the imports": "", "Please run rustfmt.": "", "remove trailing blanks": "", "prettify it": "",
		"mend the bug": "deny", "add a test for the parser": "deny", "read the information": "deny",
	} {
		y := newYard(t)
		y.says(says)
		y.edit("a.js", "let a = 'x';", "let a = \"x\";").want(t, says, want, "")
	}
}

// TestStyleOfEveryTool is the same drift by other tools, and where the project's own notes may ask for it.
func TestStyleOfEveryTool(t *testing.T) {
	y := newYard(t)
	file := filepath.Join(y.project, "a.js")
	if err := os.WriteFile(file, []byte("let a = 'x';\nlet b = 2;\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	edit := func(before, after string) map[string]any {
		return map[string]any{"old_string": before, "new_string": after}
	}
	calls := map[string]func() answer{
		"MultiEdit": func() answer {
			return y.call("MultiEdit", map[string]any{"file_path": file, "edits": []any{edit("'x'", "\"x\""), edit("2;", "2")}})
		},
		"Write": func() answer {
			return y.call("Write", map[string]any{"file_path": file, "content": "let a = \"x\"\nlet b = 2\n"})
		},
		"apply_patch": func() answer {
			return y.call("apply_patch", map[string]any{"command": "*** Begin Patch\n*** Update File: a.js\n@@\n-let a = 'x';\n+let a = \"x\";\n let b = 2;\n*** End Patch"})
		},
	}
	for name, call := range calls {
		y.says("mend the bug")
		call().want(t, name, "deny", "Style drift detected")
	}
	y.says("mend the bug")
	y.call("MultiEdit", map[string]any{"file_path": file, "edits": []any{edit("'x'", "\"x\""), edit("2;", "3")}}).want(t, "one of them mends", "", "")
	y.call("Write", map[string]any{"file_path": filepath.Join(y.project, "new.js"), "content": "let a = 1\n"}).want(t, "a new file", "", "")
	y.call("apply_patch", map[string]any{"command": "*** Begin Patch\n*** Add File: b.js\n+let a = 1\n*** End Patch"}).want(t, "a new file by a patch", "", "")
	for name, text := range map[string]string{"b.js": "let a = `\n  two\n`;\n", "a.sh": "cat <<X\n  two\nX\n", "a.html": "<pre>\n  two\n</pre>\n"} {
		if err := os.WriteFile(filepath.Join(y.project, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		y.edit(name, "  two", " two").want(t, name+": within a text of several lines", "", "")
	}
	if err := os.WriteFile(filepath.Join(y.project, "CLAUDE.md"), []byte("# Notes\n\nUse double quotes.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	y.edit("a.js", "'x'", "\"x\"").want(t, "the project's notes want it", "", "")
	y.edit("a.js", "2;", "2").want(t, "they do not speak of that", "deny", "semicolons")
	if err := os.WriteFile(filepath.Join(y.project, "QWEN.md"), []byte("# Notes\n\nNo semicolons.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	y.says("again")
	y.edit("a.js", "2;", "2").want(t, "another agent's notes do", "", "")
}
