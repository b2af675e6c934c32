package heal

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"fettle/internal/audit"
	"fettle/internal/audit/challenge"
	"fettle/internal/check"
	"fettle/internal/diag"
	"fettle/internal/edit"
	"fettle/internal/fix"
	"fettle/internal/flow"
	"fettle/internal/learn"
	"fettle/internal/verdict"
	"fettle/internal/verify"
)

// Goal is what should become true, and how far a session may go for it. It is fixed when the session starts.
type Goal struct {
	Checks     []string               `json:"checks"`                 // names of the checks that have to pass
	Narrow     map[string]check.Check `json:"narrow,omitempty"`       // those of the checks that run only some tests, when tests were named
	Args       []string               `json:"args,omitempty"`         // what stood after "--"
	Only       []string               `json:"only,omitempty"`         // globs of the only files a patch may touch
	Fixers     []string               `json:"fixers,omitempty"`       // the only fixers to ask
	DryRun     bool                   `json:"dry_run,omitempty"`      // change a picture of the user's tree only
	Commit     bool                   `json:"commit,omitempty"`       // commit what was healed on a branch of fettle's
	Approve    bool                   `json:"approve,omitempty"`      // a person must approve every change
	Offline    bool                   `json:"offline,omitempty"`      // nothing may use the network, the checks included
	Since      string                 `json:"since,omitempty"`        // only findings in files that changed since this revision count
	NoBaseline bool                   `json:"no_baseline,omitempty"`  // findings of the baseline file count too
	Iterations int                    `json:"iterations"`             // at most so many rounds
	Time       time.Duration          `json:"time_ns,omitempty"`      // at most so much wall time; zero: no limit
	Budget     float64                `json:"budget_usd,omitempty"`   // at most so much money; zero: no limit
	Usual      bool                   `json:"usual_budget,omitempty"` // that is fettle's own limit, and nobody's choice: who has no known price may be asked all the same
}

// whole are the goal's checks that are not narrowed to some tests.
func (g Goal) whole() []string {
	return slices.DeleteFunc(slices.Clone(g.Checks), func(name string) bool { _, narrow := g.Narrow[name]; return narrow })
}

// State is what flows through the loop and is stored after every node.
type State struct {
	Session   string        `json:"session"`
	Goal      Goal          `json:"goal"`
	Started   time.Time     `json:"started"`
	Spent     time.Duration `json:"spent_ns"` // wall time of the nodes that ran, pauses not counted
	Cost      float64       `json:"cost_usd,omitempty"`
	Unpriced  bool          `json:"cost_unknown,omitempty"` // it has cost more, and nobody knows how much
	Iteration int           `json:"iteration"`              // 1 in the first round

	Commands edit.Hash         `json:"commands,omitempty"` // identifies the checks as they were configured
	Known    *verify.Known     `json:"known,omitempty"`    // what was measured on the present tree
	Findings []diag.Diagnostic `json:"findings,omitempty"`
	Broken   []BrokenCheck     `json:"broken,omitempty"` // those of the goal's checks that could not do their work
	Flaky    []string          `json:"flaky,omitempty"`  // tests that gave both answers; named, never healed

	Spread []string `json:"spread,omitempty"` // checks that turned out to depend on more files than they say
	Void   int64    `json:"void,omitempty"`   // the set, in the journal, that was taken back when its round began anew

	Plan      []Step            `json:"plan,omitempty"`
	Proposals []Proposal        `json:"proposals,omitempty"` // of this round, as far as they have come
	Patch     edit.Patch        `json:"patch,omitempty"`     // the proposals merged
	Evidence  *verdict.Evidence `json:"evidence,omitempty"`
	Verdict   *verdict.Verdict  `json:"verdict,omitempty"`
	Answer    string            `json:"answer,omitempty"` // a person's: "yes", "no", or none yet
	Because   string            `json:"because,omitempty"`

	Failures []Failure              `json:"failures,omitempty"`  // what failed and why, latest last; bounded
	Tried    map[string]bool        `json:"tried,omitempty"`     // steps and patches that led nowhere
	Trees    []edit.Hash            `json:"trees,omitempty"`     // digests of the tree after each applied change
	Circles  bool                   `json:"circles,omitempty"`   // the last change brought back an earlier tree
	Idle     int                    `json:"idle,omitempty"`      // rounds since something was applied, without those whose patch went back to its author
	Ahead    map[int]edit.Patch     `json:"ahead,omitempty"`     // of a dry run: what each round would have applied
	Turns    map[string]Turns       `json:"turns,omitempty"`     // what fixers did, by their names
	Bought   map[int][]learn.Bought `json:"bought,omitempty"`    // answers that were paid for and taken, by round
	SentBack []Returned             `json:"sent_back,omitempty"` // what the challenger has sent back: who offers one again stands by it
	Held     []Proposal             `json:"held,omitempty"`      // what a person is asked about in the next round
	Talks    map[string]string      `json:"talks,omitempty"`     // conversations with agents, by fixer and finding
	Doubtful []Kept                 `json:"doubtful,omitempty"`  // the most promising patches that were refused
	Kept     *Kept                  `json:"kept,omitempty"`      // a patch that was not applied and is kept for a person
	History  []Iteration            `json:"history,omitempty"`
	Commit   string                 `json:"commit,omitempty"` // id of the commit that was made
	Branch   string                 `json:"branch,omitempty"`
	Reason   string                 `json:"reason,omitempty"` // why the session ended, in one sentence
	Notes    []string               `json:"notes,omitempty"`
	Last     flow.Step              `json:"last"` // the node that ran last
}

