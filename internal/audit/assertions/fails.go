package assertions

import (
	"slices"
	"strings"

	"fettle/internal/audit/parts"
	"fettle/internal/code"
	"fettle/internal/pattern"
	"fettle/internal/syntax"
)

// GoodExit matches an end with success as it is mostly spelled: in what is no program here, and in texts that something else carries out.
var GoodExit = pattern.New(`\bprocess\.exitCode\s*=\s*0\b|\bos\._exit\(\s*0?\s*\)|\bsys\.exit\(\s*0?\s*\)|\bos\.Exit\(0\)|\bprocess\.exit\(\s*0?\s*\)|\braise SystemExit(\(\s*0?\s*\))?\s*$|\bsyscall\.Exit\(0\)|\bSystem\.exit\(\s*0\s*\)|\.halt\(\s*0\s*\)`)

// Fails reports whether a part of a program fails it: an assertion, an error of that kind, an end that is no success.
func Fails(n *code.Node) bool {
	switch n.Role {
	case code.Other:
		return strings.HasPrefix(n.Text(), "assert ") || strings.HasPrefix(n.Text(), "assert(")
	case code.Raise:
		return strings.Contains(n.Text(), "Assert") || n.Function() == nil || strings.HasSuffix(n.Function().Name, "main")
	case code.Call:
		switch name := parts.LastName(n); {
		case expectsEqual(name), strings.HasPrefix(strings.ToLower(name), "assert"), strings.Contains(strings.ToLower(n.Kid(code.Callee).Text()), "assert."):
			return true
		case name == "exit" || name == "Exit":
			args := n.All(code.Arg)
			return len(args) == 1 && args[0].Text() != "0"
		}
	default: // fails nothing
	}
	return false
}

// Prints reports whether a call only says something to whoever reads the output.
func Prints(n *code.Node) bool {
	callee := parts.Bare(n.Kid(code.Callee).Text())
	return callee == "print" || strings.HasPrefix(callee, "console.") || strings.HasPrefix(callee, "fmt.Print") || strings.HasPrefix(callee, "System.out.") ||
		(parts.LastName(n) == "Log" || parts.LastName(n) == "Logf") && n.File.Lang == syntax.Go
}

// OnlyFails reports whether a block does nothing but make the test fail, and say why.
func OnlyFails(block *code.Node) bool {
	if !block.Is(code.Block) {
		return failsIn(block)
	}
	some := false
	for _, s := range block.Kids {
		call := s.Kid(code.Value)
		switch {
		case s.Role == code.Raise:
			some = true
		case s.Role == code.Return && len(s.Kids) == 0:
		case s.Role != code.Eval || !call.Is(code.Call):
			return false
		case FailsGo(parts.LastName(call)) || Fails(call) && IsExit(call):
			some = true
		case !Prints(call):
			return false
		}
	}
	return some
}

// EndsAt is where a test, or a helper of tests, first ends before it has demanded everything, and does not fail there; -1, if it does not.
func EndsAt(part *code.Node) int {
	all := Of(part)
	for n := range part.Walk() {
		if n.Role != code.Return || len(n.Kids) > 0 || n.Parent.Role != code.Block || failsIn(n.Parent) {
			continue
		}
		fn := n.Function()
		if (fn == part || fn != nil && fn.Parent == part) && slices.ContainsFunc(all, func(a Assertion) bool { return a.At.Start > n.Start }) {
			return n.Start
		}
	}
	return -1
}

// failsIn reports whether a block makes a test fail.
func failsIn(block *code.Node) bool {
	for n := range block.Walk() {
		if n.Role == code.Raise || n.Role == code.Call && (FailsGo(parts.LastName(n)) || Fails(n) && IsExit(n)) {
			return true
		}
	}
	return false
}

// IsExit reports whether a call ends the program.
func IsExit(n *code.Node) bool { return strings.EqualFold(parts.LastName(n), "exit") }

// AtOnce reports whether a call puts together what a main demands all at once, and fails by an AssertionError.
func AtOnce(n *code.Node) bool {
	fn := n.Function()
	return fn != nil && fn.Name == "main" && strings.Contains(fn.Text(), "AssertionError")
}
