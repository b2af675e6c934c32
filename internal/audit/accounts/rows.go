package accounts

import (
	"go/ast"
	"go/parser"
	"maps"
	"slices"
	"strconv"
	"strings"

	"fettle/internal/audit/parts"
	"fettle/internal/code"
	"fettle/internal/syntax"
)

// binding is what the names of a test stand for in one row, and by which marks that row is kept from running.
type binding struct {
	env   map[string]string
	rows  map[string]map[string]string
	marks []string
}

func noBinding() binding {
	return binding{env: make(map[string]string), rows: make(map[string]map[string]string)}
}

func (b binding) with(more binding) binding {
	all := binding{env: maps.Clone(b.env), rows: maps.Clone(b.rows), marks: slices.Concat(b.marks, more.marks)}
	maps.Copy(all.env, more.env)
	maps.Copy(all.rows, more.rows)
	return all
}

// parametrized are the rows of a decorator of pytest's; nil for what is none, or not written out.
func parametrized(at *code.Node) []binding {
	if len(at.Kids) != 1 || at.Kids[0].Role != code.Call || parts.LastName(at.Kids[0]) != "parametrize" {
		return nil
	}
	r := &teller{root: at, env: make(map[string]string), rows: make(map[string]map[string]string)}
	args := at.Kids[0].All(code.Arg)
	if len(args) < 2 || args[1].Role == code.Keyword {
		return nil
	}
	if slices.ContainsFunc(args[2:], func(a *code.Node) bool { return a.Name != "ids" && a.Name != "scope" }) {
		return nil
	}
	names, single := rowNames(args[0])
	var all []binding
	for _, row := range r.table(args[1]) {
		b := noBinding()
		cells := row.All(code.Elem)
		switch {
		case row.Role == code.Call && parts.LastName(row) == "param":
			cells = nil
			for _, a := range row.All(code.Arg) {
				switch {
				case a.Role != code.Keyword:
					cells = append(cells, a)
				case a.Name == "marks":
					b.marks = append(b.marks, parts.Bare(a.Text()))
				}
			}
		case single:
			cells = []*code.Node{row}
		}
		if len(cells) != len(names) {
			return nil
		}
		for i, name := range names {
			b.bind(r, name, cells[i])
		}
		all = append(all, b)
	}
	return all
}

// rowNames are the names that a table of pytest's gives values, and whether its rows are values themselves.
func rowNames(n *code.Node) (names []string, single bool) {
	if n.Role == code.List {
		for _, e := range n.All(code.Elem) {
			names = append(names, strings.Trim(e.Text(), `"'`))
		}
		return names, false
	}
	names = strings.FieldsFunc(strings.Trim(n.Text(), `"'`), func(c rune) bool { return c == ',' || c == ' ' })
	return names, len(names) == 1
}

func (b binding) bind(r *teller, name string, cell *code.Node) {
	b.env[name] = r.canon(cell)
	if fields := r.fields(cell); fields != nil {
		b.rows[name] = fields
	}
}

// table are the rows of a list that is written out, there or where a name gets its value.
func (r *teller) table(n *code.Node) []*code.Node {
	if n.Is(code.Name) {
		n = r.given(n)
	}
	if !n.Is(code.List) {
		return nil
	}
	return n.All(code.Elem)
}

// given is what a name gets as its only value: in the test, or outside of functions.
func (r *teller) given(n *code.Node) *code.Node {
	var found *code.Node
	for k := range n.File.Root.Walk() {
		if k.Role != code.Assign || !slices.ContainsFunc(k.All(code.Target), func(t *code.Node) bool { return slices.Contains(parts.Targets(t), n.Name) }) {
			continue
		}
		if fn := k.Function(); fn != nil && !r.root.Holds(k.Start, k.End) {
			continue
		}
		if found != nil || !plainAssign[k.Op] {
			return nil
		}
		found = k.Kid(code.Value)
	}
	return found
}

