package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"fettle/internal/code"
	"fettle/internal/lang"
	"fettle/internal/syntax"
)

// Fault is one edit for the worse.
type Fault struct {
	Kind  string `json:"kind"` // the name of a kind of edits
	File  string `json:"file"`
	Line  int    `json:"line"`
	Start int    `json:"start"` // bytes
	End   int    `json:"end"`
	Was   string `json:"was"` // what stood between them
	Is    string `json:"is"`
}

// put is the file's content with the fault in it.
func (f Fault) put(src []byte) ([]byte, error) {
	if f.Start < 0 || f.End > len(src) || f.Start > f.End || string(src[f.Start:f.End]) != f.Was {
		return nil, fmt.Errorf("%s:%d is not what it was when the fault was made", f.File, f.Line)
	}
	return slices.Concat(src[:f.Start], []byte(f.Is), src[f.End:]), nil
}

// kind is a kind of edits: the classic operators of mutation testing (Offutt et al. 1996: relations, arithmetic, logic, signs; beside them constants and
// deleted statements), and those slips of people's that they lack.
type kind struct {
	name string
	make func(n *code.Node, r *rand.Rand) (Fault, bool)
}

var kinds = []kind{
	{"relation", relation}, {"arithmetic", arithmetic}, {"logic", logic}, {"negation", negation}, {"constant", constant}, {"variable", variable},
	{"arguments", arguments}, {"deleted", deleted}, {"condition", condition}, {"update", update}, {"offset", offset}, {"boolean", boolean}, {"leave", leave},
}

// faults are the single edits that could be made in a project's sources, in an order that looks random and is the same each time: the kinds take
// turns, so that those with many places do not crowd out the others.
func faults(ctx context.Context, p Project, dir string, files []string) ([]Fault, error) {
	h := fnv.New64a()
	_, _ = h.Write([]byte(p.Name + " " + p.Version)) // never fails
	r := rand.New(rand.NewPCG(h.Sum64(), 1))         //nolint:gosec // the same faults each time
	of := make([][]Fault, len(kinds))
	for _, file := range files {
		src, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(file)))
		if err != nil {
			return nil, err
		}
		f, err := code.Read(ctx, syntax.LangOf(file), file, src)
		if err != nil {
			return nil, err
		}
		for n := range f.Root.Walk() {
			if n.Function() == nil && n.Role != code.Function {
				continue // what runs once, when it is loaded, has seldom a test of its own
			}
			for i, k := range kinds {
				if x, ok := k.make(n, r); ok {
					x.Kind, x.File, x.Line, x.Was = k.name, file, 1+bytes.Count(src[:x.Start], []byte("\n")), string(src[x.Start:x.End])
					of[i] = append(of[i], x)
				}
			}
		}
	}
	for _, k := range of {
		r.Shuffle(len(k), func(i, j int) { k[i], k[j] = k[j], k[i] })
	}
	var out []Fault
	for i := 0; ; i++ {
		had := len(out)
		for _, k := range of {
			if i < len(k) {
				out = append(out, k[i])
			}
		}
		if len(out) == had {
			return out, nil
		}
		turn := out[had:]
		r.Shuffle(len(turn), func(i, j int) { turn[i], turn[j] = turn[j], turn[i] })
	}
}

// sources are the files of a project that faults are put into: those of its language that are no tests and made by hand.
func (p Project) sources(dir string, names []string) ([]string, error) {
	var out []string
	for _, name := range names {
		if syntax.LangOf(name) == "" || lang.IsTest(name) || lang.IsVendored(name) || !p.wants(name) {
			continue
		}
		b, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		if err != nil {
			return nil, err
		}
		if !lang.IsGenerated(name, b[:min(len(b), 4096)]) {
			out = append(out, name)
		}
	}
	slices.SortFunc(out, cmp.Compare)
	return out, nil
}

func (p Project) wants(name string) bool {
	return slices.ContainsFunc(p.Sources, func(pattern string) bool {
		if ok, _ := filepath.Match(pattern, name); ok { // validate has tried the pattern
			return true
		}
		return strings.HasSuffix(pattern, "/") && strings.HasPrefix(name, pattern)
	})
}

func instead(n *code.Node, is string) (Fault, bool) {
	return Fault{Start: n.Start, End: n.End, Is: is}, is != n.Text()
}

// operator puts another operator in the place of a node's own.
func operator(n *code.Node, others []string, r *rand.Rand) (Fault, bool) {
	if len(others) == 0 || n.OpEnd == 0 {
		return Fault{}, false
	}
	return Fault{Start: n.OpStart, End: n.OpEnd, Is: others[r.IntN(len(others))]}, true
}

func relation(n *code.Node, r *rand.Rand) (Fault, bool) {
	if n.Role != code.Compare {
		return Fault{}, false
	}
	return operator(n, map[string][]string{
		"<": {"<=", ">", ">="}, "<=": {"<", ">", ">="}, ">": {">=", "<", "<="}, ">=": {">", "<", "<="}, "==": {"!="}, "!=": {"=="}, "===": {"!=="}, "!==": {"==="},
		"is": {"is not"}, "is not": {"is"}, "in": {"not in"}, "not in": {"in"},
	}[n.Op], r)
}

