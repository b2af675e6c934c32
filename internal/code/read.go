package code

import (
	"slices"
	"strings"

	"fettle/internal/syntax"
)

// rule says what a node of a grammar is. What a table cannot say stands in shape.
type rule struct {
	role     Role
	parts    map[string]Part // by field
	kids     Part            // of named children without a field
	bare     []string        // fields whose parentheses belong to the statement around
	through  bool            // it is nothing of its own: its children are its parent's
	keep     bool            // … and those without a part of their own get the one that the node itself would have
	leaf     bool            // nothing in it is looked at
	drop     bool            // it is nothing that could be changed
	declares bool
	shape    func(r *reader, n *Node, s syntax.Node)
}

// language is what is known of one.
type language struct {
	facts *Facts
	rules map[string]rule
	ops   map[string]Role // what a binary operator does; Arith, if it is not here
}

var languages = map[syntax.Lang]*language{
	syntax.Python:     python,
	syntax.Go:         golang,
	syntax.JavaScript: javascript,
	syntax.TypeScript: typescript,
	syntax.TSX:        typescript,
	syntax.Java:       java,
}

type reader struct {
	file *File
	lang *language
}

func newReader(f *File, l *language) *reader { return &reader{f, l} }

func (r *reader) read(root syntax.Node) *Node {
	n := r.node(root, nil, None)
	settle(n)
	return n
}

// settle orders kids by place, since some were made of parts.
func settle(n *Node) {
	slices.SortStableFunc(n.Kids, func(a, b *Node) int { return a.Start - b.Start })
	for _, k := range n.Kids {
		k.Parent = n
		settle(k)
	}
}

// node makes a node of one of the grammar's, and of what it holds.
func (r *reader) node(s syntax.Node, parent *Node, part Part) *Node {
	rule := r.lang.rules[s.Kind()]
	n := &Node{Role: rule.role, Part: part, Declares: rule.declares, Start: s.Start(), End: s.End(), Parent: parent, File: r.file}
	if n.Role == Name || n.Role == Member {
		n.Name = s.Text()
		return n
	}
	if !rule.leaf {
		r.children(s, n, rule, None)
	}
	if rule.shape != nil {
		rule.shape(r, n, s)
	}
	if n.Role == Arith && n.Op != "" {
		if role, ok := r.lang.ops[n.Op]; ok {
			n.Role = role
		}
	}
	return n
}

// children takes in what a grammar's node holds.
func (r *reader) children(s syntax.Node, n *Node, own rule, inherited Part) {
	for c := range s.Children() {
		if c.IsExtra() || c.IsMissing() {
			continue
		}
		field := c.Field()
		if !c.Named() {
			r.sign(c, n, field)
			continue
		}
		part, known := own.parts[field]
		if !known {
			part = own.kids
			if part == None {
				part = inherited
			}
		}
		if slices.Contains(own.bare, field) && c.Is("parenthesized_expression") {
			c = inner(c)
		}
		rule := r.lang.rules[c.Kind()]
		if rule.drop || rule.role == TypeRef && part != Callee && part != Right {
			continue
		}
		if rule.through {
			if !rule.keep {
				part = None
			}
			r.children(c, n, rule, part)
			continue
		}
		n.Kids = append(n.Kids, r.node(c, n, part))
	}
}

// sign takes in a keyword or a sign: the operator of what is an operation.
func (r *reader) sign(c syntax.Node, n *Node, field string) {
	switch n.Role {
	case Compare, Arith, Logic, Not, Unary, Assign, Step:
	default:
		return
	}
	if field == "operator" || field == "operators" || n.OpEnd == 0 && operators[c.Kind()] {
		n.Op, n.OpStart, n.OpEnd = strings.Join(strings.Fields(c.Text()), " "), c.Start(), c.End()
	}
}

// operators are signs that grammars do not name as such.
var operators = map[string]bool{
	"not": true, "++": true, "--": true, "=": true, ":=": true, "instanceof": true, "in": true, "-": true, "+": true, "!": true, "~": true,
}

// inner is what stands in parentheses.
func inner(s syntax.Node) syntax.Node {
	for c := range s.NamedChildren() {
		if !c.IsExtra() {
			return c
		}
	}
	return s
}

// add makes a node of a child that has no place of its own in the grammar.
func (r *reader) add(n *Node, role Role, part Part, s syntax.Node) *Node {
	k := &Node{Role: role, Part: part, Start: s.Start(), End: s.End(), Parent: n, File: r.file}
	if role == Name || role == Member {
		k.Name = s.Text()
	}
	n.Kids = append(n.Kids, k)
	return k
}

// named takes the name of what is declared.
func named(_ *reader, n *Node, s syntax.Node) { n.Name = s.Child("name").Text() }

// attribute makes the name after the dot a Member.
func attribute(field string) func(*reader, *Node, syntax.Node) {
	return func(r *reader, n *Node, s syntax.Node) {
		m := s.Child(field)
		n.Name = m.Text()
		n.Kids = slices.DeleteFunc(n.Kids, func(k *Node) bool { return k.Start == m.Start() && k.End == m.End() })
		r.add(n, Member, Mem, m)
	}
}

// typed takes the declared type.
func typed(field string) func(*reader, *Node, syntax.Node) {
	return func(_ *reader, n *Node, s syntax.Node) {
		n.Type = strings.TrimSpace(strings.TrimPrefix(s.Child(field).Text(), ":"))
	}
}

// all does one after the other.
func all(fs ...func(*reader, *Node, syntax.Node)) func(*reader, *Node, syntax.Node) {
	return func(r *reader, n *Node, s syntax.Node) {
		for _, f := range fs {
			f(r, n, s)
		}
	}
}
