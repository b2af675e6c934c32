package complaint

import (
	"slices"
	"strings"

	"fettle/internal/code"
	"fettle/internal/edit"
	"fettle/internal/pattern"
	"fettle/internal/syntax"
)

// declarations are how the languages' grammars call what makes a name that can go with all that it holds.
var declarations = map[string][]string{
	"JavaScript": {"function_declaration", "generator_function_declaration", "class_declaration", "method_definition", "field_definition"},
	"TypeScript": {
		"function_declaration", "generator_function_declaration", "class_declaration", "abstract_class_declaration", "interface_declaration", "type_alias_declaration",
		"enum_declaration", "method_definition", "public_field_definition",
	},
	"Go": {"function_declaration", "method_declaration", "type_spec", "type_alias", "const_spec", "var_spec", "field_declaration"},
}

// alone are those that may hold several of a declaration, or one.
var alone = []string{"type_declaration", "const_declaration", "var_declaration"}

// around is the smallest part of the grammar's of one of some kinds around the complaint's place; its Kind is empty if there is none.
func (b *bench) around(kinds ...string) syntax.Node {
	n := b.file.Tree.Enclosing(b.start, b.end)
	for ; !n.IsZero() && !n.Is(kinds...); n = n.Parent() {
	}
	return n
}

// dropDeclaration takes out a function, a type, a constant, a member that nobody uses, with what is written about it directly above.
func dropDeclaration(b *bench) {
	n := b.around(declarations[b.file.Facts.Name]...)
	if n.IsZero() || b.Name == "" {
		return
	}
	name := n.Child("name")
	if name.IsZero() {
		name = n.Child("property")
	}
	if name.Text() != b.Name || decorated(n) || n.Parent().Is("program") && b.file.Facts.Name != "Go" && !isModule(b.file.Source) {
		return
	}
	if value := n.Child("value"); !value.IsZero() && !n.Is("type_alias_declaration") {
		if v := b.file.At(value.Start(), value.End()); v == nil || effective(v) {
			return
		}
	}
	n = whole(n)
	if n.IsZero() {
		return
	}
	if e, ok := b.takenOut(n); ok {
		b.propose(1, "nothing uses "+quote(b.Name), e)
	}
}

// whole is what goes with one of Go's declarations: the statement, if it declares nothing else. None: the others would have other values.
func whole(n syntax.Node) syntax.Node {
	group := n.Parent()
	if !group.Is(alone...) {
		group = group.Parent() // a list of variables
	}
	if !group.Is(alone...) {
		return n
	}
	specs := 0
	for range group.Find("type_spec", "type_alias", "const_spec", "var_spec") {
		specs++
	}
	switch {
	case specs == 1:
		return group
	case strings.Contains(group.Text(), "iota"), n.Is("const_spec") && n.Child("value").IsZero(), n.Next().Is("const_spec") && n.Next().Child("value").IsZero():
		return syntax.Node{}
	}
	return n
}

// isModule reports whether a source of JavaScript's keeps its names to itself: what a mere script declares others may use.
func isModule(src string) bool { return moduleWords.MatchString(src) }

var moduleWords = pattern.New(`(?m)^\s*(?:import|export)\b|\brequire\(|\bmodule\.exports\b|\bexports\.`)

// decorated reports whether somebody is told of a declaration where it is made.
func decorated(n syntax.Node) bool {
	for k := range n.Children() {
		if k.Is("decorator") {
			return true
		}
	}
	return n.Prev().Is("decorator") || n.Parent().Is("export_statement")
}

// takenOut is the edit that takes out a part that has its lines to itself, the comment directly above, and one of the empty lines around them.
func (b *bench) takenOut(n syntax.Node) (edit.Edit, bool) {
	src := b.file.Source
	start, end := n.Start(), n.End()
	for end < len(src) && src[end] == ';' {
		end++
	}
	for c := n.Prev(); c.Is("comment") && b.lineAt(c.End())+1 == b.lineAt(start) && blankBefore(src, c.Start()); c = c.Prev() {
		start = c.Start()
	}
	if !blankBefore(src, start) || strings.TrimSpace(restOfLine(src, end)) != "" {
		return edit.Edit{}, false
	}
	start, end = code.Lines(src, start, end)
	if start == 0 || strings.HasSuffix("\n"+src[:start], "\n\n") || strings.HasSuffix(strings.TrimRight(src[:start], " \t\r\n"), "{") {
		if i := strings.IndexByte(src[end:], '\n'); i >= 0 && strings.TrimSpace(src[end:end+i]) == "" {
			end += i + 1
		}
	}
	if strings.TrimSpace(src[end:]) == "" && strings.HasSuffix(src[:start], "\n\n") {
		start--
	}
	return replaced(start, end, ""), true
}

