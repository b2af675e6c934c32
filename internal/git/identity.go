package git

import (
	"context"
	"fmt"
	"strings"
)

// Identity is who commits.
type Identity struct{ Name, Email string }

// UserIdentity is who would be the author of a commit: by the user's environment or configuration, never guessed from the
// machine's name. Without one, for the author or the committer, the error is [ErrNoIdentity].
func (r *Repo) UserIdentity(ctx context.Context) (Identity, error) {
	var who Identity
	for _, role := range []string{"GIT_COMMITTER_IDENT", "GIT_AUTHOR_IDENT"} {
		out, err := r.line(ctx, "var", role)
		switch {
		case code(err) > 0:
			return Identity{}, ErrNoIdentity
		case err != nil:
			return Identity{}, err
		}
		name, rest, ok := strings.Cut(out, " <")
		email, _, closed := strings.Cut(rest, "> ")
		if !ok || !closed {
			return Identity{}, fmt.Errorf("git var %s: cannot read %q", role, out)
		}
		who = Identity{name, email}
	}
	return who, nil
}

// Config is the value of a configuration key, and whether it is set.
func (r *Repo) Config(ctx context.Context, key string) (value string, ok bool, err error) {
	out, err := r.read(ctx, "config", "-z", "--get", key)
	if code(err) == 1 {
		return "", false, nil
	}
	return strings.TrimSuffix(string(out), "\x00"), err == nil, err
}
