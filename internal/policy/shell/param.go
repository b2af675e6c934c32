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
	name := p.Param.Value
	if p.Index != nil {
		s.substitutions(p.Index)
	}
	if p.Length || p.Width || p.IsSet {
		return []piece{{value: known("1")}} // a number: what counts is that it is no path and no command
	}
	list, isList := s.list(p, name)
	if p.Slice != nil {
		s.substitutions(p.Slice.Offset)
		s.substitutions(p.Slice.Length)
		list, isList = s.slice(p, name, list, isList)
	}
	if isList {
		out := make([]piece, len(list))
		for i, v := range list {
			out[i].value = s.modify(p, v, true)
		}
		return out
	}
	v, set := s.variable(name)
	if p.Excl && p.Names == 0 {
		if of, ok := v.exact(); ok && set {
			v, set = s.variable(of)
		} else {
			v = unknown(v.from)
		}
	}
	if p.Slice != nil {
		v = cut(v, p.Slice)
	}
	return []piece{{value: s.modify(p, v, set)}}
}

// list is the elements of $@, $* or ${a[@]}.
func (s *shell) list(p *syntax.ParamExp, name string) ([]value, bool) {
	if name == "@" || name == "*" {
		return s.args, true
	}
	list, ok := s.lists.get(name)
	if !ok {
		return nil, false
	}
	if w, isWord := p.Index.(*syntax.Word); isWord {
		if index := w.Lit(); index == "@" || index == "*" {
			return list, true
		} else if i, err := strconv.Atoi(index); err == nil && i >= 0 && i < len(list) {
			return list[i : i+1], true
		}
		return []value{anything}, true
	}
	return list[:min(1, len(list))], true
}

