package heal

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"fettle/internal/check"
	"fettle/internal/edit"
	"fettle/internal/fix"
	"fettle/internal/flow"
	"fettle/internal/journal"
	"fettle/internal/learn"
	"fettle/internal/locate"
	"fettle/internal/phrase"
	"fettle/internal/verdict"
	"fettle/internal/verify"
	"fettle/internal/workspace"
)

// Loop is the loop and the rooms that its nodes ask. All fields but Ask, Tell and Committer are needed.
type Loop struct {
	Config     *check.Config
	Tree       *workspace.Tree
	Journal    *journal.Journal // of the tree
	Lab        *verify.Lab
	Ladder     fix.Ladder
	Locator    *locate.Locator // tells fixers where a fault may be; nil: nobody does
	Sessions   *Sessions
	Legacy     *check.Legacy // findings that are left alone; nil: none
	Book       *learn.Book   // where what becomes of repairs is written down; nil: nowhere
	Trust      learn.Trust   // what became of fixers' patches until now, which moves how sure they have to be
	Challenger Challenger    // judges what models and agents have made; nil: nobody does
	// Committer commits what was healed; nil where there is no git.
	Committer Committer
	// Ask asks the person at the terminal. Nil where there is none: then a question waits in the store.
	Ask func(ctx context.Context, s *State) (Answer, error)
	// Tell is told what happens, as it happens. May be nil.
	Tell func(Event)
	// Moved returns an error when the checks are configured otherwise by now than this loop has them, or cannot be read. May be nil.
	Moved func(ctx context.Context) error
	// Files lists the files of the repository, so that the audit can ask tests what they expect. May be nil: then only those that fail are asked.
	Files func() []string

	tree    tree            // what the session changes
	real    *verify.Lab     // over the user's tree, whatever the session changes
	scripts map[string]bool // see judges
	fresh   *verify.Known   // what confirm has just measured: the next round need not read the tree again
	failure string          // why a node could not do its work
}

// Answer is a person's answer about a change.
type Answer struct {
	Yes     bool
	Wait    bool // the person has not decided: the session pauses
	Because string
}

// errTime ends a run whose wall time is used up.
var errTime = errors.New("the time limit was reached")

// ErrClosed says that there is nothing in a session to go on with.
var ErrClosed = errors.New("nothing to resume")

// Start runs a new session to its end, which is stored with it. The error says that the loop itself could not go on.
func (l *Loop) Start(ctx context.Context, goal Goal) (*State, verdict.End, error) {
	s := &State{Session: NewID(), Goal: goal, Started: time.Now(), Tried: map[string]bool{}}
	if err := l.Sessions.create(ctx, s); err != nil {
		return s, verdict.Halted, err
	}
	l.tell(s, Event{Kind: Began, Text: s.Session})
	return l.over(s).run(ctx, s, "")
}

// Resume goes on with a stored session at the node it had not finished.
func (l *Loop) Resume(ctx context.Context, id string) (*State, verdict.End, error) {
	rec, err := l.Sessions.Load(ctx, id)
	if err != nil {
		return nil, verdict.Halted, err
	}
	s := rec.State
	switch {
	case rec.Closed():
		return s, rec.End, fmt.Errorf("%w: session %s has ended (%s); start a new one with fettle fix", ErrClosed, rec.Session, rec.End)
	case rec.End == verdict.Paused && s.Goal.DryRun:
		return s, rec.End, fmt.Errorf("%w: session %s was a dry run: take its patch with fettle accept %[2]s, drop it with fettle discard %[2]s", ErrClosed, rec.Session)
	}
	s.Reason = "" // why it paused is not why it will end
	l.tell(s, Event{Kind: Resumed, Text: s.Session})
	l = l.over(s)
	from, err := l.whereTo(ctx, s, rec.Node)
	if err != nil {
		return s, verdict.Halted, err
	}
	return l.run(ctx, s, from)
}

// whereTo is the node at which a stored session goes on. What was measured holds for the tree and the checks as they were:
// when either has changed since, the round begins again with its checks.
func (l *Loop) whereTo(ctx context.Context, s *State, node string) (string, error) {
	if node == "" {
		return node, nil
	}
	if s.Commands != l.commands() {
		if len(s.Goal.Narrow) > 0 {
			return "", fmt.Errorf("%w: session %s is about a part of the checks as they were, and they were changed since; start a new one with fettle fix", ErrClosed, s.Session)
		}
		return "check", l.beginAnew(ctx, s, "the configured checks have changed since this session stopped")
	}
	if node == "round" || node == "check" || node == "commit" || s.Known == nil {
		return node, nil
	}
	if a, err := l.tree.Applied(ctx, s.Session, s.Iteration); err != nil || a.stands || node == "confirm" {
		return node, err // this round's own change is why the tree differs
	}
	digest, err := l.Lab.Digest(ctx)
	if err != nil {
		return "", fmt.Errorf("read the working tree: %w", err)
	}
	if digest == s.Known.Digest {
		return node, nil
	}
	return "check", l.beginAnew(ctx, s, "files have changed since this session stopped")
}

