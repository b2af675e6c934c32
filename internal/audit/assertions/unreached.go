package assertions

import (
	"slices"
	"strings"

	"fettle/internal/audit/parts"
	"fettle/internal/code"
	"fettle/internal/pattern"
)

// unreached reports whether a demand stands in a block that has to fail, behind a call that may do so: where it fails, as it has to, nobody comes to the demand.
func unreached(n *code.Node) bool {
	if n.Part != code.Stmt || !n.Parent.Is(code.Block) || !hasToFail(n.Parent) || len(OfStatement(n)) == 0 {
		return false
	}
	if caught := caughtAs(n.Parent); caught != "" && parts.Mentions([]byte(n.Text()), caught) {
		return true // it is known behind the block only
	}
	for at := n.Prev(); at != nil; at = at.Prev() {
		if call := parts.Inner(at); call.Is(code.Call, code.Wait) && len(OfStatement(at)) == 0 {
			return true
		}
	}
	return false
}

// handlesWhatMayNotCome reports whether a node is a handler of an error that nobody demands: where none comes, what it asks is not asked. Not where the block fails, gives or counts
// otherwise.
func handlesWhatMayNotCome(n *code.Node) bool {
	if !parts.IsScript(n.File.Lang) || !n.Is(code.Other) || !strings.HasPrefix(n.Text(), "catch") || !n.Parent.Is(code.Other) || !strings.HasPrefix(n.Parent.Text(), "try") {
		return false
	}
	tried := n.Parent.Kids[0]
	for k := range tried.Walk() {
		if k.Is(code.Return, code.Raise) || k.Is(code.Call) && (minding.MatchString(k.Kid(code.Callee).Text()) || strings.HasPrefix(parts.Bare(k.Text()), "fail(")) {
			return false
		}
	}
	fn := n.Function()
	return fn != nil && !countsDemands.MatchString(fn.Text()) && len(Of(tried)) == 0
}

// countsDemands matches by what a test says how many demands it has to come to, or that it waits for a sign.
var countsDemands = pattern.New(`\b(expect\.(assertions|hasAssertions)|t\.plan|plan|done)\(`)

// hasToFail reports whether a block is given to an assertion that asks it for an error: with pytest.raises(E), assertThrows(E.class, () -> { … }), expect(() => { … }).toThrow().
func hasToFail(block *code.Node) bool {
	holder := block.Parent
	if holder.Is(code.Other) {
		return raisingHead.MatchString(holder.Text())
	}
	call := holder.Parent
	if !holder.Is(code.Function) || holder.Part != code.Arg || !call.Is(code.Call) {
		return false
	}
	if parts.LastName(call) != "expect" {
		return failingCalls[parts.LastName(call)]
	}
	for at := call.Parent; at.Is(code.Attr, code.Call); at = at.Parent {
		if at.Is(code.Attr) && throwMatchers[at.Name] {
			return !strings.Contains(parts.Bare(at.Text()), ".not.")
		}
	}
	return false
}

var (
	raisingHead   = pattern.New(`^with [^\n]*\b(raises|assertRaises\w*)\(`)
	failingCalls  = map[string]bool{"throws": true, "rejects": true, "assertThrows": true, "assertThrowsExactly": true, "assertThatThrownBy": true, "Panics": true, "PanicsWithValue": true, "PanicsWithError": true}
	throwMatchers = map[string]bool{"toThrow": true, "toThrowError": true, "throw": true, "throws": true}
)

// caughtAs is the name under which a block of Python's gives the error that it had to fail by.
func caughtAs(block *code.Node) string {
	for _, k := range block.Parent.Kids {
		if k == block {
			break
		}
		if i := slices.IndexFunc(k.Kids, func(x *code.Node) bool { return x.Is(code.Assign) }); i >= 0 {
			k = k.Kids[i]
		}
		if t := k.Kid(code.Target); t.Is(code.Name) {
			return t.Name
		}
	}
	return ""
}
