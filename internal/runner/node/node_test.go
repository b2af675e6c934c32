package node_test

import (
	"slices"
	"testing"
)

const sums = `
-- package.json --
{"name": "sums"}
-- lib/sum.js --
const start = 0;

function sum(xs) {
  let total = start;
  for (let i = 0; i < xs.length - 1; i++) {
    total += xs[i];
  }
  return total;
}

function first(xs) {
  return xs[0];
}

module.exports = { sum, first };
-- test/sum.test.js --
const { test } = require('node:test');
const assert = require('node:assert');
const { sum, first } = require('../lib/sum.js');

test('adds', () => {
  assert.strictEqual(sum([1, 2, 3]), 6);
});

test('is zero for nothing', () => {
  assert.strictEqual(sum([]), 0);
});

test('first', () => {
  assert.strictEqual(first([7, 8]), 7);
});
`

func TestTriesCandidates(t *testing.T) {
	p := lay(t, archive(sums))
	s := suite(t, p, nodeTest())
	if !slices.Equal(s.Failing(), []string{"adds"}) {
		t.Fatalf("failing: %q", s.Failing())
	}
	const file = "lib/sum.js"
	for _, c := range []struct {
		name, was, is string
		built, good   bool
		note          string
	}{
		{"right", "xs.length - 1", "xs.length", true, true, ""},
		{"also right", "i < xs.length - 1", "i <= xs.length - 1", true, true, ""},
		{"no change in what it does", "total += xs[i]", "total = total + xs[i]", true, false, "adds still fails"},
		{"breaks another", "let total = start;", "let total = 3;", true, false, "is zero for nothing passed before and fails with it"},
		{"a constant of the module", "const start = 0;", "const start = 3;", true, false, "is zero for nothing passed before and fails with it"},
		{"does not parse", "i++", "i+++", false, false, ""},
		{"never ends", "i++", "i+=0", true, false, "the tests did not end: a loop or a recursion goes on far longer than it did before"},
		{"never ends, in its own text", "return total;", "for(;;);", true, false, "the tests did not end: a loop or a recursion goes on far longer than it did before"},
		{"never ends, and minds no error", "return total;", "for(;;) { try { for(;;); } catch { continue } }", true, false, "the tests did not end: a loop or a recursion goes on far longer than it did before"},
		{"exits", "return total;", "process.exit(0);", true, false, "it ends the process"},
		{"throws", "return total;", "throw null;", true, false, "adds still fails"},
		{"pollutes", "return total;", "Array.prototype.sum = total; return total;", true, false, "adds still fails"},
		{"right, behind one that pollutes", "i < xs.length - 1;", "i < xs.length;", true, true, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			trials := tryAll(t, s, slices.Values([]editPatch{replace(t, p, file, c.was, c.is)}))
			got := trials[0]
			if got.Built != c.built || got.Plausible != c.good || c.note != "" && got.Note != c.note {
				t.Errorf("built %t, plausible %t, %q", got.Built, got.Plausible, got.Note)
			}
			if got.Plausible && got.Duration <= 0 {
				t.Error("its fresh process took no time")
			}
		})
	}
	if s.Slow() != "" {
		t.Errorf("slow: %s", s.Slow())
	}
}

func TestTrace(t *testing.T) {
	p := lay(t, archive(sums))
	s := suite(t, p, nodeTest())
	got, err := s.Trace(t.Context(), traceAll)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%+v", got)
}
