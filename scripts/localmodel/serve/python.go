package serve

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"fettle/scripts/release"
)

// Python is an interpreter with the server's module.
type Python struct {
	Program string
	env     []string
}

// pipArgs keep pip to what is asked for: nothing it asks for itself, nothing that would be built, nothing without its checksum.
var pipArgs = []string{"--quiet", "--disable-pip-version-check", "--no-deps", "--only-binary=:all:", "--require-hashes"}

// Install makes a virtual environment with the server in a folder, once.
func Install(ctx context.Context, dir string, say func(string)) (Python, error) {
	lock, err := ReadLock(serverFile)
	if err != nil {
		return Python{}, err
	}
	dir = filepath.Join(dir, "server-"+lock[0].Version)
	p := Python{Program: filepath.Join(dir, "bin", "python"), env: release.Environment(nil)}
	whole := filepath.Join(dir, "installed")
	if _, err := os.Stat(whole); err == nil {
		return p, nil
	}
	if err := os.RemoveAll(dir); err != nil { // a half one
		return p, err
	}
	say("installing " + lock[0].Name + " " + lock[0].Version)
	if _, err := release.Capture(ctx, ".", p.env, "python3", "-m", "venv", dir); err != nil {
		return p, fmt.Errorf("python 3.10 or newer is needed, with venv (Debian: python3-venv): %w", err)
	}
	list := filepath.Join(dir, "server.txt")
	if err := os.WriteFile(list, []byte(serverFile), 0o644); err != nil {
		return p, err
	}
	if err := p.pip(ctx, append([]string{"install", "-r", list}, pipArgs...)...); err != nil {
		return p, err
	}
	return p, os.WriteFile(whole, nil, 0o644)
}

func (p Python) pip(ctx context.Context, args ...string) error {
	_, err := release.Capture(ctx, ".", p.env, append([]string{p.Program, "-m", "pip"}, args...)...)
	return err
}

// Bring is a [Bring] by pip.
func (p Python) Bring(ctx context.Context, dir string, r Requirement) (err error) {
	list, err := os.CreateTemp("", "fettle-part-*.txt")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.Remove(list.Name())) }()
	_, err = list.WriteString(r.Line + "\n")
	if err := errors.Join(err, list.Close()); err != nil {
		return err
	}
	return p.pip(ctx, append([]string{"download", "--no-cache-dir", "--dest", dir, "-r", list.Name()}, pipArgs...)...)
}
