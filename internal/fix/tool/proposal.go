package tool

import (
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"fettle/internal/audit/same"
	"fettle/internal/check"
	"fettle/internal/edit"
	"fettle/internal/fix"
	"fettle/internal/lang"
)

// proposal is what a check's fix changed.
type proposal struct {
	commands []string // what ran
	kept     edit.Patch
	before   map[string][]byte // what the kept files held, and hold now
	after    map[string][]byte
	outside  int // changed files that are out of scope
	unnamed  int // changed files that no finding names
}

// readBefore reads what the kept files hold in a place that is at the baseline.
func (p *proposal) readBefore(at check.Place) error {
	p.before = make(map[string][]byte)
	for _, c := range p.kept {
		if c.Op == edit.Create {
			continue
		}
		b, err := at.ReadFile(c.Path)
		if err != nil {
			return fmt.Errorf("read the baseline: %w", err)
		}
		p.before[c.Path] = b
	}
	return nil
}

// candidates hands out the changes that need nobody's word, together and then file by file, and last those that do.
func (p proposal) candidates(t fix.Task) iter.Seq[fix.Candidate] {
	return func(yield func(fix.Candidate) bool) {
		var free, asks edit.Patch
		for _, c := range p.kept {
			if p.needsPerson(c) {
				asks = append(asks, c)
			} else {
				free = append(free, c)
			}
		}
		if len(free) > 0 && !yield(p.candidate(t, free)) {
			return
		}
		if len(free) > 1 && len(free) <= singles {
			for i := range free {
				if !yield(p.candidate(t, free[i:i+1:i+1])) {
					return
				}
			}
		}
		if len(asks) > 0 {
			yield(p.candidate(t, asks))
		}
	}
}

// needsPerson reports whether a change goes beyond the form of a file that judges the code.
func (p proposal) needsPerson(c edit.Change) bool {
	return judges(c.Path) && !same.Syntax(c.Path, p.before[c.Path], p.after[c.Path])
}

// judges reports whether a file says how good the code is.
func judges(path string) bool {
	return lang.IsTest(path) || lang.IsCheckConfig(path) || lang.IsCI(path)
}

func (p proposal) candidate(t fix.Task, patch edit.Patch) fix.Candidate {
	return fix.Candidate{Patch: patch, Author: Name, Explanation: p.explain(t, patch), Confidence: confidence(t.Check)}
}

// confidence is 0.95 for formatters, which keep the syntax by design, and 0.9 for other fixes.
func confidence(c check.Check) float64 {
	if c.Kind() == "format" {
		return 0.95
	}
	return 0.9
}

// explain says what ran and what it was asked about, never that it has healed anything.
func (p proposal) explain(t fix.Task, patch edit.Patch) string {
	rules := make(map[string]bool)
	for _, d := range t.Diagnostics {
		if d.Rule != "" && slices.Contains(patch.Paths(), d.File) {
			rules[d.Rule] = true
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "`%s` changed ", strings.Join(p.commands, "`, then `"))
	if len(patch) == 1 {
		b.WriteString(patch[0].Path)
	} else {
		fmt.Fprintf(&b, "%d files", len(patch))
	}
	if names := slices.Sorted(maps.Keys(rules)); len(names) > 0 {
		fmt.Fprintf(&b, ", asked about %s", strings.Join(names, ", "))
	}
	if p.outside > 0 {
		fmt.Fprintf(&b, "; left out: %d changed outside the scope", p.outside)
	}
	if p.unnamed > 0 {
		fmt.Fprintf(&b, "; left out: %d changed that no finding names", p.unnamed)
	}
	return b.String()
}
