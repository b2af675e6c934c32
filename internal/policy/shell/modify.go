package shell

import (
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

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
		return s.alternative(p, v, other, set)
	case syntax.ErrorUnset, syntax.ErrorUnsetOrNull:
		return v
	case syntax.RemSmallPrefix, syntax.RemLargePrefix, syntax.RemSmallSuffix, syntax.RemLargeSuffix:
		if s.quotesPattern(p.Exp.Word) {
			return unknown(v.from)
		}
		return trim(p.Exp.Op, v, other)
	case syntax.UpperAll, syntax.LowerAll, syntax.UpperFirst, syntax.LowerFirst:
		if p.Exp.Word != nil && len(p.Exp.Word.Parts) > 0 {
			return unknown(v.from) // only the letters that a pattern matches
		}
		return letters(p.Exp.Op, v)
	case syntax.OtherParamOps:
		return s.operate(other.text, v)
	default:
	}
	return unknown(v.from | other.from)
}

// operate is ${x@P} and its like: @P expands the text as a prompt, and with it every substitution in it; @E resolves escapes.
func (s *shell) operate(op string, v value) value {
	text, ok := v.exact()
	switch {
	case !ok && op == "P":
		s.unseen(v)
	case !ok:
	case op == "E":
		return value{ansi(text), v.from}
	case op == "U":
		return value{strings.ToUpper(text), v.from}
	case op == "L":
		return value{strings.ToLower(text), v.from}
	case op == "P" && strings.ContainsAny(text, "$`"):
		s.prompt(v)
	case op == "P":
		return v
	}
	return unknown(v.from)
}

// fallback is ${x:-y} and ${x-y}: x where it is known, and y where it is known to be empty, or not set. A variable that this
// command has not set may come from the environment; that it does not is the case to be judged.
func (s *shell) fallback(p *syntax.ParamExp, v, other value, set bool) value {
	op := p.Exp.Op
	null := op == syntax.DefaultUnsetOrNull || op == syntax.AssignUnsetOrNull // an empty one counts as none
	out := v
	switch {
	case !set || s.isGone(p) || null && v.empty():
		out = value{other.text, v.from | other.from}
	case null && v.holed() && v.text == string(hole):
		out = s.choose([]value{v, other})
	}
	if op == syntax.AssignUnset || op == syntax.AssignUnsetOrNull {
		s.assignTo(p.Param.Value, out)
	}
	return out
}

// isGone reports a parameter that is known not to be set.
func (s *shell) isGone(p *syntax.ParamExp) bool {
	name := s.target(p.Param.Value)
	if i, err := strconv.Atoi(name); err == nil {
		return i > len(s.args) && s.args != nil && !s.more
	}
	at, ok := s.attrs.get(name)
	return ok && at.gone
}

// alternative is ${x:+y} and ${x+y}: y where x is set. One that is not known may be either.
func (s *shell) alternative(p *syntax.ParamExp, v, other value, set bool) value {
	empty := value{from: v.from}
	switch {
	case s.isGone(p):
		return empty
	case set && p.Exp.Op == syntax.AlternateUnset:
		return other
	case set && v.empty():
		return empty
	case set && v.text != string(hole):
		return other
	}
	return s.choose([]value{other, empty})
}

// replace is ${x/y/z}.
func (s *shell) replace(r *syntax.Replace, v value) value {
	orig, with := s.word(r.Orig), s.word(r.With)
	text, ok1 := v.exact()
	from, ok2 := orig.exact()
	to, ok3 := with.exact()
	if !ok1 || !ok2 || !ok3 || strings.ContainsAny(from, `*?[\`) || strings.ContainsAny(to, `&\`) || strings.ContainsAny(from, "(") {
		return unknown(v.from | with.from)
	}
	switch {
	case from == "":
	case r.All:
		if strings.Count(text, from)*len(to)+len(text) > 2*maxText {
			return unknown(v.from | with.from)
		}
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

// quotesPattern reports a word in which quotation marks, or a backslash, make a star or its like a character as any other.
func (s *shell) quotesPattern(w *syntax.Word) bool {
	if w == nil {
		return false
	}
	for _, p := range w.Parts {
		text := ""
		switch p := p.(type) {
		case *syntax.Lit:
			_, text, _ = strings.Cut(p.Value, `\`)
		case *syntax.SglQuoted:
			text = p.Value
		case *syntax.DblQuoted:
			text = s.word(&syntax.Word{Parts: p.Parts}).text
		}
		if strings.ContainsAny(text, "*?[") {
			return true
		}
	}
	return false
}

// trim cuts off what a pattern matches at one end. Patterns with stars are tried at every length.
func trim(op syntax.ParExpOperator, v, pattern value) value {
	text, ok := v.exact()
	if _, plain := pattern.exact(); plain && !ok && !v.empty() {
		return trimMarked(op, v, pattern.text)
	} else if !ok || !plain || strings.ContainsAny(pattern.text, `[\(`) || strings.Contains(pattern.text, "?") && !ascii(text) {
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

// trimMarked cuts off what a pattern matches at one end of a text that is not all known: where it lies in the part that is, or is a whole name or folder
// before or behind the last slash.
func trimMarked(op syntax.ParExpOperator, v value, pattern string) value {
	text, slash := v.text, strings.LastIndexByte(v.text, '/')
	named := slash >= 0 && !strings.ContainsRune(text[slash:], hole)
	end := text[strings.LastIndexAny(text, marks)+1:]
	switch literal := !strings.ContainsAny(pattern, `*?[\(`); {
	case named && op == syntax.RemSmallSuffix && pattern == "/*":
		v.text = text[:slash]
	case named && op == syntax.RemLargePrefix && pattern == "*/":
		v.text = text[slash+1:]
	case op == syntax.RemSmallSuffix && pattern == ".*" && strings.Contains(end, "."):
		v.text = text[:strings.LastIndexByte(text, '.')]
	case literal && (op == syntax.RemSmallPrefix || op == syntax.RemLargePrefix) && strings.HasPrefix(text, pattern):
		v.text = text[len(pattern):]
	case literal && op != syntax.RemSmallPrefix && op != syntax.RemLargePrefix && strings.HasSuffix(end, pattern):
		v.text = strings.TrimSuffix(text, pattern)
	default:
		return unknown(v.from)
	}
	return v
}

// ascii reports a text in which each byte is a character, whatever the locale.
func ascii(text string) bool {
	return strings.IndexFunc(text, func(r rune) bool { return r >= 0x80 }) < 0
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
