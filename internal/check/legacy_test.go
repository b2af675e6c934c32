package check_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fettle/internal/check"
	"fettle/internal/diag"
)

func finding(file, message string) diag.Diagnostic {
	return diag.Diagnostic{Check: "lint", File: file, Message: message}
}

func failed(ds ...diag.Diagnostic) check.Result {
	return check.Result{Check: "lint", Status: check.Failed, Code: 1, Diagnostics: diag.Identify(ds), Tail: "…"}
}

func TestLegacy(t *testing.T) {
	root := t.TempDir()
	old := failed(finding("a.py", "old"), finding("b.py", "old"), diag.Diagnostic{Check: "test", Test: "t.py::t", Message: "fails"})
	text, n := check.Baseline([]check.Result{old, {Check: "type", Status: check.Passed, Diagnostics: diag.Identify([]diag.Diagnostic{finding("c.py", "a warning")})}})
	if n != 2 || strings.Contains(string(text), "t.py") || strings.Contains(string(text), "warning") {
		t.Fatalf("%d findings:\n%s", n, text)
	}
	if err := os.WriteFile(filepath.Join(root, check.BaselineFile), text, 0o644); err != nil {
		t.Fatal(err)
	}
	known, err := check.LoadLegacy(root)
	if err != nil {
		t.Fatal(err)
	}
	since, err := check.LoadLegacy(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	since.Since("main", []string{"b.py"})
	for name, tc := range map[string]struct {
		l      *check.Legacy
		r      check.Result
		status check.Status
		left   int
	}{
		"nothing is forgiven":           {nil, old, check.Failed, 3},
		"a failing test counts":         {known, old, check.Failed, 1},
		"all of it is known":            {known, failed(finding("b.py", "old"), finding("a.py", "old")), check.Passed, 0},
		"a new one counts":              {known, failed(finding("a.py", "old"), finding("a.py", "new")), check.Failed, 1},
		"a second one of its like":      {known, failed(finding("a.py", "old"), finding("a.py", "old")), check.Failed, 1},
		"in a file that has changed":    {since, failed(finding("b.py", "x")), check.Failed, 1},
		"in files that have not":        {since, failed(finding("a.py", "x"), finding("c.py", "y")), check.Passed, 0},
		"without a file":                {since, failed(finding("", "it is broken")), check.Failed, 1},
		"a check that could not work":   {known, check.Result{Status: check.Broken}, check.Broken, 0},
		"a check that passed with some": {known, check.Result{Status: check.Passed, Diagnostics: old.Diagnostics}, check.Passed, 3},
	} {
		if got := tc.l.Forgive(tc.r); got.Status != tc.status || len(got.Diagnostics) != tc.left {
			t.Errorf("%s: %s with %+v", name, got.Status, got.Diagnostics)
		}
	}
	if len(old.Diagnostics) != 3 {
		t.Error("the result that was given has changed")
	}
	for _, bad := range []string{"", "{", `{"version":2}`, `{"version":1,"finding":[]}`} {
		if err := os.WriteFile(filepath.Join(root, check.BaselineFile), []byte(bad), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := check.LoadLegacy(root); err == nil || !strings.Contains(err.Error(), "--write-baseline") {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

// Tests that could not be built or collected did not run: that is never old.
func TestLegacyHoldsNoBuild(t *testing.T) {
	l := &check.Legacy{}
	l.Since("HEAD", []string{"changed.go"})
	for _, name := range []string{"test", "test.go", "build.maven"} {
		r := check.Result{Check: name, Status: check.Failed, Diagnostics: diag.Identify([]diag.Diagnostic{{Check: name, File: "other.go", Message: "does not build"}})}
		if got := l.Forgive(r); got.Status != check.Failed || len(got.Diagnostics) != 1 {
			t.Errorf("%s: forgiven: %+v", name, got)
		}
		if _, n := check.Baseline([]check.Result{r}); n != 0 {
			t.Errorf("%s: %d findings in the baseline", name, n)
		}
	}
}
