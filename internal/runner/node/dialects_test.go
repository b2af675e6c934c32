package node_test

import (
	"slices"
	"testing"

	"fettle/internal/check"
	"fettle/internal/runner"
)

// A project for each runner: one test fails for a fault in lib, the same in all of them.
var dialects = []struct {
	name, program, files string
	check                check.Check
	file, was, is, other string
	failing              string
}{
	{
		"modules of ES", "node", `
-- package.json --
{"type": "module"}
-- lib/count.js --
import assert, { ok } from 'node:assert';
import { one } from './one.cjs';

export const here = import.meta.url;

export default function count(xs, wanted) {
  ok(xs); assert(here);
  let n = 0;
  for (const x of xs) if (x !== wanted) n += one;
  return n;
}
-- lib/one.cjs --
exports.one = 1;
-- test/count.test.js --
import { describe, it, beforeEach } from 'node:test';
import assert from 'node:assert/strict';
import count, * as all from '../lib/count.js';

describe('count', () => {
  let xs;
  beforeEach(() => { xs = [1, 2, 1, 'ü']; });
  it('counts', async () => {
    await null;
    assert.equal(all.default(xs, 1), 2 + count([], 1));
    assert.equal(count(xs, 'ü'), 1);
  });
  it('is zero for nothing', () => assert.equal(count([], 1), 0));
});
`, nodeTest(), "lib/count.js", "!==", "===", "==", "count > counts",
	},
	{
		"mocha", "mocha", `
-- lib/count.js --
module.exports = (xs, wanted) => {
  let n = 0;
  xs.forEach(x => { if (x !== wanted) n++; });
  return n;
};
-- test/count.js --
const assert = require('assert');
const count = require('../lib/count');

describe('count', function () {
  let xs;
  beforeEach(() => { xs = [1, 2, 1]; });
  it('counts', async () => {
    assert.strictEqual(count(xs, 1), 2);
    assert.strictEqual(count([], 1), 0);
  });
  it('is zero for nothing', done => { assert.strictEqual(count([], 1), 0); setTimeout(done, 1); });
});
`, mochaTest, "lib/count.js", "!==", "===", "==", "test/count.js::count > counts",
	},
	{
		"jest", "jest", `
-- package.json --
{"name": "count"}
-- src/count.js --
exports.count = (xs, wanted) => {
  let n = 0;
  xs.forEach(x => { if (x !== wanted) n++; });
  return n;
};
-- src/count.test.js --
const { count } = require('./count');

describe('count', () => {
  const told = jest.fn();
  let xs;
  beforeEach(() => { xs = [1, 2, 1]; told(); });
  test('counts', async () => {
    expect.assertions(3);
    expect(count(xs, 1)).toBe(2);
    expect({ n: count([], 1) }).toEqual({ n: expect.any(Number) });
    await expect(Promise.resolve(count([], 1))).resolves.toBe(0);
  });
  it.each([[[], 0]])('of %j is %d', (all, n) => expect(count(all, 1)).toBe(n));
});
`, check.Check{Name: "test", Lang: "javascript", Parser: "jest", Run: []string{"node_modules/.bin/jest", "--json", "--testLocationInResults", "--outputFile={report}"}},
		"src/count.js", "!==", "===", "==", "src/count.test.js::count > counts",
	},
	{
		"jest, with a preset, other names and files that come first", "jest", `
-- package.json --
{"name": "count", "jest": {"preset": "./preset/jest-preset.js", "setupFilesAfterEnv": ["<rootDir>/first/matchers.js", "<rootDir>/first/node_modules/kit/more.js"]}}
-- preset/jest-preset.js --
module.exports = {
  moduleNameMapper: { '^~/(.*)$': ['<rootDir>/nowhere/$1', '<rootDir>/src/$1'], '^fs$': '<rootDir>/first/disk.js', '\\.css$': '<rootDir>/first/style.js' },
  setupFiles: ['<rootDir>/first/globals.js'],
};
-- first/globals.js --
globalThis.UNIT = 1;
-- first/disk.js --
exports.unit = () => UNIT;
-- first/style.js --
module.exports = {};
-- first/matchers.js --
expect.extend({ toBeNothing: (n) => ({ pass: n === 0, message: () => 'something' }) });
-- first/node_modules/kit/more.js --
expect.extend({ toBeTwo: (n) => ({ pass: n === 2, message: () => 'not two' }) });
-- src/count.js --
const { unit } = require('fs');
require('./count.css');

exports.count = (xs, wanted) => {
  let n = 0;
  xs.forEach(x => { if (x !== wanted) n += unit(); });
  return n;
};
-- src/count.test.js --
const { count } = require('~/count');

describe('count', () => {
  test('counts', () => {
    expect(count([1, 2, 1], 1)).toBeTwo();
    expect(count([], 1)).toBeNothing();
  });
  test('is zero for nothing', () => expect(count([], 1)).toBeNothing());
});
`, check.Check{Name: "test", Lang: "javascript", Parser: "jest", Run: []string{"node_modules/.bin/jest", "--json", "--testLocationInResults", "--outputFile={report}"}},
		"src/count.js", "!==", "===", "==", "src/count.test.js::count > counts",
	},
	{
		"vitest", "vitest", `
-- package.json --
{"name": "count", "type": "module"}
-- src/count.ts --
enum Start { Zero }

export function count<T>(xs: readonly T[], wanted: T): number {
  let n = 0;
  n += Start.Zero as number;
  for (const x of xs) { if (x !== wanted) n++; }
  return n;
}
-- src/count.test.ts --
import { describe, expect, it, vi, beforeEach } from 'vitest';
import { count } from './count';

describe('count', () => {
  const told = vi.fn();
  let xs: number[];
  beforeEach(() => { xs = [1, 2, 1]; told(); });
  it('counts', async () => {
    expect(count(xs, 1)).toBe(2);
    expect({ n: count([], 1) }).toEqual({ n: expect.any(Number) });
    await expect(Promise.resolve(count([], 1))).resolves.toBe(0);
  });
  it.each([[[] as number[], 0]])('of %j is %d', (all, n) => expect(count(all, 1)).toBe(n));
});
`, check.Check{Name: "test", Lang: "javascript", Parser: "vitest", Run: []string{"node_modules/.bin/vitest", "run", "--reporter=default", "--reporter=json", "--outputFile={report}"}},
		"src/count.ts", "!==", "===", "==", "src/count.test.ts::count > counts",
	},
	{
		"vitest, with names that stand for others", "vitest", `
-- package.json --
{"name": "count", "type": "module"}
-- vitest.config.ts --
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: { alias: { '@': fileURLToPath(new URL('./src', import.meta.url)), '~lib/': '/src/lib/' } },
  test: { alias: [{ find: /^#(.*)$/, replacement: fileURLToPath(new URL('./src/lib/$1.ts', import.meta.url)) }] },
});
-- src/lib/unit.ts --
export const unit: number = 1;
-- src/lib/none.ts --
export const none: number = 0;
-- src/count.ts --
import { none } from '#none';
import { unit } from '~lib/unit.js';

export function count<T>(xs: readonly T[], wanted: T): number {
  let n = 0;
  for (const x of xs) { if (x !== wanted) n += unit; }
  return n + none;
}
-- test/count.test.ts --
import { expect, it } from 'vitest';
import { count } from '@/count';

it('counts', () => {
  expect(count([1, 2, 1], 1)).toBe(2);
  expect(count([], 1)).toBe(0);
});
it('is zero for nothing', () => expect(count([], 1)).toBe(0));
`, check.Check{Name: "test", Lang: "javascript", Parser: "vitest", Run: []string{"node_modules/.bin/vitest", "run", "--reporter=default", "--reporter=json", "--outputFile={report}"}},
		"src/count.ts", "!==", "===", "==", "test/count.test.ts::counts",
	},
	{
		"tape, by a script", "tape", `
-- package.json --
{"scripts": {"test": "npm run unit", "unit": "tape 'test/*.js'"}}
-- lib/count.js --
module.exports = (xs, wanted) => {
  let n = 0;
  xs.forEach(x => { if (x !== wanted) n++; });
  return n;
};
-- test/count.js --
const { test } = require('tape');
const count = require('../lib/count');

const xs = [1, 2, 1];

test('counts:  a # few', async (t) => {
  t.equal(count(xs, 1), 2);
  await null;
  t.equal(count([], 1), 0);
});

test('is zero for nothing', (t) => {
  t.plan(2);
  t.equal(count([], 1), 0);
  setTimeout(() => t.pass('later'), 1);
});

test.skip('never', (t) => t.fail());
-- test/other.js --
require('tape')('is something else', (t) => t.end());
`, check.Check{Name: "test", Lang: "javascript", Parser: "tape", Run: []string{"npm", "run", "-s", "test"}}, "lib/count.js", "!==", "===", "==", "counts: a # few",
	},
}

