// Package heal answers "how does a repository become healthy?": it holds THE loop. There is no other orchestrator.
//
// The loop is the graph below: nodes, edges and typed ends. Each node stands in a file of its own, named after it. What flows
// through is one [State]; after every node it is stored in one transaction, so that a session that was killed, paused or
// interrupted goes on at the next node. Every node is idempotent: what it did before a crash is found in the journal, or
// done again.
//
// Nothing here edits a file, runs a check or judges a patch by itself: the nodes ask the rooms below.
package heal

import (
	"fettle/internal/flow"
	"fettle/internal/phrase"
	"fettle/internal/verdict"
)

// Graph is the loop over checks: `fettle fix`.
//
// A patch is tried in private first; people approve what has evidence; only then does it touch the user's tree, where one
// last run of the checks confirms it.
func (l *Loop) Graph() *flow.Graph[State] {
	end := func(e verdict.End) string { return string(e) }
	g := flow.New[State]("fix", "round").
		Node("round", "begin a round, or stop at a limit", l.round,
			flow.On("go", "check"),
			flow.On("limit", end(verdict.Exhausted)),
			flow.On("budget", end(verdict.Budget)),
			flow.On("stuck", end(verdict.Stuck))).
		Node("check", "run the checks", l.check,
			flow.On("clean", "commit"),
			flow.On("findings", "plan"),
			flow.On("taken back", "round"),
			flow.On("changed meanwhile", "check"),
			flow.On("broken", end(verdict.Halted))).
		Node("plan", "choose what to heal, and who tries", l.plan,
			flow.On("tasks", "fix"),
			flow.On("not as remembered", "check"),
			flow.On("too many", end(verdict.Halted)),
			flow.On("nothing", end(verdict.Stuck))).
		Node("fix", "ask the fixers for patches, cheapest first", l.fix,
			flow.On("proposed", "gate"),
			flow.On("higher", "plan"),
			flow.On("not as remembered", "check"),
			flow.On("nothing", end(verdict.Stuck)),
			flow.On("budget", end(verdict.Budget))).
		Node("gate", "scope, size, confidence, honesty", l.gate,
			flow.On("passed", "verify"),
			flow.On("unsure", "plan"),
			flow.On("refused", "round")).
		Node("verify", "try the patch in a private copy", l.verify,
			flow.On("measured", "judge")).
		Node("judge", "weigh the evidence", l.judge,
			flow.On("good", "approve"),
			flow.On("ask", "approve"),
			flow.On("not good enough", "round"),
			flow.On("budget", end(verdict.Budget))).
		Node("approve", "ask a person, where one must say yes", l.approve,
			flow.On("yes", "apply"),
			flow.On("no", end(verdict.Rejected)),
			flow.On("wait", end(verdict.Paused))).
		Node("apply", "change the user's files, undoably", l.apply,
			flow.On("applied", "confirm"),
			flow.On("changed meanwhile", "round")).
		Node("confirm", "run the checks once more, on the user's tree", l.confirm,
			flow.On("clean", "commit"),
			flow.On("better", "round"),
			flow.On("worse", "round"),
			flow.On("again", "check")).
		Node("commit", "commit what was healed, if asked to", l.commit,
			flow.On("done", end(verdict.Converged)),
			flow.On("refused", end(verdict.Rejected))).
		OnError(func(err error) string {
			l.failure = phrase.Failure(err)
			return end(verdict.Halted)
		})
	for _, e := range []verdict.End{
		verdict.Converged, verdict.Exhausted, verdict.Rejected, verdict.Budget, verdict.Stuck, verdict.Halted, verdict.Paused,
	} {
		g.End(end(e), e.Meaning())
	}
	return g
}
