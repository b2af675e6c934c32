package node_test

import (
	"slices"
	"strings"
	"testing"

	"fettle/internal/check"
	"fettle/internal/runner"
)

func jestTest(words ...string) check.Check {
	return check.Check{Name: "test", Lang: "javascript", Parser: "jest", Run: slices.Concat([]string{"node_modules/.bin/jest", "--json", "--testLocationInResults", "--outputFile={report}"}, words)}
}

func vitestTest(words ...string) check.Check {
	return check.Check{Name: "test", Lang: "javascript", Parser: "vitest", Run: slices.Concat([]string{"node_modules/.bin/vitest", "run", "--reporter=default", "--reporter=json", "--outputFile={report}"}, words)}
}

// What the tests are about: rates are in the way of them, and are put out of it.
const prices = `
-- src/price.ts --
// What a cart comes to.
import { rate } from './rates';

interface Item { price: number; count: number }

export function total(cart: Item[], currency: string): number {
  let sum = 0;
  for (const item of cart) {
    sum += item.price / item.count;
  }
  if (sum > 1000) {
    return 0;
  }
  return sum * rate(currency);
}

export function later(ms: number, then: () => void): void {
  setTimeout(then, ms);
}
-- src/rates.ts --
export function rate(currency: string): number {
  throw new Error('there is no network for ' + currency);
}
-- src/price.test.ts --
import { expect, test, vi } from 'vitest';
import { total } from './price';

vi.mock('./rates', () => ({ rate: () => 2 }));

test('adds up', () => expect(total([{ price: 3, count: 4 }, { price: 1, count: 2 }], 'EUR')).toBe(28));
test('is zero for nothing', () => expect(total([], 'EUR')).toBe(0));
test('adds up one', () => expect(total([{ price: 3, count: 1 }], 'EUR')).toBe(6));
`

// Where the warm process is no place for the tests, the user's own run tells what they run, and candidates are tried in it.
func TestTraceInTheOwnRun(t *testing.T) {
	for _, c := range []struct {
		name, program, files string
		check                check.Check
		file, was, is, other string
		failing              []string
		note                 string
		ran, not             []int // lines of the file
	}{
		{
			"jest, a mocked module", "jest", `
-- package.json --
{}
-- src/price.js --
// What a cart comes to.
const { rate } = require('./rates');

function total(cart, currency) {
  let sum = 0;
  for (const item of cart) {
    sum += item.price / item.count;
  }
  if (sum > 1000) {
    return 0;
  }
  return sum * rate(currency);
}

function later(ms, then) {
  setTimeout(then, ms);
}

module.exports = { total, later };
-- src/rates.js --
exports.rate = () => {
  throw new Error('there is no network');
};
-- src/price.test.js --
jest.mock('./rates', () => ({ rate: () => 2 }));
const { total } = require('./price');

test('adds up', () => expect(total([{ price: 3, count: 4 }, { price: 1, count: 2 }], 'EUR')).toBe(28));
test('is zero for nothing', () => expect(total([], 'EUR')).toBe(0));
test('adds up one', () => expect(total([{ price: 3, count: 1 }], 'EUR')).toBe(6));
`, jestTest(), "src/price.js", "/ item", "* item", "- item", []string{"src/price.test.js::adds up"}, "jest.mock is used", []int{5, 7, 12}, []int{10, 16},
		},
		{
			"jest, faked timers", "jest", `
-- package.json --
{}
-- src/later.js --
const wait = (ms, then) => {
  if (ms < 0) {
    throw new RangeError('it is over');
  }
  return setTimeout(then, ms / 60);
};

exports.minutes = (n, then) => wait(n * 1000, then);
-- src/later.test.js --
const { minutes } = require('./later');

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());
test.each([1, 2])('waits %d', (n) => {
  const then = jest.fn();
  minutes(n, then);
  jest.advanceTimersByTime(n * 60_000 - 1);
  expect(then).not.toHaveBeenCalled();
  jest.advanceTimersByTime(1);
  expect(then).toHaveBeenCalledTimes(1);
});
test('is over', () => expect(() => minutes(-1)).toThrow('over'));
`, jestTest(), "src/later.js", "/ 60", "* 60", "* 6", []string{"src/later.test.js::waits 1", "src/later.test.js::waits 2"}, "jest.useFakeTimers is used", []int{2, 5, 8}, []int{3},
		},
		{
			"jest, a snapshot", "jest", `
-- package.json --
{}
-- src/name.js --
exports.name = (first, last) => {
  const all = [first, last];
  return all.join('/');
};
-- src/name.test.js --
const { name } = require('./name');

test('names', () => expect(name('Ada', 'L')).toMatchInlineSnapshot('"Ada*L"'));
test('is text', () => expect(typeof name('a', 'b')).toBe('string'));
`, jestTest("--ci"), "src/name.js", "'/'", "'*'", "'-'", []string{"src/name.test.js::names"}, "snapshots are used", []int{2, 3}, nil,
		},
		{
			"vitest, a mocked module", "vitest", prices, vitestTest(), "src/price.ts", "/ item", "* item", "- item",
			[]string{"src/price.test.ts::adds up"}, "vi.mock is used", []int{7, 9, 14}, []int{12, 18},
		},
		{
			"vitest in threads, a mocked module", "vitest", prices, vitestTest("--pool=threads"), "src/price.ts", "", "", "",
			[]string{"src/price.test.ts::adds up"}, "vi.mock is used", []int{7, 9, 14}, []int{12, 18},
		},
		{
			"mocha in processes of its own", "mocha", `
-- package.json --
{}
-- lib/sum.js --
const start = 0;

function sum(xs) {
  let all = start;
  for (const x of xs) {
    all -= x;
  }
  return all;
}

function first(xs) {
  return xs[0];
}

module.exports = { sum, first };
-- test/sum.js --
const assert = require('node:assert');
const { sum, first } = require('../lib/sum.js');

describe('sum', () => {
  it('adds', () => assert.strictEqual(sum([2, 3]), 5));
  it('is zero for nothing', () => assert.strictEqual(sum([]), 0));
  it('is the first', () => assert.strictEqual(first([7]), 7));
});
`, check.Check{Name: "test", Lang: "javascript", Parser: "mocha", Run: []string{"node_modules/.bin/mocha", "--parallel", "--jobs=2", "--reporter", "json", "--reporter-option", "output={report}"}},
			"lib/sum.js", "", "", "", []string{"test/sum.js::sum > adds"}, "mocha is told to work in a way", []int{4, 6, 8}, []int{12},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := lay(t, archive(c.files))
			if c.program != "node" {
				modules(t, p, c.program)
			}
			s := suite(t, p, c.check)
			if !slices.Equal(s.Failing(), c.failing) {
				t.Fatalf("failing: %q", s.Failing())
			}
			trace, err := s.Trace(t.Context(), traceAll)
			if err != nil {
				t.Fatal(err)
			}
			ran := map[int]bool{}
			failed := 0
			for _, r := range trace.Runs {
				if r.Failed {
					failed++
					mark(ran, r, c.file)
				}
			}
			if failed != len(c.failing) {
				t.Errorf("%+v", trace.Runs)
			}
			for _, n := range c.ran {
				if !ran[n] {
					t.Errorf("line %d is not said to have run: %v", n, ran)
				}
			}
			for _, n := range c.not {
				if ran[n] {
					t.Errorf("line %d is said to have run: %v", n, ran)
				}
			}
			if len(trace.Notes) != 1 || !strings.Contains(trace.Notes[0], c.note) || !strings.Contains(trace.Notes[0], "was seen in a run") {
				t.Errorf("notes: %q", trace.Notes)
			}
			if c.was == "" {
				return // how a run is listened to is all that is of interest
			}
			got := tryAll(t, s, slices.Values([]editPatch{replace(t, p, c.file, c.was, c.other), replace(t, p, c.file, c.was, c.is)}))
			if got[0].Plausible || !got[1].Plausible || !strings.Contains(s.Slow(), c.note) {
				t.Errorf("%+v, slow: %q", got, s.Slow())
			}
		})
	}
}

