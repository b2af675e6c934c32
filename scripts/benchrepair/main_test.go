package main

import (
	"os"
	"path/filepath"
	"testing"

	"gotest.tools/v3/assert"
	"gotest.tools/v3/golden"

	"fettle/scripts/benchrepair/likeness"
	"fettle/scripts/benchrepair/rows"
	"fettle/scripts/figures"
)

func TestChoice(t *testing.T) {
	all, err := rows.All()
	assert.NilError(t, err)
	if _, err := figures.NewReadings(readings); err != nil {
		t.Error(err)
	}
	for _, c := range []struct {
		choice choice
		want   int
		err    string
	}{
		{choice: choice{}, want: len(all)},
		{choice: choice{sets: rows.QuixBugs}, want: 40},
		{choice: choice{langs: "go,java"}, want: 162},
		{choice: choice{ids: "gcd,bitcount"}, want: 2},
		{choice: choice{sets: rows.QuixBugs, part: "1/4"}, want: 10},
		{choice: choice{ids: "none such"}, err: "no row"},
		{choice: choice{part: "5/4"}, err: "-part 5/4"},
		{choice: choice{part: "half"}, err: "want K/N"},
	} {
		got, err := c.choice.of(all)
		if c.err != "" {
			assert.ErrorContains(t, err, c.err)
			continue
		}
		assert.NilError(t, err)
		assert.Equal(t, len(got), c.want, "%+v", c.choice)
	}
}

func TestTable(t *testing.T) {
	results := []Result{
		{Row: "a", Set: rows.QuixBugs, Language: "python", Plausible: true, Likeness: likeness.SameText, Confidence: 0.9, Changes: 1, Tried: 1000, First: 7, Ready: 0.2, Until: 0.5, Engine: 0.4, Took: 1.2, CPU: 3.4, Ideas: []string{"Python/comparison"}, Why: "In f, `<` should be `<=`."},
		{Row: "b", Set: rows.QuixBugs, Language: "python", Plausible: true, Likeness: likeness.Otherwise, Confidence: 0.72, Changes: 1, Tried: 10, First: 70, Until: 1.5, Took: 2, Ideas: []string{"Python/number"}, Why: "In g, `1` should be `2`.", Difference: "g(3) is 4, not 5"},
		{Row: "c", Set: rows.Small, Language: "java", Changes: 1, Confidence: 0.2, Why: "In h, something."},
		{Row: "d", Set: rows.Small, Language: "java", Error: "fettle fix wrote no report"},
		{Row: "e", Set: rows.Small, Language: "go", Plausible: true, Likeness: likeness.Unread, Changes: 1, Confidence: 0.4, Why: "In k, something else."},
		{Row: "f", Set: rows.StudentAny, Language: "python", Why: "nothing"},
	}
	golden.Assert(t, table(results), "table.md")

	// A bug that is there in two languages is one.
	said := beliefs([]Result{
		{Row: "go-small-1", Set: rows.Small, Plausible: true, Likeness: likeness.SameText, Ideas: []string{"Go/logic"}},
		{Row: "js-small-1", Set: rows.Small, Plausible: true, Likeness: likeness.SameText},
		{Row: "shortest-path", Set: rows.QuixBugs, Plausible: true, Likeness: likeness.SameText},
	})
	assert.DeepEqual(t, []string{said[0].Bug, said[1].Bug, said[2].Bug}, []string{"small-1", "small-1", "shortest-path"})
	assert.DeepEqual(t, said[0].Ideas, []string{"Go/logic"})
}

// What was measured is not measured again; a line that was broken off, and what was no measurement, is.
func TestStore(t *testing.T) {
	file := filepath.Join(t.TempDir(), "deep", "results.jsonl")
	s, err := openStore(file, false)
	assert.NilError(t, err)
	assert.NilError(t, s.Keep(Result{Row: "a", Plausible: true, Digest: "d1"}))
	assert.NilError(t, s.Keep(Result{Row: "b", Error: "no report"}))
	assert.NilError(t, s.Keep(Result{Row: "a", Plausible: true, Digest: "d2"}))
	assert.NilError(t, s.Close())
	f, err := os.OpenFile(file, os.O_APPEND|os.O_WRONLY, 0)
	assert.NilError(t, err)
	_, err = f.WriteString(`{"row": "c", "pla`)
	assert.NilError(t, err)
	assert.NilError(t, f.Close())

	s, err = openStore(file, false)
	assert.NilError(t, err)
	known, err := figures.NewReadings([]byte(`[{"row": "a", "digest": "d2", "verdict": "equal", "why": "the same"}]`))
	assert.NilError(t, err)
	b := bench{kept: s, readings: known}
	got, whole := b.results([]rows.Row{{ID: "a"}, {ID: "b"}, {ID: "c"}})
	assert.Assert(t, !whole)
	assert.Equal(t, len(got), 1)
	assert.Equal(t, got[0].Likeness, likeness.ReadSame)
	assert.NilError(t, s.Close())
	s, err = openStore(file, true)
	assert.NilError(t, err)
	_, ok := s.Has("a")
	assert.Assert(t, !ok)
	assert.NilError(t, s.Close())
}