// lineAt is the line of a byte.
func (b *bench) lineAt(at int) int { return b.file.Tree.Position(at).Line }

// blankBefore reports whether nothing stands before a byte on its line.
func blankBefore(src string, at int) bool {
	return strings.TrimSpace(src[strings.LastIndexByte(src[:at], '\n')+1:at]) == ""
}

// restOfLine is what stands behind a byte on its line.
func restOfLine(src string, at int) string {
	rest, _, _ := strings.Cut(src[at:], "\n")
	return rest
}

// dropParameter takes out the last parameter of a function that is given to a call, which nobody misses; another one gets the name that says that
// nobody reads it.
func dropParameter(b *bench) {
	kinds := []string{"required_parameter", "optional_parameter", "identifier"}
	if b.file.Facts.Name == "Go" {
		kinds = []string{"parameter_declaration"}
	}
	p := b.around(kinds...)
	if p.Parent().Is(kinds...) {
		p = p.Parent()
	}
	list := p.Parent()
	if p.IsZero() || !list.Is("formal_parameters", "parameter_list") || p.Is("required_parameter", "optional_parameter") && p.Child("pattern").Text() != b.Name {
		return
	}
	fn, why := list.Parent(), "nothing reads "+quote(b.Name)
	for k := range p.Children() {
		if k.Is("accessibility_modifier", "readonly") {
			return // it is a field as well
		}
	}
	if list.Is("parameter_list") {
		b.propose(1, why, replaced(b.start, b.end, "_"))
		return
	}
	params := slices.Collect(list.NamedChildren())
	if fn.Is("arrow_function", "function_expression") && fn.Parent().Is("arguments") && params[len(params)-1] == p && len(params) > 1 {
		b.propose(1, why, replaced(params[len(params)-2].End(), p.End(), ""))
		return
	}
	b.propose(0.8, why, replaced(b.start, b.start, "_"))
}

// dropBinding takes one of the names out of a pattern of JavaScript's, and says of one of Python's loops that nobody reads it.
func dropBinding(b *bench) {
	why := "nothing reads " + quote(b.Name)
	if b.file.Facts.Name == "Python" {
		if b.at.Up(code.Each) != nil && (b.at.Part == code.Target || b.at.Parent.Part == code.Target) {
			b.propose(1, why, replaced(b.start, b.start, "_"))
		}
		return
	}
	n := b.around("shorthand_property_identifier_pattern", "pair_pattern", "identifier", "object_assignment_pattern")
	if n.Parent().Is("pair_pattern", "object_assignment_pattern") {
		n = n.Parent()
	}
	list := n.Parent()
	if n.IsZero() || !list.Is("object_pattern", "array_pattern") {
		if c := b.around("catch_clause"); !c.IsZero() && c.Child("parameter").Text() == b.Name {
			from, to := c.Child("parameter").Start(), c.Child("parameter").End()
			open, closing := strings.LastIndexByte(b.file.Source[:from], '('), strings.IndexByte(b.file.Source[to:], ')')
			if open < 0 || closing < 0 {
				return
			}
			rest := b.file.Source[to+closing+1:]
			b.propose(1, why, replaced(open, to+closing+1+len(rest)-len(strings.TrimLeft(rest, " ")), ""))
		}
		return
	}
	elems := slices.Collect(list.NamedChildren())
	if len(elems) < 2 || elems[len(elems)-1].Is("rest_pattern") && list.Is("object_pattern") {
		return // what is left of an object would be more
	}
	i := slices.Index(elems, n)
	switch {
	case i == len(elems)-1:
		b.propose(1, why, replaced(elems[i-1].End(), n.End(), ""))
	case list.Is("array_pattern"):
		b.propose(1, why, replaced(n.Start(), n.End(), ""))
	default:
		b.propose(1, why, replaced(n.Start(), elems[i+1].Start(), ""))
	}
}
