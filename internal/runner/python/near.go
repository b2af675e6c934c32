package python

import (
	"maps"
	"path"
	"slices"
	"strings"

	"fettle/internal/check/parse"
	"fettle/internal/runner"
)

// How far away from a failing test another one is.
const (
	sameFunction = iota // with other arguments
	sameClass
	sameFile
	sameFolder
	elsewhere
)

// nearest are the ids of tests that pass, those nearest to the failing ones first.
func nearest(tests map[string]parse.Outcome, failing []string, most int) []string {
	places := map[string]int{} // how near a place is
	for _, id := range failing {
		maps.Copy(places, surroundings(id))
	}
	var passing []string
	for id, outcome := range tests {
		if outcome == parse.Pass {
			passing = append(passing, id)
		}
	}
	slices.Sort(passing)
	ids := runner.Nearest(passing, func(id string) int {
		away := elsewhere
		for p := range surroundings(id) {
			if at, ok := places[p]; ok {
				away = min(away, at)
			}
		}
		return away
	}, function)
	return ids[:min(most, len(ids))]
}

// surroundings are the places that a test stands in. No place of one kind is named like one of another.
func surroundings(id string) map[string]int {
	id = parted(id)
	file, _, _ := strings.Cut(id, "::")
	fn := function(id)
	out := map[string]int{file: sameFile, path.Dir(file) + "/": sameFolder, fn + "()": sameFunction}
	if i := strings.LastIndex(fn, "::"); i > len(file) {
		out[fn[:i]] = sameClass
	}
	return out
}

// files are those that tests stand in, each once. Ids of unittest's do not say.
func files(ids []string) (out []string) {
	for _, id := range ids {
		if file, _, ok := strings.Cut(id, "::"); ok && !slices.Contains(out, file) {
			out = append(out, file)
		}
	}
	return out
}

// function is a test without its arguments.
func function(id string) string {
	file, rest, _ := strings.Cut(parted(id), "::")
	name, _, _ := strings.Cut(rest, "[")
	return file + "::" + name
}

// parted is an id as pytest has them: unittest's have dots only, the last before the method, the one before that before the class.
func parted(id string) string {
	if strings.Contains(id, "::") {
		return id
	}
	for range 2 {
		if i := strings.LastIndexByte(id, '.'); i > 0 {
			id = id[:i] + "::" + id[i+1:]
		}
	}
	return id
}
