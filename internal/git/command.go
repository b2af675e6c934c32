package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"fettle/internal/proc"
)

// level says how much of the user's configuration a command may act on.
type level int

const (
	reading  level = iota // looks only: executes nothing that the repository names, and never uses the network
	building              // writes objects and private files: filters of the user run, hooks do not
	asUser                // what the user would have done by hand: hooks and signing run
)

// command is one call of git.
type command struct {
	args   []string
	dir    string
	env    map[string]string
	config [][2]string // on top of what the level sets
	stdin  io.Reader
	level  level
}

// run calls git and returns all it printed. A call that fails is an [*Error]; what it printed until then is returned too.
func run(ctx context.Context, c command) ([]byte, error) {
	var stdout, stderr bytes.Buffer
	res, err := proc.Run(ctx, proc.Cmd{
		Argv: append([]string{"git", "--no-pager"}, c.args...), Dir: c.dir, Env: environ(c),
		Stdin: c.stdin, Stdout: &stdout, Stderr: &stderr,
	})
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return nil, fmt.Errorf("git is not installed, or not on PATH: %w", err)
	case err != nil:
		return nil, fmt.Errorf("git %s: %w", c.args[0], err)
	case res.Ended == proc.Cancelled:
		return nil, fmt.Errorf("git %s: %w", c.args[0], context.Cause(ctx))
	case res.OK():
		return stdout.Bytes(), nil
	}
	said := stderr.String()
	if strings.TrimSpace(said) == "" { // git says "nothing to commit" on stdout, and so do many hooks
		said = stdout.String()
	}
	if unread(c.dir, res, said) {
		said = "Input/output error\n" + said
	}
	if res.Ended != proc.Exited {
		said = fmt.Sprintf("fatal: it was ended: %s %s\n%s", res.Ended, res.Signal, said)
	}
	return stdout.Bytes(), &Error{Args: c.args, Dir: c.dir, Code: res.Code, Stderr: said}
}

// unread reports whether git failed because the disk cannot be read, which it does not always say: it maps files, and is ended by a
// signal where that fails; and it takes a repository whose HEAD it cannot read for none.
func unread(dir string, res proc.Result, said string) bool {
	if res.Signal == "SIGBUS" {
		return true
	}
	if !strings.Contains(said, "not a git repository") {
		return false
	}
	_, err := os.ReadFile(filepath.Join(dir, ".git", "HEAD"))
	return errors.Is(err, syscall.EIO)
}

// code is the exit code of a git command that ran and failed, or -1.
func code(err error) int {
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	return -1
}

// read runs a command that only looks, in the working tree's top folder.
func (r *Repo) read(ctx context.Context, args ...string) ([]byte, error) {
	return run(ctx, command{args: args, dir: r.Root, level: reading})
}

// line is read for commands whose answer is one line.
func (r *Repo) line(ctx context.Context, args ...string) (string, error) {
	out, err := r.read(ctx, args...)
	return strings.TrimSuffix(string(out), "\n"), err
}

// dropped are variables beyond git's own list of repository variables (which proc.Environ takes out) that would change what
// a command prints or how it reads paths.
var dropped = []string{
	"GIT_EXTERNAL_DIFF", "GIT_DIFF_OPTS", "GIT_ATTR_SOURCE", "GIT_PAGER", "GIT_OPTIONAL_LOCKS",
	"GIT_GLOB_PATHSPECS", "GIT_NOGLOB_PATHSPECS", "GIT_ICASE_PATHSPECS", "GIT_LITERAL_PATHSPECS",
}

// settings are the configuration of all our calls. What is written is synced, which git does not do by itself: a power cut would
// leave branches that name empty objects. Whoever waits for a lock of refs waits up to two seconds, by git's own
// backing off; nothing is tidied up behind our back; and no monitor is started for private folders.
var settings = [][2]string{
	{"core.fsync", "committed"}, {"core.fsmonitor", ""}, {"core.pager", "cat"}, {"core.splitIndex", "false"}, {"submodule.recurse", "false"},
	{"gc.auto", "0"}, {"maintenance.auto", "false"}, {"log.showSignature", "false"}, {"user.useConfigOnly", "true"},
	{"core.filesRefLockTimeout", "2000"}, {"core.packedRefsTimeout", "2000"},
}

// environ is the environment of a call. Configuration goes through it and not through -c, so that a name may hold anything.
func environ(c command) []string {
	extra := map[string]string{"LANGUAGE": "en", "GIT_TERMINAL_PROMPT": "0", "GIT_LFS_SKIP_SMUDGE": "1"}
	config := slices.Clone(settings)
	if c.level == asUser {
		if term, ok := os.LookupEnv("TERM"); ok { // whoever signs may have to be asked for a passphrase
			extra["TERM"] = term
		}
	} else {
		maps.Copy(extra, map[string]string{
			"LC_ALL": "C", "GIT_LITERAL_PATHSPECS": "1", "GIT_OPTIONAL_LOCKS": "0",
			"GIT_NO_REPLACE_OBJECTS": "1", "GIT_GRAFT_FILE": os.DevNull, // a commit is what others get of it, and not what is shown here in its place
		})
		config = append(config, [2]string{"core.hooksPath", "/dev/null"})
	}
	if c.level == reading {
		extra["GIT_NO_LAZY_FETCH"] = "1"
		extra["GIT_ALLOW_PROTOCOL"] = "none"
	}
	maps.Copy(extra, c.env)
	config = append(config, c.config...)
	extra["GIT_CONFIG_COUNT"] = strconv.Itoa(len(config))
	for i, kv := range config {
		extra["GIT_CONFIG_KEY_"+strconv.Itoa(i)] = kv[0]
		extra["GIT_CONFIG_VALUE_"+strconv.Itoa(i)] = kv[1]
	}
	return slices.DeleteFunc(proc.Environ(extra), func(kv string) bool {
		name, _, _ := strings.Cut(kv, "=")
		_, ours := extra[name]
		return !ours && (slices.Contains(dropped, name) || strings.HasPrefix(name, "GIT_TRACE"))
	})
}

// fields splits output of NUL-terminated fields.
func fields(out []byte) []string {
	s := strings.TrimSuffix(string(out), "\x00")
	if s == "" {
		return nil
	}
	return strings.Split(s, "\x00")
}

// list is the opposite of fields: input for commands that read NUL-terminated names.
func list(names []string) io.Reader {
	var b strings.Builder
	for _, n := range names {
		b.WriteString(n)
		b.WriteByte(0)
	}
	return strings.NewReader(b.String())
}
