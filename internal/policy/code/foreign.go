package code

import (
	"slices"
	"strings"

	program "fettle/internal/code"
	"fettle/internal/pattern"
	"fettle/internal/syntax"
)

// Functions that change a text, and those after which it is nobody's code any more.
var (
	joiners = set(`fmt.Sprintf fmt.Sprint String.format util.format strings.Join String.join strings.TrimSpace strings.ToLower strings.ToUpper
		List.of Set.of Arrays.asList String StringBuilder StringBuffer String.valueOf Objects.toString Promise.resolve`)
	changing = set(`join concat trim toString String formatted toLowerCase toUpperCase lower upper strip format append replace replaceAll flat filter
		toArray collect stream`)
	counting = pattern.New(`^(strconv\.(Itoa|FormatInt|FormatUint|FormatBool)|Number|parseInt|parseFloat|len|int|float|Math\.\w+|Integer\.\w+|Long\.\w+|UUID\.\w+|Boolean\.\w+|Date\.now|Instant\.now)(\(\))?$`)
	cleaning = pattern.New(`(?i)(escap|saniti[sz]|purif|encodeURI|encodeFor|htmlspecialchars|quote_?ident|quote_?lit|quoteIdentifier|pgformat|pg-format|stripTags)`)
	constant = pattern.New(`^[A-Z][A-Z0-9_]+$`)
	numeric  = pattern.New(`(?i)^(length|size|count|ordinal|limit|offset)$`)
)

// foreign reports whether a text is made of something that does not stand in the file: not of literals, of constants, of choices among them, of numbers,
// of what a library has escaped.
func (s *scan) foreign(n *program.Node) bool {
	s.steps = 0
	return s.isForeign(n, 0)
}

func (s *scan) isForeign(n *program.Node, depth int) bool {
	const furthest, most = 12, 400
	if s.steps++; n == nil || depth > furthest || s.steps > most {
		return n != nil
	}
	of := func(kids ...*program.Node) bool {
		return slices.ContainsFunc(kids, func(k *program.Node) bool { return s.isForeign(k, depth+1) })
	}
	switch n.Role {
	case program.Str, program.List:
		return of(n.Kids...)
	case program.Char, program.Int, program.Float, program.Bool, program.Null, program.Compare, program.Not, program.TypeRef, program.Step:
		return false
	case program.Comprehension:
		return !slices.ContainsFunc(n.All(program.Cond), func(c *program.Node) bool { return s.listed(c, depth) }) && of(n.Kid(program.Body))
	case program.Arith, program.Logic:
		return of(n.Kid(program.Left), n.Kid(program.Right))
	case program.Choice:
		return of(n.Kid(program.Then), n.Kid(program.Else))
	case program.Group, program.Wait, program.Unary, program.Spread:
		return of(n.Kid(program.Operand))
	case program.Name:
		return s.foreignName(n, depth)
	case program.Attr, program.Index:
		return s.foreignMember(n, depth)
	case program.Call:
		return s.foreignCall(n, depth)
	case program.Other:
		if len(n.Kids) > 0 {
			return of(n.Kids[len(n.Kids)-1])
		}
		return !strings.HasSuffix(n.Text(), ".class")
	case program.Function:
		return s.foreignResult(n, depth)
	default:
		return true
	}
}

func (s *scan) foreignName(n *program.Node, depth int) bool {
	if constant.MatchString(n.Name) {
		all := s.bindings(n, s.identifier(n.Name))
		return len(all) == 1 && all[0].node != nil && all[0].member == "" && s.isForeign(all[0].node, depth+1)
	}
	if s.mustBeListed(n, depth) {
		return false
	}
	all := s.bindings(n, s.identifier(n.Name))
	if f := definer(n); f != nil && s.unexported(f) {
		if args := s.arguments(f, s.identifier(n.Name)); len(args) > 0 {
			return slices.ContainsFunc(args, func(a *program.Node) bool { return s.isForeign(a, depth+1) })
		}
	}
	for _, b := range all {
		if b.node == nil && b.value.path == "?"+n.Name && (s.empty(n, b) || isNumber(n)) || b.value.number != "" {
			continue
		}
		if b.node == nil || s.isForeign(s.part(b), depth+1) {
			return true
		}
	}
	return len(all) == 0
}

