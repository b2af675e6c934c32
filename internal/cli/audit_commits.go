package cli

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"fettle/internal/audit"
	"fettle/internal/git"
)

// keptSecrets are those that a commit of a range has brought in, and that are not there at its end: what a later commit takes out can still be read in the
// earlier one.
func (h *house) keptSecrets(ctx context.Context, rev string) ([]audit.Finding, error) {
	e, err := h.ends(ctx, rev)
	if err != nil || e.from == "" && e.to == "" {
		return nil, err // nothing is committed yet
	}
	to := cmp.Or(e.to, "HEAD")
	commits, err := h.repo.Between(ctx, e.known, to)
	if err != nil {
		return nil, err
	}
	var all []audit.Finding
	for _, c := range commits {
		if redactor().RedactString(c.Message) != c.Message {
			all = append(all, audit.Finding{Rule: "secret", Effect: audit.Refuse, Evidence: "the message of commit " + c.ID[:7] + " holds what looks like a secret"})
		}
		gone, err := h.goneSecrets(ctx, c, to)
		if err != nil {
			return nil, err
		}
		for _, f := range gone {
			f.Evidence = fmt.Sprintf("commit %s: %s; a later commit takes it out, and the history keeps it", c.ID[:7], f.Evidence)
			all = append(all, f)
		}
	}
	return all, nil
}

// goneSecrets are those that a commit has brought in, and a later state does not hold. Lines are those of the commit.
func (h *house) goneSecrets(ctx context.Context, c git.Unpublished, later string) ([]audit.Finding, error) {
	found, err := h.secretsIn(ctx, c)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	back, err := h.change(ctx, later, c.ID, false)
	if err != nil {
		return nil, err
	}
	back.Goal.By = audit.Person // as it was asked about what the commit has brought in
	missing := audit.By(ctx, "secret", back).Findings
	return slices.DeleteFunc(found, func(f audit.Finding) bool { return !slices.Contains(missing, f) }), ctx.Err()
}
