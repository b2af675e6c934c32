// Package session answers "what does fettle fix make of this repository?": it runs it, as a person would, and reads its report.
package session

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"fettle/internal/report"
)

// Run is one run of fettle fix.
type Run struct {
	Fettle string        // the program
	Dir    string        // the repository
	Env    []string      // its environment
	Args   []string      // beside fix, --json and --quiet
	Limit  time.Duration // what it may take
}

// Cost is what a run has taken.
type Cost struct{ Wall, CPU time.Duration }

// Fix runs it, and gives its report whatever it ended with; an error where there is none.
func (r Run) Fix(ctx context.Context) (doc report.Session, c Cost, err error) {
	ctx, cancel := context.WithTimeout(ctx, r.Limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, r.Fettle, append([]string{"fix", "--json", "--quiet"}, r.Args...)...)
	cmd.Dir, cmd.Env = r.Dir, r.Env
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) } // it ends its children itself
	cmd.WaitDelay = 20 * time.Second
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	began := time.Now()
	err = cmd.Run()
	c.Wall = time.Since(began)
	if cmd.ProcessState != nil {
		c.CPU = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	}
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return doc, c, err
	}
	if err := json.Unmarshal(out.Bytes(), &doc); err != nil {
		return doc, c, fmt.Errorf("fettle fix wrote no report: %s", errs.String())
	}
	return doc, c, nil
}

// Mindless is an environment without what says which models there are, or that there are none.
func Mindless(env []string) (out []string) {
	for _, v := range env {
		name, _, _ := strings.Cut(v, "=")
		if name != "FETTLE_MODELS" && name != "OLLAMA_HOST" && !strings.HasSuffix(name, "_API_KEY") && !strings.HasSuffix(name, "_AUTH_TOKEN") {
			out = append(out, v)
		}
	}
	return out
}
