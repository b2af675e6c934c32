package search

import (
	"fmt"
	"slices"
	"strings"

	"fettle/internal/code"
	"fettle/internal/edit"
	"fettle/internal/pattern"
)

// Families about calls: the wrong function, wrong arguments, a call too many or too few.
var callTemplates = []template{
	{"sibling-call", 0.60, 0.75, each((*site).capitalFirst, siblingCall)},
	{"swap-arguments", 0.55, 0.80, swapArguments},
	{"drop-argument", 0.15, 0.40, dropArgument},
	{"add-argument", 0.20, 0.45, addArgument},
	{"unwrap-call", 0.35, 0.70, unwrapCall},
	{"wrap-call", 0.22, 0.65, each((*site).escapeFirst, (*site).escapeMark, (*site).otherwiseSaid, (*site).escapeWithin, (*site).asWritten, (*site).withoutEnds, wrapCall)},
	{"extreme", 0.30, 0.70, each((*site).choose, (*site).clamp)}, // the less or the greater: of what min or max chooses from, or of a value and one that it may not pass
	{"forgotten-call", 0.45, 0.85, each((*site).lostText, (*site).handOn, forgottenCall)},
	{"same-affix", 0.50, 0.80, sameAffix},
}

// swapArguments exchanges two arguments of a call, or one with what the method is called on.
func swapArguments(s *site, try func(change)) {
	if s.Role != code.Call {
		return
	}
	s.swapReceiver(try)
	args := s.All(code.Arg)
	for i := range args {
		for j := i + 1; j < len(args) && j < i+3; j++ {
			a, b := args[i], args[j]
			if a.Is(code.Keyword, code.Spread) || b.Is(code.Keyword, code.Spread) || a.Text() == b.Text() {
				continue
			}
			w := s.exchange(a, b)
			switch so, otherwise := s.asOtherCalls(i, j); {
			case so:
				continue
			case otherwise, s.namedForEachOther(i, j):
				w = 1
			}
			c := replace(a, b.Text(), w, "the arguments %s and %s were exchanged", quote(a.Text()), quote(b.Text()))
			c.edits = append(c.edits, edit.Edit{Start: b.Start, End: b.End, New: []byte(a.Text())})
			try(c)
		}
	}
}

// asOtherCalls tells of two arguments, one of which is written out and the other one is not, whether the function calls the same with one that is written out in the same
// place, or only in the other one: who knows there where it belongs knows it here.
func (s *site) asOtherCalls(i, j int) (so, otherwise bool) {
	args := s.All(code.Arg)
	if literal(args[i]) == literal(args[j]) {
		return false, false
	}
	for n := range s.Function().Walk() {
		if n == s.Node || !n.Is(code.Call) || n.Kid(code.Callee).Text() != s.Kid(code.Callee).Text() {
			continue
		}
		if others := n.All(code.Arg); len(others) == len(args) && literal(others[i]) != literal(others[j]) {
			same := literal(others[i]) == literal(args[i])
			so, otherwise = so || same, otherwise || !same
		}
	}
	return so, otherwise && !so
}

// namedForEachOther reports whether one of two arguments has the name of the parameter that the other one is given to, and not of its own: of f(source, options) called as
// f(options, found) the names tell what was exchanged, whatever the types say.
func (s *site) namedForEachOther(i, j int) bool {
	fn, args := s.function(s.Calls()), s.All(code.Arg)
	if fn == nil {
		return false
	}
	params := fn.All(code.Params)
	if j >= len(params) {
		return false
	}
	a, b := lastName(args[i]), lastName(args[j])
	first, second := params[i].Name, params[j].Name
	return first != "" && second != "" && (a == second && b != second || b == first && a != first)
}

// lastName is what a variable, or a member of an object, is called; else empty.
func lastName(n *code.Node) string {
	if n.Is(code.Name, code.Attr) {
		return n.Name
	}
	return ""
}

// exchange is what speaks for two values' having been exchanged. That their types differ speaks against it, unless they were seen with tests that
// fail alone, or a compiler complains: then it may be why.
func (s *site) exchange(a, b *code.Node) float64 {
	switch fit := fits(s.of(a), s.of(b)); {
	case fit > 0:
		return fit
	case s.passing == 0 && !s.fact().Static, s.unit.broken:
		return 0.6
	}
	return 0.2
}

