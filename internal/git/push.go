package git

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// ErrNoUpstream says that the branch goes nowhere yet.
var ErrNoUpstream = errors.New("the branch has no upstream: set one with git push -u REMOTE BRANCH, or git branch --set-upstream-to=REMOTE/BRANCH")

// Upstream is where a branch goes, and what it has that is not there yet, as far as was heard of it.
type Upstream struct {
	Remote string   // its name
	Branch string   // there, without refs/heads/
	At     string   // the commit that it has there
	Ahead  []string // the commits that it lacks, the newest first: "1a2b3c4 subject"
}

// Upstream tells where the branch goes that is checked out. Without one the error is [ErrNoUpstream]. A branch that is set to be pushed to another place
// than it follows is an error too: which of the two is meant is the user's to say.
func (r *Repo) Upstream(ctx context.Context, head Head) (Upstream, error) {
	if head.Detached() {
		return Upstream{}, errors.New("no branch is checked out: switch to one with git switch BRANCH")
	}
	remote, _, err := r.Config(ctx, "branch."+head.Branch+".remote")
	if err != nil {
		return Upstream{}, err
	}
	ref, _, err := r.Config(ctx, "branch."+head.Branch+".merge")
	if err != nil {
		return Upstream{}, err
	}
	branch, ok := strings.CutPrefix(ref, "refs/heads/")
	if remote == "" || remote == "." || !ok {
		return Upstream{}, ErrNoUpstream
	}
	u := Upstream{Remote: remote, Branch: branch}
	for _, key := range []string{"branch." + head.Branch + ".pushRemote", "remote.pushDefault"} {
		other, set, err := r.Config(ctx, key)
		if err != nil {
			return u, err
		}
		if set {
			if other != remote {
				return u, fmt.Errorf("%s follows %s and is pushed to %s (%s): push it by hand", head.Branch, remote, other, key)
			}
			break
		}
	}
	if u.At, err = r.commitOf(ctx, head.Branch+"@{upstream}"); code(err) > 0 || err == nil && u.At == "" {
		return u, fmt.Errorf("nothing is known of %s on %s yet: git fetch %s", branch, remote, remote)
	} else if err != nil {
		return u, err
	}
	out, err := r.read(ctx, "log", "--no-show-signature", "--no-patch", "--format=%h %s", "-z", u.At+".."+head.Commit)
	u.Ahead = fields(out)
	return u, err
}

// ErrStale says that a remote's branch is not where it was when it was last heard of.
var ErrStale = errors.New("is not where it was when it was last fetched")

// Unpublished is a commit that others cannot see yet.
type Unpublished struct {
	ID      string
	Parents []string
	Message string
}

// Unpublished are the commits that others see for the first time when a commit is pushed to where a branch goes, parents before children. The place that
// is pushed to says what it has: what is known of it here may be old, and is written by whoever can write here. If its branch is elsewhere by now, the error is [ErrStale].
func (r *Repo) Unpublished(ctx context.Context, u Upstream, commit string) ([]Unpublished, error) {
	place, err := r.line(ctx, "remote", "get-url", "--push", "--all", "--", u.Remote)
	if err != nil {
		return nil, err
	}
	if strings.Contains(place, "\n") {
		return nil, fmt.Errorf("%s is pushed to several places: push it by hand", u.Remote)
	}
	out, err := run(ctx, command{args: []string{"ls-remote", "--heads", "--", place}, dir: r.Root, level: asUser, env: unasked})
	if err != nil {
		return nil, err
	}
	there := false
	revs := []string{commit}
	for line := range strings.Lines(string(out)) { // "ID<TAB>refs/heads/NAME"
		id, ref, _ := strings.Cut(strings.TrimSpace(line), "\t")
		there = there || ref == "refs/heads/"+u.Branch && id == u.At
		revs = append(revs, "^"+id)
	}
	if !there {
		return nil, fmt.Errorf("%s on %s %w: git fetch %[2]s", u.Branch, u.Remote, ErrStale)
	}
	return r.logged(ctx, revs)
}

// Between are the commits that lead from one revision to another, parents before children; from nothing, all that lead there.
func (r *Repo) Between(ctx context.Context, from, to string) ([]Unpublished, error) {
	revs := []string{to}
	if from != "" {
		revs = append(revs, "^"+from)
	}
	return r.logged(ctx, revs)
}

// logged are the commits that git log tells of revisions, parents before children.
func (r *Repo) logged(ctx context.Context, revs []string) ([]Unpublished, error) {
	out, err := run(ctx, command{
		args: []string{"log", "--stdin", "--ignore-missing", "--topo-order", "--reverse", "--no-show-signature", "--no-patch", "-z", "--format=%H%n%P%n%B"},
		dir:  r.Root, level: reading, stdin: strings.NewReader(strings.Join(revs, "\n") + "\n"),
	})
	if err != nil {
		return nil, err
	}
	var all []Unpublished
	for _, rec := range fields(out) {
		f := strings.SplitN(rec, "\n", 3)
		if len(f) != 3 {
			return nil, fmt.Errorf("git log: cannot read %q", rec)
		}
		all = append(all, Unpublished{ID: f[0], Parents: strings.Fields(f[1]), Message: f[2]})
	}
	return all, nil
}

// unasked is the environment in which git asks nobody for a password.
var unasked = map[string]string{"SSH_ASKPASS": "false", "SSH_ASKPASS_REQUIRE": "force", "GIT_ASKPASS": "false"}

// Push pushes a commit to where a branch goes, as the user would by hand, and never by force. Nobody is asked for a password: what needs one fails.
func (r *Repo) Push(ctx context.Context, u Upstream, commit string) error {
	_, err := run(ctx, command{
		args: []string{"push", "--quiet", "--no-follow-tags", "--", u.Remote, commit + ":refs/heads/" + u.Branch},
		dir:  r.Root, level: asUser, env: unasked,
	})
	return err
}
