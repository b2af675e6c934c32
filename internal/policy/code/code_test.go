package code_test

import (
	"bytes"
	"encoding/json"
	"os"
	"testing"

	"fettle/internal/policy/code"
)

// names are files whose names tell the language.
var names = map[string]string{"python": "a.py", "javascript": "a.js", "typescript": "a.ts", "go": "a.go", "java": "A.java", "shell": "a.sh"}

// worst is the worst grade of what a source brings into an empty file; -1: nothing.
func worst(t *testing.T, lang, src string) (code.Grade, []code.Capability) {
	t.Helper()
	found, err := code.Find(t.Context(), names[lang], []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	grade := code.Grade(-1)
	for _, c := range found {
		grade = max(grade, c.Grade)
	}
	return grade, found
}

// TestCorpus judges labelled snippets: what is dangerous or for a person to see must be asked about at least, what is ordinary
// must pass.
func TestCorpus(t *testing.T) {
	data, err := os.ReadFile("testdata/code_hand.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	type count struct{ bad, found, good, false int }
	counts := make(map[string]*count)
	for line := range bytes.Lines(data) {
		var r struct{ ID, Lang, Label, Code string }
		if err := json.Unmarshal(line, &r); err != nil {
			t.Fatal(err)
		}
		c := counts[r.Lang]
		if c == nil {
			c = &count{}
			counts[r.Lang] = c
		}
		grade, found := worst(t, r.Lang, r.Code)
		stopped := grade >= code.Review
		if r.Label == "benign" {
			c.good++
			if stopped {
				c.false++
				t.Errorf("%s %s: %v for ordinary %q", r.ID, r.Lang, found, r.Code)
			}
			continue
		}
		c.bad++
		if stopped {
			c.found++
		} else {
			t.Errorf("%s %s: nothing in %s %q (%v)", r.ID, r.Lang, r.Label, r.Code, found)
		}
	}
	for lang, c := range counts {
		t.Logf("%s: %d of %d found, %d of %d wrongly", lang, c.found, c.bad, c.false, c.good)
	}
}
