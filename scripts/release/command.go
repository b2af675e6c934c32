package release

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// patience is how long a command may take to go once it is told to.
const patience = 20 * time.Second

// Run runs a command in a folder and returns what it printed to its two streams, and its exit code. The error is for what could
// not be run at all.
func Run(ctx context.Context, dir string, env []string, args ...string) (stdout, stderr []byte, code int, err error) {
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Dir, cmd.Env = dir, env
	cmd.WaitDelay = patience
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) } // fettle ends its children itself
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err = cmd.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) && ctx.Err() == nil {
		return out.Bytes(), errs.Bytes(), exit.ExitCode(), nil
	}
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	return out.Bytes(), errs.Bytes(), 0, err
}

// Capture runs a command that has to succeed.
func Capture(ctx context.Context, dir string, env []string, args ...string) ([]byte, error) {
	out, errs, code, err := Run(ctx, dir, env, args...)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", strings.Join(args, " "), err)
	}
	if code != 0 {
		return nil, fmt.Errorf("%s: exit code %d:\n%s", strings.Join(args, " "), code, LastLines(append(out, errs...), 15))
	}
	return out, nil
}

// LastLines are the last n lines of what a command printed.
func LastLines(b []byte, n int) string {
	lines := strings.Split(strings.TrimSpace(string(b)), "\n")
	return strings.Join(lines[max(0, len(lines)-n):], "\n")
}

// Environment is what the projects' commands and fettle see: the caller's environment without the Python and Node tools of
// this checkout, because each project has its own, and without what would change what git or a tool does.
func Environment(more map[string]string) []string {
	var env []string
	for _, e := range os.Environ() {
		name, value, _ := strings.Cut(e, "=")
		switch {
		case name == "PATH":
			env = append(env, "PATH="+withoutTools(value))
		case strings.HasPrefix(name, "GIT_"), strings.HasPrefix(name, "FETTLE_"), slices.Contains([]string{"GOFLAGS", "VIRTUAL_ENV", "CI", "MAKEFLAGS", "MAKELEVEL", "MFLAGS"}, name):
		default:
			env = append(env, e)
		}
	}
	env = append(env, "GIT_CONFIG_GLOBAL=/dev/null")
	for name, value := range more {
		env = append(env, name+"="+value)
	}
	return env
}

func withoutTools(path string) string {
	return strings.Join(slices.DeleteFunc(filepath.SplitList(path), func(dir string) bool {
		return strings.Contains(dir, "/.tools/py/") || strings.Contains(dir, "/.tools/node/")
	}), string(os.PathListSeparator))
}
