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

// Push pushes a commit to where a branch goes, as the user would by hand, and never by force. Nobody is asked for a password: what needs one fails.
func (r *Repo) Push(ctx context.Context, u Upstream, commit string) error {
	_, err := run(ctx, command{
		args: []string{"push", "--quiet", "--no-follow-tags", "--", u.Remote, commit + ":refs/heads/" + u.Branch},
		dir:  r.Root, level: asUser, env: map[string]string{"SSH_ASKPASS": "false", "SSH_ASKPASS_REQUIRE": "force", "GIT_ASKPASS": "false"},
	})
	return err
}
