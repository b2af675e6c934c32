package audit

import (
	"slices"
	"strings"

	"fettle/internal/pattern"
)

// span is where a test stands in a file: its first line and its last, from 1.
type span struct{ first, last int }

// newTestSpans are where the tests of a file stand that no file of the patch had before. A new file in which all are new is one of them as a whole, with what is carried out around them.
func (v *patchView) newTestSpans(f *fileView) []span {
	had := make(map[string]bool)
	for _, o := range v.files {
		for name := range lineTests(o.path, o.before) {
			had[name] = true
		}
		for _, p := range o.proofsBefore {
			had[p.Name] = true
		}
	}
	var all []span
	known := false
	ends := endsOfBlocks(f.path, f.after)
	for _, t := range lineTests(f.path, f.after) {
		if known = known || had[t.name]; !had[t.name] {
			all = append(all, span{t.line, strings.Count(string(f.after[:ends(t.line)]), "\n")})
		}
	}
	for _, p := range f.proofsAfter {
		if known = known || had[p.Name]; p.Name != "" && !had[p.Name] {
			all = append(all, span{p.Node.Line(), p.Node.File.Tree.Position(p.Node.End).Line})
		}
	}
	if f.before == nil && !known && len(all) > 0 {
		return []span{{1, strings.Count(string(f.after), "\n") + 1}}
	}
	return all
}

// withoutNewSkips leaves out of the marks that keep tests from running those by which a person's new tests are left out on some machines: such a test takes nothing away.
func (v *patchView) withoutNewSkips(f *fileView, all []Finding) []Finding {
	if v.goal.By != Person || len(all) == 0 || !f.test {
		return all
	}
	spans, lines := v.newTestSpans(f), strings.Split(string(f.after), "\n")
	return slices.DeleteFunc(all, func(found Finding) bool {
		return skipsSometimes(lines, found.Line-1) && slices.ContainsFunc(spans, func(s span) bool { return s.first <= found.Line && found.Line <= s.last })
	})
}

var (
	// saysWhen matches a condition behind what skips, before it, or in it; sureOf one that holds always.
	saysWhen = pattern.New(`\b(?:skip|pending)\b.*\s(?:if|unless)\s+\S|^\s*(?:\}\s*)?(?:if|unless|else if|elsif)\b.*|\bassum(?:e|ing)\w*\s*\(.*`)
	sureOf   = pattern.New(`(?:\b(?:if|unless|elsif)\b\s*\(?|\bassum(?:e|ing)\w*\s*\()\s*!?(?:true|false|1|0|nil|null)\b\s*(?:[){,;]|$)`)
)

// skipsSometimes reports whether what keeps a test from running on a line does so under a condition that somebody has to look up: on that line, or where the block begins that it stands in.
func skipsSometimes(lines []string, at int) bool {
	if saysWhen.MatchString(lines[at]) {
		return !sureOf.MatchString(lines[at])
	}
	for i := at - 1; i >= 0; i-- {
		if strings.TrimSpace(lines[i]) != "" && indentOf(lines[i]) < indentOf(lines[at]) {
			return opensBlock.MatchString(lines[i]) && !sureOf.MatchString(lines[i])
		}
	}
	return false
}
