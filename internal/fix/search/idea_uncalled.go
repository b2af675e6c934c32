package search

import (
	"strings"

	"fettle/internal/code"
)

// Bounds of what is asked of functions that nobody calls.
const (
	mostUncalled        = 3
	mostUncalledAnswers = 6
	mostUncalledArgs    = 3
)

// asksUncalled asks, before a function gives a value back, what another function of the file tells that nobody calls: it is there to be asked.
func (s *site) asksUncalled(try func(change)) {
	if !s.Is(code.Return) || !s.isStatement() || !s.Alone() || s.Function() == nil {
		return
	}
	tried := 0
	for _, fn := range s.unit.pool(s.File).functions {
		if tried == mostUncalled || fn == s.Function() || fn.Up(code.Class) != s.Up(code.Class) || fn.Function() != nil || count(s.File.Source, named(fn)) > 1+count(documentation(fn), named(fn)) || !tells(fn) {
			continue
		}
		args, ok := s.argumentsFor(fn)
		if !ok {
			continue
		}
		tried++
		call := named(fn) + "(" + strings.Join(args, ", ") + ")"
		answers := s.answers()
		for i, asked := range []string{s.fact().Not + call, call} {
			for j, r := range answers[:min(len(answers), mostUncalledAnswers)] {
				text := s.guard(asked, s.statement("return "+r), s.Indent())
				try(insert(s.Start, text+"\n"+s.Indent(), 1-0.3*float64(i)-0.05*float64(j), "%s is never asked, and the case %s has to give %s", quote(named(fn)), quote(asked), quote(r)))
			}
		}
	}
}

// tells reports whether a function answers a question with yes or no.
func tells(fn *code.Node) bool {
	for n := range fn.Own() {
		if n.Is(code.Return) && n.Kid(code.Value).Is(code.Bool, code.Compare, code.Logic, code.Not) {
			return true
		}
	}
	return false
}

// argumentsFor are variables for the parameters of a function: those of the same names, else what is given back here, else the first of a fitting type that is not handed over yet.
func (s *site) argumentsFor(fn *code.Node) (args []string, ok bool) {
	params := fn.All(code.Params)
	if len(params) == 0 || len(params) > mostUncalledArgs {
		return nil, false
	}
	taken := map[string]bool{}
	args = make([]string, len(params))
	for i, p := range params {
		if s.has(p.Name) && p.Name != "" {
			args[i], taken[p.Name] = p.Name, true
		}
	}
	for i := range params {
		if args[i] != "" {
			continue
		}
		if v := s.Kid(code.Value); v.Is(code.Name) && !taken[v.Name] {
			args[i], taken[v.Name] = v.Name, true
			continue
		}
		for _, v := range s.names() {
			if !v.fn && v.local && plainName(v.text) && !taken[v.text] {
				args[i], taken[v.text] = v.text, true
				break
			}
		}
		if args[i] == "" {
			return nil, false
		}
	}
	return args, true
}
