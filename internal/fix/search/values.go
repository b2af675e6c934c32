package search

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"fettle/internal/code"
	"fettle/internal/edit"
)

// Families about values: off by one, the wrong variable, the wrong constant.
var valueTemplates = []template{
	{"off-by-one", 0.83, 0.83, offByOne},
	{"variable", 0.80, 0.82, otherVariable},
	{"target", 0.45, 0.80, otherTarget},
	{"expression-to-variable", 0.35, 0.72, toVariable},
	{"number", 0.62, 0.67, number},
	{"text", 0.58, 0.67, textLiteral},
	{"boolean", 0.66, 0.72, boolean},
	{"null", 0.20, 0.60, nothing},
	{"scale", 0.25, 0.65, scale},
	{"member", 0.45, 0.75, otherMember},
	{"choice", 0.35, 0.75, choice},
	{"to-size", 0.20, 0.65, toSize},
	{"opposite", 0.24, 0.70, opposites},
	{"letter-case", 0.25, 0.75, letterCase},
	{"separator", 0.22, 0.65, separator},
}

// offByOne moves an integer by one where it counts or bounds.
func offByOne(s *site, try func(change)) {
	if !s.value() {
		return
	}
	if s.Role == code.Int {
		nudge(s, try)
		return
	}
	t := s.of(s.Node)
	if t.known() && !t.is(kInt|kFloat) || s.Is(code.Group, code.Float, code.Str, code.List, code.Map, code.Bool, code.Null, code.Compare, code.Logic, code.Not, code.Comprehension) {
		return
	}
	w := s.bounds()
	if w == 0 {
		return
	}
	if !t.known() {
		w *= 0.5
	}
	if s.Role == code.Arith {
		if s.Kid(code.Right).Is(code.Int) && (s.Op == "+" || s.Op == "-") {
			return // its literal is moved instead
		}
	}
	text := s.Text()
	if s.Is(code.Choice, code.Unary) || s.Role == code.Arith && !slices.Contains([]string{"+", "-", "*", "/", "//", "%"}, s.Op) {
		text = "(" + text + ")"
	}
	for i, op := range []string{" - 1", " + 1"} {
		reason := []string{"too far", "too short"}[i]
		try(replace(s.Node, text+op, w, "%s should be %s: it was one %s", quote(s.Text()), quote(text+op), reason))
	}
}

// nudge moves an integer literal by one or two.
func nudge(s *site, try func(change)) {
	v, err := strconv.ParseInt(s.Text(), 0, 64)
	if err != nil {
		return
	}
	for i, d := range []int64{1, -1, 2, -2} {
		n := strconv.FormatInt(v+d, 10)
		if v+d < 0 && !s.negatable() || s.idle(n) {
			continue
		}
		w := []float64{1, 1, 0.6, 0.6}[i]
		if v+d < 0 {
			w *= 0.7
		}
		if v > 20 {
			w *= 0.7
		}
		try(replace(s.Node, n, w, "%s should be %s", quote(s.Text()), quote(n)))
	}
}

// idle reports whether a number would do nothing where the literal stands: nobody writes n - 0.
func (s *site) idle(n string) bool {
	if !s.Parent.Is(code.Arith) {
		return false
	}
	right := s.Part == code.Right
	switch s.Parent.Op {
	case "+":
		return n == "0"
	case "-":
		return n == "0" && right
	case "*":
		return n == "1" || n == "0"
	case "/", "//", "%", "**":
		return right && (n == "1" || n == "0")
	}
	return false
}

// negatable reports whether a minus can stand before the literal without becoming part of another operator.
func (s *site) negatable() bool {
	return s.Parent.Is(code.Assign, code.Return, code.Call, code.List, code.Index, code.Slice, code.Keyword, code.Param, code.Pair) || s.Parent.Role == code.Compare && s.Part == code.Right
}

