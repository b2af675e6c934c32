package learn_test

import (
	"fmt"
	"testing"

	"fettle/internal/learn"
)

// patches is what became of patches of which a fixer was so sure.
type patches struct {
	fixer, kind, lang string
	sure              float64
	kept, undone      int
	rejected          int
}

// written is what a book says of patches that were written down in it.
func written(t *testing.T, b *learn.Book, all []patches) learn.Trust {
	t.Helper()
	undone := map[int64]bool{}
	set := int64(0)
	for _, p := range all {
		l := learn.Lesson{Words: []learn.Word{{Fixer: p.fixer, Kind: p.kind, Lang: p.lang, Sure: p.sure}}}
		for i := range p.kept + p.undone {
			set++
			undone[set] = i >= p.kept
			for range 2 { // what is said twice counts once
				if err := b.Applied(t.Context(), set, l); err != nil {
					t.Fatal(err)
				}
			}
		}
		for i := range p.rejected {
			if err := b.Rejected(t.Context(), fmt.Sprint(p.fixer, p.kind, p.lang, p.sure, i), l); err != nil {
				t.Fatal(err)
			}
		}
	}
	trust, err := b.Records(t.Context(), func(set int64) bool { return !undone[set] }, func(int64) bool { return true })
	if err != nil {
		t.Fatal(err)
	}
	return trust
}

func TestThreshold(t *testing.T) {
	usual := learn.Bounds{Base: 0.7, Least: 0.7, Most: 0.95}
	wide := learn.Bounds{Base: 0.7, Least: 0.6, Most: 0.95}
	for name, c := range map[string]struct {
		all    []patches
		bounds learn.Bounds
		want   float64
		of     int // patches that it follows from; 0: nothing is known
	}{
		"nothing":                         {nil, usual, 0.7, 0},
		"too few, and all taken back":     {[]patches{{"claude", "test", "go", 0.9, 0, 7, 0}}, usual, 0.7, 0},
		"enough, and all taken back":      {[]patches{{"claude", "test", "go", 0.9, 0, 8, 0}}, usual, 0.95, 8},
		"turned down counts as much":      {[]patches{{"claude", "test", "go", 0.9, 0, 0, 8}}, usual, 0.95, 8},
		"half of them":                    {[]patches{{"claude", "test", "go", 0.9, 6, 4, 2}}, usual, 0.9, 12}, // 0.7 + (10.8-6)/24
		"as many as it thought":           {[]patches{{"claude", "test", "go", 0.75, 6, 1, 1}}, usual, 0.7, 8}, // 0.7 + 0
		"more, but it only rises":         {[]patches{{"claude", "test", "go", 0.75, 12, 0, 0}}, usual, 0.7, 12},
		"more, and it may sink":           {[]patches{{"claude", "test", "go", 0.75, 12, 0, 0}}, wide, 0.6, 12}, // 0.7 + (9-12)/24 = 0.575
		"more, and it may sink a little":  {[]patches{{"claude", "test", "go", 0.9, 12, 0, 0}}, wide, 0.65, 12}, // 0.7 + (10.8-12)/24
		"somebody else's":                 {[]patches{{"codex", "test", "go", 0.9, 0, 20, 0}}, usual, 0.7, 0},
		"of another language, too":        {[]patches{{"claude", "test", "go", 0.9, 0, 4, 0}, {"claude", "test", "python", 0.9, 0, 4, 0}}, usual, 0.95, 8},
		"of another kind, too":            {[]patches{{"claude", "test", "go", 0.9, 0, 4, 0}, {"claude", "lint", "go", 0.9, 4, 0, 0}}, usual, 0.86, 8}, // 0.7 + (7.2-4)/20
		"its own language is enough":      {[]patches{{"claude", "test", "go", 0.9, 8, 0, 0}, {"claude", "test", "python", 0.9, 0, 20, 0}}, usual, 0.7, 8},
		"its own kind before all":         {[]patches{{"claude", "test", "java", 0.9, 8, 0, 0}, {"claude", "lint", "go", 0.9, 0, 20, 0}}, usual, 0.7, 8},
		"what is learnt can be unlearnt":  {[]patches{{"claude", "test", "go", 0.9, 30, 8, 0}}, usual, 0.78, 38}, // 0.7 + (34.2-30)/50
		"nothing moves it within no room": {[]patches{{"claude", "test", "go", 0.9, 0, 20, 0}}, learn.Bounds{Base: 0.7, Least: 0.7, Most: 0.7}, 0.7, 20},
	} {
		t.Run(name, func(t *testing.T) {
			got, record := written(t, book(t), c.all).Threshold(c.bounds, "claude", "test", "go")
			if got != c.want || record.Patches() != c.of {
				t.Errorf("%v after %+v, want %v after %d", got, record, c.want, c.of)
			}
		})
	}
}

func TestThresholdIsForgotten(t *testing.T) {
	b := book(t)
	written(t, b, []patches{{"claude", "test", "go", 0.9, 1, 2, 3}})
	if n, err := b.Reset(t.Context()); err != nil || n != 6 {
		t.Errorf("forgot %d, %v", n, err)
	}
	if left := written(t, b, nil); len(left) != 0 {
		t.Errorf("%+v", left)
	}
}
