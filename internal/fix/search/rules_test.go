package search

import (
	"strings"
	"testing"

	"fettle/internal/code"
)

// Nothing is proposed that asks for what the statement before has just said: it would be a constant in disguise.
func TestSettled(t *testing.T) {
	for _, c := range []struct{ path, src, asks, no, yes string }{
		{"a.py", "def f(alt, width):\n    style = \"\"\n    if not alt:\n        g(alt)\n    return width\n", "if not %s:", "style", "width"},
		{"b.py", "def f(alt, width):\n    style = g(width)\n    if not alt:\n        g(alt)\n    return width\n", "if not %s:", "", "style"},
		{"c.py", "def f(alt, width):\n    style = \"\"\n    for style in width:\n        g(style)\n    if not alt:\n        g(alt)\n    return width\n", "if not %s:", "", "style"},
		{"d.py", "def f(alt, width):\n    style = \"\"\n    while not alt:\n        style = g(alt)\n    return width\n", "while not %s:", "", "style"},
		{"a.js", "function f(alt, width) {\n  let style = '';\n  if (!alt) {\n    g(alt);\n  }\n  style = width;\n  return style;\n}\n", "if (!%s)", "style", "width"},
		{"a.go", "package a\n\nfunc f(alt, width bool) bool {\n\tstyle := false\n\tif !alt {\n\t\tg(alt)\n\t}\n\tstyle = width\n\treturn style\n}\n", "if !%s {", "style", "width"},
	} {
		proposed := map[string]bool{}
		for p := range propose(unitOf(t, c.path, c.src)) {
			after, _ := apply(c.src, p.edits)
			for _, name := range []string{"style", "width"} {
				proposed[name] = proposed[name] || strings.Contains(after, "\n"+indentIn(c.path)+strings.ReplaceAll(c.asks, "%s", name)) && len(p.edits) == 1 && string(p.edits[0].New) == name
			}
		}
		if proposed[c.no] || !proposed[c.yes] {
			t.Errorf("%s: proposed %v", c.path, proposed)
		}
	}
}

func indentIn(path string) string {
	return map[string]string{"py": "    ", "js": "  ", "go": "\t"}[path[2:]]
}

// Nothing is proposed that puts an assignment beside another one of the same variable: one of the two would say nothing.
func TestOverwrites(t *testing.T) {
	for _, c := range []struct{ path, src, no, yes string }{
		{"a.js", "function push(context, width) {\n  const a = get();\n  const b = get();\n  b.context = context;\n  a.context = width;\n  a.release = context;\n  g(width);\n  return a;\n}\n", "a.context = width;\n  a.context = context;", "a.context = context;\n  a.release"},
		{"a.py", "def push(context, width):\n    a = get(context)\n    a = get(width)\n    b = context\n    b = b + width\n    return a\n", "a = get(context)\n    a = context\n", "return b"},
		{"b.py", "def add(xs, k):\n    n = 0\n    for x in xs:\n        n += k\n    return n\n", "n += k\n    n = 0\n    return n", "n += x"},
	} {
		var no, yes bool
		for p := range propose(unitOf(t, c.path, c.src)) {
			after, _ := apply(c.src, p.edits)
			inserts := len(p.edits) == 1 && p.edits[0].Start == p.edits[0].End
			no, yes = no || inserts && strings.Contains(after, c.no), yes || strings.Contains(after, c.yes)
		}
		if no || !yes {
			t.Errorf("%s: %v %v", c.path, no, yes)
		}
	}
}

