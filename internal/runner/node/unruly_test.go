package node_test

import (
	"context"
	"iter"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"fettle/internal/edit"
)

const unruly = `
-- lib/work.js --
'use strict';
let calls = 0;

async function later(n) {
  await null;
  calls++;
  return n - 1;
}

module.exports = { later };
-- lib/loose.js --
function twice(n) {
  var result = n + n;
  return result;
}

module.exports = { twice };
-- work.test.js --
const test = require('node:test');
const assert = require('node:assert');
const { later } = require('./lib/work');
const { twice } = require('./lib/loose');

test('later', async t => {
  await t.test('gives what it is given', async () => assert.equal(await later(3), 3));
  await t.test('is a promise', () => assert.ok(later(1) instanceof Promise));
});
test('twice', () => assert.deepEqual([1, 2].map(twice), [2, 4]));
test('lists have no names', () => { for (const k in []) assert.fail(k); });
test.skip('nothing', () => assert.fail());
test('expects an error', () => assert.throws(() => { throw new TypeError('x'); }, TypeError));
`

// One candidate after the other is up to something, in one batch; the right one among them must come through, each time.
func TestUnrulyCandidates(t *testing.T) {
	p := lay(t, archive(unruly))
	s := suite(t, p, nodeTest())
	if want := []string{"later > gives what it is given"}; !slices.Equal(s.Failing(), want) {
		t.Fatalf("failing: %q", s.Failing())
	}
	const file = "lib/work.js"
	var candidates []editPatch
	var notes []string
	add := func(patch editPatch, note string) {
		candidates, notes = append(candidates, patch), append(notes, note)
	}
	right := 0
	for _, c := range []struct{ is, note string }{
		{"Array.prototype.bad = 1; return n - 1;", "still fails"},
		{"Object.prototype.bad = 1; return n;", "passed before and fails with it"},
		{"Math.max = () => 0; return n - 2;", "still fails"},
		{"JSON.parse = null; return n - 3;", "still fails"},
		{"process.env.BAD = '1'; return n - 4;", "still fails"},
		{"process.chdir('/'); return n - 5;", "still fails"},
		{"await new Promise(() => {}); return n;", "still fails"},
		{"const big = []; for (let s = 'x'; ; s += 'y') big.push(new Array(5e6).fill(s)); return n;", "end"}, // out of memory, or out of time before that
		{"for (;;) console.log('flood'); return n;", "the tests print without end"},
		{"setInterval(() => {}, 1); return n - 6;", "still fails"},
		{"Promise.reject(new Error('stray')); return n - 7;", "still fails"},
		{"setImmediate(() => { throw new Error('stray'); }); return n - 8;", "still fails"},
		{"process.exit(0); return n;", "it ends the process"},
		{"process.kill(process.pid, 'SIGKILL'); return n;", "the process that ran the tests ended"},
		{"process.exitCode = 3; return n - 9;", "still fails"},
		{"while (true) await null; return n;", "the tests did not end"},
		{"for await (const x of (async function* () { for (;;) yield 1; })()) calls += x; return n;", "the tests did not end"},
	} {
		add(replace(t, p, file, "return n - 1;", c.is), c.note)
		add(replace(t, p, file, "return n - 1;", strings.Repeat("(", right)+"n"+strings.Repeat(")", right)+"; return n;"), "")
		right++
	}
	add(replace(t, p, "lib/loose.js", "var result", "result"), "still fails")
	add(replace(t, p, "work.test.js", "later(3), 3", "3, 3"), "only changes to sources that these tests run are tried")
	got := tryAll(t, s, slices.Values(candidates))
	for i, note := range notes {
		switch {
		case got[i].Plausible != (note == ""):
			t.Errorf("%s: plausible %t, %q", candidates[i][0].Edits[0].New, got[i].Plausible, got[i].Note)
		case !strings.Contains(got[i].Note, note):
			t.Errorf("%s: %q", candidates[i][0].Edits[0].New, got[i].Note)
		}
	}
	if s.Slow() != "" {
		t.Errorf("slow: %s", s.Slow())
	}
}

