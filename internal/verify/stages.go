package verify

import (
	"context"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"fettle/internal/check"
	"fettle/internal/check/parse"
	"fettle/internal/diag"
	"fettle/internal/lang"
	"fettle/internal/phrase"
)

// briefTime is how long a whole check may have taken for it to be the second thing that is asked, right after the failing tests: then
// running those once more, and the tests around them first, costs more than it can save.
const briefTime = 3 * time.Second

// brief reports whether a whole check is asked so soon.
func (v *trial) brief(c check.Check) bool {
	known, ok := v.req.Known.Online[c.Name]
	return ok && known.Wall > 0 && known.Wall <= briefTime
}

// target runs the failing tests alone on the patched copy, twice: one of them must have gone green and stay so. The second time may be the
// whole check's, which follows. A target that is no test is judged by its whole check, here already because it is the cheapest thing that
// can say no.
func (v *trial) target(ctx context.Context) (string, error) {
	if len(v.req.Targets) == 0 {
		return skipped, nil
	}
	healed := 0
	var said []string
	for _, c := range v.targetChecks() {
		targets := slices.DeleteFunc(slices.Clone(v.req.Targets), func(d diag.Diagnostic) bool { return d.Check != c.Name })
		narrow, ok := narrowed(c, targets)
		tests := ids(targets)
		var passed []string
		if ok {
			var err error
			if passed, ok, err = v.passing(ctx, narrow, tests); err != nil {
				return "", err
			}
			ok = ok || v.touchesTests()
		}
		if !ok {
			d, err := v.whole(ctx, c)
			if err != nil {
				return "", err
			}
			healed += len(among(d.Gone, targets))
			said = append(said, fmt.Sprintf("%s: %s gone", c.Name, phrase.Count(len(d.Gone), "finding")))
			continue
		}
		if len(passed) > 0 && !v.brief(c) {
			again, _ := c.Narrow(check.Tests(passed...))
			steady, _, err := v.passing(ctx, again, passed)
			if err != nil {
				return "", err
			}
			v.ev.Flaky = append(v.ev.Flaky, without(passed, steady)...)
			passed = steady
		}
		healed += len(passed)
		said = append(said, c.Name+": "+passAlone(len(passed), len(tests)))
	}
	if healed == 0 {
		v.refuse(v.still(), "nothing of what was to be healed is gone")
	}
	return strings.Join(said, "; "), nil
}

// passAlone says how many of the failing tests pass with a patch.
func passAlone(passed, tests int) string {
	switch {
	case tests > 1:
		return fmt.Sprintf("%d of %d failing tests pass alone", passed, tests)
	case passed == 1:
		return "the failing test passes alone"
	}
	return "the failing test does not pass alone"
}

// passing runs a check on the patched copy and lists those of the tests that passed. There are none of them if all is well and not one of them ran: some
// tests are only made where something has gone wrong, and what became of them the whole check has to say.
func (v *trial) passing(ctx context.Context, c check.Check, tests []string) (passed []string, there bool, err error) {
	r, err := v.one(ctx, c)
	if err != nil {
		return nil, false, err
	}
	v.alone[c.Name] = r
	there = r.Status != check.Passed
	for _, id := range tests {
		_, ran := r.Tests[id]
		there = there || ran
		if r.Tests[id] == parse.Pass {
			passed = append(passed, id)
		}
	}
	return passed, there, nil
}

// touchesTests reports whether the patch changes a test: then one that is not there any more may have been taken away.
func (v *trial) touchesTests() bool {
	return slices.ContainsFunc(v.req.Patch.Paths(), lang.IsTest)
}

// pkg runs the packages of the failing tests: what a change breaks, it most often breaks nearby. Where all tests stand there, the whole check, which follows,
// says the same.
func (v *trial) pkg(ctx context.Context) (string, error) {
	ran := 0
	for _, c := range v.targetChecks() {
		near, ok := nearby(c, v.req.Targets)
		if !ok || v.brief(c) {
			continue
		}
		before, err := v.known(ctx, c)
		if err != nil {
			return "", err
		}
		if allBelow(before.Tests, folders(c, v.req.Targets)) {
			continue
		}
		after, err := v.one(ctx, near)
		if err != nil {
			return "", err
		}
		ran++
		if _, err := v.judge(ctx, c, near, only(before, after.Tests), after); err != nil || v.ev.Reason != "" {
			return c.Name, err
		}
	}
	if ran == 0 {
		return skipped, nil
	}
	return fmt.Sprintf("the packages of %d failing tests", len(v.req.Targets)), nil
}

// affected runs the checks whose answer is to change or can change by the patched files, those that have not run yet, side by
// side, and judges each.
func (v *trial) affected(ctx context.Context) (string, error) {
	paths, targets := v.req.Patch.Paths(), v.targetChecks()
	var todo []check.Check
	for _, c := range v.lab.Checks {
		targeted := slices.ContainsFunc(targets, func(t check.Check) bool { return t.Name == c.Name })
		if _, ran := v.after[c.Name]; !ran && (targeted || slices.ContainsFunc(paths, c.Concerns)) {
			todo = append(todo, c)
		}
	}
	if len(todo) == 0 {
		return skipped, nil
	}
	if err := v.lab.Measured(ctx, v.req.Known, todo); err != nil {
		return "", err
	}
	o := v.lab.Run
	o.Events = nil
	v.runs++
	results, err := check.Run(ctx, v.copy, todo, o)
	if err != nil {
		return "", err
	}
	var names []string
	for i, after := range results {
		names = append(names, todo[i].Name)
		if err := v.take(ctx, todo[i], v.lab.redacted(after)); err != nil || v.ev.Reason != "" {
			return strings.Join(names, ", "), err
		}
	}
	return strings.Join(names, ", "), nil
}