func arithmetic(n *code.Node, r *rand.Rand) (Fault, bool) {
	if n.Role != code.Arith {
		return Fault{}, false
	}
	return operator(n, map[string][]string{
		"+": {"-", "*"}, "-": {"+", "*"}, "*": {"+", "/"}, "/": {"*", "%"}, "//": {"*", "%"}, "%": {"*", "/"}, "&": {"|", "^"}, "|": {"&", "^"}, "^": {"&", "|"}, "<<": {">>"}, ">>": {"<<"},
	}[n.Op], r)
}

func logic(n *code.Node, r *rand.Rand) (Fault, bool) {
	if n.Role != code.Logic {
		return Fault{}, false
	}
	return operator(n, map[string][]string{"and": {"or"}, "or": {"and"}, "&&": {"||"}, "||": {"&&"}}[n.Op], r)
}

// negation turns a condition round, or takes the word away that does.
func negation(n *code.Node, _ *rand.Rand) (Fault, bool) {
	switch {
	case n.Role == code.Not:
		return instead(n, n.Kid(code.Operand).Text())
	case n.Part == code.Cond && n.Parent.Is(code.If, code.Choice) && !n.Is(code.Compare, code.Assign):
		return instead(n, n.File.Facts.Negated(n))
	}
	return Fault{}, false
}

func constant(n *code.Node, r *rand.Rand) (Fault, bool) {
	v, err := strconv.Atoi(n.Text())
	if n.Role != code.Int || err != nil || v >= 1<<31 {
		return Fault{}, false
	}
	if v == 0 || r.IntN(2) == 0 {
		return instead(n, strconv.Itoa(v+1))
	}
	return instead(n, strconv.Itoa(v-1))
}

// variable reads another one of the function's.
func variable(n *code.Node, r *rand.Rand) (Fault, bool) {
	if n.Role != code.Name || n.Part == code.Callee || n.Part == code.Target || n.Parent.Is(code.Param, code.Import, code.Keyword) {
		return Fault{}, false
	}
	var others []string
	known := false
	for _, v := range n.Scope() {
		if v.Kind != code.Local && v.Kind != code.Parameter {
			continue
		}
		if v.Name == n.Name {
			known = true
		} else {
			others = append(others, v.Name)
		}
	}
	if !known || len(others) == 0 {
		return Fault{}, false
	}
	return instead(n, others[r.IntN(len(others))])
}

// arguments exchanges two neighbours.
func arguments(n *code.Node, r *rand.Rand) (Fault, bool) {
	args := n.All(code.Arg)
	if n.Role != code.Call || len(args) < 2 {
		return Fault{}, false
	}
	i := r.IntN(len(args) - 1)
	a, b := args[i], args[i+1]
	if a.Is(code.Keyword, code.Spread) || b.Is(code.Keyword, code.Spread) || a.Text() == b.Text() {
		return Fault{}, false
	}
	return Fault{Start: a.Start, End: b.End, Is: b.Text() + n.File.Source[a.End:b.Start] + a.Text()}, true
}

// deleted takes a statement of one line away, with its line.
func deleted(n *code.Node, _ *rand.Rand) (Fault, bool) {
	if !n.Is(code.Eval, code.Assign, code.Step) || n.Declares || n.Part != code.Stmt || !n.Parent.Is(code.Block) || len(n.Parent.Kids) < 2 || !n.Alone() || strings.Contains(n.Text(), "\n") {
		return Fault{}, false
	}
	if n.Role == code.Eval && n.Kid(code.Value).Is(code.Str) {
		return Fault{}, false // documentation
	}
	src := n.File.Source
	start := strings.LastIndexByte(src[:n.Start], '\n') + 1
	length := strings.IndexByte(src[n.End:], '\n') + 1
	return Fault{Start: start, End: n.End + length}, length > 0
}

// condition forgets one of two.
func condition(n *code.Node, r *rand.Rand) (Fault, bool) {
	if n.Role != code.Logic {
		return Fault{}, false
	}
	part := code.Left
	if r.IntN(2) == 0 {
		part = code.Right
	}
	return instead(n, n.Kid(part).Text())
}

func update(n *code.Node, r *rand.Rand) (Fault, bool) {
	if !n.Is(code.Assign, code.Step) {
		return Fault{}, false
	}
	return operator(n, map[string][]string{"+=": {"-=", "="}, "-=": {"+=", "="}, "*=": {"+="}, "/=": {"*="}, "|=": {"&=", "="}, "&=": {"|="}, "++": {"--"}, "--": {"++"}}[n.Op], r)
}

// offset reads the neighbour.
func offset(n *code.Node, r *rand.Rand) (Fault, bool) {
	if n.Part != code.At && n.Part != code.Low && n.Part != code.High || !n.Is(code.Name, code.Arith) {
		return Fault{}, false
	}
	return instead(n, n.Text()+[]string{" + 1", " - 1"}[r.IntN(2)])
}

func boolean(n *code.Node, _ *rand.Rand) (Fault, bool) {
	if n.Role != code.Bool {
		return Fault{}, false
	}
	f := n.File.Facts
	if n.Text() == f.True {
		return instead(n, f.False)
	}
	return instead(n, f.True)
}

// leave goes on where a loop should end, or the other way round.
func leave(n *code.Node, _ *rand.Rand) (Fault, bool) {
	text := strings.TrimSuffix(n.Text(), ";")
	f := Fault{Start: n.Start, End: n.Start + len(text)}
	switch {
	case n.Role == code.Break && text == "break" && n.Up(code.For, code.Each, code.While, code.Switch).Is(code.For, code.Each, code.While):
		f.Is = "continue"
	case n.Role == code.Continue && text == "continue":
		f.Is = "break"
	}
	return f, f.Is != ""
}
