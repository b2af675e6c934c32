package parts_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"fettle/internal/audit/parts"
	"fettle/internal/code"
)

// first is the first node of a source that has a role.
func first(t *testing.T, file, src string, role code.Role) *code.Node {
	t.Helper()
	f := parts.Read(file, []byte(src))
	if parts.Broken(f) {
		t.Fatalf("%s: cannot be read: %s", file, src)
	}
	for n := range f.Root.Walk() {
		if n.Is(role) {
			return n
		}
	}
	t.Fatalf("%s: nothing of that role in %s", file, src)
	return nil
}

// TestValues tells what is the same whatever happens, and what needs nothing but itself.
func TestValues(t *testing.T) {
	for _, c := range []struct {
		file, value     string
		constant, alone bool
	}{
		{"a.py", "1", true, true},
		{"a.py", "[1, 'b']", true, true},
		{"a.py", "list((1, 2))", true, true},
		{"a.py", "dict()", true, true},
		{"a.py", "make(1)", true, false},
		{"a.py", "x + 1", false, false},
		{"a.py", "now()", false, false},
		{"a.js", "new Map()", true, true},
		{"a.js", "[...xs]", false, false},
		{"a.js", "() => 1", false, false},
		{"a.java", "Boolean.TRUE", true, true},
		{"a.java", "List.of(Boolean.TRUE, 1)", true, true},
		{"a.java", "Booleans.TRUE", false, false},
		{"a.js", "Boolean.TRUE", false, false},
	} {
		src := "v = " + c.value + "\n"
		if strings.HasSuffix(c.file, ".java") {
			src = "class A {\n    void a() {\n        Object v = " + c.value + ";\n    }\n}\n"
		}
		n := first(t, c.file, src, code.Assign).Kid(code.Value)
		if got := parts.Constant(n); got != c.constant {
			t.Errorf("Constant(%s) = %v", c.value, got)
		}
		if got := parts.Value(n); got != c.alone {
			t.Errorf("Value(%s) = %v", c.value, got)
		}
	}
}

// TestNames tells what calls, functions and assignments are about.
func TestNames(t *testing.T) {
	for src, want := range map[string]string{"f(1)": "f", "a.b.c(1)": "c", "a().b(1)": "b", "f(1)(2)": "f"} {
		if got := parts.LastName(first(t, "a.py", src+"\n", code.Call)); got != want {
			t.Errorf("LastName(%s) = %q, want %q", src, got, want)
		}
	}
	js := "class A {\n  b() {}\n}\nconst c = () => { function d() {} };\nconst o = {e: function () {}};\nexport { c, o };\n"
	f := parts.Read("a.js", []byte(js))
	if got := strings.Join(slices.Sorted(maps.Keys(parts.Functions(f))), " "); got != "A.b c c.d e" {
		t.Errorf("Functions = %q", got)
	}
	if got := parts.Exports(f); !got["c"] || !got["o"] || got["A"] {
		t.Errorf("Exports = %v", got)
	}
	var given []string
	for _, target := range first(t, "a.py", "a, (b, self.c) = x\n", code.Assign).All(code.Target) {
		given = append(given, parts.Targets(target)...)
	}
	if strings.Join(given, " ") != "a b self.c" {
		t.Errorf("Targets = %v", given)
	}
}

// TestMarks tells what stands around a function of Python's.
func TestMarks(t *testing.T) {
	fn := first(t, "a.py", "@a\n@b(1)\nasync def f():\n    yield 1\n", code.Function)
	if got := strings.Join(parts.Marks(fn), " "); got != "@b(1) @a" || !parts.Yields(fn) || !parts.IsCoroutine(fn) {
		t.Errorf("Marks = %s, Yields = %v, IsCoroutine = %v", got, parts.Yields(fn), parts.IsCoroutine(fn))
	}
}

func TestMentions(t *testing.T) {
	for _, c := range []struct {
		text, word string
		want       bool
	}{{"a, add(b)", "add", true}, {"adder", "add", false}, {"padd add", "add", true}, {"x", "x", false}, {"größe", "gr", false}} {
		if got := parts.Mentions([]byte(c.text), c.word); got != c.want {
			t.Errorf("Mentions(%q, %q) = %v", c.text, c.word, got)
		}
	}
}
