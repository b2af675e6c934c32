// Package fix answers "what could we change?": the [Fixer] interface, the task it is given, and the ladder of fixers,
// cheapest first. A fixer proposes; it never writes to the user's tree and is never believed: what it proposes passes the
// gates and is verified like any other patch.
package fix

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"net"
	"slices"
	"strings"
	"time"

	"fettle/internal/check"
	"fettle/internal/diag"
	"fettle/internal/edit"
	"fettle/internal/locate"
	"fettle/internal/verdict"
)

// Rung is a fixer's place on the ladder: the cheaper the earlier.
type Rung int

// The rungs, cheapest first.
const (
	RungTool   Rung = 10 // a tool's own fix
	RungSearch Rung = 20 // search-based repair
	RungPlugin Rung = 30 // an executable of the user's
	RungModel  Rung = 40 // a model
	RungAgent  Rung = 50 // an agent's command line
)

// String is what a rung is called in the configuration.
func (r Rung) String() string {
	switch {
	case r >= RungAgent:
		return check.ByAgent
	case r >= RungModel:
		return check.ByModel
	case r >= RungPlugin:
		return check.ByPlugin
	case r >= RungSearch:
		return check.BySearch
	}
	return check.ByTool
}

// Fixer is something that proposes patches for a task. Several tasks at a time are put to one fixer, each with a place of its
// own.
type Fixer interface {
	// Name is stable and unique: it stands in reports, in the store, and after --fixer.
	Name() string
	// Rung is the fixer's place on the ladder.
	Rung() Rung
	// Takes reports whether the fixer can do anything about a finding of this check. It is asked before any work is done.
	Takes(c check.Check, d diag.Diagnostic) bool
	// Propose hands out candidates lazily, most promising first, and stops when the consumer does. An error ends the
	// sequence: the fixer could not work. Nothing to propose is an empty sequence.
	Propose(ctx context.Context, t Task) iter.Seq2[Candidate, error]
}

// Task is what a fixer is asked to heal.
type Task struct {
	Check       check.Check            // the check that complains
	Diagnostics []diag.Diagnostic      // what is to be healed, all of Check
	Baseline    check.Result           // the check's whole result on the baseline
	Also        []Part                 // what further checks complain of; only for a fixer that is [Whole]
	SentBack    edit.Patch             // this fixer's own patch that a second reader was not satisfied with; it may be offered once more. Empty: there is none
	Formatters  []check.Check          // those that have nothing to complain of on the baseline, and should not have afterwards
	Feedback    []Failure              // what became of earlier attempts at any of what is to be healed, latest last
	InScope     func(path string) bool // whether a patch may touch this file
	Place       Place                  // a private copy at the baseline, for this fixer alone
	Seen        edit.Hash              // the digest of all that may be read in Place, and of where a patch may change it: where two tasks have the same, they differ in what they say alone. Empty: it is not known
	Known       bool                   // only what was answered to the very same before is wanted, and nobody is asked: for a [Recaller] alone
	Note        func(text string)      // tells the person something about the work, in one line; nil: nobody listens
	// Money is how many US dollars the fixer may spend on this task at the most, and Tokens what may be read and written for it, if it can be told; zero: no limit.
	Money  float64
	Tokens int
	// Spent tells of US dollars that were spent with no candidate to show for them, and whether that is all of it; those of a candidate stand in it. Nil: nobody counts.
	Spent func(usd float64, known bool)
	// Took tells of tokens that were taken, whatever came of them; nil: nobody counts.
	Took func(Tokens)
	// Talk is the conversation that this fixer had about these findings before, in the same session, by the id that it told; empty: there was none, or it told of none.
	// Whoever can goes on with it. Talked tells the id of the one that it has had now; nil: nobody keeps it.
	Talk   string
	Talked func(id string)
	// Recent tells which lines of a file were changed lately; nil: nobody knows.
	Recent locate.History
	// Suspects ranks the lines that may be at fault, most suspicious first, by having failing tests run in Place, which may leave things there.
	// There are none where no test fails that can be run. Nil: nobody can tell.
	Suspects func(ctx context.Context) ([]locate.Suspect, error)
	// TryAll tries candidate patches on the fast oracle, in parallel, taking them lazily from the sequence. Trials come as
	// they end, not in order. Stopping the iteration stops the work. Nil when the check has no oracle.
	TryAll func(ctx context.Context, candidates iter.Seq[edit.Patch]) iter.Seq2[verdict.Trial, error]
	// TryWhole tries them so with regard to every finding of the check, whichever the task is about; nil when it has no oracle.
	TryWhole func(ctx context.Context, candidates iter.Seq[edit.Patch]) iter.Seq2[verdict.Trial, error]
	// TryTypes tries them on the check that judges types and has nothing to complain of on the baseline, one after the other; nil when there is none.
	TryTypes func(ctx context.Context, candidates iter.Seq[edit.Patch]) iter.Seq2[verdict.Trial, error]
}

