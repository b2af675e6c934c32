package search

import (
	"strings"

	"fettle/internal/code"
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
	case s.fact().Name == "Go" && len(args) == 3 && callee.Name == "ReplaceAll":
		text := callee.Text() + "(" + args[0].Text() + ", " + found + ", " + quote1 + doubled + quote1 + ")"
		try(replace(args[0], text, 1, why, quote(found)))
	case s.fact().Name != "Go" && len(args) == 2 && (callee.Name == "replace" || callee.Name == "replaceAll" && s.fact().Name != "Java"):
		try(insert(object.End, "."+callee.Name+"("+found+", "+quote1+doubled+quote1+")", 1, why, quote(found)))
	}
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
