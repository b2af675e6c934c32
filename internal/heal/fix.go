package heal

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"fettle/internal/check"
	"fettle/internal/diag"
	"fettle/internal/edit"
	"fettle/internal/fix"
	"fettle/internal/glob"
	"fettle/internal/locate"
	"fettle/internal/runner"
)

// fix goes up the ladder until a rung has something to offer: each fixer in turn is asked for its first candidate that was
// not tried before. Candidates of one rung are independent changes to one baseline and are merged; one that conflicts waits
// for a later round.
func (l *Loop) fix(ctx context.Context, s *State) (string, error) {
	s.Proposals = l.held(s)
	if err := l.Lab.Baseline(ctx, s.Known, l.planned(s)); err != nil {
		return "", err
	}
	l.judges() // found once, before several ask for them at a time
	if err := l.recalled(ctx, s); err != nil {
		return "", err
	}
	for rest := s.Plan; len(rest) > 0 && len(s.Proposals) == 0; {
		steps := lowest(rest)
		rest = rest[len(steps):]
		answers, err := l.ask(ctx, s, steps)
		if err != nil {
			return "", err
		}
		limit := ""
		for _, a := range answers {
			l.hear(ctx, s, a)
			if err := l.turned(ctx, s, a); err != nil {
				return "", err
			}
			limit = cmp.Or(limit, s.passed(a.err))
		}
		if s.Goal.Budget > 0 && s.Cost > s.Goal.Budget {
			limit = s.spent()
		}
		if limit != "" && (len(s.Proposals) == 0 || s.Cost > s.Goal.Budget && s.Goal.Budget > 0) {
			s.Reason = limit + l.left(s)
			return "budget", nil
		}
	}
	if len(s.Proposals) == 0 && len(s.Plan) > 0 && s.Plan[0].Rung == fix.RungTool {
		return "higher", nil // the tools have nothing to offer
	}
	if len(s.Proposals) == 0 {
		if s.Reason == "" {
			s.Reason = "the fixers have nothing more to offer" + unparsed(s.Findings) + l.bounds(s)
		}
		return l.sure(ctx, s, "nothing")
	}
	s.current().Attempted += len(s.Proposals)
	return l.sure(ctx, s, "proposed")
}

// planned are the checks whose findings are planned to be healed.
func (l *Loop) planned(s *State) []check.Check {
	return slices.DeleteFunc(slices.Clone(l.Lab.Checks), func(c check.Check) bool {
		return !slices.ContainsFunc(s.Plan, func(step Step) bool { return step.about(c.Name) })
	})
}

// hear takes in what a fixer answered.
func (l *Loop) hear(ctx context.Context, s *State, a answer) {
	if a.err != nil {
		why := l.Lab.Discreet(fmt.Sprintf("%s could not work on %s: %v", a.step.Fixer, a.step.names(), a.err))
		l.tell(s, Event{Kind: Noted, Text: why})
		s.note("%s", why)
	}
	for _, text := range a.notes {
		s.note("%s", l.Lab.Discreet(text))
	}
	s.Cost += a.spent
	s.talked(a.step, a.talk)
	s.Unpriced = s.Unpriced || a.unpriced
	for _, r := range a.refused {
		l.refuse(ctx, s, r.Proposal, r.why, nil)
	}
	p := a.proposal
	if p == nil {
		s.Tried[a.step.Key] = true
		return
	}
	s.Cost += p.Candidate.Cost
	s.Unpriced = s.Unpriced || p.Candidate.Unpriced
	if st := p.Candidate.Stance; st != nil {
		st.Reason = l.Lab.Discreet(st.Reason)
		s.current().Stances = append(s.current().Stances, Stance{p.Candidate.Author, *st})
		l.tell(s, Event{Kind: Noted, Text: fmt.Sprintf("%s answers the challenger: %s: %s", p.Candidate.Author, st.Decision, st.Reason)})
	}
	if s.joined(*p) {
		return
	}
	s.Proposals = append(s.Proposals, *p)
	l.tell(s, Event{Kind: Proposed, Text: fmt.Sprintf("%s: %s", p.Candidate.Author, p.Candidate.Explanation)})
}

// joined reports whether an earlier proposal of this round is the very same patch, and hands it the targets: one change
// often mends what two checks complain about.
func (s *State) joined(p Proposal) bool {
	for i, earlier := range s.Proposals {
		if earlier.Candidate.Patch.Digest() == p.Candidate.Patch.Digest() {
			s.Proposals[i].Targets = slices.Concat(earlier.Targets, p.Targets)
			return true
		}
	}
	return false
}

// targets are a step's findings, check by check.
func (s *State) targets(step Step) (out []diag.Diagnostic) {
	for _, share := range step.shares() {
		out = append(out, s.shared(share)...)
	}
	return out
}