// Failure is what became of an earlier attempt at some of what a task is about.
type Failure struct {
	Own    bool   `json:"-"`                // the fixer that is asked has made it
	Why    string `json:"why"`              // in a sentence: whose it was, and why it led nowhere
	Patch  string `json:"patch,omitempty"`  // what was tried, as a diff; of a long one the beginning and the end. Empty: it cannot be shown
	Report string `json:"report,omitempty"` // what the checks said with it, shortened like that; empty: they were not asked, or said nothing
}

// String is the full report.
func (f Failure) String() string {
	text := f.Why
	if f.Patch != "" {
		text += "\n\nThe patch:\n" + strings.TrimRight(f.Patch, "\n")
	}
	if f.Report != "" {
		text += "\n\nWith it the checks said:\n" + strings.TrimRight(f.Report, "\n")
	}
	return text
}

// Attempts are the earlier attempts without what the checks said with them: times and temporary folders stand in that, so that it differs where the attempts were the same.
func (t Task) Attempts() []Failure {
	all := slices.Clone(t.Feedback)
	for i := range all {
		all[i].Report = ""
	}
	return all
}

// Tokens are what somebody's model has read and written.
type Tokens struct {
	Read, Wrote int
	Cached      int  // of Read: what had been kept from before
	Kept        int  // of Read: what is kept from now on
	Unknown     bool // there were more, and nobody knows how many
}

// None reports whether nothing was read or written, as far as that is known.
func (t Tokens) None() bool { return t.Read == 0 && t.Wrote == 0 }

// Plus is both together.
func (t Tokens) Plus(u Tokens) Tokens {
	return Tokens{t.Read + u.Read, t.Wrote + u.Wrote, t.Cached + u.Cached, t.Kept + u.Kept, t.Unknown || u.Unknown}
}

// Part is what one more check complains of.
type Part struct {
	Check       check.Check
	Diagnostics []diag.Diagnostic // all of Check
	Baseline    check.Result
}

// Parts are what the task is about, check by check; the first is the task's own.
func (t Task) Parts() []Part {
	return append([]Part{{t.Check, t.Diagnostics, t.Baseline}}, t.Also...)
}

// Whole is a fixer that would have all findings of all checks in one task, because it splits the work itself.
type Whole interface {
	Fixer
	// Whole reports whether it would.
	Whole() bool
}

// Place is a private copy in which a fixer may run tools and write files.
type Place interface {
	check.Place
	// Changes tells what has changed in the copy since it was at the baseline, as a patch against the baseline. Ignored
	// files and tools' caches are left out.
	Changes(ctx context.Context) (edit.Patch, error)
	// Reset takes the copy back to the baseline.
	Reset(ctx context.Context) error
}

// Guesthouse is a place in which a fixer may let others work as freely as they like.
type Guesthouse interface {
	Place
	// HoldsWrites reports whether what runs in it can write nowhere else.
	HoldsWrites() bool
	// Listen opens a door: what commands in the place connect to at its address comes to us. They need no other network for it.
	Listen(ctx context.Context) (net.Listener, error)
}

// Restore takes a place back to the baseline, also when the context has ended, whatever has failed before.
func Restore(ctx context.Context, at Place, failed error) error {
	if err := at.Reset(context.WithoutCancel(ctx)); err != nil {
		return errors.Join(failed, fmt.Errorf("reset the private copy: %w", err))
	}
	return failed
}

