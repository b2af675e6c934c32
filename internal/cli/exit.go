package cli

import (
	"context"
	"errors"
	"strings"

	"fettle/internal/check"
	"fettle/internal/edit"
	"fettle/internal/git"
	"fettle/internal/heal"
	"fettle/internal/policy/path"
	"fettle/internal/verdict"
	"fettle/internal/workspace"
)

const exitUsage = verdict.ExitUsage

// exitCode is the one place where errors become exit codes.
func exitCode(err error) int {
	if e, ok := asExit(err); ok {
		return e.code
	}
	var (
		name     *check.NameError
		config   *check.ConfigError
		locked   *workspace.LockedError
		denied   *path.Denied
		mismatch *edit.MismatchError
		rejected *edit.RejectError
		refused  *workspace.Refused
		changed  *workspace.ChangedError
	)
	switch {
	case errors.Is(err, context.Canceled):
		return verdict.Interrupted.ExitCode()
	case errors.As(err, &name), errors.As(err, &config), errors.Is(err, heal.ErrNoSession), isCobraUsage(err),
		errors.Is(err, workspace.ErrNothingToUndo), errors.Is(err, workspace.ErrNothingToRedo):
		return exitUsage
	case errors.As(err, &denied), errors.As(err, &mismatch), errors.As(err, &rejected), errors.As(err, &refused), errors.As(err, &changed):
		return verdict.Rejected.ExitCode()
	case errors.As(err, &locked), errors.Is(err, git.ErrNotRepository):
		return verdict.Halted.ExitCode()
	}
	return verdict.Halted.ExitCode()
}

// isCobraUsage recognises the errors that cobra makes for wrong arguments; it gives them no type.
func isCobraUsage(err error) bool {
	for _, start := range []string{"unknown command", "accepts ", "requires at least", "requires at most", "invalid argument"} {
		if strings.HasPrefix(err.Error(), start) {
			return true
		}
	}
	return false
}
