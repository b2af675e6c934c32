package tool

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"iter"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"fettle/internal/check"
	"fettle/internal/diag"
	"fettle/internal/edit"
	"fettle/internal/fix"
	"fettle/internal/phrase"
	"fettle/internal/proc"
)

// carries reports whether a fix that the report carries for a finding may be taken. Where fettle knows how the tool itself
// fixes what it finds, it may not: what a tool leaves when it is told to fix, it takes for unsafe. Nor may a guess of the Rust
// compiler's (see guessed).
func carries(c check.Check, d diag.Diagnostic) bool {
	if len(d.Suggestions) == 0 || compilerError.MatchString(d.Rule) && strings.HasSuffix(d.File, ".rs") {
		return false
	}
	return len(c.Fix) > 0 || len(commands(c, []diag.Diagnostic{d})) == 0
}

// suggested is the first fix of one finding, as edits of the files that it names.
type suggested struct {
	by    string // the program that suggests it
	rule  string
	edits map[string][]edit.Edit
}

// carried are the fixes that a report itself carries and that can be made together, each whole or not at all.
type carried struct {
	files   map[string]lined
	taken   map[string][]edit.Edit // of every file, in order
	free    []suggested            // those that need nobody's word
	asks    []suggested            // those that a person has to confirm, see proposal.needsPerson
	overlap int                    // fixes that meet one that was taken
	outside int                    // … that change files out of scope
	unfit   int                    // … that name what the files do not have
}

// gather takes the first fix of each finding, as far as it fits the files and those taken before it.
func gather(t fix.Task) *carried {
	c := &carried{files: map[string]lined{}, taken: map[string][]edit.Edit{}}
	for _, d := range t.Diagnostics {
		if !carries(t.Check, d) {
			continue
		}
		s := suggested{by: cmp.Or(d.Tool, t.Check.Name), rule: d.Rule}
		if slices.ContainsFunc(d.Suggestions[0].Replacements, func(r diag.Replacement) bool { return !inScope(t, r.File) }) {
			c.outside++
			continue
		}
		c.read(t.Place, d.Suggestions[0])
		if s.edits = c.edits(d.Suggestions[0]); s.edits == nil {
			c.unfit++
			continue
		}
		if !c.admit(s.edits) {
			c.overlap++
			continue
		}
		if c.judges(s) {
			c.asks = append(c.asks, s)
		} else {
			c.free = append(c.free, s)
		}
	}
	return c
}

// read reads the files of a fix that were not read yet. A fix does not fit a file that cannot be read.
func (c *carried) read(at check.Place, s diag.Suggestion) {
	for _, r := range s.Replacements {
		if _, known := c.files[r.File]; known {
			continue
		}
		if b, err := at.ReadFile(r.File); err == nil {
			c.files[r.File] = newLined(b)
		}
	}
}

// edits is a fix as edits by file, in order; nil when it does not fit the files, contradicts itself, or changes nothing.
func (c *carried) edits(s diag.Suggestion) map[string][]edit.Edit {
	all := map[string][]edit.Edit{}
	for _, r := range s.Replacements {
		l, there := c.files[r.File]
		if !there {
			return nil
		}
		e, fits := l.edit(r)
		if !fits {
			return nil
		}
		if !bytes.Equal(l.data[e.Start:e.End], e.New) {
			all[r.File] = append(all[r.File], e)
		}
	}
	if len(all) == 0 {
		return nil
	}
	for file, edits := range all {
		slices.SortStableFunc(edits, inOrder)
		change := edit.Change{Path: file, Op: edit.Modify, Base: c.files[file].sum, Edits: edits}
		if change.Validate() != nil {
			return nil
		}
	}
	return all
}

// admit takes a fix's edits in, unless one of them meets another that was taken before. Equal edits are one.
func (c *carried) admit(fresh map[string][]edit.Edit) bool {
	for file, edits := range fresh {
		for _, e := range edits {
			if slices.ContainsFunc(around(c.taken[file], e), func(t edit.Edit) bool { return meet(t, e) && !equal(t, e) }) {
				return false
			}
		}
	}
	for file, edits := range fresh {
		for _, e := range edits {
			if at, taken := slices.BinarySearchFunc(c.taken[file], e, inOrder); !taken {
				c.taken[file] = slices.Insert(c.taken[file], at, e)
			}
		}
	}
	return true
}

// around are those of the edits, which are in order, that e could meet.
func around(edits []edit.Edit, e edit.Edit) []edit.Edit {
	from, _ := slices.BinarySearchFunc(edits, e.Start, func(t edit.Edit, at int) int { return cmp.Compare(t.Start, at) })
	to, _ := slices.BinarySearchFunc(edits, e.End+1, func(t edit.Edit, at int) int { return cmp.Compare(t.Start, at) })
	return edits[max(0, from-1):to]
}

// meet reports whether two edits share a byte, or one inserts where the other begins or ends: nobody could say which of the
// two has seen the other.
func meet(a, b edit.Edit) bool {
	if a.Start == a.End || b.Start == b.End {
		return a.Start <= b.End && b.Start <= a.End
	}
	return a.Start < b.End && b.Start < a.End
}

func equal(a, b edit.Edit) bool {
	return a.Start == b.Start && a.End == b.End && bytes.Equal(a.New, b.New)
}

func inOrder(a, b edit.Edit) int {
	return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End))
}

