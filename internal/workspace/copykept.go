package workspace

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
	"time"

	"fettle/internal/edit"
)

// kept is a copy's files as they were when it was first asked for: what must be there whatever runs in the copy. Tools' caches, and what git ignores, may be
// written anew and come and go; but what was there of them stays.
//
// It knows by itself only what differed from the user's tree at that time, of which it has the contents in a folder of its own: all else is as the tree
// has it. So a look costs what has been written to an overlay, or one look at each file of a copy in another folder.
type kept struct {
	c     *Copy
	store string // where the contents are

	had     map[string]keptFile // what differed from the tree, by slash path
	theirs  map[string]bool     // what the tests themselves change, and the folders, with a slash behind, in which they make files
	gone    map[string]bool     // what they remove
	ignored map[string]bool     // whether git ignores a new file, as far as that was asked
}

// keptFile is a file as it is to be.
type keptFile struct {
	mode fs.FileMode // with the type; zero: there is none
	size int64
	time time.Time
	link string // where a symbolic link leads
	from string // the file that has the contents; empty: nobody has
}

// mostKept bounds the contents that are kept apart from the tree. What is beyond cannot be put back.
const mostKept = 256 << 20

// Restore puts back what has been removed, changed or made in the copy since Restore was called first after it was opened, Reset or Applied to, and tells
// what that was, by slash path. What the tests are known to do by themselves ([Copy.Learn]) is no such thing. Where something still runs in the copy it
// may fail, or be undone again.
func (c *Copy) Restore(ctx context.Context) ([]string, error) {
	var changed []string
	err := c.keep(ctx, func(k *kept) (err error) {
		changed, err = k.restore(ctx)
		return err
	})
	return changed, err
}

// Learn takes it that what Restore would put back now is what tests do by themselves: it is theirs, and left alone from now on.
func (c *Copy) Learn(ctx context.Context) error {
	return c.keep(ctx, func(k *kept) error { return k.learn(ctx) })
}

// keep does something with what is kept, which is what there is now if nothing is yet.
func (c *Copy) keep(ctx context.Context, do func(*kept) error) error {
	c.mu.RLock()
	defer c.mu.RUnlock()
	if c.closed {
		return errClosed
	}
	c.keeping.Lock()
	defer c.keeping.Unlock()
	if c.kept == nil {
		k := &kept{c: c, store: filepath.Join(c.o.State, "kept"), had: map[string]keptFile{}, theirs: map[string]bool{}, gone: map[string]bool{}, ignored: map[string]bool{}}
		if err := k.fill(ctx); err != nil {
			return fmt.Errorf("keep the private copy's files: %w", err)
		}
		c.kept = k
	}
	return do(c.kept)
}

// unkeep forgets what is kept, since other files are to be there now.
func (c *Copy) unkeep() {
	c.keeping.Lock()
	defer c.keeping.Unlock()
	c.kept = nil
}

// fill takes down what differs from the tree.
func (k *kept) fill(ctx context.Context) error {
	if err := os.RemoveAll(k.store); err != nil {
		return err
	}
	if err := os.Mkdir(k.store, 0o700); err != nil {
		return err
	}
	touched, err := k.c.backing.touched()
	if err != nil {
		return err
	}
	left := int64(mostKept)
	for name := range touched {
		if err := ctx.Err(); err != nil {
			return err
		}
		f := k.now(name)
		if f.mode.IsRegular() && f.size <= left {
			from := filepath.Join(k.store, strconv.Itoa(len(k.had)))
			file, err := readRegular(k.c.files, name)
			if err == nil {
				err = os.WriteFile(from, file.Data, 0o600)
			}
			if err != nil {
				return err
			}
			f.from, left = from, left-f.size
		}
		k.had[name] = f
	}
	return nil
}

// now is a file as it is.
func (k *kept) now(name string) keptFile {
	local := filepath.FromSlash(name)
	info, err := k.c.files.Lstat(local)
	if err != nil {
		return keptFile{}
	}
	f := keptFileOf(info)
	if f.mode&fs.ModeSymlink != 0 {
		f.link, _ = k.c.files.Readlink(local)
	}
	return f
}

func keptFileOf(info fs.FileInfo) keptFile {
	return keptFile{mode: info.Mode(), size: info.Size(), time: info.ModTime()}
}

// wanted is a file as it is to be.
func (k *kept) wanted(name string) keptFile {
	if f, ok := k.had[name]; ok {
		return f
	}
	from := filepath.Join(k.c.o.Root, filepath.FromSlash(name))
	info, err := os.Lstat(from)
	if err != nil {
		return keptFile{}
	}
	f := keptFileOf(info)
	f.from = from
	if f.mode&fs.ModeSymlink != 0 {
		f.link, _ = os.Readlink(from)
	}
	return f
}

