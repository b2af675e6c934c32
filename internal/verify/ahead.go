package verify

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"fettle/internal/check"
	"fettle/internal/edit"
)

// Ahead is a laboratory like l whose baseline is the user's tree with a patch applied to it. The patch is asked for whenever
// a copy is opened or reset, and may have grown by then. Its copies are its own: close it, too.
func (l *Lab) Ahead(patch func() (edit.Patch, error)) *Lab {
	var mu sync.Mutex
	var with, without edit.Hash // the last digest, with what is ahead and without
	var last edit.Patch         // what was ahead then
	ahead := &Lab{
		Open: func(ctx context.Context, online bool) (Copy, error) {
			c, err := l.Open(ctx, online)
			if err != nil {
				return nil, err
			}
			a := &aheadCopy{Copy: c, patch: patch}
			if err := a.lay(ctx); err != nil {
				_ = c.Close() // why it is of no use is being returned
				return nil, err
			}
			return a, nil
		},
		Offline: l.Offline,
		Digest: func(ctx context.Context) (edit.Hash, error) {
			digest, err := l.Digest(ctx)
			if err != nil {
				return "", err
			}
			p, err := patch()
			if err != nil {
				return "", err
			}
			mu.Lock()
			defer mu.Unlock()
			with, without, last = digest, digest, p
			if len(p) > 0 {
				with = edit.Sum([]byte(digest + "\n" + p.Digest()))
			}
			return with, nil
		},
		Checks: l.Checks, Memory: l.Memory, Run: l.Run, Redact: l.Redact,
	}
	if l.Part != nil {
		ahead.Part = func(digest edit.Hash, c check.Check) (edit.Hash, bool) {
			mu.Lock()
			defer mu.Unlock()
			if digest != with {
				return "", false
			}
			part, ok := l.Part(without, c)
			concerning := slices.DeleteFunc(slices.Clone(last), func(ch edit.Change) bool { return !c.Concerns(ch.Path) })
			if len(concerning) > 0 {
				part = edit.Sum([]byte(part + "\n" + concerning.Digest()))
			}
			return part, ok
		}
	}
	// What configures the tools is protected: nothing that is ahead changes it without a person's word.
	if l.Setup != nil {
		ahead.Setup = func(digest edit.Hash) (edit.Hash, bool) {
			mu.Lock()
			defer mu.Unlock()
			if digest != with {
				return "", false
			}
			return l.Setup(without)
		}
	}
	if l.Reconfigured != nil {
		ahead.Reconfigured = func(digest edit.Hash) (bool, error) {
			mu.Lock()
			defer mu.Unlock()
			if digest != with {
				return false, nil
			}
			return l.Reconfigured(without)
		}
	}
	if l.Changed != nil {
		ahead.Changed = func(digest edit.Hash, paths []string) ([]string, error) {
			mu.Lock()
			defer mu.Unlock()
			if digest != with {
				return paths, nil
			}
			return l.Changed(without, paths)
		}
	}
	return ahead
}

// aheadCopy is a private copy that starts with a patch.
type aheadCopy struct {
	Copy
	patch func() (edit.Patch, error)
	base  map[string]edit.File // the patch's files, as they are at the start
}

// lay applies the patch to the fresh copy.
func (c *aheadCopy) lay(ctx context.Context) error {
	p, err := c.patch()
	if err != nil {
		return err
	}
	c.base, err = p.Apply(c.Source())
	if err == nil {
		err = c.Apply(ctx, p)
	}
	if err != nil {
		return fmt.Errorf("lay out what is ahead: %w", err)
	}
	return nil
}

func (c *aheadCopy) Reset(ctx context.Context) error {
	if err := c.Copy.Reset(ctx); err != nil {
		return err
	}
	return c.lay(ctx)
}

// Changes tells how the copy differs from its start, patch included.
func (c *aheadCopy) Changes(ctx context.Context) (edit.Patch, error) {
	p, err := c.Copy.Changes(ctx)
	if err != nil {
		return nil, err
	}
	var rest edit.Patch
	for _, ch := range p {
		if _, ahead := c.base[ch.Path]; !ahead {
			rest = append(rest, ch)
		}
	}
	now := map[string]edit.File{}
	for path := range c.base {
		if now[path], err = c.Source()(path); err != nil {
			return nil, err
		}
	}
	return append(rest, edit.Between(c.base, now)...), nil
}