// Nothing is proposed that JavaScript makes a text of again: [value] is what it is only where lists are taken.
func TestSpelledOut(t *testing.T) {
	src := "function own(x) { return x; }\nfunction f(value, seen) {\n  seen.push(value);\n  own(value);\n  new Set(value);\n  return decodeURIComponent(value) + seen[value];\n}\n"
	all := map[string]bool{}
	for p := range propose(unitOf(t, "a.js", src)) {
		if after, _ := apply(src, p.edits); len(p.edits) == 1 && string(p.edits[0].New) == "[value]" {
			for _, form := range []string{"push([value])", "own([value])", "Set([value])", "decodeURIComponent([value])", "seen[[value]]"} {
				all[form] = all[form] || strings.Contains(after, form)
			}
		}
	}
	if !all["push([value])"] || !all["own([value])"] || !all["Set([value])"] || all["decodeURIComponent([value])"] || all["seen[[value]]"] {
		t.Errorf("proposed %v", all)
	}
}

// A change may reach further than the function that it is proposed in: what becomes of its parameters is then no question.
func TestChangesBeyondAFunction(t *testing.T) {
	src := "def f(xs):\n    return sorted(xs, key=lambda x: x)\n\n\ndef g(xs):\n    return sum(xs)\n"
	for _, s := range unitOf(t, "a.py", src) {
		call := s.Up(code.Call)
		if s.Role != code.Name || s.Function().Name == "f" || call == nil {
			continue
		}
		c := replace(call, "xs", 1, "the call does not belong there")
		if after, ok := apply(src, c.edits); !ok || s.breaksRules(c) {
			t.Errorf("%v: %q", ok, after)
		}
		return
	}
	t.Error("there is no function in the function")
}

// Nothing is proposed that does the same whatever is asked, nor that leaves a loop with nothing to do.
func TestNothingLeft(t *testing.T) {
	for _, c := range []struct{ path, src, no, yes string }{
		{"a.go", "package a\n\nfunc f(a, b int) int {\n\tif a > b {\n\t\treturn a\n\t} else {\n\t\treturn b\n\t}\n}\n", "return b\n\t} else {\n\t\treturn b\n", "if a >= b"},
		{"b.go", "package a\n\nfunc f(a, b, c int) int {\n\tif a > b {\n\t\treturn a\n\t}\n\treturn b\n}\n", "return b\n\t}\n\treturn b\n", "return c\n\t}\n\treturn b\n"},
		{"c.go", "package a\n\nfunc f(a, b, c int) int {\n\tif a > b {\n\t\treturn a\n\t}\n\treturn b\n}\n", "return a\n\t}\n\treturn a\n", "return a\n\t}\n\treturn c\n"},
		{"a.py", "def f(a, b, c):\n    return a if a > b else b\n", "return b if a > b else b", "return c if a > b else b"},
		{"b.py", "def f(xs):\n    n = 0\n    for x in xs:\n        n += x\n    return n\n", "for x in xs:\n        pass", "n -= x"},
	} {
		var no, yes bool
		for p := range propose(unitOf(t, c.path, c.src)) {
			after, _ := apply(c.src, p.edits)
			changes := p.edits[0].End > p.edits[0].Start && p.template.name != "delete-statement"
			no, yes = no || changes && strings.Contains(after, c.no), yes || strings.Contains(after, c.yes)
		}
		if no || !yes {
			t.Errorf("%s: %v %v", c.path, no, yes)
		}
	}
}

// Nothing is proposed that asks whether a sum is nothing at all.
func TestNeverNothing(t *testing.T) {
	for _, c := range []struct{ path, src, asks, yes string }{
		{"a.js", "function f(best, n) {\n  if (n === null) return best;\n  if (best === null || n > best) best = n;\n  return best;\n}\n", "n + 1 === null", "n >= best"},
		{"a.py", "def f(best, n):\n    if n is None:\n        return best\n    if best is None or n > best:\n        best = n\n    return best\n", "n + 1 is None", "n >= best"},
	} {
		var no, yes bool
		for p := range propose(unitOf(t, c.path, c.src)) {
			after, _ := apply(c.src, p.edits)
			no, yes = no || strings.Contains(after, c.asks), yes || strings.Contains(after, c.yes)
		}
		if no || !yes {
			t.Errorf("%s: proposed %s: %v; %s: %v", c.path, c.asks, no, c.yes, yes)
		}
	}
}
