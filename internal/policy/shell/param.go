package shell

import (
	"slices"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// param expands a parameter. More than one piece are arguments of their own.
func (s *shell) param(p *syntax.ParamExp) []piece {
	if p.Param == nil {
		return []piece{{value: anything}}
	}
	name := s.target(p.Param.Value)
	if p.Index != nil {
		s.substitutions(p.Index)
	}
	if p.Length || p.Width || p.IsSet {
		return []piece{{value: known("1")}} // a number: what counts is that it is no path and no command
	}
	if p.Excl && p.Index != nil && p.Names == 0 && all(p.Index) { // the places of an array's elements
		return []piece{{value: anything}}
	}
	list, isList := s.list(p, name)
	if p.Slice != nil {
		s.substitutions(p.Slice.Offset)
		s.substitutions(p.Slice.Length)
		list, isList = s.slice(p, name, list, isList)
	}
	if isList {
		return s.modifyList(p, name, list)
	}
	v, set := s.scalar(p, name)
	if p.Excl && p.Names == 0 {
		v, set = s.indirect(p, v, set)
	}
	if p.Slice != nil {
		v = cut(v, p.Slice)
	}
	return []piece{{value: s.modify(p, v, set)}}
}

// modifyList applies to each element of a list what stands in braces behind its name. A list of nothing has no element, but may
// have a default.
func (s *shell) modifyList(p *syntax.ParamExp, name string, list []value) []piece {
	if len(list) == 0 && p.Exp != nil {
		if v := s.modify(p, value{}, false); !v.empty() {
			return []piece{{value: v}}
		}
		return nil
	}
	if p.Exp != nil && alternate(p.Exp.Op) {
		return []piece{{value: s.modify(p, s.joined(list), true)}}
	}
	out := make([]piece, len(list), len(list)+1)
	for i, v := range list {
		out[i].value = s.modify(p, v, true)
	}
	if s.more && (name == "@" || name == "*") {
		out = append(out, piece{value: anything})
	}
	if name == "*" || p.Index != nil && isLit(p.Index, "*") || s.zsh && p.Index == nil && name != "@" {
		for i := range out {
			out[i].star = true
		}
	}
	return out
}

func alternate(op syntax.ParExpOperator) bool {
	return op == syntax.AlternateUnset || op == syntax.AlternateUnsetOrNull
}

func isLit(x syntax.ArithmExpr, text string) bool {
	w, ok := x.(*syntax.Word)
	return ok && w.Lit() == text
}

// all reports the index that stands for all elements.
func all(x syntax.ArithmExpr) bool { return isLit(x, "@") || isLit(x, "*") }

// list is the elements of $@, $* or ${a[@]}.
func (s *shell) list(p *syntax.ParamExp, name string) ([]value, bool) {
	if name == "@" || name == "*" {
		return s.args, true
	}
	base, _, element := subscript(name) // a reference to an element
	list, ok := s.lists.get(base)
	if !ok || element {
		return nil, false
	}
	if p.Index != nil && all(p.Index) {
		return list, true
	}
	return s.zshList(p, list)
}

// scalar is what a parameter holds that is no list, or one element of a list, and whether it is set.
func (s *shell) scalar(p *syntax.ParamExp, name string) (value, bool) {
	base, index, element := subscript(name)
	var i int
	var placed bool
	switch {
	case p.Index != nil:
		i, placed = s.place(number(p.Index))
	case element:
		n, err := strconv.Atoi(index)
		i, placed = s.place(n, err == nil)
	default:
		if list, ok := s.lists.get(name); ok {
			v := s.element(name, list, 0, true)
			return v, len(list) > 0
		}
		return s.variable(name)
	}
	list, isList := s.lists.get(base)
	if !isList {
		if v, set := s.variable(base); s.zsh && set { // letters of it
			return unknown(v.from), set
		}
		if placed && i > 0 {
			if v, set := s.variable(base); !set { // an array that is not known
				return v, false
			}
			return value{}, false
		}
		return s.variable(base)
	}
	v := s.element(base, list, i, placed)
	return v, !v.empty()
}

// indirect is ${!x}: the value of the variable that x names.
func (s *shell) indirect(p *syntax.ParamExp, v value, set bool) (value, bool) {
	of, ok := v.exact()
	if at, isRef := s.attrs.get(p.Param.Value); isRef && at.ref != "" {
		return known(at.ref), true
	}
	name := p.Param.Value
	if !ok || !set || volatile(name) || name == "#" && s.more || strings.ContainsAny(name, "?$!-") {
		return unknown(v.from), false
	}
	base, index, element := subscript(s.target(of))
	switch {
	case of == "@" || of == "*":
		return s.joined(append(slices.Clone(s.args), value{})), true
	case !element:
		return s.scalar(&syntax.ParamExp{Param: p.Param}, base)
	case index == "@" || index == "*":
		list := s.elements(base)
		if len(list) == 0 {
			return value{}, false
		}
		return words(list), true
	}
	n, err := strconv.Atoi(index)
	return s.element(base, s.elements(base), n, err == nil), true
}

// slice takes some of a list, as ${@:2} does.
func (s *shell) slice(p *syntax.ParamExp, name string, list []value, isList bool) ([]value, bool) {
	if !isList {
		return list, false
	}
	from, ok := number(p.Slice.Offset)
	if name == "@" || name == "*" {
		if ok && from == 0 { // $0 is the first
			zero, _ := s.variable("0")
			list, from = append([]value{zero}, list...), 1
		}
		from--
	}
	if !ok || from < -1 || from > len(list) {
		return []value{anything}, true
	}
	list = list[max(from, 0):]
	if p.Slice.Length != nil {
		n, ok := number(p.Slice.Length)
		if !ok || n < 0 {
			return []value{anything}, true
		}
		list = list[:min(n, len(list))]
	}
	return list, true
}

// cut takes a part of a text, as ${x:1:2} does.
func cut(v value, sl *syntax.Slice) value {
	text, all := v.exact()
	from, ok := number(sl.Offset)
	if !all || !ok || !ascii(text) {
		return unknown(v.from)
	}
	if from < 0 {
		from = len(text) + from
	}
	if from < 0 || from > len(text) {
		return value{from: v.from}
	}
	text = text[from:]
	if sl.Length != nil {
		n, ok := number(sl.Length)
		if !ok {
			return unknown(v.from)
		}
		if n < 0 {
			n = len(text) + n
		}
		text = text[:max(0, min(n, len(text)))]
	}
	return value{text, v.from}
}

// number is an arithmetic expression that is a number as it stands.
func number(x syntax.ArithmExpr) (int, bool) {
	switch x := x.(type) {
	case *syntax.Word:
		n, err := strconv.Atoi(strings.TrimSpace(x.Lit()))
		return n, err == nil
	case *syntax.UnaryArithm:
		if n, ok := number(x.X); ok && x.Op == syntax.Minus {
			return -n, true
		}
	case *syntax.ParenArithm:
		return number(x.X)
	}
	return 0, false
}
