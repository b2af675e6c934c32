package python

import (
	"maps"
	"path"
	"slices"
	"strings"

	"fettle/internal/runner"
)

// ranking orders tests by how near they stand to the failing ones: the same function with other arguments, in the same class, the same file, a file
// of the same folder, elsewhere.
type ranking struct {
	places map[string]int // how near a place is: a function, a class, a file, a folder
	tests  map[string]int // how far away each is
}

// How far away a test is.
const (
	sameFunction = iota
	sameClass
	sameFile
	sameFolder
	elsewhere
)

func newRanking(failing []string) *ranking {
	r := &ranking{places: map[string]int{}, tests: map[string]int{}}
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
	out[function(id)] = sameFunction
	if i := strings.LastIndex(name, "::"); i >= 0 {
		out[file+"::"+name[:i]] = sameClass
	}
	return out
}

// function is a test without its arguments.
func function(id string) string {
	name, _, _ := strings.Cut(id, "[")
	return name + "()"
}

func (r *ranking) add(id string) {
	away := elsewhere
	for p := range surroundings(id) {
		if at, ok := r.places[p]; ok {
			away = min(away, at)
		}
	}
	r.tests[id] = away
}

// first are the nearest ones.
func (r *ranking) first(most int) []string {
	ids := runner.Nearest(slices.Sorted(maps.Keys(r.tests)), func(id string) int { return r.tests[id] }, function)
	return ids[:min(most, len(ids))]
}
