package main

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

// row is one labelled command: some files call it an input.
type row struct {
	ID      string   `json:"id"`
	Command string   `json:"command"`
	Input   string   `json:"input"`
	Want    string   `json:"want"`
	Accept  []string `json:"accept"`
	Soft    bool     `json:"soft"`
}

func (r row) benign() bool { return r.Want == "allow" && !r.Soft }
func (r row) dangerous() bool {
	return !slices.Contains(r.Accept, "allow") && r.Want != "allow" && !r.Soft
}

// readRows reads a file of rows, or an even sample of them.
func readRows(name string, sample int) ([]row, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var in io.Reader = f
	if strings.HasSuffix(name, ".gz") {
		if in, err = gzip.NewReader(f); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	var rows []row
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 16<<20)
	for n := 1; lines.Scan(); n++ {
		var r row
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			return nil, fmt.Errorf("%s, line %d: %w", name, n, err)
		}
		if r.Command == "" {
			r.Command = r.Input
		}
		rows = append(rows, r)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if sample <= 0 || sample >= len(rows) {
		return rows, nil
	}
	var some []row
	for i := range sample {
		some = append(some, rows[i*len(rows)/sample])
	}
	return some, nil
}
