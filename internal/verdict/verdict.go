// Package verdict holds the words for "is this change good?" and "why did the loop stop?": evidence, verdict, and the typed
// ends with their exit codes.
//
// The package is pure: standard library only, no I/O.
package verdict

import (
	"time"

	"fettle/internal/diag"
	"fettle/internal/edit"
)

// End is a way in which a session can stop. Its text stands in reports, in JSON and in the store.
type End string

// The ends of the graph. Each has its exit code ([End.ExitCode]).
const (
	Converged   End = "converged"   // every check of the goal passes
	Exhausted   End = "exhausted"   // the limit on iterations was reached and something is left
	Rejected    End = "rejected"    // a person, a gate or the audit said no
	Budget      End = "budget"      // the limit on time or money was reached
	Stuck       End = "stuck"       // nothing more to try, two rounds without progress, or a state seen before
	Halted      End = "halted"      // checks or providers cannot go on
	Paused      End = "paused"      // waits for a person's approval
	Interrupted End = "interrupted" // cancelled from outside: a signal, a closed terminal
)

// ExitUsage is the exit code of wrong use: an unknown flag, a bad config. It is no end of the graph.
const ExitUsage = 2

// Ends lists every end in the order of its exit code.
var Ends = []End{Converged, Exhausted, Rejected, Budget, Stuck, Halted, Paused, Interrupted}

// ExitCode is the process's exit code for a session that ended so. Codes are stable: scripts rely on them.
func (e End) ExitCode() int {
	switch e {
	case Converged:
		return 0
	case Exhausted:
		return 1
	case Rejected:
		return 3
	case Budget:
		return 4
	case Stuck:
		return 5
	case Halted:
		return 6
	case Paused:
		return 7
	case Interrupted:
		return 130
	}
	return 1
}

// Meaning is one plain sentence for people, without a full stop.
func (e End) Meaning() string {
	switch e {
	case Converged:
		return "every check of the goal passes"
	case Exhausted:
		return "the iteration limit was reached and something is left"
	case Rejected:
		return "the change was rejected by a person, a gate or the audit"
	case Budget:
		return "the limit on time or money was reached"
	case Stuck:
		return "no further progress was possible"
	case Halted:
		return "a check could not run"
	case Paused:
		return "a change waits for approval"
	case Interrupted:
		return "interrupted; fettle resume goes on"
	}
	return string(e)
}

// Step is one stage of verification and what it showed.
type Step struct {
	Name     string        `json:"name"` // "target", "package", "affected", "worth", "seen"
	Passed   bool          `json:"passed"`
	Detail   string        `json:"detail,omitempty"` // one line: what was run, or why it failed
	Duration time.Duration `json:"duration_ns"`
	Cached   bool          `json:"cached,omitempty"`
}

// Evidence is what verification measured about one patch. It is measured, never claimed by the maker of the patch.
type Evidence struct {
	Steps  []Step     `json:"steps"`
	Delta  diag.Delta `json:"delta"`            // the findings of everything, before and after; empty when an early step failed
	Broken []string   `json:"broken,omitempty"` // tests that passed before and do not pass now, gone ones included
	Flaky  []string   `json:"flaky,omitempty"`  // tests that gave both answers on the same content
	Seen   bool       `json:"seen"`             // a planted fault in each patched file turned a check red
	Of     edit.Hash  `json:"of,omitempty"`     // the digest of the patch that was measured; empty for what is no patch
	Green  bool       `json:"green"`            // every step passed: progress, nothing broken, nothing new
	Reason string     `json:"reason,omitempty"` // why it is not green, in one sentence
	Report string     `json:"report,omitempty"` // what the checks say with the patch that is not as it should be, in their words; of a long one the beginning and the end
}

// Decision is a judge's answer.
type Decision string

// The answers a judge can give. The zero value is not an answer: a judge that crashed has not approved.
const (
	Approve Decision = "approve" // good by evidence
	Ask     Decision = "ask"     // only a person may say yes
	Refuse  Decision = "refuse"  // not good; Feedback says why
)

// Verdict is what a judge says of a change.
type Verdict struct {
	Decision Decision `json:"decision"`
	Score    int      `json:"score"`              // 0–100
	Feedback []string `json:"feedback,omitempty"` // for the next round's fixers, one sentence each
	Judge    string   `json:"judge"`              // "evidence", or the model that has judged it after that
	// Independent says that the judge is a model that had no hand in the change, and is of no family of one that had.
	Independent bool `json:"independent,omitempty"`
}