func mark(ran map[int]bool, r runner.Run, file string) {
	for _, l := range r.Lines {
		for n := l.Line; n <= l.EndLine && l.File == file; n++ {
			ran[n] = true
		}
	}
}

// Where a run cannot be listened to, it is what the tests import, but for what they put others in the place of.
func TestTraceOfWhatTheTestsImport(t *testing.T) {
	p := lay(t, archive(`
-- package.json --
{}
-- src/greet/index.js --
const { end } = require('../words/end.js');
const { post } = require('../post');
exports.greet = (name) => post('Hello ' + name + end);
-- src/words/end.js --
exports.end = '!';
-- src/post.js --
exports.post = (text) => fetch('https://example.org', { method: 'POST', body: text });
-- src/other.js --
exports.other = 1;
-- src/greet.test.js --
jest.mock('./post', () => ({ post: (text) => text }));
const { greet } = require('./greet');

test('greets', () => expect(greet('you')).toBe('Hello, you!'));
-- bin/jest --
unset NODE_OPTIONS
exec node_modules/.bin/jest "$@"
`))
	modules(t, p, "jest")
	c := jestTest()
	c.Run = slices.Concat([]string{"sh", "bin/jest"}, c.Run[1:])
	s := suite(t, p, c)
	trace, err := s.Trace(t.Context(), traceAll)
	if err != nil || len(trace.Runs) != 1 {
		t.Fatalf("%+v, %v", trace, err)
	}
	run := trace.Runs[0]
	want := []runner.Lines{{File: "src/greet/index.js", Line: 1, EndLine: 4}, {File: "src/words/end.js", Line: 1, EndLine: 2}}
	if !run.Failed || run.Exact || !slices.Equal(slices.DeleteFunc(run.Lines, func(l runner.Lines) bool { return l.Line == l.EndLine }), want) {
		t.Errorf("%+v", run)
	}
	if len(trace.Notes) != 1 || !strings.Contains(trace.Notes[0], "what they import") {
		t.Errorf("notes: %q", trace.Notes)
	}
}
