package code

import (
	"context"
	"slices"
	"strings"

	program "fettle/internal/code"
	"fettle/internal/policy/shell"
	"fettle/internal/syntax"
)

// scan is a look through a file, with what names mean where it looks.
type scan struct {
	*facts
	assumed map[*program.Node]map[string][]binding // what calls give to parameters, see inside
	values  answers[value]
	nested  int // calls in which this is
}

// facts are what is known of a file, whichever call in it is looked into.
type facts struct {
	ctx   context.Context
	file  *program.File
	rules *ruleset
	plain *scan    // that looks into no call
	lines []string // of the source; nil until it is asked

	names    map[*program.Node]map[string][]binding // by function; nil is the file
	dots     []string                               // packages whose names are known without theirs
	offers   map[*program.Node]map[string]binding   // by function: what its parameters stand for where a call says nothing else
	bound    bool                                   // all names are known
	bodies   map[string][]*program.Node             // functions of the file by their names
	classes  map[string]*program.Node               // and its classes
	ancestry map[string][]string                    // by class, those that it is made from, itself first
	descent  map[string][]string                    // the classes that are made from one; nil until it is asked
	targets  map[*program.Node]*program.Node        // the functions of the file that calls carry out
	types    map[*program.Node]map[string]string    // that are written for names; nil until it is asked
	links    *links                                 // of the functions and members of the file; nil until it is asked
	flows    *flows                                 // where values come from; nil until it is asked
	laid     map[string][]*program.Node             // what is put into tables, by their names; nil until it is asked

	mentioned map[string]bool        // whether functions are given to others, by their names
	secretive map[*program.Node]bool // whether functions are called where something must not be guessed
	archives  *bool                  // whether the file has to do with archives; nil until it is asked

	found   []Capability
	dumps   map[string]bool // functions that take the whole environment
	armed   map[string]bool // files that are made executable
	started []started       // programs that are started

	steps   int // that were made to answer whether a text is foreign
	entered int // expressions that were looked at inside of calls
}

func newScan(ctx context.Context, f *program.File, r *ruleset) *scan {
	s := &scan{values: newAnswers[value](), facts: &facts{
		ctx: ctx, file: f, rules: r,
		names: make(map[*program.Node]map[string][]binding), offers: make(map[*program.Node]map[string]binding), bodies: make(map[string][]*program.Node), classes: make(map[string]*program.Node),
		ancestry: make(map[string][]string), targets: make(map[*program.Node]*program.Node), mentioned: make(map[string]bool), secretive: make(map[*program.Node]bool),
		dumps: make(map[string]bool), armed: make(map[string]bool),
	}}
	s.plain = s
	s.bind()
	clear(s.values.known) // what was computed while names were still missing
	s.bound = true
	return s
}

// hit is what a rule says of a place.
type hit struct {
	class Class
	grade Grade
	name  string
}

func (s *scan) add(n *program.Node, h *hit) {
	if h != nil {
		s.found = append(s.found, Capability{Class: h.class, Grade: h.grade, Name: h.name, Function: function(n), Line: n.Line()})
	}
}

// function is the name of the function around a node, with those around it.
func function(n *program.Node) string {
	var names []string
	for at := n; at != nil; at = at.Parent {
		name := at.Name
		if at.Role == program.Function && name == "" && at.Parent.Is(program.Assign) {
			if t := at.Parent.Kid(program.Target); t != nil {
				name = t.Text()
			}
		}
		if at.Is(program.Function, program.Class) && name != "" {
			names = append([]string{name}, names...)
		}
	}
	return strings.Join(names, ".")
}

// look collects the capabilities of everything in a node.
func (s *scan) look(root *program.Node) {
	for n := range root.Walk() {
		if s.ctx.Err() != nil {
			return // nobody waits any more
		}
		switch n.Role {
		case program.Name, program.Attr, program.Index, program.TypeRef:
			s.mention(n)
		case program.Call:
			s.call(n)
			s.reaches(n)
			s.further(n)
		case program.Assign:
			s.set(n)
			s.answers(n)
		case program.Return:
			s.answers(n)
			s.add(n, s.answersWith(n))
		case program.Pair:
			s.pair(n)
		case program.Keyword:
			s.keyword(n)
		case program.Function:
			if h := s.rules.functions[n.Name]; h != nil {
				s.add(n, h)
			}
			if judge := s.rules.entries[n.Name]; judge != nil && n.Part == program.Elem {
				s.add(n, judge(s, n))
			}
			s.add(n, s.homemade(n))
			if s.rules.whole != nil {
				s.add(n, s.rules.whole(s, n))
			}
		case program.Compare:
			s.compared(n)
		case program.Arith:
			s.add(n, s.believes(n))
		case program.Str:
			s.spells(n)
			s.within(n)
		default: // does nothing by itself
		}
	}
}