// receiver is how likely what a method is called on was exchanged with what it is given, against two arguments.
const receiver = 0.64

// swapReceiver exchanges what a method is called on and what it is given.
func (s *site) swapReceiver(try func(change)) {
	args, callee := s.All(code.Arg), s.Kid(code.Callee)
	if len(args) != 1 || !callee.Is(code.Attr) {
		return
	}
	object, arg := callee.Kid(code.Object), args[0]
	if !code.Primary(arg) || arg.Is(code.Keyword, code.Spread, code.Int, code.Float, code.Bool, code.Null) || object.Is(code.Self) || s.isModule(object.Text()) || object.Text() == arg.Text() {
		return
	}
	c := replace(object, arg.Text(), receiver*s.exchange(object, arg), "%s and %s were exchanged", quote(object.Text()), quote(arg.Text()))
	c.edits = append(c.edits, edit.Edit{Start: arg.Start, End: arg.End, New: []byte(object.Text())})
	try(c)
}

// without is the edit that takes an element out of a list of them, with its comma.
func without(n *code.Node) edit.Edit {
	if next := n.Next(); next != nil {
		return edit.Edit{Start: n.Start, End: next.Start}
	}
	if prev := n.Prev(); prev != nil {
		return edit.Edit{Start: prev.End, End: n.End}
	}
	return edit.Edit{Start: n.Start, End: n.End}
}

func dropArgument(s *site, try func(change)) {
	if s.Part != code.Arg {
		return
	}
	c := change{[]edit.Edit{without(s.Node)}, 1, fmt.Sprintf("the argument %s does not belong there", quote(s.Text()))}
	try(c)
}

// addArgument hands on one more argument: a variable, or what functions often take.
func addArgument(s *site, try func(change)) {
	if s.Role != code.Call || s.End == 0 || s.File.Source[s.End-1] != ')' {
		return
	}
	args := s.All(code.Arg)
	at, before, behind := s.End-1, "", ""
	if byName := slices.IndexFunc(args, func(a *code.Node) bool { return a.Is(code.Keyword) }); byName >= 0 {
		at, behind = args[byName].Start, ", "
	} else if len(args) > 0 {
		if args[len(args)-1].Is(code.Spread) {
			return
		}
		at, before = args[len(args)-1].End, ", "
	}
	name := s.Calls()
	w := 1.0
	if fn := s.function(name); fn != nil {
		if len(args) >= len(fn.All(code.Params)) {
			return
		}
	} else {
		w = 0.6
	}
	for i, v := range s.names() {
		if i < 10 && !v.fn {
			try(insert(at, before+v.text+behind, w*(1-0.05*float64(i)), "%s lacks the argument %s", quote(s.Text()), quote(v.text)))
		}
	}
	for _, lit := range []string{"0", "1", "2", "-1"} {
		try(insert(at, before+lit+behind, 0.5*w, "%s lacks the argument %s", quote(s.Text()), quote(lit)))
	}
	for _, extra := range extras[s.fact().Family+" "+name] {
		try(insert(at, before+extra+behind, 1, "%s lacks the argument %s", quote(s.Text()), quote(extra)))
	}
	if len(args) > 0 && name == "range" {
		try(insert(args[0].Start, "1, ", 1, "the range begins at 1"))
		try(insert(args[0].Start, "0, ", 0.5, "the range begins at 0"))
		for i, v := range s.names() {
			if i < 10 && v.typ.is(kInt) {
				try(insert(args[0].Start, v.text+", ", 0.9, "the range begins at %s", quote(v.text)))
			}
		}
	}
}

// extras are arguments that well-known functions are often called without.
var extras = map[string][]string{
	"Python sorted": {"reverse=True", "key=len"}, "Python sort": {"reverse=True", "key=len"}, "Python range": {"-1"}, "Python split": {"' '", "','"}, "Python get": {"0", "None", "[]"},
	"Python round": {"2"}, "Python max": {"default=0"}, "Python min": {"default=0"}, "Python sum": {"0"}, "Python open": {"encoding='utf-8'"}, "Python pop": {"0"},
	"JavaScript parseInt": {"10"},
	"JavaScript reduce":   {"0", "''"}, "JavaScript join": {"''", "' '"}, "JavaScript split": {"''", "' '"},
}

