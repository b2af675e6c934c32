package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// The versions that are compared.
const (
	nahVersion       = "0.9.1" // of PyPI
	safetyNetVersion = "2.4.5" // of npm
)

// peer is a guard: a program that reads a tool call from its standard input.
type peer struct {
	name, title string
	argv        []string
	env         []string
	rule        bool // it says what may run: without a word from it, the client asks
}

// install builds fettle's hook, and installs the others where they are not yet.
func install(ctx context.Context, folder, dippy string) ([]peer, error) {
	own := filepath.Join(folder, "fettle-guard")
	if err := told(exec.CommandContext(ctx, "scripts/hook.sh", own)); err != nil {
		return nil, err
	}
	python := filepath.Join(folder, "nah-"+nahVersion)
	nah := filepath.Join(python, "bin", "python")
	if !exists(filepath.Join(python, "bin", "nah")) {
		if err := told(exec.CommandContext(ctx, "python3", "-m", "venv", python)); err != nil {
			return nil, err
		}
		if err := told(exec.CommandContext(ctx, nah, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "nah=="+nahVersion)); err != nil {
			return nil, err
		}
	}
	node := filepath.Join(folder, "cc-safety-net-"+safetyNetVersion)
	net := filepath.Join(node, "node_modules", "cc-safety-net", "dist", "bin", "cc-safety-net.js")
	if !exists(net) {
		if err := os.MkdirAll(node, 0o755); err != nil {
			return nil, err
		}
		if err := os.WriteFile(filepath.Join(node, "package.json"), []byte("{\"private\": true}\n"), 0o644); err != nil { // so that npm installs here and not above
			return nil, err
		}
		if err := told(exec.CommandContext(ctx, "npm", "install", "--prefix", node, "--no-save", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error", "cc-safety-net@"+safetyNetVersion)); err != nil {
			return nil, err
		}
	}
	peers := []peer{
		{name: "fettle", title: "fettle", argv: []string{own}, env: []string{"CLAUDECODE=1", "CLAUDE_CODE_SESSION_ATTENDED=1"}}, // somebody is there to be asked
		{name: "nah", title: "nah " + nahVersion, argv: []string{nah, "-m", "nah.hook"}},
		{name: "cc-safety-net", title: "cc-safety-net " + safetyNetVersion, argv: []string{"node", net, "hook", "--claude-code"}},
	}
	if dippy != "" {
		hook := filepath.Join(dippy, "bin", "dippy-hook")
		if !exists(hook) {
			return nil, fmt.Errorf("%s is no checkout of Dippy: it has no bin/dippy-hook", dippy)
		}
		peers = append(peers, peer{name: "Dippy", title: "Dippy", argv: []string{nah, hook}, rule: true})
	}
	return peers, nil
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

// told runs a command, and says what it said where it fails.
func told(cmd *exec.Cmd) error {
	out, err := cmd.CombinedOutput()
	if exit := new(exec.ExitError); errors.As(err, &exit) {
		return fmt.Errorf("%s: %w\n%s", filepath.Base(cmd.Path), err, out)
	}
	return err
}