// slice takes some of a list, as ${@:2} does.
func (s *shell) slice(p *syntax.ParamExp, name string, list []value, isList bool) ([]value, bool) {
	if !isList {
		return list, false
	}
	from, ok := number(p.Slice.Offset)
	if name == "@" || name == "*" {
		from-- // $0 is the first
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
	if !all || !ok {
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

// variable is what a variable holds, and whether that is known.
func (s *shell) variable(name string) (value, bool) {
	if v, ok := s.vars.get(name); ok {
		return v, true
	}
	switch name {
	case "HOME":
		return known(s.at.Home), true
	case "PWD":
		return s.cwd, true
	case "TMPDIR":
		return known("/tmp"), true
	case "IFS":
		return known(" \t\n"), true
	case "!":
		return known("%1"), true // a job of this shell
	case "#", "$", "PPID", "UID", "EUID", "RANDOM", "SECONDS", "LINENO", "BASHPID", "SHLVL", "COLUMNS", "LINES", "EPOCHSECONDS", "?":
		return known("1"), true
	case "0":
		if !s.zero.empty() {
			return s.zero, true
		}
		return known("bash"), true
	case "BASH", "SHELL":
		return known("bash"), true
	case "-":
		return known("hB"), true
	}
	if i, err := strconv.Atoi(name); err == nil {
		if i > 0 && i <= len(s.args) {
			return s.args[i-1], true
		}
		if s.args != nil {
			return value{}, true
		}
		return anything, false
	}
	if v, ok := s.at.Env[name]; ok {
		return known(v), true
	}
	if secretVariable(name) {
		return unknown(fromSecret), false
	}
	return anything, false
}

// secretWords are in the names of environment variables that hold secrets.
var secretWords = []string{"TOKEN", "SECRET", "PASSWORD", "PASSWD", "PASSPHRASE", "APIKEY", "API_KEY", "ACCESS_KEY", "PRIVATE_KEY", "CREDENTIAL", "_PAT", "DATABASE_URL", "DSN", "_AUTH", "COOKIE", "JWT"}

func secretVariable(name string) bool {
	upper := strings.ToUpper(name)
	return slices.ContainsFunc(secretWords, func(w string) bool { return strings.Contains(upper, w) })
}

// modify applies what stands in braces behind a parameter's name: a default, a prefix cut off, a replacement.
func (s *shell) modify(p *syntax.ParamExp, v value, set bool) value {
	if p.Repl != nil {
		return s.replace(p.Repl, v)
	}
	if p.Names != 0 || p.Exp == nil {
		if p.Names != 0 {
			return anything
		}
		return v
	}
	other := s.word(p.Exp.Word)
	switch p.Exp.Op {
	case syntax.DefaultUnset, syntax.DefaultUnsetOrNull, syntax.AssignUnset, syntax.AssignUnsetOrNull:
		return s.fallback(p, v, other, set)
	case syntax.AlternateUnset, syntax.AlternateUnsetOrNull:
		if set && !v.empty() {
			return other
		}
		if set {
			return v
		}
		return join(other, value{})
	case syntax.ErrorUnset, syntax.ErrorUnsetOrNull:
		return v
	case syntax.RemSmallPrefix, syntax.RemLargePrefix, syntax.RemSmallSuffix, syntax.RemLargeSuffix:
		return trim(p.Exp.Op, v, other)
	case syntax.UpperAll, syntax.LowerAll, syntax.UpperFirst, syntax.LowerFirst:
		return letters(p.Exp.Op, v)
	case syntax.OtherParamOps:
		// @P expands the text as a prompt, and with it every substitution in it; @E resolves escapes.
		if text, ok := v.exact(); ok {
			if other.text == "P" && strings.ContainsAny(text, "$`") {
				s.prompt(v)
				return unknown(v.from)
			}
			if other.text == "E" {
				return value{ansi(text), v.from}
			}
			return v
		}
		if other.text == "P" {
			s.unseen(v)
		}
	default:
	}
	return unknown(v.from | other.from)
}

// fallback is ${x:-y}: x where it is known, and y where it is known to be empty. A variable that this command has not set may
// come from the environment; that it does not is the case to be judged.
func (s *shell) fallback(p *syntax.ParamExp, v, other value, set bool) value {
	out := v
	switch {
	case !set || v.empty():
		out = value{other.text, v.from | other.from}
	case v.holed():
		out = join(v, other)
	}
	if op := p.Exp.Op; op == syntax.AssignUnset || op == syntax.AssignUnsetOrNull {
		s.vars.set(p.Param.Value, out)
	}
	return out
}

func (s *shell) replace(r *syntax.Replace, v value) value {
	orig, with := s.word(r.Orig), s.word(r.With)
	text, ok1 := v.exact()
	from, ok2 := orig.exact()
	to, ok3 := with.exact()
	if !ok1 || !ok2 || !ok3 || strings.ContainsAny(from, "*?[") {
		return unknown(v.from | with.from)
	}
	switch {
	case r.All:
		text = strings.ReplaceAll(text, from, to)
	case strings.HasPrefix(from, "#"):
		if rest, ok := strings.CutPrefix(text, from[1:]); ok {
			text = to + rest
		}
	case strings.HasPrefix(from, "%"):
		if rest, ok := strings.CutSuffix(text, from[1:]); ok {
			text = rest + to
		}
	default:
		text = strings.Replace(text, from, to, 1)
	}
	return value{text, v.from | with.from}
}

// trim cuts off what a pattern matches at one end. Patterns with stars are tried at every length.
func trim(op syntax.ParExpOperator, v, pattern value) value {
	text, ok := v.exact()
	if !ok {
		return unknown(v.from)
	}
	pat := greedy.Replace(pattern.text)
	front := op == syntax.RemSmallPrefix || op == syntax.RemLargePrefix
	large := op == syntax.RemLargePrefix || op == syntax.RemLargeSuffix
	for i := range len(text) + 1 {
		n := i
		if large {
			n = len(text) - i
		}
		if front && match(pat, text[:n]) {
			return value{text[n:], v.from}
		}
		if !front && match(pat, text[len(text)-n:]) {
			return value{text[:len(text)-n], v.from}
		}
	}
	return v
}

func letters(op syntax.ParExpOperator, v value) value {
	text := v.text
	first := min(1, len(text))
	switch op {
	case syntax.UpperAll:
		text = strings.ToUpper(text)
	case syntax.LowerAll:
		text = strings.ToLower(text)
	case syntax.UpperFirst:
		text = strings.ToUpper(text[:first]) + text[first:]
	case syntax.LowerFirst:
		text = strings.ToLower(text[:first]) + text[first:]
	default:
	}
	return value{text, v.from}
}
