package search

import (
	"cmp"
	"iter"
	"slices"
	"strings"

	"fettle/internal/code"
	"fettle/internal/pattern"
)

// What a documentation says that the function never does.

// sentences are the lines of a function's documentation, but for its examples.
func sentences(fn *code.Node) iter.Seq[string] {
	return func(yield func(string) bool) {
		for line := range strings.Lines(documentation(fn)) {
			if !strings.Contains(line, named(fn)+"(") && !yield(line) {
				return
			}
		}
	}
}

// mostSaidEnds bounds how many numbers are asked for that a documentation names.
const mostSaidEnds = 3

// saidEnd asks of what is compared with another variable whether it is within a number, too, that the documentation names and the function never does.
func (s *site) saidEnd(try func(change)) {
	at, fn := s.Kid(code.Left), s.Function()
	if s.Role != code.Compare || fn == nil || !strings.ContainsAny(s.Op, "<>") || !at.Is(code.Name, code.Attr, code.Index) || !s.Kid(code.Right).Is(code.Name, code.Attr, code.Index) || s.noNumber(at) || s.Parent.Is(code.Compare) {
		return
	}
	n := 0
	for _, number := range saidAlone(fn) {
		if n++; n > mostSaidEnds {
			return
		}
		for i, op := range []string{s.Op[:1] + "=", s.Op[:1]} {
			text := s.Text() + " " + s.fact().And + " " + at.Text() + " " + op + " " + number
			try(replace(s.Node, text, 0.8-0.2*float64(i), "%s has an end in the documentation: %s", quote(at.Text()), number))
		}
	}
}

// saidAlone are the numbers of a function's documentation, its examples left out, that stand nowhere in the function.
func saidAlone(fn *code.Node) (out []string) {
	does := strings.Replace(fn.Text(), documentation(fn), "", 1)
	for line := range sentences(fn) {
		if strings.Contains(line, "->") || strings.Contains(line, ">>>") {
			continue
		}
		for _, number := range wholeNumbers.FindAllString(line, -1) {
			if len(number) > 1 && !mentions(does, number) && !slices.Contains(out, number) {
				out = append(out, number)
			}
		}
	}
	return out
}

// holdsTwice says how a language asks whether a list X holds anything twice, and repeatsSaid how documentations say that this matters.
var (
	holdsTwice  = map[string]string{"Python": "len(set(X)) < len(X)", "JavaScript": "new Set(X).size < X.length", "Java": "new HashSet<>(X).size() < X.size()"}
	repeatsSaid = pattern.New(`(?i)\b(?:twice|repeat\w*|duplicat\w*|distinct|unique|different|differ|no two|only once|at most once)\b`)
)

// repeats asks whether a list holds anything twice, where the documentation says that it matters.
func (a *asker) repeats(vars []name) {
	form, fn := holdsTwice[a.site.fact().Family], a.site.Function()
	if form == "" || fn == nil || !repeatsSaid.MatchString(documentation(fn)) {
		return
	}
	for _, v := range vars[:min(len(vars), 4)] {
		if (v.typ.is(kList) || !v.typ.known()) && (a.site.fact().Family != "Java" || len(v.typ.names) > 0 && !strings.HasSuffix(v.typ.names[0], "[]")) {
			a.add(filled(form, v.text))
		}
	}
}

// numberWords are the numbers that documentations write as words; one is left out, which is said of anything.
var (
	numberWords = map[string]string{"two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8", "nine": "9", "ten": "10", "twelve": "12"}
	numberSaid  = pattern.New(`\b(?:\d+|two|three|four|five|six|seven|eight|nine|ten|twelve)\b`)
)

// mostNumbersSaid bounds with how many numbers of the documentation it is compared what is made and never looked at.
const mostNumbersSaid = 3

// saidOf compares a variable that is made and never looked at with the numbers that the documentation names: a lead that nobody asks for has to be of two points.
func (a *asker) saidOf(fn *code.Node) {
	var numbers []string
	for line := range sentences(fn) {
		for _, said := range numberSaid.FindAllString(line, -1) {
			if number := cmp.Or(numberWords[said], said); !slices.Contains(numbers, number) && len(numbers) < mostNumbersSaid {
				numbers = append(numbers, number)
			}
		}
	}
	for _, v := range a.site.names() {
		if v.fn || !v.local || !slices.Contains(a.site.unit.unused(fn), v.text) || v.typ.known() && !v.typ.is(kNumber) {
			continue
		}
		for _, number := range numbers {
			for _, op := range []string{" >= ", " > ", " <= ", " < ", " " + a.eq + " "} {
				a.add(v.text + op + number)
			}
		}
	}
}