// same reports whether one is as the other is to be. Folders are alike: what matters is in them.
func (f keptFile) same(as keptFile) bool {
	switch {
	case f.mode.Type() != as.mode.Type() || f.there() != as.there():
		return false
	case f.mode.IsRegular():
		return f.mode == as.mode && f.size == as.size && f.time.Equal(as.time)
	}
	return f.link == as.link
}

func (f keptFile) there() bool { return f.mode != 0 }

// held reports whether it is of a kind that is put back: folders come back with what is in them.
func (f keptFile) held() bool { return f.mode.IsRegular() && f.there() || f.mode&fs.ModeSymlink != 0 }

// learn takes what is damaged for what the tests do.
func (k *kept) learn(ctx context.Context) error {
	damaged, err := k.damaged(ctx)
	for _, name := range damaged {
		k.theirs[name] = true
		switch {
		case !k.wanted(name).held():
			k.theirs[path.Dir(name)+"/"] = true
		case !k.now(name).held():
			k.gone[name] = true
		}
	}
	if err != nil {
		return fmt.Errorf("see what tests change in the private copy: %w", err)
	}
	return nil
}

// restore puts back what is damaged.
func (k *kept) restore(ctx context.Context) ([]string, error) {
	damaged, err := k.damaged(ctx)
	for _, name := range damaged {
		if e := k.putBack(name); e != nil {
			err = errors.Join(err, fmt.Errorf("put %s back: %w", name, e))
		}
	}
	return damaged, err
}

// damaged are the files that are not what they are to be.
func (k *kept) damaged(ctx context.Context) ([]string, error) {
	touched, err := k.c.backing.touched()
	if err != nil {
		return nil, err
	}
	for name := range k.had {
		touched[name] = struct{}{}
	}
	var out []string
	made := map[string]struct{}{}
	for name := range touched {
		switch now, want := k.now(name), k.wanted(name); {
		case now.same(want) || !now.held() && !want.held():
		case !want.held():
			if !k.theirs[name] && !k.theirs[path.Dir(name)+"/"] {
				made[name] = struct{}{}
			}
		case !now.held():
			if !k.gone[name] {
				out = append(out, name)
			}
		case !k.theirs[name] && !k.c.leftOut(name):
			out = append(out, name)
		}
	}
	work, err := k.workOf(ctx, made)
	out = append(out, work...)
	slices.Sort(out)
	return out, err
}

// workOf are those of new files that are part of the work.
func (k *kept) workOf(ctx context.Context, made map[string]struct{}) ([]string, error) {
	unknown := map[string]struct{}{}
	for name := range made {
		if _, known := k.ignored[name]; !known {
			unknown[name] = struct{}{}
		}
	}
	if len(unknown) > 0 {
		work, err := k.c.work(ctx, unknown)
		if err != nil {
			return nil, err
		}
		for name := range unknown {
			k.ignored[name] = !slices.Contains(work, name)
		}
	}
	var out []string
	for name := range made {
		if !k.ignored[name] {
			out = append(out, name)
		}
	}
	return out, nil
}

// putBack makes a file what it is to be.
func (k *kept) putBack(name string) error {
	root, local, want := k.c.files, filepath.FromSlash(name), k.wanted(name)
	if err := k.clear(name); err != nil {
		return err
	}
	switch {
	case !want.held():
		return k.prune(path.Dir(name))
	case want.mode&fs.ModeSymlink != 0:
		if err := root.MkdirAll(filepath.Dir(local), 0o755); err != nil {
			return err
		}
		return root.Symlink(want.link, local)
	case want.from == "":
		return errors.New("it is too large to be kept")
	}
	data, err := os.ReadFile(want.from)
	if err != nil {
		return err
	}
	if err := put(root, local, edit.File{Data: data, Mode: want.mode.Perm(), Exists: true}); err != nil {
		return err
	}
	return root.Chtimes(local, want.time, want.time)
}

// clear takes out of a file's way what stands there, or where a folder on the way to it is to be.
func (k *kept) clear(name string) error {
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		if now := k.now(dir); now.there() && !now.mode.IsDir() && !k.wanted(dir).held() {
			return k.c.files.Remove(filepath.FromSlash(dir))
		}
	}
	if err := k.c.files.RemoveAll(filepath.FromSlash(name)); !errors.Is(err, syscall.ENOTDIR) { // a file is back on the way to it
		return err
	}
	return nil
}

// prune removes folders that nobody has had, and that are empty now.
func (k *kept) prune(dir string) error {
	for ; dir != "." && !k.wanted(dir).there(); dir = path.Dir(dir) {
		if err := k.c.files.Remove(filepath.FromSlash(dir)); err != nil {
			return nil //nolint:nilerr // something else is in it
		}
	}
	return nil
}
