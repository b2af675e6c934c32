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

class Till {
  static rate = 2;
  #hidden = 1;
  constructor(fee) {
    this.fee = fee;
    this.sums = [];
  }
  price(n, many) {
    return n * many - this.fee;
  }
  pay(n) {
    this.sums.push(n + 1);
  }
  static twice(n) {
    return n + Till.rate;
  }
  secret(n) {
    return n - this.#hidden;
  }
  async late(n) {
    await null;
    return n - 1;
  }
  adder(n) {
    return { add: (m) => m + n - 1 };
  }
  get last() {
    return this.sums[0];
  }
}

let counted = 0;
const count = (n) => n + counted++ - 1;

module.exports = { position, pairs, Till, count };
-- search.test.js --
const test = require('node:test');
const assert = require('node:assert');
const { pairs, position, Till, count } = require('./lib/search.js');
for (const [i, [x, seq, want]] of [[5, [1, 5, 9], 1], [2, [1, 5, 9], 1], [0, [1, 5], 0], [7, [1, 2, 3, 4], 4], [3, [], 0], [4, [4], 0]].entries()) {
  test('position ' + i, () => assert.equal(position(x, seq), want));
}
test('pairs', () => assert.deepEqual([...pairs(2)], [[0, 0], [1, 1]]));
test('till', async () => {
  const till = new Till(1);
  assert.equal(till.price(2, 3), 6);
  assert.equal(till.price(4, 5), 20);
  assert.equal(Till.twice(3), 6);
  assert.equal(Till.twice(4), 8);
  till.pay(3);
  till.pay(5);
  assert.equal(till.secret(3), 3);
  assert.equal(await till.late(3), 3);
  assert.equal(till.last, 3);
});
test('calls', () => {
  for (const [t, n] of [[new Till(1), 3], [new Till(5), 0]]) {
    t.price(n, 2);
    t.pay(n);
    t.pay(n + 2);
    t.secret(n);
    t.late(n);
    t.adder(n);
    void t.last;
    Till.twice(n);
    count(n);
    count(n + 1);
  }
});
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

// So are methods of classes, on objects as the tests had them. What holds or gives something that nobody sees, what is still to come, and what answers otherwise
// than in the tests, or in another order, are not told of.
func TestCompareMethods(t *testing.T) {
	p := lay(t, archive(position))
	s := suite(t, p, nodeTest())
	for _, c := range []struct {
		name, was string
		is        []string // the second one does the same as the first, the third one does not
		input     string   // some input is; empty: nothing is told
		said      string   // some answer is
	}{
		{name: "of an object", was: "n * many - this.fee", is: []string{"n * many", "many * n", "n * many + this.fee - 1"}, input: `Till{"fee":5,"sums":[]}.price(0,2)`, said: "6"},
		{name: "that changes it", was: "this.sums.push(n + 1)", is: []string{"this.sums.push(n)", "this.sums[this.sums.length] = n", "this.sums = [n]"}, input: `Till{"fee":1,"sums":[]}.pay(3)`,
			said: "leaves (Till { fee: 1, sums: [ 3 ] }, 3)"},
		{name: "of a class", was: "n + Till.rate", is: []string{"n * Till.rate", "n + n", "n > 4 ? 0 : n * 2"}, input: "Till.twice(3)", said: "6"},
		{name: "with what nobody sees", was: "n - this.#hidden", is: []string{"n - this.#hidden + 1", "1 + n - this.#hidden", "n / this.#hidden"}},
		{name: "that is still to come", was: "return n - 1", is: []string{"return n", "return n + 0", "return n && n"}},
		{name: "that gives a function", was: "m + n - 1", is: []string{"m + n", "n + m", "m - -n"}},
		{name: "in the place of a value", was: "this.sums[0]", is: []string{"this.sums[0] - 1", "this.sums.length", "3"}},
		{name: "that counts its calls", was: "n + counted++ - 1", is: []string{"n + counted++", "counted++ + n", "n - -counted++"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var patches []edit.Patch
			for _, is := range c.is {
				patches = append(patches, replace(t, p, "lib/search.js", c.was, is))
			}
			got, err := s.(runner.Comparer).Compare(t.Context(), patches, nil)
			if err != nil {
				t.Fatal(err)
			}
			same := func(i, j int) bool {
				return slices.EqualFunc(got.Answers[i], got.Answers[j], func(a, b runner.Answer) bool { return a.Digest == b.Digest })
			}
			if c.input == "" {
				if slices.ContainsFunc(got.Answers, func(a []runner.Answer) bool { return a != nil }) {
					t.Errorf("%q: %v", got.Inputs, got.Answers)
				}
				return
			}
			if len(got.Inputs) < 12 || !slices.Contains(got.Inputs, c.input) || !slices.ContainsFunc(got.Answers[0], func(a runner.Answer) bool { return a.Text == c.said }) {
				t.Fatalf("%d inputs: %q, %v", len(got.Inputs), got.Inputs, got.Answers[0])
			}
			if !same(0, 1) || same(0, 2) {
				t.Errorf("the same: %t, apart: %t", same(0, 1), !same(0, 2))
			}
		})
	}
}

// Methods of a class of TypeScript's, in a module of ES, are asked, too.
func TestCompareMethodsOfTypeScript(t *testing.T) {
	p := lay(t, archive(`
-- package.json --
{"type": "module"}
-- src/till.ts --
export default class Till<T extends number> {
  constructor(private readonly fee: T, protected many = 2) {}
  public price(n: number, more?: number): number {
    return n * this.many - this.fee + (more ?? 0);
  }
}
-- src/till.test.ts --
import { expect, it } from 'vitest';
import Till from './till';

it.each([[3, 2, 8], [1, 0, 2], [7, 1, 15]])('%d and %d', (n, more, want) => expect(new Till(n).price(n, more)).toBe(want));
`))
	modules(t, p, "vitest")
	s := suite(t, p, dialects[4].check)
	var patches []edit.Patch
	for _, is := range []string{"n * this.many", "this.many * n", "n * 2"} {
		patches = append(patches, replace(t, p, "src/till.ts", "n * this.many - this.fee", is), replace(t, p, "src/till.ts", "n * this.many - this.fee", is+" - (n > 8 ? 1 : 0)"))
	}
	got, err := s.(runner.Comparer).Compare(t.Context(), patches, nil)
	if err != nil || len(got.Inputs) < 12 || !slices.Contains(got.Inputs, `Till{"fee":3,"many":2}.price(3,2)`) {
		t.Fatalf("%d inputs: %q, %v", len(got.Inputs), got.Inputs, err)
	}
	for i, want := range []bool{true, false, true, false, true, false} {
		if same := slices.EqualFunc(got.Answers[0], got.Answers[i], func(a, b runner.Answer) bool { return a.Digest == b.Digest }); same != want {
			t.Errorf("patch %d is the same as the first: %t", i, same)
		}
	}
}
