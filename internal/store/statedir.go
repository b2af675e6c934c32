package store

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// StateDir is the private folder for the state of one working tree, created owner-only (0700) where it is missing:
// <gitCommonDir>/fettle/<worktreeKey>, or without git (gitCommonDir == "") $XDG_STATE_HOME/fettle/<hash of root>, where
// XDG_STATE_HOME is ~/.local/state unless set to an absolute path (XDG Base Directory Specification 0.8). It is there too where
// git's folder lies on a file system on which nothing can be private, because it knows no modes or owners (exFAT, FAT, many
// shares), or so deep that its path is too long for a database.
//
// It refuses a folder that is a symbolic link, belongs to somebody else, or can be written by others: state in such a place
// is not private, and may have been put there to mislead.
func StateDir(root, gitCommonDir, worktreeKey string) (string, error) {
	base, key, err := place(root, gitCommonDir, worktreeKey)
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(base, 0o700); err != nil {
		return "", fmt.Errorf("state folder: %w", err)
	}
	home := filepath.Join(base, "fettle")
	dir := filepath.Join(home, key)
	for _, d := range []string{home, dir} {
		if err := private(d); err != nil {
			return "", err
		}
	}
	return dir, nil
}

// HasState reports whether [StateDir] is there already. It leaves nothing behind.
func HasState(root, gitCommonDir, worktreeKey string) bool {
	base, key, err := place(root, gitCommonDir, worktreeKey)
	if err != nil {
		return true // StateDir says what is wrong
	}
	_, err = os.Lstat(filepath.Join(base, "fettle", key))
	return !errors.Is(err, fs.ErrNotExist)
}

// NearState is an existing folder on the file system that holds [StateDir], or is going to.
func NearState(root, gitCommonDir string) string {
	base, _, err := place(root, gitCommonDir, "main")
	if err != nil {
		return os.TempDir()
	}
	for {
		if info, err := os.Stat(base); err == nil && info.IsDir() || base == filepath.Dir(base) {
			return base
		}
		base = filepath.Dir(base)
	}
}

// longest is how long the path of git's folder may be for the state to lie in it: SQLite opens no path of more than 512 bytes.
const longest = 300

// place is the folder that holds fettle's own, and the name of the working tree's state in that.
func place(root, gitCommonDir, worktreeKey string) (base, key string, err error) {
	base, key = gitCommonDir, worktreeKey
	if gitCommonDir == "" || len(gitCommonDir) > longest || !canBePrivate(gitCommonDir) {
		if base, key, err = xdg(root); err != nil {
			return "", "", err
		}
	}
	if !plain(key) {
		return "", "", fmt.Errorf("state folder: %q cannot be a working tree's key; it must be one plain file name", key)
	}
	return base, key, nil
}

// PersonDir is the private folder for the state of a person's that belongs to no single working tree, such as what was spent: $XDG_STATE_HOME/fettle/<name>. It is made,
// owner-only, where it is missing and wanted; where it is not wanted and not there, the error wraps fs.ErrNotExist. It is refused as [StateDir] is.
func PersonDir(name string, wanted bool) (string, error) {
	base, err := xdgBase()
	if err != nil {
		return "", err
	}
	home := filepath.Join(base, "fettle")
	dir := filepath.Join(home, name)
	if !wanted {
		if _, err := os.Lstat(dir); err != nil {
			return "", fmt.Errorf("state folder: %w", err)
		}
	}
	if err := os.MkdirAll(base, 0o700); err != nil {
		return "", fmt.Errorf("state folder: %w", err)
	}
	return dir, errors.Join(private(home), private(dir))
}

func xdgBase() (string, error) {
	if base := os.Getenv("XDG_STATE_HOME"); filepath.IsAbs(base) {
		return base, nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", fmt.Errorf("state folder: set XDG_STATE_HOME or HOME: %w", err)
	}
	return filepath.Join(home, ".local", "state"), nil
}

func xdg(root string) (base, key string, err error) {
	abs, err := filepath.Abs(root)
	if err != nil {
		return "", "", fmt.Errorf("state folder: %w", err)
	}
	if base, err = xdgBase(); err != nil {
		return "", "", err
	}
	sum := sha256.Sum256([]byte(abs))
	return base, hex.EncodeToString(sum[:])[:32], nil
}

// canBePrivate reports whether a folder that is made for us alone is ours alone. Where that cannot be tried, it is not ours to
// say: what comes next fails with a reason.
func canBePrivate(dir string) bool {
	if info, err := os.Lstat(filepath.Join(dir, "fettle")); err == nil && mine(info) && info.Mode().Perm()&0o077 == 0 {
		return true
	}
	probe, err := os.MkdirTemp(dir, "fettle-probe-") // 0700
	if err != nil {
		return true
	}
	defer func() { _ = os.Remove(probe) }() // empty
	info, err := os.Lstat(probe)
	return err != nil || mine(info) && info.Mode().Perm()&0o077 == 0
}

// plain reports whether s is one ordinary file name.
func plain(s string) bool {
	return s != "" && len(s) <= 200 && s[0] != '.' && !strings.ContainsAny(s, "/\\:\x00") && filepath.IsLocal(s)
}

// private makes dir if it is missing, and refuses it unless it is a real folder that belongs to this user and that nobody
// else can write. Where others could only read, their right to is taken away.
func private(dir string) error {
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("state folder: %w", err)
	}
	info, err := os.Lstat(dir)
	if err != nil {
		return fmt.Errorf("state folder: %w", err)
	}
	switch {
	case info.Mode()&fs.ModeSymlink != 0:
		return fmt.Errorf("state folder: %s is a symbolic link; remove it and run fettle again", dir)
	case !info.IsDir():
		return fmt.Errorf("state folder: %s is not a folder; move it away and run fettle again", dir)
	case !mine(info):
		return fmt.Errorf("state folder: %s belongs to another user; run fettle as its owner, or move it away", dir)
	case info.Mode().Perm()&0o022 != 0:
		return fmt.Errorf("state folder: others can write to %s; look at what is in it, then run: chmod 700 %s", dir, dir)
	case info.Mode().Perm()&0o077 != 0:
		return os.Chmod(dir, 0o700)
	}
	return nil
}

// syncNames makes sure that a power cut does not take the folder away: its names and those that lead to it are synced. Folders
// above it that we may not look into, or that cannot be synced where they lie, are not ours, and older.
func syncNames(dir string) error {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return fmt.Errorf("state folder: %w", err)
	}
	for at := abs; ; at = filepath.Dir(at) {
		err := SyncFolder(at)
		foreign := errors.Is(err, fs.ErrPermission) || errors.Is(err, errors.ErrUnsupported) || errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.EROFS)
		if err != nil && (!foreign || at == abs) {
			return fmt.Errorf("state folder: %w", err)
		}
		if at == filepath.Dir(at) {
			return nil
		}
	}
}

// SyncFolder makes the names in a folder durable.
func SyncFolder(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
