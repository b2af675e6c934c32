package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"fettle/internal/audit"
	"fettle/internal/audit/challenge"
	"fettle/internal/check"
	"fettle/internal/edit"
	"fettle/internal/git"
	"fettle/internal/heal"
	"fettle/internal/mcp"
	"fettle/internal/message"
	"fettle/internal/phrase"
	"fettle/internal/policy/shell"
	"fettle/internal/report"
	"fettle/internal/verdict"
)

// Confirm implements [mcp.Desk]: what fettle confirm does, and whether git lets the files be committed at all. An agent is not asked whether a model should read what it has made, nor whether one
// should be paid once more for the same.
func (d desk) Confirm(ctx context.Context, c mcp.Call, in mcp.ConfirmInput) (*mcp.Confirmed, error) {
	a := d.at(c)
	h, err := a.open(ctx)
	if err != nil {
		return nil, err
	}
	defer h.Close()
	u, err := h.uncommitted(ctx)
	if err != nil {
		return nil, err
	}
	f := confirmFlags{goal: in.For, in: in.In, makers: in.By}
	q, err := h.dossier(f, u)
	if err != nil {
		return nil, err
	}
	files, err := h.settled(ctx)
	if err != nil {
		return nil, err
	}
	reader, err := a.secondReader(ctx, h, f)
	if err != nil {
		return nil, err
	}
	defer reader.done()
	g, err := a.weigh(ctx, h, u)
	if err != nil {
		return nil, err
	}
	results := []mcp.Result{files}
	results = append(results, g.results()...)
	results = append(results, reader.reads(ctx, q.with(g), results))
	return g.gate(results, len(u.change.Patch)), nil
}

// reads is what the second reader says of a change. What has not passed the rest is shown to no model.
func (r secondReader) reads(ctx context.Context, c challenge.Case, rest []mcp.Result) mcp.Result {
	out := mcp.Result{Name: "Second reader", Status: mcp.NotJudged}
	switch {
	case r.ask == nil && r.missing != nil:
		out.Why = r.missing.Error()
		return out
	case r.ask == nil:
		out.Why = r.unasked
		return out
	case slices.ContainsFunc(rest, failed):
		out.Why = "what does not pass the rest is shown to no model"
		return out
	}
	o, err := r.ask(ctx, c)
	talks := talkedTo(c.Diff)
	switch {
	case err != nil:
		out.Status, out.Why = mcp.Fail, nobodyJudged(err).Error()
	case !o.Approved:
		out.Status, out.Why = mcp.Fail, o.Who()+" does not approve of it: "+strings.Join(o.Feedback(), " ")
	case talks != "":
		out.Status, out.Why = mcp.Fail, talks
	case !o.Independent():
		out.Why = o.Who() + " approves of it, which counts for nothing: the checks and the audit decided"
	default:
		out.Status, out.Why = mcp.Pass, fmt.Sprintf("by %s (%d of 100)", o.Who(), o.Score)
	}
	return out
}

func failed(r mcp.Result) bool { return r.Status == mcp.Fail }

// settled says whether the files are in a state to be committed at all.
func (h *house) settled(ctx context.Context) (mcp.Result, error) {
	r := mcp.Result{Name: "Files", Status: mcp.Pass}
	s, err := h.repo.Status(ctx)
	if err != nil {
		return r, err
	}
	if bad := s.Conflicts(); len(bad) > 0 {
		r.Status, r.Why = mcp.Fail, "a merge left these unmerged: "+phrase.Some(bad, 5)
	} else if what := h.repo.InProgress(); what != "" {
		r.Status, r.Why = mcp.Fail, "a "+what+" is under way: the person finishes or ends it"
	} else if others := s.Untracked(); len(others) > 0 {
		r.Why = "untracked, and committed only where they are named: " + phrase.Some(others, 5)
	}
	return r, nil
}

