package node

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"fettle/internal/pattern"
	"fettle/internal/runner"
)

// script is what serve/record.cjs tells of a source that ran in the user's own run.
type script struct {
	ID   string // within a process
	File string
	Text string     // what ran: a runner may have made it of the file's own
	Ran  [][][2]int // of each function where it stands, from and to, and then what of it ran; what is told later of one holds what was told before
}

// recorded runs tests by the user's own command and tells which lines of the suite's sources were run, by file.
func (s *Suite) recorded(ctx context.Context, ids []string) (outcome, map[string][]int, error) {
	programs, err := s.folder()
	if err != nil {
		return outcome{}, nil, err
	}
	dir, err := os.MkdirTemp(programs, "record-")
	if err != nil {
		return outcome{}, nil, fmt.Errorf("scratch: %w", err)
	}
	defer os.RemoveAll(dir)
	told := filepath.Join(dir, "told")
	if err := os.Mkdir(told, 0o700); err != nil {
		return outcome{}, nil, fmt.Errorf("scratch: %w", err)
	}
	config := filepath.Join(dir, "config.json")
	if err := writeJSON(config, map[string]any{"roots": runner.Roots(s.job.Place.Root()), "dir": told}); err != nil {
		return outcome{}, nil, err
	}
	o, err := s.launch(ctx, preloading(s.narrowed(ids), filepath.Join(programs, "record.cjs"), map[string]string{"FETTLE_RECORD": config}))
	if err != nil {
		return outcome{}, nil, err
	}
	lines, err := s.readRecords(told)
	return o, lines, err
}

// readRecords puts together what the processes of a run have written down.
func (s *Suite) readRecords(dir string) (map[string][]int, error) {
	files, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("scratch: %w", err)
	}
	out := map[string][]int{}
	for _, f := range files {
		raw, err := os.ReadFile(filepath.Join(dir, f.Name()))
		if err != nil {
			return nil, fmt.Errorf("scratch: %w", err)
		}
		for _, x := range recordedIn(raw) {
			text, err := s.job.Place.ReadFile(x.File)
			if err != nil || !s.Owns(x.File) {
				continue
			}
			out[x.File] = append(out[x.File], x.lines(string(text))...)
		}
	}
	for file, lines := range out {
		slices.Sort(lines)
		out[file] = slices.Compact(lines)
	}
	return out, nil
}

// recordedIn are the scripts of which a process has told, line by line: each by its text, and then by what more of it ran.
func recordedIn(raw []byte) []*script {
	var all []*script
	known := map[string]*script{}
	for line := range bytes.Lines(raw) {
		x := &script{}
		if json.Unmarshal(line, x) != nil {
			continue // it was ended while it wrote
		}
		if of := known[x.ID]; of != nil {
			of.Ran = append(of.Ran, x.Ran...)
			continue
		}
		known[x.ID] = x
		all = append(all, x)
	}
	return all
}

// lines are those of the source that ran. Where nobody knows what the parts of the text stand for, they are all of them.
func (x script) lines(source string) []int {
	ran := x.ran()
	if !slices.Contains(ran, true) {
		return nil
	}
	marks, known := x.marks(source)
	if !known {
		marks = nil
		for _, m := range lineStarts(source, 0) {
			marks = append(marks, [2]int{slices.Index(ran, true), m[1]})
		}
	}
	var out []int
	for _, m := range marks {
		if m[0] < len(ran) && ran[m[0]] {
			out = append(out, m[1])
		}
	}
	return out
}

// ran tells of each place of the text, in UTF-16, whether it ran: what is told of the innermost function counts.
func (x script) ran() []bool {
	functions := map[[2]int][][2]int{}
	for _, f := range x.Ran {
		if len(f) > 0 {
			functions[f[0]] = f[1:]
		}
	}
	places := slices.SortedFunc(maps.Keys(functions), func(a, b [2]int) int { // outer ones first
		if a[0] != b[0] {
			return a[0] - b[0]
		}
		return b[1] - a[1]
	})
	out := make([]bool, units(x.Text))
	fill := func(r [2]int, did bool) {
		for i := max(r[0], 0); i < min(r[1], len(out)); i++ {
			out[i] = did
		}
	}
	for _, at := range places {
		fill(at, false)
		for _, r := range functions[at] {
			fill(r, true)
		}
	}
	return out
}

var (
	// wrapped is what runners put before a text, so that it becomes a function, on its first line.
	wrapped = pattern.New(`^(?:'use strict';\s*)?(?:\(?\{"Object\.<anonymous>":\s*function\s*\([^)]*\)\s*\{|async\s*\([^)]*\)\s*=>\s*\{\{|\(function\s*\([^)]*\)\s*\{)`)
	// mapped is a text's map, inside of the text itself.
	mapped = pattern.New(`(?m)^//[#@] sourceMappingURL=data:application/json[^,\n]*;base64,([A-Za-z0-9+/=]+)\s*$`)
)

// marks are places of the text, in UTF-16, and the lines of the source that they stand for.
func (x script) marks(source string) (marks [][2]int, known bool) {
	if own := strings.TrimSpace(source); own != "" {
		if at := strings.Index(x.Text, own); at >= 0 {
			blank, _, _ := strings.Cut(source, own)
			first := strings.Count(blank, "\n")
			marks = lineStarts(own, units(x.Text[:at]))
			for i := range marks {
				marks[i][1] += first
			}
			return marks, true
		}
	}
	found := mapped.FindAllStringSubmatch(x.Text, -1)
	if len(found) == 0 {
		return nil, false
	}
	raw, err := base64.StdEncoding.DecodeString(found[len(found)-1][1])
	if err != nil {
		return nil, false
	}
	var of struct{ Sources []string }
	if json.Unmarshal(raw, &of) != nil || len(of.Sources) != 1 || path.Base(of.Sources[0]) != path.Base(x.File) {
		return nil, false
	}
	marks, err = readMap(raw, x.Text, len(wrapped.FindString(x.Text)))
	return marks, err == nil
}

// lineStarts are the places of the first visible character of each line, in UTF-16 from a place on.
func lineStarts(text string, at int) (marks [][2]int) {
	line, open := 1, true
	for _, r := range text {
		switch {
		case r == '\n':
			line, open = line+1, true
		case open && !unicode.IsSpace(r):
			marks = append(marks, [2]int{at, line})
			open = false
		}
		at += units(string(r))
	}
	return marks
}
