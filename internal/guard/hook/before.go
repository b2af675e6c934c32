package hook

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"fettle/internal/policy/shell"
)

// ruling is what becomes of a call, and how it came to that.
type ruling struct {
	shell.Verdict
	policy  Ruling // what the policy alone said
	grounds []shell.Fact
	why     []string // it should wait for a second opinion
	second  *Second
	rewound bool
	tried   int  // the attempt at the same that this is, from the third on
	bygone  bool // it is an earlier call that something is said against, and this one only hears of it
}

// before judges a tool call: by the policy, and then by what the session says, which may only be stricter, but for what takes
// nothing from anybody. What is left is put to a validator, where there is one.
func (h *Hook) before(s *session, o *occasion) answer {
	s.Calls++
	if o.Agent == "" {
		s.Since++
	}
	s.expire(h.now())
	r := &ruling{rewound: s.rewound(o)}
	r.Verdict, r.policy = s.judge(o)
	r.grounds = o.policy.Grounds(r.Verdict)
	if r.Decision == shell.Ask && !r.Final && s.excused(o, r.grounds) {
		r.Verdict = shell.Verdict{Facts: r.Facts}
	}
	r.why = s.strictly(o, r.Verdict)
	pending := len(s.Pending)
	for _, stricter := range []func(*session, *occasion, shell.Verdict) *shell.Verdict{h.itself, linked, unsettled, forgotten, troubled, forbidden, planning, planless, unheeded, drifted, restyled} {
		if r.Decision == shell.Deny {
			break
		}
		if w := stricter(s, o, r.Verdict); w != nil {
			w.Facts = r.Facts
			r.Verdict = *w
		}
	}
	r.bygone = len(s.Pending) < pending
	q, wait := h.question(s, o, r)
	if o.Agent == "" && r.Decision == shell.Allow && !looksOnly(r.Verdict) {
		s.acted()
	}
	if q == nil {
		return h.conclude(s, o, r)
	}
	if r.second = s.opinion(q, h.now()); r.second != nil {
		r.heed(r.second)
		return h.conclude(s, o, r)
	}
	if wait {
		return answer{asks: q}
	}
	r.second = &Second{Mode: "lazy", Stages: q.request.Stages}
	s.lost = errors.Join(s.lost, h.later(s, o, q, filepath.Dir(s.dir)))
	return h.conclude(s, o, r)
}

// conclude makes a ruling the answer, and remembers it.
func (h *Hook) conclude(s *session, o *occasion, r *ruling) (a answer) {
	if r.Decision > shell.Allow {
		s.Refused = true
		if f, ok := change(r.Verdict); ok && len(r.grounds) == 0 { // the session is against it: another file is another matter
			r.grounds = []shell.Fact{f}
		}
		if !r.bygone {
			r.tried, a.end = s.again(&r.Verdict, r.grounds, o)
		}
		if h.codex(s, &o.Event) {
			a.end = "" // Codex takes an answer that would end the turn for none, and lets the call through
		}
	}
	if r.Decision == shell.Ask && h.alone(s, &o.Event) {
		r.Decision = shell.Deny
		r.Reason += " (nobody is there to be asked)"
	}
	if r.Decision < shell.Deny {
		s.remember(o, r.Verdict)
		if _, ok := change(r.Verdict); ok {
			s.Changed = true
		}
	}
	s.lost = errors.Join(s.lost, h.log(s, o, r))
	a.verdict = &r.Verdict
	return a
}

// changes are the kinds of facts that leave something changed.
var changes = []shell.Kind{shell.Write, shell.Format, shell.Empty, shell.Delete, shell.Chmod, shell.Chown, shell.Link, shell.Mount,
	shell.Send, shell.Discard, shell.Rewrite, shell.Record, shell.Publish, shell.Force, shell.Unhooked, shell.Config, shell.Persist, shell.Install,
	shell.Kill, shell.Power, shell.Service, shell.Data, shell.Cloud}

// change is the first fact that changes something which lasts.
func change(v shell.Verdict) (shell.Fact, bool) {
	return firstOf(v.Facts, func(f shell.Fact) bool {
		return slices.Contains(changes, f.Kind) && f.Zone != shell.Scratch && f.Zone != shell.Nowhere && f.Zone != shell.Generated || saysSo(f)
	})
}

// firstOf is the first fact of a kind.
func firstOf(facts []shell.Fact, is func(shell.Fact) bool) (shell.Fact, bool) {
	if i := slices.IndexFunc(facts, is); i >= 0 {
		return facts[i], true
	}
	return shell.Fact{}, false
}

// forgotten asks about changes while nobody knows what the person said last: it may have been to change nothing.
func forgotten(s *session, _ *occasion, v shell.Verdict) *shell.Verdict {
	f, ok := change(v)
	if !s.Broken || v.Decision != shell.Allow || !ok {
		return nil
	}
	return &shell.Verdict{Decision: shell.Ask, Class: "told", Rule: "memory-lost",
		Reason:      fmt.Sprintf("what was remembered of this session is damaged, and what the person said with it, and this would change something: %s", f),
		Alternative: "the person says again what is to be done"}
}

// forbidden refuses changes after the person has said that nothing is to be changed, until they speak again.
func forbidden(s *session, _ *occasion, v shell.Verdict) *shell.Verdict {
	f, ok := change(v)
	if s.Forbids == "" || !ok {
		return nil
	}
	return &shell.Verdict{Decision: shell.Deny, Class: "told", Rule: "told-not-to",
		Reason:      fmt.Sprintf("the person said %q, and this would change something: %s", s.Forbids, f),
		Alternative: "answer the person first; they say when to go on"}
}

// planning refuses changes in plan mode. A subagent is on an errand of the plan's maker: its own calls are judged by the policy alone.
func planning(_ *session, o *occasion, v shell.Verdict) *shell.Verdict {
	f, ok := change(v)
	if o.Mode != "plan" || o.Agent != "" || !ok {
		return nil
	}
	return &shell.Verdict{Decision: shell.Deny, Class: "told", Rule: "plan-mode",
		Reason:      fmt.Sprintf("in plan mode nothing is changed, and this would: %s", f),
		Alternative: "finish the plan, and let the person approve it"}
}

// unheeded refuses once to publish while the last check that ran has failed, and was not run again with success.
func unheeded(s *session, _ *occasion, v shell.Verdict) *shell.Verdict {
	publishes := slices.ContainsFunc(v.Facts, func(f shell.Fact) bool { return f.Kind == shell.Publish })
	f := s.untold()
	if f == nil || !publishes {
		return nil
	}
	s.tell()
	return &shell.Verdict{Decision: shell.Deny, Class: "told", Rule: "failed-check",
		Reason:      fmt.Sprintf("%s failed (%s), and has not passed since", f.What, f.Error),
		Alternative: "mend it and run it again, or tell the person that it fails and why that may be"}
}