// bounds is how likely an off-by-one error is where the site stands; zero where it makes no sense.
func (s *site) bounds() float64 {
	switch p := s.Parent; p.Role {
	case code.Index:
		if s.Part == code.At {
			return 1
		}
	case code.Slice:
		if s.Part == code.Low || s.Part == code.High {
			return 1
		}
	case code.Compare:
		switch {
		case strings.ContainsAny(p.Op, "<>") && s.Part == code.Right, p.Op == "==", p.Op == "!=", p.Op == "===", p.Op == "!==":
			return 0.8 // moving the left side of an order means the same
		}
	case code.Arith:
		return 0.35
	case code.Assign:
		if p.Part == code.Init || p.Parent.Part == code.Init {
			return 1
		}
		return 0.6
	case code.Call:
		if s.Part == code.Arg {
			return 0.6
		}
	case code.Group:
		return 0.35
	case code.Return, code.Choice:
		return 0.6
	case code.Unary:
		return 0.4
	case code.List, code.Pair, code.Keyword:
		return 0.25
	case code.Function:
		if s.Part == code.Body {
			return 0.5
		}
	case code.Comprehension:
		return 0.4
	}
	return 0
}

// otherVariable puts another variable of a fitting type in a variable's place.
func otherVariable(s *site, try func(change)) {
	if !s.Is(code.Name, code.Attr, code.Self) || s.written() || s.Part == code.Params || s.Part == code.Key {
		return
	}
	text := s.Text()
	place := s.of(s.Node)
	if s.Part == code.Callee {
		if s.Role != code.Name {
			return
		}
		place = typ{kind: kFunc}
	}
	if s.Role == code.Name && s.Part != code.Callee && s.isCallable(s.Name) {
		place = typ{kind: kFunc}
	}
	for i, v := range s.names() {
		if v.text == text || (s.Part == code.Callee) != v.fn && v.typ.is(kFunc) != (s.Part == code.Callee) {
			continue
		}
		fit := fits(v.typ, place)
		if s.condition() && fit < 0.3 {
			fit = 0.3
		}
		if fit == 0 {
			continue
		}
		w := (1 - min(0.04*float64(i), 0.4)) * fit * v.weight
		try(replace(s.Node, v.text, w, "%s was used where %s is meant", quote(text), quote(v.text)))
	}
}

// isCallable reports whether a name is that of a function or class of the file.
func (s *site) isCallable(name string) bool {
	return slices.ContainsFunc(s.Scope(), func(v code.Variable) bool { return v.Name == name && v.Kind == code.Callable })
}

// otherTarget gives a value to another variable.
func otherTarget(s *site, try func(change)) {
	if !s.Is(code.Name, code.Attr) || !s.written() || s.Up(code.Comprehension) != nil && s.Part == code.Target {
		return
	}
	a := s.Up(code.Assign, code.Step, code.Each)
	if a == nil || a.Role == code.Each || a.Declares && s.File.Facts.BlockScoped {
		return
	}
	place := s.of(s.Node)
	for i, v := range s.names() {
		if v.text == s.Text() || v.fn || !v.local {
			continue
		}
		if fit := fits(v.typ, place); fit > 0.3 {
			try(replace(s.Node, v.text, (1-min(0.05*float64(i), 0.4))*fit, "%s is what should be given a value, not %s", quote(v.text), quote(s.Text())))
		}
	}
}

// toVariable puts a variable in the place of a whole expression.
func toVariable(s *site, try func(change)) {
	if !s.value() || s.Is(code.Name, code.Attr, code.Group) || s.condition() && s.Role == code.Compare {
		return
	}
	w := 1.0
	if literal(s.Node) {
		w = 0.8
	}
	if s.Is(code.Null, code.Bool) {
		w = 0.4
	}
	place := s.of(s.Node)
	if place.kind == kBool && !literal(s.Node) {
		w = 0.5
	}
	for i, v := range s.names() {
		if i >= 12 || v.fn || s.Role == code.Int && mentions(s.Parent.Text(), v.text) && s.Parent.Role == code.Arith {
			continue
		}
		fit := fits(v.typ, place)
		if place.kind == kNull {
			fit = 0.6
		}
		if fit > 0 {
			try(replace(s.Node, v.text, w*fit*v.weight*(1-0.06*float64(i)), "%s was used where %s is meant", quote(s.Text()), quote(v.text)))
		}
	}
}

