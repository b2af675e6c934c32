package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// descriptors are those that redirections set. A new one that is kept in a variable stays open.
func descriptors(list []*syntax.Redirect) []string {
	var out []string
	for _, r := range list {
		switch {
		case r.N != nil:
			out = append(out, r.N.Value)
		case r.Op == syntax.RdrAll || r.Op == syntax.AppAll:
			out = append(out, "1", "2")
		case r.Op == syntax.DplOut:
			out = append(out, "1", "2") // of >&file
		case r.Op == syntax.RdrOut || r.Op == syntax.AppOut || r.Op == syntax.RdrClob:
			out = append(out, "1")
		default:
			out = append(out, "0")
		}
	}
	return out
}

// neverFails reports redirections to nowhere, and to what is open for certain.
func neverFails(list []*syntax.Redirect) bool {
	for _, r := range list {
		if text, _ := plainWord(r.Word); text != "/dev/null" && (r.Op != syntax.DplOut || !oneWord(" 1 2 ", text)) {
			return false
		}
	}
	return true
}

// isExec reports the command that keeps its redirections for the shell itself.
func (s *shell) isExec(cmd syntax.Command) bool {
	call, ok := cmd.(*syntax.CallExpr)
	if !ok || len(call.Args) == 0 {
		return false
	}
	last := len(call.Args) - 1
	for i, w := range call.Args {
		name, plain := plainWord(w)
		if !plain || i == last && name != "exec" || i < last && name != "command" && name != "builtin" && name != "--" {
			return false
		}
	}
	return true
}

// plainWord is the text of a word in which nothing is expanded.
func plainWord(w *syntax.Word) (string, bool) {
	var b strings.Builder
	for _, p := range w.Parts {
		switch p := p.(type) {
		case *syntax.Lit:
			b.WriteString(strings.ReplaceAll(p.Value, `\`, ""))
		case *syntax.SglQuoted:
			b.WriteString(p.Value)
		case *syntax.DblQuoted:
			text, ok := plainWord(&syntax.Word{Parts: p.Parts})
			if !ok {
				return "", false
			}
			b.WriteString(text)
		default:
			return "", false
		}
	}
	return b.String(), true
}

// keep makes the redirections of exec the shell's own.
func (s *shell) keep(o *outlet) {
	for fd, k := range s.outs.m {
		if k.held != nil && k.held == o.held {
			s.outs.set(fd, sink{out: true})
		}
	}
	if !o.away {
		return
	}
	for _, at := range o.paths {
		if !o.keep {
			s.remember(at, value{}, false)
		}
	}
	k := sink{paths: o.paths}
	for _, other := range o.sinks {
		k.paths, k.held, k.out = append(k.paths, other.paths...), other.held, other.out
	}
	s.outs.set("1", k)
}
