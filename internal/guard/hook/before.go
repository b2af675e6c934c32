package hook

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"fettle/internal/guard"
	"fettle/internal/policy/shell"
)

// before judges a tool call: by the policy, and then by what the session says, which may only be stricter, but for one thing: an agent may
// delete what it has made.
func (h *Hook) before(s *session, e Event, at shell.Place, trail *trail, start time.Time) answer {
	s.Since++
	v := h.judge(e, at)
	policy := Ruling{v.Decision, v.Rule}
	grounds := h.Policy.Grounds(v)
	if v.Decision == shell.Ask && !v.Final && s.tidies(grounds) {
		v = shell.Verdict{Facts: v.Facts}
	}
	for _, stricter := range []func(*session, Event, shell.Verdict) *shell.Verdict{forbidden, planning, unheeded, restyled} {
		if v.Decision == shell.Deny {
			break
		}
		if w := stricter(s, e, v); w != nil {
			w.Facts = v.Facts
			v = *w
		}
	}
	var a answer
	if v.Decision > shell.Allow {
		a.end = s.again(&v, grounds, e.UseID)
	}
	if v.Decision == shell.Ask && h.alone(e) {
		v.Decision = shell.Deny
		v.Reason += " (nobody is there to be asked)"
	}
	if v.Decision < shell.Deny {
		s.remember(v)
	}
	s.lost = errors.Join(s.lost, h.log(s, e, policy, v, trail, start))
	a.verdict = &v
	return a
}

// judge is what the policy makes of an event's call.
func (h *Hook) judge(e Event, at shell.Place) shell.Verdict {
	call := e.Call
	call.Cwd = at.Cwd
	return guard.Judge(h.Policy, call, at)
}

// tidies reports that a call would be asked about for nothing but deleting files which this session's agent has made itself.
func (s *session) tidies(grounds []shell.Fact) bool {
	return len(grounds) > 0 && !slices.ContainsFunc(grounds, func(f shell.Fact) bool {
		return f.Kind != shell.Delete || f.Is(shell.Glob) || f.Is(shell.Vague) || f.Is(shell.Recursive) || !slices.Contains(ours, f.Zone) || s.wrote(f.Target) != made
	})
}

// alone reports that the client cannot ask a person: Claude Code says so of itself, and Codex's hooks know no question.
func (h *Hook) alone(e Event) bool {
	return h.env("CLAUDECODE") == "" || h.env("CLAUDE_CODE_SESSION_ATTENDED") == "0" || e.Mode == "dontAsk"
}

// changes are the kinds of facts that leave something changed.
var changes = []shell.Kind{shell.Write, shell.Format, shell.Empty, shell.Delete, shell.Chmod, shell.Chown, shell.Link, shell.Mount,
	shell.Send, shell.Discard, shell.Rewrite, shell.Publish, shell.Force, shell.Unhooked, shell.Config, shell.Persist, shell.Install,
	shell.Kill, shell.Power, shell.Service, shell.Data, shell.Cloud}

// change is the first fact that changes something which lasts.
func change(v shell.Verdict) (shell.Fact, bool) {
	return firstOf(v.Facts, func(f shell.Fact) bool {
		return slices.Contains(changes, f.Kind) && f.Zone != shell.Scratch && f.Zone != shell.Nowhere && f.Zone != shell.Generated
	})
}

// firstOf is the first fact of a kind.
func firstOf(facts []shell.Fact, is func(shell.Fact) bool) (shell.Fact, bool) {
	if i := slices.IndexFunc(facts, is); i >= 0 {
		return facts[i], true
	}
	return shell.Fact{}, false
}

// forbidden refuses changes after the person has said that nothing is to be changed, until they speak again.
func forbidden(s *session, _ Event, v shell.Verdict) *shell.Verdict {
	f, ok := change(v)
	if s.Forbids == "" || !ok {
		return nil
	}
	return &shell.Verdict{Decision: shell.Deny, Class: "told", Rule: "told-not-to",
		Reason:      fmt.Sprintf("the person said %q, and this would change something: %s", s.Forbids, f),
		Alternative: "answer the person first; they say when to go on"}
}

// planning refuses changes in plan mode. A subagent is on an errand of the plan's maker: its own calls are judged by the policy alone.
func planning(_ *session, e Event, v shell.Verdict) *shell.Verdict {
	f, ok := change(v)
	if e.Mode != "plan" || e.Agent != "" || !ok {
		return nil
	}
	return &shell.Verdict{Decision: shell.Deny, Class: "told", Rule: "plan-mode",
		Reason:      fmt.Sprintf("in plan mode nothing is changed, and this would: %s", f),
		Alternative: "finish the plan, and let the person approve it"}
}

// unheeded refuses once to publish while the last check that ran has failed, and was not run again with success.
func unheeded(s *session, _ Event, v shell.Verdict) *shell.Verdict {
	publishes := slices.ContainsFunc(v.Facts, func(f shell.Fact) bool { return f.Kind == shell.Publish })
	if s.Failed == nil || s.Failed.Told || !publishes {
		return nil
	}
	s.Failed.Told = true
	return &shell.Verdict{Decision: shell.Deny, Class: "told", Rule: "failed-check",
		Reason:      fmt.Sprintf("%s failed (%s), and has not passed since", s.Failed.What, s.Failed.Error),
		Alternative: "mend it and run it again, or tell the person that it fails and why that may be"}
}