// A candidate may hold no more than its share of memory that is none of V8's objects, and start no more than its share of processes, of which none is left
// behind, whatever group it was to have.
func TestGreedyCandidates(t *testing.T) {
	p := lay(t, archive(unruly))
	s := suite(t, p, nodeTest())
	const forever = "86399.25"
	spawn := "const { spawn } = require('child_process'); for (let i = 0; i < %s; i++) spawn('sleep', ['" + forever + "'], { detached: true, stdio: 'ignore' }).unref(); return n;"
	var candidates []editPatch
	for _, is := range []string{
		"const all = []; for (let i = 0; i < 40; i++) all.push(Buffer.alloc(1 << 26)); return n;",
		"const all = []; for (let i = 0; i < 4; i++) all.push(Buffer.alloc(1 << 26)); return n;",
		strings.Replace(spawn, "%s", "80", 1),
		strings.Replace(strings.Replace(spawn, "%s", "3", 1), "return n;", "return n - 2;", 1),
		"return n;",
	} {
		candidates = append(candidates, replace(t, p, "lib/work.js", "return n - 1;", is))
	}
	got := tryAll(t, s, slices.Values(candidates))
	for i, note := range []string{"still fails", "", "it starts processes without end", "still fails", ""} {
		if got[i].Plausible != (note == "") || !strings.Contains(got[i].Note, note) {
			t.Errorf("%d: plausible %t, %q", i, got[i].Plausible, got[i].Note)
		}
	}
	said, err := exec.CommandContext(t.Context(), "ps", "-eo", "args").Output()
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(said), forever) {
		t.Error("something goes on")
	}
}

// A candidate that comes to the same as another is not run again, and gets its trial.
func TestSameCandidates(t *testing.T) {
	p := lay(t, archive(sums))
	s := suite(t, p, nodeTest())
	got := tryAll(t, s, slices.Values([]editPatch{
		replace(t, p, "lib/sum.js", "xs.length - 1", "xs.length"),
		replace(t, p, "lib/sum.js", "xs.length - 1", "xs.length /* all */"),
	}))
	if !got[0].Plausible || !got[1].Plausible || got[0].Duration != got[1].Duration {
		t.Errorf("%+v", got)
	}
}

