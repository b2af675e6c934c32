package search

import (
	"cmp"
	"slices"
	"strings"

	"fettle/internal/code"
	"fettle/internal/edit"
	"fettle/internal/learn"
	"fettle/internal/locate"
	"fettle/internal/pattern"
	"fettle/internal/runner"
)

// unit is the sources that the search may change, and what is known of them.
type unit struct {
	files    map[string]*code.File
	order    []*code.File
	types    *types
	pools    map[*code.File]*pool
	idle     map[*code.Node][]string             // by function: the names that are not used there
	kinds    map[*code.Node]map[string]code.Kind // by condition: what its place knows
	pairs    map[*code.Node]map[string]string    // by function: the names that stand for each other there
	copies   map[*code.Node]bool                 // by function: whether it says that it copies
	checker  runner.Checker                      // nil: nothing can be told before it is tried
	learnt   map[string]learn.Count
	ideas    map[string][]template // by language: the templates as far as what was learnt has moved them, the likeliest first
	shelves  map[*code.File]*shelf
	around   func(*code.File) []*code.File // reads a source's neighbours: what asks for them asks the method neighbours
	besides  map[*code.File][]*code.File   // the neighbours that were read
	sums     map[*code.File]edit.Hash      // what patches are made for
	scales   map[*code.Node][]scaleOf      // by function: those that its documentation names
	slips    slips                         // the ideas that failed
	demanded []string                      // exceptions that failing tests wait for, and that never come
	broken   bool                          // a compiler complains: that types do not fit may be what is wrong
}

func newUnit(learnt map[string]learn.Count) *unit {
	return &unit{files: map[string]*code.File{}, pools: map[*code.File]*pool{}, idle: map[*code.Node][]string{}, kinds: map[*code.Node]map[string]code.Kind{}, copies: map[*code.Node]bool{}, pairs: map[*code.Node]map[string]string{}, types: newTypes(), learnt: learnt, ideas: map[string][]template{},
		scales: map[*code.Node][]scaleOf{}, shelves: map[*code.File]*shelf{}, besides: map[*code.File][]*code.File{}, sums: map[*code.File]edit.Hash{}, around: func(*code.File) []*code.File { return nil }}
}

// templates are the ideas for a file, the likeliest first.
func (u *unit) templates(f *code.File) []template {
	lang := f.Facts.Name
	if u.ideas[lang] == nil {
		mine := slices.Clone(templates)
		for i := range mine {
			mine[i] = u.moved(lang, mine[i])
		}
		sortTemplates(mine)
		u.ideas[lang] = mine
	}
	return u.ideas[lang]
}

// moved is a template as what was learnt of it has it: one whose repairs were taken back comes later, and is less sure.
func (u *unit) moved(lang string, t template) template {
	if c, ok := u.learnt[lang+"/"+t.name]; ok {
		now := c.Precision(t.precision)
		t.prior *= now / t.precision
		t.precision = now
	}
	return t
}

// sum is that of a file, which each of its patches names.
func (u *unit) sum(f *code.File) edit.Hash {
	sum, known := u.sums[f]
	if !known {
		sum = edit.Sum([]byte(f.Source))
		u.sums[f] = sum
	}
	return sum
}

func (u *unit) add(f *code.File) {
	u.files[f.Path] = f
	u.order = append(u.order, f)
}

// pool is what a file is made of that might be missing elsewhere in it.
type pool struct {
	literals   map[code.Role][]string // in order of first use
	conditions []*code.Node           // conditions and their parts, without duplicates
	functions  []*code.Node
	unit       string   // one step of indentation
	neverUsed  []string // functions, and whatever else, that the file imports from elsewhere and never names again
	packages   []string // Go's, that the file imports, as it calls them
	spoken     string   // every word of the file, with a space around each; empty: not asked for yet
}

// callable reports an import that may be a function: no module as a whole, nor how Python is to read the file.
func callable(v code.Variable) bool {
	text := v.Decl.Text()
	if v.Decl.File.Facts.Name == "Python" {
		return strings.HasPrefix(text, "from ") && !strings.HasPrefix(text, "from __future__")
	}
	return !strings.Contains(text, "* as ")
}

