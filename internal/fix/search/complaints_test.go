package search

import (
	"testing"

	"fettle/internal/check"
	"fettle/internal/code"
	"fettle/internal/diag"
	"fettle/internal/fix"
	"fettle/internal/fix/complaint"
	"fettle/internal/syntax"
)

// Small edits that no complaint calls for are tried where the checker knows types: a linter is content with any name that there is.
func TestGeneralEditsAreForCompilers(t *testing.T) {
	const src = "def load(path, limit):\n    with open(path) as f:\n        return f.read(flie)\n"
	f, err := code.Read(t.Context(), syntax.LangOf("a.py"), "a.py", []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	for name, d := range map[string]diag.Diagnostic{
		"lint.ruff": {Tool: "ruff", Rule: "F821", Message: "Undefined name `flie`"},
		"type.mypy": {Tool: "mypy", Message: `Name "flie" is not defined`},
	} {
		d.File, d.Range.Start = "a.py", diag.Position{Line: 3, Column: 23}
		c, ok := complaint.Read(d)
		if !ok {
			t.Fatalf("%s is not understood", d.Message)
		}
		u := newUnit(nil)
		u.add(f)
		m := mending{task: fix.Task{Check: check.Check{Name: name}}, unit: u, complaints: []complaint.Complaint{c}}
		if got, want := len(m.sites()) > 0, name == "type.mypy"; got != want {
			t.Errorf("%s: there are places for them: %v", name, got)
		}
	}
}