// mustBeListed reports a name whose function goes no further where what it stands for is in no list of the file.
func (s *scan) mustBeListed(n *program.Node, depth int) bool {
	f := n.Function()
	if f == nil {
		return false
	}
	for at := range f.Own() {
		if at.Role != program.If || at.End > n.Start || !endsIn(at.Kid(program.Then)) {
			continue
		}
		cond := at.Kid(program.Cond)
		for cond.Is(program.Group) {
			cond = cond.Kid(program.Operand)
		}
		if within := cond.Kid(program.Operand); cond.Is(program.Not) && asksWhether(within, n.Name) && s.listed(within, depth) {
			return true
		}
		if cond.Is(program.Compare, program.Arith) && cond.Op == "not in" && cond.Kid(program.Left).Name == n.Name && s.inList(cond.Kid(program.Right), depth) {
			return true
		}
	}
	return false
}

// endsIn reports a branch that ends by an error, or by giving back.
func endsIn(n *program.Node) bool {
	all := n.All(program.Stmt)
	if len(all) > 0 {
		n = all[len(all)-1]
	}
	return n.Is(program.Return, program.Raise)
}

// asksWhether reports a question whether a list holds a name's value.
func asksWhether(n *program.Node, name string) bool {
	for n.Is(program.Group) {
		n = n.Kid(program.Operand)
	}
	if n.Is(program.Call) {
		return n.Kid(program.Arg).Is(program.Name) && n.Kid(program.Arg).Name == name
	}
	return n.Kid(program.Left).Is(program.Name) && n.Kid(program.Left).Name == name
}

// parameterOf is the parameter that a name is, and its function; nil where it is none.
func parameterOf(n *program.Node) (f, p *program.Node) {
	for f = n.Function(); f != nil; f = outer(f) {
		for _, p := range f.All(program.Params) {
			if variable(p).Name == n.Name {
				return f, p
			}
		}
	}
	return nil, nil
}

// definer is the function of which a name is a parameter.
func definer(n *program.Node) *program.Node {
	f, _ := parameterOf(n)
	return f
}

// unexported reports a function that only the file itself calls: one inside of another function, or that the language keeps to its class, or one of
// Python's that its name keeps to its file; and that is given to nobody.
func (s *scan) unexported(f *program.Node) bool {
	name := called(f)
	switch {
	case name == "":
		return false
	case f.Function() != nil, strings.HasPrefix(name, "#"), s.file.Lang == syntax.Java && strings.HasPrefix(f.Text(), "private "),
		s.file.Lang == syntax.Python && strings.HasPrefix(name, "_") && !strings.HasPrefix(name, "__"):
		return !s.handedOn(name)
	}
	return false
}

// handedOn reports a name that is mentioned otherwise than to be called.
func (s *scan) handedOn(name string) bool {
	if on, ok := s.mentioned[name]; ok {
		return on
	}
	s.mentioned[name] = false
	for n := range s.file.Root.Walk() {
		if n.Name == name && n.Is(program.Name, program.Attr) && n.Part != program.Callee && n.Part != program.Target {
			s.mentioned[name] = true
		}
	}
	return s.mentioned[name]
}

var numberTypes = pattern.New(`^:?\s*(u?int(8|16|32|64)?|[lL]ong|Integer|number|float(32|64)|[dD]ouble|bool(ean)?|uuid\.UUID|UUID|LocalDate|Instant|time\.(Time|Duration))$`)

// isNumber reports a parameter whose type says that it is no text.
func isNumber(n *program.Node) bool {
	_, p := parameterOf(n)
	return p != nil && numberTypes.MatchString(p.Type)
}

// empty reports a name that was declared without a value: what it means is only what was assigned later.
func (s *scan) empty(n *program.Node, b binding) bool {
	f := n.Function()
	if f == nil {
		f = s.file.Root
	}
	for at := range f.Walk() {
		if at.Role == program.Assign && len(at.All(program.Value)) == 0 && at.Part != program.Params {
			for _, t := range at.All(program.Target) {
				if t.Name == n.Name && b.value.path == "?"+t.Name {
					return true
				}
			}
		}
	}
	return false
}

// foreignMember judges what stands under a name or key: of an object of the file's own what it is given, and in a table that is written out any of its
// values.
func (s *scan) foreignMember(n *program.Node, depth int) bool {
	if n.Role == program.Attr {
		if all := s.gets(s.fieldOf(n)); len(all) > 0 && !s.linked().loose[n.Name] {
			return slices.ContainsFunc(all, func(m *program.Node) bool { return s.isForeign(m, depth+1) })
		}
		if constant.MatchString(n.Name) || numeric.MatchString(n.Name) {
			return false
		}
	}
	table := s.written(n.Kid(program.Object))
	return s.foreignTable(table, depth)
}

