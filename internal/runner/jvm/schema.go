package jvm

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"fettle/internal/edit"
	"fettle/internal/syntax"
)

// A schema is one source that holds many candidates at once. Each function that some candidate changes is kept, and at the end of its class
// stands one copy for each candidate with the change made; the kept one begins with a switch that goes on in the copy whose number was
// asked for. A constructor's copy is a method with what stands behind its call of another constructor.
//
// Copies are marked by the letters "fettle$17$" in their names, by which Java's side leaves out those of other candidates.
type schema struct {
	source  *source
	asked   bool // its methods tell what they are called with, and can be called from outside
	funcs   []*function
	written []stretch
	text    string
}

// function is a method or constructor that can be copied.
type function struct {
	decl        syntax.Node
	constructor bool
	void        bool
	name        syntax.Node
	params      []string
	from, to    int // of what can be changed: the body, without braces, behind a call of another constructor
	home        int // the closing brace of its class
	number      int // in F.on; negative: nobody changes it yet
	copies      []fork
}

// fork is one candidate's copy of a function.
type fork struct {
	id   int
	text string
}

// stretch says which candidate's copy some bytes of the written text are.
type stretch struct{ id, from, to int }

// newSchema finds the functions of a source. Those inside other functions belong to those.
func newSchema(s *source) *schema {
	out := &schema{source: s}
	for n, skip := range s.tree.Root().Walk() {
		if !n.Is("method_declaration", "constructor_declaration") {
			continue
		}
		skip()
		if f := newFunction(n); f != nil {
			out.funcs = append(out.funcs, f)
		}
	}
	return out
}

func newFunction(n syntax.Node) *function {
	body, home := n.Child("body"), n.Parent()
	if body.IsZero() || home.IsZero() {
		return nil
	}
	if home.Is("enum_body_declarations") {
		home = home.Parent()
	}
	f := &function{
		decl: n, constructor: n.Is("constructor_declaration"), name: n.Child("name"), number: -1,
		from: bodyStart(body), to: body.End() - 1, home: home.End() - 1,
	}
	f.void = f.constructor || n.Child("type").Text() == "void"
	if f.constructor && home.Parent().Is("record_declaration") {
		return nil // its fields can be given their values nowhere else
	}
	for p := range n.Child("parameters").NamedChildren() {
		switch p.Kind() {
		case "formal_parameter":
			f.params = append(f.params, p.Child("name").Text())
		case "spread_parameter":
			for c := range p.Find("variable_declarator") {
				f.params = append(f.params, c.Child("name").Text())
			}
		}
	}
	return f
}

// forkName is what a candidate's copy is called.
func (f *function) forkName(id string) string { return "fettle$" + id + "$" + f.name.Text() }

// header is the declaration up to its body, under another name, without annotations: they may say what holds for the name alone.
func (f *function) header(name string) string {
	src := f.decl.Tree().Source()
	body := f.decl.Child("body")
	if !f.constructor {
		changes := []edit.Edit{{Start: f.name.Start(), End: f.name.End(), New: []byte(name)}}
		for c := range modifiers(f.decl).NamedChildren() {
			if c.Is("marker_annotation", "annotation") {
				changes = append(changes, edit.Edit{Start: c.Start(), End: c.End()})
			}
		}
		return splice(src, f.decl.Start(), body.Start(), changes)
	}
	var b strings.Builder
	b.WriteString("private ")
	b.WriteString(f.decl.Child("type_parameters").Text())
	b.WriteString(" void " + name + f.decl.Child("parameters").Text() + " ")
	for c := range f.decl.NamedChildren() {
		if c.Is("throws") {
			b.WriteString(c.Text() + " ")
		}
	}
	return b.String()
}

// prepare makes a candidate's copies from its edits to this source. False means that some edit is in no function's body, or that the
// outcome is no Java: it is tried alone.
func (s *schema) prepare(ctx context.Context, id int, edits []edit.Edit) (map[*function]string, bool, error) {
	by := map[*function][]edit.Edit{}
	for _, e := range edits {
		i := slices.IndexFunc(s.funcs, func(f *function) bool { return f.from <= e.Start && e.End <= f.to })
		if i < 0 {
			return nil, false, nil
		}
		by[s.funcs[i]] = append(by[s.funcs[i]], e)
	}
	out := map[*function]string{}
	for f, es := range by {
		const open, shut = "class X{", "}"
		text := f.header(f.forkName(itoa(id))) + "{" + splice(s.source.tree.Source(), f.from, f.to, es) + "}"
		t, err := syntax.Parse(ctx, syntax.Java, []byte(open+text+shut))
		if err != nil {
			return nil, false, fmt.Errorf("candidate %d: %w", id, err)
		}
		if t.Root().HasError() {
			return nil, false, nil
		}
		out[f] = splice(t.Source(), len(open), len(open)+len(text), steps(t.Root()))
	}
	return out, true, nil
}

// drop takes a candidate out again.
func (s *schema) drop(id int) {
	for _, f := range s.funcs {
		f.copies = slices.DeleteFunc(f.copies, func(c fork) bool { return c.id == id })
	}
}