// BrokenCheck is a check that could not do its work, and why.
type BrokenCheck struct {
	Check  string `json:"check"`
	Reason string `json:"reason"` // one line
}

// Step is one fixer's turn at some findings of one check.
type Step struct {
	Check   string             `json:"check"`
	Fixer   string             `json:"fixer"`
	Rung    fix.Rung           `json:"rung"`
	Targets []diag.Fingerprint `json:"targets"`
	Key     string             `json:"key"`            // equal keys: the same question, already asked
	Also    []Share            `json:"also,omitempty"` // of whoever is asked about everything at once: what it is asked about beside that

	known bool // only what was answered before is wanted
}

// Share is what of a step concerns one more check.
type Share struct {
	Check   string             `json:"check"`
	Targets []diag.Fingerprint `json:"targets"`
}

// shares are a step's findings check by check.
func (s Step) shares() []Share {
	return append([]Share{{s.Check, s.Targets}}, s.Also...)
}

// about reports whether a step is about findings of a check.
func (s Step) about(check string) bool {
	return slices.ContainsFunc(s.shares(), func(p Share) bool { return p.Check == check })
}

// names are the checks that a step is about, for people.
func (s Step) names() string {
	var names []string
	for _, p := range s.shares() {
		names = append(names, p.Check)
	}
	return strings.Join(names, ", ")
}

// Proposal is a candidate patch on its way through the gates.
type Proposal struct {
	Step      Step              `json:"step"`
	Candidate fix.Candidate     `json:"candidate"`
	Targets   []diag.Diagnostic `json:"targets"`
	Audit     audit.Report      `json:"audit"`
	Round     int               `json:"round,omitempty"` // in which it was made, where that is an earlier one
}

// Kept is a patch that was not applied, and why.
type Kept struct {
	Patch       edit.Patch `json:"patch"`
	Author      string     `json:"author"`
	Explanation string     `json:"explanation"`
	Why         string     `json:"why"`
	Bad         bool       `json:"bad,omitempty"`     // the audit refused it, or it was tried and did not do
	Promise     float64    `json:"promise,omitempty"` // of one that was refused: how likely it is right all the same, from 0 to 1
	Asks        bool       `json:"asks,omitempty"`    // a paused session asks about it
	learn.Lesson
	Iteration int `json:"iteration"`
}

// Iteration is the record of one round.
type Iteration struct {
	Number     int                `json:"number"`
	Checks     []CheckCount       `json:"checks"`   // what the goal's checks said at its beginning
	Findings   int                `json:"findings"` // at its beginning
	Attempted  int                `json:"fixes_attempted"`
	Applied    int                `json:"fixes_applied"`
	Successful int                `json:"fixes_successful"` // applied and confirmed
	Passing    []string           `json:"passing"`
	Failing    []string           `json:"failing"`
	Gone       int                `json:"findings_gone"`
	Changes    []AppliedChange    `json:"changes,omitempty"`
	Refused    []RefusedChange    `json:"refused,omitempty"`
	Evidence   *verdict.Evidence  `json:"evidence,omitempty"`  // of the last patch that was verified
	Challenge  *challenge.Opinion `json:"challenge,omitempty"` // what a second model said of it
	Stances    []Stance           `json:"stances,omitempty"`   // what authors made of what it had said before
	Status     string             `json:"status"`              // "converged", "in progress", "no progress", "rolled back"
	Started    time.Time          `json:"started"`
	Before     time.Duration      `json:"before_ns,omitempty"` // what the session had spent when it began
	Took       time.Duration      `json:"took_ns"`
}

