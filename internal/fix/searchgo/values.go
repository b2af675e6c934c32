package searchgo

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Families about values: off by one, the wrong variable, the wrong constant.
var valueTemplates = []template{
	{"off-by-one", 0.83, 0.83, offByOne},
	{"variable", 0.80, 0.82, otherVariable},
	{"expression-to-variable", 0.35, 0.72, toVariable},
	{"number", 0.62, 0.67, number},
	{"text", 0.58, 0.67, textLiteral},
	{"boolean", 0.66, 0.72, boolean},
	{"scale", 0.25, 0.65, scale},
}

// offByOne moves an integer by one where it counts or bounds: in indices and slices, in comparisons, in where a loop
// starts, in what is passed on, assigned or returned.
func offByOne(s *site, try func(change)) {
	e, ok := s.node.(ast.Expr)
	if !ok || !s.value(e) || !s.integer(e) || s.assigned() {
		return
	}
	if lit, ok := e.(*ast.BasicLit); ok {
		nudge(s, lit, try)
		return
	}
	if _, ok := e.(*ast.ParenExpr); ok {
		return
	}
	w := s.bounds()
	if w == 0 {
		return
	}
	if b, ok := e.(*ast.BinaryExpr); ok {
		if b.Op != token.ADD && b.Op != token.SUB && b.Op != token.MUL && b.Op != token.QUO || s.literal(b.Y) {
			return // its literal is moved instead
		}
	}
	text := s.text(e)
	for i, op := range []string{" - 1", " + 1"} {
		reason := []string{"too far", "too short"}[i]
		try(replaceNode(e, text+op, w, fmt.Sprintf("%s should be %s: it was one %s", quote(text), quote(text+op), reason)))
	}
}

func (s *site) literal(e ast.Expr) bool {
	_, ok := e.(*ast.BasicLit)
	return ok
}

// nudge moves an integer literal by one.
func nudge(s *site, lit *ast.BasicLit, try func(change)) {
	v, err := strconv.ParseInt(lit.Value, 0, 64)
	if err != nil || lit.Kind != token.INT {
		return
	}
	for i, d := range []int64{1, -1, 2, -2} {
		n := strconv.FormatInt(v+d, 10)
		if v+d < 0 && !s.negatable(lit) || s.idle(lit, n) {
			continue
		}
		w := []float64{1, 1, 0.6, 0.6}[i]
		if v+d < 0 {
			w *= 0.7
		}
		if v > 20 {
			w *= 0.7
		}
		try(replaceNode(lit, n, w, fmt.Sprintf("%s should be %s", quote(lit.Value), quote(n))))
	}
}

// idle reports whether a number would do nothing where a literal stands: nobody writes n - 0.
func (s *site) idle(lit ast.Expr, n string) bool {
	b, ok := s.parent(0).(*ast.BinaryExpr)
	if !ok {
		return false
	}
	switch b.Op {
	case token.ADD:
		return n == "0"
	case token.SUB:
		return n == "0" && b.Y == lit
	case token.MUL:
		return n == "1" || n == "0"
	case token.QUO, token.REM:
		return b.Y == lit && (n == "1" || n == "0")
	default:
		return false
	}
}

// negatable reports whether a minus can stand before the literal without becoming part of another operator.
func (s *site) negatable(lit ast.Expr) bool {
	switch p := s.parent(0).(type) {
	case *ast.AssignStmt, *ast.ReturnStmt, *ast.CallExpr, *ast.ValueSpec:
		return true
	case *ast.BinaryExpr:
		return p.Y == lit && p.Op.Precedence() == token.EQL.Precedence()
	}
	return false
}

// bounds is how likely an off-by-one error is where the site stands; zero where it makes no sense.
func (s *site) bounds() float64 {
	switch p := s.parent(0).(type) {
	case *ast.IndexExpr:
		if p.Index == s.node {
			return 1
		}
	case *ast.SliceExpr:
		if p.X != s.node {
			return 1
		}
	case *ast.BinaryExpr:
		switch p.Op {
		case token.LSS, token.LEQ, token.GTR, token.GEQ:
			if p.Y == s.node {
				return 0.8 // moving the left side means the same
			}
		case token.EQL, token.NEQ:
			return 0.8
		case token.MUL, token.QUO, token.REM, token.SUB, token.ADD:
			return 0.35
		default:
		}
	case *ast.AssignStmt:
		if f, ok := s.parent(1).(*ast.ForStmt); ok && f.Init == p {
			return 1
		}
		return 0.6
	case *ast.CallExpr:
		if p.Fun != s.node {
			return 0.6
		}
	case *ast.ParenExpr:
		return 0.35
	case *ast.ReturnStmt:
		return 0.6
	}
	return 0
}

