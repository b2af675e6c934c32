package python

import (
	"cmp"
	"path"
	"slices"
	"strings"
)

// ranking orders tests by how near they stand to the failing ones: in the same class, the same file, a file of the same folder, elsewhere.
type ranking struct {
	places map[string]int // how near a place is: a class, a file, a folder
	tests  []rankedTest
}

type rankedTest struct {
	id   string
	away int
}

// How far away a test is.
const (
	sameClass = iota
	sameFile
	sameFolder
	elsewhere
)

func newRanking(failing []string) *ranking {
	r := &ranking{places: map[string]int{}}
	for _, id := range failing {
		for p, away := range surroundings(id) {
			r.places[p] = away
		}
	}
	return r
}

// surroundings are the places that a test stands in. No place of one kind is named like one of another.
func surroundings(id string) map[string]int {
	file, rest, _ := strings.Cut(id, "::")
	out := map[string]int{file: sameFile, path.Dir(file) + "/": sameFolder}
	name, _, _ := strings.Cut(rest, "[")
	if i := strings.LastIndex(name, "::"); i >= 0 {
		out[file+"::"+name[:i]] = sameClass
	}
	return out
}

func (r *ranking) add(id string) {
	away := elsewhere
	for p := range surroundings(id) {
		if at, ok := r.places[p]; ok {
			away = min(away, at)
		}
	}
	r.tests = append(r.tests, rankedTest{id, away})
}

// first are the nearest ones; equally near ones in order of their ids.
func (r *ranking) first(most int) []string {
	slices.SortFunc(r.tests, func(a, b rankedTest) int {
		return cmp.Or(cmp.Compare(a.away, b.away), strings.Compare(a.id, b.id))
	})
	out := make([]string, 0, min(most, len(r.tests)))
	for _, t := range r.tests[:min(most, len(r.tests))] {
		out = append(out, t.id)
	}
	return out
}