// shared are the findings of a share.
func (s *State) shared(of Share) []diag.Diagnostic {
	return slices.DeleteFunc(slices.Clone(s.Findings), func(d diag.Diagnostic) bool {
		return d.Check != of.Check || !slices.Contains(of.Targets, d.ID)
	})
}

// propose asks one fixer for its first new candidate; nil when it has none; and what it tells beside. It may spend so many US
// dollars at the most, where that is not zero. It only reads the state: several run side by side.
func (l *Loop) propose(ctx context.Context, s *State, step Step, most float64) (a answer) {
	a.step = step
	began := time.Now()
	a.proposal, a.err = l.put(ctx, s, step, most, &a)
	a.took = time.Since(began)
	return a
}

// put puts the task to the fixer, and writes down what it tells beside.
func (l *Loop) put(ctx context.Context, s *State, step Step, most float64, a *answer) (*Proposal, error) {
	f, c, err := l.whose(step)
	if err != nil {
		return nil, err
	}
	place, release, err := l.Lab.Borrow(ctx, false)
	if err != nil {
		return nil, err
	}
	defer release()
	before := s.sentBack(step)
	task := fix.Task{
		Check: c, Diagnostics: s.shared(step.shares()[0]), Baseline: s.Known.Online[c.Name], Feedback: s.feedback(step), SentBack: before.Patch,
		Formatters: l.formatters(s), InScope: l.inScope(s), Place: place, Seen: l.seen(s), Known: step.known, Money: most,
	}
	task.Note = func(text string) {
		a.notes = append(a.notes, fmt.Sprintf("%s, asked about %s: %s", step.Fixer, step.names(), text))
	}
	for _, share := range step.Also {
		also, ok := l.Lab.Find(share.Check)
		if !ok {
			return nil, fmt.Errorf("there is no check %q any more", share.Check)
		}
		task.Also = append(task.Also, fix.Part{Check: also, Diagnostics: s.shared(share), Baseline: s.Known.Online[also.Name]})
	}
	task.Spent = func(usd float64, known bool) { a.spent, a.unpriced = a.spent+usd, a.unpriced || !known }
	task.Talk = s.talk(step)
	task.Talked = func(id string) { a.talk = id }
	task.TryAll = l.Lab.Oracle(place, c, task.Diagnostics, task.Baseline)
	task.TryWhole = l.Lab.Oracle(place, c, task.Baseline.Diagnostics, task.Baseline)
	if types, ok := l.types(s, c); ok {
		task.TryTypes = l.Lab.Oracle(place, types, nil, s.Known.Online[types.Name])
	}
	if l.Locator != nil {
		l.locate(&task)
	}
	var met choice
	for cand, err := range f.Propose(ctx, task) {
		if err != nil {
			if len(met.refused) > 0 {
				break // what there is can still be judged
			}
			return nil, err
		}
		if least, _ := l.least(step, cand); len(cand.Patch) == 0 || s.again(cand, least) {
			task.Spent(cand.Cost, !cand.Unpriced)
			l.useless(ctx, s, Proposal{Candidate: cand}, "what it proposed has led nowhere before")
			continue
		}
		cand.Explanation = l.Lab.Discreet(cand.Explanation)
		if len(before.Patch) > 0 && cand.Patch.Digest() == before.Patch.Digest() {
			cand.Explanation = before.Explanation // what its author makes of objections is no word on what it does
		}
		p := Proposal{Step: step, Candidate: cand, Targets: s.targets(step)}
		why := ""
		if cand.Alternatives > 0 { // without any there is no choice, and the gate judges it
			if p.Audit = l.audit(ctx, s, p); ctx.Err() != nil {
				return nil, ctx.Err()
			}
			why = l.objection(p)
		}
		if met.over(p, why) {
			break
		}
	}
	offered, passed := met.made()
	for _, r := range passed {
		task.Spent(r.Candidate.Cost, !r.Candidate.Unpriced)
	}
	a.refused = passed
	return offered, nil
}

// choice is made among a fixer's candidates: the first that nothing stands against. Only those that the fixer has found beside the first are asked for after one has to be turned down: they
// are paid for, and a fixer that would begin to look for others is asked again when it knows what was wrong.
type choice struct {
	taken   *Proposal
	refused []objected
}

// objected is a proposal, and what stands against it.
type objected struct {
	Proposal
	why string
}

// over takes in a candidate, and says whether that was the last to be asked for.
func (c *choice) over(p Proposal, why string) bool {
	if why == "" {
		c.taken = &p
		return true
	}
	c.refused = append(c.refused, objected{p, why})
	return len(c.refused) > c.refused[0].Candidate.Alternatives
}

