package locate

import (
	"fettle/internal/diag"
	"fettle/internal/runner"
)

// Trace takes in what tests were seen to do: what each ran, and the stacks of failures as far as they lie in files that own allows.
func (s *Spectrum) Trace(t runner.Trace, own func(file string) bool) Evidence {
	var ev Evidence
	for _, r := range t.Runs {
		spans := make([]Span, len(r.Lines))
		for i, l := range r.Lines {
			spans[i] = Span(l)
		}
		s.Add(r.Failed, r.Exact, spans)
		if r.Failed {
			ev.Stack(r.Frames, own)
		}
	}
	return ev
}

// Stack adds a failure's stack frames, those in files that own does not allow left out.
func (e *Evidence) Stack(frames []diag.Frame, own func(file string) bool) {
	var kept []diag.Frame
	for _, f := range frames {
		if own == nil || own(f.File) {
			kept = append(kept, f)
		}
	}
	if len(kept) > 0 {
		e.Stacks = append(e.Stacks, kept)
	}
}