// foreignTable judges the values of a table that is written out; of anything else nothing is known.
func (s *scan) foreignTable(table *program.Node, depth int) bool {
	if table.Is(program.Call) && s.eval(table.Kid(program.Callee), 0).path == "Map.of" {
		return slices.ContainsFunc(table.All(program.Arg), func(a *program.Node) bool { return s.isForeign(a, depth+1) })
	}
	if !table.Is(program.Map, program.List) {
		return true
	}
	for _, e := range table.All(program.Elem) {
		v := e
		if e.Role == program.Pair {
			v = e.Kid(program.Value)
		}
		if s.isForeign(v, depth+1) {
			return true
		}
	}
	return false
}

// foreignResult judges what a function gives: ids.map(() => "?").
func (s *scan) foreignResult(f *program.Node, depth int) bool {
	body := f.Kid(program.Body)
	if !body.Is(program.Block) {
		return s.isForeign(body, depth+1)
	}
	for at := range body.Walk() {
		if at.Role == program.Return && slices.ContainsFunc(at.All(program.Value), func(v *program.Node) bool { return s.isForeign(v, depth+1) }) {
			return true
		}
	}
	return false
}

func (s *scan) foreignCall(n *program.Node, depth int) bool {
	callee, args := n.Kid(program.Callee), n.All(program.Arg)
	name := s.eval(callee, 0).path
	if counting.MatchString(name) || cleaning.MatchString(name) || cleaning.MatchString(callee.Text()) {
		return false
	}
	if foreign, ok := s.foreignGift(n, depth); ok {
		return foreign
	}
	if joiners[name] {
		return slices.ContainsFunc(args, func(a *program.Node) bool { return s.isForeign(a, depth+1) })
	}
	return s.foreignMethod(n, name, depth)
}

// foreignMethod judges what a method gives that changes texts and lists, or takes something out of them.
func (s *scan) foreignMethod(n *program.Node, name string, depth int) bool {
	callee, args := n.Kid(program.Callee), n.All(program.Arg)
	some := func(of []*program.Node) bool {
		return slices.ContainsFunc(of, func(a *program.Node) bool { return s.isForeign(a, depth+1) })
	}
	if !callee.Is(program.Attr) {
		return true
	}
	switch object := callee.Kid(program.Object); {
	case (callee.Name == "get" || callee.Name == "getOrDefault") && len(args) > 0:
		return s.foreignTable(s.written(object), depth) || some(args[1:])
	case callee.Name == "filter" && len(args) == 1 && s.sifts(args[0], depth):
		return false
	case callee.Name == "map" || callee.Name == "fill" || callee.Name == "mapToObj":
		return len(args) == 0 || s.numbered(args[0], depth) && s.foreignEach(object, args[0], depth)
	case callee.Name == "repeat", name == "strings.Repeat":
		if name == "strings.Repeat" {
			return some(args[:min(1, len(args))])
		}
		return s.isForeign(object, depth+1)
	case name == "Collections.nCopies":
		return some(args[min(1, len(args)):])
	case strings.HasPrefix(name, "strings.Trim"):
		return some(args[:min(1, len(args))])
	case changing[callee.Name]:
		return s.isForeign(object, depth+1) || some(args)
	}
	return true
}

// foreignGift judges what a function of the file gives back for what it is given here.
func (s *scan) foreignGift(n *program.Node, depth int) (foreign, ok bool) {
	f := s.carriedOut(n)
	if f == nil {
		return false, false
	}
	all := results(f)
	inner := s.inside(n, f)
	if inner == nil || len(all) == 0 {
		return false, false
	}
	for _, r := range all {
		foreign = foreign || inner.isForeign(r, depth+1)
	}
	return foreign, true
}

// sifts reports a function that lets through what stands in a list of the file: (n) => NAMES.has(n).
func (s *scan) sifts(f *program.Node, depth int) bool {
	if f = s.written(f); !f.Is(program.Function) {
		return false
	}
	all := results(f)
	return len(all) == 1 && s.listed(all[0], depth)
}

// listed reports a condition that something stands in a list of the file.
func (s *scan) listed(cond *program.Node, depth int) bool {
	list := cond.Kid(program.Right)
	switch {
	case cond.Is(program.Call) && (cond.Calls() == "has" || cond.Calls() == "includes" || cond.Calls() == "contains"):
		list = cond.Kid(program.Callee).Kid(program.Object)
	case !cond.Is(program.Compare, program.Arith) || cond.Op != "in":
		return false
	}
	return s.inList(list, depth)
}

