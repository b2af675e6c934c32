package prompt

import (
	"errors"
	"io/fs"
	"path"

	"fettle/internal/code"
	"fettle/internal/lang"
	"fettle/internal/syntax"
)

// What is looked through of the other files of a package, and what goes in of them, at most.
const (
	mostNeighbours = 60  // files
	mostCalled     = 6   // functions
	mostCalling    = 4   // functions
	largeNeighbour = 256 // KB; one that is larger is not looked into
)

// callsElsewhere adds the functions of the package's other files that a function calls, and those that call it. called are the names that it calls and that its own file does not have. A package is
// the files of one language in one folder. Only a file in which one of the names stands is parsed.
func (g *gathering) callsElsewhere(f *file, fn *code.Node, called map[string]bool) error {
	names, err := g.neighbours(f.path)
	if err != nil {
		return err
	}
	callees, callers := 0, 0
	for _, name := range names {
		data, err := g.read(name)
		if errors.Is(err, fs.ErrNotExist) || len(data) > largeNeighbour<<10 {
			continue
		}
		if err != nil {
			return err
		}
		if !mentions(string(data), fn.Name, called) {
			continue
		}
		other, err := g.readFile(name)
		if err != nil {
			return err
		}
		if other == nil || other.code == nil {
			continue
		}
		for n := range other.code.Root.Walk() {
			if !n.Is(code.Function) || n.Name == "" {
				continue
			}
			own := span(other, n)
			switch {
			case own.to-own.from >= wideFunction:
			case called[n.Name] && callees < mostCalled:
				callees++
				g.source(piece{rank: rankCallee}, other, own)
			case callers < mostCalling && callsTo(n, fn.Name):
				callers++
				g.source(piece{rank: rankCaller}, other, own)
			}
		}
	}
	return nil
}

// neighbours are the other files of the package, without its tests.
func (g *gathering) neighbours(of string) ([]string, error) {
	entries, err := fs.ReadDir(g.task.Place.FS(), path.Dir(of))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var out []string
	for _, e := range entries {
		name := path.Join(path.Dir(of), e.Name())
		if len(out) < mostNeighbours && name != of && e.Type().IsRegular() && !lang.IsTest(name) && syntax.LangOf(name) == syntax.LangOf(of) && syntax.LangOf(of) != "" {
			out = append(out, name)
		}
	}
	return out, nil
}

// mentions reports whether one of the names stands in a text.
func mentions(text, name string, others map[string]bool) bool {
	if name != "" && code.Word(text, name, 0) >= 0 {
		return true
	}
	for other := range others {
		if code.Word(text, other, 0) >= 0 {
			return true
		}
	}
	return false
}

// callsTo reports whether a function calls one of this name.
func callsTo(n *code.Node, name string) bool {
	if name == "" {
		return false
	}
	for k := range n.Walk() {
		if k.Is(code.Call) && calleeOf(k) == name {
			return true
		}
	}
	return false
}
