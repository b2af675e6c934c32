package workspace

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"fettle/internal/proc"
)

// Capability says whether one way of making private copies works on this machine.
type Capability struct {
	Method Method `json:"method"`
	Works  bool   `json:"works"`
	Detail string `json:"detail"` // how it confines, or why it does not work; one line
}

// Probe tries every method in the folder for temporary files; see [ProbeIn].
func Probe(ctx context.Context) []Capability { return ProbeIn(ctx, os.TempDir(), os.TempDir()) }

// ProbeIn tries every method, best first, by opening a copy of a tiny tree and running a command in it. Whether a method
// works depends on the file systems too: dir and state are existing folders on those that are meant, of the tree and of the
// copy's layers.
func ProbeIn(ctx context.Context, dir, state string) []Capability {
	var out []Capability
	for _, m := range methods(Auto) {
		detail, err := probe(ctx, dir, state, m)
		c := Capability{Method: m, Works: err == nil, Detail: detail}
		if err != nil {
			c.Detail = strings.ReplaceAll(err.Error(), "\n", "; ")
		}
		out = append(out, c)
	}
	return out
}

func probe(ctx context.Context, dir, state string, m Method) (detail string, err error) {
	tmp, err := os.MkdirTemp(dir, "fettle-probe-")
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, removeAll(tmp)) }()
	if state, err = os.MkdirTemp(state, "fettle-probe-"); err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, removeAll(state)) }()
	root := filepath.Join(tmp, "tree")
	if err := os.Mkdir(root, 0o700); err != nil {
		return "", err
	}
	if err := os.WriteFile(filepath.Join(root, "file"), []byte("probe\n"), 0o600); err != nil {
		return "", err
	}
	c, err := OpenCopy(ctx, CopyOptions{Root: root, State: filepath.Join(state, "state"), Network: NetworkLoopback, Method: m})
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, c.Close()) }()
	r, err := c.Run(ctx, proc.Cmd{Argv: []string{"sh", "-c", "read word <file && echo $word >file"}})
	if err != nil {
		return "", err
	}
	if !r.OK() {
		return "", errors.New("a command inside failed: " + strings.TrimSpace(r.Stderr.String()))
	}
	return c.Describe(), nil
}
