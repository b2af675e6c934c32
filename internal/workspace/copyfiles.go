package workspace

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"

	"fettle/internal/edit"
)

// readRegular reads a file for editing. What is missing is the zero File; what is not a regular file cannot be edited, and
// is never opened: opening a fifo would wait for ever.
func readRegular(root *os.Root, name string) (edit.File, error) {
	local := filepath.FromSlash(name)
	info, err := root.Lstat(local)
	switch {
	case errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR):
		return edit.File{}, nil
	case err != nil:
		return edit.File{}, err
	case !info.Mode().IsRegular():
		return edit.File{}, &irregularError{name, kind(info.Mode())}
	}
	f, err := root.OpenFile(local, os.O_RDONLY|syscall.O_NONBLOCK|syscall.O_NOFOLLOW, 0)
	if err != nil {
		return edit.File{}, err
	}
	defer f.Close()
	buf := bytes.NewBuffer(make([]byte, 0, info.Size()+bytes.MinRead))
	if _, err := io.Copy(buf, f); err != nil {
		return edit.File{}, err
	}
	return edit.File{Data: buf.Bytes(), Mode: info.Mode().Perm(), Exists: true}, nil
}

// irregularError is about what is there and no regular file: [fs.ErrInvalid].
type irregularError struct{ name, kind string }

func (e *irregularError) Error() string { return e.name + " is " + e.kind + ", not a regular file" }
func (e *irregularError) Unwrap() error { return fs.ErrInvalid }

// kind says in words what is not a regular file.
func kind(m fs.FileMode) string {
	switch {
	case m.IsDir():
		return "a folder"
	case m&fs.ModeSymlink != 0:
		return "a symbolic link"
	case m&fs.ModeNamedPipe != 0:
		return "a fifo"
	case m&fs.ModeSocket != 0:
		return "a socket"
	case m&fs.ModeDevice != 0:
		return "a device"
	}
	return "something special"
}

// Apply writes what the patch makes of the copy's files into the copy. The patch must fit: each of its files must hold what
// its change expects. If one does not, nothing is written. Afterwards the copy holds the whole patch, or, when there is an
// error in writing, must be Reset.
func (c *Copy) Apply(ctx context.Context, p edit.Patch) error {
	after, err := p.Apply(c.Source())
	if err != nil {
		return fmt.Errorf("apply to the private copy: %w", err)
	}
	c.mu.RLock()
	defer c.mu.RUnlock()
	if c.closed {
		return errClosed
	}
	c.unkeep()
	for _, name := range p.Paths() {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := put(c.files, filepath.FromSlash(name), after[name]); err != nil {
			return fmt.Errorf("apply to the private copy: %w", err)
		}
	}
	return nil
}

// put makes a file what it should be, by a rename, so that hard links and running readers keep the old one.
func put(root *os.Root, name string, f edit.File) error {
	if !f.Exists {
		return root.Remove(name)
	}
	dir := filepath.Dir(name)
	if err := root.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	tmp, err := temporary(root, dir)
	if err != nil {
		return err
	}
	_, err = tmp.Write(f.Data)
	if err == nil {
		err = tmp.Chmod(modeOr(f.Mode))
	}
	err = errors.Join(err, tmp.Close())
	inRoot := filepath.Join(dir, filepath.Base(tmp.Name()))
	if err == nil {
		err = root.Rename(inRoot, name)
	}
	if err != nil {
		return errors.Join(err, root.Remove(inRoot))
	}
	return nil
}

func modeOr(m fs.FileMode) fs.FileMode {
	if m.Perm() == 0 {
		return 0o644
	}
	return m.Perm()
}

func temporary(root *os.Root, dir string) (*os.File, error) {
	for i := 0; ; i++ {
		f, err := root.OpenFile(filepath.Join(dir, ".fettle-"+strconv.Itoa(os.Getpid())+"-"+strconv.Itoa(i)), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if !errors.Is(err, fs.ErrExist) {
			return f, err
		}
	}
}

// Changes tells what differs from the baseline, as a patch against it: files created, deleted, and changed in content or
// mode. What is ignored is left out. A change that a patch cannot express is an error that names it: a file that became a
// symbolic link, or anything else that is not regular.
func (c *Copy) Changes(ctx context.Context) (edit.Patch, error) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	if c.closed {
		return nil, errClosed
	}
	p, err := c.changes(ctx)
	if err != nil {
		return nil, fmt.Errorf("see what changed in the private copy: %w", err)
	}
	return p, nil
}