// results are what the grounds say, as an agent reads it.
func (g grounds) results() []mcp.Result {
	quality := mcp.Result{Name: "Code Quality", Status: mcp.Pass}
	if ev := g.evidence(); !ev.Green {
		quality.Status, quality.Why = mcp.Fail, ev.Reason
		var bad []string
		for _, l := range checked(g.run).Checks {
			if l.Status != string(check.Passed) {
				bad = append(bad, strings.TrimSuffix(l.Check+" "+l.Status+": "+l.Reason, ": "))
			}
		}
		if len(bad) > 0 {
			quality.Why = strings.Join(bad, "; ")
		}
	}
	security := mcp.Result{Name: "Security", Status: mcp.Pass}
	switch g.audit.Decision() {
	case verdict.Refuse:
		security.Status, security.Why = mcp.Fail, "the audit refuses the change"
	case verdict.Ask:
		security.Status, security.Why = mcp.Fail, "a person has to say yes to the change"
	case verdict.Approve:
	}
	return []mcp.Result{quality, security}
}

// gate is what results come to for a change of n files. One FAIL declines. Whether documentation still holds nobody here can tell.
func (g grounds) gate(results []mcp.Result, n int) *mcp.Confirmed {
	out := &mcp.Confirmed{
		Verdict: mcp.Confirms, Reason: "every check passes, and nothing stands in the way of the change of " + phrase.Count(n, "file"),
		Results:  append(results, mcp.Result{Name: "Documentation", Status: mcp.NotJudged, Why: "whether what is written still holds is for a reader to say"}),
		Findings: checked(g.run).Findings, Audit: judgedBy(g.audit),
	}
	var why []string
	for _, r := range out.Results {
		if failed(r) {
			why = append(why, r.Name+": "+r.Why)
		}
	}
	if len(why) > 0 {
		out.Verdict, out.Reason = mcp.Declines, strings.Join(why, "; ")
	}
	return out
}

// Commit implements [mcp.Desk]. What is checked is exactly the tree that is committed, in a private copy, without what else lies about in the working tree.
func (d desk) Commit(ctx context.Context, c mcp.Call, in mcp.CommitInput) (*mcp.Committed, error) {
	a := d.at(c)
	h, err := a.open(ctx)
	if err != nil {
		return nil, err
	}
	defer h.Close()
	if h.repo == nil {
		return nil, usage("there is no git repository around %s: nothing can be committed", h.here)
	}
	files, err := h.settled(ctx)
	if err != nil {
		return nil, err
	}
	if files.Status == mcp.Fail {
		return &mcp.Committed{Status: mcp.Declines, Reason: files.Why}, nil
	}
	if err := h.lock(ctx, a, "fettle mcp, to commit"); err != nil {
		return nil, err
	}
	p, err := h.prospect(ctx, in)
	if err != nil || p.out.Status != "" {
		return p.out, err
	}
	if why, err := a.denied(ctx, "git commit -m x"); err != nil || why != "" {
		p.out.Status, p.out.Reason = mcp.Declines, why
		return p.out, err
	}
	run, err := a.ofTree(ctx, h, p.tree)
	if err != nil {
		return nil, err
	}
	g := groundsFor(ctx, run, p.audit)
	if p.out.Gate = g.gate(append([]mcp.Result{files}, g.results()...), len(p.audit.Patch)); p.out.Gate.Verdict != mcp.Confirms {
		p.out.Status, p.out.Reason = mcp.Declines, p.out.Gate.Reason
		return p.out, nil
	}
	made, err := h.repo.CommitHere(ctx, p.head, p.paths, p.tree, p.out.Message)
	var refused *git.Error
	switch {
	case errors.Is(err, git.ErrChanged), errors.As(err, &refused) && !errors.Is(err, git.ErrLocked):
		p.out.Status, p.out.Reason = mcp.Declines, "git did not commit: "+err.Error()
		if refused != nil {
			p.out.Reason = "git, or a hook of yours, did not commit: " + lastLines(strings.TrimSpace(refused.Stderr))
		}
		return p.out, nil
	case err != nil:
		return nil, err
	}
	p.out.Status, p.out.Hash, p.out.Branch, p.out.ByHooks = mcp.Commits, made.ID[:7], made.Branch, made.ChangedByHooks
	return p.out, nil
}

// prospect is a commit that may be made.
type prospect struct {
	head  git.Head
	paths []string // nil: what is staged
	tree  string
	audit audit.Input
	out   *mcp.Committed // with a status, if it shall not be made
}

