package diag

import (
	"path"
	"slices"
)

// Delta is what changed between two runs of the same checks. Every finding of the two runs is in exactly one list.
type Delta struct {
	Gone     []Diagnostic `json:"gone,omitempty"`     // in the first run only
	Kept     []Diagnostic `json:"kept,omitempty"`     // in both, as the second run gives it
	New      []Diagnostic `json:"new,omitempty"`      // in the second run only, and the first could have shown it
	Unmasked []Diagnostic `json:"unmasked,omitempty"` // in the second run only, where a finding that is gone had hidden it
}

// Compare tells how the findings of after differ from those of before. Both lists are identified first ([Identify]).
//
// A finding whose source line was rewritten (a formatter broke it in two, say) is still the same finding: what is left
// over on both sides after matching fingerprints is matched again without the excerpt, one for one.
//
// A new finding counts as unmasked when a finding of the same check that is now gone had hidden its file, its directory,
// or the whole check. A finding that hides things is never itself unmasked by one like it in the same place: replacing one
// syntax error by another is not progress; unless it is of a compiler's later step, and stands on another line: a wrong type
// where a name was unknown comes of the mending, one further down was there before.
func Compare(before, after []Diagnostic) Delta {
	before, after = Identify(before), Identify(after)
	was, is := index(before), index(after)
	moved := map[string]int{} // findings of before without a partner, by what they say
	for _, d := range before {
		if !is[d.ID] {
			moved[d.says()]++
		}
	}
	var delta Delta
	var fresh []Diagnostic
	kept := map[string]int{}
	for _, d := range after {
		switch {
		case was[d.ID]:
			delta.Kept = append(delta.Kept, d)
		case moved[d.says()] > kept[d.says()]:
			kept[d.says()]++
			delta.Kept = append(delta.Kept, d)
		default:
			fresh = append(fresh, d)
		}
	}
	for _, d := range before {
		if is[d.ID] {
			continue
		}
		if kept[d.says()] > 0 {
			kept[d.says()]--
			continue
		}
		delta.Gone = append(delta.Gone, d)
	}
	for _, d := range fresh {
		if unmasked(d, delta.Gone) {
			delta.Unmasked = append(delta.Unmasked, d)
		} else {
			delta.New = append(delta.New, d)
		}
	}
	return delta
}

// Progress reports whether the second run is strictly better: something is gone and nothing is new.
func (d Delta) Progress() bool { return len(d.Gone) > 0 && len(d.New) == 0 }

// Join adds the findings of o to d: the delta of two sets of checks is the join of theirs.
func (d Delta) Join(o Delta) Delta {
	d.Gone = append(d.Gone, o.Gone...)
	d.Kept = append(d.Kept, o.Kept...)
	d.New = append(d.New, o.New...)
	d.Unmasked = append(d.Unmasked, o.Unmasked...)
	return d
}

func index(ds []Diagnostic) map[Fingerprint]bool {
	m := make(map[Fingerprint]bool, len(ds))
	for _, d := range ds {
		m[d.ID] = true
	}
	return m
}

func unmasked(d Diagnostic, gone []Diagnostic) bool {
	for _, g := range gone {
		if g.Check == d.Check && g.hides(d) && (d.Masks < g.Masks || d.place() != g.place() || g.before(d) && !d.onLineOf(gone)) {
			return true
		}
	}
	return false
}

// before reports whether a finding is of an earlier step than another one.
func (d Diagnostic) before(o Diagnostic) bool { return d.Step != StepUnknown && d.Step < o.Step }

func (d Diagnostic) onLineOf(all []Diagnostic) bool {
	return slices.ContainsFunc(all, func(o Diagnostic) bool { return o.File == d.File && o.Range.Start.Line == d.Range.Start.Line })
}

func (d Diagnostic) hides(o Diagnostic) bool {
	switch d.Masks {
	case MasksFile:
		return d.File != "" && d.File == o.File
	case MasksDir:
		return d.dir() == o.dir()
	case MasksCheck:
		return true
	case MasksNothing:
	}
	return false
}

func (d Diagnostic) place() string { return d.dir() + "\x00" + d.File }

func (d Diagnostic) dir() string {
	if d.Dir != "" {
		return d.Dir
	}
	if d.File == "" {
		return ""
	}
	return path.Dir(d.File)
}