// function is a function of the file by its name.
func (s *site) function(name string) *code.Node {
	for _, fn := range s.unit.pool(s.File).functions {
		if named(fn) == name && fn.Up(code.Class) == nil {
			return fn
		}
	}
	return nil
}

// handOn gives a function that calls itself, or is called in what it hands to others, the same value again for what may be left out, and was.
func (s *site) handOn(try func(change)) {
	fn, args := s.function(s.Calls()), s.All(code.Arg)
	if !s.Is(code.Call) || fn == nil || !within(s.Node, fn) || s.File.Source[s.End-1] != ')' {
		return
	}
	at, sep := s.End-1, ""
	if len(args) > 0 {
		at, sep = args[len(args)-1].End, ", "
		if args[len(args)-1].Is(code.Spread) {
			return
		}
	}
	if s.fact().Family != "Python" {
		if params := fn.All(code.Params); len(args) < len(params) && params[len(args)].Is(code.Assign) {
			more := params[len(args)].Kid(code.Target).Text()
			try(insert(at, sep+more, 1, "%s lacks the argument %s", quote(s.Text()), quote(more)))
		}
		return
	}
	for i, p := range fn.All(code.Params) {
		if !p.Is(code.Param) || i < len(args) && !args[i].Is(code.Keyword) || slices.ContainsFunc(args, func(a *code.Node) bool { return a.Is(code.Keyword) && a.Name == p.Name }) {
			continue
		}
		more := p.Name + "=" + p.Name
		try(insert(at, sep+more, 1, "%s lacks the argument %s", quote(s.Text()), quote(more)))
	}
}

// unwrapCall takes what is given to a call, or what it is called on, in its place.
func unwrapCall(s *site, try func(change)) {
	if s.Role != code.Call || s.Part == code.Value && s.Parent.Role == code.Eval {
		return
	}
	for i, a := range s.All(code.Arg) {
		if i < 3 && !a.Is(code.Keyword, code.Spread) {
			try(replace(s.Node, a.Text(), 1-0.1*float64(i), "the call around %s does not belong there", quote(a.Text())))
		}
	}
	if c := s.Kid(code.Callee); c.Is(code.Attr) {
		if o := c.Kid(code.Object); !o.Is(code.Self) && (!o.Is(code.Name) || !s.isModule(o.Name)) {
			try(replace(s.Node, o.Text(), 0.8, "the call of %s does not belong there", quote(c.Name)))
			if further := o.Kid(code.Callee); o.Is(code.Call) && further.Is(code.Attr) {
				try(replace(s.Node, further.Kid(code.Object).Text(), 0.5, "the calls of %s and %s do not belong there", quote(further.Name), quote(c.Name)))
			}
		}
	}
}

// isModule reports whether a name is one that an import makes known.
func (s *site) isModule(name string) bool {
	if s.fact().Family == "Go" {
		return slices.Contains(s.unit.pool(s.File).packages, name)
	}
	return slices.ContainsFunc(s.Scope(), func(v code.Variable) bool { return v.Name == name && v.Kind == code.Namespace })
}

// wrapper is a call that may be missing around a value of a kind; X stands for the value.
type wrapper struct {
	form   string
	on     kind
	weight float64
}

