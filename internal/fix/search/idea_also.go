package search

import (
	"slices"
	"strconv"
	"strings"

	"fettle/internal/code"
)

// separators are the letters that come between others, the likelier first.
var separators = []string{" ", ",", ".", "-", "_", "!", "?", ";", ":", `\t`, `\n`}

// What another value counts that a condition may have to ask for, too, and how many of the file's own there are.
const (
	nextValue   = 0.8 // the number beside it
	fileValue   = 0.6 // one that the file writes out
	anySign     = 0.5
	mostAlso    = 6
	longestSign = 4 // bytes, with quotation marks
)

// alsoOther asks for another value as well, where one alone is asked for: of the separators of words that one was forgotten, of the numbers the next one.
func (s *site) alsoOther(try func(change)) {
	r := s.Kid(code.Right)
	if s.Role != code.Compare || !r.Is(code.Int, code.Str, code.Char) || s.Op != s.fact().Equal && s.Op != "==" && !strings.HasPrefix(s.Op, "!=") || s.Parent.Is(code.Logic, code.Not) {
		return
	}
	joint := s.fact().Or
	if s.Op[0] == '!' {
		joint = s.fact().And
	}
	for i, other := range s.othersThan(r) {
		if asked := s.Kid(code.Left).Text() + " " + s.Op + " " + other.text; !mentions(s.Function().Text(), asked) {
			more := joint + " " + asked
			try(replace(s.Node, s.Text()+" "+more, other.weight*max(1-0.08*float64(i), 0.3), "the condition lacks %s", quote(more)))
		}
	}
}

// alsoCase does what a case does for another value as well, of those that the source writes out and no case is for.
func (s *site) alsoCase(try func(change)) {
	values := s.All(code.Value)
	if s.Role != code.Case || len(values) == 0 || s.fact().Family == "Python" {
		return
	}
	last := values[len(values)-1]
	separate := strings.HasPrefix(strings.TrimLeft(s.File.Source[last.End:s.End], " "), ":") && s.fact().Family != "Go"
	others := s.unit.pool(s.File).literals[last.Role]
	for i, text := range others[:min(len(others), mostAlso)] {
		if slices.ContainsFunc(s.Parent.Kids, func(c *code.Node) bool {
			return slices.ContainsFunc(c.All(code.Value), func(v *code.Node) bool { return v.Text() == text })
		}) {
			continue
		}
		more := ", " + text
		if separate {
			more = ":\n" + s.Indent() + "case " + text
		}
		try(insert(last.End, more, fileValue*(1-0.08*float64(i)), "what is done for %s has to be done for %s, too", quote(last.Text()), quote(text)))
	}
}

// othersThan are the values that may be meant beside one that is written out.
func (s *site) othersThan(lit *code.Node) (out []ingredient) {
	add := func(text string, weight float64) {
		if text != lit.Text() && !slices.ContainsFunc(out, func(o ingredient) bool { return o.text == text }) {
			out = append(out, ingredient{text: text, weight: weight})
		}
	}
	if n, err := strconv.ParseInt(lit.Text(), 0, 64); err == nil {
		add(strconv.FormatInt(n+1, 10), nextValue)
		if n > 0 {
			add(strconv.FormatInt(n-1, 10), nextValue)
		}
	}
	own := s.unit.pool(s.File).literals[lit.Role]
	for _, text := range own[:min(len(own), mostAlso)] {
		add(text, fileValue)
	}
	if text := lit.Text(); lit.Role != code.Int && len(text) <= longestSign && len(text) > 2 {
		for _, sign := range separators {
			add(text[:1]+sign+text[len(text)-1:], anySign)
		}
	}
	return out
}
