package audit

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"fettle/internal/audit/accounts"
	"fettle/internal/audit/assertions"
	"fettle/internal/audit/functions"
	"fettle/internal/audit/parts"
	"fettle/internal/audit/same"
	"fettle/internal/code"
	"fettle/internal/edit"
	danger "fettle/internal/policy/code"
)

// patchView is a patch with the contents of its files before and after.
type patchView struct {
	goal     Goal
	limits   Limits
	files    []*fileView
	large    []*fileView // those that are refused for their size, so that nothing else reads them
	evidence []string
	source   edit.Source
	links    map[string]bool
	list     func() []string
	over     func() bool  // nobody waits for the answer any more
	expected *expectation // once they were asked for

	policyBefore, policyAfter *guardPolicy // the same

	modules map[string]bool // of Python, in the repository
	swapped *swaps          // of what assertions stand on

	retellings map[*fileView]accounts.Retelling // of files of tests, once they were asked for

	lineLost *lineLosses          // tests that are read line by line
	told     map[string][]Finding // what was found in answer to questions that more than one rule has
}

// fileView is one changed file.
type fileView struct {
	path          string
	change        edit.Change
	before, after []byte // nil where the file does not exist
	modeBefore    fs.FileMode
	test          bool // it is what a patch is judged by
	formatted     bool // the change leaves the syntax as it was
	parses        bool // the content after could be read for its functions
	defsBefore    []functions.Function
	defsAfter     []functions.Function

	functionsBefore, functionsAfter []functions.Function // the same, and those of languages that are read as programs

	proofsBefore, proofsAfter []assertions.Test // of tests

	programBefore, programAfter *code.File // nil for languages without one, and for what was only formatted

	namesBefore, namesAfter *danger.Names         // of these, once they were asked for
	telling                 *lineTelling          // by its tests, if it is read line by line, once that was asked for
	rewritten               *rewriting            // of its tests, once that was asked for
	defined                 map[string]definition // in it before, once that was asked for
}

// view reads the contents and applies the patch to them. The files must hold what the patch was made for. Where their size is judged, too large ones are set apart.
func view(ctx context.Context, in Input, sized bool) (*patchView, error) {
	v := &patchView{goal: in.Goal, limits: in.Limits.orDefault(), evidence: in.Evidence, source: in.Source, links: in.Links, list: in.Files, over: func() bool { return ctx.Err() != nil }}
	if err := in.Patch.Validate(); err != nil {
		return nil, err
	}
	for _, c := range in.Patch {
		if ctx.Err() != nil {
			return nil, fmt.Errorf("the audit was stopped: %w", context.Cause(ctx))
		}
		file, err := in.Source(c.Path)
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", c.Path, err)
		}
		after, err := c.Apply(file)
		if err != nil {
			return nil, err
		}
		f := &fileView{path: c.Path, change: c, before: file.Data, after: after.Data, modeBefore: file.Mode}
		if sized && len(f.after) > v.limits.FileSize {
			v.large = append(v.large, f)
			continue
		}
		f.formatted = c.Op == edit.Modify && same.Syntax(c.Path, f.before, f.after)
		f.defsBefore, _ = functions.Of(c.Path, f.before)
		f.defsAfter, f.parses = functions.Of(c.Path, f.after)
		if !f.formatted && f.text() {
			f.programBefore, f.programAfter = parts.Read(c.Path, f.before), parts.Read(c.Path, f.after)
		}
		f.functionsBefore = slices.Concat(f.defsBefore, functions.OfProgram(f.programBefore))
		f.functionsAfter = slices.Concat(f.defsAfter, functions.OfProgram(f.programAfter))
		v.files = append(v.files, f)
	}
	for _, f := range v.files {
		if f.test = v.isEvidence(f.path) || v.provesByContent(f.path, f.before); f.test {
			f.proofsBefore, f.proofsAfter = assertions.Tests(f.programBefore), assertions.Tests(f.programAfter)
		}
	}
	return v, nil
}

// readable reports whether the functions after a change are known: those of a file that is gone are none.
func (f *fileView) readable() bool {
	return f.parses || !parts.Broken(f.programAfter) || f.programBefore != nil && len(f.after) == 0
}

// names are what the names of the file stand for, before and after; nil where it is no program.
func (f *fileView) names() (was, is *danger.Names) {
	if f.namesBefore == nil {
		f.namesBefore = danger.NamesOf(context.Background(), f.programBefore)
	}
	if f.namesAfter == nil {
		f.namesAfter = danger.NamesOf(context.Background(), f.programAfter)
	}
	return f.namesBefore, f.namesAfter
}

// each collects what a function finds in every file.
func each(find func(*patchView, *fileView) []Finding) func(*patchView) []Finding {
	return func(v *patchView) []Finding {
		var all []Finding
		for _, f := range v.files {
			if v.over() {
				break // which the patch is refused for
			}
			for _, found := range find(v, f) {
				if found.Path == "" {
					found.Path = f.path
				}
				all = append(all, found)
			}
		}
		return all
	}
}

// once is what is found in answer to a question that more than one rule has.
func (v *patchView) once(question string, find func() []Finding) []Finding {
	if v.told == nil {
		v.told = make(map[string][]Finding)
	}
	if _, asked := v.told[question]; !asked {
		v.told[question] = find()
	}
	return slices.Clone(v.told[question])
}

// text reports whether both contents are text: no NUL byte.
func (f *fileView) text() bool {
	return bytes.IndexByte(f.before, 0) < 0 && bytes.IndexByte(f.after, 0) < 0
}

// line is one line of text with its number.
type line struct {
	number int
	text   string
}

// newLines lists the lines that the content after holds more often than the one before, wherever they stand: a line that
// only moved is not new.
func (f *fileView) newLines() []line {
	count := make(map[string]int)
	for _, l := range strings.Split(string(f.before), "\n") {
		count[strings.TrimSpace(l)]++
	}
	var added []line
	for i, l := range strings.Split(string(f.after), "\n") {
		t := strings.TrimSpace(l)
		if count[t]--; count[t] < 0 && t != "" {
			added = append(added, line{i + 1, t})
		}
	}
	return added
}
