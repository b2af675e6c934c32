package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"embed"
	"encoding/json"
	"fmt"
	"strings"
)

//go:embed rows/*.jsonl.gz rows/readings.json
var data embed.FS

// Row is one small real bug.
type Row struct {
	ID        string
	Set       string // where it is from
	Language  string
	Source    string            // the file with the bug
	Files     map[string]string // by slash path
	Reference string            // Source as it is right; fettle never sees it
}

// Sets of rows.
const (
	quixbugs    = "quixbugs"
	small       = "small"       // small real bugs
	student     = "student"     // bugs of students, one small hunk
	studentAny  = "student-any" // … of any size
	mostRowSize = 16 << 20
)

// loadRows reads both corpora. They call things differently.
func loadRows() ([]Row, error) {
	var out []Row
	for _, name := range []string{"quixbugs", "bugs"} {
		err := lines(name, func(line []byte) error {
			var r struct {
				ID, Name, Language, Source, Buggy string
				Files                             map[string]string
				Reference, Correct                string
			}
			if err := json.Unmarshal(line, &r); err != nil {
				return err
			}
			row := Row{ID: r.ID, Set: setOf(r.ID), Language: r.Language, Source: r.Source, Files: r.Files, Reference: r.Reference}
			if name == quixbugs {
				row.ID, row.Set, row.Source, row.Reference = r.Name, quixbugs, r.Buggy, r.Correct
			}
			out = append(out, row)
			return nil
		})
		if err != nil {
			return nil, fmt.Errorf("rows/%s.jsonl.gz: %w", name, err)
		}
	}
	return out, nil
}

func setOf(id string) string {
	switch {
	case strings.HasPrefix(id, "python_student_any-"):
		return studentAny
	case strings.HasPrefix(id, "python_student-"):
		return student
	}
	return small
}

func lines(name string, each func(line []byte) error) error {
	raw, err := data.ReadFile("rows/" + name + ".jsonl.gz")
	if err != nil {
		return err
	}
	z, err := gzip.NewReader(bytes.NewReader(raw))
	if err != nil {
		return err
	}
	sc := bufio.NewScanner(z)
	sc.Buffer(nil, mostRowSize)
	for sc.Scan() {
		if err := each(sc.Bytes()); err != nil {
			return err
		}
	}
	return sc.Err()
}

// config is the fettle.yaml of a row: its one check. The first candidate is applied however sure fettle is of it, because what is measured
// is what it holds likeliest, and how sure it is.
func (r *Row) config() string {
	check := map[string]string{
		"python":     `{run: [python3, -m, pytest, -q, --tb=short, -o, junit_family=xunit1, "--junit-xml={report}"], parser: pytest-junit, timeout: 8s}`,
		"go":         `{run: [go, test, -json, -vet=off, -timeout=5s, ./...], parser: gotest, env: {GOFLAGS: "", GOWORK: "off"}, timeout: 60s}`,
		"javascript": `{run: [node, --test, --test-reporter=tap], parser: tap, lang: javascript, timeout: 20s}`,
		"java":       `{run: [sh, -c, "mkdir -p out && javac -d out *.java && java -cp out Main"], lang: java, timeout: 60s}`,
	}[r.Language]
	return "version: 1\nchecks:\n  test: " + check + "\nlimits: {confidence: 0, iterations: 1}\n"
}

// Reading is what a person found about a patch that is not the reference's text.
type Reading struct {
	Row     string `json:"row"`
	Digest  string `json:"digest"` // of the mended source
	Verdict string `json:"verdict"`
	Why     string `json:"why"`
}

// What a person may find.
const (
	readEqual = "equal"
	readWrong = "wrong"
)

func loadReadings() (map[string]Reading, error) {
	raw, err := data.ReadFile("rows/readings.json")
	if err != nil {
		return nil, err
	}
	var all []Reading
	if err := json.Unmarshal(raw, &all); err != nil {
		return nil, fmt.Errorf("rows/readings.json: %w", err)
	}
	out := map[string]Reading{}
	for _, r := range all {
		if r.Verdict != readEqual && r.Verdict != readWrong {
			return nil, fmt.Errorf("rows/readings.json: %s: the verdict is %q or %q", r.Row, readEqual, readWrong)
		}
		out[r.Row+" "+r.Digest] = r
	}
	return out, nil
}
