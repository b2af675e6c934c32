package search

import (
	"strings"

	"fettle/internal/code"
	"fettle/internal/pattern"
)

// shallow is how a language copies a collection without what is in it: how that looks, and copies of what is in it as well, X standing for the collection.
type shallow struct {
	looks *pattern.Pattern
	deep  []string
}

var shallows = map[string][]shallow{
	"Python": {
		{pattern.New(`^(?:dict\((\w+)\)|\{\*\*(\w+)\}|(\w+)\.copy\(\))$`), []string{"{k: list(v) for k, v in X.items()}", "{k: dict(v) for k, v in X.items()}", "{k: set(v) for k, v in X.items()}"}},
		{pattern.New(`^(?:list\((\w+)\)|(\w+)\[:\]|(\w+)\.copy\(\)|\[\*(\w+)\])$`), []string{"[list(v) for v in X]", "[dict(v) for v in X]"}},
	},
	"JavaScript": {
		{pattern.New(`^(?:\[\.\.\.(\w+)\]|(\w+)\.slice\(\))$`), []string{"X.map((v) => [...v])", "X.map((v) => ({ ...v }))"}},
		{pattern.New(`^\{ ?\.\.\.(\w+) ?\}$`), []string{"Object.fromEntries(Object.entries(X).map(([k, v]) => [k, [...v]]))", "Object.fromEntries(Object.entries(X).map(([k, v]) => [k, { ...v }]))"}},
		{pattern.New(`^new Map\((\w+)\)$`), []string{"new Map([...X].map(([k, v]) => [k, [...v]]))", "new Map([...X].map(([k, v]) => [k, new Set(v)]))"}},
	},
	"Java": {
		{pattern.New(`^(\w+)\.clone\(\)$`), []string{"Arrays.stream(X).map(int[]::clone).toArray(int[][]::new)", "Arrays.stream(X).map(char[]::clone).toArray(char[][]::new)"}},
	},
}

// ofRows reports whether the value is given to what is declared as rows of numbers or letters, in Java.
func (s *site) ofRows() bool {
	to := s.Parent.Kid(code.Target)
	return to.Is(code.Name) && (s.typeOf(to).begins("int[][]") || s.typeOf(to).begins("char[][]"))
}

// copyDeeper copies what is in a collection as well, where the collection alone is copied: who changes a list in the copy changes it in the original.
func (s *site) copyDeeper(try func(change)) {
	if s.Part != code.Value || !s.Parent.Is(code.Assign, code.Return) || !s.Is(code.Call, code.Slice, code.List, code.Map, code.Comprehension) {
		return
	}
	tried := 0
	for _, sh := range shallows[s.fact().Family] {
		m := sh.looks.FindStringSubmatch(s.Text())
		if m == nil || s.fact().Family == "Java" && !s.ofRows() {
			continue
		}
		for _, form := range sh.deep {
			text := strings.ReplaceAll(form, "X", strings.Join(m[1:], ""))
			try(replace(s.Node, text, 0.9-0.1*float64(tried), "the copy shares what is in it with %s", quote(strings.Join(m[1:], ""))))
			tried++
		}
	}
}