// prospect looks at what would be committed, before anything is run.
func (h *house) prospect(ctx context.Context, in mcp.CommitInput) (p prospect, err error) {
	p.out = &mcp.Committed{}
	if p.head, err = h.repo.Head(ctx); err != nil {
		return p, err
	}
	if p.head.Detached() {
		p.out.Status, p.out.Reason = mcp.Declines, "no branch is checked out, so the commit would be lost: switch to one with git switch BRANCH"
		return p, nil
	}
	s, err := h.repo.Status(ctx)
	if err != nil {
		return p, err
	}
	if p.paths, err = h.chosen(s, in.Files); err != nil {
		return p, err
	}
	if len(p.paths) == 0 && len(s.Staged()) == 0 {
		p.out.Status, p.out.Reason = mcp.Skips, "nothing to commit"
		p.out.Left = s.Untracked()
		return p, nil
	}
	if p.tree, err = h.repo.Prospect(ctx, p.paths); err != nil {
		return p, err
	}
	if p.audit, err = h.compared(ctx, "HEAD.."+p.tree, false); err != nil {
		return p, err
	}
	p.out.Files = p.audit.Patch.Paths()
	if len(p.out.Files) == 0 {
		p.out.Status, p.out.Reason = mcp.Skips, "nothing to commit"
		return p, nil
	}
	for _, e := range s {
		if !slices.Contains(p.out.Files, e.Path) || p.paths == nil && e.Worktree != '.' {
			p.out.Left = append(p.out.Left, e.Path)
		}
	}
	if _, err := h.repo.UserIdentity(ctx); err != nil {
		return p, err
	}
	return p, p.word(in.Message)
}

// chosen are the paths to commit: those that are named, or, where nothing is staged, the tracked ones that have changed; nil means what is staged.
func (h *house) chosen(s git.Status, named []string) (paths []string, err error) {
	if len(named) == 0 {
		if len(s.Staged()) > 0 {
			return nil, nil
		}
		return s.Unstaged(), nil
	}
	for _, name := range named {
		rel, err := h.pathArg(name)
		if err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(s, func(e git.Entry) bool { return e.Path == rel }) {
			return nil, usage("%s is no file that has changed, or git ignores it: name each file by itself (git status names them)", name)
		}
		if !slices.Contains(paths, rel) {
			paths = append(paths, rel)
		}
	}
	return paths, nil
}

// word is the message: what was given, if it says what it should, or what was changed.
func (p *prospect) word(given string) error {
	stats, err := p.audit.Patch.Stat(p.audit.Source)
	if err != nil {
		return err
	}
	lines := 0
	var all []message.Change
	for _, s := range stats {
		lines += s.Added + s.Removed
		all = append(all, message.Change{Path: s.Path, Verb: map[edit.Op]string{edit.Create: "add", edit.Modify: "edit", edit.Delete: "remove"}[s.Op]})
	}
	size := message.SizeOf(len(stats), lines)
	p.out.Size = string(size)
	if p.out.Message = strings.TrimSpace(given); p.out.Message == "" {
		p.out.Message = strings.TrimSpace(message.Of(all, size))
		return nil
	}
	if err := message.Check(p.out.Message, size); err != nil {
		return usage("this change is %s, and its message will not do: %w", size, err)
	}
	if redactor().RedactString(p.out.Message) != p.out.Message {
		return usage("the message holds what looks like a secret: leave it out")
	}
	return nil
}

// denied says why the policy (fettle's, the person's, the project's) denies a command; empty: it does not. What it asks about the person decides where they let the tool be called.
func (a *app) denied(ctx context.Context, command string) (string, error) {
	place, err := explainer{}.place(ctx, a.dir)
	if err != nil {
		return "", err
	}
	own, err := policiesFor(place)
	if err != nil {
		return "", err
	}
	v, err := judged(own.policy(), command, place)
	if err != nil || v.Decision != shell.Deny {
		return "", err
	}
	return fmt.Sprintf("the policy denies it: %s (rule %s)", v.Reason, v.Rule), nil
}

// ofTree runs every check on exactly the files of a tree.
func (a *app) ofTree(ctx context.Context, h *house, tree string) (report.Run, error) {
	checks, err := h.choose(nil, nil)
	if err != nil {
		return report.Run{}, err
	}
	if err := h.announce(a, checks, false); err != nil {
		return report.Run{}, err
	}
	legacy, _, err := h.legacy(ctx, legacyFlags{})
	if err != nil {
		return report.Run{}, err
	}
	live := a.live()
	defer live.stop()
	lab := h.lab(check.RunOptions{Events: live.check, Fresh: true}, false)
	defer lab.Close()
	results, err := (&heal.GitCommitter{Repo: h.repo, Lab: lab}).Results(ctx, tree)
	if err != nil {
		return report.Run{}, err
	}
	return forgiven(results, legacy), nil
}

