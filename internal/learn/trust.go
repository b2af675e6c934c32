package learn

import (
	"context"
	"fmt"
	"math"
)

// Word is how sure a fixer was of a patch of its own, from 0 to 1.
type Word struct {
	Fixer string  `json:"fixer"`
	Kind  string  `json:"kind"` // of the check: "test", "lint"
	Lang  string  `json:"lang"` // of the files that the patch changes; may be empty
	Sure  float64 `json:"sure"`
}

// Record is how often a fixer's patches were kept, beside how sure it was of them.
type Record struct {
	Fixer    string  `json:"fixer"`
	Kind     string  `json:"kind"`
	Lang     string  `json:"lang"`
	Kept     int     `json:"kept"`
	Undone   int     `json:"undone"`
	Rejected int     `json:"rejected"`
	Sure     float64 `json:"sure"` // the sum of what it said of them: that many it thought would be right
}

// Patches is how many it tells of.
func (r Record) Patches() int { return r.Kept + r.Undone + r.Rejected }

// Enough is how many patches it takes before anything follows from what became of them.
const Enough = 8

// shift is by how much a fixer overrates itself: by as much as fewer of its patches were kept than it thought, as if a dozen further ones had come out
// as it said.
func (r Record) shift() float64 {
	return (r.Sure - float64(r.Kept)) / float64(confidence+r.Patches())
}

// Records are what became of patches, by fixer, kind of check and language, in order. See [Book.Counts] for what it asks. The answers of which they were made are of no use from then on where
// they were taken back.
func (b *Book) Records(ctx context.Context, stands, known func(set int64) bool) (Trust, error) {
	for _, of := range []kept{words, taken} {
		if err := b.settle(ctx, of, stands, known); err != nil {
			return nil, err
		}
	}
	rows, err := b.DB.QueryContext(ctx, `SELECT fixer, kind, lang, sum(outcome = 'kept'), sum(outcome = 'undone'), sum(outcome = 'rejected'), sum(sure) FROM words
		GROUP BY fixer, kind, lang ORDER BY fixer, kind, lang`)
	if err != nil {
		return nil, fmt.Errorf("read what became of fixers' patches: %w", err)
	}
	defer rows.Close()
	var out Trust
	for rows.Next() {
		var r Record
		if err := rows.Scan(&r.Fixer, &r.Kind, &r.Lang, &r.Kept, &r.Undone, &r.Rejected, &r.Sure); err != nil {
			return nil, fmt.Errorf("read what became of fixers' patches: %w", err)
		}
		out = append(out, r)
	}
	return out, rows.Err()
}

// Trust is what is known of how far fixers' words can be trusted.
type Trust []Record

// Bounds are between which a threshold moves.
type Bounds struct {
	Base        float64 // where it stands when nothing is known
	Least, Most float64
}

// Threshold is how sure a fixer has to be for a patch of it to be tried, at checks of one kind, in one language, and the record that it follows from; without
// one, nothing is known that would move it. What is known of kind and language counts where that is enough, else what is known of the kind, else all of it.
func (t Trust) Threshold(b Bounds, fixer, kind, lang string) (float64, Record) {
	for _, like := range []func(Record) bool{
		func(r Record) bool { return r.Kind == kind && r.Lang == lang },
		func(r Record) bool { return r.Kind == kind },
		func(Record) bool { return true },
	} {
		sum := Record{Fixer: fixer}
		for _, r := range t {
			if r.Fixer == fixer && like(r) {
				sum.Kept, sum.Undone, sum.Rejected, sum.Sure = sum.Kept+r.Kept, sum.Undone+r.Undone, sum.Rejected+r.Rejected, sum.Sure+r.Sure
			}
		}
		if sum.Patches() >= Enough {
			moved := math.Round(100*(b.Base+sum.shift())) / 100 // what people are shown is what holds
			return min(max(moved, b.Least), b.Most), sum
		}
	}
	return b.Base, Record{}
}