// number exchanges a number for another one that the file uses, or for a common one.
func number(s *site, try func(change)) {
	if !s.Is(code.Int, code.Float, code.Char) {
		return
	}
	pool := slices.Clone(s.unit.pool(s.File).literals[s.Role])
	switch s.Role {
	case code.Int:
		pool = append([]string{"0", "1", "2"}, pool...)
		if s.negatable() {
			pool = append(pool, "-1")
		}
		if s.File.Facts.Name == "Python" && (s.Parent.Is(code.Assign, code.Call, code.Return)) {
			pool = append(pool, "float('inf')", "-float('inf')")
		}
		if n := s.File.Facts.Name; (n == "JavaScript" || n == "TypeScript") && s.Parent.Is(code.Assign, code.Call, code.Return) {
			pool = append(pool, "Infinity", "-Infinity")
		}
		if s.File.Facts.Name == "Java" && s.Parent.Is(code.Assign, code.Return) {
			pool = append(pool, "Integer.MAX_VALUE", "Integer.MIN_VALUE")
		}
	case code.Float:
		pool = append([]string{"0.0", "1.0", "2.0", "0.5"}, pool...)
	case code.Char:
		pool = append(slices.Concat(charVariants(s.Text()), pool), "' '")
	}
	s.tryLiterals(pool, try)
}

// charVariants is a letter in the other case.
func charVariants(lit string) []string {
	r, _, tail, err := strconv.UnquoteChar(strings.Trim(lit, "'"), '\'')
	switch {
	case err != nil || tail != "" || !unicode.IsLetter(r):
		return nil
	case unicode.IsUpper(r):
		return []string{strconv.QuoteRune(unicode.ToLower(r))}
	}
	return []string{strconv.QuoteRune(unicode.ToUpper(r))}
}

func (s *site) tryLiterals(pool []string, try func(change)) {
	tried := map[string]bool{s.Text(): true}
	for i, v := range pool {
		if tried[v] || s.idle(v) {
			continue
		}
		tried[v] = true
		try(replace(s.Node, v, 1-min(0.04*float64(i), 0.5), "%s should be %s", quote(s.Text()), quote(v)))
	}
}

// textLiteral varies a string: another one of the file, another case, parts of it. Nothing comes from the tests.
func textLiteral(s *site, try func(change)) {
	if s.Role != code.Str || len(s.Kids) > 0 || docString(s.Node) {
		return
	}
	lit := s.Text()
	i := strings.IndexAny(lit, "\"'`")
	if i < 0 || len(lit) < i+2 || strings.HasPrefix(lit[i:], `"""`) || strings.HasPrefix(lit[i:], "'''") || strings.Contains(lit, `\`) {
		return
	}
	prefix, mark, text := lit[:i], lit[i:i+1], lit[i+1:len(lit)-1]
	var pool []string
	for _, t := range textVariants(text) {
		pool = append(pool, prefix+mark+t+mark)
	}
	pool = append(pool, s.unit.pool(s.File).literals[code.Str]...)
	s.tryLiterals(append(pool, mark+mark, mark+" "+mark, mark+","+mark), try)
}

func textVariants(text string) []string {
	var out []string
	add := func(t string) {
		if t != text && !slices.Contains(out, t) && !strings.ContainsAny(t, "\"'`\n") {
			out = append(out, t)
		}
	}
	r := []rune(text)
	if n, err := strconv.Atoi(text); err == nil {
		add(strconv.Itoa(n + 1))
		add(strconv.Itoa(n - 1))
	}
	n := len(r)
	if n == 0 {
		return nil
	}
	add(string(unicode.ToUpper(r[0])) + string(r[1:]))
	add(strings.ToUpper(text))
	add(strings.ToLower(text))
	if n > 1 {
		add(string(r[1:]))
		add(string(r[:n-1]))
	}
	if n > 1 && n <= 4 {
		rev := slices.Clone(r)
		slices.Reverse(rev)
		add(string(rev))
	}
	if up := strings.ToUpper(text); up != text && strings.ToLower(text) == text && n <= 32 {
		add(text + up)
	}
	add(text + " ")
	for _, c := range r[:min(n, 8)] {
		add(text + string(c))
	}
	add(strings.TrimSpace(text))
	return out
}

// boolean exchanges true and false where they are values: never as a condition.
func boolean(s *site, try func(change)) {
	if s.Role != code.Bool || s.condition() {
		return
	}
	f := s.fact()
	other := f.True
	if s.Text() == f.True {
		other = f.False
	}
	try(replace(s.Node, other, 1, "%s should be %s", quote(s.Text()), quote(other)))
}

