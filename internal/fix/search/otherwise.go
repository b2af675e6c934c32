package search

import (
	"slices"
	"strings"

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
	for _, line := range strings.Split(documentation(fn), "\n") {
		if strings.Contains(line, named(fn)+"(") {
			continue
		}
		for _, m := range quotedSaid.FindAllStringSubmatch(line, -1) {
			if text := m[1]; !slices.Contains(written, text) && !slices.Contains(out, text) && len(out) < mostSaid {
				out = append(out, text)
			}
		}
	}
	return out
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
		case f.Name == "Python":
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
