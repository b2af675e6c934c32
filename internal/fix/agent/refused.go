package agent

import (
	"fmt"
	"slices"
	"strings"

	"fettle/internal/fix"
)

// mostRefusals is how many reasons for refusals are told.
const mostRefusals = 4

// tellRefused tells which of the agent's calls were refused: else nobody knows why it has ended with nothing done. The guard says why. What the client says besides, if it tells of refusals
// at all, names the tool alone.
func (f *fixer) tellRefused(t fix.Task, home string, r *report) {
	var all []Refusal
	if f.o.Guard != nil {
		var err error
		if all, err = f.o.Guard.Refused(home); err != nil {
			tell(t, "what the guard has refused it cannot all be read: %v", err)
		}
	}
	count := max(len(all), len(r.denied))
	if count == 0 {
		return
	}
	for _, tool := range r.denied {
		if !slices.ContainsFunc(all, func(known Refusal) bool { return known.Tool == tool }) {
			all = append(all, Refusal{Tool: tool})
		}
	}
	told := make([]string, len(all))
	for i, one := range all {
		told[i] = f.o.Redactor.RedactString(one.String())
	}
	were := "were"
	if count == 1 {
		were = "was"
	}
	tell(t, "%d of its calls %s refused: %s", count, were, few(unique(told), mostRefusals))
}

// String is the refusal in a few words, on one line.
func (r Refusal) String() string {
	tool := strings.Join(strings.Fields(r.Tool), " ")
	if r.Why == "" {
		return tool
	}
	return fmt.Sprintf("%s (%s)", tool, sentence(r.Why))
}
