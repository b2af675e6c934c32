package accounts

import (
	"slices"
	"strings"

	"fettle/internal/audit/parts"
	"fettle/internal/code"
	"fettle/internal/syntax"
)

// restored is a variable of the environment that a test of Go's sets, and puts back behind it by hand.
type restored struct {
	key    string // as it is spelled
	around []*code.Node
	sets   *code.Node
}

// restoredVariables are those of a block: one statement sets it, a deferred one or a cleanup puts it back, and others only read what it was.
func restoredVariables(stmts []*code.Node) []restored {
	var all []restored
	for _, s := range stmts {
		call := parts.Inner(s)
		if s.File.Lang != syntax.Go || !call.Is(code.Call) || parts.Bare(call.Kid(code.Callee).Text()) != "os.Setenv" || len(call.All(code.Arg)) != 2 {
			continue
		}
		v := restored{key: parts.Bare(call.All(code.Arg)[0].Text()), sets: s}
		for _, o := range stmts {
			if o != s && (v.putsBack(o) || v.reads(o, stmts)) {
				v.around = append(v.around, o)
			}
		}
		if slices.ContainsFunc(v.around, v.putsBack) {
			all = append(all, v)
		}
	}
	return all
}

// putsBack reports whether a statement does nothing but give the variable back what it was, when the test is over.
func (v restored) putsBack(s *code.Node) bool {
	if text := parts.Bare(s.Text()); !strings.HasPrefix(text, "defer") && !strings.HasPrefix(text, "t.Cleanup(") {
		return false
	}
	some := false
	for k := range s.Walk() {
		if k.Role != code.Call || k.Kid(code.Callee).Is(code.Function) || parts.Bare(k.Kid(code.Callee).Text()) == "t.Cleanup" {
			continue
		}
		callee, args := parts.Bare(k.Kid(code.Callee).Text()), k.All(code.Arg)
		if callee != "os.Setenv" && callee != "os.Unsetenv" || len(args) == 0 || parts.Bare(args[0].Text()) != v.key {
			return false
		}
		some = true
	}
	return some
}

// reads reports whether a statement keeps what the variable was, for whoever puts it back.
func (v restored) reads(s *code.Node, stmts []*code.Node) bool {
	value := s.Kid(code.Value)
	if !s.Is(code.Assign) || !value.Is(code.Call) || len(value.All(code.Arg)) != 1 || parts.Bare(value.All(code.Arg)[0].Text()) != v.key {
		return false
	}
	if name := parts.Bare(value.Kid(code.Callee).Text()); name != "os.Getenv" && name != "os.LookupEnv" {
		return false
	}
	for _, t := range s.All(code.Target) {
		if slices.ContainsFunc(stmts, func(o *code.Node) bool { return o != s && !v.putsBack(o) && namesVariable(o, t.Name) }) {
			return false
		}
	}
	return true
}

// putBack tells a statement that sets such a variable as t.Setenv, and what belongs to it as nothing; nil for any other statement.
func (r *teller) putBack(all []restored, s *code.Node) [][]fact {
	for _, v := range all {
		switch {
		case v.sets == s:
			args := parts.Inner(s).All(code.Arg)
			return [][]fact{{{text: "t.Setenv(" + r.canon(args[0]) + "," + r.canon(args[1]) + ")"}}}
		case slices.Contains(v.around, s):
			return [][]fact{nil}
		}
	}
	return nil
}
