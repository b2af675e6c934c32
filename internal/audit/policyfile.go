package audit

import (
	"bytes"
	"fmt"
	"slices"

	"fettle/internal/edit"
	guard "fettle/internal/policy/shell"
	"fettle/internal/policy/shell/tables"
)

// settingsFile is where a project says what the guard denies and asks about, and which files say more of it.
const settingsFile = "fettle.yaml"

// guardPolicy is what a project adds to the guard's policy: its rules in their order, with the files that they stand in.
type guardPolicy struct {
	rules []guard.Rule
	files []string // of rules, each for one
	named []string // files that the settings name
	err   error    // the policy cannot be used
}

// guardPolicyOf reads the project's policy on one side of the patch.
func guardPolicyOf(content func(string) []byte) (p guardPolicy) {
	text := content(settingsFile)
	if !bytes.Contains(text, []byte("policy")) {
		return p
	}
	doc, err := tables.Section(settingsFile, text)
	if err != nil {
		return guardPolicy{err: err}
	}
	add := func(name string, rules []guard.Rule) {
		for _, r := range rules {
			p.rules, p.files = append(p.rules, r), append(p.files, name)
		}
	}
	add(settingsFile, doc.Rules)
	for _, f := range doc.Files {
		p.named = append(p.named, f.Name)
		more, err := tables.Read(f.Name, content(f.Name))
		if err != nil {
			p.err = err
			continue
		}
		add(f.Name, more.Rules)
	}
	return p
}

// was is what a file of the repository held before the patch.
func (v *patchView) was(name string) []byte {
	f, err := v.source(name)
	if err != nil {
		return nil
	}
	return f.Data
}

// policies are the project's policy before and after the patch, read when they are first asked for; the same one, and nothing compared, where the patch
// touches none of its files.
func (v *patchView) policies() (was, is *guardPolicy) {
	if v.policyBefore == nil {
		before := guardPolicyOf(v.was)
		after := before
		if slices.ContainsFunc(v.files, func(f *fileView) bool { return f.path == settingsFile || slices.Contains(before.named, f.path) }) {
			after = guardPolicyOf(v.content)
		}
		v.policyBefore, v.policyAfter = &before, &after
	}
	return v.policyBefore, v.policyAfter
}

// saysPolicy reports whether a file is one in which the project says what the guard does.
func (v *patchView) saysPolicy(name string) bool {
	was, is := v.policies()
	return slices.Contains(was.named, name) || slices.Contains(is.named, name)
}

// weakenedPolicy looks for rules of the project's policy by which less is denied or asked about.
func weakenedPolicy(v *patchView) []Finding {
	if len(v.files) == 0 {
		return nil
	}
	was, is := v.policies()
	if was.err == nil && is.err != nil {
		return []Finding{{Path: settingsFile, Effect: v.unless(Healer, Tidier), Evidence: "the guard's policy cannot be used any more: " + is.err.Error()}}
	}
	var all []Finding
	for i, r := range was.rules {
		if r.Decision == guard.Allow {
			continue
		}
		if why := is.weaker(r, was); why != "" {
			found := Finding{Path: v.changedOf(was.files[i]), Effect: Refuse, Evidence: "the guard's rule " + r.ID + " " + why}
			if v.goal.Configs {
				found.Effect = Ask
			}
			all = append(all, found)
		}
	}
	return all
}

// changedOf is the file of the policy that the patch changed: the one in which a rule stands, else the one that does not name it any more.
func (v *patchView) changedOf(name string) string {
	if slices.ContainsFunc(v.files, func(f *fileView) bool { return f.path == name && f.change.Op != edit.Create }) {
		return name
	}
	return settingsFile
}

// weaker says by what a rule decides less than it did; empty, if it does not.
func (p *guardPolicy) weaker(was guard.Rule, before *guardPolicy) string {
	i := slices.IndexFunc(p.rules, func(r guard.Rule) bool { return r.ID == was.ID })
	if i < 0 { // it may have another name
		i = slices.IndexFunc(p.rules, func(r guard.Rule) bool { return decidesLess(was, r) == "" })
	}
	if i < 0 {
		return "is gone"
	}
	if why := decidesLess(was, p.rules[i]); why != "" {
		return why
	}
	for _, r := range p.rules[:i] {
		if r.Decision < was.Decision && !before.ahead(r.ID, was.ID) && overlap(r.Kinds, was.Kinds) && overlap(r.Zones, was.Zones) && overlap(r.Targets, was.Targets) && overlap(r.Programs, was.Programs) {
			return "comes behind " + r.ID + ", which says " + r.Decision.String()
		}
	}
	return ""
}

// decidesLess says by what one rule decides less than another did.
func decidesLess(was, is guard.Rule) string {
	switch {
	case is.Decision < was.Decision:
		return fmt.Sprintf("says %s now, and said %s", is.Decision, was.Decision)
	case narrowed(was.Kinds, is.Kinds), narrowed(was.Zones, is.Zones), narrowed(was.Targets, is.Targets), narrowed(was.Programs, is.Programs),
		requiresMore(was.Traits, is.Traits), requiresMore(was.Without, is.Without):
		return "is about less than it was"
	}
	return ""
}

// ahead reports whether one rule was asked before another.
func (p *guardPolicy) ahead(first, second string) bool {
	at := func(id string) int { return slices.IndexFunc(p.rules, func(r guard.Rule) bool { return r.ID == id }) }
	return at(first) >= 0 && at(first) < at(second)
}

// narrowed reports whether a list, of which one has to hold, holds less. An empty one holds everything.
func narrowed[T comparable](was, is []T) bool {
	if len(is) == 0 {
		return false
	}
	return len(was) == 0 || slices.ContainsFunc(was, func(t T) bool { return !slices.Contains(is, t) })
}

// requiresMore reports whether a list, of which all has to hold, asks for more.
func requiresMore[T comparable](was, is []T) bool {
	return slices.ContainsFunc(is, func(t T) bool { return !slices.Contains(was, t) })
}

// overlap reports whether two lists may hold for the same thing.
func overlap[T comparable](a, b []T) bool {
	return len(a) == 0 || len(b) == 0 || slices.ContainsFunc(a, func(t T) bool { return slices.Contains(b, t) })
}