// worth asks whether the change was worth it. Checks that none of the patched files concerns have not been run; before the
// repository is called healthy, they will be.
func (v *trial) worth(context.Context) (string, error) {
	if len(v.req.Targets) > 0 && len(among(v.ev.Delta.Gone, v.req.Targets)) == 0 {
		v.refuse(v.still(), "nothing of what was to be healed is gone")
	}
	if len(v.ev.Delta.Gone) == 0 {
		v.refuse("", "no finding is gone")
	}
	detail := phrase.Count(len(v.ev.Delta.Gone), "finding") + " gone"
	if n := len(v.lab.Checks) - len(v.after); n > 0 {
		detail += fmt.Sprintf("; %s that these files do not concern", phrase.Count(n, "check"))
	}
	return detail, nil
}

// whole runs one whole check on the patched copy and judges it.
func (v *trial) whole(ctx context.Context, c check.Check) (diag.Delta, error) {
	after, err := v.one(ctx, c)
	if err != nil {
		return diag.Delta{}, err
	}
	before := len(v.ev.Delta.Gone)
	if err := v.take(ctx, c, after); err != nil {
		return diag.Delta{}, err
	}
	return diag.Delta{Gone: v.ev.Delta.Gone[before:]}, nil
}

// take judges the whole result of a check and adds it to the evidence.
func (v *trial) take(ctx context.Context, c check.Check, after check.Result) error {
	before, err := v.known(ctx, c)
	if err != nil {
		return err
	}
	v.after[c.Name] = after
	d, err := v.judge(ctx, c, c, before, after)
	v.ev.Delta = v.ev.Delta.Join(d)
	return err
}

func (v *trial) known(ctx context.Context, c check.Check) (check.Result, error) {
	err := v.lab.Measured(ctx, v.req.Known, []check.Check{c})
	return v.req.Known.Online[c.Name], err
}

// narrowed is the check that runs the targets' tests alone; false when they are no tests, or it cannot be narrowed.
func narrowed(c check.Check, targets []diag.Diagnostic) (check.Check, bool) {
	names := ids(slices.DeleteFunc(slices.Clone(targets), func(d diag.Diagnostic) bool { return d.Check != c.Name || d.Test == "" }))
	if len(names) == 0 {
		return c, false
	}
	return c.Narrow(check.Tests(names...))
}

// nearby is the check that runs every test of the folders in which the targets' tests stand.
func nearby(c check.Check, targets []diag.Diagnostic) (check.Check, bool) {
	tests := slices.DeleteFunc(slices.Clone(targets), func(d diag.Diagnostic) bool { return d.Check != c.Name || d.Test == "" })
	if len(tests) == 0 {
		return c, false
	}
	return c.Narrow(folders(c, tests)...)
}

// folders are those in which findings stand, in order.
func folders(c check.Check, ds []diag.Diagnostic) []check.Target {
	var dirs []string
	for _, d := range ds {
		dirs = append(dirs, folder(d))
	}
	slices.Sort(dirs)
	var out []check.Target
	for _, dir := range slices.Compact(dirs) {
		out = append(out, check.Target{Lang: c.Lang, Path: dir})
	}
	return out
}

// allBelow reports whether every test of a check stands below one of these folders, as far as their ids tell where they stand.
func allBelow(tests map[string]parse.Outcome, places []check.Target) bool {
	for id := range tests {
		if !slices.ContainsFunc(places, func(t check.Target) bool {
			rest, below := strings.CutPrefix(id, t.Path)
			return below && (strings.HasPrefix(rest, "/") || strings.HasPrefix(rest, ":"))
		}) {
			return false
		}
	}
	return len(tests) > 0
}

func folder(d diag.Diagnostic) string {
	switch {
	case d.Dir != "":
		return d.Dir
	case d.File != "":
		return path.Dir(d.File)
	}
	return "."
}

// only is the part of a result that is about these tests and about no test at all.
func only(r check.Result, tests map[string]parse.Outcome) check.Result {
	part := r
	part.Tests = map[string]parse.Outcome{}
	for id := range tests {
		if o, ok := r.Tests[id]; ok {
			part.Tests[id] = o
		}
	}
	part.Diagnostics = slices.DeleteFunc(slices.Clone(r.Diagnostics), func(d diag.Diagnostic) bool {
		_, ran := tests[d.Test]
		return d.Test != "" && !ran
	})
	return part
}

// among are those findings of gone that are targets.
func among(gone, targets []diag.Diagnostic) []diag.Diagnostic {
	want := map[diag.Fingerprint]bool{}
	for _, d := range targets {
		want[d.ID] = true
	}
	return slices.DeleteFunc(slices.Clone(gone), func(d diag.Diagnostic) bool { return !want[d.ID] })
}

func without(all, some []string) []string {
	return slices.DeleteFunc(slices.Clone(all), func(s string) bool { return slices.Contains(some, s) })
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
