package heal

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"fettle/internal/edit"
	"fettle/internal/journal"
)

// Committer makes one commit of what a session changed, on a branch of fettle's, without moving HEAD or touching the
// user's index. It verifies the very tree that it commits.
type Committer interface {
	// Commit commits the changes. Refusal is not an error: Committed.Refused says why nothing was committed.
	Commit(ctx context.Context, c Commit) (Committed, error)
}

// Commit is what is to be committed.
type Commit struct {
	Session string
	Message string
	Goal    []string // names of the checks that must pass on what is committed
	Files   map[string]Span
}

// Span is one file from before a session to after it.
type Span struct{ Before, After edit.File }

// Committed is a commit that was made, or the reason why not.
type Committed struct {
	ID, Branch string
	ByHooks    []string // files that the user's own hooks changed in the commit; they were not verified
	Refused    string
}

// Unable is the Committer where nothing can be committed. It is the reason why.
type Unable string

// Commit refuses.
func (u Unable) Commit(context.Context, Commit) (Committed, error) {
	return Committed{Refused: string(u)}, nil
}

// commit commits what the session changed, if it was asked to, after full success only.
func (l *Loop) commit(ctx context.Context, s *State) (string, error) {
	if !s.Goal.Commit || s.Goal.DryRun || s.Commit != "" {
		return "done", nil
	}
	files, err := Spans(ctx, l.Journal, s.Session)
	if err != nil {
		return "", err
	}
	if len(files) == 0 {
		s.note("there was nothing to commit")
		return "done", nil
	}
	if l.Committer == nil {
		s.Reason = "everything passes, but this is not a git repository: there is nothing to commit to"
		return "refused", nil
	}
	done, err := l.Committer.Commit(ctx, Commit{Session: s.Session, Goal: s.Goal.whole(), Message: Message(s), Files: files})
	if err != nil {
		return "", fmt.Errorf("commit: %w", err)
	}
	if done.Refused != "" {
		s.Reason = "everything passes, but nothing was committed: " + l.Lab.Discreet(done.Refused)
		return "refused", nil
	}
	s.Commit, s.Branch = done.ID, done.Branch
	if len(done.ByHooks) > 0 {
		s.note("your git hooks changed %s in the commit; that was not verified", strings.Join(done.ByHooks, ", "))
	}
	l.tell(s, Event{Kind: Noted, Text: fmt.Sprintf("committed %.12s on %s", done.ID, done.Branch)})
	return "done", nil
}

// Spans are the files that a session's standing changes touched, from their first image to their last.
func Spans(ctx context.Context, j *journal.Journal, session string) (map[string]Span, error) {
	stack, err := j.Stack(ctx)
	if err != nil {
		return nil, fmt.Errorf("read the journal: %w", err)
	}
	files := map[string]Span{}
	for _, standing := range slices.Backward(stack.Undo) {
		if standing.Set.Session != session {
			continue
		}
		for _, e := range standing.Entries {
			span, seen := files[e.Path]
			if !seen {
				if span.Before, err = image(j, e.Before); err != nil {
					return nil, err
				}
			}
			if span.After, err = image(j, e.After); err != nil {
				return nil, err
			}
			files[e.Path] = span
		}
	}
	return files, nil
}

// Diff is what a change set did, as a unified diff.
func Diff(ctx context.Context, j *journal.Journal, set int64) (string, error) {
	s, err := j.Get(ctx, set)
	if err != nil {
		return "", fmt.Errorf("read the journal: %w", err)
	}
	before, after, err := images(j, s)
	if err != nil {
		return "", err
	}
	return edit.Diff(before, after)
}

// images are the files that a change set touched, as they were before it and after it.
func images(j *journal.Journal, s journal.Set) (before, after map[string]edit.File, err error) {
	before, after = map[string]edit.File{}, map[string]edit.File{}
	for _, e := range s.Entries {
		if before[e.Path], err = image(j, e.Before); err != nil {
			return nil, nil, err
		}
		if after[e.Path], err = image(j, e.After); err != nil {
			return nil, nil, err
		}
	}
	return before, after, nil
}

func image(j *journal.Journal, i journal.Image) (edit.File, error) {
	if !i.Exists {
		return edit.File{}, nil
	}
	data, err := j.Blob(i.Hash)
	return edit.File{Data: data, Mode: i.Mode, Exists: true}, err
}

// Message is the commit message for what a session did: one line for one change, a title and a line each for more.
func Message(s *State) string {
	var changes []AppliedChange
	gone := 0
	for _, r := range s.History {
		changes = append(changes, r.Changes...)
		gone += r.Gone
	}
	if len(changes) == 1 {
		return "fix: " + lower(changes[0].Explanation) + "\n"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "fix: heal %d findings of %s\n\n", gone, strings.Join(s.Goal.Checks, ", "))
	for _, c := range changes {
		fmt.Fprintf(&b, "- %s: %s\n", c.Check, c.Explanation)
	}
	return b.String()
}

func lower(sentence string) string {
	sentence = strings.TrimSuffix(sentence, ".")
	if sentence == "" || strings.ToUpper(sentence[:1]) != sentence[:1] || len(sentence) > 1 && strings.ToUpper(sentence[1:2]) == sentence[1:2] {
		return sentence
	}
	return strings.ToLower(sentence[:1]) + sentence[1:]
}
