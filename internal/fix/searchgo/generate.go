package searchgo

import (
	"cmp"
	"container/heap"
	"go/ast"
	"go/token"
	"go/types"
	"iter"
	"slices"
	"strings"

	"fettle/internal/edit"
	"fettle/internal/locate"
)

// templates is every idea, the likeliest first.
var templates = func() []template {
	all := slices.Concat(operatorTemplates, valueTemplates, callTemplates, statementTemplates)
	slices.SortStableFunc(all, func(a, b template) int { return cmp.Compare(b.prior, a.prior) })
	return all
}()

// proposal is one candidate with all that is known of it before it is tried.
type proposal struct {
	template *template
	site     *site
	patch    edit.Patch
	why      string
	score    float64 // prior × suspicion × the change's own weight
	size     int     // bytes taken and given
	passing  int     // passing tests that run the line
}

// entry is either a change that is ready, or the promise of those that a template would make of a site.
type entry struct {
	score  float64
	order  int // of equals, the first comes first
	site   *siteAt
	next   int // the template whose turn it is
	change *change
}

// siteAt is a site with what is known of its line.
type siteAt struct {
	site
	passing int
}

type queue []*entry

func (q queue) Len() int { return len(q) }
func (q queue) Less(i, j int) bool {
	if q[i].score != q[j].score {
		return q[i].score > q[j].score
	}
	return q[i].order < q[j].order
}
func (q queue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q *queue) Push(x any)   { *q = append(*q, x.(*entry)) }
func (q *queue) Pop() any {
	old := *q
	x := old[len(old)-1]
	*q = old[:len(old)-1]
	return x
}

// propose hands out candidates for these sites in order of score. A template is asked about a site only when nothing
// better is left, so that what nobody asks for costs nothing. Each candidate compiles, as far as types can tell, and comes
// once.
func propose(sites []*siteAt) iter.Seq[proposal] {
	return func(yield func(proposal) bool) {
		q := &queue{}
		order := 0
		push := func(e *entry) {
			order++
			e.order = order
			heap.Push(q, e)
		}
		for _, s := range sites {
			push(&entry{score: s.score * templates[0].prior, site: s})
		}
		seen := map[string]bool{}
		for q.Len() > 0 {
			e := heap.Pop(q).(*entry)
			t := &templates[e.next]
			if e.change == nil {
				t.propose(&e.site.site, func(c change) {
					push(&entry{score: e.site.score * t.prior * c.weight, site: e.site, next: e.next, change: &c})
				})
				if e.next+1 < len(templates) {
					push(&entry{score: e.site.score * templates[e.next+1].prior, site: e.site, next: e.next + 1})
				}
				continue
			}
			p, ok := e.site.proposal(t, *e.change, seen)
			if !ok {
				continue
			}
			p.score, p.passing = e.score, e.site.passing
			if !yield(p) {
				return
			}
		}
	}
}

// proposal makes a change into a patch, unless it was there before, breaks a rule, or does not compile.
func (s *siteAt) proposal(t *template, c change, seen map[string]bool) (proposal, bool) {
	start, end := s.src.offset(c.start), s.src.offset(c.end)
	key := s.src.path + "\x00" + dense(string(s.src.data[:start])+c.text+string(s.src.data[end:]))
	if s.fn != nil {
		from, to := s.src.offset(s.fn.Pos()), s.src.offset(s.fn.End())
		key = s.src.path + "\x00" + s.fn.Name.Name + string(rune(from)) + "\x00" + dense(string(s.src.data[from:start])+c.text+string(s.src.data[end:to]))
	}
	if string(s.src.data[start:end]) == c.text || seen[key] {
		return proposal{}, false
	}
	seen[key] = true
	if s.orphansParameter(c) || s.collapses(c) || !s.unit.compiles(s.src, s.fn, start, end, c.text) {
		return proposal{}, false
	}
	return proposal{
		template: t,
		site:     &s.site,
		why:      c.why,
		size:     end - start + len(c.text),
		patch: edit.Patch{{
			Path: s.src.path, Op: edit.Modify, Base: edit.Sum(s.src.data),
			Edits: []edit.Edit{{Start: start, End: end, New: []byte(c.text)}},
		}},
	}, true
}

// dense is a text without the white space that gofmt decides about.
func dense(text string) string { return strings.Join(strings.Fields(text), " ") }

// collapses reports whether a change makes both sides of an operator the same, as in x < x: a constant in disguise.
func (s *site) collapses(c change) bool {
	if s.fn == nil {
		return false
	}
	side := func(e ast.Expr) string {
		from, to := s.src.offset(e.Pos()), s.src.offset(e.End())
		start, end := s.src.offset(c.start), s.src.offset(c.end)
		if start < from || end > to {
			return dense(string(s.src.data[from:to]))
		}
		return dense(string(s.src.data[from:start]) + c.text + string(s.src.data[end:to]))
	}
	found := false
	ast.Inspect(s.fn, func(n ast.Node) bool {
		if n == nil || n.Pos() > c.start || n.End() < c.end {
			return n == nil
		}
		b, ok := n.(*ast.BinaryExpr)
		if ok && b.Op != token.ADD && b.Op != token.MUL && c.start >= b.Pos() && c.end <= b.End() && side(b.X) == side(b.Y) {
			found = true
		}
		return !found
	})
	return found
}

