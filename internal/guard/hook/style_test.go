package hook_test

import "testing"

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
	} {
		y := newYard(t)
		y.says("mend the bug")
		y.edit(c.file, c.before, c.after).want(t, c.file+": "+c.before+" → "+c.after, c.want, "")
		y.says("and tidy the quotes and the formatting")
		y.edit(c.file, c.before, c.after).want(t, "asked for: "+c.after, "", "")
	}
}
