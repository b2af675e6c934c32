package python

import (
	"context"
	"errors"
	"os/exec"
	"slices"
	"strings"

	"fettle/internal/diag"
	"fettle/internal/runner"
)

// openSlow makes the suite one that runs every candidate in a fresh process, because pytest cannot serve here for this reason. If that does not work
// either, the reason is the error.
func (s *suite) openSlow(ctx context.Context, why error) error {
	if ctx.Err() != nil || errors.Is(why, exec.ErrNotFound) {
		return why
	}
	all := &plan{Do: "plan"}
	for _, id := range s.ids() {
		all.Failing = append(all.Failing, step{id, measure{}})
	}
	out, err := s.fresh(ctx, nil, all)
	if err != nil {
		return errors.Join(why, err)
	}
	p := &plan{Do: "plan"}
	for _, id := range s.ids() {
		switch {
		case out.passed[id]:
			p.Passing = append(p.Passing, step{id, measure{}})
		case slices.Contains(s.failing, id) && out.failed[id]:
			p.Failing = append(p.Failing, step{id, measure{}})
		}
	}
	if len(p.Failing) == 0 {
		return why
	}
	s.failing, s.passing, s.plan = p.failing(), p.passing(), p
	s.slow, _, _ = strings.Cut(why.Error(), "\n")
	return nil
}

// traceSlow tells what the check itself has said of the failing tests.
func (s *suite) traceSlow() runner.Trace {
	t := runner.Trace{Notes: []string{"what the tests run is not known: " + s.Slow()}}
	for _, id := range s.failing {
		t.Runs = append(t.Runs, runner.Run{ID: id, Failed: true, Frames: s.framesOf(id)})
	}
	return t
}

func (s *suite) framesOf(id string) []diag.Frame {
	for _, d := range s.said {
		if d.Test == id {
			return d.Frames
		}
	}
	return nil
}
