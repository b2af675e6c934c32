package workspace

import (
	"context"

	"fettle/internal/edit"
)

// SetFault makes f run at each step of the write protocol. An error from it is an error of that step.
func (t *Tree) SetFault(f func(step string) error) { t.fault = f }

// ApplyUnjournalled is the write protocol alone, to measure it.
func (t *Tree) ApplyUnjournalled(ctx context.Context, p edit.Patch) error {
	steps, err := t.plan(p)
	if err != nil {
		return err
	}
	for i, s := range steps {
		steps[i].temp = tempName(s.path)
	}
	_, err = t.perform(ctx, steps, side{secure: func() error { return nil }})
	return err
}
