package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// yard is a home and a repository in it, empty, that the guards are told of. The rows speak of /home/dev and /home/dev/repo: these stand for them.
type yard struct {
	own, home, repo string
	session         int
}

func newYard(ctx context.Context, folder string) (*yard, error) {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, err
	}
	own, err := os.MkdirTemp(folder, "yard-")
	if err != nil {
		return nil, err
	}
	home := filepath.Join(own, "home", "dev")
	y := &yard{own: own, home: home, repo: filepath.Join(home, "repo")}
	if err := os.MkdirAll(y.repo, 0o755); err != nil {
		return nil, err
	}
	return y, told(exec.CommandContext(ctx, "git", "init", "-q", y.repo))
}

// answer is what a guard said of one command, and what that cost.
type answer struct {
	decision  string
	wall, cpu time.Duration
}

// ask puts one command to a guard, each in a session of its own.
func (y *yard) ask(ctx context.Context, p peer, command string, row int) (answer, error) {
	y.session++
	call, err := json.Marshal(map[string]any{
		"session_id": "bench-" + strconv.Itoa(row) + "-" + strconv.Itoa(y.session), "hook_event_name": "PreToolUse", "permission_mode": "default", "cwd": y.repo,
		"tool_name": "Bash", "tool_input": map[string]any{"command": strings.ReplaceAll(command, "/home/dev", y.home)},
	})
	if err != nil {
		return answer{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, p.argv[0], p.argv[1:]...)
	cmd.Dir, cmd.Stdin = y.repo, bytes.NewReader(call)
	cmd.Env = append([]string{"HOME=" + y.home, "USER=dev", "PATH=" + os.Getenv("PATH"), "LANG=C.UTF-8"}, p.env...)
	var out, complaints bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &complaints
	began := time.Now()
	err = cmd.Run()
	a := answer{wall: time.Since(began)}
	if cmd.ProcessState != nil {
		a.cpu = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	}
	if exit := new(exec.ExitError); errors.As(err, &exit) {
		if exit.ExitCode() == 2 { // a hook's way to refuse
			a.decision = "deny"
			return a, nil
		}
		return a, fmt.Errorf("it ended with %w: %s", err, complaints.String())
	}
	if err != nil {
		return a, err
	}
	a.decision, err = decisionOf(out.Bytes(), p.rule)
	return a, err
}

// decisionOf reads a hook's answer. Silence lets the call through, but for a guard that says what may run.
func decisionOf(out []byte, rule bool) (string, error) {
	said := struct {
		Decision string `json:"decision"`
		Specific struct {
			Decision string `json:"permissionDecision"`
		} `json:"hookSpecificOutput"`
	}{}
	silent := "allow"
	if rule {
		silent = "ask"
	}
	if len(bytes.TrimSpace(out)) == 0 {
		return silent, nil
	}
	if err := json.Unmarshal(out, &said); err != nil {
		return "", fmt.Errorf("it answered %q: %w", out, err)
	}
	switch {
	case said.Specific.Decision != "":
		return said.Specific.Decision, nil
	case said.Decision == "block":
		return "deny", nil
	case said.Decision == "approve":
		return "allow", nil
	}
	return silent, nil
}
