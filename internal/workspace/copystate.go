package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// lockName is the file in a copy's private folder whose lock says that the copy is alive. The holder of a copy keeps it
// locked too: it is free only when nothing of the copy runs any more, whatever happened to the fettle that opened it.
const lockName = "lock"

// errInUse says that a copy's private folder belongs to a copy that is open.
var errInUse = errors.New("another private copy lives there")

// claim makes the private folder of a copy and locks it. What a copy that died left there is removed.
func claim(state string) (*os.File, error) {
	for {
		if err := os.MkdirAll(state, 0o700); err != nil {
			return nil, err
		}
		lock, err := lockFile(filepath.Join(state, lockName))
		if errors.Is(err, fs.ErrNotExist) {
			continue // removed between our two steps
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", state, err)
		}
		if err := emptyBut(state, lockName); err != nil {
			return nil, errors.Join(err, lock.Close())
		}
		return lock, nil
	}
}

// lockFile opens and locks a file, and makes sure that it still stands under its name.
func lockFile(name string) (*os.File, error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		err = errInUse
	}
	if err == nil {
		var ours, named fs.FileInfo
		if ours, err = f.Stat(); err == nil {
			if named, err = os.Stat(name); err == nil && !os.SameFile(ours, named) {
				err = fs.ErrNotExist
			}
		}
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// discardState removes a copy's private folder. Its lock goes last: a folder that has lost its lock and nothing else would be
// nobody's, and stay for ever.
func discardState(state string) error {
	return errors.Join(emptyBut(state, lockName), removeAll(state))
}

// CleanCopies removes what copies that are no longer alive left in the folder that holds their private folders, and nothing else. It returns
// how many there were. Copies that are open are left alone, those of other processes too.
func CleanCopies(dir string) (int, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("clean up private copies: %w", err)
	}
	n := 0
	var errs []error
	for _, e := range entries {
		state := filepath.Join(dir, e.Name())
		if os.Remove(state) == nil { // empty: it was killed between two steps. A copy that is about to be opened makes it again
			n++
			continue
		}
		// A copy locks its folder before it puts anything else there, so one without a lock lost it in a power cut.
		lock, err := lockFile(filepath.Join(state, lockName))
		if err != nil {
			continue // alive, or gone by now
		}
		errs = append(errs, discardState(state), lock.Close())
		n++
	}
	if err := errors.Join(errs...); err != nil {
		return n, fmt.Errorf("clean up private copies: %w", err)
	}
	return n, nil
}

// CleanCaches removes what checks keep in caches from one run to the next (see [CopyOptions]), but for caches that are in use. It
// returns how many are.
func CleanCaches(dir string) (inUse int, err error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("empty the checks' caches: %w", err)
	}
	var errs []error
	for _, e := range entries {
		cache := filepath.Join(dir, e.Name())
		lock, err := lockFile(filepath.Join(cache, lockName))
		if errors.Is(err, errInUse) {
			inUse++
			continue
		}
		if err != nil {
			errs = append(errs, err)
			continue
		}
		errs = append(errs, discardState(cache), lock.Close())
	}
	if err := errors.Join(errs...); err != nil {
		return inUse, fmt.Errorf("empty the checks' caches: %w", err)
	}
	return inUse, nil
}

// empty removes everything in a folder.
func empty(dir string) error { return emptyBut(dir) }

func emptyBut(dir string, keep ...string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	var errs []error
	for _, e := range entries {
		if !slices.Contains(keep, e.Name()) {
			errs = append(errs, removeAll(filepath.Join(dir, e.Name())))
		}
	}
	return errors.Join(errs...)
}

// removeAll removes a tree, folders without permissions included: tools' caches have them, and so has overlayfs's work
// folder.
func removeAll(dir string) error {
	err := os.RemoveAll(dir)
	if !errors.Is(err, fs.ErrPermission) {
		return err
	}
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			return nil
		}
		if err != nil && d != nil && d.IsDir() {
			return fs.SkipDir // already opened up before reading it, and still closed: RemoveAll will say so
		}
		return openUp(path)
	})
	return os.RemoveAll(dir)
}

// openUp gives the owner every right on a folder, and on the folders in it, before they are walked.
func openUp(dir string) error {
	if err := os.Chmod(dir, 0o700); err != nil {
		return fs.SkipDir
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return fs.SkipDir
	}
	for _, e := range entries {
		if e.IsDir() {
			_ = os.Chmod(filepath.Join(dir, e.Name()), 0o700) // RemoveAll tells if it mattered
		}
	}
	return nil
}

// within reports whether path is dir or lies below it. Both are clean and absolute.
func within(path, dir string) bool {
	return path == dir || strings.HasPrefix(path, strings.TrimSuffix(dir, string(filepath.Separator))+string(filepath.Separator))
}
