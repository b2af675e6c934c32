package audit

import (
	"path"
	"slices"
	"strings"

	"fettle/internal/audit/functions"
	"fettle/internal/audit/parts"
	"fettle/internal/code"
	"fettle/internal/pattern"
	"fettle/internal/phrase"
	"fettle/internal/syntax"
)

// unfinished looks for functions that gave a value, and now end by saying that they are not implemented where they gave it. What raises such an
// error for one case, and gives all that it gave before, is none, nor one of which was said already that its whole body is gone.
func (f *fileView) unfinished(said []Finding) []Finding {
	if f.programBefore == nil || f.programAfter == nil || path.Ext(f.path) == ".pyi" {
		return nil
	}
	before, after := bodied(f.programBefore), bodied(f.programAfter)
	var all []Finding
	for key, now := range after {
		was := before[key]
		if len(was) != len(now) {
			continue
		}
		for i, fn := range now {
			if slices.ContainsFunc(said, func(s Finding) bool { return s.Line == fn.Line() }) {
				continue
			}
			if end := unwritten(fn, f.programBefore.Source); end != nil && unwritten(was[i], "") == nil && givenBack(was[i], nil) > givenBack(fn, end) {
				all = append(all, Finding{Line: end.Line(), Effect: Refuse, Evidence: parts.Title(fn) + " ends with " + phrase.Clip(oneLine(end.Text())) + " where it gave a value: write the whole function"})
			}
		}
	}
	slices.SortFunc(all, func(a, b Finding) int { return a.Line - b.Line })
	return all
}

// bodied are the functions of a program that have a body of statements and a name, by what tells them from others.
func bodied(f *code.File) map[string][]*code.Node {
	all := make(map[string][]*code.Node)
	for n := range f.Root.Walk() {
		if n.Role != code.Function || parts.OwnName(n) == "" || n.Kid(code.Body) == nil || n.Kid(code.Body).Role != code.Block || declared(n) {
			continue
		}
		names := []string{parts.Title(n)}
		if f.Lang == syntax.Java || f.Lang == syntax.Go {
			for _, p := range n.All(code.Params) {
				names = append(names, parts.Bare(p.Type))
			}
		}
		key := strings.Join(names, ",")
		all[key] = append(all[key], n)
	}
	return all
}

// declared reports functions of Python whose bodies are written elsewhere: abstract methods, overloads, and methods of protocols.
func declared(n *code.Node) bool {
	if n.File.Lang != syntax.Python {
		return false
	}
	if c := n.Up(code.Class); c != nil {
		if head, _, _ := strings.Cut(c.Text(), "\n"); strings.Contains(head, "Protocol") {
			return true
		}
	}
	for mark := range parts.Decorators(n) {
		if strings.Contains(mark.Text(), "abstract") || strings.Contains(mark.Text(), "overload") {
			return true
		}
	}
	return false
}

// unwritten is the statement at a function's own level by which it says that it is not implemented, if it has one: the first that leaves the function,
// or the last. Comments that were there before say nothing new.
func unwritten(fn *code.Node, before string) *code.Node {
	stmts := fn.Kid(code.Body).All(code.Stmt)
	for i, s := range stmts {
		last := i == len(stmts)-1
		switch s.Role {
		case code.Raise:
			if saysUnwritten.MatchString(s.Text()) {
				return s
			}
			return nil
		case code.Return:
			if failsUnwritten(s) || meansNothing.MatchString(s.Text()) && awaited(fn, s, before) {
				return s
			}
			return nil
		case code.Pass:
			if last && len(stmts) > 1 {
				return s
			}
		case code.Eval:
			text := strings.TrimSpace(s.Text())
			if functions.PanicsUnwritten(text) || last && text == "..." {
				return s
			}
		default:
		}
	}
	return nil
}

var (
	saysUnwritten = pattern.New(`(?i)not[ _-]?(yet[ _-])?implemented|unimplemented|UnsupportedOperationException|(error|exception)\(\s*['"` + "`" + `](todo|fixme|implement me)`)
	meansNothing  = pattern.New(`^return(\s*\(?\s*(None|null|nil|undefined|0|0\.0|""|''|\[\]|\{\}|false|False)\s*\)?)?\s*;?$`)
)

// failsUnwritten reports whether what is given back is an error, and says that something is not implemented.
func failsUnwritten(s *code.Node) bool {
	values := s.All(code.Value)
	if len(values) == 0 {
		return false
	}
	v := values[len(values)-1]
	if v.Role == code.List && len(v.All(code.Elem)) > 0 {
		v = v.All(code.Elem)[len(v.All(code.Elem))-1]
	}
	failing := s.File.Lang == syntax.Go && v.Is(code.Call, code.Name, code.Attr) || strings.HasPrefix(v.Text(), "Promise.reject(")
	return failing && saysUnwritten.MatchString(v.Text())
}

// awaited reports whether a new comment right before a statement, or on its line, says that something is yet to be written.
func awaited(fn, s *code.Node, before string) bool {
	from := fn.Kid(code.Body).Start
	if p := s.Prev(); p != nil {
		from = p.End
	}
	to := s.End
	if n := strings.IndexByte(s.File.Source[to:], '\n'); n >= 0 {
		to += n
	}
	for l := range strings.SplitSeq(s.File.Source[min(from, s.Start):to], "\n") {
		if at := strings.IndexAny(l, "#/"); at >= 0 && blank.MatchString(l[at:]) && !strings.Contains(before, strings.TrimSpace(l[at:])) {
			return true
		}
	}
	return false
}

// givenBack counts the places at which a function gives a value, up to the statement at which it ends.
func givenBack(fn, end *code.Node) int {
	sum := 0
	for n := range fn.Kid(code.Body).Own() {
		if n.Role != code.Return || end != nil && n.Start >= end.Start {
			continue
		}
		if v := n.Kid(code.Value); v != nil && v.Role != code.Null && !failsUnwritten(n) {
			sum++
		}
	}
	return sum
}

// oneLine is a text without breaks of lines.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
