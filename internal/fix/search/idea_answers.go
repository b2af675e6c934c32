package search

import (
	"slices"
	"strings"

	"fettle/internal/code"
	"fettle/internal/pattern"
)

// mostAnswers bounds how many values are considered that a function could give back.
const mostAnswers = 12

// answers are what the function could give back at the site: what it gives back elsewhere, what is empty or a small number, the size of
// something, and its variables.
func (s *site) answers() []string {
	var out []string
	add := func(texts ...string) {
		for _, t := range texts {
			if t != "" && !strings.Contains(t, "\n") && len(t) <= 60 && !slices.Contains(out, t) {
				out = append(out, t)
			}
		}
	}
	given, gives := s.given()
	add(given...)
	if gives&kText != 0 {
		add(s.namedAnswers()...)
	}
	f := s.fact()
	may := func(k kind) bool { return gives == 0 || gives&k != 0 }
	if may(kBool) {
		add(f.True, f.False)
	}
	if !f.Static {
		add(f.Null)
		if may(kList) {
			add("[]")
		}
		if may(kText) {
			add(`""`)
		}
	}
	names := slices.DeleteFunc(s.names(), func(v name) bool { return v.fn || !v.local })
	if may(kInt) && !f.Static {
		for _, v := range names {
			if v.typ.is(kList | kText | kMap) {
				add(s.size(v))
			}
		}
	}
	if may(kNumber) {
		add("0", "1", "-1")
	}
	for _, v := range names {
		if fits(v.typ, typ{kind: gives}) >= 0.6 {
			add(v.text)
		}
	}
	return out[:min(len(out), mostAnswers)]
}

// mostNamed bounds how many texts are taken from what the documentation says of a function's answers.
const mostNamed = 3

var inQuotationMarks = pattern.New(`"([\pL\pN?!_./+-][\pL\pN ?!_./+-]{0,23})"`)

// namedAnswers are the texts that a function's documentation names in its sentences, beside its examples, and that the function never writes: who has no stars is shown as "new".
func (s *site) namedAnswers() (out []string) {
	fn, mark := s.Function(), s.mark()
	written, name := writtenOut(fn), named(fn)
	for _, line := range strings.Split(documentation(fn), "\n") {
		if name == "" || code.Word(line, name, 0) >= 0 || strings.Contains(line, "->") || strings.Contains(line, "=>") || strings.Contains(line, ">>>") {
			continue
		}
		for _, m := range inQuotationMarks.FindAllStringSubmatch(line, -1) {
			if text := mark + m[1] + mark; len(out) < mostNamed && !slices.Contains(out, text) && !slices.Contains(written, m[1]) {
				out = append(out, text)
			}
		}
	}
	return out
}

// writtenOut are the texts that a function writes out, without their quotation marks and what documents it.
func writtenOut(fn *code.Node) (out []string) {
	for n := range fn.Walk() {
		if n.Is(code.Str) && !docString(n) {
			out = append(out, strings.Trim(n.Text(), "\"'`"))
		}
	}
	return out
}

// mostMade bounds how many of a function's own variables are considered that it may have been written to fill.
const mostMade = 4

// made are the answers of a function that gives nothing back as yet: what it makes comes first, and what it makes of nothing before the rest.
func (s *site) made() []string {
	answers := s.answers()
	if given, _ := s.given(); len(given) > 0 {
		return answers
	}
	var out []string
	for n := range s.Function().Own() {
		if n.Role == code.Name && n.Part == code.Target && n.Parent.Is(code.Assign) && s.beginsEmpty(n.Parent) && n.End < s.Start && len(out) < mostMade && !slices.Contains(out, n.Name) {
			out = append(out, n.Name)
		}
	}
	for _, a := range answers {
		if !slices.Contains(out, a) {
			out = append(out, a)
		}
	}
	return out
}

// given is what the function gives back elsewhere, as far as it is known at the site, and of what kind it is.
func (s *site) given() (texts []string, gives kind) {
	known := s.knownNames()
	for n := range s.Function().Own() {
		if n.Role != code.Return {
			continue
		}
		v := n.Kid(code.Value)
		gives |= s.of(v).kind
		if v != nil && len(n.All(code.Value)) == 1 && allKnown(v, known) {
			texts = append(texts, v.Text())
		}
	}
	return texts, gives
}
