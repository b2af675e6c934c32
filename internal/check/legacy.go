package check

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"fettle/internal/diag"
	"fettle/internal/phrase"
)

// BaselineFile is the name of the file, in a repository's root, with findings that are known and left alone for now.
const BaselineFile = "fettle-baseline.json"

// Legacy are the findings that do not count: those that the baseline file knows, and those in files that have not changed
// since some revision. A failing test always counts, whatever file it stands in: what was changed elsewhere can have broken
// it. A nil Legacy forgives nothing.
type Legacy struct {
	known   map[diag.Fingerprint]bool
	changed map[string]bool // nil: every file counts as changed
	since   string
}

// baseline is the file.
type baseline struct {
	Version  int            `json:"version"`
	Findings []knownFinding `json:"findings"`
}

// knownFinding is one finding of the file: the fingerprint finds it again, the rest is for people.
type knownFinding struct {
	ID      diag.Fingerprint `json:"id"`
	Check   string           `json:"check"`
	File    string           `json:"file,omitempty"`
	Rule    string           `json:"rule,omitempty"`
	Message string           `json:"message"`
}

// LoadLegacy reads the baseline file of a repository. Without one nothing is forgiven.
func LoadLegacy(root string) (*Legacy, error) {
	l := &Legacy{known: map[diag.Fingerprint]bool{}}
	text, err := os.ReadFile(filepath.Join(root, BaselineFile))
	if errors.Is(err, fs.ErrNotExist) {
		return l, nil
	}
	var b baseline
	if err == nil {
		dec := json.NewDecoder(bytes.NewReader(text))
		dec.DisallowUnknownFields()
		err = dec.Decode(&b)
	}
	if err == nil && b.Version != 1 {
		err = fmt.Errorf("its version is %d, this program knows 1", b.Version)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: cannot be read (write it anew with fettle run --write-baseline): %w", BaselineFile, err)
	}
	for _, f := range b.Findings {
		l.known[f.ID] = true
	}
	return l, nil
}

// Since lets only findings in these files count, which have changed since a revision.
func (l *Legacy) Since(rev string, files []string) {
	l.since, l.changed = rev, map[string]bool{}
	for _, f := range files {
		l.changed[f] = true
	}
}

// Holds reports whether a finding is legacy. What a test or a build complains of never is, wherever it stands: tests that cannot be
// built or collected did not run, and one file keeps another from being built.
func (l *Legacy) Holds(d diag.Diagnostic) bool {
	if l == nil || alwaysCounts(d) {
		return false
	}
	return l.known[d.ID] || l.changed != nil && d.File != "" && !l.changed[d.File]
}

func alwaysCounts(d diag.Diagnostic) bool {
	kind := Check{Name: d.Check}.Kind()
	return d.Test != "" || kind == "test" || kind == "build"
}

// Forgive is the result without legacy. A check that failed for legacy alone has passed.
func (l *Legacy) Forgive(r Result) Result {
	if r.Status != Failed || !slices.ContainsFunc(r.Diagnostics, l.Holds) {
		return r
	}
	before := len(r.Diagnostics)
	r.Diagnostics = slices.DeleteFunc(slices.Clone(r.Diagnostics), l.Holds)
	r.Old = before - len(r.Diagnostics)
	said := "left alone: " + phrase.Count(r.Old, "old finding")
	if l.changed != nil {
		said += ", in files that have not changed since " + l.since + " or in " + BaselineFile
	} else {
		said += ", in " + BaselineFile
	}
	r.Reason = strings.TrimPrefix(r.Reason+"; "+said, "; ")
	if len(r.Diagnostics) == 0 {
		r.Status, r.Tail = Passed, ""
	}
	return r
}

// Baseline is the text of a baseline file for all that the results complain of, but for what tests and builds do, and how many
// findings that are.
func Baseline(results []Result) ([]byte, int) {
	b := baseline{Version: 1, Findings: []knownFinding{}}
	for _, r := range results {
		for _, d := range r.Diagnostics {
			if r.Status == Failed && !alwaysCounts(d) {
				b.Findings = append(b.Findings, knownFinding{d.ID, r.Check, d.File, d.Rule, d.Message})
			}
		}
	}
	slices.SortFunc(b.Findings, func(x, y knownFinding) int {
		return strings.Compare(x.File+"\x00"+x.Check+"\x00"+string(x.ID), y.File+"\x00"+y.Check+"\x00"+string(y.ID))
	})
	text, _ := json.MarshalIndent(b, "", "  ") // plain data
	return append(text, '\n'), len(b.Findings)
}
