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
	var digests laidDigests
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
			return digests.add(digest, p), nil
		},
		Checks: l.Checks, Memory: l.Memory, Run: l.Run, Redact: l.Redact,
	}
	if l.Part != nil {
		ahead.Part = func(digest edit.Hash, c check.Check) (edit.Hash, bool) {
			at, ok := digests.find(digest)
			if !ok {
				return "", false
			}
			part, ok := l.Part(at.without, c)
			concerning := slices.DeleteFunc(slices.Clone(at.patch), func(ch edit.Change) bool { return !c.Concerns(ch.Path) })
			if len(concerning) > 0 {
				part = edit.Sum([]byte(part + "\n" + concerning.Digest()))
			}
			return part, ok
		}
	}
	// What configures the tools is protected: nothing that is ahead changes it without a person's word.
	if l.Setup != nil {
		ahead.Setup = func(digest edit.Hash) (edit.Hash, bool) {
			at, ok := digests.find(digest)
			if !ok {
				return "", false
			}
			return l.Setup(at.without)
		}
	}
	if l.Reconfigured != nil {
		ahead.Reconfigured = func(digest edit.Hash) (bool, error) {
			at, ok := digests.find(digest)
			if !ok {
				return false, nil
			}
			return l.Reconfigured(at.without)
		}
	}
	if l.Changed != nil {
		ahead.Changed = func(digest edit.Hash, paths []string) ([]string, error) {
			at, ok := digests.find(digest)
			if !ok {
				return paths, nil
			}
			return l.Changed(at.without, paths)
		}
	}
	return ahead
}

// laidDigests are the last few digests of a tree with a patch laid on it.
type laidDigests struct {
	mu   sync.Mutex
	last []laidDigest
}

type laidDigest struct {
	with, without edit.Hash // the patch
	patch         edit.Patch
}

// add gives the tree of a digest, with a patch, a digest of its own.
func (l *laidDigests) add(digest edit.Hash, p edit.Patch) edit.Hash {
	const most = 4
	d := laidDigest{digest, digest, p}
	if len(p) > 0 {
		d.with = edit.Sum([]byte(digest + "\n" + p.Digest()))
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.last = append(slices.DeleteFunc(l.last, func(old laidDigest) bool { return old.with == d.with }), d)
	if n := len(l.last); n > most {
		l.last = slices.Delete(l.last, 0, n-most)
	}
	return d.with
}

func (l *laidDigests) find(with edit.Hash) (laidDigest, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if i := slices.IndexFunc(l.last, func(d laidDigest) bool { return d.with == with }); i >= 0 {
		return l.last[i], true
	}
	return laidDigest{}, false
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