// compared judges a comparison: with an operator, or by a function.
func (s *scan) compared(n *program.Node) {
	s.add(n, s.timed(n))
	s.add(n, s.door(n))
	s.add(n, s.believes(n))
}

// further judges a call by what it is given, whatever the tables say of it.
func (s *scan) further(n *program.Node) {
	if n.Kid(program.Callee) == nil {
		return
	}
	s.compared(n)
	s.add(n, s.keysIn(n))
	s.add(n, s.whispers(n))
	if s.file.Lang == syntax.Python {
		s.add(n, s.pythonOrigins(n))
	}
	s.add(n, s.bulk(n))
	s.add(n, s.records(n))
	s.add(n, s.discloses(n))
	s.add(n, s.worded(n))
	s.add(n, s.skims(n))
}

// mention judges a name that stands for a value: what is mentioned may be called by whom it is given to.
func (s *scan) mention(n *program.Node) {
	if n.Part == program.Target || n.Part == program.Key || n.Part == program.Params || n.Part == program.Type || n.Role == program.TypeRef && n.Part != program.Callee {
		return
	}
	v := s.eval(n, 0)
	if n.Is(program.Attr, program.Index) {
		if h := s.rules.members[s.memberName(n)]; h != nil && !s.saysWhere(n) {
			s.add(n, h)
		}
	}
	if !v.outside() {
		return
	}
	if h := s.rules.mentions[v.path]; h != nil && !s.roundTrip(n) {
		s.add(n, &hit{h.class, h.grade, v.path})
	}
	if s.rules.environment[v.path] && s.whole(n) {
		s.dumps[function(n)] = true
	}
}

// saysWhere reports whether of the names of a frame's module only one is read that says which module that is, as loggers do to name who calls them.
func (s *scan) saysWhere(n *program.Node) bool {
	if s.file.Lang != syntax.Python || n.Part != program.Object || s.memberName(n) != "f_globals" {
		return false
	}
	var key *program.Node
	switch up := n.Parent; {
	case up.Role == program.Index:
		key = up.Kid(program.At)
	case up.Role == program.Attr && up.Name == "get" && up.Part == program.Callee:
		key = up.Parent.Kid(program.Arg)
	}
	switch up := n.Parent; {
	case key == nil || up.Part == program.Target || len(key.Kids) > 0:
		return false
	default:
		v := s.eval(key, 0)
		return v.known() && slices.Contains([]string{"__name__", "__file__", "__package__"}, v.text)
	}
}

// whole reports whether a mention of the environment takes all of it, and not one variable.
func (s *scan) whole(n *program.Node) bool {
	if call := n.Parent; n.Part == program.Callee {
		if len(call.All(program.Arg)) > 0 {
			return false
		}
		n = call
	}
	switch up := n.Parent; {
	case up.Is(program.Assign) && up.Kid(program.Target).Is(program.Map):
		return slices.ContainsFunc(up.Kid(program.Target).All(program.Elem), func(e *program.Node) bool { return e.Role == program.Spread })
	case n.Part != program.Object:
		return true
	case up.Role == program.Index:
		return false
	default:
		return wholly[up.Name]
	}
}

// wholly are members by which all of an environment is taken.
var wholly = set("items copy values toString entrySet forEach putAll keySet stream")

// within looks into the values that stand in a text of several literals.
func (s *scan) within(n *program.Node) {
	if s.file.Lang != syntax.Python || len(n.Kids) > 0 || !strings.Contains(n.Text(), "{") {
		return
	}
	for part := range s.file.Tree.Enclosing(n.Start, n.End).Find("interpolation") {
		inner := strings.TrimSuffix(strings.TrimPrefix(part.Text(), "{"), "}")
		f, err := program.Read(s.ctx, s.file.Lang, s.file.Path, []byte(inner))
		if err != nil {
			continue
		}
		from := len(s.found)
		s.look(f.Root)
		for i := range s.found[from:] {
			s.found[from+i].Function, s.found[from+i].Line = function(n), n.Line()
		}
	}
}