// otherVariable puts another variable of the same type in a variable's place, read or written.
func otherVariable(s *site, try func(change)) {
	e, ok := s.node.(ast.Expr)
	if !ok {
		return
	}
	switch n := e.(type) {
	case *ast.Ident:
		if _, ok := s.unit.info.Uses[n].(*types.Var); !ok || s.names(n) {
			return
		}
	case *ast.SelectorExpr:
		if sel := s.unit.info.Selections[n]; sel == nil || sel.Kind() != types.FieldVal {
			return
		}
		s.siblingFields(e.(*ast.SelectorExpr), try)
	default:
		return
	}
	text := s.text(e)
	for i, v := range s.variables(e.Pos(), s.typeOf(e)) {
		if v.name == text {
			continue
		}
		w := 1 - min(0.05*float64(i), 0.3)
		if !v.local {
			w *= 0.5
		}
		if s.assigned() {
			w *= 0.8
		}
		try(replaceNode(e, v.name, w, fmt.Sprintf("%s was used where %s is meant", quote(text), quote(v.name))))
	}
}

// names reports whether an identifier is a part of a selector or a key, not a variable of its own.
func (s *site) names(id *ast.Ident) bool {
	switch p := s.parent(0).(type) {
	case *ast.SelectorExpr:
		return p.Sel == id
	case *ast.KeyValueExpr:
		return p.Key == id && s.object(id) != nil && s.object(id).Parent() == nil
	}
	return false
}

func (s *site) siblingFields(sel *ast.SelectorExpr, try func(change)) {
	t := s.typeOf(sel.X)
	if t == nil {
		return
	}
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	st, ok := t.Underlying().(*types.Struct)
	if !ok {
		return
	}
	for f := range st.Fields() {
		if f.Name() != sel.Sel.Name && f.Name() != "_" && types.Identical(f.Type(), s.typeOf(sel)) {
			try(replaceNode(sel.Sel, f.Name(), 1, fmt.Sprintf("the field %s was used where %s is meant", quote(sel.Sel.Name), quote(f.Name()))))
		}
	}
}

// toVariable puts a variable in the place of a whole expression of its type.
func toVariable(s *site, try func(change)) {
	e, ok := s.node.(ast.Expr)
	if !ok || !s.value(e) || s.assigned() || isBasic(s.typeOf(e), types.IsBoolean) {
		return // a condition that is a variable is hardly ever what was meant
	}
	w := 1.0
	switch n := e.(type) {
	case *ast.BinaryExpr, *ast.IndexExpr, *ast.CallExpr, *ast.SliceExpr:
	case *ast.BasicLit:
		w = 0.8
	case *ast.Ident:
		if _, isVar := s.unit.info.Uses[n].(*types.Var); isVar {
			return
		}
	default:
		return
	}
	t := types.Default(s.typeOf(e))
	for i, v := range s.variables(e.Pos(), t) {
		if v.local && i < 8 {
			try(replaceNode(e, v.name, w*(1-0.08*float64(i)), fmt.Sprintf("%s was used where %s is meant", quote(s.text(e)), quote(v.name))))
		}
	}
}

// number exchanges a number for another one that the package uses, or for a common one.
func number(s *site, try func(change)) {
	lit, ok := s.node.(*ast.BasicLit)
	if !ok || lit.Kind != token.INT && lit.Kind != token.FLOAT && lit.Kind != token.CHAR {
		return
	}
	pool := slices.Clone(s.unit.consts[lit.Kind])
	if lit.Kind == token.INT {
		pool = append([]string{"0", "1", "2"}, pool...)
		if s.negatable(lit) {
			pool = append(pool, "-1")
		}
	}
	if lit.Kind == token.CHAR {
		pool = append(slices.Concat(charVariants(lit.Value), pool), "' '")
	}
	s.tryLiterals(lit, pool, try)
}

// charVariants is a letter in the other case.
func charVariants(lit string) []string {
	r, _, tail, err := strconv.UnquoteChar(strings.Trim(lit, "'"), '\'')
	if err != nil || tail != "" || !unicode.IsLetter(r) {
		return nil
	}
	if unicode.IsUpper(r) {
		return []string{strconv.QuoteRune(unicode.ToLower(r))}
	}
	return []string{strconv.QuoteRune(unicode.ToUpper(r))}
}