// Push implements [mcp.Desk].
func (d desk) Push(ctx context.Context, c mcp.Call) (*mcp.Pushed, error) {
	a := d.at(c)
	h, err := a.open(ctx)
	if err != nil {
		return nil, err
	}
	defer h.Close()
	if h.repo == nil {
		return nil, usage("there is no git repository around %s: nothing can be pushed", h.here)
	}
	if err := h.lock(ctx, a, "fettle mcp, to push"); err != nil {
		return nil, err
	}
	head, err := h.repo.Head(ctx)
	if err != nil {
		return nil, err
	}
	if head.Unborn() {
		return nil, usage("there is no commit yet: commit first")
	}
	up, err := h.repo.Upstream(ctx, head)
	if err != nil {
		return nil, usage("%w", err)
	}
	out := &mcp.Pushed{Remote: up.Remote, Branch: up.Branch, Hash: head.Commit[:7], Commits: up.Ahead}
	if len(up.Ahead) == 0 {
		out.Status, out.Reason = mcp.Skips, "nothing to push: "+up.Branch+" on "+up.Remote+" has all of it"
		return out, nil
	}
	if out.Reason, err = a.denied(ctx, "git push"); err != nil {
		return nil, err
	}
	if out.Reason == "" {
		if out.Reason, err = h.leaks(ctx, up, head.Commit); err != nil {
			return nil, err
		}
	}
	if out.Reason == "" {
		run, err := a.ofTree(ctx, h, head.Commit)
		if err != nil {
			return nil, err
		}
		if out.Checked = checked(run); out.Checked.Status != mcp.Pass {
			out.Reason = "the checks do not pass on the commit that would be pushed"
		}
	}
	if out.Reason != "" {
		out.Status = mcp.Declines
		return out, nil
	}
	var refused *git.Error
	if err := h.repo.Push(ctx, up, head.Commit); errors.As(err, &refused) {
		out.Status, out.Reason = mcp.Declines, "git did not push: "+lastLines(strings.TrimSpace(refused.Stderr))+"\nHow to bring both sides together is for the person to say."
		return out, nil
	} else if err != nil {
		return nil, err
	}
	out.Status = mcp.Publishes
	return out, nil
}

// leaks says why a push would show others what they must not see, or that nobody can tell; empty: it would not. Each commit is looked at by itself: what a later
// one takes out can still be read in it.
func (h *house) leaks(ctx context.Context, up git.Upstream, commit string) (string, error) {
	commits, err := h.repo.Unpublished(ctx, up, commit)
	var refused *git.Error
	switch {
	case errors.Is(err, git.ErrStale):
		return err.Error() + "\nHow to bring both sides together is for the person to say.", nil
	case errors.As(err, &refused):
		return "git cannot tell what " + up.Remote + " has: " + lastLines(strings.TrimSpace(refused.Stderr)), nil
	case err != nil:
		return "", err
	}
	var found []string
	for _, c := range commits {
		seen, err := h.secretsIn(ctx, c)
		if err != nil {
			return "", err
		}
		for _, s := range seen {
			found = append(found, c.ID[:7]+": "+s.String())
		}
		if redactor().RedactString(c.Message) != c.Message {
			found = append(found, c.ID[:7]+": its message")
		}
	}
	if len(found) == 0 {
		return "", nil
	}
	return "the commits hold what looks like a secret: " + phrase.Some(found, 3), nil
}

// secretsIn is what a commit has brought in that looks like a secret: of a merge, what none of its parents has.
func (h *house) secretsIn(ctx context.Context, c git.Unpublished) (found []audit.Finding, err error) {
	parents := c.Parents
	if len(parents) == 0 {
		parents = []string{""}
	}
	for i, parent := range parents {
		in, err := h.change(ctx, parent, c.ID, false)
		if err != nil {
			return nil, err
		}
		in.Goal.By = audit.Person
		var here []audit.Finding
		for _, f := range audit.By(ctx, "secret", in).Findings {
			if f.Effect != audit.Note && (i == 0 || slices.Contains(found, f)) {
				here = append(here, f)
			}
		}
		found = here
	}
	return found, ctx.Err()
}
