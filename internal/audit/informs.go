package audit

import (
	"slices"
	"strings"

	"fettle/internal/audit/parts"
	"fettle/internal/code"
	"fettle/internal/pattern"
)

// informs reports whether a program ends well where it was asked for its version, or for help, and has said that: as programs do, in what runs first.
func informs(end *code.Node) bool {
	if fn := end.Function(); fn != nil && parts.OwnName(fn) != "main" {
		return false
	}
	for at := end; at.Parent != nil && !at.Is(code.Function); at = at.Parent {
		p := at.Parent
		switch {
		case p.Is(code.If) && at.Part == code.Then:
			return aboutItself(p.Kid(code.Cond)) && saidBefore(p.Kid(code.Then), end) && !alwaysOn(end.File)
		case p.Is(code.Case):
			asked := p.All(code.Value)
			return len(asked) > 0 && !slices.ContainsFunc(asked, func(v *code.Node) bool { return !v.Is(code.Str) || !helpOption.MatchString(v.Text()) }) && saidBefore(p, end)
		}
	}
	return false
}

var (
	helpOption = pattern.New("^[\"'`]-{0,2}(v|V|h|version|help|usage|\\?)[\"'`]$")
	helpWord   = pattern.New(`(?i)version|help|usage`)
	saying     = pattern.New(`(?i)print|write|echo|log|usage|help|version|show`)
)

// aboutItself reports whether a condition holds only where a program is asked what it is.
func aboutItself(cond *code.Node) bool {
	switch {
	case cond.Is(code.Group):
		return aboutItself(cond.Kid(code.Operand))
	case cond.Is(code.Logic):
		left, right := aboutItself(cond.Kid(code.Left)), aboutItself(cond.Kid(code.Right))
		if cond.Op == "or" || cond.Op == "||" {
			return left && right
		}
		return left || right
	}
	texts, named := 0, false
	for n := range cond.Walk() {
		switch {
		case n.Is(code.Not, code.Logic), n.Is(code.Compare) && (strings.HasPrefix(n.Op, "!") || strings.Contains(n.Op, "not")), n.Is(code.Bool) && !strings.EqualFold(n.Text(), "true"):
			return false
		case n.Is(code.Str):
			if texts++; !helpOption.MatchString(n.Text()) {
				return false
			}
		case n.Is(code.Name, code.Member):
			named = named || helpWord.MatchString(n.Name)
		}
	}
	return texts > 0 || named
}

// saidBefore reports whether something is printed in a part of a program before it ends.
func saidBefore(part, end *code.Node) bool {
	for n := range part.Own() {
		if n.Role == code.Call && n.Start < end.Start && !n.Holds(end.Start, end.End) && saying.MatchString(n.Kid(code.Callee).Text()) {
			return true
		}
	}
	return false
}

// alwaysOn reports whether an option by which a program is asked what it is is on by itself.
func alwaysOn(f *code.File) bool {
	for n := range f.Root.Walk() {
		args := n.All(code.Arg)
		if n.Role != code.Call || !slices.ContainsFunc(args, func(a *code.Node) bool { return a.Is(code.Str) && helpWord.MatchString(a.Text()) }) {
			continue
		}
		if slices.ContainsFunc(args, func(a *code.Node) bool {
			return a.Is(code.Bool) && strings.EqualFold(a.Text(), "true") || a.Role == code.Keyword && a.Name == "default" && a.Kid(code.Value).Is(code.Bool) && a.Kid(code.Value).Text() == "True"
		}) {
			return true
		}
	}
	return false
}
