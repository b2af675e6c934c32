package search

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"fettle/internal/code"
	"fettle/internal/learn"
	"fettle/internal/locate"
	"fettle/internal/syntax"
)

// first is the place, from 1, of the first proposal that makes a source look so; 0: there is none among the first 3,000.
func first(t *testing.T, src, want string, sites []*site) int {
	t.Helper()
	n := 0
	for p := range propose(sites) {
		if n++; n > 3000 {
			return 0
		}
		if after, ok := apply(src, p.edits); ok && strings.Contains(after, want) {
			return n
		}
	}
	return 0
}

// TestClones: an error that was made once is often made again in the function, and is mended in all these places at once.
func TestClones(t *testing.T) {
	const src = "def f(a, b):\n    if a < b:\n        return a\n    print(a < b)\n    return not (a < b)\n"
	sites := unitOf(t, "a.py", src)
	all := first(t, src, "def f(a, b):\n    if a <= b:\n        return a\n    print(a <= b)\n    return not (a <= b)\n", sites)
	one := first(t, src, "def f(a, b):\n    if a <= b:\n        return a\n    print(a < b)\n    return not (a < b)\n", sites)
	if one == 0 || all == 0 || all < one {
		t.Errorf("one is number %d, all of them are number %d", one, all)
	}
	many := "def f(a, b):\n" + strings.Repeat("    print(a < b)\n", mostClones+1)
	if n := first(t, many, "def f(a, b):\n"+strings.Repeat("    print(a <= b)\n", mostClones+1), unitOf(t, "a.py", many)); n != 0 {
		t.Errorf("%d places that are alike are changed at once", mostClones+1)
	}
	apart := "def f(a, b):\n    return a < b\n\ndef g(a, b):\n    return a < b\n"
	if n := first(t, apart, "return a <= b\n\ndef g(a, b):\n    return a <= b", unitOf(t, "a.py", apart)); n != 0 {
		t.Error("what stands so in another function is changed along")
	}
}

// TestTwins: of functions that read alike each can be mended alone, and what is put around a line is laid out as each of its places is.
func TestTwins(t *testing.T) {
	const twins = "class A:\n    def first(self, a, b):\n        return a < b\n\nclass B:\n    def first(self, a, b):\n        return a < b\n"
	for _, want := range []string{"a <= b\n\nclass B:\n    def first(self, a, b):\n        return a < b\n", "a < b\n\nclass B:\n    def first(self, a, b):\n        return a <= b\n"} {
		if first(t, twins, want, unitOf(t, "a.py", twins)) == 0 {
			t.Errorf("never:\n%s", want)
		}
	}
	const deeper = "def f(xs, k):\n    xs.append(k)\n    for x in xs:\n        xs.append(k)\n    return xs\n"
	for p := range propose(unitOf(t, "a.py", deeper)) {
		after, _ := apply(deeper, p.edits)
		tree, err := syntax.Parse(t.Context(), syntax.Python, []byte(after))
		if err != nil {
			t.Fatal(err)
		}
		if errs := tree.Errors(); p.clones > 0 && len(errs) > 0 {
			t.Errorf("%s: %q", p.why, after)
		}
	}
}

// TestDense: what stands between words is one blank however wide it is, what a literal holds is not.
func TestDense(t *testing.T) {
	for _, c := range []struct {
		a, b  string
		alike bool
	}{
		{"x  =  a+b", "x = a+b", true},
		{"x = 'a  b'", "x = 'a b'", false},
		{`f("  ",  x)`, `f("  ", x)`, true},
		{`f("  ", x)`, `f(" ", x)`, false},
		{"f(`a\t`)", "f(`a `)", false},
		{`f("\"  ")`, `f("\" ")`, false},
		{"if x:\n    y", "if x:\n        y", false},
		{"a\n\n\nb", "a\nb", true},
	} {
		if got := dense(c.a) == dense(c.b); got != c.alike {
			t.Errorf("%q and %q: %t", c.a, c.b, got)
		}
	}
}