func (c *Copy) changes(ctx context.Context) (edit.Patch, error) {
	touched, err := c.backing.touched()
	if err != nil {
		return nil, err
	}
	base, err := os.OpenRoot(c.o.Root)
	if err != nil {
		return nil, err
	}
	defer base.Close()
	names, err := c.work(ctx, touched)
	if err != nil {
		return nil, err
	}
	var out edit.Patch
	for _, name := range names {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		ch, changed, err := change(base, c.files, name)
		if err != nil {
			return nil, err
		}
		if changed {
			out = append(out, ch)
		}
	}
	slices.SortFunc(out, func(a, b edit.Change) int { return bytes.Compare([]byte(a.Path), []byte(b.Path)) })
	return out, nil
}

// work are those of the paths that are part of the work, sorted.
func (c *Copy) work(ctx context.Context, touched map[string]struct{}) ([]string, error) {
	var names []string
	for name := range touched {
		if !c.leftOut(name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	if c.o.Ignored == nil || len(names) == 0 {
		return names, nil
	}
	ignored, err := c.o.Ignored(ctx, names)
	if err != nil {
		return nil, fmt.Errorf("see which of what changed is ignored: %w", err)
	}
	slices.Sort(ignored)
	return slices.DeleteFunc(names, func(name string) bool {
		_, is := slices.BinarySearch(ignored, name)
		return is
	}), nil
}

// leftOut reports whether a path, or a folder on the way to it, is git's own, masked, a tool's cache, or a dependency.
func (c *Copy) leftOut(name string) bool {
	for at := name; at != "."; at = path.Dir(at) {
		if path.Base(at) == ".git" || IgnoredByDefault(at) {
			return true
		}
	}
	full := filepath.Join(c.o.Root, filepath.FromSlash(name))
	return slices.ContainsFunc(c.o.Mask, func(m string) bool { return within(full, m) })
}

// change compares one path in the baseline and in the copy.
func change(base, now *os.Root, name string) (edit.Change, bool, error) {
	if same, err := sameOther(base, now, name); same || err != nil {
		return edit.Change{}, false, err
	}
	before, err := fileOrNone(base, name)
	if err != nil {
		return edit.Change{}, false, err
	}
	after, err := fileOrNone(now, name)
	if err != nil {
		return edit.Change{}, false, err
	}
	ch, changed := edit.Compare(name, before, after)
	return ch, changed, nil
}

// fileOrNone reads a file. A folder is no file: when one took a file's place, the file was deleted.
func fileOrNone(root *os.Root, name string) (edit.File, error) {
	if info, err := root.Lstat(filepath.FromSlash(name)); err == nil && info.IsDir() {
		return edit.File{}, nil
	}
	return readRegular(root, name)
}

// sameOther reports whether a path is, on both sides alike, something that a patch does not speak of: a folder, the same
// symbolic link, the same special file; or, on one side only, a special file that no repository can hold.
func sameOther(base, now *os.Root, name string) (bool, error) {
	local := filepath.FromSlash(name)
	was, werr := base.Lstat(local)
	is, ierr := now.Lstat(local)
	if werr != nil || ierr != nil {
		return special(was, werr) || special(is, ierr), nil
	}
	if was.Mode().Type() != is.Mode().Type() || was.Mode().IsRegular() {
		return false, nil
	}
	if was.Mode()&fs.ModeSymlink == 0 {
		return true, nil
	}
	a, err := base.Readlink(local)
	if err != nil {
		return false, err
	}
	b, err := now.Readlink(local)
	if err != nil {
		return false, err
	}
	if a != b {
		return false, fmt.Errorf("the symbolic link %s leads elsewhere now (%s, was %s), which a patch cannot express", name, b, a)
	}
	return true, nil
}

// special reports whether something that exists on one side only is a fifo, a socket or a device.
func special(info fs.FileInfo, err error) bool {
	return err == nil && info.Mode()&(fs.ModeNamedPipe|fs.ModeSocket|fs.ModeDevice) != 0
}