func TestDialects(t *testing.T) {
	for _, d := range dialects {
		t.Run(d.name, func(t *testing.T) {
			p := lay(t, archive(d.files))
			if d.program != "node" {
				modules(t, p, d.program)
			}
			s := suite(t, p, d.check)
			if !slices.Equal(s.Failing(), []string{d.failing}) {
				t.Fatalf("failing: %q", s.Failing())
			}
			candidates := []editPatch{
				replace(t, p, d.file, d.was, "<"),
				replace(t, p, d.file, d.was, d.is),
				replace(t, p, d.file, "let n = 0;", "let n = 0; for (;;);"),
				replace(t, p, d.file, "let n = 0;", "let n = 0; String.prototype.n = 1;"),
				replace(t, p, d.file, d.was, d.other),
				replace(t, p, d.file, d.was, " "+d.is+" "),
				replace(t, p, d.file, "let n = 0;", "let n = 1;"),
				replace(t, p, d.file, "let n = 0;", "let n = ;"),
			}
			got := tryAll(t, s, slices.Values(candidates))
			for i, good := range []bool{false, true, false, false, true, true, false, false} {
				if got[i].Plausible != good {
					t.Errorf("candidate %d: plausible %t, %q", i, got[i].Plausible, got[i].Note)
				}
			}
			if got[7].Built {
				t.Error("what does not parse was built")
			}
			if s.Slow() != "" {
				t.Errorf("slow: %s", s.Slow())
			}
			trace, err := s.Trace(t.Context(), traceAll)
			if err != nil {
				t.Fatal(err)
			}
			if len(trace.Runs) < 2 || !trace.Runs[0].Failed || !trace.Runs[0].Exact || trace.Runs[1].Failed || len(trace.Seen) == 0 {
				t.Errorf("%+v", trace)
			}
		})
	}
}

