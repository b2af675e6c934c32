package heal

import (
	"errors"
	"fmt"
	"strings"

	"fettle/internal/budget"
	"fettle/internal/phrase"
	"fettle/internal/verify"
)

// overLimit says which of the person's limits kept a fixer from asking; empty where none did.
func overLimit(err error) string {
	var money *budget.ExceededError
	var count *budget.CountError
	switch {
	case errors.As(err, &money):
		return money.Error()
	case errors.As(err, &count):
		return count.Error()
	}
	return ""
}

// passed is [overLimit], with how a session's limit is set that nobody has chosen.
func (s *State) passed(err error) string {
	var money *budget.ExceededError
	if errors.As(err, &money) && money.Limit == "session" {
		return overLimit(err) + s.unchosen()
	}
	return overLimit(err)
}

// spent says that the session's money is.
func (s *State) spent() string {
	return fmt.Sprintf("the budget of %s is spent%s", budget.Dollars(s.Goal.Budget), s.unchosen())
}

// unchosen says of the session's limit that nobody has chosen it, and how one does, where that is so.
func (s *State) unchosen() string {
	if !s.Goal.Usual {
		return ""
	}
	return " (fettle's own limit: --budget USD sets another, and 0 none)"
}

// mostLeft is how many findings are named that a session leaves for lack of money.
const mostLeft = 3

// left names what is left where there is no money for more.
func (l *Loop) left(s *State) string {
	if len(s.Findings) == 0 {
		return ""
	}
	var names []string
	for _, d := range s.Findings[:min(len(s.Findings), mostLeft)] {
		names = append(names, d.Check+": "+l.Lab.Discreet(verify.Describe(d)))
	}
	if more := len(s.Findings) - mostLeft; more > 0 {
		names = append(names, fmt.Sprintf("and %d more", more))
	}
	return fmt.Sprintf("; %s left: %s", phrase.Count(len(s.Findings), "finding"), strings.Join(names, "; "))
}
