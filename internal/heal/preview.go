package heal

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"fettle/internal/edit"
	"fettle/internal/verdict"
	"fettle/internal/workspace"
)

// preview is the tree of a dry run: the user's, with the rounds' patches on top that the state holds (State.Ahead). Round
// after round goes as it would, private copies start with what is ahead, and the user's tree stays as it is.
type preview struct {
	user *workspace.Tree
	s    *State
}

// files are the files that differ from the user's once one patch after the other is laid on what is ahead: as they would be,
// and as they are.
func (p preview) files(more ...edit.Patch) (ahead, now map[string]edit.File, err error) {
	ahead, now = map[string]edit.File{}, map[string]edit.File{}
	user := p.user.Source()
	seen := func(path string) (edit.File, error) {
		if f, ok := ahead[path]; ok {
			return f, nil
		}
		return user(path)
	}
	lay := func(patch edit.Patch) error {
		after, err := patch.Apply(seen)
		if err != nil {
			return err
		}
		for path, f := range after {
			if _, ok := now[path]; !ok {
				if now[path], err = user(path); err != nil {
					return err
				}
			}
			ahead[path] = f
		}
		return nil
	}
	for _, round := range slices.Sorted(maps.Keys(p.s.Ahead)) {
		if err := lay(p.s.Ahead[round]); err != nil {
			return nil, nil, fmt.Errorf("round %d of the dry run: %w", round, err)
		}
	}
	for _, patch := range more {
		if err := lay(patch); err != nil {
			return nil, nil, err
		}
	}
	return ahead, now, nil
}

// patch is everything that is ahead, as one patch to the user's tree.
func (p preview) patch() (edit.Patch, error) { return p.with() }

// with is everything that is ahead and what more is laid on it, as one patch to the user's tree.
func (p preview) with(more ...edit.Patch) (edit.Patch, error) {
	ahead, now, err := p.files(more...)
	if err != nil {
		return nil, err
	}
	return edit.Between(now, ahead), nil
}

func (p preview) Source() edit.Source {
	return func(path string) (edit.File, error) {
		ahead, _, err := p.files()
		if f, ok := ahead[path]; ok || err != nil {
			return f, err
		}
		return p.user.Source()(path)
	}
}

func (p preview) Check(patch edit.Patch) error {
	whole, err := p.with(patch)
	if err != nil {
		return err
	}
	return p.user.Check(whole)
}

func (p preview) Apply(_ context.Context, patch edit.Patch, why workspace.Why) (int64, error) {
	if err := p.Check(patch); err != nil {
		return 0, err
	}
	if p.s.Ahead == nil {
		p.s.Ahead = map[int]edit.Patch{}
	}
	p.s.Ahead[why.Iteration] = patch
	return 0, nil
}

func (p preview) Applied(_ context.Context, _ string, iteration int) (applied, error) {
	_, done := p.s.Ahead[iteration]
	return applied{done: done, stands: done}, nil
}

func (p preview) Patch(_ context.Context, _ string, iteration int) (edit.Patch, error) {
	return p.s.Ahead[iteration], nil
}

func (preview) Holds(context.Context, string, int) (bool, error) { return true, nil }

func (p preview) Rollback(_ context.Context, _ string, iteration int) error {
	delete(p.s.Ahead, iteration)
	return nil
}

// offer ends a dry run that has something to offer: its patch waits for a person, however far it goes.
func (l *Loop) offer(s *State, end verdict.End) (verdict.End, error) {
	if !s.Goal.DryRun || len(s.Ahead) == 0 || end == verdict.Interrupted || end == verdict.Halted {
		return end, nil
	}
	patch, err := preview{l.Tree, s}.patch()
	if err != nil {
		return verdict.Halted, fmt.Errorf("files changed while the dry run went on; start it again: %w", err)
	}
	var authors, explanations []string
	for _, r := range s.History {
		for _, c := range r.Changes {
			if !slices.Contains(authors, c.Author) {
				authors = append(authors, c.Author)
			}
			explanations = append(explanations, c.Explanation)
		}
	}
	s.Proposals = nil // the patch is that of all rounds
	s.keep(patch, strings.Join(authors, ", "), strings.Join(explanations, "; "), "dry run")
	with := "every chosen check passes with this patch"
	if end != verdict.Converged {
		with = "this patch does not heal everything (" + s.Reason + ")"
	}
	s.Reason = "dry run: nothing was changed; " + with
	return verdict.Paused, nil
}
