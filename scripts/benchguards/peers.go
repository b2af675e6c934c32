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
	dcgVersion       = "0.4.1" // of crates.io, under the MIT licence; that of 0.16.0 does not let everybody use it
)

// peer is a guard: a program that reads a tool call from its standard input.
type peer struct {
	name, title string
	argv        []string
	env         []string
	rule        bool // it says what may run: without a word from it, the client asks
}

// others names the guards that are compared only where they are asked for.
type others struct {
	dippy    string // a checkout of Dippy
	dcg      string // a program of dcg's
	buildDCG bool   // have cargo build dcg
}

// install builds fettle's hook, and installs the others where they are not yet.
func install(ctx context.Context, folder string, asked others) ([]peer, error) {
	own := filepath.Join(folder, "fettle-guard")
	if err := told(exec.CommandContext(ctx, "scripts/hook.sh", own)); err != nil {
		return nil, err
	}
	python, err := installNah(ctx, filepath.Join(folder, "nah-"+nahVersion))
	if err != nil {
		return nil, err
	}
	net, err := installSafetyNet(ctx, filepath.Join(folder, "cc-safety-net-"+safetyNetVersion))
	if err != nil {
		return nil, err
	}
	peers := []peer{
		{name: "fettle", title: "fettle", argv: []string{own}, env: []string{"CLAUDECODE=1", "CLAUDE_CODE_SESSION_ATTENDED=1"}}, // somebody is there to be asked
		{name: "nah", title: "nah " + nahVersion, argv: []string{python, "-m", "nah.hook"}},
		{name: "cc-safety-net", title: "cc-safety-net " + safetyNetVersion, argv: []string{"node", net, "hook", "--claude-code"}},
	}
	if asked.dippy != "" {
		hook := filepath.Join(asked.dippy, "bin", "dippy-hook")
		if !exists(hook) {
			return nil, fmt.Errorf("%s is no checkout of Dippy: it has no bin/dippy-hook", asked.dippy)
		}
		peers = append(peers, peer{name: "Dippy", title: "Dippy", argv: []string{python, hook}, rule: true})
	}
	if asked.buildDCG {
		program, err := buildDCG(ctx, filepath.Join(folder, "dcg-"+dcgVersion))
		if err != nil {
			return nil, err
		}
		peers = append(peers, dcg(program, "dcg "+dcgVersion)...)
	}
	if asked.dcg != "" {
		program, err := dcgAt(asked.dcg)
		if err != nil {
			return nil, err
		}
		peers = append(peers, dcg(program, "dcg")...)
	}
	return peers, nil
}

// installNah makes an environment of Python with nah in it, and says which python that is.
func installNah(ctx context.Context, folder string) (string, error) {
	python := filepath.Join(folder, "bin", "python")
	if exists(filepath.Join(folder, "bin", "nah")) {
		return python, nil
	}
	if err := told(exec.CommandContext(ctx, "python3", "-m", "venv", folder)); err != nil {
		return "", err
	}
	return python, told(exec.CommandContext(ctx, python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "nah=="+nahVersion))
}

// installSafetyNet has npm install cc-safety-net, and says where its program is.
func installSafetyNet(ctx context.Context, folder string) (string, error) {
	net := filepath.Join(folder, "node_modules", "cc-safety-net", "dist", "bin", "cc-safety-net.js")
	if exists(net) {
		return net, nil
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return "", err
	}
	if err := os.WriteFile(filepath.Join(folder, "package.json"), []byte("{\"private\": true}\n"), 0o644); err != nil { // so that npm installs here and not above
		return "", err
	}
	return net, told(exec.CommandContext(ctx, "npm", "install", "--prefix", folder, "--no-save", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error", "cc-safety-net@"+safetyNetVersion))
}

// buildDCG has cargo build dcg, and says where its program is.
func buildDCG(ctx context.Context, folder string) (string, error) {
	program := filepath.Join(folder, "bin", "dcg")
	if exists(program) {
		return program, nil
	}
	cargo := exec.CommandContext(ctx, "cargo", "install", "--quiet", "--locked", "--root", folder, "destructive_command_guard@"+dcgVersion)
	cargo.Env = append(os.Environ(), "RUSTC_BOOTSTRAP=1") // it uses what is no part of the stable language yet
	return program, told(cargo)
}

// dcgAt says where a program is that somebody has named.
func dcgAt(name string) (string, error) {
	if !exists(name) {
		return "", fmt.Errorf("there is no program %s: name dcg's, or have it built by -build-dcg", name)
	}
	return filepath.Abs(name) // guards are started in another folder
}

// dcg is asked twice: as it comes, and with all of its packs, of which it uses few by itself. Whatever it has not judged in time it lets pass: it
// gets all the time it wants, so that a busy machine is not held against it.
func dcg(program, title string) []peer {
	const packs = "apigateway,backup,cdn,cicd,cloud,containers,core,database,dns,email,featureflags,infrastructure,kubernetes,loadbalancer,messaging," +
		"monitoring,package_managers,payment,platform,remote,search,secrets,storage,strict_git,system"
	env := []string{"CLAUDECODE=1", "DCG_NO_UPDATE_CHECK=1", "DCG_HOOK_TIMEOUT_MS=30000", "DCG_HEREDOC_TIMEOUT_MS=30000"}
	return []peer{
		{name: "dcg", title: title, argv: []string{program}, env: env},
		{name: "dcg-packs", title: title + ", all packs", argv: []string{program}, env: append([]string{"DCG_PACKS=" + packs}, env...)},
	}
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