var wrappers = map[string][]wrapper{
	"Python": {
		{"len(X)", kList | kMap | kText, 0.8}, {"abs(X)", kNumber, 1}, {"str(X)", kNumber | kList, 0.7}, {"int(X)", kFloat | kText, 0.8}, {"sorted(X)", kList | kMap, 0.9}, {"sorted(X, reverse=True)", kList | kMap, 0.4}, {"sorted(X, key=len)", kList, 0.4}, {"X.swapcase()", kText, 0.3}, {"list(X)", kList | kMap | kOther, 0.8},
		{"set(X)", kList, 0.8}, {"sum(X)", kList, 0.6}, {"max(X)", kList, 0.5}, {"min(X)", kList, 0.5}, {"reversed(X)", kList, 0.6}, {"round(X)", kFloat, 0.5}, {"float(X)", kInt | kText, 0.4},
		{"tuple(X)", kList, 0.5}, {"X.lower()", kText, 0.9}, {"X.upper()", kText, 0.5}, {"X.strip()", kText, 0.8}, {"X.copy()", kList | kMap, 0.6}, {"X.split()", kText, 0.6}, {"X[::-1]", kList | kText, 0.7},
		{"X.items()", kMap, 0.6}, {"X.values()", kMap, 0.5}, {"X.keys()", kMap, 0.4}, {"enumerate(X)", kList, 0.4}, {"any(X)", kList, 0.3}, {"all(X)", kList, 0.3}, {"[X]", kNumber | kText | kList | kOther, 0.5},
		{"range(X)", kInt, 0.5}, {"range(len(X))", kList | kText, 0.6}, {"isinstance(X, list)", kList, 0.1}, {"ord(X)", kText, 0.3}, {"chr(X)", kInt, 0.3}, {"bool(X)", kList | kText | kNumber, 0.3}, {"list(X.values())", kMap, 0.3},
		{"''.join(X)", kList, 0.5}, {"X.zfill(2)", kText, 0.3}, {"iter(X)", kList, 0.2}, {"set()", kMap, 0.2},
	},
	"JavaScript": {
		{"X.length", kList | kText, 0.8}, {"Math.abs(X)", kNumber, 1}, {"String(X)", kNumber, 0.7}, {"Number(X)", kText, 0.7}, {"Math.floor(X)", kNumber, 0.9}, {"Math.round(X)", kNumber, 0.5}, {"Math.ceil(X)", kNumber, 0.4},
		{"parseInt(X)", kText, 0.6}, {"X.toLowerCase()", kText, 0.9}, {"X.toUpperCase()", kText, 0.4}, {"X.trim()", kText, 0.8}, {"[...X]", kList | kText, 0.5}, {"X.slice()", kList, 0.5}, {"X.toString()", kNumber, 0.5},
		{"X.reverse()", kList, 0.4}, {"X.sort()", kList, 0.5}, {"X.sort((a, b) => a - b)", kList, 0.6}, {"X.split('')", kText, 0.5}, {"X.join('')", kList, 0.5}, {"[X]", kNumber | kText | kList | kOther, 0.4}, {"new Set(X)", kList, 0.3}, {"String(X).padStart(2, '0')", kNumber, 0.3},
	},
	"Java": {
		{"Math.abs(X)", kNumber, 1}, {"String.valueOf(X)", kNumber | kText, 0.7}, {"Integer.parseInt(X)", kText, 0.6}, {"(int) (X)", kFloat | kInt, 0.5}, {"(double) X", kInt, 0.6}, {"(long) X", kInt, 0.3}, {"X.toLowerCase()", kText, 0.9}, {"X.toUpperCase()", kText, 0.4},
		{"X.trim()", kText, 0.7}, {"X.length()", kText, 0.7}, {"X.size()", kList | kMap, 0.7}, {"X.length", kList, 0.5}, {"X.toString()", kOther, 0.5}, {"new ArrayList<>(X)", kList, 0.6}, {"Character.toLowerCase(X)", kText, 0.5}, {"Math.floor(X)", kFloat, 0.4},
		{"Character.getNumericValue(X)", kInt | kText, 0.4}, {"Integer.valueOf(X)", kInt, 0.3}, {"new HashMap<>(X)", kMap, 0.5}, {"X.isEmpty()", kText | kList | kMap, 0.3},
	},
	"Go": {
		{"len(X)", kList | kMap | kText, 0.8}, {"float64(X)", kInt, 0.6}, {"int(X)", kFloat | kInt, 0.6}, {"string(X)", kInt | kList | kText, 0.4}, {"math.Abs(X)", kFloat, 0.8}, {"strings.ToLower(X)", kText, 0.8}, {"strings.ToUpper(X)", kText, 0.4}, {"strings.TrimSpace(X)", kText, 0.8},
		{"math.Floor(X)", kFloat, 0.4}, {"[]rune(X)", kText, 0.4}, {"strconv.Itoa(X)", kInt, 0.4}, {"regexp.QuoteMeta(X)", kText, 0.6},
	},
}