// TestPairsOfFiles: edits of two files are a patch in the order of their paths, and pairs come in order of what they are worth.
func TestPairsOfFiles(t *testing.T) {
	sites := unitOf(t, "b.py", "def f(a, b):\n    return a < b\n")
	f, err := code.Read(t.Context(), syntax.Python, "a.py", []byte("def g(a, b):\n    return a > b\n"))
	if err != nil {
		t.Fatal(err)
	}
	u := sites[0].unit
	u.add(f)
	sites = u.sites([]locate.Suspect{{File: "b.py", Line: 1, EndLine: 2, Score: 1}, {File: "a.py", Line: 1, EndLine: 2, Score: 0.9}})
	var parts []hit
	for p := range propose(sites) {
		if parts = append(parts, hit{proposal: p, healed: []string{"test_one"}}); len(parts) == 6 {
			break
		}
	}
	two, last := 0, 1.0
	for p := range pairs(parts, sites) {
		if p.rank > last {
			t.Fatalf("%s is worth %v after %v", p.why, p.rank, last)
		}
		last = p.rank
		if err := p.patch.Validate(); err != nil {
			t.Fatal(err)
		}
		if len(p.patch) == 2 {
			two++
		}
	}
	if two == 0 {
		t.Error("no pair of edits in both files")
	}
}

// TestPairs: where no edit alone does it, those come first that join what heals a part with another edit, and each pair is one patch of edits that do not touch.
func TestPairs(t *testing.T) {
	const src = "def f(xs, k):\n    n = 1\n    for x in xs:\n        if x < k:\n            n += x\n    return n\n"
	const want = "def f(xs, k):\n    n = 0\n    for x in xs:\n        if x <= k:\n            n += x\n    return n\n"
	sites := unitOf(t, "a.py", src)
	var parts []hit
	for p := range propose(sites) {
		if after, _ := apply(src, p.edits); strings.Contains(after, "n = 0\n") && strings.Contains(after, "x < k") {
			parts = append(parts, hit{proposal: p, healed: []string{"test_empty"}})
			break
		}
	}
	if len(parts) != 1 {
		t.Fatal("no edit alone heals a part")
	}
	place := func(parts []hit) int {
		n := 0
		for p := range pairs(parts, sites) {
			after, ok := apply(src, p.edits)
			if !ok || p.second == nil && p.clones == 0 || len(p.patch) != 1 {
				t.Fatalf("no sound pair: %+v", p.edits)
			}
			if n++; after == want {
				return n
			}
		}
		return 0
	}
	guided, blind := place(parts), place(nil)
	if guided == 0 || guided > 200 || blind == 0 || guided >= blind {
		t.Errorf("with what heals a part it is number %d, without %d", guided, blind)
	}
}

// TestRepeated: one mistake that a file makes in two functions, neither of which shows anything by itself, is mended in both, and before other pairs are tried.
func TestRepeated(t *testing.T) {
	const src = "class A {\n  static int left(int v, int n) {\n    return (v << n) | (v >> (32 - n));\n  }\n  static int right(int v, int n) {\n    return (v >> n) | (v << (32 - n));\n  }\n}\n"
	want := strings.ReplaceAll(src, ">>", ">>>")
	n := 0
	for p := range pairs(nil, unitOf(t, "A.java", src)) {
		n++
		if after, _ := apply(src, p.edits); after == want {
			if p.clones != 1 || p.second != nil || sentence(&p) != "In left, the arithmetic used `>>` where `>>>` is meant, here and wherever else it stands so." {
				t.Errorf("it has %d further places, and says %s", p.clones, sentence(&p))
			}
			break
		}
	}
	if n > 200 {
		t.Errorf("it is number %d", n)
	}
}

// TestPairsKeepRules: two edits of which each alone is sound may make both sides of a comparison the same, or take away both uses of a parameter. None of these is tried.
func TestPairsKeepRules(t *testing.T) {
	const src = "def f(a, b, k):\n    if a < k:\n        return k\n    return b\n"
	seen := 0
	for p := range pairs(nil, unitOf(t, "a.py", src)) {
		after, ok := apply(src, p.edits)
		_, body, _ := strings.Cut(after, "\n")
		if !ok || strings.Contains(body, "k < k") || strings.Contains(body, "b < b") || !strings.Contains(body, "k") || !strings.Contains(body, "a") && !strings.Contains(body, "b") {
			t.Errorf("tried:\n%s", after)
		}
		seen++
	}
	if seen < 100 {
		t.Errorf("only %d pairs", seen)
	}
}