// Stance is what an author makes of a challenger's objections.
type Stance struct {
	Author string `json:"author"`
	fix.Stance
}

// CheckCount is what one check said at the beginning of a round.
type CheckCount struct {
	Check    string       `json:"check"`
	Status   check.Status `json:"status"`
	Findings int          `json:"findings"`
	Old      int          `json:"left_alone,omitempty"` // old findings, which do not count
	Sample   []string     `json:"sample,omitempty"`     // the first few findings, one line each
}

// AppliedChange is one fixer's change that reached the user's tree.
type AppliedChange struct {
	Author      string `json:"author"`
	Check       string `json:"check"`
	Explanation string `json:"explanation"`
	Sureness
	Files  []string `json:"files"`
	Healed []string `json:"healed,omitempty"` // one line for each finding that is gone
	Set    int64    `json:"set,omitempty"`    // in the journal
}

// RefusedChange is a fixer's change that was not applied.
type RefusedChange struct {
	Author      string `json:"author"`
	Check       string `json:"check"`
	Explanation string `json:"explanation"`
	Sureness
	Why string `json:"why"`
}

// Sureness is how sure a fixer is of a change, and what that rests on.
type Sureness struct {
	Confidence   float64      `json:"confidence"`             // 0–1, the fixer's own
	Alternatives int          `json:"alternatives,omitempty"` // other changes that it found, which do something else and pass as well
	Differs      string       `json:"differs,omitempty"`      // on what it and one of these part ways
	Ideas        []string     `json:"ideas,omitempty"`        // by which it was made
	Grounds      *fix.Grounds `json:"grounds,omitempty"`
	Effort       *fix.Effort  `json:"effort,omitempty"`
}

func sureness(c fix.Candidate) Sureness {
	return Sureness{c.Confidence, c.Alternatives, c.Differs, c.Ideas, c.Grounds, c.Effort}
}

// Applied reports whether a round changed something that the session itself did not take back.
func (s *State) Applied(round int) bool {
	return slices.ContainsFunc(s.History, func(i Iteration) bool { return i.Number == round && i.Applied > 0 })
}

// current is the record of the round under way.
func (s *State) current() *Iteration {
	if len(s.History) == 0 {
		return &Iteration{}
	}
	return &s.History[len(s.History)-1]
}

// keep remembers a patch for a person, in place of any earlier one.
func (s *State) keep(p edit.Patch, author, explanation, why string) {
	if len(p) > 0 {
		s.Kept = &Kept{Patch: p, Author: author, Explanation: explanation, Why: why, Lesson: s.lesson(), Iteration: s.Iteration}
	}
}

// mostDoubtful is how many refused patches are remembered.
const mostDoubtful = 3

// consider remembers a refused patch if it is one of the most promising; the best of them is kept for a person.
func (s *State) consider(k Kept) {
	at := slices.IndexFunc(s.Doubtful, func(o Kept) bool { return k.Promise > o.Promise })
	if at < 0 {
		at = len(s.Doubtful)
	}
	s.Doubtful = slices.Insert(s.Doubtful, at, k)
	if len(s.Doubtful) > mostDoubtful {
		s.Doubtful = s.Doubtful[:mostDoubtful]
	}
	best := s.Doubtful[0]
	s.Kept = &best
}

// note adds a line for the report.
func (s *State) note(format string, args ...any) {
	if line := fmt.Sprintf(format, args...); !slices.Contains(s.Notes, line) {
		s.Notes = append(s.Notes, line)
	}
}

// clear forgets what belongs to one round only.
func (s *State) clear() {
	s.Plan, s.Proposals, s.Patch, s.Evidence, s.Verdict, s.Answer, s.Because = nil, nil, nil, nil, nil, "", ""
}
