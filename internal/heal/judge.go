package heal

import (
	"cmp"
	"context"

	"fettle/internal/verdict"
)

// judge weighs the evidence. Without a model it is the evidence itself that decides: the failure was reproduced and is gone,
// nothing that passed before fails, nothing is new, and the audit is clean. What the audit asks about goes to a person, and what a model has made to a
// second one, where there is one.
func (l *Loop) judge(ctx context.Context, s *State) (string, error) {
	v := verdict.Verdict{Decision: verdict.Refuse, Judge: "evidence"}
	if s.Evidence == nil || !s.Evidence.Green {
		if s.Evidence != nil {
			v.Feedback = []string{s.Evidence.Reason}
		}
		s.Verdict = &v
		measured := cmp.Or(s.Evidence, &verdict.Evidence{})
		for _, p := range s.Proposals {
			if s.Tried[tried(p.Candidate.Patch)] {
				continue // it was tried alone, and is refused for what was seen then
			}
			l.refuse(ctx, s, p, "it did not pass verification: "+first(v.Feedback), measured)
		}
		return "not good enough", nil
	}
	v.Decision, v.Score = verdict.Approve, 100
	for _, p := range s.Proposals {
		if p.Audit.Decision() != verdict.Approve {
			v.Decision, v.Score = verdict.Ask, 50
			v.Feedback = append(v.Feedback, p.Audit.Verdict().Feedback...)
		}
	}
	if outcome, err := l.challenged(ctx, s, &v); outcome != "" || err != nil {
		s.Verdict = &v
		return outcome, err
	}
	l.suspected(s, &v)
	s.Verdict = &v
	if v.Decision == verdict.Ask {
		return "ask", nil
	}
	return "good", nil
}

func first(list []string) string {
	if len(list) == 0 {
		return "no evidence"
	}
	return list[0]
}
