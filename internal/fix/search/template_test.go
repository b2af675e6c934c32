package search

import (
	"iter"
	"os"
	"slices"
	"strings"
	"testing"

	"fettle/internal/code"
	"fettle/internal/edit"
	"fettle/internal/locate"
	"fettle/internal/syntax"
)

// unitOf reads a source as if every line of it were equally suspicious.
func unitOf(t testing.TB, path, src string) []*site {
	t.Helper()
	f, err := code.Read(t.Context(), syntax.LangOf(path), path, []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	u := newUnit(nil)
	u.add(f)
	return u.sites([]locate.Suspect{{File: path, Line: 1, EndLine: strings.Count(src, "\n") + 1, Score: 1}})
}

// Every template proposes what it is for, in the languages that it is for.
func TestTemplates(t *testing.T) {
	data, err := os.ReadFile("testdata/templates.txt")
	if err != nil {
		t.Fatal(err)
	}
	tried, templates := map[string]bool{}, slices.Concat(templates, wideTemplates)
	for _, c := range strings.Split(string(data), "\n== ")[1:] {
		head, body, _ := strings.Cut(c, "\n")
		name, path, _ := strings.Cut(head, " ")
		wrong, meant, ok := strings.Cut(body, "\n--\n")
		if !ok {
			t.Fatalf("%s: no --", head)
		}
		tried[name] = true
		t.Run(strings.ReplaceAll(head, " ", "/"), func(t *testing.T) {
			i := slices.IndexFunc(templates, func(x template) bool { return x.name == name })
			if i < 0 {
				t.Fatal("there is no such template")
			}
			var all []string
			for _, s := range unitOf(t, path, wrong+"\n") {
				templates[i].propose(s, func(c change) {
					slices.SortFunc(c.edits, func(a, b edit.Edit) int { return a.Start - b.Start })
					text, ok := apply(s.File.Source, c.edits)
					if !ok {
						t.Errorf("%s: edits that overlap: %v", c.why, c.edits)
					}
					if c.weight <= 0 || c.weight > 1 || c.why == "" || strings.HasSuffix(c.why, ".") {
						t.Errorf("weight %v, why %q", c.weight, c.why)
					}
					all = append(all, strings.TrimSpace(text))
				})
			}
			if !slices.Contains(all, strings.TrimSpace(meant)) {
				t.Errorf("not among %d:\n%s", len(all), strings.Join(all, "\n~~\n"))
			}
		})
	}
	for _, x := range templates {
		if !tried[x.name] {
			t.Errorf("no case for %s", x.name)
		}
	}
}

// Whatever the templates make of a source, and what is put together of it at last, is never broken syntax, never the same twice, and never an edit outside of
// functions that nobody suspects.
func TestProposalsAreSound(t *testing.T) {
	for _, path := range []string{"sample.py", "sample.go", "sample.js", "sample.ts", "sample.java"} {
		for name, by := range map[string]func([]*site) iter.Seq[proposal]{"ideas": propose, "at last": widely} {
			t.Run(path+"/"+name, func(t *testing.T) {
				src, err := os.ReadFile("../../code/testdata/" + path)
				if err != nil {
					t.Fatal(err)
				}
				sound(t, path, string(src), by(unitOf(t, path, string(src))))
			})
		}
	}
}

// sound looks at the first 500 proposals for a source.
func sound(t *testing.T, path, src string, all iter.Seq[proposal]) {
	t.Helper()
	seen := map[string]bool{}
	n, broken := 0, 0
	for p := range all {
		n++
		text, ok := apply(src, p.edits)
		if !ok {
			t.Fatalf("%s: %v", p.template.name, p.edits)
		}
		if err := p.patch.Validate(); err != nil {
			t.Errorf("%s: %v", p.template.name, err)
		}
		for _, said := range p.site.unit.slips.all {
			t.Fatal(said)
		}
		if seen[text] {
			t.Errorf("%s comes again: %s", p.template.name, p.why)
		}
		seen[text] = true
		tree, err := syntax.Parse(t.Context(), syntax.LangOf(path), []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if errs := tree.Errors(); len(errs) > 0 {
			if broken++; broken <= 5 {
				t.Logf("%s: %s: %q", p.template.name, p.why, errs[0].Text())
			}
		}
		if n == 500 {
			break
		}
	}
	if n < 150 || broken > n/50 {
		t.Errorf("%d of %d proposals do not parse", broken, n)
	}
}

// What a function makes and never looks at is there for something: changes that use it come first, in the order of their scores.
func TestUnusedNamesComeFirst(t *testing.T) {
	for path, src := range map[string]string{
		"a.py": "def f(a, b):\n    def prime(n):\n        return n > 1 and all(n % d for d in range(2, n))\n\n    for index in range(3):\n        a += 1\n    size = b - a\n    if size > 0:\n        return 'YES'\n    return 'NO'\n",
		"a.js": "const f = (a, b) => {\n  const prime = (n) => n > 1;\n  for (let index = 0; index < 3; index++) a += 1;\n  const size = b - a;\n  if (size > 0) return 'YES';\n  return 'NO';\n};\n",
	} {
		first, last := "", 0.0
		for p := range propose(unitOf(t, path, src)) {
			if last != 0 && p.rank > last {
				t.Fatalf("%s: %s has score %v after one of %v", path, p.why, p.rank, last)
			}
			if last = p.rank; first == "" && strings.Contains(p.why, "prime(size)") {
				first = p.why
				if !p.takes || p.rank < 0.5 {
					t.Errorf("%s: %s: takes %t, score %v", path, p.why, p.takes, p.score)
				}
			}
			if p.takes && strings.Contains(p.why, "index") && !strings.Contains(p.why, "prime") {
				t.Errorf("%s: %s takes a loop's variable up", path, p.why)
			}
		}
		if first == "" {
			t.Errorf("%s: nobody asks for prime(size)", path)
		}
	}
}

// Whether something is there at all, or what kind of thing it is, is asked before what only such a thing can answer.
func TestGuardsComeFirst(t *testing.T) {
	for path, c := range map[string]struct{ src, before, behind string }{
		"a.py": {
			"def g(value):\n    if not isinstance(value, str) or not value:\n        raise ValueError(value)\n\n\ndef f(value):\n    if len(value) != 7:\n        raise ValueError(value)\n",
			"if not isinstance(value, str) or len(value) != 7:", "if len(value) != 7 or not isinstance(value, str):",
		},
		"a.js": {
			"function g(o) {\n  if (o === null || !o.a) return 1;\n}\nfunction f(o) {\n  if (o.b > 1) return 2;\n}\n",
			"if (o === null || o.b > 1)", "if (o.b > 1 || o === null)",
		},
	} {
		var order []string
		for p := range propose(unitOf(t, path, c.src)) {
			text, ok := apply(c.src, p.edits)
			if !ok {
				t.Fatalf("%s: %v", path, p.edits)
			}
			for _, line := range []string{c.before, c.behind} {
				if strings.Contains(text, line) {
					order = append(order, line)
				}
			}
		}
		if len(order) < 2 || order[0] != c.before {
			t.Errorf("%s: %q", path, order)
		}
	}
}

// What a statement has just changed is what is given back first, also where an assignment is a value.
func TestChangedIsGivenBackFirst(t *testing.T) {
	for path, src := range map[string]string{
		"a.py": "def put(size, bag):\n    bag[size] = 1\n",
		"a.js": "function put(size, bag) {\n  bag[size] = 1;\n}\n",
	} {
		first := ""
		for p := range propose(unitOf(t, path, src)) {
			if p.template.name == "add-return" {
				first, _ = apply(src, p.edits)
				break
			}
		}
		if !strings.Contains(first, "return bag") {
			t.Errorf("%s: first %q", path, first)
		}
	}
}
