package heal

import (
	"slices"
	"strings"

	"fettle/internal/fix"
	"fettle/internal/quote"
	"fettle/internal/verdict"
)

// suspected raises what is asked of a change whose author was shown text that talks to a model: then the evidence alone does not decide, but an independent second reader, or a person. Words
// prove nothing, and hold nothing back by themselves. What talks to its own reviewer is for a person in any case.
func (l *Loop) suspected(s *State, v *verdict.Verdict) {
	if v.Decision != verdict.Approve {
		return
	}
	if places := s.suspicious(); len(places) > 0 && !v.Independent {
		v.Decision = verdict.Ask
		v.Feedback = append(v.Feedback, "its author was shown text that talks to a model, and no independent second reader has approved the change: "+l.Lab.Discreet(strings.Join(places, "; ")))
	}
	if own := l.talksItself(s); own != "" {
		v.Decision = verdict.Ask
		v.Feedback = append(v.Feedback, "the change itself talks to a model that reads it: "+l.Lab.Discreet(own))
	}
}

// suspicious are the places that the authors of the round's patch were shown.
func (s *State) suspicious() (out []string) {
	for _, p := range s.Proposals {
		for _, place := range p.Candidate.Suspect {
			if !slices.Contains(out, place) {
				out = append(out, place)
			}
		}
	}
	return out
}

// talksItself is what the lines that a model or an agent adds say to a model; empty: nothing.
func (l *Loop) talksItself(s *State) string {
	for _, p := range s.Proposals {
		if p.Step.Rung < fix.RungModel {
			continue
		}
		diff, err := p.Candidate.Patch.Unified(l.tree.Source())
		if err != nil {
			continue // somebody has changed its file: whoever applies it says so
		}
		if found := quote.SuspiciousAdded(diff); len(found) > 0 {
			return found[0].String()
		}
	}
	return ""
}
