package heal

import (
	"log/slog"
)

// EventKind says what an event is about.
type EventKind string

// What a running session tells.
const (
	Began     EventKind = "began"       // Text: the session
	Resumed   EventKind = "resumed"     // Text: the session
	Entered   EventKind = "entered"     // Node, and in Text what it does
	Proposed  EventKind = "proposed"    // Text: who proposed what
	Refused   EventKind = "refused"     // Text: what was refused and why
	Measured  EventKind = "measured"    // Text: what verification found
	Applied   EventKind = "applied"     // Text: what changed
	Previewed EventKind = "would apply" // Text: what changed in a dry run's picture of the tree
	Reverted  EventKind = "reverted"    // Text: what was taken back and why
	Noted     EventKind = "noted"       // Text: anything a person should know
	Ended     EventKind = "ended"       // Text: the end
)

// Event is something that happened in a session.
type Event struct {
	Kind      EventKind
	Level     slog.Level // Debug: flow; Info: progress and fixes; Warn: low confidence, flaky; Error: what could not run
	Session   string
	Iteration int
	Node      string
	Text      string
}

func (l *Loop) tell(s *State, e Event) {
	if l.Tell == nil {
		return
	}
	e.Session, e.Iteration = s.Session, s.Iteration
	switch e.Kind {
	case Entered:
		e.Level = slog.LevelDebug
	case Refused:
		e.Level = slog.LevelWarn
	default:
		e.Level = slog.LevelInfo
	}
	l.Tell(e)
}
