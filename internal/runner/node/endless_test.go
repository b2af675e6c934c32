package node_test

import (
	"fmt"
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

// A candidate may hang without taking steps. So may many, one in each of the batches that are under way: the others all get their trials.
func TestManyHang(t *testing.T) {
	p := lay(t, archive(`
-- lib/pad.js --
module.exports = (s, n) => s + ' '.repeat(n - 1);
-- pad.test.js --
const test = require('node:test');
const assert = require('node:assert');
const pad = require('./lib/pad.js');
test('pads', () => assert.equal(pad('a', 2), 'a  '));
`))
	s := suite(t, p, nodeTest())
	var all []editPatch
	for i := range 200 {
		hangs := fmt.Sprintf("s + /^(a+)+$/.test('a'.repeat(%d) + 'b')", 100+i)
		if i%50 > 0 {
			hangs = fmt.Sprintf("s + ' '.repeat(n + %d)", i)
		}
		all = append(all, replace(t, p, "lib/pad.js", "s + ' '.repeat(n - 1)", hangs))
	}
	all = append(all, replace(t, p, "lib/pad.js", "n - 1", "n"))
	for i, trial := range tryAll(t, s, slices.Values(all)) {
		if want := i == len(all)-1; trial.Plausible != want {
			t.Errorf("%d: plausible %t, %s", i, trial.Plausible, trial.Note)
		}
		if hung := trial.Note == "the tests did not end in time"; hung != (i < 200 && i%50 == 0) {
			t.Errorf("%d: %s", i, trial.Note)
		}
	}
}

// What gave up at once takes far more steps when it is right: a candidate that runs dry is tried once more, with more of them, and those
// that never end are not believed for that.
func TestLongerThanBefore(t *testing.T) {
	p := lay(t, archive(`
-- lib/count.js --
module.exports = (n) => {
  let all = 0;
  for (let i = 0; i < 0; i++) all++;
  return all;
};
-- count.test.js --
const test = require('node:test');
const assert = require('node:assert');
const count = require('./lib/count.js');
test('counts', () => assert.equal(count(5e6), 5e6));
test('counts nothing', () => assert.equal(count(0), 0));
`))
	s := suite(t, p, nodeTest())
	var all []editPatch
	for _, c := range []string{"i <= 0; all++", "true; all++", "i < n; i++", "i <= n; i++", "i < n; i--", "i < n; "} {
		all = append(all, replace(t, p, "lib/count.js", "i < 0; i++", c))
	}
	for i, trial := range tryAll(t, s, slices.Values(all)) {
		if want := i == 2; trial.Plausible != want {
			t.Errorf("%s: plausible %t, %s", all[i][0].Edits[0].New, trial.Plausible, trial.Note)
		}
	}
	if s.Slow() != "" {
		t.Errorf("slow: %s", s.Slow())
	}
}
