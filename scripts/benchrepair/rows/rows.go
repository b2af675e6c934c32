// Package rows answers "on which bugs is the search measured?": small real bugs in four languages, each with the tests that it fails and with the reference.
package rows

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
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
	Fresh       = "fresh"       // bugs that were made up by who did not know the search
	mostRowSize = 16 << 20
)

// All are the rows that this program carries.
func All() ([]Row, error) { return Of(data) }

// From are those of a folder, or those that this program carries where none is named.
func From(folder string) ([]Row, error) {
	if folder == "" {
		return All()
	}
	return Of(os.DirFS(folder))
}

// Part chooses the K-th of every N rows, by their numbers: K/N, or nothing for all of them.
func Part(part string) (func(row int) bool, error) {
	k, n := 1, 1
	if part != "" {
		if _, err := fmt.Sscanf(part, "%d/%d", &k, &n); err != nil || k < 1 || n < 1 || k > n {
			return nil, fmt.Errorf("-part %s: want K/N, such as 2/4", part)
		}
	}
	return func(row int) bool { return row%n == k-1 }, nil
}

// In reports whether a list, separated by commas, names something; an empty list names everything.
func In(list, name string) bool { return list == "" || slices.Contains(strings.Split(list, ","), name) }

// Of are the rows of a folder, in two files that call things differently: quixbugs.jsonl.gz, which need not be there, and bugs.jsonl.gz.
func Of(folder fs.FS) ([]Row, error) {
	var out []Row
	for _, name := range []string{"quixbugs", "bugs"} {
		err := lines(folder, name, func(line []byte) error {
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
		if err != nil && (name != QuixBugs || !errors.Is(err, fs.ErrNotExist)) {
			return nil, fmt.Errorf("%s.jsonl.gz: %w", name, err)
		}
	}
	return out, nil
}

// Repository is a row as the files of a repository with one check; in TypeScript with one of the types, too. More is what else its fettle.yaml says. The check has so many times as long as it needs on a machine that has nothing
// else to do: some rows never end.
func (r Row) Repository(more string, times int) map[string]string {
	check := map[string]string{
		"python":     fmt.Sprintf(`{run: [python3, -m, pytest, -q, --tb=short, -o, junit_family=xunit1, "--junit-xml={report}"], parser: pytest-junit, timeout: %ds}`, 8*times),
		"go":         fmt.Sprintf(`{run: [go, test, -json, -vet=off, -timeout=%ds, ./...], parser: gotest, env: {GOFLAGS: "", GOWORK: "off"}, timeout: 60s}`, 5*times),
		"javascript": fmt.Sprintf(`{run: [node, --test, --test-reporter=tap], parser: tap, lang: javascript, timeout: %ds}`, 20*times),
		"typescript": fmt.Sprintf(`{run: [node_modules/.bin/vitest, run, --reporter=json, "--outputFile={report}"], parser: vitest, timeout: %ds}`, 30*times),
		"java":       `{run: [sh, -c, "mkdir -p out && javac -d out *.java && java -cp out Main"], lang: java, timeout: 60s}`,
	}[r.Language]
	files := maps.Clone(r.Files)
	if r.Language == "typescript" {
		check += "\n  type: {run: [node_modules/.bin/tsc, --noEmit, --pretty, \"false\"], parser: tsc, timeout: 60s}"
	}
	files["fettle.yaml"] = "version: 1\nchecks:\n  test: " + check + "\n" + more
	files[".gitignore"] = "out/\n__pycache__/\nnode_modules\n"
	return files
}

func setOf(id string) string {
	switch {
	case strings.HasPrefix(id, "python_student_any-"):
		return StudentAny
	case strings.HasPrefix(id, "python_student-"):
		return Student
	case strings.HasPrefix(id, "fresh-"):
		return Fresh
	}
	return Small
}

func lines(folder fs.FS, name string, each func(line []byte) error) error {
	raw, err := fs.ReadFile(folder, name+".jsonl.gz")
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
