package assertions

import (
	"strings"

	"fettle/internal/audit/parts"
	"fettle/internal/code"
	"fettle/internal/pattern"
)

// HonestMain reports whether a TestMain runs the tests whatever happens, and ends as they ended, or with a failure.
func HonestMain(fn *code.Node) bool {
	params := fn.All(code.Params)
	if len(params) != 1 || fn.Kid(code.Body) == nil {
		return false
	}
	m, runs, codes := params[0].Name, 0, make(map[string]bool)
	ranBy := func(n *code.Node) bool { return parts.Bare(n.Text()) == m+".Run()" }
	for n := range fn.Walk() {
		switch {
		case n.Role == code.Call && (ranBy(n) || verifiesMain.MatchString(parts.Bare(n.Kid(code.Callee).Text())) && len(n.All(code.Arg)) > 0 && n.All(code.Arg)[0].Text() == m):
			runs++
			if n.Function() != fn || n.Up(code.If, code.For, code.Each, code.Switch) != nil || n.Up(code.Other) != nil && strings.HasPrefix(n.Up(code.Other).Text(), "go ") {
				return false
			}
			if at := n.Parent; at.Role == code.Assign && at.Kid(code.Target).Is(code.Name) {
				codes[at.Kid(code.Target).Name] = true
			}
		case n.Role == code.Return, n.Role == code.Call && misleads.MatchString(parts.Bare(n.Text())):
			return false
		case n.Role == code.Assign && strings.HasPrefix(parts.Bare(n.Text()), "os.Args"):
			return false
		}
	}
	return runs == 1 && handsOn(fn, codes, ranBy)
}

var (
	verifiesMain = pattern.New(`(^|\.)VerifyTestMain$`)
	misleads     = pattern.New(`^recover\(|^flag\.Set\(|^flag\.CommandLine\.|^(syscall|unix)\.`)
)

// handsOn reports whether every end of a TestMain is by what the tests ended with, which only becomes worse.
func handsOn(fn *code.Node, codes map[string]bool, ranBy func(*code.Node) bool) bool {
	for n := range fn.Walk() {
		switch {
		case n.Role == code.Assign && n.Kid(code.Target).Is(code.Name) && codes[n.Kid(code.Target).Name]:
			if v := n.Kid(code.Value); !ranBy(v) && (!v.Is(code.Int) || v.Text() == "0") {
				return false
			}
		case n.Role == code.Step:
			return false
		case n.Role == code.Call && parts.Bare(n.Kid(code.Callee).Text()) == "os.Exit":
			a := n.All(code.Arg)
			if len(a) != 1 || !ranBy(a[0]) && (!a[0].Is(code.Name) || !codes[a[0].Name]) && (!a[0].Is(code.Int) || a[0].Text() == "0") {
				return false
			}
		}
	}
	return true
}