// inList reports a list that the file writes out.
func (s *scan) inList(list *program.Node, depth int) bool {
	if list = s.written(list); list.Is(program.Call) && (list.Calls() == "Set" || list.Calls() == "Map" || list.Calls() == "of") {
		return !slices.ContainsFunc(list.All(program.Arg), func(a *program.Node) bool { return s.isForeign(a, depth+1) })
	}
	return constant.MatchString(list.Text()) || list.Is(program.List, program.Map) && !s.foreignTable(list, depth+1)
}

// foreignEach judges what a function makes of each element of a list.
func (s *scan) foreignEach(list, f *program.Node, depth int) bool {
	params := f.All(program.Params)
	if !f.Is(program.Function) || len(params) == 0 {
		return true
	}
	given := make(map[string][]binding)
	for i, p := range params {
		given[p.Name] = []binding{{node: list}}
		if i > 0 { // where it stands in the list
			given[p.Name] = []binding{{value: value{number: "0"}}}
		}
	}
	return s.with(f, given).foreignResult(f, depth)
}

// numbered judges what is made of every element of a list, where the number of the element is nobody's text.
func (s *scan) numbered(f *program.Node, depth int) bool {
	if !f.Is(program.Function) {
		return s.isForeign(f, depth)
	}
	params := f.All(program.Params)
	body := f.Kid(program.Body)
	if len(params) < 2 || body.Is(program.Block) {
		return s.foreignResult(f, depth)
	}
	for at := range body.Walk() {
		if at.Role == program.Name && at.Part != program.Callee && at.Name != params[1].Name {
			return true
		}
	}
	return false
}

// conditions matches the end of what stands before a value in a condition.
var conditions = pattern.New(`(?i)(=|<|>|\blike|\bin|\bbetween|\band|\bvalues)\s*(\w+\s*\()?\(*\s*['"%]*\s*` + unknown)

// fragment judges a part of a statement, as query builders take them, that is put together from values. A name before a dot is a table's.
func (c *call) fragment() *hit {
	v := c.arg(0, "")
	if c.fromRequest() {
		return c.hit(Injection, Danger)
	}
	if !v.isText || v.known() || v.text == unknown || !c.s.foreign(c.node(0)) {
		return nil
	}
	text := strings.ReplaceAll(v.text, unknown+".", "t.")
	if conditions.MatchString(text) {
		return c.hit(Injection, Danger)
	}
	if strings.Contains(text, unknown) {
		return c.hit(Injection, Review)
	}
	return nil
}

// fromRequest reports a first argument that is all a request's own text, at which nothing looks.
func (c *call) fromRequest() bool {
	n := c.stated()
	return n != nil && !n.Is(program.Map, program.List) && c.s.taint(n, 0).from == said && c.s.taint(n, 0).head && !c.s.looked(c.n, n)
}

// condition is fragment for methods that have other uses: it must look like a condition of SQL, with a value in it.
func (c *call) condition() *hit {
	v := c.arg(0, "")
	if !v.isText || !conditions.MatchString(v.text) || !c.s.foreign(c.node(0)) {
		return nil
	}
	return c.hit(Injection, Danger)
}

// markup judges HTML that is taken as it is.
func markup(grade Grade) func(*call) *hit {
	return func(c *call) *hit {
		if c.arg(0, "").known() || c.node(0) == nil || !c.s.foreign(c.node(0)) {
			return nil
		}
		return c.hit(Injection, grade)
	}
}

// Where texts come from that are a program's own: its files, its page; and how those are called that come from outside.
var (
	stored = pattern.New(`^\.|(?i)(readFile|readFileSync|readTextFile|readAllBytes|readString|ReadFile|loadTemplate|getResource\w*)\(\)|^(document\.|\$\(\)|jQuery\(\)).*(innerHTML|textContent|\.text|html\(\)|text\(\))$`)
	asking = pattern.New(`\b(req|request|ctx|context|event)\.(body|query|params|request|cookies|headers)\b`)
)

// draft judges the text of a template, which is a program: one that does not stand in the project's files may be anybody's.
func (c *call) draft(i int) *hit {
	n, v := c.node(i), c.arg(i, "")
	if n == nil || v.known() || stored.MatchString(v.path) || n.Is(program.Function) || v.number != "" || !c.s.foreign(n) {
		return nil
	}
	if v.isText || asking.MatchString(c.s.unfolded(n)) {
		return c.hit(Dynamic, Danger)
	}
	return c.hit(Dynamic, Review)
}

func draftAt(i int) func(*call) *hit { return func(c *call) *hit { return c.draft(i) } }