// judges reports whether a fix goes beyond the form of a file that judges the code.
func (c *carried) judges(s suggested) bool {
	if !slices.ContainsFunc(slices.Collect(maps.Keys(s.edits)), judges) {
		return false
	}
	p := proposal{before: map[string][]byte{}, after: map[string][]byte{}}
	patch := c.patch([]suggested{s})
	for _, change := range patch {
		before := edit.File{Data: c.files[change.Path].data, Exists: true}
		after, err := change.Apply(before)
		if err != nil {
			return true // it was validated, so this cannot be
		}
		p.before[change.Path], p.after[change.Path] = before.Data, after.Data
	}
	return slices.ContainsFunc(patch, p.needsPerson)
}

// patch is what some of the fixes change.
func (c *carried) patch(part []suggested) edit.Patch {
	edits := map[string][]edit.Edit{}
	for _, s := range part {
		for file, some := range s.edits {
			edits[file] = append(edits[file], some...)
		}
	}
	var p edit.Patch
	for _, file := range slices.Sorted(maps.Keys(edits)) {
		slices.SortStableFunc(edits[file], inOrder)
		p = append(p, edit.Change{Path: file, Op: edit.Modify, Base: c.files[file].sum, Edits: slices.CompactFunc(edits[file], equal)})
	}
	return p
}

// candidates hands out the fixes that need nobody's word, all of them and then by halves, so that a wrong one spoils few
// others; last come those that need a person's.
func (c *carried) candidates(ctx context.Context, t fix.Task) iter.Seq2[fix.Candidate, error] {
	return func(yield func(fix.Candidate, error) bool) {
		parts := [][]suggested{c.free}
		for i := 0; i < len(parts); i++ {
			part := parts[i]
			if n := len(part); n > 1 {
				parts = append(parts, part[:n/2], part[n/2:])
			}
			if len(part) > 0 && !yield(c.candidate(ctx, t, part)) {
				return
			}
		}
		if len(c.asks) > 0 {
			yield(c.candidate(ctx, t, c.asks))
		}
	}
}

func (c *carried) candidate(ctx context.Context, t fix.Task, part []suggested) (fix.Candidate, error) {
	patch, formatted, err := c.formatted(ctx, t, c.patch(part))
	if err != nil {
		return fix.Candidate{}, err
	}
	return fix.Candidate{Patch: patch, Author: Name, Explanation: c.explain(part, formatted), Confidence: confidence(t.Check)}, nil
}

// formatted lays a patch into the task's place and has the formatters look it over; the place is at the baseline again
// afterwards. Where none of them is concerned, nothing is written.
func (c *carried) formatted(ctx context.Context, t fix.Task, patch edit.Patch) (_ edit.Patch, by []string, err error) {
	concerned := func(f check.Check) bool { return slices.ContainsFunc(patch.Paths(), f.Concerns) }
	if !slices.ContainsFunc(t.Formatters, concerned) {
		return patch, nil, nil
	}
	defer func() { err = fix.Restore(ctx, t.Place, err) }()
	for _, change := range patch {
		after, err := change.Apply(edit.File{Data: c.files[change.Path].data, Exists: true})
		if err != nil {
			return nil, nil, err
		}
		r, err := t.Place.Run(ctx, proc.Cmd{
			Argv: []string{"sh", "-c", `cat > "$1"`, "sh", filepath.Join(t.Place.Root(), filepath.FromSlash(change.Path))},
			Dir:  t.Place.Root(), Stdin: bytes.NewReader(after.Data), Limits: proc.Limits{Time: defaultTime},
		})
		if err == nil && (r.Ended != proc.Exited || r.Code != 0) {
			err = fmt.Errorf("%s: %s", change.Path, lastLine(r))
		}
		if err != nil {
			return nil, nil, fmt.Errorf("write into the private copy: %w", err)
		}
	}
	changes, err := t.Place.Changes(ctx)
	if err != nil {
		return nil, nil, err
	}
	var p proposal
	changes, err = p.format(ctx, t, changes)
	return changes, p.commands, err
}

// explain says what was taken and from whom, never that it has healed anything.
func (c *carried) explain(part []suggested, formatted []string) string {
	programs, rules := map[string]bool{}, map[string]bool{}
	for _, s := range part {
		programs[s.by] = true
		if s.rule != "" {
			rules[s.rule] = true
		}
	}
	fixes, suggest := "fixes", "suggest"
	if len(part) == 1 {
		fixes = "fix"
	}
	if len(programs) == 1 {
		suggest = "suggests"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "took the %s that %s %s for %s", fixes, strings.Join(slices.Sorted(maps.Keys(programs)), " and "), suggest, phrase.Count(len(part), "finding"))
	if names := slices.Sorted(maps.Keys(rules)); len(names) > 0 {
		fmt.Fprintf(&b, " (%s)", strings.Join(names, ", "))
	}
	if len(formatted) > 0 {
		fmt.Fprintf(&b, ", then `%s`", strings.Join(formatted, "`, then `"))
	}
	for _, left := range []struct {
		n   int
		why string
	}{{c.overlap, "overlapping with another"}, {c.outside, "outside the scope"}, {c.unfit, "that did not fit the files"}} {
		if left.n > 0 {
			fmt.Fprintf(&b, "; left out: %d %s", left.n, left.why)
		}
	}
	return b.String()
}