// TestLearnt: an idea whose repairs are taken back comes later and is less sure, and one whose repairs are kept is not; of another language nothing is learnt.
func TestLearnt(t *testing.T) {
	const src, want = "def f(a, b):\n    return a < b\n", "a <= b"
	with := func(learnt map[string]learn.Count) (place int, precision float64) {
		sites := unitOf(t, "a.py", src)
		u := sites[0].unit
		u.learnt, u.ideas = learnt, map[string][]template{}
		i := slices.IndexFunc(u.templates(sites[0].File), func(t template) bool { return t.name == "comparison" })
		return first(t, src, want, sites), u.templates(sites[0].File)[i].precision
	}
	place, precision := with(nil)
	undone, less := with(map[string]learn.Count{"Python/comparison": {Undone: 30}})
	kept, more := with(map[string]learn.Count{"Python/comparison": {Kept: 30}})
	other, same := with(map[string]learn.Count{"Go/comparison": {Undone: 30}})
	if undone <= place || less >= precision {
		t.Errorf("taken back: from number %d, %.2f to %d, %.2f", place, precision, undone, less)
	}
	if kept > place || more < precision {
		t.Errorf("kept: from number %d, %.2f to %d, %.2f", place, precision, kept, more)
	}
	if other != place || same != precision {
		t.Errorf("taken back in Go: from number %d, %.2f to %d, %.2f", place, precision, other, same)
	}
}

// TestLazy: what nobody asks for costs nothing: a template is asked about a place only when its turn has come.
func TestLazy(t *testing.T) {
	var b strings.Builder
	for i := range 400 {
		fmt.Fprintf(&b, "def f%d(a, b):\n    if a < b:\n        return a + %d\n    return b\n\n", i, i)
	}
	sites := unitOf(t, "a.py", b.String())
	for i, s := range sites {
		s.score = 1 / float64(i+1)
	}
	u := sites[0].unit
	asked := 0
	ideas := slices.Clone(u.templates(sites[0].File))
	for i := range ideas {
		ask := ideas[i].propose
		ideas[i].propose = func(s *site, yield func(change)) { asked++; ask(s, yield) }
	}
	u.ideas[sites[0].File.Facts.Name] = ideas
	n := 0
	for range propose(sites) {
		if n++; n == 10 {
			break
		}
	}
	if all := len(sites) * len(ideas); n != 10 || asked > all/20 {
		t.Errorf("for %d candidates, %d of %d questions were put", n, asked, all)
	}
}

// TestTemplatesWearOut: a template that has an edit for every one of many places does not keep others waiting until all of them are tried.
func TestTemplatesWearOut(t *testing.T) {
	var b strings.Builder
	b.WriteString("def f(a, b):\n")
	for i := range 60 {
		fmt.Fprintf(&b, "    a.note%d(\"the %d thing\")\n", i, i)
	}
	b.WriteString("    return a.xs[b]\n")
	at := map[string][]int{}
	n := 0
	for p := range propose(unitOf(t, "a.py", b.String())) {
		if n++; n > 3000 {
			break
		}
		at[p.template.name] = append(at[p.template.name], n)
	}
	texts := at["text"]
	if len(texts) < 200 {
		t.Fatalf("%d other texts", len(texts))
	}
	for _, name := range []string{"off-by-one", "move-out", "element"} {
		if len(at[name]) > 0 && at[name][0] > texts[len(texts)/2] {
			t.Errorf("%s comes after %d other texts", name, at[name][0])
		}
	}
	if wornBy(unworn-1) != 0 || wornBy(unworn) != 1 || wornBy(4*unworn) != 3 || wear(0) != 1 || wear(2) >= wear(1) {
		t.Errorf("after %d edits: %d", unworn, wornBy(unworn))
	}
}

// TestNearer: where an edit healed a test and broke another, what is put together at hand is tried first.
func TestNearer(t *testing.T) {
	sites := unitOf(t, "a.py", "def f(a, b, c):\n    if a < b:\n        return a\n    if b < c:\n        return c\n    return b\n")
	var over []hit
	for p := range propose(sites) {
		if p.template.name == "comparison" && p.site.Line() == 4 {
			over = append(over, hit{proposal: p, healed: []string{"one", "two"}})
			break
		}
	}
	if len(over) == 0 {
		t.Fatal("no other comparison was proposed")
	}
	line := func(sites []*site) int {
		for p := range widely(sites) {
			return p.site.Line()
		}
		return 0
	}
	if before, after := line(sites), line(nearer(sites, over)); before == 4 || after != 4 {
		t.Errorf("line %d comes first without a hint, line %d with it", before, after)
	}
	if got := nearer(sites, nil); &got[0] != &sites[0] {
		t.Error("without a hint, sites are copied")
	}
}
