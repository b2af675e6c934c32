package search

import (
	"cmp"
	"slices"
	"strings"

	"fettle/internal/code"
	"fettle/internal/diag"
	"fettle/internal/pattern"
)

// Bounds and weights of what a function may have to refuse.
const (
	mostRefusals = 3
	demandedBy   = 1.0 // a test waits for the exception
	namedInText  = 0.7 // the documentation names it
	elsewhere    = 0.5 // the function raises it elsewhere
)

// unraised are how tests say that an exception never came: pytest and unittest, node:test and jest, vitest and chai, JUnit. What is in brackets is its name.
var unraised = []*pattern.Pattern{
	pattern.New(`DID NOT RAISE (?:<class ')?([\w.]+)`),
	pattern.New(`\b([\w.]+) not raised\b`),
	pattern.New(`Missing expected exception(?: \((\w+)\))?`),
	pattern.New(`Expected constructor: (\w+)`),
	pattern.New(`(?:Received function did not throw|to throw (?:an? )?(\w+))`),
	pattern.New(`Expected ([\w.]+) to be thrown, but nothing was thrown`),
	pattern.New(`Expected exception: ([\w.]+)`),
}

// anyError is what a test waits for that does not say which: JavaScript's own.
const anyError = "Error"

// demanded are the exceptions that tests waited for and that never came, without the packages they are in.
func demanded(failing []diag.Diagnostic) (names []string) {
	for _, d := range failing {
		for _, says := range unraised {
			for _, m := range says.FindAllStringSubmatch(d.Message+"\n"+d.Detail, -1) {
				name := lastWord(m[1])
				if name == "" || name == "error" {
					name = anyError
				}
				if !slices.Contains(names, name) {
					names = append(names, name)
				}
			}
		}
	}
	return names
}

// anException is the name of an exception in a text for people.
var anException = pattern.New(`\b[A-Z]\w*(?:Error|Exception)\b`)

// refusal is an exception that a function may have to refuse something with.
type refusal struct {
	name   string
	weight float64
}

// refusals are those that failing tests wait for, that the function's documentation names, and that it raises elsewhere, the likelier first.
func (s *site) refusals() (out []refusal) {
	fn := s.Function()
	add := func(name string, weight float64) {
		if name != "" && !slices.ContainsFunc(out, func(r refusal) bool { return r.name == name }) {
			out = append(out, refusal{name, weight})
		}
	}
	for _, name := range s.unit.demanded {
		if name != anyError || s.fact().Silent {
			add(name, demandedBy)
		}
	}
	for _, name := range anException.FindAllString(documentation(fn), -1) {
		add(name, namedInText)
	}
	for n := range fn.Own() {
		if made := n.Kid(code.Value); n.Is(code.Raise) && made != nil {
			add(cmp.Or(made.Calls(), raised(made)), elsewhere)
		}
	}
	return out[:min(len(out), mostRefusals)]
}

// raised is the name of the exception that a program makes with new, or names.
func raised(made *code.Node) string {
	return anException.FindString(firstOf(made.Text()))
}

// refuse spells a statement that raises an exception; empty where the language has none.
func (s *site) refuse(name, reason string) string {
	mark := s.mark()
	reason = mark + strings.NewReplacer(`\`, `\\`, mark, `\`+mark, "\n", " ").Replace(reason) + mark
	switch s.fact().Family {
	case "Python":
		return "raise " + name + "(" + reason + ")"
	case "Go":
		return ""
	}
	return s.statement("throw new " + name + "(" + reason + ")")
}

// refusing are the statements that leave the function with an error in a case: exceptions, or in Go what it gives back with its other errors.
func (s *site) refusing(cond string) (out []ingredient) {
	if s.fact().Family == "Go" {
		return s.errorsGiven()
	}
	for _, r := range s.refusals() {
		out = append(out, ingredient{text: s.refuse(r.name, cond), weight: r.weight})
	}
	return out
}

// errorsGiven are what a function of Go's gives back with an error elsewhere, and the same with the errors of the file that it does not name.
func (s *site) errorsGiven() (out []ingredient) {
	known := map[string]bool{}
	for _, v := range s.Scope() {
		known[v.Name] = true
	}
	add := func(text string, weight float64) {
		if len(out) < mostRefusals && !slices.ContainsFunc(out, func(o ingredient) bool { return o.text == text }) {
			out = append(out, ingredient{text: text, weight: weight})
		}
	}
	for n := range s.Function().Own() {
		values := n.All(code.Value)
		if !n.Is(code.Return) || len(values) < 2 || strings.Contains(n.Text(), "\n") {
			continue
		}
		last := values[len(values)-1]
		for _, v := range s.Scope() {
			if strings.HasPrefix(v.Name, "Err") && v.Kind == code.Global && !mentions(s.Function().Text(), v.Name) && !last.Is(code.Null) {
				add(n.Text()[:last.Start-n.Start]+v.Name, demandedBy)
			}
		}
		ours := !last.Is(code.Null)
		for k := range n.Walk() {
			ours = ours && (k.Role != code.Name || k.Part == code.Callee || known[k.Name])
		}
		if ours {
			add(n.Text(), namedInText)
		}
	}
	return out
}
