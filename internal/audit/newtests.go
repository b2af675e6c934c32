package audit

import (
	"slices"
	"strings"

	"fettle/internal/audit/accounts"
	"fettle/internal/audit/assertions"
	"fettle/internal/audit/parts"
)

// bringsTests reports whether a new file of a person's holds tests that do something, with what they need, and nothing that decides about other tests.
func bringsTests(f *fileView) bool {
	if f.programAfter == nil {
		tests := lineTests(f.path, f.after)
		return len(tests) > 0 && newLineTests(f, nil, tests)
	}
	if parts.Broken(f.programAfter) || accounts.IsConftest(f.path) {
		return false
	}
	some, ok := accounts.Brings(f.programAfter.Root)
	return some && ok
}

// wantsTypeError reports whether a mark of TypeScript's in a person's new test asks for an error, which is a demand: it fails where there is none.
func (v *patchView) wantsTypeError(f *fileView, s suppression) bool {
	if v.goal.By != Person || !f.test || !strings.Contains(s.mark, "@ts-expect-error") {
		return false
	}
	return slices.ContainsFunc(f.proofsAfter, func(p assertions.Test) bool {
		if p.Name == "" || slices.ContainsFunc(f.proofsBefore, func(was assertions.Test) bool { return was.Name == p.Name }) {
			return false
		}
		end := p.Node.File.Tree.Position(p.Node.End).Line
		return p.Node.Line() < s.line && s.line <= end && len(strings.Fields(lineAt(f.after, s.line))) > 2
	})
}

// lineAt is a line of a text, from 1.
func lineAt(src []byte, number int) string {
	lines := strings.Split(string(src), "\n")
	if number < 1 || number > len(lines) {
		return ""
	}
	return lines[number-1]
}
