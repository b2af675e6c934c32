package jvm

import (
	"slices"
	"strings"

	"fettle/internal/edit"
	"fettle/internal/runner"
	"fettle/internal/syntax"
)

// What is woven into sources; the class is serve/F.java. Nothing of it has a line break, so that lines stay what they are.
const (
	stepCall = "fettle_jvm.F.step();"
	exitHome = "fettle_jvm.F"
)

func insertion(at int, text string) edit.Edit {
	return edit.Edit{Start: at, End: at, New: []byte(text)}
}

// steps are the edits that count steps at the start of every loop's, function's and lambda's body, and that take over the calls which end
// the machine.
func steps(root syntax.Node) []edit.Edit {
	var out []edit.Edit
	for n := range root.Find("method_declaration", "constructor_declaration", "compact_constructor_declaration", "lambda_expression",
		"while_statement", "do_statement", "for_statement", "enhanced_for_statement", "method_invocation") {
		if n.Is("method_invocation") {
			out = append(out, takeExit(n)...)
			continue
		}
		body := n.Child("body")
		switch {
		case body.Is("block", "constructor_body"):
			out = append(out, insertion(bodyStart(body), stepCall))
		case body.IsZero() || n.Is("lambda_expression"):
		default: // a loop around a single statement
			out = append(out, insertion(body.Start(), "{"+stepCall), insertion(body.End(), "}"))
		}
	}
	return out
}

// bodyStart is where the first statement of a block may stand: behind its brace, and behind a call of another constructor.
func bodyStart(body syntax.Node) int {
	if call := explicitCall(body); !call.IsZero() {
		return call.End()
	}
	return body.Start() + 1
}

// explicitCall is the this(…) or super(…) of a constructor.
func explicitCall(body syntax.Node) syntax.Node {
	for c := range body.NamedChildren() {
		if c.Is("explicit_constructor_invocation") {
			return c
		}
	}
	return syntax.Node{}
}

func takeExit(call syntax.Node) []edit.Edit {
	object := call.Child("object")
	switch name := call.Child("name").Text(); {
	case name == "exit" && (object.Text() == "System" || object.Text() == "java.lang.System"),
		(name == "exit" || name == "halt") && strings.HasSuffix(object.Text(), "Runtime.getRuntime()"):
		return []edit.Edit{{Start: object.Start(), End: object.End(), New: []byte(exitHome)}}
	}
	return nil
}

// probes numbers the places of sources and weaves in what tells that they were reached.
type probes struct {
	places []runner.Lines
}

func (p *probes) call(file string, from, to int) string {
	p.places = append(p.places, runner.Lines{File: file, Line: from, EndLine: max(from, to)})
	return "fettle_jvm.F.hit(" + itoa(len(p.places)-1) + ");"
}

// weave are the edits that tell of every statement in a source, and of every field's first value.
func (p *probes) weave(file string, root syntax.Node) []edit.Edit {
	var out []edit.Edit
	for n := range root.Find("block", "constructor_body", "switch_block_statement_group", "field_declaration",
		"if_statement", "while_statement", "do_statement", "for_statement", "enhanced_for_statement") {
		switch {
		case n.Is("field_declaration"):
			out = append(out, p.field(file, n)...)
		case n.Is("block", "constructor_body", "switch_block_statement_group"):
			for c := range n.NamedChildren() {
				if isStatement(c) {
					from, to := statementLines(c)
					out = append(out, insertion(c.Start(), p.call(file, from, to)))
				}
			}
		default:
			for _, part := range []string{"consequence", "alternative", "body"} {
				if c := n.Child(part); !c.IsZero() && !c.Is("block") {
					from, to := statementLines(c)
					out = append(out, insertion(c.Start(), "{"+p.call(file, from, to)), insertion(c.End(), "}"))
				}
			}
		}
	}
	return out
}

func isStatement(n syntax.Node) bool {
	return !n.IsExtra() && !n.Is("line_comment", "block_comment", "switch_label", "explicit_constructor_invocation", "class_declaration", "record_declaration",
		"interface_declaration", "enum_declaration")
}

// statementLines are the lines that run when a statement is reached: of one that holds others its head.
func statementLines(n syntax.Node) (from, to int) {
	r := n.Range()
	from, to = r.Start.Line, r.End.Line
	for _, part := range []string{"consequence", "body"} {
		if c := n.Child(part); c.Is("block", "switch_block") {
			return from, min(to, c.Range().Start.Line)
		} else if !c.IsZero() {
			return from, min(to, max(from, c.Range().Start.Line-1))
		}
	}
	for c := range n.Find("block", "class_body", "switch_block") {
		return from, min(to, c.Range().Start.Line)
	}
	return from, to
}

// field tells of a field's first value, in a block of its own beside it, where one may stand.
func (p *probes) field(file string, n syntax.Node) []edit.Edit {
	home := n.Parent()
	if !home.Is("class_body", "enum_body_declarations") || home.Parent().Is("record_declaration") {
		return nil
	}
	valued := false
	for c := range n.NamedChildren() {
		valued = valued || c.Is("variable_declarator") && !c.Child("value").IsZero()
	}
	static := isStatic(n)
	if !valued || static && !mayBeStatic(home.Parent()) {
		return nil
	}
	from, to := statementLines(n)
	word := "{"
	if static {
		word = "static{"
	}
	return []edit.Edit{insertion(n.Start(), word+p.call(file, from, to)+"}")}
}

// mayBeStatic reports whether a class may have static blocks in every version of Java: inner classes may not.
func mayBeStatic(class syntax.Node) bool {
	for !class.IsZero() && !class.Is("class_declaration", "enum_declaration", "object_creation_expression", "enum_constant") {
		class = class.Parent()
	}
	return class.Is("enum_declaration") || class.Is("class_declaration") && (class.Parent().Is("program") || isStatic(class))
}

// isStatic reports whether a declaration says so.
func isStatic(n syntax.Node) bool {
	for c := range modifiers(n).Children() {
		if c.Kind() == "static" {
			return true
		}
	}
	return false
}

func modifiers(n syntax.Node) syntax.Node {
	for c := range n.NamedChildren() {
		if c.Is("modifiers") {
			return c
		}
	}
	return syntax.Node{}
}

// splice gives src[from:to] with changes made. Those that lie inside what another one replaces fall away with it.
func splice(src string, from, to int, changes []edit.Edit) string {
	slices.SortStableFunc(changes, func(a, b edit.Edit) int { return a.Start - b.Start })
	var out strings.Builder
	at := from
	for _, c := range changes {
		if c.Start < at || c.End > to {
			continue
		}
		out.WriteString(src[at:c.Start])
		out.Write(c.New)
		at = c.End
	}
	out.WriteString(src[at:to])
	return out.String()
}
