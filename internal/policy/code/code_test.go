package code_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"slices"
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

// TestCancelled is a look through a source for which nobody waits any more.
func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if found, err := code.Find(ctx, "a.py", []byte("eval(x)")); err == nil {
		t.Errorf("%v, and no error", found)
	}
}

// TestLanguages is the language of a file: by its name, or else by the program that its first line names.
func TestLanguages(t *testing.T) {
	for _, c := range []struct {
		path, src string
		stopped   bool
	}{
		{"a.py", "#!/bin/sh\neval(x)", true},
		{"a.py", "#!/bin/sh\nprint(x)", false},
		{"a.js", "#!/usr/bin/env -S node --flush x\neval(x)", true},
		{"a.js", "#!/usr/bin/env -S node --flush x\nconsole.log(x)", false},
		{"bin/tool", "#!/usr/bin/env python3\neval(x)", true},
		{"bin/tool", "#!/usr/bin/env python3\nprint(x)", false},
		{"bin/tool", "#!/usr/bin/env -S A=1 python3.12 -u\neval(x)", true},
		{"bin/tool", "#!/usr/bin/node\neval(x)", true},
		{"bin/tool", "#!/usr/bin/env -Snode\neval(x)", true},
		{"bin/tool", "#!/usr/bin/env -S uv run --script\neval(x)", true},
		{"bin/tool", "#!/usr/bin/env -S uv run --script\nprint(x)", false},
		{"bin/tool", "#!/usr/bin/env -S npx --yes tsx\neval(x)", true},
		{"bin/tool", "#!/usr/bin/env -S npx tsx\nconsole.log(x)", false},
		{"bin/tool", "#!/bin/bash\r\nrm -rf \"$HOME\"\r\n", true},
		{"bin/tool", "#!/bin/bash\r\necho a\r\n", false},
		{"bin/tool", "#!/bin/sh -e\nrm -rf ~\n", true},
		{"bin/tool", "#! /bin/zsh\nrm -rf ~\n", true},
		{"bin/tool", "#!/usr/bin/perl\neval(x)", false},
		{"bin/tool", "rm -rf ~\n", false},
	} {
		found, err := code.Find(t.Context(), c.path, []byte(c.src))
		if err != nil {
			t.Fatal(err)
		}
		if stopped := slices.ContainsFunc(found, func(f code.Capability) bool { return f.Grade >= code.Review }); stopped != c.stopped {
			t.Errorf("%s %q: %v, want stopped %v", c.path, c.src, found, c.stopped)
		}
	}
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
		if names[r.Lang] == "" || r.Code == "" {
			t.Errorf("%s: nothing is read of %q in %q", r.ID, r.Code, r.Lang)
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
	for _, lang := range []string{"python", "javascript", "go", "shell"} {
		if counts[lang] == nil {
			t.Fatalf("there are no rows in %s", lang)
		}
	}
	for lang, c := range counts {
		if c.bad == 0 || c.good == 0 {
			t.Errorf("%s: %d rows are dangerous, %d ordinary: neither may be missing", lang, c.bad, c.good)
		}
		t.Logf("%s: %d of %d found, %d of %d wrongly", lang, c.found, c.bad, c.false, c.good)
	}
}
