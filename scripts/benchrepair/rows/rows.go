// Package rows answers "on which bugs is the search measured?": small real bugs in four languages, each with the tests that it fails and with the reference.
package rows

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"embed"
	"encoding/json"
	"fmt"
	"strings"
)

//go:embed *.jsonl.gz
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
	QuixBugs    = "quixbugs"
	Small       = "small"       // small real bugs
	Student     = "student"     // bugs of students, one small hunk
	StudentAny  = "student-any" // … of any size
	mostRowSize = 16 << 20
)

// All are the rows of both corpora, which call things differently.
func All() ([]Row, error) {
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
			if name == QuixBugs {
				row.ID, row.Set, row.Source, row.Reference = r.Name, QuixBugs, r.Buggy, r.Correct
			}
			out = append(out, row)
			return nil
		})
		if err != nil {
			return nil, fmt.Errorf("%s.jsonl.gz: %w", name, err)
		}
	}
	return out, nil
}

func setOf(id string) string {
	switch {
	case strings.HasPrefix(id, "python_student_any-"):
		return StudentAny
	case strings.HasPrefix(id, "python_student-"):
		return Student
	}
	return Small
}

func lines(name string, each func(line []byte) error) error {
	raw, err := data.ReadFile(name + ".jsonl.gz")
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
