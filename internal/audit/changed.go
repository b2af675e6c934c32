package audit

import (
	"path"
	"slices"

	"fettle/internal/audit/assertions"
	"fettle/internal/audit/examples"
	"fettle/internal/code"
	"fettle/internal/edit"
	"fettle/internal/phrase"
)

// changedTests refuses that a fixer which has to make tests pass changes what they ask and expect, whether they demand less then or not: nobody
// could tell its mending from its bending. It may add to them, and change what else is in their files, if a person says yes.
func changedTests(v *patchView) []Finding {
	if v.goal.By != Healer || v.goal.Tests {
		return nil
	}
	said := make(map[string]bool) // by the rules that know better what is wrong
	for _, found := range slices.Concat(deletedTests(v), skippedTests(v), weakenedTests(v)) {
		said[found.Path] = true
	}
	var all []Finding
	for _, f := range v.files {
		if !f.test || f.formatted || f.before == nil || said[f.path] {
			continue
		}
		for _, found := range v.changedTest(f) {
			found.Path = f.path
			all = append(all, found)
		}
	}
	return all
}

func (v *patchView) changedTest(f *fileView) []Finding {
	if f.programBefore == nil || f.programAfter == nil {
		if !comparedWith[path.Ext(f.path)] || f.change.Op == edit.Modify && len(f.change.Edits) == 0 {
			return nil
		}
		return []Finding{{Effect: Refuse, Evidence: "it holds what tests go by: mend the code instead"}}
	}
	var all []Finding
	for _, was := range f.proofsBefore {
		if was.Name == "" {
			continue
		}
		if is, ok := v.proofNow(f, was.Name); ok && !assertions.Grown(was.Node, is.Node) {
			all = append(all, Finding{Line: is.Node.Line(), Effect: Refuse, Evidence: was.Name + " asks or expects something else now: mend the code instead"})
		}
	}
	if len(all) == 0 {
		all = changedData(f)
	}
	return all
}

// comparedWith are the endings of data that tests compare with.
var comparedWith = map[string]bool{
	".json": true, ".jsonl": true, ".csv": true, ".tsv": true, ".snap": true, ".golden": true, ".out": true, ".expected": true, ".want": true, ".txt": true, ".xml": true, ".txtar": true,
}

// changedData looks at what stands beside the tests of a file and holds values: tables, constants, what a program that is a test as a whole does.
func changedData(f *fileView) []Finding {
	is := outside(f.programAfter)
	var all []Finding
	for _, was := range outside(f.programBefore) {
		if !holdsValues(was) || slices.ContainsFunc(is, func(n *code.Node) bool { return assertions.Grown(was, n) }) {
			continue
		}
		all = append(all, Finding{Effect: Refuse, Evidence: "\"" + phrase.Clip(was.Text()) + "\" holds what tests go by, and is another thing now: mend the code instead"})
	}
	return all
}

// outside are the statements of a file that stand in no function and no class, but for a main's, which are what it does.
func outside(f *code.File) []*code.Node {
	var all []*code.Node
	for n := range f.Root.Walk() {
		switch fn := n.Function(); {
		case n.Part != code.Stmt || n.Is(code.Function, code.Class, code.Import):
		case fn == nil && n.Up(code.Class) == nil, fn != nil && fn.Name == "main":
			all = append(all, n)
		}
	}
	return all
}

// holdsValues reports whether a statement is no test, and has something written out in it that can be compared with.
func holdsValues(n *code.Node) bool {
	for k := range n.Walk() {
		if assertions.TestName(k) != "" {
			return false
		}
	}
	return len(examples.Literals(n)) > 0
}
