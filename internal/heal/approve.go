package heal

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"fettle/internal/verdict"
)

// approve asks a person where one must say yes: when the session was told to (--approve), or when the audit will not decide
// alone. Everything else is approved by its evidence. A dry run asks nobody, and goes no further where somebody would be asked.
func (l *Loop) approve(ctx context.Context, s *State) (string, error) {
	if s.Verdict == nil || s.Verdict.Decision == verdict.Refuse {
		return "", errors.New("nothing that could be approved has come this far")
	}
	author, explanation := s.credits()
	if s.Verdict.Decision == verdict.Approve && (!s.Goal.Approve || s.Goal.DryRun) {
		return "yes", nil // nobody is asked twice: a dry run's patch waits for a person as a whole
	}
	if s.Goal.DryRun {
		why := "a person must decide on it: " + strings.Join(s.Verdict.Feedback, "; ")
		s.keep(s.Patch, author, explanation, why)
		s.note("a change by %s is not part of the patch (%s): %s", author, why, explanation)
		s.Reason = "a change needs a person's approval"
		return "wait", nil
	}
	if s.Answer == "" && l.Ask != nil {
		l.Lab.Settle() // a person may take their time
		a, err := l.Ask(ctx, s)
		if err != nil {
			return "", fmt.Errorf("ask for approval: %w", err)
		}
		switch {
		case a.Yes:
			s.Answer = "yes"
		case !a.Wait:
			s.Answer, s.Because = "no", a.Because
		}
	}
	switch s.Answer {
	case "yes":
		s.Kept = nil
		return "yes", nil
	case "no":
		if l.Book != nil {
			if err := l.Book.Rejected(ctx, s.Session, s.lesson()); err != nil {
				return "", err
			}
		}
		s.Reason = "a person said no"
		if s.Because != "" {
			s.Reason += ": " + s.Because
		}
		return "no", nil
	}
	why := "waits for approval"
	if s.Verdict != nil && len(s.Verdict.Feedback) > 0 {
		why += ": " + strings.Join(s.Verdict.Feedback, "; ")
	}
	s.keep(s.Patch, author, explanation, why)
	s.Kept.Asks = true
	s.Reason = fmt.Sprintf("a change %s: fettle diff %s shows it, then fettle approve %[2]s or fettle reject %[2]s", why, s.Session)
	return "wait", nil
}

// credits name who made the round's patch and what it does.
func (s *State) credits() (author, explanation string) {
	var authors, explanations []string
	for _, p := range s.Proposals {
		authors = append(authors, p.Candidate.Author)
		explanations = append(explanations, p.Candidate.Explanation)
	}
	return strings.Join(authors, ", "), strings.Join(explanations, "; ")
}