// A test that never comes to its end leaves nothing to be done: what tape says of it when the process ends, it says in the warm process, too.
func TestTapeThatEndsWithItsPlanUnfulfilled(t *testing.T) {
	p := lay(t, archive(`
-- package.json --
{}
-- lib/must.js --
module.exports = (ok) => {
  if (ok) throw new Error('it must not be');
};
-- test/must.js --
const test = require('tape');
const must = require('../lib/must');

test('is there', (t) => {
  t.ok(must);
  t.end();
});

test('throws', (t) => {
  t.plan(1);
  try {
    must(false);
  } catch (e) {
    t.equal(e.message, 'it must not be');
  }
});

test('comes later', (t) => t.end());
`))
	modules(t, p, "tape")
	s := suite(t, p, check.Check{Name: "test", Lang: "javascript", Parser: "tape", Run: []string{"npx", "tape", "test/*.js"}})
	if !slices.Contains(s.Failing(), "throws") {
		t.Fatalf("failing: %q", s.Failing())
	}
	got := tryAll(t, s, slices.Values([]editPatch{replace(t, p, "lib/must.js", "if (ok)", "if (ok === 1)"), replace(t, p, "lib/must.js", "if (ok)", "if (!ok)")}))
	if got[0].Plausible || !got[1].Plausible {
		t.Errorf("%+v", got)
	}
	if s.Slow() != "" {
		t.Errorf("slow: %s", s.Slow())
	}
}

// Two files may have a test of one name: the one that fails is searched for.
func TestTapeWithTwoTestsOfOneName(t *testing.T) {
	p := lay(t, archive(`
-- package.json --
{}
-- lib/twice.js --
module.exports = { twice: (n) => n * n, later: async (n) => n };
-- test/a.js --
const test = require('tape');
const { later } = require('../lib/twice');

test('works', async (t) => t.equal(await later(3), 3));
-- test/b.js --
const test = require('tape');
const { twice } = require('../lib/twice');

test('works', (t) => {
  t.equal(twice(3), 6);
  t.end();
});
test('of two', (t) => {
  t.equal(twice(2), 4);
  t.end();
});
`))
	modules(t, p, "tape")
	s := suite(t, p, check.Check{Name: "test", Lang: "javascript", Parser: "tape", Run: []string{"npx", "tape", "test/*.js"}})
	if s.Name() != "test/b.js" || !slices.Equal(s.Failing(), []string{"works"}) {
		t.Fatalf("%s: failing: %q", s.Name(), s.Failing())
	}
	got := tryAll(t, s, slices.Values([]editPatch{replace(t, p, "lib/twice.js", "n * n", "n + 1"), replace(t, p, "lib/twice.js", "n * n", "n + n")}))
	if got[0].Plausible || !got[1].Plausible || s.Slow() != "" {
		t.Errorf("%+v, slow: %s", got, s.Slow())
	}
}