// made is what is offered, and what was turned down for it. Where something stands against each, the first is offered all the same: the gate says what.
func (c *choice) made() (*Proposal, []objected) {
	if c.taken != nil || len(c.refused) == 0 {
		return c.taken, c.refused
	}
	return &c.refused[0].Proposal, c.refused[1:]
}

// everything is a check that every file concerns.
var everything = check.Check{}

// seen is the digest of the tree as the round has found it, what a dry run is ahead included, and of the bounds of the goal. Which commit HEAD names does not count, as far as the files are known without it.
func (l *Loop) seen(s *State) edit.Hash {
	files := s.Known.Digest
	if l.Lab.Part != nil {
		if part, known := l.Lab.Part(files, everything); known {
			files = part
		}
	}
	return edit.Sum(fmt.Appendf(nil, "%s %q %q", files, s.Goal.Only, l.Config.Scope))
}

// locate lets the fixer ask where the fault may be.
func (l *Loop) locate(t *fix.Task) {
	at := *l.Locator
	if history := l.Locator.History; history != nil {
		at.History = func(ctx context.Context, file string) ([]locate.Recent, error) {
			lines, err := history(ctx, file)
			if err != nil && ctx.Err() == nil { // it is a help, and no condition
				t.Note(fmt.Sprintf("what is new in %s is not known: %v", file, err))
				return nil, nil
			}
			return lines, err
		}
	}
	t.Recent = at.History
	t.Suspects = func(ctx context.Context) ([]locate.Suspect, error) {
		var all []locate.Suspect
		for _, p := range t.Parts() {
			job := runner.Job{Place: t.Place, Check: p.Check, Baseline: p.Baseline, Failing: runner.Failing(p.Check, p.Diagnostics)}
			found, err := at.Suspects(ctx, job, t.InScope)
			if err != nil {
				return nil, err
			}
			if all = append(all, found...); len(t.Also) > 0 {
				if err := fix.Restore(ctx, t.Place, nil); err != nil {
					return nil, err
				}
			}
		}
		if len(t.Also) > 0 {
			slices.SortStableFunc(all, func(a, b locate.Suspect) int { return cmp.Compare(b.Score, a.Score) })
		}
		return all, nil
	}
}

// formatters are the checks of form that pass: what is changed has to pass them, too.
func (l *Loop) formatters(s *State) []check.Check {
	return slices.DeleteFunc(slices.Clone(l.Lab.Checks), func(c check.Check) bool {
		return c.Kind() != "format" || s.Known.Online[c.Name].Status != check.Passed
	})
}

// longTypes is as long as a check that judges types may take to be asked about single patches: verification asks it anyway.
const longTypes = 20 * time.Second

// types is the check that judges the types of what another one tests, and has nothing to complain of on the baseline.
func (l *Loop) types(s *State, of check.Check) (check.Check, bool) {
	i := slices.IndexFunc(l.Lab.Checks, func(c check.Check) bool {
		was := s.Known.Online[c.Name]
		return c.Kind() == "type" && c.Dir == of.Dir && was.Status == check.Passed && was.Wall < longTypes
	})
	if i < 0 {
		return check.Check{}, false
	}
	return l.Lab.Checks[i], true
}

func (l *Loop) whose(step Step) (fix.Fixer, check.Check, error) {
	c, ok := l.Lab.Find(step.Check)
	if !ok {
		return nil, c, fmt.Errorf("there is no check %q any more", step.Check)
	}
	i := slices.IndexFunc(l.Ladder, func(f fix.Fixer) bool { return f.Name() == step.Fixer })
	if i < 0 {
		return nil, c, fmt.Errorf("there is no fixer %q any more", step.Fixer)
	}
	return l.Ladder[i], c, nil
}

// inScope says which files a patch may touch: those that --only and the configured scope name, or any.
func (l *Loop) inScope(s *State) func(string) bool {
	return func(path string) bool { return Within(s.Goal.Only, path) && Within(l.Config.Scope, path) }
}

// Within reports whether one of these folders or globs has a path in it; without any, every path is.
func Within(globs []string, path string) bool {
	return len(globs) == 0 || slices.ContainsFunc(globs, func(g string) bool {
		return glob.Match(g, path) || strings.HasPrefix(path, strings.TrimSuffix(g, "/")+"/") || g == "."
	})
}

// tried is the name under which a patch that led nowhere is remembered.
func tried(p edit.Patch) string { return "patch " + string(p.Digest()) }

// doubted is the name under which a patch is remembered that was not tried, because its author was not sure of it.
func doubted(p edit.Patch) string { return "doubt " + string(p.Digest()) }

// again reports whether a patch has led nowhere before. One that was only doubted has not, where somebody offers it who is sure of it.
func (s *State) again(c fix.Candidate, least float64) bool {
	return s.Tried[tried(c.Patch)] || c.Confidence < least && s.Tried[doubted(c.Patch)]
}
