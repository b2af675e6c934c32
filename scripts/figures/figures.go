// Package figures answers "what do many measurements come to, and how are they kept?" for every benchmark that writes a document.
package figures

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"fettle/internal/fix"
)

// Percent is n in a hundred of a number; 0 of nothing.
func Percent(n, of int) float64 {
	if of == 0 {
		return 0
	}
	return 100 * float64(n) / float64(of)
}

// Quantile is the value below which the part q, from 0 to 1, of the values lies; 0 of none.
func Quantile(values []float64, q float64) float64 {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	return sorted[min(int(q*float64(len(sorted))), len(sorted)-1)]
}

// Belief is how sure fettle was of a patch that passes every test, and whether it was right.
type Belief struct {
	Row        string       `json:"row"`
	Group      string       `json:"group"` // of rows that are alike: a project, or the row alone
	Right      bool         `json:"right"`
	Confidence float64      `json:"confidence"` // 0–1
	Grounds    *fix.Grounds `json:"grounds"`    // what it rests on; nil: its fixer does not say

	Bug   string   `json:"bug,omitempty"`   // what it mends, whatever the language it is told in
	Ideas []string `json:"ideas,omitempty"` // by which it was made, each with its language: Go/logic
}

// The files in which benchmarks leave the beliefs that scripts/calibrate reads, from the root of this checkout.
const (
	Repair  = "scripts/calibrate/repair.jsonl"
	Planted = "scripts/calibrate/planted.jsonl"
)

// WriteBeliefs leaves those that rest on tests in a file, a line each.
func WriteBeliefs(name string, all []Belief) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	for _, x := range all {
		if x.Grounds == nil || x.Grounds.Failing == 0 {
			continue
		}
		if err := enc.Encode(x); err != nil {
			return err
		}
	}
	return os.WriteFile(name, b.Bytes(), 0o644)
}

// Beliefs are those that a benchmark left in a file.
func Beliefs(name string) (all []Belief, err error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	for dec := json.NewDecoder(f); ; {
		var b Belief
		switch err := dec.Decode(&b); {
		case errors.Is(err, io.EOF):
			return all, nil
		case err != nil:
			return nil, fmt.Errorf("%s: %w", name, err)
		case b.Grounds == nil:
			return nil, fmt.Errorf("%s: %s has no grounds", name, b.Row)
		}
		all = append(all, b)
	}
}

// Root is the root of this checkout, above the folder a program is run in.
func Root() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		above := filepath.Dir(dir)
		if above == dir {
			return "", errors.New("run it in a checkout of fettle")
		}
		dir = above
	}
}

// Gate is the confidence from which a patch is applied without asking anybody, unless fettle.yaml says otherwise.
const Gate = 0.7

// bands are those in which beliefs are counted; the last is all that is applied.
var bands = [][2]float64{{0, 0.5}, {0.5, 0.7}, {0.7, 0.8}, {0.8, 0.9}, {0.9, 1.01}, {Gate, 1.01}}

// Sureness is a table that holds what fettle says of its patches against what they are.
func Sureness(all []Belief) string {
	var b strings.Builder
	b.WriteString("| sure | patches | right |\n|---|--:|--:|\n")
	for i, band := range bands {
		n, right := 0, 0
		for _, x := range all {
			if x.Confidence >= band[0] && x.Confidence < band[1] {
				n++
				if x.Right {
					right++
				}
			}
		}
		name := fmt.Sprintf("%.0f–%.0f %%", band[0]*100, min(band[1], 1)*100)
		if i == len(bands)-1 {
			name = "**" + name + "**"
		}
		fmt.Fprintf(&b, "| %s | %d | %d (%.0f %%) |\n", name, n, right, Percent(right, n))
	}
	return b.String()
}
