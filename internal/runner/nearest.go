package runner

import (
	"cmp"
	"slices"
)

// Sample is which of the failing tests are run: one fault can fail hundreds, which all tell the same. Of too many it is some of each group.
func (o TraceOptions) Sample(failing []string, group func(id string) string) []string {
	if len(failing) <= o.MaxFailing {
		return failing
	}
	return Nearest(failing, func(string) int { return 0 }, group)[:o.MaxFailing]
}

// Nearest orders tests by how far away they are from what fails. Equally far ones take turns, one of each group and then the next of each, in
// the order in which they are given: where the time is not enough for all, it is for as many kinds of tests as can be.
func Nearest(ids []string, away func(id string) int, group func(id string) string) []string {
	type ranked struct {
		id         string
		away, turn int
	}
	type kind struct {
		group string
		away  int
	}
	all := make([]ranked, len(ids))
	had := map[kind]int{}
	for i, id := range ids {
		k := kind{group(id), away(id)}
		all[i] = ranked{id, k.away, had[k]}
		had[k]++
	}
	slices.SortStableFunc(all, func(a, b ranked) int { return cmp.Or(cmp.Compare(a.away, b.away), cmp.Compare(a.turn, b.turn)) })
	out := make([]string, len(all))
	for i, r := range all {
		out[i] = r.id
	}
	return out
}