func (u *unit) pool(f *code.File) *pool {
	if p := u.pools[f]; p != nil {
		return p
	}
	p := &pool{literals: map[code.Role][]string{}, unit: indentation(f)}
	seen := map[string]bool{}
	for n := range f.Root.Walk() {
		switch n.Role {
		case code.Int, code.Float, code.Str, code.Char:
			if t := n.Text(); !slices.Contains(p.literals[n.Role], t) && !docString(n) && len(t) <= 80 {
				p.literals[n.Role] = append(p.literals[n.Role], t)
			}
		case code.Function:
			if named(n) != "" {
				p.functions = append(p.functions, n)
			}
		case code.Import:
			if f.Facts.Family == "Go" {
				p.packages = append(p.packages, goPackages(n.Text())...)
			}
		default:
		}
		if condition(n) && !seen[n.Text()] && len(n.Text()) <= 80 && !strings.Contains(n.Text(), "\n") {
			seen[n.Text()] = true
			p.conditions = append(p.conditions, n)
		}
	}
	for _, v := range f.Root.Scope() {
		if v.Kind == code.Namespace && callable(v) && count(f.Source, v.Name) == 1 {
			p.neverUsed = append(p.neverUsed, v.Name)
		}
	}
	u.pools[f] = p
	return p
}

// goImport matches one package in an import of Go's: what it is called there, if that is said, and its path, without the version at its end.
var goImport = pattern.New(`(?:([\w.]+)[ \t]+)?"(?:[^"]*/)?([\w.-]+?)(?:/v\d+)?"`)

// goPackages are the names by which an import of Go's makes packages known.
func goPackages(text string) (names []string) {
	for _, m := range goImport.FindAllStringSubmatch(strings.TrimPrefix(text, "import"), -1) {
		names = append(names, cmp.Or(m[1], m[2]))
	}
	return names
}

// docString reports whether a string is a statement of its own.
func docString(n *code.Node) bool { return n.Parent.Is(code.Eval) }

// condition reports whether a node decides something by its truth.
func condition(n *code.Node) bool {
	if n.Is(code.Pass, code.Assign, code.Declaration) {
		return false
	}
	switch n.Part {
	case code.Cond:
		return !n.Parent.Is(code.Switch)
	case code.Left, code.Right:
		return n.Parent.Role == code.Logic
	case code.Operand:
		return n.Parent.Role == code.Not
	default:
	}
	return n.Role == code.Compare && n.Part != code.Left
}

// indentation is one step of it in a file: the first that a block takes.
func indentation(f *code.File) string {
	for n := range f.Root.Walk() {
		if n.Part != code.Stmt || !n.Parent.Is(code.Block) || n.Parent.Parent == nil {
			continue
		}
		inner, outer := n.Indent(), n.Parent.Parent.Indent()
		if len(inner) > len(outer) && strings.HasPrefix(inner, outer) {
			return inner[len(outer):]
		}
	}
	if f.Facts.Braces {
		return "\t"
	}
	return "    "
}

// site is a place where something could be changed.
type site struct {
	*code.Node
	unit    *unit
	score   float64 // suspicion, 0–1
	passing int     // passing tests that run its line
}

// at is another node, seen from the same search.
func (s *site) at(n *code.Node) *site {
	return &site{Node: n, unit: s.unit, score: s.score, passing: s.passing}
}

// What a line counts against the hottest of its function.
const (
	beside   = 0.5 // no test is known to have run it, but it stands in a function that a failing test ran
	declared = 0.6 // it makes a value outside of functions that such a function uses
	dear     = 0.5 // it runs once for all tests: to try a change, everything has to be imported or loaded again, which takes as long as dozens of others
)

