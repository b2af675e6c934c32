package names

import (
	"strings"

	"fettle/internal/pattern"
	"fettle/internal/syntax"
)

// python walks a source of Python.
type python struct {
	*source
	module string // the file's name, without its ending
	later  bool   // annotations are texts: from __future__ import annotations
}

// read walks a whole file.
func (p *python) read(root syntax.Node) {
	for n := range root.Find("future_import_statement") {
		p.later = p.later || strings.Contains(n.Text(), "annotations")
	}
	p.kids(root, p.root)
}

func (p *python) kids(n syntax.Node, in *scope) {
	for c := range n.NamedChildren() {
		p.walk(c, in)
	}
}

// walk collects what a node binds and reads in a scope.
func (p *python) walk(n syntax.Node, in *scope) {
	switch n.Kind() {
	case "identifier":
		p.name(n, in)
	case "function_definition", "lambda":
		p.function(n, in)
	case "class_definition":
		p.class(n, in)
	case "list_comprehension", "set_comprehension", "dictionary_comprehension", "generator_expression":
		p.kids(n, p.inside(in, block))
	case "for_in_clause", "for_statement", "augmented_assignment":
		p.assigned(n, in)
	case "assignment":
		p.assignment(n, in)
	case "named_expression":
		p.hoist(in, n.Child("name").Text())
		p.walk(n.Child("value"), in)
	case "as_pattern_target", "case_pattern":
		p.target(n, in)
	case "type_alias_statement":
		p.all(n, in)
	case "try_statement":
		p.try(n, in)
	case "if_statement":
		p.version(n)
		p.kids(n, in)
	default:
		p.leaves(n, in)
	}
}

// leaves are the nodes that hold names which are no variables of their scope.
func (p *python) leaves(n syntax.Node, in *scope) {
	switch n.Kind() {
	case "import_statement", "import_from_statement":
		p.imported(n, in)
	case "future_import_statement", "nonlocal_statement", "comment", "string_content":
	case "global_statement":
		for id := range n.Find("identifier") {
			in.outer[id.Text()] = true
			p.bind(p.root, id.Text())
		}
	case "attribute":
		p.walk(n.Child("object"), in)
	case "keyword_argument":
		p.walk(n.Child("value"), in)
	case "exec_statement":
		p.open = true
	case "type":
		if !p.later {
			p.kids(n, in)
		}
	default:
		p.kids(n, in)
	}
}

// makers of names are functions by which a name can come to be without a statement that shows it.
var pythonMakers = map[string]bool{"exec": true, "globals": true, "__builtins__": true, "builtins": true, "execfile": true}

func (p *python) name(n syntax.Node, in *scope) {
	if pythonMakers[n.Text()] {
		p.open = true
	}
	p.use(in, n)
}

// function reads decorators, defaults and annotations where the function stands, and the rest in a scope of its own.
func (p *python) function(n syntax.Node, in *scope) {
	p.bind(in, n.Child("name").Text())
	around := p.inside(in, block)
	for t := range n.Find("type_parameter") {
		if t.Parent() == n {
			p.all(t, around)
		}
	}
	own := p.inside(around, function)
	for c := range n.Child("parameters").NamedChildren() {
		p.parameter(c, around, own)
	}
	p.walk(n.Child("return_type"), around)
	p.walk(n.Child("body"), own)
}

func (p *python) parameter(n syntax.Node, around, own *scope) {
	if n.Is("default_parameter", "typed_default_parameter") {
		p.target(n.Child("name"), own)
		p.walk(n.Child("type"), around)
		p.walk(n.Child("value"), around)
		return
	}
	if n.Is("typed_parameter") {
		for c := range n.NamedChildren() {
			if c.Field() == "type" {
				p.walk(c, around)
			} else {
				p.target(c, own)
			}
		}
		return
	}
	p.target(n, own)
}

func (p *python) class(n syntax.Node, in *scope) {
	p.bind(in, n.Child("name").Text())
	around := p.inside(in, block)
	if t := n.Child("type_parameters"); !t.IsZero() {
		p.all(t, around)
	}
	p.walk(n.Child("superclasses"), around)
	p.walk(n.Child("body"), p.inside(around, class))
}

// assigned reads loops and "+=": what stands left is bound, everything else read.
func (p *python) assigned(n syntax.Node, in *scope) {
	for c := range n.NamedChildren() {
		if c.Field() == "left" {
			p.target(c, in)
		} else {
			p.walk(c, in)
		}
	}
}

func (p *python) assignment(n syntax.Node, in *scope) {
	left := n.Child("left")
	p.target(left, in)
	if t := n.Child("type"); in.kind != function { // annotations of a function's own variables are not computed
		p.walk(t, in)
	}
	right := n.Child("right")
	if left.Text() == "__all__" && in == p.root && p.module != "__init__" && right.Is("list", "tuple") {
		p.exported(right, in)
	}
	p.walk(right, in)
}

// exported reads the names in __all__, which have to be there when somebody imports them all. What a package exports may be its modules.
func (p *python) exported(list syntax.Node, in *scope) {
	for s := range list.NamedChildren() {
		if s.Kind() != "string" {
			continue
		}
		for c := range s.Find("string_content") {
			p.use(in, c)
		}
	}
}

// target binds what is assigned to. The objects and indexes of targets are read.
func (p *python) target(n syntax.Node, in *scope) {
	switch n.Kind() {
	case "identifier":
		p.bind(in, n.Text())
	case "attribute", "subscript", "call":
		p.walk(n, in)
	default:
		for c := range n.NamedChildren() {
			p.target(c, in)
		}
	}
}

// all binds every name in a node.
func (p *python) all(n syntax.Node, in *scope) {
	for id := range n.Find("identifier") {
		p.bind(in, id.Text())
	}
}

func (p *python) imported(n syntax.Node, in *scope) {
	from := n.Child("module_name")
	for c := range n.NamedChildren() {
		switch {
		case c == from:
		case c.Is("wildcard_import"):
			p.open = true
		case c.Is("aliased_import"):
			p.bind(in, c.Child("alias").Text())
		default:
			name, _, _ := strings.Cut(c.Text(), ".")
			p.bind(in, strings.TrimSpace(name))
		}
	}
}

// try excuses names that the statement is there to miss: except NameError.
func (p *python) try(n syntax.Node, in *scope) {
	for c := range n.NamedChildren() {
		value := c.Child("value")
		if c.Kind() == "except_clause" && (value.IsZero() || strings.Contains(value.Text(), "NameError")) {
			for id := range n.Child("body").Find("identifier") {
				p.excused[id.Text()] = true
			}
		}
	}
	p.kids(n, in)
}

var asksVersion = pattern.New(`\bversion_info\b|\bPY[23]\b`)

// version excuses names that only some versions of the language have, in a statement that asks which one it is.
func (p *python) version(n syntax.Node) {
	if !asksVersion.MatchString(n.Child("condition").Text()) {
		return
	}
	for id := range n.Find("identifier") {
		p.excused[id.Text()] = true
	}
}
