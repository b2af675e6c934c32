package report_test

import (
	"compress/gzip"
	"encoding/json"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"fettle/internal/audit"
	"fettle/internal/edit"
	"fettle/internal/report"

	"github.com/google/jsonschema-go/jsonschema"
)

// sarifSchema is the schema that OASIS publishes. It is written in draft 4, which says less than draft 7 of all that stands in it.
func sarifSchema(t *testing.T) *jsonschema.Resolved {
	t.Helper()
	f, err := os.Open("testdata/sarif/sarif-schema-2.1.0.json.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	var s jsonschema.Schema
	if err := json.Unmarshal([]byte(strings.Replace(string(text), "draft-04", "draft-07", 1)), &s); err != nil {
		t.Fatal(err)
	}
	r, err := s.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// written is the log as a reader of JSON has it.
func written(t *testing.T, log report.SARIF) (out any) {
	t.Helper()
	text, err := json.Marshal(log)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// everyRule is a report in which each rule has found something, with a place, without one, and in a file with a strange name.
func everyRule() audit.Report {
	var r audit.Report
	for i, rule := range audit.Rules() {
		path := []string{"", "a.py", "dir/odd name:%.py", "a:b.py"}[i%4]
		r.Findings = append(r.Findings, audit.Finding{Rule: rule.Name, Path: path, Line: i % 3, Evidence: "because <of> it\nand more", Effect: []audit.Effect{audit.Refuse, audit.Ask, audit.Note}[i%3]})
	}
	return r
}

func TestSARIFIsWhatTheStandardSays(t *testing.T) {
	schema := sarifSchema(t)
	for name, r := range map[string]audit.Report{"nothing": {}, "every rule": everyRule()} {
		if err := schema.Validate(written(t, report.AuditSARIF("1.2.3", r))); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, broken := range map[string]string{
		"a level":        `{"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "x"}}, "results": [{"message": {"text": "x"}, "level": "bad"}]}]}`,
		"no version":     `{"runs": []}`,
		"a line":         `{"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "x"}}, "results": [{"message": {"text": "x"}, "locations": [{"physicalLocation": {"artifactLocation": {"uri": "a"}, "region": {"startLine": 0}}}]}]}]}`,
		"another field":  `{"version": "2.1.0", "runs": [], "more": 1}`,
		"no driver name": `{"version": "2.1.0", "runs": [{"tool": {"driver": {}}}]}`,
	} {
		var log any
		if err := json.Unmarshal([]byte(broken), &log); err != nil {
			t.Fatal(err)
		}
		if schema.Validate(log) == nil {
			t.Errorf("%s: the schema that we test against lets it pass", name)
		}
	}
}

// TestSARIFRules holds what a code host shows of a rule, and that each result says which one is meant.
func TestSARIFRules(t *testing.T) {
	log := report.AuditSARIF("1.2.3", everyRule())
	rules := log.Runs[0].Tool.Driver.Rules
	for _, rule := range rules {
		if rule.Short.Text == "" || rule.Full.Text == "" || !strings.Contains(rule.Help.Text, ". ") || rule.Help.Markdown == "" || len(rule.More.Tags) != 1 {
			t.Errorf("%s is not explained: %+v", rule.ID, rule)
		}
		if !slices.Contains([]string{"error", "warning", "note"}, rule.Default.Level) {
			t.Errorf("%s is %q by default", rule.ID, rule.Default.Level)
		}
	}
	for _, res := range log.Runs[0].Results {
		if rules[res.RuleIndex].ID != res.RuleID {
			t.Errorf("%s has the number of %s", res.RuleID, rules[res.RuleIndex].ID)
		}
	}
	if at := log.Runs[0].Results[3].Locations[0].Physical.Artifact.URI; at != "./a:b.py" {
		t.Errorf("a name with a colon is %q, which is another scheme", at)
	}
}

// TestSARIFFingerprints holds that a finding is the same when lines move, and another one when it is another.
func TestSARIFFingerprints(t *testing.T) {
	const (
		before = "def a(x):\n    return x\n\n\ndef b(x):\n    return x\n"
		danger = "import os\n\n\ndef a(x):\n    os.system(x)\n    return x\n\n\ndef b(x):\n    os.system(x)\n    os.system(x + x)\n    return x\n"
	)
	marks := func(after string) []string {
		was, is := map[string]edit.File{"a.py": {Data: []byte(before), Mode: 0o644, Exists: true}}, map[string]edit.File{"a.py": {Data: []byte(after), Mode: 0o644, Exists: true}}
		r := audit.Audit(t.Context(), audit.Input{Patch: edit.Between(was, is), Source: func(p string) (edit.File, error) { return was[p], nil }})
		var all []string
		for _, res := range report.AuditSARIF("", r).Runs[0].Results {
			for _, mark := range res.Fingerprints {
				all = append(all, mark)
			}
		}
		return all
	}
	first := marks(danger)
	if len(first) < 2 || len(slices.Compact(slices.Sorted(slices.Values(first)))) != len(first) {
		t.Fatalf("not a fingerprint each: %q", first)
	}
	if moved := marks("# a word\n\n\n\n" + danger); !slices.Equal(first, moved) {
		t.Errorf("when lines move, %q becomes %q", first, moved)
	}
	if other := marks(strings.Replace(danger, "os.system", "os.popen", 2)); slices.Contains(first, other[0]) {
		t.Errorf("another call has the same fingerprint: %q", other)
	}
}