// nothing exchanges null for what is empty, and the other way round.
func nothing(s *site, try func(change)) {
	f := s.fact()
	switch {
	case f.Static || !s.value():
	case s.Role == code.Null:
		for i, t := range []string{f.False, f.True, "0", "[]", `""`, "{}"} {
			if !s.Parent.Is(code.Compare) {
				try(replace(s.Node, t, 1-0.1*float64(i), "%s should be %s", quote(s.Text()), quote(t)))
			}
		}
	case s.Role == code.Bool && s.Parent.Is(code.Return, code.Assign):
		try(replace(s.Node, f.Null, 0.5, "%s should be %s", quote(s.Text()), quote(f.Null)))
	}
}

// scale adds what an arithmetic expression lacks: a factor, a divisor, or another term.
func scale(s *site, try func(change)) {
	if !s.value() || s.condition() || s.Is(code.Bool, code.Null, code.Compare, code.Not, code.Logic) {
		return
	}
	t := s.of(s.Node)
	if t.known() && !t.is(kNumber|kText|kList) {
		return
	}
	switch p := s.Parent; p.Role {
	case code.Assign, code.Return, code.List, code.Comprehension, code.Choice, code.Index, code.Function:
	case code.Call:
		if s.Part != code.Arg {
			return
		}
	case code.Compare:
	default:
		return
	}
	w := 1.0
	if !t.known() {
		w = 0.6
	}
	text, grouped := s.Text(), code.Grouped(s.Node)
	lacks := func(meant string, weight float64) {
		try(replace(s.Node, meant, w*weight, "%s should be %s", quote(text), quote(meant)))
	}
	sum := text
	if s.Is(code.Choice, code.Wait) {
		sum = grouped
	}
	if !t.known() || t.is(kNumber) {
		lacks(grouped+" / 2", 0.6)
		if s.File.Facts.Name == "Python" {
			lacks(grouped+" // 2", 0.6)
			lacks(grouped+" ** 2", 0.4)
			lacks(grouped+" ** 3", 0.2)
		}
		lacks(grouped+" * 2", 0.5)
		if s.Role != code.Unary && !literal(s.Node) {
			lacks("-"+grouped, 0.6)
		}
	}
	for i, v := range s.names() {
		if i >= 10 {
			break
		}
		fit := fits(v.typ, t)
		if !v.local || v.fn || fit < 0.5 || v.text == text {
			continue
		}
		lacks(sum+" + "+v.text, 0.7*fit)
		if !t.is(kNumber) {
			lacks(v.text+" + "+sum, 0.5*fit)
		}
		if !t.known() || t.is(kNumber) {
			lacks(sum+" - "+v.text, 0.6*fit)
			lacks(v.text+" - "+grouped, 0.4*fit)
			lacks(grouped+" * "+v.text, 0.5*fit)
			lacks(grouped+" % "+v.text, 0.25*fit)
		}
	}
	if t.is(kList) && s.File.Facts.Name == "Python" {
		for i, v := range s.names() {
			if i < 8 && v.local && !v.fn && !v.typ.is(kList) {
				lacks(sum+" + ["+v.text+"]", 0.6)
				lacks("["+v.text+"] + "+sum, 0.6)
			}
		}
	}
}

// otherMember takes another member of the same object that the file knows.
func otherMember(s *site, try func(change)) {
	if s.Role != code.Member || s.Parent.Part == code.Callee {
		return
	}
	tried := map[string]bool{s.Name: true}
	object := s.Parent.Kid(code.Object).Text()
	for _, near := range []bool{true, false} {
		for n := range s.File.Root.Walk() {
			if n.Role != code.Member || tried[n.Name] || n.Parent.Part == code.Callee || (n.Parent.Kid(code.Object).Text() == object) != near {
				continue
			}
			tried[n.Name] = true
			w := 1.0
			if !near {
				w = 0.4
			}
			try(replace(s.Node, n.Name, w, "the member %s was used where %s is meant", quote(s.Name), quote(n.Name)))
		}
	}
}

