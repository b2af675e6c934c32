package prompt

import (
	"errors"
	"io/fs"

	"fettle/internal/code"
)

// What is looked through of other files, and what goes in of them, at most.
const (
	mostNeighbours = 60  // files
	mostCalled     = 6   // functions
	mostCalling    = 4   // functions
	largeNeighbour = 256 // KB; one that is larger is not looked into
)

// callsElsewhere adds the functions of other files that a function calls, and those that call it: of the files around its own ([nearby.Project.Sources]). called are the names that it calls and that its own
// file does not have. Only a file in which one of the names stands is parsed.
func (g *gathering) callsElsewhere(f *file, fn *code.Node, called map[string]bool) error {
	callees, callers := 0, 0
	names := g.project.Sources(f.code)
	for _, name := range names[:min(len(names), mostNeighbours)] {
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
