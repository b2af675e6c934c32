package search

import (
	"regexp"
	"slices"
	"strings"

	"fettle/internal/code"
	"fettle/internal/edit"
)

// Families about regular expressions.
var regexpTemplates = []template{
	{"regexp", 0.50, 0.70, regularExpression},
	{"regexp-flag", 0.70, 0.80, regexpFlag},
}

// piece is what stands for one letter in a regular expression, or for a group, with what says how often.
var piece = regexp.MustCompile(`(\\[wdsWDSbB.]|\[\^?\]?[^\]]*\]|\)|\.)([*+?]?)\??`)

// regularExpression varies how often something may come in a regular expression, where it has to stand, and which letters are meant.
func regularExpression(s *site, try func(change)) {
	start, end := s.pattern()
	if start == end {
		return
	}
	text := s.File.Source[start:end]
	raw := rawOpening(s.File.Source[s.Start:start])
	put := func(from, to int, is string, w float64, why string) {
		if !raw && strings.Contains(is, `\`) {
			return // the text's own escapes come before
		}
		try(change{[]edit.Edit{{Start: start + from, End: start + to, New: []byte(is)}}, w, why + " in the regular expression"})
	}
	for _, m := range piece.FindAllStringSubmatchIndex(text, 40) {
		what, often := text[m[2]:m[3]], text[m[4]:m[5]]
		if what == `\b` || what == `\B` || escaped(text, m[2]) {
			continue
		}
		for i, other := range []string{"+", "*", "?", ""} {
			if other != often {
				put(m[4], m[5], other, 1-0.2*float64(i), quote(what+often)+" should be "+quote(what+other))
			}
		}
		if what == "." {
			put(m[2], m[3], `\.`, 0.7, quote(".")+" is any letter")
		}
		if often == "+" || often == "*" {
			if lazy := strings.HasSuffix(text[:m[1]], "?"); !lazy {
				put(m[5], m[5], "?", 0.6, quote(what+often)+" takes too much")
			}
		}
		if strings.HasPrefix(what, "[") {
			for i, more := range []string{"0-9", "A-Z", "a-z", "_", "-", ".", `\s`} {
				if !strings.Contains(what, more) {
					put(m[3]-1, m[3]-1, more, 0.5-0.05*float64(i), quote(what)+" lacks "+quote(more))
				}
			}
		}
	}
	end = len(text)
	if strings.HasPrefix(text, "^") {
		put(0, 1, "", 0.6, quote("^")+" does not belong")
	} else {
		put(0, 0, "^", 0.9, quote("^")+" was missing")
	}
	if strings.HasSuffix(text, "$") {
		put(end-1, end, "", 0.6, quote("$")+" does not belong")
	} else {
		put(end, end, "$", 0.9, quote("$")+" was missing")
	}
}

// escaped reports whether the letter at a place has a backslash of its own.
func escaped(text string, at int) bool {
	before := text[:at]
	return (len(before)-len(strings.TrimRight(before, `\`)))%2 == 1
}

// patternTakers are functions and methods whose first argument is a regular expression, by language.
var patternTakers = map[string][]string{
	"Python": {"re.compile", "re.match", "re.search", "re.fullmatch", "re.findall", "re.finditer", "re.sub", "re.subn", "re.split"},
	"Go":     {"regexp.MustCompile", "regexp.Compile", "regexp.MatchString"},
	"Java":   {"Pattern.compile", "Pattern.matches", "matches", "replaceAll", "replaceFirst", "split"},
}

// pattern is where the text of a regular expression begins and ends that the node writes out; nothing, if it is none, or holds what its language reads in
// another way.
func (s *site) pattern() (start, end int) {
	text := s.Text()
	if s.regexpLiteral() {
		return s.Start + 1, s.Start + strings.LastIndexByte(text, '/')
	}
	if s.Role != code.Str || s.Part != code.Arg || len(s.Kids) > 0 || s.Parent.Kid(code.Arg) != s.Node {
		return 0, 0
	}
	callee := s.Parent.Kid(code.Callee)
	if !slices.ContainsFunc(patternTakers[s.fact().Family], func(name string) bool { return callee.Text() == name || callee.Is(code.Attr) && callee.Name == name }) {
		return 0, 0
	}
	i := strings.IndexAny(text, "\"'`")
	if i < 0 || len(text) < i+3 || strings.HasPrefix(text[i:], `"""`) || !rawOpening(text[:i+1]) && strings.Contains(text, `\`) {
		return 0, 0
	}
	return s.Start + i + 1, s.End - 1
}

// rawOpening reports whether what opens a text says that a backslash in it is one.
func rawOpening(opening string) bool { return strings.ContainsAny(opening, "rR`/") }

// regexpLiteral reports whether the node is a regular expression that the language itself knows.
func (s *site) regexpLiteral() bool {
	return s.fact().Family == "JavaScript" && s.Role == code.Other && len(s.Kids) == 0 && len(s.Text()) > 2 && strings.HasPrefix(s.Text(), "/") && !strings.HasPrefix(s.Text(), "//") && !strings.HasPrefix(s.Text(), "/*")
}

// regexpFlag has a regular expression find all that it fits, or whatever the case of the letters.
func regexpFlag(s *site, try func(change)) {
	if !s.regexpLiteral() {
		return
	}
	flags := s.Text()[strings.LastIndexByte(s.Text(), '/'):]
	for i, x := range []struct{ flag, why string }{{"g", "the first place was meant, and all are"}, {"i", "the case of letters counts"}, {"m", "lines within the text do not count"}} {
		if strings.Contains(flags, x.flag) {
			try(replace(s.Node, strings.TrimSuffix(s.Text(), flags)+strings.Replace(flags, x.flag, "", 1), 0.4, "the flag %s does not belong to %s", quote(x.flag), quote(s.Text())))
		} else {
			try(insert(s.End, x.flag, 1-0.2*float64(i), "%s lacks the flag %s", quote(s.Text()), quote(x.flag)))
		}
	}
}
