package verify_test

import (
	"testing"

	"fettle/internal/check"
	"fettle/internal/check/parse"
	"fettle/internal/diag"
	"fettle/internal/verify"
)

func TestWorsened(t *testing.T) {
	tests := func(a, b parse.Outcome) map[string]parse.Outcome { return map[string]parse.Outcome{"a": a, "b": b} }
	finding := func(test, message string) []diag.Diagnostic {
		return diag.Identify([]diag.Diagnostic{{Check: "test", File: "x_test.go", Test: test, Message: message}})
	}
	good := check.Result{Check: "test", Status: check.Passed, Tests: tests(parse.Pass, parse.Pass)}
	bad := check.Result{Check: "test", Status: check.Failed, Tests: tests(parse.Pass, parse.Fail), Diagnostics: finding("b", "no")}
	broken := check.Result{Check: "test", Status: check.Broken, Reason: "no tool"}
	hangs := check.Result{Check: "test", Status: check.TimedOut, Diagnostics: diag.Identify([]diag.Diagnostic{{Check: "test", Message: "it did not end", Masks: diag.MasksCheck}})}
	unread := check.Result{Check: "test", Status: check.Failed, Diagnostics: diag.Identify([]diag.Diagnostic{{Check: "test", File: "x.py", Message: "it cannot be read", Masks: diag.MasksFile}})}
	whole := unread
	whole.Diagnostics = diag.Identify([]diag.Diagnostic{{Check: "test", File: "y.py", Message: "it cannot be read", Masks: diag.MasksDir}})
	for name, tc := range map[string]struct {
		was, is    check.Result
		flaky      string
		broken     string
		tests, new int
	}{
		"the same":                         {was: bad, is: bad},
		"better":                           {was: bad, is: good},
		"a test fails":                     {was: good, is: bad, tests: 1, new: 1},
		"a flaky test fails":               {was: good, is: bad, flaky: "b"},
		"another one is flaky":             {was: good, is: bad, flaky: "a", tests: 1, new: 1},
		"a test is skipped":                {was: good, is: check.Result{Status: check.Passed, Tests: tests(parse.Skip, parse.Pass)}, tests: 1},
		"a test is gone":                   {was: good, is: check.Result{Status: check.Passed}, tests: 2},
		"a finding of no test":             {was: good, is: check.Result{Status: check.Failed, Tests: good.Tests, Diagnostics: finding("", "no")}, flaky: "b", new: 1},
		"it ends, and tests fail":          {was: hangs, is: bad},
		"it ends, and passes":              {was: hangs, is: good},
		"it ends, as nothing can be run":   {was: hangs, is: unread, new: 1},
		"what hid a fault is mended":       {was: whole, is: unread},
		"it cannot run any more":           {was: good, is: broken, broken: "no tool"},
		"it could not run before, either":  {was: broken, is: broken},
		"it can run again, and complains":  {was: broken, is: bad, new: 1},
		"it can run again, all flaky ones": {was: broken, is: bad, flaky: "b"},
	} {
		w := verify.Worsened(tc.was, tc.is, map[string]bool{tc.flaky: true})
		if w.Broken != tc.broken || len(w.Tests) != tc.tests || len(w.Delta.New) != tc.new || w.Any() != (tc.broken != "" || tc.tests+tc.new > 0) {
			t.Errorf("%s: %+v", name, w)
		}
	}
}