// marks looks for what stands in comments and works: Go's linkname.
func (s *scan) marks() {
	if s.file.Lang == syntax.Java {
		s.javaMarks()
	}
	if s.file.Lang != syntax.Go {
		return
	}
	for lit := range s.file.Tree.Root().Find("composite_literal") {
		if s.goType(lit.Child("type").Text()) == "os/exec.Cmd" {
			s.found = append(s.found, Capability{Class: Process, Grade: Review, Name: "exec.Cmd", Line: lit.Range().Start.Line})
		}
	}
	for c := range s.file.Tree.Root().Find("comment") {
		if strings.HasPrefix(c.Text(), "//go:linkname ") {
			s.found = append(s.found, Capability{Class: Native, Grade: Danger, Name: "go:linkname", Line: c.Range().Start.Line})
		}
		if command, ok := strings.CutPrefix(c.Text(), "//go:generate "); ok && (*shell.Policy)(nil).Judge(command, where).Decision == shell.Deny {
			s.found = append(s.found, Capability{Class: Process, Grade: Danger, Name: "go:generate", Line: c.Range().Start.Line})
		}
	}
	for spec := range s.file.Tree.Root().Find("import_spec") {
		if path := strings.Trim(spec.Child("path").Text(), `"`); path == "C" || path == "plugin" {
			s.found = append(s.found, Capability{Class: Native, Grade: Review, Name: path, Line: spec.Range().Start.Line})
		}
	}
}

// goType is a type's name with the path of its package, by whatever name that was imported.
func (s *scan) goType(name string) string {
	pkg, name, _ := strings.Cut(name, ".")
	return s.lookup(s.file.Root, pkg, 0).path + "." + name
}

// javaMarks looks for what Java declares and never calls by name: code of another language, and doors to it.
func (s *scan) javaMarks() {
	add := func(name string, at syntax.Node) {
		s.found = append(s.found, Capability{Class: Native, Grade: Review, Name: name, Line: at.Range().Start.Line})
	}
	for m := range s.file.Tree.Root().Find("method_declaration") {
		if head, _, _ := strings.Cut(m.Text(), "("); strings.Contains(" "+head, " native ") {
			add("native", m)
		}
	}
	for i := range s.file.Tree.Root().Find("super_interfaces") {
		for _, trust := range []string{"X509TrustManager", "HostnameVerifier"} {
			if strings.Contains(i.Text(), trust) {
				s.found = append(s.found, Capability{Class: Weakening, Grade: Review, Name: trust, Line: i.Range().Start.Line})
			}
		}
	}
	for mark := range s.file.Tree.Root().Find("annotation") {
		if anyClass.MatchString(mark.Text()) {
			s.found = append(s.found, Capability{Class: Deserialization, Grade: Review, Name: "JsonTypeInfo", Line: mark.Range().Start.Line})
		}
	}
	for class := range s.file.Tree.Root().Find("class_declaration") {
		if strings.Contains(class.Child("interfaces").Text(), "PasswordEncoder") && !hashes.MatchString(class.Text()) {
			s.found = append(s.found, Capability{Class: Weakening, Grade: Danger, Name: "PasswordEncoder", Line: class.Range().Start.Line})
		}
	}
	for i := range s.file.Tree.Root().Find("import_declaration") {
		for _, door := range []string{"sun.misc.Unsafe", "jdk.internal.", "com.sun.jna", "java.lang.foreign"} {
			if strings.Contains(i.Text(), door) {
				add(door, i)
			}
		}
	}
}

// leaks joins what is harmless alone: a function that takes the whole environment and talks to another machine. What is seen to be sent was said already.
func (s *scan) leaks() {
	said := make(map[int]bool)
	for _, c := range s.found {
		said[c.Line] = said[c.Line] || strings.HasPrefix(c.Name, environmentTo)
	}
	for _, c := range s.found {
		if c.Class == Network && s.dumps[c.Function] && !said[c.Line] {
			s.found = append(s.found, Capability{Class: Secrets, Grade: Danger, Name: environmentTo + c.Name, Function: c.Function, Line: c.Line})
		}
	}
}

// environmentTo is what is said of all of the environment that is sent by something.
const environmentTo = "the environment to "
