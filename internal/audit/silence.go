package audit

import (
	"fmt"
	"slices"
	"strings"

	"fettle/internal/lang"
	"fettle/internal/phrase"
	"fettle/internal/silence"
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
	mark string
	line int
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
				all = append(all, suppression{silenced{s.Tool, r}, s.Text, i + 1})
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
	for _, s := range suppressions(f.path, f.before) {
		left[s.silenced]++
	}
	var fresh []suppression
	for _, s := range suppressions(f.path, f.after) {
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
			if v.wantsTypeError(f, s) {
				all = append(all, Finding{Line: s.line, Effect: Note, Evidence: fmt.Sprintf("%q wants an error of types where a new test has one", phrase.Clip(s.mark))})
				continue
			}
			all = append(all, Finding{Line: s.line, Effect: Refuse, Evidence: fmt.Sprintf("%q silences %s: mend what it complains of", phrase.Clip(s.mark), s.tool)})
		}
	}
	return all
}
