package edit

import (
	"slices"

	"github.com/aymanbagabas/go-udiff/lcs"
)

// diffTexts gives the ranges of lines in which two texts differ. The diff library gives up looking for the best answer after a
// hundred differences, so texts are first cut where lines stand in both that are unique in each, in the same order; what
// lies between two such anchors is small. (This is the idea of Bram Cohen's patience diff.)
func diffTexts(before, after []string) []lcs.Diff {
	var out []lcs.Diff
	part := func(a, b pair) { // from a up to, not including, b
		for _, d := range lcs.DiffLines(before[a.before:b.before], after[a.after:b.after]) {
			d.Start, d.End = d.Start+a.before, d.End+a.before
			d.ReplStart, d.ReplEnd = d.ReplStart+a.after, d.ReplEnd+a.after
			if n := len(out); n > 0 && out[n-1].End == d.Start && out[n-1].ReplEnd == d.ReplStart {
				out[n-1].End, out[n-1].ReplEnd = d.End, d.ReplEnd
				continue
			}
			out = append(out, d)
		}
	}
	last := pair{}
	for _, p := range anchors(before, after) {
		part(last, p)
		last = pair{p.before + 1, p.after + 1}
	}
	part(last, pair{len(before), len(after)})
	return out
}

// pair is a line before and the equal line after.
type pair struct{ before, after int }

// anchors gives the longest run, in order on both sides, of lines that are unique in both texts.
func anchors(before, after []string) []pair {
	type places struct{ inBefore, inAfter, at int }
	seen := make(map[string]places, len(after))
	for i, l := range after {
		p := seen[l]
		p.inAfter++
		p.at = i
		seen[l] = p
	}
	for _, l := range before {
		if p, ok := seen[l]; ok {
			p.inBefore++
			seen[l] = p
		}
	}
	var pairs []pair
	for i, l := range before {
		if p := seen[l]; p.inBefore == 1 && p.inAfter == 1 {
			pairs = append(pairs, pair{i, p.at})
		}
	}
	return longestRise(pairs)
}

// longestRise gives the longest subsequence whose after lines rise, by patience sorting: each pile ends with the smallest line
// that a rising run of its length can end with.
func longestRise(pairs []pair) []pair {
	var piles []int // index into pairs of the last card of each pile
	previous := make([]int, len(pairs))
	for i, p := range pairs {
		at, _ := slices.BinarySearchFunc(piles, p.after, func(card, after int) int { return pairs[card].after - after })
		previous[i] = -1
		if at > 0 {
			previous[i] = piles[at-1]
		}
		if at == len(piles) {
			piles = append(piles, i)
		} else {
			piles[at] = i
		}
	}
	out := make([]pair, len(piles))
	for k, i := len(piles)-1, lastOf(piles); k >= 0; k, i = k-1, previous[i] {
		out[k] = pairs[i]
	}
	return out
}

func lastOf(piles []int) int {
	if len(piles) == 0 {
		return -1
	}
	return piles[len(piles)-1]
}