// orphansParameter reports whether a change takes away the last use of a parameter without taking one up that had none:
// such a patch passes weak tests and is hardly ever meant.
func (s *site) orphansParameter(c change) bool {
	if s.fn == nil {
		return false
	}
	gone, all := map[types.Object]int{}, map[types.Object]int{}
	ast.Inspect(s.fn.Body, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if v, ok := s.unit.info.Uses[id].(*types.Var); ok && s.parameter(v) {
				all[v]++
				if c.start <= id.Pos() && id.End() <= c.end {
					gone[v]++
				}
			}
		}
		return true
	})
	lost := 0
	for v, n := range gone {
		if n == all[v] && !mentions(c.text, v.Name()) {
			lost++
		}
	}
	for _, field := range s.fn.Type.Params.List {
		for _, id := range field.Names {
			if o := s.unit.info.Defs[id]; o != nil && all[o] == 0 && mentions(c.text, id.Name) {
				lost--
			}
		}
	}
	return lost > 0
}

func (s *site) parameter(v *types.Var) bool {
	return s.fn.Type.Params.Pos() <= v.Pos() && v.Pos() < s.fn.Type.Params.End()
}

// mentions reports whether a name stands in code as a word of its own.
func mentions(code, name string) bool {
	for i := 0; ; {
		j := strings.Index(code[i:], name)
		if j < 0 {
			return false
		}
		j += i
		if !wordAt(code, j-1) && !wordAt(code, j+len(name)) {
			return true
		}
		i = j + 1
	}
}

func wordAt(s string, i int) bool {
	return i >= 0 && i < len(s) && (s[i] == '_' || '0' <= s[i] && s[i] <= '9' || 'a' <= s[i]|0x20 && s[i]|0x20 <= 'z')
}

// beside is what a line counts that no test is known to have run, but that stands in a function that a failing test ran: a
// case that was not reached, the other half of a condition.
const beside = 0.5

// sites are the nodes of a unit's functions that the suspects touch, and the package-level declarations that these use.
func sites(u *unit, suspects []locate.Suspect) []*siteAt {
	var out []*siteAt
	for _, src := range u.sources {
		m := newHeat(src.path, suspects)
		if len(m.lines) == 0 {
			continue
		}
		for _, d := range src.file.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Body == nil {
				continue
			}
			from, to := u.fset.Position(fn.Pos()).Line, u.fset.Position(fn.End()).Line
			if hottest := m.max(from, to); hottest > 0 {
				out = append(out, walk(u, src, fn, fn.Body, func(n ast.Node) (float64, int) {
					return m.at(lineOf(u, n), from, hottest)
				})...)
				out = append(out, declarations(u, fn, hottest)...)
			}
		}
	}
	return unique(out)
}

// lineOf is the line that decides about a node: an operation's is that of its operator.
func lineOf(u *unit, n ast.Node) int {
	if b, ok := n.(*ast.BinaryExpr); ok {
		return u.fset.Position(b.OpPos).Line
	}
	return u.fset.Position(n.Pos()).Line
}

func walk(u *unit, src *source, fn *ast.FuncDecl, root ast.Node, heat func(ast.Node) (float64, int)) []*siteAt {
	var out []*siteAt
	var parents []ast.Node
	if fn != nil {
		parents = append(parents, fn)
	}
	ast.Inspect(root, func(n ast.Node) bool {
		if n == nil {
			parents = parents[:len(parents)-1]
			return false
		}
		score, passing := heat(n)
		out = append(out, &siteAt{passing: passing, site: site{
			unit: u, src: src, fn: fn, node: n, parents: slices.Clone(parents), score: score,
		}})
		parents = append(parents, n)
		return true
	})
	return out
}

// declared is what a package-level value counts, against the function that uses it.
const declared = 0.6

// declarations are the package-level variables and constants that a function names.
func declarations(u *unit, fn *ast.FuncDecl, score float64) []*siteAt {
	used := map[types.Object]bool{}
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if o := u.info.Uses[id]; o != nil && o.Parent() == u.pkg.Scope() {
				used[o] = true
			}
		}
		return true
	})
	var out []*siteAt
	for _, src := range u.sources {
		for _, d := range src.file.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok || g.Tok != token.VAR && g.Tok != token.CONST {
				continue
			}
			for _, spec := range g.Specs {
				v := spec.(*ast.ValueSpec)
				if slices.ContainsFunc(v.Names, func(id *ast.Ident) bool { return used[u.info.Defs[id]] }) {
					out = append(out, walk(u, src, nil, v, func(ast.Node) (float64, int) { return score * declared, 0 })...)
				}
			}
		}
	}
	return out
}

// unique keeps each node once, at its hottest.
func unique(all []*siteAt) []*siteAt {
	at := map[ast.Node]int{}
	var out []*siteAt
	for _, s := range all {
		if i, ok := at[s.node]; ok {
			out[i].score = max(out[i].score, s.score)
			continue
		}
		at[s.node] = len(out)
		out = append(out, s)
	}
	return out
}

// heat is the suspicion of a file's lines.
type heat struct {
	lines map[int]locate.Suspect
}

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

func (h *heat) max(from, to int) float64 {
	best := 0.0
	for n := from; n <= to; n++ {
		best = max(best, h.lines[n].Score)
	}
	return best
}

// at is a line's suspicion, and how many passing tests run it.
func (h *heat) at(line, from int, hottest float64) (float64, int) {
	if x, ok := h.lines[line]; ok && line >= from {
		return x.Score, x.Passing
	}
	return hottest * beside, 0
}
