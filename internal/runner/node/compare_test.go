package node_test

import (
	"slices"
	"strings"
	"testing"

	"fettle/internal/edit"
	"fettle/internal/runner"
)

const position = `
-- lib/search.js --
'use strict';
// Where x belongs in what is in order.
const position = (x, seq) => {
  for (let i = 0; i < seq.length; i++) {
    if (seq[i] > x) return i;
  }
  return seq.length;
};

function* pairs(n) {
  for (let i = 0; i < n; i++) yield [i, i + 1];
}

module.exports = { position, pairs };
-- search.test.js --
const test = require('node:test');
const assert = require('node:assert');
const { pairs, position } = require('./lib/search.js');
for (const [i, [x, seq, want]] of [[5, [1, 5, 9], 1], [2, [1, 5, 9], 1], [0, [1, 5], 0], [7, [1, 2, 3, 4], 4], [3, [], 0], [4, [4], 0]].entries()) {
  test('position ' + i, () => assert.equal(position(x, seq), want));
}
test('pairs', () => assert.deepEqual([...pairs(2)], [[0, 0], [1, 1]]));
`

// Patches that do the same are told from those that part ways on inputs that no test has, but only on such as the tests' own are like. Calls that
// documentation shows are among them, with whether the answer is what it says; what is no literal is left out.
func TestCompare(t *testing.T) {
	p := lay(t, archive(position))
	s := suite(t, p, nodeTest())
	patch := func(old, now string) edit.Patch {
		return replace(t, p, "lib/search.js", old, now)
	}
	patches := []edit.Patch{
		patch("seq[i] > x", "seq[i] >= x"), patch("seq[i] > x", "!(seq[i] < x)"), patch("seq[i] > x", "seq[i] >= x && x < 9"), patch("'use strict';\n", "'use strict';\nlet other = 1;\n"),
		patch("i + 1]", "i]"),
	}
	examples := []runner.Example{
		{Function: "position", Args: "9, [1, 9]", Want: "1 because it is there"}, {Function: "position", Args: "9, seq", Want: "0"}, {Function: "position", Args: "process.exit(), []", Want: "0"},
		{Function: "position", Args: "1, [0)", Want: "0"}, {Function: "other", Args: "1", Want: "0"}, {Function: "position", Args: "-1, [7]", Want: "seq.length"}, {Function: "position", Args: "100, [7,]", Want: "3."},
		{Function: "pairs", Args: "1", Want: "[[0, 0]]"},
	}
	c, err := s.(runner.Comparer).Compare(t.Context(), patches, examples)
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Inputs) < 40 || len(c.Answers) != len(patches) {
		t.Fatalf("%d inputs: %q", len(c.Inputs), c.Inputs)
	}
	same := func(i, j int) bool {
		return slices.EqualFunc(c.Answers[i], c.Answers[j], func(a, b runner.Answer) bool { return a.Digest == b.Digest })
	}
	if !same(0, 1) || same(0, 2) || same(0, 4) {
		t.Errorf("the same: %t, apart: %t, %t", same(0, 1), !same(0, 2), !same(0, 4))
	}
	if c.Answers[3] != nil {
		t.Errorf("a change outside of functions has answers: %v", c.Answers[3])
	}
	for _, in := range c.Inputs {
		if strings.Contains(in, "-") {
			t.Errorf("%s: no test gives a negative number", in)
		}
	}
	known := map[string][]runner.Said{}
	for k, in := range c.Inputs {
		if c.Answers[0][k].Said != runner.Unsaid {
			known[in] = []runner.Said{c.Answers[0][k].Said, c.Answers[2][k].Said, c.Answers[4][k].Said}
		}
	}
	want := map[string][]runner.Said{
		"position(9,[1,9])": {runner.AsSaid, runner.Otherwise, runner.Otherwise}, "position(100,[7])": {runner.Otherwise, runner.Otherwise, runner.Otherwise},
		"pairs(1)": {runner.Otherwise, runner.Otherwise, runner.AsSaid},
	}
	for in, said := range want {
		if !slices.Equal(known[in], said) {
			t.Errorf("%s: %v, want %v", in, known[in], said)
		}
	}
	if len(known) != len(want) {
		t.Errorf("%v", known)
	}
}