// fields are the parts of a row by their names, or by their places.
func (r *teller) fields(row *code.Node) map[string]string {
	all := make(map[string]string)
	switch {
	case row.Is(code.List):
		for i, e := range row.All(code.Elem) {
			all[strconv.Itoa(i)] = r.canon(e)
		}
	case row.Is(code.Map) && row.File.Lang != syntax.Go:
		for _, p := range row.All(code.Elem) {
			if p.Role != code.Pair {
				return nil
			}
			all[strings.Trim(p.Kid(code.Key).Text(), `"'`)] = r.canon(p.Kid(code.Value))
		}
	default:
		return nil
	}
	return all
}

// loop tells a loop over rows that are written out row by row, and any other as a block.
func (r *teller) loop(s *code.Node) [][]fact {
	body := s.Kid(code.Body)
	if rows := r.rowsOf(s); len(rows) > 0 && body != nil && s.Kid(code.Else) == nil {
		return r.through(rows, body.Kids)
	}
	head := []string{r.canon(s.Kid(code.Iter))}
	for _, t := range s.All(code.Target) {
		for _, name := range parts.Targets(t) {
			if name != "_" {
				head = append(head, r.name(name))
			}
		}
	}
	all := [][]fact{{{text: "for " + strings.Join(head, ","), inner: r.one(body)}}}
	if e := s.Kid(code.Else); e != nil {
		all[0] = append(all[0], r.one(e)...)
	}
	return all
}

// through tells statements for each row. Where what they do changes what was made before the loop, a row does not stand alone, and all are told together.
func (r *teller) through(rows []binding, stmts []*code.Node) [][]fact {
	outer, from, most := *r, r.next, r.next
	var ways [][]fact
	alone := true
	for _, b := range rows {
		r.env, r.rows, r.next = maps.Clone(outer.env), maps.Clone(outer.rows), from
		maps.Copy(r.env, b.env)
		maps.Copy(r.rows, b.rows)
		for _, way := range left(r.block(stmts), "continue") {
			alone = alone && !slices.ContainsFunc(way, func(f fact) bool { return !f.demand && touches(f.text, from) })
			ways = append(ways, way)
		}
		most = max(most, r.next)
	}
	r.env, r.rows, r.next = outer.env, outer.rows, most
	if alone {
		return ways
	}
	return [][]fact{slices.Concat(ways...)}
}

// touches reports whether a text names a variable with a number below.
func touches(text string, below int) bool {
	for i := range below {
		if parts.Mentions([]byte(text), "v"+strconv.Itoa(i)) {
			return true
		}
	}
	return false
}

// rowsOf are the rows of a loop, if they are written out.
func (r *teller) rowsOf(s *code.Node) []binding {
	iter := s.Kid(code.Iter)
	if iter.Is(code.Name) {
		iter = r.given(iter)
	}
	if iter == nil {
		return nil
	}
	if s.File.Lang == syntax.Go {
		return r.goRows(iter, s.All(code.Target))
	}
	return r.bindAll(iter, s.All(code.Target))
}

func (r *teller) bindAll(table *code.Node, targets []*code.Node) []binding {
	if !table.Is(code.List) {
		return nil
	}
	if len(targets) == 1 && targets[0].Role == code.List {
		targets = targets[0].All(code.Elem)
		if len(targets) == 1 {
			return nil
		}
	}
	var all []binding
	for _, row := range table.All(code.Elem) {
		b := noBinding()
		switch cells := row.All(code.Elem); {
		case len(targets) == 1 && (targets[0].Role == code.Name || targets[0].Is(code.Param) && targets[0].Name != ""):
			b.bind(r, targets[0].Name, row)
		case len(targets) == 1 && row.Role == code.Map && len(parts.Targets(targets[0])) > 0:
			fields := r.fields(row)
			for _, name := range parts.Targets(targets[0]) {
				text, there := fields[name]
				if !there {
					return nil
				}
				b.env[name] = text
			}
		case len(cells) == len(targets) && row.Role == code.List:
			for i, t := range targets {
				b.bind(r, t.Name, cells[i])
			}
		default:
			return nil
		}
		all = append(all, b)
	}
	return all
}

