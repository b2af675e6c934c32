package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fettle/internal/policy/secret"
)

// TestLabels holds that what a reader would take for a secret is no false alarm, and that what nobody has labelled is one.
func TestLabels(t *testing.T) {
	drawn := "q7Zt2LkV9xWm4NcBv8RpYd6s"
	file := filepath.Join(t.TempDir(), "rows.jsonl")
	rows := `{"rule": "stripe-access-token", "label": "benign", "text": "nonMatchingToken := '` + drawn + `'"}
{"rule": "slack-user-token", "label": "benign", "text": "token1: ` + drawn + `"}
{"rule": "of-no-label", "label": "benign", "text": "token = '` + drawn + `'"}
{"rule": "of-no-label", "label": "benign", "text": "nothing"}
`
	if err := os.WriteFile(file, []byte(rows), 0o600); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := measure(&out, here{secret.New(nil)}, file, false); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"altered     3 of     4 texts", "altered     2 of     3 without those"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is missing in\n%s", want, out.String())
		}
	}
}

// TestLabelRows holds that each label has its four fields.
func TestLabelRows(t *testing.T) {
	for line := range strings.Lines(labels) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(f) != 4 || f[2] != "yes" && f[2] != "no" || f[1] == "" || f[3] == "" {
			t.Errorf("%q: not a rule, a piece of a text, yes or no, and a reason", line)
		}
	}
}
