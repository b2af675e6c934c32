package code

import (
	"slices"
	"strings"

	program "fettle/internal/code"
	"fettle/internal/pattern"
)

// Pages that read along: what somebody types or sends in a form goes to another machine, and the page goes on as if nothing was.

var (
	// typing are events of what somebody types, and sends.
	typing = set("submit keydown keypress keyup input change paste beforeinput blur")
	// reads matches what is read of fields or keys.
	reads = pattern.New(`\.value\b|\.key\b|\.keyCode\b|\.code\b|\.which\b|FormData\b|\.elements\b|clipboardData|\.data\b`)
	// prevents matches what takes the place of sending a form: then the page does not go on by itself.
	prevents = pattern.New(`preventDefault\(`)
	// everyone matches what hears all of a page, and secretFields fields that nobody else may read.
	everyone     = pattern.New(`^(document|window|globalThis|self|top|document\.(body|documentElement)|document\.forms.*|\$\((document|window|'form'|"form")\))$`)
	fields       = pattern.New(`querySelectorAll\(|getElementsBy(TagName|ClassName|Name)\(|document\.forms|\.elements\b`)
	secretFields = pattern.New(`(?i)passw|card_?(num|holder)?|\bcvc|\bcvv|\bpin\b|\botp\b|\bssn\b|iban|secret`)
	abroad       = pattern.New(`^(https?:)?//[\w-]`)
)

// skims judges a listener of what somebody types that sends it away.
func (s *scan) skims(n *program.Node) *hit {
	callee, args := n.Kid(program.Callee), n.All(program.Arg)
	if !s.isScript() || len(args) < 2 || !callee.Is(program.Name, program.Attr) || callee.Name != "addEventListener" && callee.Name != "on" && callee.Name != "addEvent" {
		return nil
	}
	event := s.eval(args[0], 0).text
	listener := args[1]
	if callee.Name == "on" && len(args) > 2 { // jQuery's of what stands in something
		listener = args[len(args)-1]
	}
	return s.skimming(event, callee.Kid(program.Object), listener)
}

// skimming judges a function that is called at an event of something.
func (s *scan) skimming(events string, of, listener *program.Node) *hit {
	f := s.written(listener)
	heard := false
	for event := range strings.FieldsSeq(events) {
		event, _, _ = strings.Cut(event, ".")
		heard = heard || typing[event]
	}
	if !heard || !f.Is(program.Function) {
		return nil
	}
	text := s.reached(f, make(map[*program.Node]bool))
	if !reads.MatchString(text) || prevents.MatchString(text) || !s.ofEveryField(of) && !secretFields.MatchString(of.Text()+text) {
		return nil
	}
	if s.sendsAway(f, make(map[*program.Node]bool)) || s.emptied(f) {
		return &hit{Secrets, Danger, "what is typed is sent away"}
	}
	return nil
}

// ofEveryField reports what hears all that is typed into a page: all of it, or each of its fields.
func (s *scan) ofEveryField(n *program.Node) bool {
	return n == nil || everyone.MatchString(n.Text()) || slices.ContainsFunc(s.flowsInto(n), func(f flow) bool { return f.node != nil && fields.MatchString(f.node.Text()) })
}

// reached is the text of a function with those of the file that it calls.
func (s *scan) reached(f *program.Node, seen map[*program.Node]bool) string {
	seen[f] = true
	texts := []string{f.Text()}
	for n := range f.Walk() {
		if g := s.runsOf(n); g != nil && !seen[g] && len(seen) < 8 {
			texts = append(texts, s.reached(g, seen))
		}
	}
	return strings.Join(texts, "\n")
}

// runsOf is the function of the file that a call carries out, also one that stands for a parameter where nothing is given.
func (s *scan) runsOf(n *program.Node) *program.Node {
	if n.Role != program.Call {
		return nil
	}
	if g := s.carriedOut(n); g != nil {
		return g
	}
	callee := n.Kid(program.Callee)
	if !callee.Is(program.Name) {
		return nil
	}
	for f := n.Function(); f != nil; f = outer(f) {
		for _, p := range f.All(program.Params) {
			if v := p.Kid(program.Value); variable(p).Name == callee.Name && v.Is(program.Function) {
				return v
			}
		}
	}
	return nil
}

// sendsAway reports a function that sends something to another machine and waits for no answer, by itself or by others of the file.
func (s *scan) sendsAway(f *program.Node, seen map[*program.Node]bool) bool {
	if seen[f] || len(seen) > 8 {
		return false
	}
	seen[f] = true
	for n := range f.Walk() {
		if s.posts(n) {
			return true
		}
		if g := s.runsOf(n); g != nil && s.sendsAway(g, seen) {
			return true
		}
	}
	return false
}

// emptied reports a function that gathers something which another one around it sends away.
func (s *scan) emptied(f *program.Node) bool {
	gathered := make(map[string]bool)
	for n := range f.Walk() {
		switch object := n.Kid(program.Callee).Kid(program.Object); {
		case n.Role == program.Call && growers[n.Calls()] && object.Is(program.Name):
			gathered[object.Name] = true
		case n.Role == program.Assign && n.Op == "+=" && n.Kid(program.Target).Is(program.Name):
			gathered[n.Kid(program.Target).Name] = true
		}
	}
	for g := range s.outermost(f).Walk() {
		if g.Role != program.Function || g == f || g.Holds(f.Start, f.End) {
			continue
		}
		for n := range g.Walk() {
			if n.Role == program.Name && gathered[n.Name] && s.sendsAway(g, make(map[*program.Node]bool)) {
				return true
			}
		}
	}
	return false
}

// posts reports what sends something to an address of another machine.
func (s *scan) posts(n *program.Node) bool {
	var to *program.Node
	switch {
	case n.Role == program.Assign && n.Kid(program.Target).Is(program.Attr) && n.Kid(program.Target).Name == "src":
		to = n.Kid(program.Value)
	case n.Role != program.Call:
		return false
	case n.Calls() == "sendBeacon":
		to = n.Kid(program.Arg)
	case n.Calls() == "open" && len(n.All(program.Arg)) > 1:
		to = n.All(program.Arg)[1]
	case s.eval(n.Kid(program.Callee), 0).path == "fetch" && unanswered(n), n.Calls() == "WebSocket":
		to = n.Kid(program.Arg)
	}
	return to != nil && abroad.MatchString(s.eval(to, 0).text)
}

// unanswered reports a call of whose answer nothing is made.
func unanswered(n *program.Node) bool {
	for up := n.Parent; up != nil; up = up.Parent {
		switch {
		case up.Is(program.Eval), up.Is(program.Function):
			return true
		case up.Is(program.Attr) && up.Name != "catch" && up.Name != "finally":
			return false
		case !up.Is(program.Attr, program.Call, program.Wait, program.Unary, program.Logic, program.Group, program.Other):
			return false
		}
	}
	return true
}
