package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"time"

	"fettle/internal/fix"
	"fettle/internal/report"
	"fettle/internal/verdict"
	"fettle/scripts/benchrepair/likeness"
	"fettle/scripts/benchrepair/rows"
	"fettle/scripts/figures"
	"fettle/scripts/lay"
	"fettle/scripts/session"
)

type bench struct {
	fettle   string
	readings figures.Readings
	kept     *figures.Store[Result]
}

// Result is what became of a row.
type Result struct {
	Row          string        `json:"row"`
	Set          string        `json:"set"`
	Language     string        `json:"language"`
	Plausible    bool          `json:"plausible"`         // fettle's end: every test passes
	Likeness     likeness.Like `json:"likeness"`          // of what was applied to the reference
	Confidence   float64       `json:"confidence"`        // of the first change
	Grounds      *fix.Grounds  `json:"grounds,omitempty"` // what that rests on
	Alternatives int           `json:"alternatives"`      // what else it found
	Ideas        []string      `json:"ideas,omitempty"`   // by which it was made
	Changes      int           `json:"changes"`
	Tried        int           `json:"tried"`            // candidates, in all rounds
	First        int           `json:"first"`            // … to the first that passed, in the first round
	Ready        float64       `json:"ready"`            // seconds from the search's beginning until the first was tried, in the first round
	Until        float64       `json:"until"`            // … until the first that passed
	Proof        float64       `json:"proof"`            // … that this one took by itself, in a fresh process
	Took         float64       `json:"took"`             // seconds of searching, all rounds
	Wall         float64       `json:"wall"`             // seconds of fettle fix
	Engine       float64       `json:"engine,omitempty"` // processor seconds from the first trial's end until the first that passed was up for its fresh process
	CPU          float64       `json:"cpu"`              // its CPU seconds and those of everything it started
	Why          string        `json:"why"`              // what it said of its change; or why nothing was measured
	Inputs       int           `json:"inputs"`
	Difference   string        `json:"difference,omitempty"` // an input on which what was applied and the reference differ
	Diff         string        `json:"diff,omitempty"`
	Digest       string        `json:"digest,omitempty"`
	Error        string        `json:"error,omitempty"`
}

// Right reports whether the first patch is the right one.
func (r Result) Right() bool { return r.Plausible && r.Likeness.Same() }

// limit is what fettle fix may take for one row.
const limit = 4 * time.Minute

// measure lays a row out, has fettle mend it, and judges what it did.
func (b *bench) measure(ctx context.Context, row rows.Row) Result {
	r := Result{Row: row.ID, Set: row.Set, Language: row.Language}
	if err := b.session(ctx, row, &r); err != nil {
		r.Error = err.Error()
	}
	return r
}

func (b *bench) session(ctx context.Context, row rows.Row, r *Result) error {
	dir, err := os.MkdirTemp("", "fettle-repair-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	repo := filepath.Join(dir, "repo")
	if err := lay.Repository(ctx, repo, row.Repository(limits, 1)); err != nil {
		return err
	}
	if row.Language == "typescript" {
		if err := lay.Packages(repo, "vitest"); err != nil {
			return err
		}
	}
	doc, err := b.fix(ctx, repo, filepath.Join(dir, "home"), r)
	if err != nil {
		return err
	}
	r.Plausible = doc.End == verdict.Converged
	for i, round := range doc.Iterations {
		for _, c := range round.Changes {
			r.Changes++
			if r.Why == "" {
				r.Why, r.Confidence, r.Grounds, r.Alternatives, r.Ideas = c.Explanation, c.Confidence, c.Grounds, c.Alternatives, c.Ideas
			}
			if c.Effort == nil {
				continue
			}
			r.Tried += c.Effort.Tried
			r.Took += c.Effort.Took.Seconds()
			if i == 0 {
				r.First, r.Ready, r.Until, r.Proof, r.Engine = c.Effort.First, c.Effort.Ready.Seconds(), c.Effort.Until.Seconds(), c.Effort.Proof.Seconds(), c.Effort.CPU.Seconds()
			}
		}
	}
	if r.Why == "" {
		r.Why = strings.Join(append(doc.Notes, doc.Reason), "; ")
	}
	after, err := os.ReadFile(filepath.Join(repo, filepath.FromSlash(row.Source)))
	if err != nil {
		return err
	}
	if r.Changes > 0 {
		sum := sha256.Sum256(after)
		r.Digest = hex.EncodeToString(sum[:6])
		r.Diff = difference(row.Files[row.Source], string(after))
	}
	if r.Plausible {
		return b.judge(ctx, row, string(after), r)
	}
	return nil
}

// fix runs fettle fix, as a person would, with a home of its own.
func (b *bench) fix(ctx context.Context, repo, home string, r *Result) (report.Session, error) {
	doc, cost, err := session.Run{Fettle: b.fettle, Dir: repo, Env: append(os.Environ(), "XDG_STATE_HOME="+home), Limit: limit}.Fix(ctx)
	r.Wall, r.CPU = cost.Wall.Seconds(), cost.CPU.Seconds()
	return doc, err
}
