package runner_test

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"fettle/internal/runner"
)

func TestNearest(t *testing.T) {
	group := func(id string) string { return strings.TrimRight(id, "0123456789") }
	away := func(id string) int {
		if strings.HasPrefix(id, "far") {
			return 1
		}
		return 0
	}
	got := runner.Nearest([]string{"far1", "b2", "a1", "a3", "b1", "c1", "a2", "far0"}, away, group)
	if want := []string{"b2", "a1", "c1", "a3", "b1", "a2", "far1", "far0"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// No test is lost, none comes before a nearer one, and within any beginning no group has two more than another that has some left.
func TestNearestTakesTurns(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ids := rapid.SliceOfDistinct(rapid.StringMatching(`[a-c][0-9]{1,2}`), rapid.ID[string]).Draw(t, "ids")
		away := func(id string) int { return len(id) - 2 }
		group := func(id string) string { return id[:1] }
		got := runner.Nearest(ids, away, group)
		if !slices.Equal(slices.Sorted(slices.Values(got)), slices.Sorted(slices.Values(ids))) {
			t.Fatalf("%v of %v", got, ids)
		}
		if !slices.IsSortedFunc(got, func(a, b string) int { return away(a) - away(b) }) {
			t.Fatalf("%v: a nearer one comes later", got)
		}
		turn := map[string]int{}
		last := map[int]int{}
		for _, id := range got {
			key := group(id) + string(rune(away(id)))
			if turn[key] < last[away(id)] {
				t.Fatalf("%v: %s has waited too long", got, id)
			}
			last[away(id)] = turn[key]
			turn[key]++
		}
	})
}

// Of many failing tests some of each group are run, and all where they are few.
func TestSample(t *testing.T) {
	group := func(id string) string { return id[:1] }
	o := runner.TraceOptions{MaxFailing: 4}
	if got, want := o.Sample([]string{"a1", "a2", "a3", "a4", "b1", "c1"}, group), []string{"a1", "b1", "c1", "a2"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if few := []string{"a2", "a1", "b1", "a3"}; !slices.Equal(o.Sample(few, group), few) {
		t.Errorf("%v of %v", o.Sample(few, group), few)
	}
	if n := (runner.TraceOptions{}).WithDefaults().MaxFailing; n != 40 {
		t.Errorf("%d by default", n)
	}
}