// wrapCall puts a call around a value.
func wrapCall(s *site, try func(change)) {
	if !s.value() || literal(s.Node) || s.Role == code.Group || s.condition() && s.Role != code.Name {
		return
	}
	t := s.of(s.Node)
	if s.extremeOf() {
		try(insert(s.Start, "...", 1, "%s takes numbers, not a list of them", quote(s.Parent.Kid(code.Callee).Text())))
	}
	s.keysWrapped(try)
	for _, w := range slices.Concat(s.inOrderOf(), wrappers[s.fact().Family], s.ownCopies(), s.ownFunctions(), s.rounded()) {
		weight := w.weight
		switch {
		case strings.HasPrefix(w.form, "regexp.") && !s.isModule("regexp"):
			continue
		case !t.known():
			weight *= 0.5
		case !t.is(w.on):
			continue
		}
		if strings.HasPrefix(w.form, "X.") && !code.Primary(s.Node) || w.form == "[X]" && s.spelledOut() {
			continue
		}
		text := filled(w.form, s.Text())
		try(replace(s.Node, text, weight, "%s should be %s", quote(s.Text()), quote(text)))
	}
}

// filled is a form with a text wherever an X stands in it as a word of its own.
func filled(form, text string) string {
	var b strings.Builder
	for {
		at := code.Word(form, "X", 0)
		if at < 0 {
			b.WriteString(form)
			return b.String()
		}
		b.WriteString(form[:at])
		b.WriteString(text)
		form = form[at+1:]
	}
}

// extremeOf reports whether the site is all that JavaScript's Math.max or Math.min is given, and may be a list.
func (s *site) extremeOf() bool {
	if t := s.of(s.Node); !s.fact().Silent || s.Part != code.Arg || len(s.Parent.All(code.Arg)) != 1 || t.known() && !t.is(kList) {
		return false
	}
	c := s.Parent.Kid(code.Callee)
	return c.Is(code.Attr) && (c.Name == "max" || c.Name == "min") && c.Kid(code.Object).Text() == "Math"
}

// ownCopies makes a copy of what two would share, where the language has no call for it that does for every type.
func (s *site) ownCopies() []wrapper {
	t := s.of(s.Node)
	if s.fact().Family == "Go" && len(t.names) > 0 && strings.HasPrefix(t.names[0], "[]") {
		return []wrapper{{"append(" + t.names[0] + "(nil), X...)", kList, 0.7}}
	}
	if s.fact().Family == "Java" && len(t.names) > 0 && strings.HasSuffix(t.names[0], "[]") {
		return []wrapper{{"X.clone()", kList, 0.7}}
	}
	if made := s.madeAs(); made != "" && s.shared() {
		return []wrapper{{"new " + made + "(X)", kList | kMap | kOther, 0.7}}
	}
	return nil
}

// shared reports whether a value goes where it may be kept: given away, given back, or to another name.
func (s *site) shared() bool {
	return s.Is(code.Name, code.Attr) && (s.Part == code.Arg || s.Part == code.Value)
}

// copied are the collections that JavaScript and Java make of others of their kind.
var copied = pattern.New(`^((?:Tree|Hash|LinkedHash)?(?:Set|Map)|ArrayList|ArrayDeque|LinkedList|PriorityQueue)(<[^()]*>)?\(`)

// madeAs is how the source makes what a name or member holds, as far as it can be copied in the same way: "Set" after x = new Set().
func (s *site) madeAs() string {
	_, made, ok := strings.Cut(s.File.Source, s.Text()+" = new ")
	m := copied.FindStringSubmatch(made)
	switch {
	case !ok || m == nil:
		return ""
	case m[2] != "":
		return m[1] + "<>"
	}
	return m[1]
}

// mostWrapping bounds how many of the file's own functions are put around a value, and wrapping is how likely one of them is missing.
const (
	mostWrapping = 4
	wrapping     = 0.4
)

// ownFunctions are the file's functions of one parameter, around what is given back, given away or kept.
func (s *site) ownFunctions() (out []wrapper) {
	if !s.Is(code.Name, code.Attr, code.Index) || s.Part != code.Value && s.Part != code.Arg && !s.Parent.Is(code.Return) {
		return nil
	}
	for _, fn := range s.ofOneParameter() {
		if fn.Function() == nil && fn.Name != "" && len(out) < mostWrapping {
			out = append(out, wrapper{fn.Name + "(X)", ^kind(0), wrapping})
		}
	}
	return out
}