// forEach are the rows of a call that goes through a list that is written out.
func (r *teller) forEach(n *code.Node) []binding {
	callee, args := n.Kid(code.Callee), n.All(code.Arg)
	if !callee.Is(code.Attr) || callee.Name != "forEach" || len(args) != 1 || args[0].Role != code.Function || !args[0].Kid(code.Body).Is(code.Block) {
		return nil
	}
	table := callee.Kid(code.Object)
	if table.Is(code.Name) {
		table = r.given(table)
	}
	return r.bindAll(table, patterns(args[0].All(code.Params)))
}

// patterns are parameters, or what they are taken apart into.
func patterns(params []*code.Node) []*code.Node {
	var all []*code.Node
	for _, p := range params {
		if p.Role == code.Param && p.Name == "" && len(p.Kids) == 1 {
			p = p.Kids[0]
		}
		all = append(all, p)
	}
	return all
}

// goRows are the rows of a composite literal of Go's, whose fields may stand without names.
func (r *teller) goRows(table *code.Node, targets []*code.Node) []binding {
	expr, err := parser.ParseExpr(table.Text())
	lit, is := expr.(*ast.CompositeLit)
	if err != nil || !is || len(targets) == 0 || len(targets) > 2 {
		return nil
	}
	var fields []string
	switch t := lit.Type.(type) {
	case *ast.ArrayType:
		fields = fieldsOf(t.Elt, table.File)
	case *ast.MapType:
		fields = fieldsOf(t.Value, table.File)
	default:
		return nil
	}
	at := func(e ast.Expr) string { return r.within(table, int(e.Pos())-1, int(e.End())-1) }
	var all []binding
	for i, e := range lit.Elts {
		b := noBinding()
		key := strconv.Itoa(i)
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			key, e = at(kv.Key), kv.Value
		}
		if targets[0].Name != "_" {
			b.env[targets[0].Name] = key
		}
		if len(targets) > 1 {
			name := targets[1].Name
			b.env[name] = at(e)
			if row, ok := e.(*ast.CompositeLit); ok {
				b.rows[name] = make(map[string]string)
				for j, cell := range row.Elts {
					switch kv, keyed := cell.(*ast.KeyValueExpr); {
					case keyed:
						b.rows[name][at(kv.Key)] = at(kv.Value)
					case fields == nil:
						b.rows[name][strconv.Itoa(j)] = at(cell)
					case j < len(fields):
						b.rows[name][fields[j]] = at(cell)
					}
				}
				for _, f := range fields {
					if _, set := b.rows[name][f]; !set {
						b.rows[name][f] = "zero"
					}
				}
			}
		}
		all = append(all, b)
	}
	return all
}

// fieldsOf are the names of the fields of a struct type, written there or declared in the file.
func fieldsOf(t ast.Expr, f *code.File) []string {
	if id, ok := t.(*ast.Ident); ok {
		for n := range f.Root.Walk() {
			head := "type " + id.Name + " struct"
			if i := strings.Index(n.Text(), head); n.Part == code.Stmt && i == 0 {
				t, _ = parser.ParseExpr(strings.TrimPrefix(n.Text(), "type "+id.Name+" "))
			}
		}
	}
	s, ok := t.(*ast.StructType)
	if !ok {
		return nil
	}
	var all []string
	for _, group := range s.Fields.List {
		for _, name := range group.Names {
			all = append(all, name.Name)
		}
	}
	return all
}

// within is what stands between two places of a node, told as one.
func (r *teller) within(n *code.Node, from, to int) string {
	for k := range n.Walk() {
		if k.Start == n.Start+from && k.End == n.Start+to && k != n {
			return r.canon(k)
		}
	}
	return parts.Bare(n.Text()[from:to])
}
