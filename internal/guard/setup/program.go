package setup

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"

	"fettle/internal/guard/hook"
)

// embedded is the hook's program, where this one was built with it (make build); else it is found beside this one, or in the PATH.
var embedded []byte

// Program is where the hook's program is kept: below $XDG_DATA_HOME, or ~/.local/share.
func Program(getenv func(string) string) (string, error) {
	dir := getenv("XDG_DATA_HOME")
	if !filepath.IsAbs(dir) {
		home := getenv("HOME")
		if !filepath.IsAbs(home) {
			return "", errors.New("neither HOME nor XDG_DATA_HOME says where the guard's program may be kept")
		}
		dir = filepath.Join(home, ".local", "share")
	}
	return filepath.Join(dir, "fettle", "bin", "fettle-guard"), nil
}

// Place writes the hook's program where it is kept, and beside it whose it is. One that runs at this moment goes on undisturbed.
func Place(file string, getenv func(string) string) error {
	abode, err := hook.AbodeOf(getenv)
	if err != nil {
		return err
	}
	note, err := abode.Bytes()
	if err != nil {
		return err
	}
	if err := place(file); err != nil {
		return err
	}
	return replace(hook.AbodeFile(file), note, 0o600)
}

// Ready says why the hook's program cannot be placed anywhere; nil: it is here.
func Ready() error {
	if embedded != nil {
		return nil
	}
	_, err := find()
	return err
}

func place(file string) error {
	data := embedded
	if data == nil {
		found, err := find()
		if err != nil {
			return err
		}
		if data, err = os.ReadFile(found); err != nil {
			return err
		}
	}
	if now, err := os.ReadFile(file); err == nil && bytes.Equal(now, data) {
		return os.Chmod(file, 0o755)
	}
	return replace(file, data, 0o755)
}

// find looks for a program that was built beside this one.
func find() (string, error) {
	if self, err := os.Executable(); err == nil {
		beside := filepath.Join(filepath.Dir(self), "fettle-guard")
		if info, err := os.Stat(beside); err == nil && info.Mode().IsRegular() {
			return beside, nil
		}
	}
	found, err := exec.LookPath("fettle-guard")
	if err != nil {
		return "", errors.New("the hook's program fettle-guard is neither in this fettle nor beside it nor in the PATH: build both with make build, or go install ./cmd/..., and try again")
	}
	return filepath.Abs(found)
}
