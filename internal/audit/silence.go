package audit

import (
	"fmt"
	"slices"
	"strings"

	"fettle/internal/audit/assertions"
	"fettle/internal/audit/parts"
	"fettle/internal/code"
	"fettle/internal/lang"
	"fettle/internal/pattern"
	"fettle/internal/phrase"
	"fettle/internal/silence"
	"fettle/internal/syntax"
)

// silenceRules look for findings that were silenced instead of mended.
var silenceRules = []Rule{
	{"suppression", "what silences a check: noqa, nolint, nosec, type: ignore, …, and casts to any type, what is declared of any", each(func(v *patchView, f *fileView) []Finding {
		return slices.Concat(newSuppressions(v, f), newCasts(v, f), assumedTypes(v, f))
	})},
}

// silenced is one thing that one tool is told not to say; an empty rule is everything.
type silenced struct {
	tool, rule string
}

// suppression is a mark in a file.
type suppression struct {
	silenced
	mark        string
	line        int
	wide, whole bool // it holds for more than what it stands at; for a file, whatever is wrong in it
}

// suppressions lists every mark once for each rule that it silences.
func suppressions(path string, src []byte) []suppression {
	l := lang.Of(path)
	var all []suppression
	for i, text := range strings.Split(string(src), "\n") {
		for _, s := range silence.Marks(l, strings.TrimSuffix(text, "\r")) {
			rules := s.Rules
			if len(rules) == 0 {
				rules = []string{""}
			}
			for _, r := range rules {
				if strings.EqualFold(r, "all") { // as many tools call everything
					r = ""
				}
				all = append(all, suppression{silenced{s.Tool, r}, s.Text, i + 1, s.Wide(), s.Whole()})
			}
		}
	}
	return all
}

// newSuppressions compares how often each rule is silenced in the file before and after: a mark that only moved is not new,
// and one that silenced everything may become narrower.
func newSuppressions(v *patchView, f *fileView) []Finding {
	if !f.text() {
		return nil
	}
	left := make(map[silenced]int)
	for _, s := range outOfTexts(f.programBefore, suppressions(f.path, f.before)) {
		left[s.silenced]++
	}
	var fresh []suppression
	for _, s := range outOfTexts(f.programAfter, suppressions(f.path, f.after)) {
		if left[s.silenced] > 0 {
			left[s.silenced]--
		} else {
			fresh = append(fresh, s)
		}
	}
	var all []Finding
	said := make(map[silenced]bool)
	for _, s := range fresh {
		if wide := (silenced{s.tool, ""}); left[wide] > 0 {
			left[wide]--
			continue
		}
		if !said[s.silenced] {
			said[s.silenced] = true
			all = append(all, v.silencedHere(f, s))
		}
	}
	return all
}

// outOfTexts are those marks of a program that do not stand in a text of it, as a test has them of the programs that it makes up: there no tool reads them, but for those of Python's that look
// for them in every line.
func outOfTexts(f *code.File, all []suppression) []suppression {
	if len(all) == 0 || parts.Broken(f) || f.Lang == syntax.Python {
		return all
	}
	lines := strings.SplitAfter(f.Source, "\n")
	starts := make([]int, len(lines)+1)
	for i, l := range lines {
		starts[i+1] = starts[i] + len(l)
	}
	return slices.DeleteFunc(all, func(s suppression) bool {
		some := false
		for at, end := starts[s.line-1], starts[s.line]; ; at += len(s.mark) {
			in := strings.Index(f.Source[at:end], s.mark)
			if in < 0 {
				return some
			}
			at += in
			if text := f.At(at, at+len(s.mark)); !text.Is(code.Str) || len(text.Kids) > 0 { // what is put into it is code
				return false
			}
			some = true
		}
	})
}

// silencedHere is what a new mark means. Whoever has to mend a finding may not hush it up. A person may have reasons, and is asked for them: not where it is about
// form alone, nor where a test does on purpose what a program must not, for a mark has no say in whether a test passes.
func (v *patchView) silencedHere(f *fileView, s suppression) Finding {
	mark := phrase.Clip(s.mark)
	switch concern := silence.About(s.tool, s.rule); {
	case v.wantsTypeError(f, s):
		return Finding{Line: s.line, Effect: Note, Evidence: fmt.Sprintf("%q wants an error of types where a new test has one", mark)}
	case v.goal.By != Person || s.whole || s.rule == "" && lang.Of(f.path) == lang.Java && aType.MatchString(f.declaredAt(s)):
		return Finding{Line: s.line, Effect: Refuse, Evidence: fmt.Sprintf("%q silences %s: mend what it complains of", mark, s.tool)}
	case concern == silence.Form:
		return Finding{Line: s.line, Effect: Note, Evidence: fmt.Sprintf("%q silences %s about form", mark, s.tool)}
	case concern != silence.Faults && (f.onPurpose(s) || f.uncheckable(s)):
		return Finding{Line: s.line, Effect: Note, Evidence: fmt.Sprintf("%q silences %s here, and nothing that would fail", mark, s.tool)}
	default:
		return Finding{Line: s.line, Effect: Ask, Evidence: fmt.Sprintf("%q silences %s: mend what it complains of, or let a person confirm", mark, s.tool)}
	}
}

// typeDemands match what a test of types demands: for it, a silent checker of types is a test that passes.
var typeDemands = pattern.Any(`\b(?:assert_type|reveal_type|assert_never|assertType|expectType\w*|expect(?:Not)?Assignable|expectError|expectNever)\b`)

// typeTests match the names of files that checkers of types are the runners of.
var typeTests = pattern.Any(`(?i)test-d\.`, `(?i)(?:^|[/_.-])(?:typing|types?|typecheck\w*|type_?tests?|mypy|pyright|dtslint|tsd)(?:[/_.-]|$)`)

// onPurpose reports whether a mark stands at one place of a file of tests that assert when they run, so that what it silences is done to see what comes of it.
func (f *fileView) onPurpose(s suppression) bool {
	if !f.test || s.wide || typeTests.MatchString(f.path) || typeDemands.MatchString(lineAt(f.after, s.line)+"\n"+lineAt(f.after, s.line+1)) {
		return false
	}
	if at := f.declaredAt(s); lang.Of(f.path) == lang.Java && at == strings.TrimLeft(at, " \t") {
		return false // the whole class of tests
	}
	return slices.ContainsFunc(f.proofsAfter, func(p assertions.Test) bool { return len(p.Demands) > 0 })
}

// uncheckable reports whether a mark stands at a new declaration of Java's whose casts no compiler can check, as those of generic types.
func (f *fileView) uncheckable(s suppression) bool {
	at := f.declaredAt(s)
	return lang.Of(f.path) == lang.Java && silence.About(s.tool, s.rule) == silence.Types && !aType.MatchString(at) && !slices.Contains(strings.Split(string(f.before), "\n"), at)
}

// aType matches the head of a class and its like.
var aType = pattern.New(`(?:^|\s)@?(?:class|interface|enum|record)\s+\w`)

// declaredAt is the line of the declaration that an annotation of Java's stands at.
func (f *fileView) declaredAt(s suppression) string {
	for i, text := range strings.Split(string(f.after), "\n") {
		if rest := strings.TrimSpace(text); i >= s.line && rest != "" && !strings.HasPrefix(rest, "@") && !strings.HasPrefix(rest, "//") {
			return text
		}
		if i+1 == s.line {
			if _, rest, ok := strings.Cut(text, s.mark); ok && len(strings.Trim(rest, " \t})\r")) > 1 {
				return text
			}
		}
	}
	return ""
}
