package figures_test

import (
	"os"
	"path/filepath"
	"testing"

	"gotest.tools/v3/assert"

	"fettle/internal/fix"
	"fettle/scripts/figures"
)

func TestQuantile(t *testing.T) {
	for _, c := range []struct {
		of   []float64
		q    float64
		want float64
	}{{nil, 0.5, 0}, {[]float64{3}, 0.9, 3}, {[]float64{3, 1, 2}, 0.5, 2}, {[]float64{1, 2, 3, 4}, 0.5, 3}, {[]float64{1, 2}, 1, 2}} {
		assert.Equal(t, figures.Quantile(c.of, c.q), c.want, "%v", c)
	}
	assert.Equal(t, figures.Percent(1, 4), 25.0)
	assert.Equal(t, figures.Percent(1, 0), 0.0)
}

func TestSureness(t *testing.T) {
	got := figures.Sureness([]figures.Belief{{Confidence: 0.3, Right: true}, {Confidence: 0.7}, {Confidence: 1, Right: true}})
	assert.Equal(t, got, "| sure | patches | right |\n|---|--:|--:|\n| 0–50 % | 1 | 1 (100 %) |\n| 50–70 % | 0 | 0 (0 %) |\n| 70–80 % | 1 | 0 (0 %) |\n| 80–90 % | 0 | 0 (0 %) |\n| 90–100 % | 1 | 1 (100 %) |\n| **70–100 %** | 2 | 1 (50 %) |\n")
}

// What is left in a file is read again; what is no belief is not passed over.
func TestBeliefs(t *testing.T) {
	name := filepath.Join(t.TempDir(), "b.jsonl")
	want := []figures.Belief{{Row: "a", Group: "g", Right: true, Confidence: 0.5, Grounds: &fix.Grounds{Record: 0.8, Edits: 1, Failing: 1}}}
	assert.NilError(t, figures.WriteBeliefs(name, append(want, figures.Belief{Row: "b"}, figures.Belief{Row: "c", Grounds: &fix.Grounds{Record: 0.8, Edits: 1}})))
	got, err := figures.Beliefs(name)
	assert.NilError(t, err)
	assert.DeepEqual(t, got, want)
	assert.NilError(t, os.WriteFile(name, []byte("{\"row\": 1}\n"), 0o600))
	_, err = figures.Beliefs(name)
	assert.ErrorContains(t, err, name)
}

// A measurement that was broken off goes on where it was.
func TestStore(t *testing.T) {
	type result struct{ Row, Error string }
	name := filepath.Join(t.TempDir(), "new", "r.jsonl")
	open := func() *figures.Store[result] {
		s, err := figures.Open(name, func(r result) string { return r.Row }, func(r result) bool { return r.Error == "" })
		assert.NilError(t, err)
		return s
	}
	s := open()
	assert.NilError(t, s.Keep(result{Row: "a"}))
	assert.NilError(t, s.Keep(result{Row: "b", Error: "no report"}))
	assert.NilError(t, s.Close())
	f, err := os.OpenFile(name, os.O_APPEND|os.O_WRONLY, 0)
	assert.NilError(t, err)
	_, err = f.WriteString(`{"Row": "c`)
	assert.NilError(t, err)
	assert.NilError(t, f.Close())
	s = open()
	defer s.Close()
	for row, want := range map[string]bool{"a": true, "b": false, "c": false} {
		_, ok := s.Has(row)
		assert.Equal(t, ok, want, row)
	}
}

func TestReadings(t *testing.T) {
	r, err := figures.NewReadings([]byte(`[{"row": "a", "digest": "d", "verdict": "equal", "why": "as it was"}]`))
	assert.NilError(t, err)
	x, ok := r.Of("a", "d")
	assert.Assert(t, ok && x.Verdict == figures.ReadEqual && x.Why == "as it was")
	_, ok = r.Of("a", "e")
	assert.Assert(t, !ok)
	_, err = figures.NewReadings([]byte(`[{"row": "a", "verdict": "perhaps"}]`))
	assert.ErrorContains(t, err, `a: the verdict is "equal" or "wrong"`)
}
