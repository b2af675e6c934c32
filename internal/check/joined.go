package check

import (
	"os/exec"
	"slices"
	"strings"

	"fettle/internal/check/parse"
	"fettle/internal/proc"
)

// joinScript gives a command its standard output for both streams. Read through two pipes, the lines of one would overtake
// those of the other, and with cargo test that gives a test to the wrong program. A shell is the one portable way to make
// two streams one; the command is its parameter, so nothing in it is ever read as shell.
const joinScript = `exec "$@" 2>&1`

// joined reports whether what reads the check's output needs both streams in their true order.
func (a *attempt) joined() bool { return a.format != nil && a.format.Stream == parse.Joined }

// join is the command as it is started.
func (a *attempt) join(argv []string) []string {
	if !a.joined() {
		return argv
	}
	return slices.Concat([]string{"sh", "-c", joinScript, "sh"}, argv)
}

// joinError is the error that starting the command without the shell would have given.
func (a *attempt) joinError(argv []string, res proc.Result, err error) error {
	if err == nil && a.joined() && res.Code == notFound && strings.Contains(res.Stdout.String(), "exec: "+argv[0]+": ") {
		return exec.ErrNotFound
	}
	return err
}