func (s *site) tryLiterals(lit *ast.BasicLit, pool []string, try func(change)) {
	tried := map[string]bool{lit.Value: true}
	for i, v := range pool {
		if tried[v] || s.idle(lit, v) {
			continue
		}
		tried[v] = true
		try(replaceNode(lit, v, 1-min(0.04*float64(i), 0.5), fmt.Sprintf("%s should be %s", quote(lit.Value), quote(v))))
	}
}

// textLiteral varies a string: another one of the package, another case, parts of it the other way round, without its
// first or last character, and so on. Nothing comes from the tests.
func textLiteral(s *site, try func(change)) {
	lit, ok := s.node.(*ast.BasicLit)
	if !ok || lit.Kind != token.STRING {
		return
	}
	switch s.parent(0).(type) {
	case *ast.ImportSpec, *ast.Field:
		return
	}
	v := constant.MakeFromLiteral(lit.Value, lit.Kind, 0)
	if v.Kind() != constant.String {
		return
	}
	text := constant.StringVal(v)
	if !utf8.ValidString(text) {
		return
	}
	var pool []string
	for _, t := range textVariants(text) {
		pool = append(pool, quoteLike(lit.Value, t))
	}
	pool = append(pool, s.unit.consts[token.STRING]...)
	s.tryLiterals(lit, append(pool, `""`, `" "`, `","`), try)
}

func textVariants(text string) []string {
	var out []string
	add := func(t string) {
		if t != text && !slices.Contains(out, t) {
			out = append(out, t)
		}
	}
	r := []rune(text)
	if n, err := strconv.Atoi(text); err == nil {
		add(strconv.Itoa(n + 1))
		add(strconv.Itoa(n - 1))
	}
	if n := len(r); n > 0 {
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
	}
	return out
}

// quoteLike quotes a text in the way the original literal is quoted, where that can hold it.
func quoteLike(original, text string) string {
	if strings.HasPrefix(original, "`") && strconv.CanBackquote(text) {
		return "`" + text + "`"
	}
	return strconv.Quote(text)
}

// boolean exchanges true and false where they are values: never as a condition.
func boolean(s *site, try func(change)) {
	id, ok := s.node.(*ast.Ident)
	if !ok || s.condition() || s.unit.info.Uses[id] != types.Universe.Lookup(id.Name) {
		return
	}
	other := map[string]string{"true": "false", "false": "true"}[id.Name]
	if other != "" {
		try(replaceNode(id, other, 1, fmt.Sprintf("%s should be %s", quote(id.Name), quote(other))))
	}
}

// scale adds what an arithmetic expression lacks: a factor, a divisor, or another term of the same type.
func scale(s *site, try func(change)) {
	e, ok := s.node.(ast.Expr)
	if !ok || !s.value(e) || s.assigned() || s.condition() {
		return
	}
	t := s.typeOf(e)
	if !isBasic(t, types.IsNumeric|types.IsString) {
		return
	}
	switch p := s.parent(0).(type) {
	case *ast.AssignStmt, *ast.ReturnStmt:
	case *ast.CallExpr:
		if p.Fun == e {
			return
		}
	case *ast.BinaryExpr:
		if p.Op.Precedence() != token.EQL.Precedence() {
			return
		}
	default:
		return
	}
	text := s.text(e)
	grouped := text
	if !primary(e) {
		grouped = "(" + text + ")"
	}
	lacks := func(meant string, w float64) {
		try(replaceNode(e, meant, w, fmt.Sprintf("%s should be %s", quote(text), quote(meant))))
	}
	if isBasic(t, types.IsNumeric) {
		lacks(grouped+" * 2", 0.6)
		lacks(strings.TrimSuffix(strings.TrimPrefix(grouped, "(("), "))")+" / 2", 0.8)
		lacks("-"+grouped, 0.8)
	}
	for i, v := range s.variables(e.Pos(), types.Default(t)) {
		if !v.local || i >= 6 {
			break
		}
		lacks(text+" + "+v.name, 0.7)
		if isBasic(t, types.IsNumeric) {
			lacks(text+" - "+v.name, 0.7)
			lacks(grouped+" * "+v.name, 0.6)
		}
	}
}
