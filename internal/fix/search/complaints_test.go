package search

import (
	"testing"

	"fettle/internal/code"
	"fettle/internal/diag"
	"fettle/internal/fix/complaint"
	"fettle/internal/syntax"
)

// Small edits that no complaint calls for are tried where types tell whether they do: in Python any name that there is contents a checker where one was
// not known.
func TestGeneralEditsNeedTypes(t *testing.T) {
	for _, c := range []struct {
		path, src string
		said      diag.Diagnostic
		want      bool
	}{
		{"a.py", "def load(path, limit):\n    with open(path) as f:\n        return f.read(flie)\n", diag.Diagnostic{Tool: "ruff", Rule: "F821", Message: "Undefined name `flie`"}, false},
		{"a.py", "def load(path, limit):\n    with open(path) as f:\n        return f.read(flie)\n", diag.Diagnostic{Tool: "mypy", Message: `Name "flie" is not defined`}, false},
		{"a.py", "def load(path, limit):\n    with open(path) as f:\n        return f.read(limit, path)\n", diag.Diagnostic{Tool: "mypy", Message: `Too many arguments for "read"`}, true},
		{"a.go", "package a\n\nfunc f(path string, limit int) string { return flie }\n", diag.Diagnostic{Tool: "go", Message: "undefined: flie"}, true},
	} {
		f, err := code.Read(t.Context(), syntax.LangOf(c.path), c.path, []byte(c.src))
		if err != nil {
			t.Fatal(err)
		}
		c.said.File, c.said.Range.Start = c.path, diag.Position{Line: 3, Column: 1}
		read, ok := complaint.Read(c.said)
		if !ok {
			t.Fatalf("%s is not understood", c.said.Message)
		}
		u := newUnit(nil)
		u.add(f)
		m := mending{unit: u, complaints: []complaint.Complaint{read}}
		if got := len(m.sites()) > 0; got != c.want {
			t.Errorf("%s: there are places for them: %v", c.said.Message, got)
		}
	}
}
