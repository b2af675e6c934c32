package search

import (
	"context"
	"fmt"
	"strings"
	"time"

	"fettle/internal/code"
	"fettle/internal/fix"
	"fettle/internal/fix/nearby"
	"fettle/internal/locate"
	"fettle/internal/phrase"
	"fettle/internal/runner"
)

// hunt is the search for one suite's failing tests.
type hunt struct {
	opts  Search
	task  fix.Task
	suite runner.Suite
	unit  *unit
	sites []*site // where something may be wrong
	about searched
	watch
}

// mostFiles bounds how many suspicious files are read.
const mostFiles = 60

func (h *hunt) run(ctx context.Context) ([]fix.Candidate, error) {
	h.watch = newWatch()
	trace, err := h.suite.Trace(ctx, h.opts.Trace)
	if err != nil {
		return nil, err
	}
	suspects, err := locate.Suspects(ctx, h.suite, trace, h.task.Diagnostics, h.task.Recent, h.task.InScope)
	if err != nil {
		return nil, err
	}
	if h.unit, err = h.read(ctx, suspects, trace); err != nil {
		return nil, err
	}
	h.sites = h.unit.sites(suspects)
	h.about = h.asks(trace)
	if len(h.sites) == 0 {
		h.lost(trace)
		return nil, nil
	}
	if h.opts.memory.knows(h.about) {
		return nil, nil
	}
	h.opts.Time = h.opts.memory.time(h.about, h.opts.Time)
	found, err := h.try(ctx)
	h.unit.slips.tell(h.task.Note)
	if err != nil {
		return nil, err
	}
	switch {
	case len(found.vain) > 0:
		about := h.about
		about.tests = found.vain
		h.opts.memory.add(about)
	case !found.all && len(found.whole) == 0:
		h.opts.memory.addLate(h.about)
	}
	out := h.candidates(ctx, found)
	if len(out) == 0 && h.task.Note != nil {
		h.task.Note(found.inVain(time.Since(h.began)))
	}
	return out, nil
}

// lost says that there is no place to search at, and what the trace has to say of that.
func (h *hunt) lost(trace runner.Trace) {
	if h.task.Note == nil {
		return
	}
	text := "no source is known that the failing tests of " + h.suite.Name() + " run and that may be changed, so there is nothing to try"
	if len(trace.Notes) > 0 {
		text += " (" + strings.Join(trace.Notes, "; ") + ")"
	}
	h.task.Note(text)
}

// inVain says what was done where nothing was found.
func (f found) inVain(took time.Duration) string {
	text := fmt.Sprintf("it tried %s in %.1f s, and none makes the failing tests pass without breaking another", phrase.Count(f.tried, "candidate"), took.Seconds())
	if !f.all {
		text += "; there are more, but its limits are reached"
	}
	return text
}

// read reads the suspicious files, the most suspicious first.
func (h *hunt) read(ctx context.Context, suspects []locate.Suspect, trace runner.Trace) (*unit, error) {
	u := newUnit(h.opts.Learnt)
	u.demanded = demanded(h.task.Diagnostics)
	u.checker, _ = h.suite.(runner.Checker)
	project := nearby.In(h.task.Place.FS)
	u.around = func(f *code.File) []*code.File { return readAround(ctx, h.task.Place, project, f) }
	for _, x := range suspects {
		if u.files[x.File] != nil || len(u.files) == mostFiles {
			continue
		}
		f, err := readSource(ctx, h.task.Place, x.File)
		if err != nil {
			return nil, err
		}
		if f == nil {
			continue
		}
		u.add(f)
	}
	u.learn(trace.Seen)
	return u, nil
}

// generated reports whether a program wrote the file (https://go.dev/s/generatedcode, and what others write like it): what is mended
// there does not last.
func generated(text string) bool {
	head := text[:min(len(text), 2000)]
	return strings.Contains(head, "DO NOT EDIT.") || strings.Contains(head, "@generated")
}
