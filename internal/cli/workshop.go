package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"fettle/internal/check"
	"fettle/internal/edit"
	"fettle/internal/fix"
	"fettle/internal/fix/plugin"
	"fettle/internal/fix/search"
	"fettle/internal/fix/tool"
	"fettle/internal/learn"
	"fettle/internal/verify"
	"fettle/internal/workspace"
)

// lab is the laboratory over the repository.
//
// Offline takes the network away from the user's own checks too.
func (h *house) lab(o check.RunOptions, offline bool) *verify.Lab {
	o.Written, o.Output, o.Parallel = h.config.Written, h.config.Limits.Output, h.config.Limits.Parallel
	return &verify.Lab{
		Open: func(ctx context.Context, online bool) (verify.Copy, error) {
			return h.openCopy(ctx, online, online && !offline)
		},
		Offline: offline,
		Digest:  h.digest,
		Part:    func(digest edit.Hash, c check.Check) (edit.Hash, bool) { return h.stock.Part(digest, c) },
		Setup:   h.stock.Setup, Reconfigured: h.stock.Reconfigured,
		Between: h.stock.Between,
		Changed: h.stock.Changed,
		Checks:  h.config.Checks,
		Memory:  &verify.Memory{DB: h.db},
		Run:     o,
		Redact:  redactor().RedactString,
	}
}

// openCopy opens a private copy. The user's own checks keep what they write to caches; candidates only start from there.
func (h *house) openCopy(ctx context.Context, own, network bool) (*workspace.Copy, error) {
	o := workspace.CopyOptions{
		Root:      h.root,
		State:     filepath.Join(h.copiesDir(), fmt.Sprintf("%d-%d", os.Getpid(), h.copies.Add(1))),
		Mask:      []string{filepath.Dir(h.state)},
		CacheDir:  filepath.Join(h.state, "cache"),
		KeepCache: own,
		Languages: h.languages(),
		Network:   workspace.NetworkLoopback,
		Ignored:   h.ignored,
	}
	if h.repo != nil && !within(h.root, h.repo.CommonDir) {
		o.Shared = append(o.Shared, h.repo.CommonDir)
	}
	if network {
		o.Network = workspace.NetworkHost
	}
	if !own {
		o.Hide = workspace.Personal(os.Getenv)
	}
	c, err := workspace.OpenCopy(ctx, o)
	if err == nil && h.say != nil && !c.Confined() {
		h.loose.Do(func() { h.say("what runs in the private copy is not wholly confined: %s", c.Describe()) })
	}
	return c, err
}

// languages are those of the checks; nil when one could be of any.
func (h *house) languages() []string {
	out := []string{}
	for _, c := range h.config.Checks {
		if c.Lang == "" {
			return nil
		}
		out = append(out, c.Lang)
	}
	return out
}

// ignored tells what git ignores, so that a fixer's patch never holds it.
func (h *house) ignored(ctx context.Context, paths []string) ([]string, error) {
	if h.repo == nil {
		return nil, nil
	}
	return h.repo.Ignored(ctx, paths)
}

func within(root, path string) bool {
	rel, err := filepath.Rel(root, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

func (h *house) digest(ctx context.Context) (edit.Hash, error) {
	m, err := h.stock.Take(ctx)
	if err != nil {
		return "", err
	}
	return m.Digest(), nil
}

// ladder is the fixers of this repository, cheapest first, and after them those that are given.
func (h *house) ladder(ctx context.Context, more []fix.Fixer) (fix.Ladder, error) {
	seeker := search.New(harnesses()...)
	learnt, err := h.learnt(ctx)
	if err != nil {
		return nil, err
	}
	seeker.Learnt = map[string]learn.Count{}
	for _, c := range learnt {
		seeker.Learnt[c.Idea] = c
	}
	fixers := []fix.Fixer{tool.New(), seeker}
	for _, p := range h.config.Fixers.Plugins {
		fixers = append(fixers, plugin.New(p))
	}
	if more, err = h.adapted(ctx, more); err != nil {
		return nil, err
	}
	return fix.NewLadder(append(fixers, more...)...)
}

// adapted puts models that have never healed anything here behind the others, where the configuration lets them change places.
func (h *house) adapted(ctx context.Context, all []fix.Fixer) ([]fix.Fixer, error) {
	if !h.config.Fixers.Adapt {
		return all, nil
	}
	scores, err := h.book().Scores(ctx)
	if err != nil {
		return nil, err
	}
	tallies := map[string]fix.Tally{}
	for _, s := range scores {
		t := tallies[s.Fixer]
		tallies[s.Fixer] = fix.Tally{Turns: t.Turns + s.Turns, Healed: t.Healed + s.Healed}
	}
	return fix.Adapted(all, tallies), nil
}

// book is where what becomes of repairs is written down.
func (h *house) book() *learn.Book { return &learn.Book{DB: h.db, Fresh: h.fresh} }

// trust is how often fixers' patches were kept here beside how sure they were of them, as the journal has it now.
func (h *house) trust(ctx context.Context) (learn.Trust, error) {
	stack, err := h.journal.Stack(ctx)
	if err != nil {
		return nil, err
	}
	return h.book().Records(ctx, stack.Stands, stack.Knows)
}

// learnt is what became of repairs here, as the journal has it now.
func (h *house) learnt(ctx context.Context) ([]learn.Count, error) {
	stack, err := h.journal.Stack(ctx)
	if err != nil {
		return nil, err
	}
	return h.book().Counts(ctx, stack.Stands, stack.Knows)
}