// Source reads the files of a place as edits see them.
func Source(at check.Place) edit.Source {
	return func(path string) (edit.File, error) {
		if !fs.ValidPath(path) {
			return edit.File{}, nil
		}
		info, err := fs.Stat(at.FS(), path)
		if errors.Is(err, fs.ErrNotExist) {
			return edit.File{}, nil
		}
		if err != nil {
			return edit.File{}, err
		}
		data, err := at.ReadFile(path)
		return edit.File{Data: data, Mode: info.Mode().Perm(), Exists: true}, err
	}
}

// Candidate is one proposed patch.
type Candidate struct {
	Patch        edit.Patch `json:"patch"`
	Author       string     `json:"author"`      // the fixer's name
	Explanation  string     `json:"explanation"` // one sentence: what was wrong and why this mends it
	Confidence   float64    `json:"confidence"`  // 0–1, the fixer's own; never evidence
	Cost         float64    `json:"cost_usd,omitempty"`
	Unpriced     bool       `json:"cost_unknown,omitempty"` // it has cost more, and nobody knows how much
	Alternatives int        `json:"alternatives,omitempty"` // other plausible candidates that were found beside it
	Differs      string     `json:"differs,omitempty"`      // on what it and one of these part ways
	Heals        []string   `json:"heals,omitempty"`        // ids of the failing tests that its fixer saw pass with it; none: it does not say
	Ideas        []string   `json:"ideas,omitempty"`        // by which it was made, as the fixer calls them: what becomes of it says how good they are
	Grounds      *Grounds   `json:"grounds,omitempty"`      // of the confidence of a fixer that tries many
	Effort       *Effort    `json:"effort,omitempty"`       // of a fixer that tries many
	Model        string     `json:"model,omitempty"`        // the model or agent that has made it
	Suspect      []string   `json:"suspect,omitempty"`      // places in what its author was shown that talk to a model: it is not applied by what its author and the evidence say alone
	Stance       *Stance    `json:"stance,omitempty"`       // on what a second reader has said of an earlier patch
	Question     string     `json:"question,omitempty"`     // what somebody was paid for answering, as the book has it: what becomes of the answer is written down there
}

// Stance is what an author makes of a second reader's objections: neither of them is infallible.
type Stance struct {
	Decision string `json:"decision"` // KEEP, AGREE, PARTIALLY_AGREE or DISAGREE
	Reason   string `json:"reason,omitempty"`
}

// Grounds are what the confidence in a patch that was found by trying rests on.
type Grounds struct {
	Record    float64 `json:"record"`              // 0–1: how often what its idea makes is right once it passes
	Weight    float64 `json:"weight"`              // 0–1: how likely it was before it was tried, the likeliest of ideas at the hottest of lines being 1
	Rivals    float64 `json:"rivals,omitempty"`    // the weight of what passes as well and does something else, in multiples of its own
	Edits     int     `json:"edits"`               // places that are changed, each for a reason of its own
	Failing   int     `json:"failing"`             // failing tests there were; zero: it was not tests that complained
	Heals     int     `json:"heals"`               // … that pass with it
	Leaves    int     `json:"leaves,omitempty"`    // … that run the line it changes and fail with it still, of those that were traced
	Passing   int     `json:"passing"`             // passing tests that run the line it changes, of those that were traced
	Denied    int     `json:"denied,omitempty"`    // examples in the documentation that it answers otherwise than they say
	Idle      bool    `json:"idle,omitempty"`      // the tests pass as well without what it changes a part of, or it leaves that out
	Exhausted bool    `json:"exhausted,omitempty"` // every candidate worth trying was tried
}

// Effort is what a fixer did to find a candidate.
type Effort struct {
	Tried int           `json:"tried"`    // candidates that were tried in all
	First int           `json:"first"`    // … until the first that passed; zero: none healed everything
	Ready time.Duration `json:"ready_ns"` // from the beginning until the first had been tried: tracing, and what makes a runner warm
	Until time.Duration `json:"until_ns"` // … until the first that passed
	CPU   time.Duration `json:"cpu_ns"`   // processor time, of everything that was started, too, from the end of the first trial until the first that passed was up for its fresh process; on other systems than Linux without what still runs
	Proof time.Duration `json:"proof_ns"` // what the first that passed took by itself: it was tried once more in a fresh process
	Took  time.Duration `json:"took_ns"`  // … to the end
}