// commands identifies the configured checks.
func (l *Loop) commands() edit.Hash {
	raw, err := json.Marshal(l.Lab.Checks)
	if err != nil {
		return ""
	}
	return edit.Sum(raw)
}

func (l *Loop) run(ctx context.Context, s *State, from string) (*State, verdict.End, error) {
	if s.Goal.Time > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, s.Goal.Time-s.Spent, errTime)
		defer cancel()
	}
	defer l.Lab.Close()
	s.Commands = l.commands()
	began, before := time.Now(), s.Spent
	last, err := marshal(s) // the state at the last finished node
	if err != nil {
		return s, verdict.Halted, err
	}
	graph := l.Graph()
	name, err := graph.Run(ctx, s, from, flow.Hooks[State]{
		Enter: func(node, does string) { l.tell(s, Event{Kind: Entered, Node: node, Text: does}) },
		Checkpoint: func(ctx context.Context, s *State, step flow.Step) error {
			s.Spent = before + time.Since(began)
			s.Last = step
			if step.Err != "" {
				s.Reason = l.failure
			}
			var err error
			if last, err = marshal(s); err != nil {
				return err
			}
			if err := l.Sessions.save(ctx, s, last, step); err != nil {
				return err
			}
			return l.stillConfigured(ctx, graph, step)
		},
	})
	if ctx.Err() != nil && err != nil {
		// The node that was cut short may have changed the state half-way.
		whole, err := restore(last)
		if err != nil {
			return s, verdict.Halted, err
		}
		*s = *whole
	}
	s.Spent = before + time.Since(began) // the node that was cut short took time too
	end, err := s.ending(ctx, verdict.End(name), err)
	if s.Reason == "" {
		s.Reason = end.Meaning()
	}
	if end == verdict.Budget || end == verdict.Halted {
		err = errors.Join(err, l.leaveNothingUnconfirmed(ctx, s))
	}
	if err == nil && ctx.Err() == nil {
		err = l.vouchAtTheEnd(ctx, s, end)
	} else if end != verdict.Interrupted {
		l.unableToVouch(s)
	}
	if err == nil && ctx.Err() == nil {
		err = l.weighDoubtful(ctx, s, end)
	}
	if end == verdict.Converged {
		s.Kept = nil // what was refused on the way is of no use any more
	}
	l.closeRound(s, end)
	if offered, err2 := l.offer(s, end); err2 != nil {
		end, err, s.Reason = offered, errors.Join(err, err2), err2.Error()
	} else {
		end = offered
	}
	if err2 := l.Sessions.end(context.WithoutCancel(ctx), s, end); err2 != nil {
		err = errors.Join(err, err2)
	}
	l.tell(s, Event{Kind: Ended, Text: string(end)})
	return s, end, err
}

// ending is the end that a run came to, and its reason when it is not the graph's own; the error is left where something is wrong
// besides.
func (s *State) ending(ctx context.Context, end verdict.End, err error) (verdict.End, error) {
	var moved *MovedError
	switch {
	case err == nil:
	case errors.Is(err, errTime):
		end, err, s.Reason = verdict.Budget, nil, fmt.Sprintf("the time limit of %s was reached", s.Goal.Time)
	case errors.As(err, &moved):
		end, err, s.Reason = verdict.Interrupted, moved, moved.Error()+"; go on with: fettle resume "+s.Session
	case ctx.Err() != nil:
		end, err, s.Reason = verdict.Interrupted, nil, "interrupted; go on with: fettle resume "+s.Session
	default:
		end, s.Reason = verdict.Halted, phrase.Failure(err)
	}
	return end, err
}

// leaveNothingUnconfirmed takes back a change that was applied in a session that ends before it could be confirmed.
func (l *Loop) leaveNothingUnconfirmed(ctx context.Context, s *State) error {
	if s.Last.Next != "confirm" && s.Last.Node != "confirm" {
		return nil
	}
	ctx = context.WithoutCancel(ctx)
	if a, err := l.tree.Applied(ctx, s.Session, s.Iteration); err != nil || !a.stands {
		return err
	}
	return l.takeBack(ctx, s, "it could not be confirmed: "+s.Reason)
}

// closeRound completes the record of the round under way.
func (l *Loop) closeRound(s *State, end verdict.End) {
	r := s.current()
	if r.Number == 0 {
		return
	}
	r.Took = s.Spent - r.Before // what the clock says may have been set since, and a pause is nobody's work
	switch {
	case r.Status == "rolled back":
	case end == verdict.Converged:
		r.Status = "converged"
	case r.Applied > 0:
		r.Status = "in progress"
	default:
		r.Status = "no progress"
	}
}