// toSize puts the size of something in the place of a number.
func toSize(s *site, try func(change)) {
	if !s.value() || s.condition() && s.Role == code.Compare {
		return
	}
	t := s.of(s.Node)
	if t.known() && !t.is(kInt|kNull) {
		return
	}
	for i, v := range s.names() {
		if v.fn || v.typ.known() && !v.typ.is(kList|kText|kMap) || i >= 12 {
			continue
		}
		text := s.size(v)
		if text != "" && text != s.Text() && v.text != s.Text() {
			try(replace(s.Node, text, fits(v.typ, typ{kind: kList | kText | kMap})*(1-0.05*float64(i)), "%s should be %s", quote(s.Text()), quote(text)))
		}
	}
}

// size spells how much something holds.
func (s *site) size(v name) string {
	switch s.fact().Name {
	case "Python", "Go":
		return "len(" + v.text + ")"
	case "Java":
		switch {
		case v.typ.is(kText):
			return v.text + ".length()"
		case len(v.typ.names) > 0 && strings.HasSuffix(v.typ.names[0], "[]"):
			return v.text + ".length"
		}
		return v.text + ".size()"
	}
	return v.text + ".length"
}

// opposites exchanges true and false wherever the function gives one of them back.
func opposites(s *site, try func(change)) {
	if s.Role != code.Bool || s.Part != code.Value || s.Parent.Role != code.Return {
		return
	}
	f := s.fact()
	var edits []edit.Edit
	for n := range s.Function().Own() {
		if n.Role == code.Bool && n.Part == code.Value && n.Parent.Role == code.Return {
			other := f.True
			if n.Text() == f.True {
				other = f.False
			}
			edits = append(edits, edit.Edit{Start: n.Start, End: n.End, New: []byte(other)})
		}
	}
	if len(edits) > 1 {
		try(change{edits, 1, "the answers were the wrong way round"})
	}
}

// letterCase changes the case of every text of a statement alike.
func letterCase(s *site, try func(change)) {
	if s.Part != code.Stmt || s.Is(code.If, code.While, code.For, code.Each, code.Function, code.Class, code.Block) {
		return
	}
	for i, by := range []func(string) string{titled, strings.ToUpper, strings.ToLower} {
		var edits []edit.Edit
		for n := range s.Walk() {
			if n.Role == code.Str && len(n.Kids) == 0 {
				if t := by(n.Text()); t != n.Text() {
					edits = append(edits, edit.Edit{Start: n.Start, End: n.End, New: []byte(t)})
				}
			}
		}
		if len(edits) > 1 {
			try(change{edits, 1 - 0.2*float64(i), "the letters of the texts were in the wrong case"})
		}
	}
}

// titled is a literal with a capital first letter.
func titled(lit string) string {
	r := []rune(lit)
	for i, c := range r {
		if unicode.IsLetter(c) {
			if i == 0 || r[i-1] != '"' && r[i-1] != '\'' && r[i-1] != '`' {
				return lit
			}
			r[i] = unicode.ToUpper(c)
			return string(r)
		}
	}
	return lit
}

// separator puts something between two texts.
func separator(s *site, try func(change)) {
	if s.Role != code.Arith || s.Op != "+" || s.of(s.Node).known() && !s.of(s.Node).is(kText) {
		return
	}
	mark := `"`
	if lits := s.unit.pool(s.File).literals[code.Str]; len(lits) > 0 && strings.HasPrefix(lits[0], "'") {
		mark = "'"
	}
	w := fits(s.of(s.Node), typ{kind: kText})
	for i, t := range []string{" ", ".", ",", "-", ", ", "_", ":", "/"} {
		try(insert(s.Kid(code.Right).Start, mark+t+mark+" + ", w*(1-0.05*float64(i)), "%s was missing between the two", quote(mark+t+mark)))
	}
}

// choice exchanges the two values of a choice.
func choice(s *site, try func(change)) {
	if s.Role != code.Choice {
		return
	}
	a, c, b := s.Kid(code.Then), s.Kid(code.Cond), s.Kid(code.Else)
	if a == nil || b == nil || c == nil {
		return
	}
	text := s.Text()
	first, second := a, b
	if first.Start > second.Start {
		first, second = second, first
	}
	from := s.Start
	swapped := append(append(append(append(append([]byte{}, text[:first.Start-from]...), second.Text()...), text[first.End-from:second.Start-from]...), first.Text()...), text[second.End-from:]...)
	try(replace(s.Node, string(swapped), 1, "the two values of the choice were exchanged"))
}
