package code

import (
	"strings"

	program "fettle/internal/code"
	"fettle/internal/pattern"
)

// looked reports whether the program looks at a value before it comes where it goes: compares it with something, asks a function whether it will do, or
// lets a function refuse it. Whether the check is a good one is for people.
func (s *scan) looked(at, value *program.Node) bool {
	o := origin{make(map[string]bool), map[*program.Node]bool{s.outermost(at): true}}
	s.madeOf(value, o, true, 0)
	for top := range o.in {
		if s.looks(top, o.names) {
			return true
		}
	}
	return false
}

// outermost is the function around a node that stands in no other, or the file.
func (s *scan) outermost(n *program.Node) *program.Node {
	top := s.file.Root
	for up := n.Function(); up != nil; up = outer(up) {
		top = up
	}
	return top
}

// looks reports whether a function looks at a value that is made of these names.
func (s *scan) looks(top *program.Node, made map[string]bool) bool {
	for n := range top.Walk() {
		switch {
		case n.Part == program.Cond && s.refuses(n, made):
			return true
		case n.Role == program.Switch && s.concerns(n.Kid(program.Cond), made):
			return true
		case n.Role == program.Call && checks.MatchString(n.Calls()) && s.concerns(n, made):
			return true
		case n.Role == program.Other && strings.HasPrefix(n.Text(), "assert ") && len(n.Kids) > 0 && s.refuses(n.Kids[0], made):
			return true
		}
	}
	return false
}

// checks matches functions that look at what they are given.
var checks = pattern.New(`(?i)(safe|valid|allow|check|verif|within|inside|ensure|assert|trusted|sanit|permit|den(y|ied)|block|forbid|relative_to|is_?local|commonpath|commonprefix|whitelist|guard|contained|require_|escape)`)

// refuses reports whether a condition asks something of a value, and not only whether it is there.
func (s *scan) refuses(cond *program.Node, made map[string]bool) bool {
	for n := range cond.Walk() {
		switch n.Role {
		case program.Compare:
			l, r := n.Kid(program.Left), n.Kid(program.Right)
			if presence(l) || presence(r) {
				continue
			}
			if s.concerns(l, made) || s.concerns(r, made) {
				return true
			}
		case program.Call:
			if !trivial[n.Calls()] && s.concerns(n, made) {
				return true
			}
		case program.Arith: // JavaScript's in, and Go's without a role
			if (n.Op == "in" || n.Op == "not in") && s.concerns(n, made) {
				return true
			}
		case program.Index: // ALLOWED[name]
			if s.concerns(n.Kid(program.At), made) {
				return true
			}
		default: // says nothing of it
		}
	}
	return false
}

// presence reports a value with which others are compared to see whether they are there.
func presence(n *program.Node) bool {
	if n == nil {
		return true
	}
	switch t := n.Text(); t {
	case `""`, "''", "nil", "null", "None", "undefined", "0", "io.EOF", `"POST"`, `"GET"`, "'POST'", "'GET'", "http.MethodPost", "http.MethodGet":
		return true
	}
	return n.Is(program.Null)
}

// trivial are functions that say nothing of where a value leads.
var trivial = set(`exists isfile isdir is_file is_dir existsSync isEmpty isBlank isNull isNotBlank len str Exists IsNotExist strip trim endswith endsWith HasSuffix getNextEntry next Next isDirectory
	IsDir isdir notExists get getParameter Query FormValue args Stat statSync Errorf Open open readFile ReadFile String hasNext nextElement hasMoreElements getSize size`)

// concerns reports whether an expression has to do with one of the values.
func (s *scan) concerns(n *program.Node, made map[string]bool) bool {
	if n == nil {
		return false
	}
	of := origin{make(map[string]bool), make(map[*program.Node]bool)}
	s.madeOf(n, of, false, 0)
	for name := range of.names {
		if made[name] {
			return true
		}
	}
	return false
}

// origin is what a value is made of: variables, and what of requests; and the functions through which it came.
type origin struct {
	names map[string]bool
	in    map[*program.Node]bool
}

// madeOf collects what an expression is made of, by whatever functions; theirs are those variables alone that others chose.
func (s *scan) madeOf(n *program.Node, o origin, theirs bool, depth int) {
	if n == nil || depth > 6 {
		return
	}
	for k := range n.Walk() {
		if k.Is(program.Call, program.Attr) && s.source(k) != own {
			o.names[chosen(k).Text()] = true
		}
		name, all := k.Name, []flow(nil)
		switch f := s.carriedOut(k); {
		case f != nil && !o.in[f]:
			name, all = "", back(f)
			o.in[f] = true
		case k.Role == program.Attr:
			name, all = s.keyOf(s.fieldOf(k)), s.fieldFlows(k)
		case k.Role == program.Name && k.Part != program.Callee:
			all = s.givenTo(k)
		}
		if len(all) == 0 || o.names[name] || theirs && name != "" && s.taint(k, 0).from == own {
			continue
		}
		if name != "" {
			o.names[name] = true
		}
		for _, f := range all[:min(len(all), 8)] {
			if f.node != nil {
				o.in[s.outermost(f.node)] = true
			}
			s.madeOf(f.node, o, theirs, depth+1)
		}
	}
}

// chosen is what of a request an expression takes: req.query.file, request.args.get("file").
func chosen(n *program.Node) *program.Node {
	if up := n.Parent; up.Is(program.Attr, program.Index) && up.Kid(program.Object) == n {
		n = up
	}
	if up := n.Parent; n.Part == program.Callee && (n.Name == "get" || n.Name == "Get") {
		n = up
	}
	return n
}
