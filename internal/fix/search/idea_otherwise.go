package search

import (
	"slices"

	"fettle/internal/code"
	"fettle/internal/pattern"
)

// mostSaid bounds how many texts of a documentation are tried in the place of what is not there.
const mostSaid = 3

// quotedSaid matches a text in quotation marks.
var quotedSaid = pattern.New("[\"'`\u201c]([^\"'`\u201c\u201d\\n]{1,30})[\"'`\u201d]")

// saidTexts are the texts that a function's documentation puts in quotation marks, but for its examples, and the function never writes.
func (s *site) saidTexts() (out []string) {
	fn := s.Function()
	if fn == nil {
		return nil
	}
	written := writtenOut(fn)
	for line := range sentences(fn) {
		for _, m := range quotedSaid.FindAllStringSubmatch(line, -1) {
			if text := m[1]; !slices.Contains(written, text) && !slices.Contains(out, text) && len(out) < mostSaid {
				out = append(out, text)
			}
		}
	}
	return out
}

// instead gives a variable the value of a parameter that the function never looks at, where it holds nothing: for whom nobody was named, whoever was named around.
func (s *site) instead(try func(change)) {
	a := assignment(s.Node)
	v, fn := a.Kid(code.Target), s.Function()
	if !s.isStatement() || !s.Alone() || !a.Is(code.Assign) || !v.Is(code.Name) || a.Op != "=" && a.Op != ":=" || fn == nil {
		return
	}
	for _, p := range fn.All(code.Params) {
		t := s.at(v).of(v)
		if !t.known() {
			t = s.at(p).of(p)
		}
		if !s.untouched(p) || fits(s.at(p).of(p), t) < 0.5 {
			continue
		}
		for i, none := range s.nothings(v.Text(), t) {
			text := s.guard(none, s.statement(v.Text()+" = "+p.Name), s.Indent())
			try(insert(s.End, "\n"+s.Indent()+text, 0.9-0.2*float64(i), "%s is given, and never looked at: it is what %s should be if it is nothing", quote(p.Name), quote(v.Text())))
		}
	}
}

// nothings ask whether a variable holds nothing.
func (s *site) nothings(v string, t typ) []string {
	f := s.fact()
	switch {
	case f.Family == "Python":
		return []string{v + " is None", "not " + v}
	case f.Silent:
		return []string{v + " == null", "!" + v}
	case !t.known() && f.Family == "Go": // the compiler knows
		return []string{v + ` == ""`, v + " == 0", v + " == nil"}
	case f.Name == "Java" && t.is(kText):
		return []string{v + " == null", v + ".isEmpty()"}
	case f.Name == "Java":
		return []string{v + " == null"}
	case t.is(kText):
		return []string{v + ` == ""`}
	case t.is(kNumber):
		return []string{v + " == 0"}
	}
	return []string{v + " == nil"}
}

// otherwiseSaid gives what is looked up under a key, where it is not there, a text that the documentation names: "private" for who has no company.
func (s *site) otherwiseSaid(try func(change)) {
	key, object := s.Kid(code.At), s.Kid(code.Object)
	if s.Is(code.Call) && s.Calls() == "get" && len(s.All(code.Arg)) == 1 {
		key, object = s.Kid(code.Arg), s.Kid(code.Callee).Kid(code.Object)
	}
	if !s.value() || !key.Is(code.Str) || !plainValue(object) || s.Part == code.Target || s.Part == code.Object {
		return
	}
	for i, text := range s.saidTexts() {
		other := spelledLike(key, text)
		var meant string
		switch f := s.fact(); {
		case f.Name == "Java":
			meant = object.Text() + ".getOrDefault(" + key.Text() + ", " + other + ")"
		case f.Family == "Python":
			meant = object.Text() + ".get(" + key.Text() + ", " + other + ")"
		case f.Silent && s.Parent.Is(code.Arith, code.Compare, code.Logic):
			meant = "(" + s.Text() + " ?? " + other + ")"
		case f.Silent:
			meant = s.Text() + " ?? " + other
		default:
			return
		}
		try(replace(s.Node, meant, 0.8-0.1*float64(i), "%s may be missing: the documentation names %s", quote(s.Text()), quote(other)))
	}
}
