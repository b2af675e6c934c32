package code

import (
	"strings"

	program "fettle/internal/code"
	"fettle/internal/pattern"
	"fettle/internal/syntax"
)

// rules are the rulesets by language, each made when its language is first read.
var rules = map[syntax.Lang]func() *ruleset{
	syntax.Python: pythonRules, syntax.JavaScript: javascriptRules, syntax.TypeScript: javascriptRules, syntax.TSX: javascriptRules,
	syntax.Go: goRules, syntax.Java: javaRules,
}

// mentionsOf reads a table: names by class and grade.
func mentionsOf(rows ...mentionRow) map[string]*hit {
	all := make(map[string]*hit)
	for _, r := range rows {
		for name := range strings.FieldsSeq(r.names) {
			all[name] = &hit{r.class, r.grade, name}
		}
	}
	return all
}

type mentionRow struct {
	class Class
	grade Grade
	names string
}

// callsOf reads a table of functions that judge calls.
func callsOf(rows ...callRow) map[string]func(*call) *hit {
	all := make(map[string]func(*call) *hit)
	for _, r := range rows {
		for name := range strings.FieldsSeq(r.names) {
			all[name] = r.judge
		}
	}
	return all
}

type callRow struct {
	names string
	judge func(*call) *hit
}

// textRow is what a literal must not say.
type textRow struct {
	says *pattern.Pattern
	hit  hit
}

// spells judges a literal by what it says.
func (s *scan) spells(n *program.Node) {
	for i := range s.rules.texts {
		if row := &s.rules.texts[i]; row.says.MatchString(n.Text()) {
			s.add(n, &row.hit)
		}
	}
}

// always says the same of every call.
func always(class Class, grade Grade) func(*call) *hit {
	return func(c *call) *hit { return c.hit(class, grade) }
}

// unlessKnown says it of calls whose first argument could not be computed.
func unlessKnown(class Class, grade Grade) func(*call) *hit {
	return func(c *call) *hit {
		if c.arg(0, "name").known() {
			return nil
		}
		return c.hit(class, grade)
	}
}

// copiesFile judges a file that is copied: what it holds is read, and something is written.
func copiesFile(c *call) *hit {
	if h := c.read(c.arg(0, "src")); h != nil {
		return h
	}
	return writes(c)
}

// writes judges the arguments that are paths.
func writes(c *call) *hit { return c.write(c.args...) }

func set(names string) map[string]bool {
	all := make(map[string]bool)
	for n := range strings.FieldsSeq(names) {
		all[n] = true
	}
	return all
}
