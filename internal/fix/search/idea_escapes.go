package search

import (
	"slices"
	"strings"

	"fettle/internal/code"
	"fettle/internal/pattern"
)

// escapeFirst escapes, before anything else, what others are escaped with: the backslash that is put before quotation marks, the ampersand with which entities begin. Each call
// of a chain that replaces one text with another is asked; of those that escape, the first one is the place.
func (s *site) escapeFirst(try func(change)) {
	callee, args := s.Kid(code.Callee), s.All(code.Arg)
	if !s.Is(code.Call) || !callee.Is(code.Attr) || len(args) < 2 || !args[len(args)-1].Is(code.Str) {
		return
	}
	object := callee.Kid(code.Object)
	what, with := args[len(args)-2], args[len(args)-1]
	quote1, escape, doubled := escapeOf(with.Text())
	if escape == "" || strings.Contains(what.Text(), escape) || strings.Contains(s.Function().Text(), quote1+doubled+quote1) {
		return
	}
	found := quote1 + escape + quote1
	switch {
	case strings.HasPrefix(what.Text(), "/"):
		found = "/" + escape + "/g"
	case !what.Is(code.Str, code.Char):
		return
	}
	why := "what others are escaped with, %s, has to be escaped first"
	switch {
	case s.fact().Family == "Go" && len(args) == 3 && callee.Name == "ReplaceAll":
		text := callee.Text() + "(" + args[0].Text() + ", " + found + ", " + quote1 + doubled + quote1 + ")"
		try(replace(args[0], text, 1, why, quote(found)))
	case s.fact().Family != "Go" && len(args) == 2 && (callee.Name == "replace" || callee.Name == "replaceAll" && s.fact().Family != "Java"):
		try(insert(object.End, "."+callee.Name+"("+found+", "+quote1+doubled+quote1+")", 1, why, quote(found)))
	}
}

// How documentations say that a sign is written otherwise within a text, and how many signs are tried.
var (
	escapedSaid = pattern.New(`(?i)backslash|\bescap`)
	doubledSaid = pattern.New(`(?i)\b(doubled|twice)\b`)
)

const mostSigns = 4

// escapeMark writes a sign otherwise that the function puts beside a text, where another one is replaced in the text already and the documentation says how such signs
// are written: a bar between cells, with a backslash within one.
func (s *site) escapeMark(try func(change)) {
	callee, args, fn := s.Kid(code.Callee), s.All(code.Arg), s.Function()
	if !s.Is(code.Call) || !callee.Is(code.Attr) || len(args) < 2 || fn == nil || !strings.HasPrefix(strings.ToLower(callee.Name), "replace") || s.Part == code.Object {
		return
	}
	like := args[len(args)-1]
	says := documentation(fn)
	escaped, doubled := escapedSaid.MatchString(says), doubledSaid.MatchString(says)
	if !like.Is(code.Str) || len(like.Kids) > 0 || !escaped && !doubled {
		return
	}
	for i, sign := range s.signsWritten(fn) {
		with := `\` + sign
		if !escaped {
			with = sign + sign
		}
		found, meant := spelledLike(like, sign), spelledLike(like, with)
		var text string
		switch {
		case s.fact().Family == "Go" && callee.Name == "ReplaceAll":
			text = callee.Text() + "(" + s.Text() + ", " + found + ", " + meant + ")"
		case s.fact().Silent:
			text = s.Text() + ".replaceAll(" + found + ", " + meant + ")"
		default:
			text = s.Text() + ".replace(" + found + ", " + meant + ")"
		}
		try(replace(s.Node, text, 0.8-0.1*float64(i), "%s has to be written otherwise within a text", quote(found)))
	}
}

// signsWritten are the signs of punctuation that a function writes as a part of a text and replaces nowhere.
func (s *site) signsWritten(fn *code.Node) (out []string) {
	for n := range fn.Own() {
		if !n.Is(code.Str, code.Char) || len(n.Kids) > 0 || n.Parent.Is(code.Eval) {
			continue
		}
		if n.Part == code.Arg && strings.HasPrefix(strings.ToLower(n.Parent.Calls()), "replace") {
			continue
		}
		for _, r := range said(n) {
			if sign := string(r); strings.ContainsRune("|,;:\"'*_`#[]<>&/", r) && !slices.Contains(out, sign) && len(out) < mostSigns {
				out = append(out, sign)
			}
		}
	}
	return out
}

// escapeOf is the sign that a text which stands for another one begins with, as a program writes it, the one that stands for the sign itself, and the quotation
// mark around them; empty if it begins with none that is known.
func escapeOf(literal string) (mark, escape, doubled string) {
	if len(literal) < 3 {
		return "", "", ""
	}
	mark = literal[:1]
	switch text := literal[1 : len(literal)-1]; {
	case mark == "`" && strings.HasPrefix(text, `\`) && len(text) > 1:
		return mark, `\`, `\\`
	case strings.HasPrefix(text, `\\`) && len(text) > 2:
		return mark, `\\`, `\\\\`
	case strings.HasPrefix(text, "&") && strings.HasSuffix(text, ";"):
		return mark, "&", "&amp;"
	case strings.HasPrefix(text, "%") && len(text) == 3 && text != "%25" && !strings.ContainsAny(text[1:2], "sdf"):
		return mark, "%", "%25"
	}
	return "", "", ""
}