// write makes the whole text with every copy in it.
func (s *schema) write() {
	changes := steps(s.source.tree.Root())
	type block struct {
		f     *function
		text  string
		marks []stretch
	}
	homes := map[int][]block{}
	var order []int
	unfinal := map[int]syntax.Node{}
	for _, f := range s.funcs {
		if len(f.copies) == 0 {
			continue
		}
		b := block{f: f}
		var text strings.Builder
		text.WriteString(f.picks())
		if s.asked && !f.constructor {
			changes = append(changes, insertion(f.from, f.told()))
			text.WriteString(f.question())
		} else {
			changes = append(changes, insertion(f.from, f.dispatch()))
		}
		for _, c := range f.copies {
			from := text.Len()
			text.WriteString(c.text)
			b.marks = append(b.marks, stretch{c.id, from, text.Len()})
			text.WriteByte('\n')
		}
		b.text = text.String()
		if homes[f.home] == nil {
			order = append(order, f.home)
		}
		homes[f.home] = append(homes[f.home], b)
		if f.constructor {
			unfinal[f.home] = f.decl.Parent()
		}
	}
	for _, body := range unfinal {
		changes = append(changes, withoutFinal(body)...)
	}
	slices.Sort(order)
	var out strings.Builder
	s.written = s.written[:0]
	at := 0
	for _, home := range order {
		out.WriteString(splice(s.source.tree.Source(), at, home, within(changes, at, home)))
		out.WriteByte('\n')
		for _, b := range homes[home] {
			for _, m := range b.marks {
				s.written = append(s.written, stretch{m.id, out.Len() + m.from, out.Len() + m.to})
			}
			out.WriteString(b.text)
		}
		at = home
	}
	out.WriteString(splice(s.source.tree.Source(), at, len(s.source.data), within(changes, at, len(s.source.data))))
	s.text = out.String()
}

// within are the changes between two places.
func within(changes []edit.Edit, from, to int) []edit.Edit {
	var out []edit.Edit
	for _, c := range changes {
		if from <= c.Start && c.End <= to && (c.Start < to || c.End > c.Start) {
			out = append(out, c)
		}
	}
	return out
}

// withoutFinal lets the fields of a class that its constructors give their values be given them in a copy, which is no constructor.
func withoutFinal(body syntax.Node) []edit.Edit {
	var out []edit.Edit
	for n := range body.NamedChildren() {
		if !n.Is("field_declaration") || isStatic(n) {
			continue
		}
		blank := false
		for c := range n.NamedChildren() {
			blank = blank || c.Is("variable_declarator") && c.Child("value").IsZero()
		}
		for c := range modifiers(n).Children() {
			if blank && c.Kind() == "final" {
				out = append(out, edit.Edit{Start: c.Start(), End: c.End(), New: []byte("     ")})
			}
		}
	}
	return out
}

// candidateAt is the candidate in whose copy this byte of the written text stands.
func (s *schema) candidateAt(at int) (id int, ok bool) {
	for _, w := range s.written {
		if w.from <= at && at <= w.to {
			return w.id, true
		}
	}
	return 0, false
}

// call is a call of a copy, and the return from it.
func (f *function) call(name string) string {
	text := name + "(" + strings.Join(f.params, ", ") + ");"
	if f.void {
		return "{ " + text + " return; }"
	}
	return "return " + text
}

func (f *function) dispatch() string {
	return fmt.Sprintf("if (fettle_jvm.F.on[%d] != 0) %s", f.number, f.call(f.forkName("pick")))
}

// told is a dispatch that tells what the method is called with, and what came of it.
func (f *function) told() string {
	self := "this"
	if isStatic(f.decl) {
		self = "null"
	}
	arguments := strings.Join(f.params, ", ")
	heard := fmt.Sprintf("Object fettle$call = fettle_jvm.Calls.listens() ? fettle_jvm.Calls.hear(%d, java.lang.invoke.MethodHandles.lookup(), %s, new Object[] {%s}) : null; ",
		f.number, self, arguments)
	call := f.forkName("pick") + "(" + arguments + "); "
	if f.void {
		call += "fettle_jvm.Calls.told(fettle$call); return; "
	} else {
		call = f.decl.Child("type").Text() + " fettle$result = " + call + "fettle_jvm.Calls.told(fettle$call, fettle$result); return fettle$result; "
	}
	return fmt.Sprintf("if (fettle_jvm.F.on[%d] != 0) { %s}", f.number, heard+call)
}

// question is a method of its own name that does what the method does.
func (f *function) question() string {
	return f.header(f.forkName("ask"+itoa(f.number))) + "{ " + f.call(f.forkName("pick")) + " }\n"
}

// picked is how many copies one method chooses from. Machines do not optimize methods that are very large.
const picked = 64

// picks are the methods that go on in the copy that is asked for. They stand outside of the kept function, which stays small.
func (f *function) picks() string {
	var b strings.Builder
	on := fmt.Sprintf("fettle_jvm.F.on[%d]", f.number)
	const unknown = ` throw new IllegalStateException("no such copy"); }` + "\n"
	var chunks [][]fork
	for c := range slices.Chunk(f.copies, picked) {
		chunks = append(chunks, c)
	}
	if len(chunks) > 1 {
		b.WriteString(f.header(f.forkName("pick")) + "{")
		for i, c := range chunks {
			fmt.Fprintf(&b, " if (%s <= %d) %s", on, c[len(c)-1].id, f.call(f.forkName("pick"+itoa(i))))
		}
		b.WriteString(unknown)
	}
	for i, c := range chunks {
		name := "pick"
		if len(chunks) > 1 {
			name += itoa(i)
		}
		b.WriteString(f.header(f.forkName(name)) + "{ switch (" + on + ") {")
		for _, k := range c {
			fmt.Fprintf(&b, " case %d: %s", k.id, f.call(f.forkName(itoa(k.id))))
		}
		b.WriteString(" }" + unknown)
	}
	return b.String()
}
