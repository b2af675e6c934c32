package heal

import (
	"context"
	"fmt"
	"slices"

	"fettle/internal/edit"
	"fettle/internal/journal"
	"fettle/internal/workspace"
)

// tree is what the nodes change: the user's tree, or a dry run's picture of it.
type tree interface {
	// Source reads files.
	Source() edit.Source
	// Check reports everything that would keep the patch from being applied.
	Check(p edit.Patch) error
	// Apply carries out a round's patch, all of it or nothing, and returns its number in the journal, if it has one.
	Apply(ctx context.Context, p edit.Patch, why workspace.Why) (set int64, err error)
	// Applied finds what Apply did in a round before a crash. Stands is false when somebody took it back since.
	Applied(ctx context.Context, session string, iteration int) (a applied, err error)
	// Patch is what stands of a round, as a patch.
	Patch(ctx context.Context, session string, iteration int) (edit.Patch, error)
	// Holds reports whether the files of a round still are what it made of them.
	Holds(ctx context.Context, session string, iteration int) (bool, error)
	// Rollback takes a round's patch back.
	Rollback(ctx context.Context, session string, iteration int) error
}

// applied says whether a round's change was made.
type applied struct {
	done, stands bool
	set          int64 // in the journal
}

// over is the loop over the tree that a session changes.
func (l *Loop) over(s *State) *Loop {
	c := *l
	c.tree, c.real = userTree{l.Tree, l.Journal}, l.Lab
	if s.Goal.DryRun {
		p := preview{l.Tree, s}
		c.tree, c.Lab = p, l.Lab.Ahead(p.patch)
	}
	c.spread(s, s.Spread...)
	return &c
}

// userTree is the user's tree, and the journal of what was done to it.
type userTree struct {
	*workspace.Tree
	journal *journal.Journal
}

func (t userTree) Apply(ctx context.Context, p edit.Patch, why workspace.Why) (int64, error) {
	set, err := t.Tree.Apply(ctx, p, why)
	if err != nil {
		return 0, err
	}
	return set.ID, nil
}

// find finds the round's set in the journal. When there are several, the earlier ones were taken back and the round begun anew.
func (t userTree) find(ctx context.Context, session string, iteration int) (set journal.Set, found bool, err error) {
	sets, err := t.journal.List(ctx, journal.Filter{Session: session, Iteration: iteration, State: journal.Done})
	if err != nil {
		return set, false, fmt.Errorf("read the journal: %w", err)
	}
	i := slices.IndexFunc(sets, func(set journal.Set) bool { return set.Kind == journal.Apply })
	if i < 0 {
		return set, false, nil
	}
	return sets[i], true, nil
}

// Applied looks into the journal: a session that was killed after the change and before its checkpoint would apply it a second
// time.
func (t userTree) Applied(ctx context.Context, session string, iteration int) (applied, error) {
	set, found, err := t.find(ctx, session, iteration)
	if err != nil || !found {
		return applied{}, err
	}
	stack, err := t.journal.Stack(ctx)
	if err != nil {
		return applied{}, fmt.Errorf("read the journal: %w", err)
	}
	stands := slices.ContainsFunc(stack.Undo, func(st journal.Standing) bool {
		return st.Set.ID == set.ID && len(st.Entries) == len(set.Entries)
	})
	return applied{done: true, stands: stands, set: set.ID}, nil
}

func (t userTree) Patch(ctx context.Context, session string, iteration int) (edit.Patch, error) {
	set, _, err := t.find(ctx, session, iteration)
	if err != nil {
		return nil, err
	}
	before, after, err := images(t.journal, set)
	if err != nil {
		return nil, err
	}
	return edit.Between(before, after), nil
}

func (t userTree) Holds(ctx context.Context, session string, iteration int) (bool, error) {
	set, _, err := t.find(ctx, session, iteration)
	if err != nil {
		return false, err
	}
	for _, e := range set.Entries {
		if f, err := t.Source()(e.Path); err != nil || journal.ImageOf(f) != e.After {
			return false, err
		}
	}
	return true, nil
}

func (t userTree) Rollback(ctx context.Context, session string, iteration int) error {
	_, err := t.Tree.Rollback(ctx, session, iteration)
	return err
}
