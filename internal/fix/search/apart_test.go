package search_test

import (
	"context"
	"iter"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"fettle/internal/edit"
	"fettle/internal/fix"
	"fettle/internal/fix/fixtest"
	"fettle/internal/verdict"
)

// healing is a whole check in which each patch heals these tests, and breaks none.
func healing(heals func(edit.Patch) []string) func(context.Context, iter.Seq[edit.Patch]) iter.Seq2[verdict.Trial, error] {
	return func(_ context.Context, candidates iter.Seq[edit.Patch]) iter.Seq2[verdict.Trial, error] {
		return func(yield func(verdict.Trial, error) bool) {
			i := 0
			for patch := range candidates {
				if !yield(verdict.Trial{Index: i, Patch: patch, Built: true, Healed: heals(patch)}, nil) {
					return
				}
				i++
			}
		}
	}
}

// Of several patches with which the tests of one file pass, the one that the whole check is content with comes first.
func TestOtherSuitesTellRivalsApart(t *testing.T) {
	files := map[string]string{}
	for _, f := range txtar.Parse([]byte(`
-- package.json --
{"name": "limit"}
-- lib/limit.js --
exports.within = (n) => n < 10;
-- test/first.test.js --
const { test } = require('node:test');
const assert = require('node:assert');
const { within } = require('../lib/limit.js');
test('ten is within', () => assert.equal(within(10), true));
test('eleven is not', () => assert.equal(within(11), false));
test('nor is it twice', () => assert.equal(within(22), false));
-- test/second.test.js --
const { test } = require('node:test');
const assert = require('node:assert');
const { within } = require('../lib/limit.js');
test('parts of ten are within', () => assert.equal(within(10.5), true));
`)).Files {
		files[f.Name] = string(f.Data)
	}
	p := fixtest.New(t, files)
	k := task(t, p, "javascript")
	var had []string
	for _, d := range k.Diagnostics {
		had = append(had, d.Test)
	}
	if !slices.Equal(had, []string{"ten is within", "parts of ten are within"}) {
		t.Fatalf("failing: %q", had)
	}
	alone := propose(t, k)
	k.TryWhole = healing(func(patch edit.Patch) []string {
		if strings.Contains(patched(t, p, patch, "lib/limit.js"), "n < 11") {
			return had
		}
		return []string{"ten is within"}
	})
	told := propose(t, k)
	if len(alone) < 2 || len(told) == 0 {
		t.Fatalf("%d candidates without the whole check, %d with it", len(alone), len(told))
	}
	if after := patched(t, p, told[0].Patch, "lib/limit.js"); !strings.Contains(after, "n < 11") || len(told[0].Heals) != 2 {
		t.Errorf("first: %s, heals %q", after, told[0].Heals)
	}
	k.Diagnostics = k.Diagnostics[:1] // asked about a part of what fails
	part := propose(t, k)
	if after := patched(t, p, part[0].Patch, "lib/limit.js"); !strings.Contains(after, "n < 11") || len(part[0].Heals) != 2 {
		t.Errorf("asked about one test, the first: %s, heals %q", after, part[0].Heals)
	}
	if after := patched(t, p, alone[0].Patch, "lib/limit.js"); !strings.Contains(after, "n <= 10") {
		t.Errorf("without the whole check, the first is %s: the test says nothing", after)
	}
}

// A plain form of what passes has to pass elsewhere, too: that half a condition decides nothing in one file of tests says nothing of the others.
func TestOtherSuitesHoldPlainFormsUp(t *testing.T) {
	p := fixtest.New(t, map[string]string{
		"package.json":        `{"name": "last"}`,
		"lib/last.js":         "exports.digit = (c, right) => {\n  if (right === 2 && c === 'X') return 10;\n  return right < 0 ? NaN : Number(c);\n};\n",
		"test/first.test.js":  "const { test } = require('node:test');\nconst assert = require('node:assert');\nconst { digit } = require('../lib/last.js');\ntest('an X', () => assert.equal(digit('X', 1), 10));\ntest('a digit', () => assert.equal(digit('7', 2), 7));\n",
		"test/second.test.js": "const { test } = require('node:test');\nconst assert = require('node:assert');\nconst { digit } = require('../lib/last.js');\ntest('an X in another place', () => assert.ok(Number.isNaN(digit('X', 2))));\n",
	})
	k := task(t, p, "javascript")
	asked := 0
	k.TryWhole = healing(func(patch edit.Patch) []string {
		if asked++; strings.Contains(patched(t, p, patch, "lib/last.js"), "right === 1") {
			return []string{"an X", "an X in another place"}
		}
		return []string{"an X"}
	})
	found := propose(t, k)
	if len(found) == 0 || asked == 0 {
		t.Fatalf("%d were found, and the whole check was asked %d times", len(found), asked)
	}
	if after := patched(t, p, found[0].Patch, "lib/last.js"); !strings.Contains(after, "right === 1") || len(found[0].Heals) != 2 {
		t.Errorf("first: %s, heals %q", after, found[0].Heals)
	}
	for _, x := range found[1:] {
		if len(x.Heals) > 1 {
			t.Errorf("%s heals %q", x.Explanation, x.Heals)
		}
	}
}

// TestTypesTellRivalsApart: what passes every test, and has the check of the types complain, is not proposed where something else passes as well.
func TestTypesTellRivalsApart(t *testing.T) {
	p := fixtest.New(t, map[string]string{
		"package.json":       "{}",
		"lib/limit.js":       "exports.within = function (n) {\n  return n < 10;\n};\n",
		"test/first.test.js": "const { test } = require('node:test');\nconst assert = require('node:assert');\nconst { within } = require('../lib/limit.js');\ntest('ten is within', () => assert.equal(within(10), true));\ntest('eleven is not', () => assert.equal(within(11), false));\n",
	})
	k := task(t, p, "javascript")
	all := propose(t, k)
	asked := 0
	k.TryTypes = func(_ context.Context, candidates iter.Seq[edit.Patch]) iter.Seq2[verdict.Trial, error] {
		return func(yield func(verdict.Trial, error) bool) {
			for patch := range candidates {
				trial := verdict.Trial{Index: asked, Patch: patch, Plausible: asked == 1}
				if asked++; !yield(trial, nil) {
					return
				}
			}
		}
	}
	typed := propose(t, k)
	if len(all) < 2 || len(typed) == 0 || asked != 2 {
		t.Fatalf("%d candidates, with types %d, asked %d times", len(all), len(typed), asked)
	}
	if first := all[0].Patch.Digest(); slices.ContainsFunc(typed, func(c fix.Candidate) bool { return c.Patch.Digest() == first }) {
		t.Error("what the types speak against is proposed")
	}
}