// keysWrapped has a function of the file go over all keys of a mapping that is copied, or all of a list, where the function has it go over single ones: what is looked up in plain
// form has to stand there in plain form.
func (s *site) keysWrapped(try func(change)) {
	of := s.Node
	if s.Is(code.Call) && s.Calls() == "dict" && len(s.All(code.Arg)) == 1 {
		of = s.Kid(code.Arg)
	}
	t := s.of(of)
	if s.fact().Family != "Python" || !of.Is(code.Name) || t.known() && !t.is(kMap|kList) || s.Part != code.Value && s.Part != code.Iter {
		return
	}
	for _, fn := range s.ofOneParameter() {
		if fn.Name == "" || !strings.Contains(s.Function().Text(), fn.Name+"(") {
			continue
		}
		for i, form := range []string{"{F(key): value for key, value in X.items()}", "[F(x) for x in X]"} {
			text := strings.NewReplacer("F", fn.Name, "X", of.Text()).Replace(form)
			try(replace(s.Node, text, 0.8-0.2*float64(i), "%s should be %s", quote(s.Text()), quote(text)))
		}
	}
}

// ofOneParameter are the file's functions of one parameter, methods and the site's own left out.
func (s *site) ofOneParameter() (out []*code.Node) {
	for _, fn := range s.unit.pool(s.File).functions {
		if len(fn.All(code.Params)) == 1 && fn.Up(code.Class) == nil && fn != s.Function() {
			out = append(out, fn)
		}
	}
	return out
}

// spelledOut reports whether the language would make a text of a list that stood there: of [x] it makes what it makes of x, but for nothing, which
// becomes empty. That passes weak tests, and nobody means it.
func (s *site) spelledOut() bool {
	if s.fact().Family != "JavaScript" {
		return false
	}
	if s.Parent.Role != code.Call {
		return s.Parent.Is(code.Arith, code.Compare) || s.Part == code.At
	}
	callee := s.Parent.Kid(code.Callee)
	return s.Part == code.Arg && callee.Is(code.Name) && !s.declared(callee.Name) && !strings.HasPrefix(s.Parent.Text(), "new ")
}

// inOrderOf puts a list into the order that a mapping says which the function makes and never looks at.
func (s *site) inOrderOf() (out []wrapper) {
	form := map[string]string{
		"Python": "sorted(X, key=lambda x: M[x])", "JavaScript": "X.sort((a, b) => M[a] - M[b])", "Java": "X.sorted(Comparator.comparing(M::get))",
	}[s.fact().Family]
	if form == "" {
		return nil
	}
	for _, name := range s.unit.unused(s.Function()) {
		for _, v := range s.names() {
			if v.text == name && v.typ.is(kMap) {
				w := 1.0
				if s.Part == code.Object && s.Parent.Part == code.Callee && slices.Contains([]string{"filter", "map", "slice"}, s.Parent.Name) {
					w = 0.8 // what comes last is put into order
				}
				out = append(out, wrapper{strings.ReplaceAll(form, "M", name), kList, w})
			}
		}
	}
	return out
}

// forgottenCall calls what was only named, and keeps no result where there is none.
func forgottenCall(s *site, try func(change)) {
	switch {
	case s.Role == code.Attr && s.Part == code.Value && s.Parent.Role == code.Eval:
		try(insert(s.End, "()", 0.8, "%s was named, but not called", quote(s.Text())))
		if o := s.Kid(code.Object); o.Is(code.Attr) {
			try(replace(s.Node, o.Text()+"("+s.Name+")", 1, "%s was named, but not called", quote(o.Text())))
		}
	case s.Is(code.Name, code.Attr) && s.value() && s.Part != code.Object && s.of(s.Node).is(kFunc):
		try(insert(s.End, "()", 1, "%s was named, but not called", quote(s.Text())))
	case s.Role == code.Assign && s.Part == code.Stmt && s.Op == "=" && len(s.All(code.Value)) == 1:
		call := s.Kid(code.Value)
		if c := call.Kid(code.Callee); call.Is(code.Call) && c.Is(code.Attr) && c.Kid(code.Object).Text() == s.Kid(code.Target).Text() && results[c.Name] != kText {
			try(change{[]edit.Edit{{Start: s.Start, End: call.Start}}, 1, fmt.Sprintf("%s changes %s itself and gives nothing back", quote(c.Name), quote(c.Kid(code.Object).Text()))})
		}
	}
}