// sites are the nodes of functions that the suspects touch, of module-level code that they touch, and the declarations that these use.
func (u *unit) sites(suspects []locate.Suspect) []*site {
	var out []*site
	index := map[*code.Node]*site{}
	var unread func(*code.Node) bool // of the file at hand
	put := func(n *code.Node, score float64, passing int) {
		if score <= 0 || unread(n) {
			return
		}
		if score *= thinned(n); n.Function() == nil {
			score *= dear
		}
		if s := index[n]; s != nil {
			if score > s.score {
				s.score, s.passing = score, passing
			}
			return
		}
		s := &site{Node: n, unit: u, score: score, passing: passing}
		index[n] = s
		out = append(out, s)
	}
	for _, f := range u.order {
		h := newHeat(f.Path, suspects)
		unread = unreadable(f)
		for fn := range f.Root.Walk() {
			if fn.Role != code.Function && fn.Role != code.Module {
				continue
			}
			hottest := h.within(fn)
			if hottest == 0 {
				continue
			}
			for n := range fn.Own() {
				if n == fn || fn.Role == code.Module && n.Up(code.Function) != nil {
					continue
				}
				x, ok := h.lines[n.Line()]
				switch {
				case ok:
					put(n, x.Score, x.Passing)
				case fn.Role == code.Function:
					put(n, hottest*beside, 0)
				}
			}
			if fn.Role == code.Function {
				for _, d := range declarations(fn) {
					for n := range d.Walk() {
						put(n, hottest*declared, 0)
					}
				}
			}
		}
	}
	return out
}

// table is how many elements a list or a mapping may have before each of them counts less.
const table = 8

// thinned is what a node counts that is a part of a long list or mapping, written out: all of it runs at once, and nothing says of one element more than of
// another, so they share what speaks against the whole.
func thinned(n *code.Node) float64 {
	share := 1.0
	for at := n; at.Parent != nil && !at.Is(code.Function); at = at.Parent {
		if all := at.Parent; all.Is(code.List, code.Map) && len(all.Kids) > table {
			share *= table / float64(len(all.Kids))
		}
	}
	return share
}

// unreadable reports which nodes touch a statement that the grammar does not understand: what seems to stand there need not, and parts may be missing.
func unreadable(f *code.File) func(*code.Node) bool {
	type span struct{ start, end int }
	var spans []span
	for _, e := range f.Tree.Errors() {
		n := f.At(e.Start(), e.End())
		for n != nil && n.Part != code.Stmt && n.Parent != nil {
			n = n.Parent
		}
		if n == nil {
			n = f.Root
		}
		spans = append(spans, span{n.Start, n.End})
	}
	return func(n *code.Node) bool {
		return slices.ContainsFunc(spans, func(x span) bool { return n.Start <= x.end && x.start <= n.End })
	}
}

// declarations are the statements at the top of the file that make what a function reads.
func declarations(fn *code.Node) []*code.Node {
	names := map[string]bool{}
	for n := range fn.Walk() {
		if n.Role == code.Name {
			names[n.Name] = true
		}
	}
	var out []*code.Node
	for _, stmt := range fn.File.Root.Kids {
		for n := range stmt.Own() {
			if n.Role == code.Assign && n.Function() == nil && slices.ContainsFunc(n.All(code.Target), func(t *code.Node) bool { return t.Role == code.Name && names[t.Name] }) {
				out = append(out, n)
			}
		}
	}
	return out
}

// heat is the suspicion of a file's lines.
type heat struct{ lines map[int]locate.Suspect }

func newHeat(path string, suspects []locate.Suspect) *heat {
	h := &heat{lines: map[int]locate.Suspect{}}
	for _, x := range suspects {
		if x.File == path {
			for n := x.Line; n <= x.EndLine; n++ {
				h.lines[n] = x
			}
		}
	}
	return h
}

// within is the hottest of a node's lines, those of functions inside left out.
func (h *heat) within(fn *code.Node) float64 {
	best := 0.0
	for n := range fn.Own() {
		if n != fn {
			best = max(best, h.lines[n.Line()].Score)
		}
	}
	return best
}
