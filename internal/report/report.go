// Package report answers "what happened?": a report that a person can read in a minute, and the same as versioned JSON for
// programs. It reads what the loop recorded and decides nothing.
package report

import (
	"time"

	"fettle/internal/check"
	"fettle/internal/check/parse"
	"fettle/internal/diag"
	"fettle/internal/heal"
	"fettle/internal/verdict"
)

// Version is the version of the JSON documents. A field may be added within a version; none changes its meaning or goes.
const Version = 1

// Run is the report on checks that ran and changed nothing.
type Run struct {
	Version  int           `json:"version"`
	Kind     string        `json:"kind"` // "run"
	Success  bool          `json:"success"`
	ExitCode int           `json:"exit_code"`
	Checks   []CheckReport `json:"checks"`
}

// CheckReport is what one check said.
type CheckReport struct {
	Check       string            `json:"check"`
	Status      check.Status      `json:"status"`
	Code        int               `json:"code"`
	Wall        float64           `json:"wall_s"`
	Tests       *TestCounts       `json:"tests,omitempty"`
	Hooks       []parse.Hook      `json:"hooks,omitempty"`
	Diagnostics []diag.Diagnostic `json:"diagnostics"`
	Reason      string            `json:"reason,omitempty"`
	Tail        string            `json:"tail,omitempty"`
}

// TestCounts says how a check's tests came out.
type TestCounts struct {
	Passed  int `json:"passed"`
	Failed  int `json:"failed"`
	Skipped int `json:"skipped"`
}

// Session is the report on one session of the loop.
type Session struct {
	Version    int                `json:"version"`
	Kind       string             `json:"kind"` // "session"
	ID         string             `json:"session"`
	End        verdict.End        `json:"end"` // empty while it runs
	ExitCode   int                `json:"exit_code"`
	Success    bool               `json:"success"`
	Reason     string             `json:"reason"`
	Answer     string             `json:"answer,omitempty"`      // what a person did with a dry run's patch: "accepted", "discarded"
	RolledBack Extent             `json:"rolled_back,omitempty"` // how much of what it changed was taken back since
	Goal       heal.Goal          `json:"goal"`
	Started    time.Time          `json:"started"`
	Seconds    float64            `json:"seconds"`
	Cost       float64            `json:"cost_usd"`
	Unpriced   bool               `json:"cost_unknown,omitempty"` // it has cost more, and nobody knows how much
	Iterations []heal.Iteration   `json:"iterations"`
	Wrong      []heal.CheckCount  `json:"wrong"`            // what was wrong at the beginning
	Left       []diag.Diagnostic  `json:"left"`             // what is wrong now
	Broken     []heal.BrokenCheck `json:"broken,omitempty"` // the checks that cannot tell what is wrong now
	Flaky      []string           `json:"flaky,omitempty"`
	Kept       *Kept              `json:"kept,omitempty"`
	Branch     string             `json:"branch,omitempty"`
	Commit     string             `json:"commit,omitempty"`
	Notes      []string           `json:"notes,omitempty"`

	Diffs   map[int64]string   `json:"-"` // by change set, what those who ask for evidence see of it
	Refused map[Refusal]string `json:"-"` // what they see of the most promising changes that were not applied
	File    string             `json:"-"` // where settings are written, as advice names it; empty: [check.FileName]
}

// Refusal names a change that was not applied.
type Refusal struct {
	Round               int
	Author, Explanation string
}

// Extent says how much of something.
type Extent string

// The extents; the zero value: nothing.
const (
	All  Extent = "all"
	Part Extent = "part"
)

// Text says it of what was rolled back, in two words or a few more.
func (e Extent) Text() string {
	switch e {
	case All:
		return "rolled back"
	case Part:
		return "rolled back in part"
	}
	return ""
}

// Kept is a patch that waits for a person.
type Kept struct {
	Author      string   `json:"author"`
	Explanation string   `json:"explanation"`
	Why         string   `json:"why"`
	Files       []string `json:"files"`
	Asks        bool     `json:"asks"` // the session goes on when it is approved
}

// OfRun makes the report on a run of checks.
func OfRun(results []check.Result) Run {
	r := Run{Version: Version, Kind: "run", Success: true}
	for _, res := range results {
		c := CheckReport{
			Check: res.Check, Status: res.Status, Code: res.Code, Wall: res.Wall.Seconds(),
			Diagnostics: res.Diagnostics, Reason: res.Reason, Tail: res.Tail, Tests: counts(res), Hooks: res.Hooks,
		}
		if c.Diagnostics == nil {
			c.Diagnostics = []diag.Diagnostic{}
		}
		r.Checks = append(r.Checks, c)
		switch res.Status {
		case check.Passed:
		case check.Broken:
			r.Success, r.ExitCode = false, verdict.Halted.ExitCode()
		default:
			r.Success = false
			if r.ExitCode == 0 {
				r.ExitCode = verdict.Exhausted.ExitCode()
			}
		}
	}
	return r
}

// OfSession makes the report on a session.
func OfSession(rec heal.Record) Session {
	s := Session{
		Version: Version, Kind: "session", ID: rec.Session, End: rec.End, ExitCode: rec.End.ExitCode(),
		Success: rec.End == verdict.Converged, Reason: rec.Reason, Goal: rec.Goal, Started: rec.Started,
		Seconds: rec.Spent.Seconds(), Cost: rec.Cost, Unpriced: rec.Unpriced, Iterations: rec.History, Left: rec.Findings, Broken: rec.Broken,
		Flaky: rec.Flaky, Branch: rec.Branch, Commit: rec.Commit, Notes: rec.Notes,
	}
	if len(rec.History) > 0 {
		s.Wrong = rec.History[0].Checks
	}
	if rec.Goal.DryRun {
		s.Answer = rec.Answer
	}
	if s.Left == nil {
		s.Left = []diag.Diagnostic{}
	}
	if k := rec.Kept; k != nil {
		s.Kept = &Kept{Author: k.Author, Explanation: k.Explanation, Why: k.Why, Files: k.Patch.Paths(), Asks: k.Asks}
	}
	return s
}

func counts(r check.Result) *TestCounts {
	if r.Tests == nil {
		return nil
	}
	var c TestCounts
	for _, o := range r.Tests {
		switch o {
		case "pass":
			c.Passed++
		case "fail":
			c.Failed++
		default:
			c.Skipped++
		}
	}
	return &c
}