// Of tests within tests only the wanted ones run, and of many that fail only some for a candidate that heals none of them: what is said of a
// candidate is the same.
func TestTapeWithManyTestsWithin(t *testing.T) {
	p := lay(t, archive(`
-- package.json --
{}
-- lib/next.js --
module.exports = (n) => n - 1;
-- test/next.js --
const test = require('tape');
const next = require('../lib/next');

test('numbers', (t) => {
  for (let i = 0; i < 40; i++) {
    t.test('after ' + i, (t) => {
      t.equal(next(i), i + 1);
      t.end();
    });
  }
  t.test('after none', (t) => {
    t.ok(Number.isNaN(next(NaN)));
    t.end();
  });
  t.end();
});
test('letters', (t) => {
  t.test('after a', (t) => {
    t.ok(Number.isNaN(next('a')));
    t.end();
  });
  t.end();
});
`))
	modules(t, p, "tape")
	s := suite(t, p, check.Check{Name: "test", Lang: "javascript", Parser: "tape", Run: []string{"npx", "tape", "test/*.js"}})
	if len(s.Failing()) != 40 {
		t.Fatalf("failing: %q", s.Failing())
	}
	var candidates []editPatch
	for _, is := range []string{"n - 2", "n - -1", "n < 30 ? n - 1 : n - -1", "n === n ? n - -1 : 0", "n === 'a' ? 0 : n - -1"} {
		candidates = append(candidates, replace(t, p, "lib/next.js", "n - 1", is))
	}
	got := tryAll(t, s, slices.Values(candidates))
	if s.Slow() != "" {
		t.Fatalf("slow: %s", s.Slow())
	}
	for i, want := range []struct{ healed, broken int }{{0, 0}, {40, 0}, {10, 0}, {40, 1}, {40, 1}} {
		if g := got[i]; len(g.Healed) != want.healed || len(g.Broken) != want.broken || g.Plausible != (i == 1) {
			t.Errorf("candidate %d: %d healed, broken %q, plausible %t (%s); want %+v", i, len(g.Healed), g.Broken, g.Plausible, g.Note, want)
		}
	}
}

// Frames, lines and types are those of the sources as people see them, whatever is run in their place.
func TestTraceOfTypeScript(t *testing.T) {
	p := lay(t, archive(`
-- package.json --
{"type": "module"}
-- src/ä.ts --
interface Point { x: number }

type Points = Point[]; // so that lines differ

export function last(all: Points): Point {
  const ü = 'äöü😀', n = all.length;
  if (n > 100) {
    return all[0];
  }
  return check(ü, all[n]);
}

function check(name: string, p: Point): Point {
  if (!p.x) throw new RangeError(name);
  return p;
}
-- src/last.test.ts --
import { expect, it } from 'vitest';
import { last } from './ä';

it('is the last one', () => {
  expect(last([{ x: 1 }, { x: 2 }])).toEqual({ x: 2 });
});
`))
	modules(t, p, "vitest")
	s := suite(t, p, dialects[4].check)
	bare, err := s.Trace(t.Context(), runner.TraceOptions{})
	if err != nil || len(bare.Runs) != 1 {
		t.Fatalf("%+v, %v", bare, err)
	}
	trace, err := s.Trace(t.Context(), traceAll)
	if err != nil || len(trace.Runs) != 1 {
		t.Fatalf("%+v, %v", trace, err)
	}
	run := trace.Runs[0]
	if !slices.Equal(bare.Runs[0].Lines, run.Lines) || !slices.Equal(bare.Runs[0].Frames, run.Frames) {
		t.Errorf("without values: %+v; with them: %+v", bare.Runs[0], run)
	}
	var frames []int
	for _, f := range run.Frames {
		if f.File == "src/ä.ts" {
			frames = append(frames, f.Line)
		}
	}
	if !slices.Equal(frames, []int{14, 10}) {
		t.Errorf("frames: %+v", run.Frames)
	}
	ran := map[int]bool{}
	for _, l := range run.Lines {
		for n := l.Line; n <= l.EndLine; n++ {
			ran[n] = true
		}
	}
	for n, want := range map[int]bool{6: true, 7: true, 8: false, 10: true, 14: true, 15: false} {
		if ran[n] != want {
			t.Errorf("line %d: %t; %+v", n, ran[n], run.Lines)
		}
	}
	text, err := p.ReadFile("src/ä.ts")
	if err != nil {
		t.Fatal(err)
	}
	types := map[string][]string{}
	for _, v := range trace.Seen {
		types[string(text[v.Start:v.End])] = v.Types
	}
	for expr, want := range map[string]string{"all": "Array<Object>", "all.length": "number", "ü": "string", "all[n]": "undefined", "n": "number"} {
		if got := types[expr]; !slices.Equal(got, []string{want}) {
			t.Errorf("%s: %q", expr, got)
		}
	}
}
