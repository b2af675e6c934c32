package hook

import (
	"fmt"
	"slices"
	"strings"

	"fettle/internal/policy/shell"
)

// attempt is one thing that was not allowed, by what it would have done: whatever command it was tried with, it is the same attempt.
type attempt struct {
	Does  []string `json:"does"`
	Times int      `json:"times"`
	Uses  []string `json:"uses,omitempty"` // the last calls that counted
	Open  []string `json:"open,omitempty"` // calls that were asked about: those that are not granted count, too
}

// After so many similar attempts the agent is told to stop, and after so many more its turn ends.
const (
	tellAt = 3
	endAt  = 6
)

// again counts an attempt at what was not allowed before, which is recognised by its grounds; where it has none (a validator was against the call), by what it was aimed at. After the third, a question becomes a refusal, for it is being asked in ever other
// words; after the sixth, the turn ends, and why is returned. From the third on it says which attempt this was.
func (s *session) again(v *shell.Verdict, grounds []shell.Fact, o *occasion) (tried int, end string) {
	var does []string
	for _, f := range grounds {
		does = append(does, s.mark(f))
	}
	if slices.Contains([]string{"no-second-opinion", "policy-unusable", "memory-lost", "unread"}, v.Rule) {
		return 0, "" // the guard's own trouble, and nobody's attempt
	}
	if does == nil {
		does = []string{s.aim(o, v.Facts)}
	}
	a := s.attempted(does)
	if a.count(v.Decision == shell.Ask, o.UseID, s.refused) < tellAt {
		return 0, ""
	}
	v.Decision = shell.Deny
	v.Reason += fmt.Sprintf(". CRITICAL: You have attempted %d similar workarounds for %q. STOP trying alternatives: tell the person what you need, and why", a.Times, a.Does[0])
	if a.Times >= endAt {
		return a.Times, fmt.Sprintf("fettle guard ends the turn: %q was tried %d times in different words", a.Does[0], a.Times)
	}
	return a.Times, ""
}

// aim is what a call is recognised by that nothing in itself speaks against: its tool, and what that would run or is about.
func (s *session) aim(o *occasion, facts []shell.Fact) string {
	all := []string{o.Tool}
	for _, f := range facts {
		if !slices.Contains(looking, f.Kind) && f.Kind != shell.Tool {
			all = append(all, s.mark(f))
		}
	}
	if len(all) == 1 {
		all = append(all, s.redactor().RedactString(string(o.Input)))
	}
	return clip(strings.Join(all, " "), 160)
}

// mark is what a fact is recognised by: by which program, and how, is what an attempt varies.
func (s *session) mark(f shell.Fact) string {
	git := strings.HasPrefix(f.By, "git ")
	f.By, f.Traits = "", nil
	switch {
	case git && (f.Kind == shell.Publish || f.Kind == shell.Force): // to which branch, and how that is called
		f.Target = ""
	case git && f.Kind == shell.Discard && allWork(f.Target):
		f.Target = "work"
	case f.Kind == shell.Install: // another version of a package is the same package
		names := strings.Fields(f.Target)
		for i, name := range names {
			if end := strings.IndexAny(name[1:], "=<>~![;@?"); end >= 0 {
				names[i] = name[:end+1]
			}
		}
		slices.Sort(names)
		f.Target = strings.Join(names, " ")
	}
	return clip(s.redactor().RedactString(f.String()), 160)
}

// allWork reports what git calls all that was not committed, and what people do.
func allWork(target string) bool {
	for _, word := range strings.Fields(target) {
		if !strings.HasPrefix(word, "HEAD") && !slices.Contains([]string{".", "./", "*", ":/", "--", "changes", "and", "commits", "untracked", "files"}, word) {
			return false
		}
	}
	return true
}

// judge is what becomes of the event's call, and what the policy alone says. What the agent's own scripts would do decides as it does in a command, where the same was not
// allowed since the person last spoke: what was refused is not to be had by writing it down first.
func (s *session) judge(o *occasion) (v shell.Verdict, policy Ruling) {
	var again []shell.Fact
	if len(s.Denied) > 0 {
		o.at.Overlooked = func(f *shell.Fact) {
			if !f.Is(shell.Vague) && !strings.Contains(f.Target, "…") && s.withheld(s.mark(*f)) {
				again = append(again, *f)
			}
		}
	}
	v = o.judge()
	o.at.Overlooked = nil
	policy = Ruling{v.Decision, v.Rule}
	if len(again) == 0 || v.Decision == shell.Deny {
		return v, policy
	}
	v.Facts = append(v.Facts, again...)
	if v.Decision == shell.Allow {
		v = o.policy.Decide(v.Facts)
		v.Reason = "what the agent has written would do what was not allowed before: " + v.Reason
	}
	return v, policy
}

// withheld reports what was refused, or asked about and not granted. A question that is still open is neither.
func (s *session) withheld(mark string) bool {
	for i := range s.Denied {
		if a := &s.Denied[i]; slices.Contains(a.Does, mark) && (a.Times > 0 || slices.ContainsFunc(a.Open, s.refused)) {
			return true
		}
	}
	return false
}

// count counts a call, and says which attempt it is. A call counts once, however many hooks it is put to; one that is asked about counts once it has not been
// granted: of several at a time none has yet.
func (a *attempt) count(asked bool, use string, refused func(string) bool) int {
	if use != "" && slices.Contains(a.Uses, use) {
		return a.Times
	}
	for _, open := range slices.Clone(a.Open) {
		if open != use && refused(open) {
			a.close(open)
		}
	}
	switch {
	case !asked || use == "" || a.Times+1 >= tellAt: // the question becomes a refusal then
		a.close(use)
		return a.Times
	case !slices.Contains(a.Open, use):
		a.Open = append(a.Open[max(0, len(a.Open)-maxDoes+1):], use)
	}
	return a.Times + 1
}

// close counts a call that was not allowed.
func (a *attempt) close(use string) {
	if use != "" && slices.Contains(a.Uses, use) {
		return
	}
	a.Open = slices.DeleteFunc(a.Open, func(open string) bool { return open == use })
	a.Times++
	if use != "" {
		a.Uses = append(a.Uses[max(0, len(a.Uses)-maxDoes+1):], use)
	}
}

// approved forgets an attempt of which a call has run after all: a person said yes to it.
func (s *session) approved(use string) {
	s.Denied = without(s.Denied, func(a *attempt) bool {
		return use != "" && (slices.Contains(a.Uses, use) || slices.Contains(a.Open, use))
	})
}

// attempted is the attempt that shares what it does with this one; a new one, if there is none.
func (s *session) attempted(does []string) *attempt {
	for i := range s.Denied {
		if slices.ContainsFunc(does, func(d string) bool { return slices.Contains(s.Denied[i].Does, d) }) {
			for _, d := range does {
				if !slices.Contains(s.Denied[i].Does, d) && len(s.Denied[i].Does) < maxDoes {
					s.Denied[i].Does = append(s.Denied[i].Does, d)
				}
			}
			return &s.Denied[i]
		}
	}
	if len(s.Denied) == maxKept {
		s.Denied = s.Denied[1:]
	}
	s.Denied = append(s.Denied, attempt{Does: does[:min(len(does), maxDoes)]})
	return &s.Denied[len(s.Denied)-1]
}
