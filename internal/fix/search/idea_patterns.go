package search

import (
	"slices"
	"strings"

	"fettle/internal/code"
	"fettle/internal/pattern"
)

// quoted is how a language has a regular expression find a text as it is written: which calls take one, and what the text X is put into.
type quoted struct {
	takes *pattern.Pattern
	form  string
	needs string // what has to be imported for it
}

var quotings = map[string]quoted{
	"Python":     {pattern.New(`^re\.(compile|search|match|fullmatch|subn?|findall|finditer|split)$`), "re.escape(X)", ""},
	"JavaScript": {pattern.New(`^RegExp$`), `X.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')`, ""},
	"Java":       {pattern.New(`^Pattern\.(compile|matches)$|\.(replaceAll|replaceFirst|split|matches)$`), "Pattern.quote(X)", "java.util.regex.Pattern"},
	"Go":         {pattern.New(`^regexp\.(MustCompile|Compile|Match|MatchString)$`), "regexp.QuoteMeta(X)", ""},
}

// asWritten has a regular expression find what a variable holds as it is written, also where there are signs in it that mean something in one.
func (s *site) asWritten(try func(change)) {
	q, ok := quotings[s.fact().Family]
	if !ok || !s.value() || !s.Is(code.Name, code.Attr, code.Index, code.Call) || s.of(s.Node).known() && !s.of(s.Node).is(kText) {
		return
	}
	at := s.Node
	for at.Parent != nil && (at.Parent.Is(code.Group, code.Str) || at.Parent.Is(code.Arith) && at.Parent.Op == "+") {
		at = at.Parent
	}
	call := at.Parent
	if at.Part != code.Arg || !call.Is(code.Call) || call.Kid(code.Arg) != at || !q.takes.MatchString(call.Kid(code.Callee).Text()) || strings.Contains(at.Text(), strings.TrimSuffix(q.form, "(X)")+"(") {
		return
	}
	needed, ok := s.importing(q.needs)
	if !ok {
		return
	}
	c := replace(s.Node, strings.Replace(q.form, "X", s.Text(), 1), 1, "%s is to be found as it is written, and not as a regular expression", quote(s.Text()))
	c.edits = append(needed, c.edits...)
	try(c)
}

// withoutEnds takes the sign at which a text is divided off of its ends first, where nothing stands between.
func (s *site) withoutEnds(try func(change)) {
	what, by := s.dividedAt()
	if what == nil {
		return
	}
	var forms []string
	switch s.fact().Family {
	case "Python":
		forms = []string{"X.strip(Y)", "X.rstrip(Y)", "X.lstrip(Y)"}
	case "Go":
		forms = []string{"strings.Trim(X, Y)", "strings.TrimSuffix(X, Y)", "strings.TrimPrefix(X, Y)"}
	case "JavaScript":
		if !strings.HasPrefix(s.File.Source[s.End:], ".filter") {
			try(insert(s.End, ".filter((part) => part !== "+by[:1]+by[:1]+")", 0.6, "parts of %s may be empty", quote(s.Text())))
		}
	}
	if !code.Primary(what) || slices.Contains([]string{"strip", "rstrip", "lstrip", "Trim", "TrimSuffix"}, what.Calls()) && strings.Contains(what.Text(), by) {
		return
	}
	for i, form := range forms {
		text := strings.NewReplacer("X", what.Text(), "Y", by).Replace(form)
		try(replace(what, text, 0.7-0.1*float64(i), "%s may begin or end with %s", quote(what.Text()), quote(by)))
	}
}

// dividedAt is the text that a call divides at every one of a sign, other than a blank, and the sign; nil: it divides none.
func (s *site) dividedAt() (what *code.Node, by string) {
	callee, args, wanted := s.Kid(code.Callee), s.All(code.Arg), 1
	what, word := callee.Kid(code.Object), "split"
	if s.fact().Family == "Go" {
		wanted, word = 2, "Split"
	}
	if !s.Is(code.Call) || s.Calls() != word || len(args) != wanted || !callee.Is(code.Attr) || !args[wanted-1].Is(code.Str) {
		return nil, ""
	}
	if by = args[wanted-1].Text(); len(by) != len("','") || strings.Contains(by, " ") {
		return nil, ""
	}
	if wanted == 2 {
		if what.Text() != "strings" {
			return nil, ""
		}
		what = args[0]
	}
	return what, by
}

// escapeWithin escapes the quotation marks in a text that is put between two of them: by a backslash, by a second one, or, as shells want it, outside of them.
func (s *site) escapeWithin(try func(change)) {
	if !s.value() || !s.Is(code.Name, code.Attr, code.Index, code.Call) || s.of(s.Node).known() && !s.of(s.Node).is(kText) {
		return
	}
	mark := s.between()
	if mark == "" || strings.Contains(strings.ToLower(s.Calls()), "replace") {
		return
	}
	ways := []string{`\` + mark, mark + mark}
	if mark == "'" {
		ways = append(ways, `'\''`)
	}
	around := `"`
	if mark == `"` && s.fact().Family != "Go" && s.fact().Family != "Java" {
		around = "'"
	}
	spell := func(text string) string {
		return around + strings.NewReplacer(`\`, `\\`, around, `\`+around).Replace(text) + around
	}
	for i, way := range ways {
		text := s.Text() + ".replace(" + spell(mark) + ", " + spell(way) + ")"
		switch s.fact().Family {
		case "Go":
			if !s.isModule("strings") {
				return
			}
			text = "strings.ReplaceAll(" + s.Text() + ", " + spell(mark) + ", " + spell(way) + ")"
		case "JavaScript":
			text = s.Text() + ".replace(/" + mark + "/g, " + spell(way) + ")"
		}
		try(replace(s.Node, text, 1-0.1*float64(i), "%s may be in %s, too", quote(mark), quote(s.Text())))
	}
}

// between is the quotation mark that stands directly before a value and behind it in the text that is made of it; empty if there is none.
func (s *site) between() string {
	left, right := s.neighbouringTexts()
	if left == "" || right == "" || left[len(left)-1] != right[0] || right[0] != '"' && right[0] != '\'' {
		return ""
	}
	return right[:1]
}

// neighbouringTexts are what stands before and behind a value in the text that is made of it; empty if there is none.
func (s *site) neighbouringTexts() (left, right string) {
	sum := s.Parent
	if sum.Is(code.Str) { // a text that holds values
		before, behind := s.File.Source[sum.Start:s.Start], s.File.Source[s.End:sum.End]
		left = strings.TrimRight(before, "${")
		if right = strings.TrimPrefix(behind, "}"); left == before || right == behind || len(left) < len(`f"'`) || len(right) < len(`'"`) {
			return "", ""
		}
		return left, right
	}
	if !sum.Is(code.Arith) || sum.Op != "+" || s.Part != code.Right || !sum.Parent.Is(code.Arith) || sum.Parent.Op != "+" || sum.Part != code.Left {
		return "", ""
	}
	before := sum.Kid(code.Left)
	if before.Is(code.Arith) && before.Op == "+" {
		before = before.Kid(code.Right)
	}
	return inQuotes(before), inQuotes(sum.Parent.Kid(code.Right))
}

// inQuotes is what a literal text, or letter, says, with its escaped quotation marks as they are; empty if it is none.
func inQuotes(n *code.Node) string {
	if !n.Is(code.Str, code.Char) || len(n.Kids) > 0 || len(n.Text()) < 3 {
		return ""
	}
	text := n.Text()
	return strings.NewReplacer(`\"`, `"`, `\'`, "'").Replace(text[1 : len(text)-1])
}
