package node_test

import (
	"slices"
	"strings"
	"testing"

	"fettle/internal/check"
	"fettle/internal/edit"
	"fettle/internal/runner"
	"fettle/internal/runner/node"
)

const endless = `
-- digits.js --
exports.odd = (num) => {
  let n = 0;
  while (num > 0) {
    if (num % 2 == 1) n++;
    num = num - num % 10;
  }
  return n;
};
-- digits.test.js --
const test = require("node:test");
const assert = require("node:assert");
const { odd } = require("./digits.js");
test("odd", () => assert.strictEqual(odd(1234567), 4));
test("even", () => assert.strictEqual(odd(2468), 0));
-- other.test.js --
require("node:test")("fine", () => {});
`

// Where node:test never ends, its check cannot say what fails: each file has its time, and the one that does not end is what is to be healed.
func TestFilesWithoutEnd(t *testing.T) {
	p := lay(t, archive(endless))
	job := runner.Job{Place: p, Check: nodeTest(), Baseline: check.Result{Status: check.TimedOut}}
	all, err := node.New().Suites(t.Context(), job)
	if err != nil {
		t.Fatal(err)
	}
	if len(all) != 1 || !slices.Equal(all[0].Failing(), []string{"digits.test.js"}) {
		t.Fatalf("suites: %+v", all)
	}
	s := all[0]
	defer s.Close()
	trace, err := s.Trace(t.Context(), runner.TraceOptions{Values: true})
	if err != nil || len(trace.Runs) == 0 || !slices.ContainsFunc(trace.Runs[0].Lines, func(l runner.Lines) bool { return l.File == "digits.js" && l.Line <= 5 && l.EndLine >= 5 }) {
		t.Fatalf("trace: %+v, %v", trace, err)
	}
	trials := tryAll(t, s, slices.Values([]edit.Patch{
		replace(t, p, "digits.js", "num - num % 10", "num - 1 - num % 10"),
		replace(t, p, "digits.js", "num - num % 10", "(num - num % 10) / 10"),
		replace(t, p, "digits.js", "num - num % 10", "num"),
	}))
	if got := trials[1]; !got.Plausible {
		t.Errorf("the right one: %+v", got)
	}
	if got := trials[0]; got.Plausible || strings.Contains(got.Note, "time") {
		t.Errorf("one that ends and is wrong: %+v", got)
	}
	if trials[2].Plausible {
		t.Errorf("one without end: %+v", trials[2])
	}
}