func TestStops(t *testing.T) {
	p := lay(t, archive(sums))
	s := suite(t, p, nodeTest())
	endless := func(yield func(edit.Patch) bool) {
		for i := 1; yield(replace(t, p, "lib/sum.js", "let total = start;", "let total = start - "+strings.Repeat("1", i%15+1)+";")); i++ {
		}
	}
	n := 0
	for _, err := range s.TryAll(t.Context(), endless) {
		if n++; err != nil {
			t.Fatal(err)
		}
		if n == 3 {
			break
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var last error
	for _, err := range s.TryAll(ctx, iter.Seq[edit.Patch](endless)) {
		cancel()
		last = err
	}
	if last == nil {
		t.Error("a cancelled search ends without an error")
	}
}

func TestPassAlone(t *testing.T) {
	p := lay(t, archive(`
-- lib/state.js --
exports.n = 0;
-- state.test.js --
const test = require('node:test');
const assert = require('node:assert');
const state = require('./lib/state.js');
test('sets', () => { state.n = 1; });
test('gets', () => assert.equal(state.n, 0));
`))
	s := suite(t, p, nodeTest())
	for _, err := range s.TryAll(t.Context(), slices.Values([]editPatch{replace(t, p, "lib/state.js", "0", "1")})) {
		if err == nil || !strings.Contains(err.Error(), "pass when they are run on their own") {
			t.Errorf("%v", err)
		}
	}
}

// What cannot be had in one process is tried in the user's own way, and said so.
func TestSlow(t *testing.T) {
	p := lay(t, archive(`
-- package.json --
{}
-- src/name.js --
module.exports = () => require('./where') + '!';
-- src/where.js --
module.exports = 'here';
-- src/name.test.js --
jest.mock('./where', () => 'there');
const name = require('./name');
test('name', () => expect(name()).toBe('there?'));
test('is text', () => expect(typeof name()).toBe('string'));
`))
	modules(t, p, "jest")
	s := suite(t, p, dialects[2].check)
	got := tryAll(t, s, slices.Values([]editPatch{
		replace(t, p, "src/name.js", "'!'", "'.'"),
		replace(t, p, "src/name.js", "'!'", "'?'"),
		replace(t, p, "src/name.js", "+ '!'", "+ "),
	}))
	for i, want := range []bool{false, true, false} {
		if got[i].Plausible != want {
			t.Errorf("%d: %+v", i, got[i])
		}
	}
	if !strings.Contains(s.Slow(), "jest.mock") {
		t.Errorf("slow: %q", s.Slow())
	}
	trace, err := s.Trace(t.Context(), traceAll)
	if err != nil || len(trace.Runs) == 0 || !trace.Runs[0].Failed || !trace.Runs[0].Exact {
		t.Errorf("%+v, %v", trace, err)
	}
}

// Tests may print lines of any length.
func TestPrintedLines(t *testing.T) {
	p := lay(t, archive(`
-- lib/rule.js --
module.exports = (n) => '='.repeat(n + 1);
-- a.test.js --
const test = require('node:test');
const assert = require('node:assert');
const rule = require('./lib/rule.js');
test('rules', () => assert.equal(rule(3), '==='));
for (let n = 1; n < 70; n++) test('prints ' + n, () => process.stdout.write('-'.repeat(n) + '\n'));
`))
	s := suite(t, p, nodeTest())
	got := tryAll(t, s, slices.Values([]editPatch{replace(t, p, "lib/rule.js", "n + 1", "n - 1"), replace(t, p, "lib/rule.js", "n + 1", "n")}))
	if got[0].Plausible || !got[1].Plausible || s.Slow() != "" {
		t.Errorf("plausible %t and %t, slow: %q", got[0].Plausible, got[1].Plausible, s.Slow())
	}
}

// What one file's tests put off does not reach the listeners of the next file's, and a file that starts processes does not slow the others.
func TestFilesAreApart(t *testing.T) {
	p := lay(t, archive(`
-- lib/warn.js --
module.exports = (name) => { process.emitWarning(name + '?'); return name.length - 1; };
-- a.test.js --
const test = require('node:test');
const assert = require('node:assert');
const warn = require('./lib/warn.js');
test('counts', () => assert.equal(warn('one'), 3));
-- b.test.js --
const test = require('node:test');
const assert = require('node:assert');
const warn = require('./lib/warn.js');
test('warns', (t, done) => {
  process.once('warning', (w) => { assert.equal(w.message, 'two?'); done(); });
  warn('two');
});
-- c.test.js --
const test = require('node:test');
const assert = require('node:assert');
const { execFileSync } = require('node:child_process');
test('starts another', () => assert.equal(String(execFileSync(process.execPath, ['-p', 'require("./lib/warn.js")("") < 3'])), 'true\n'));
`))
	s := suite(t, p, nodeTest())
	got := tryAll(t, s, slices.Values([]editPatch{
		replace(t, p, "lib/warn.js", "- 1", "+ 1"),
		replace(t, p, "lib/warn.js", "- 1", "- 0"),
		replace(t, p, "lib/warn.js", "'?'); return name.length - 1", "'!'); return name.length"),
		replace(t, p, "lib/warn.js", "name.length - 1", "name.length || 7"),
	}))
	for i, note := range []string{"counts still fails", "", "warns passed before and fails with it", "starts another passed before and fails with it"} {
		if got[i].Note != note || got[i].Plausible != (note == "") {
			t.Errorf("%d: plausible %t, %q, want %q", i, got[i].Plausible, got[i].Note, note)
		}
	}
	if s.Slow() != "" {
		t.Errorf("slow: %s", s.Slow())
	}
}

// Tests that start a process or a thread are not tried in a warm process, however they start it: it would run the sources as they stand.
func TestStartsBeside(t *testing.T) {
	for starts, beside := range map[string]bool{
		"await require('node:util').promisify(require('node:child_process').execFile)('true')":                        true,
		"await new Promise((end) => new (require('node:worker_threads').Worker)('', { eval: true }).on('exit', end))": true,
		"await null": false,
	} {
		p := lay(t, archive(`
-- lib/count.js --
module.exports = (name) => name.length - 1;
-- a.test.js --
const test = require('node:test');
const assert = require('node:assert');
test('counts', async () => {
  `+starts+`;
  assert.equal(require('./lib/count.js')('one'), 3);
});
`))
		s := suite(t, p, nodeTest())
		got := tryAll(t, s, slices.Values([]editPatch{replace(t, p, "lib/count.js", " - 1", "")}))
		if !got[0].Plausible || strings.Contains(s.Slow(), "processes or contexts of their own") != beside {
			t.Errorf("%s: plausible %t, slow: %q", starts, got[0].Plausible, s.Slow())
		}
	}
}
