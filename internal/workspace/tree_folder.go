package workspace

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
)

// folder is an open folder of the tree, reached without following any link. Work inside it uses single names only, so
// nothing that happens to the path above it can lead that work elsewhere.
type folder struct {
	*os.Root
	path string // slash path from the root; "." is the root itself
	tree *Tree
}

func (f *folder) close() {
	if f.Root != f.tree.root {
		_ = f.Close() // it is a handle for reading
	}
}

// open opens the folder dir, one level after the other. Each level must be a real folder, and the one opened must be the one
// looked at. forPath is the file it is opened for; errors name it. The error wraps fs.ErrNotExist when a level is missing.
func (t *Tree) open(dir, forPath string) (*folder, error) {
	f := &folder{Root: t.root, path: dir, tree: t}
	if dir == "." {
		return f, nil
	}
	for name := range strings.SplitSeq(dir, "/") {
		next, err := f.enter(name, forPath)
		f.close()
		if err != nil {
			return nil, err
		}
		f.Root = next
	}
	return f, nil
}

func (f *folder) enter(name, forPath string) (*os.Root, error) {
	want, err := f.Lstat(name)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", forPath, err)
	}
	switch {
	case want.Mode()&fs.ModeSymlink != 0:
		return nil, &Refused{forPath, "Symlink in path chain not allowed"}
	case !want.IsDir():
		return nil, &Refused{forPath, "A folder in the path is not a folder"}
	}
	next, err := f.OpenRoot(name)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", forPath, err)
	}
	if have, err := next.Stat("."); err != nil || !os.SameFile(want, have) {
		return nil, errors.Join(&Refused{forPath, "A folder in the path was replaced while it was being opened"}, err, next.Close())
	}
	return next, nil
}

// stays reports an error when the folder is no longer where it was opened, as when someone moved it out of the tree.
func (f *folder) stays(forPath string) error {
	have, err := f.Stat(".")
	if err != nil {
		return fmt.Errorf("open %s: %w", forPath, err)
	}
	want, err := f.tree.root.Lstat(f.path)
	if err != nil || !os.SameFile(want, have) {
		return errors.Join(&Refused{forPath, "A folder in the path was moved or replaced while the file was being written"}, err)
	}
	return nil
}

// sync makes the names in the folder durable.
func (f *folder) sync() error {
	d, err := f.Open(".")
	if err != nil {
		return fmt.Errorf("sync folder %s: %w", f.path, err)
	}
	if err := errors.Join(d.Sync(), d.Close()); err != nil {
		return fmt.Errorf("sync folder %s: %w", f.path, err)
	}
	return nil
}

// read reads the regular, singly named file called name in the folder; p is its path, for errors. A missing file is no error.
// The open cannot block (on a pipe) and follows no link, and the file opened must be the one looked at.
func (t *Tree) read(f *folder, name, p string) (seen, error) {
	want, err := f.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return seen{}, nil
	}
	if err != nil {
		return seen{}, fmt.Errorf("read %s: %w", p, err)
	}
	if err := regular(want, p); err != nil {
		return seen{}, err
	}
	file, err := f.OpenFile(name, os.O_RDONLY|openFlags, 0)
	if err != nil {
		return seen{}, fmt.Errorf("read %s: %w", p, err)
	}
	s, err := t.readOpen(file, want, p)
	return s, errors.Join(err, file.Close())
}

func (t *Tree) readOpen(file *os.File, want fs.FileInfo, p string) (seen, error) {
	info, err := file.Stat()
	if err != nil {
		return seen{}, fmt.Errorf("read %s: %w", p, err)
	}
	if !os.SameFile(want, info) {
		return seen{}, &Refused{p, "File was replaced while it was being read"}
	}
	if err := errors.Join(regular(info, p), single(info, p), t.fits(info.Size(), "File size", p)); err != nil {
		return seen{}, err
	}
	data := make([]byte, 0, info.Size()+1) // the one byte more lets the end be seen without growing
	data, err = readAll(io.LimitReader(file, t.o.MaxFile+1), data)
	if err != nil {
		return seen{}, fmt.Errorf("read %s: %w", p, err)
	}
	after, err := file.Stat()
	if err != nil {
		return seen{}, fmt.Errorf("read %s: %w", p, err)
	}
	if !unchanged(info, after) || int64(len(data)) != after.Size() {
		return seen{}, &Refused{p, "File changed while it was being read"}
	}
	s := seen{info: info}
	s.file.Data, s.file.Mode, s.file.Exists = data, info.Mode().Perm(), true
	return s, nil
}

// readAll is io.ReadAll into a buffer of the caller's.
func readAll(r io.Reader, b []byte) ([]byte, error) {
	for {
		if len(b) == cap(b) {
			b = append(b, 0)[:len(b)]
		}
		n, err := r.Read(b[len(b):cap(b)])
		b = b[:len(b)+n]
		if errors.Is(err, io.EOF) {
			return b, nil
		}
		if err != nil {
			return nil, err
		}
	}
}

func regular(info fs.FileInfo, p string) error {
	switch {
	case info.Mode()&fs.ModeSymlink != 0:
		return &Refused{p, "Symlinks are not allowed for security reasons"}
	case !info.Mode().IsRegular():
		return &Refused{p, "Path is not a file"}
	}
	return nil
}

// single refuses a file with several names: a write would cut it off from the others, or reach a place outside the tree.
func single(info fs.FileInfo, p string) error {
	if n := links(info); n != 1 {
		return &Refused{p, fmt.Sprintf("File has %d hard links", n)}
	}
	return nil
}

func (t *Tree) fits(size int64, what, p string) error {
	if size > t.o.MaxFile {
		return &Refused{p, fmt.Sprintf("%s %d exceeds limit %d", what, size, t.o.MaxFile)}
	}
	return nil
}

// unchanged reports whether two looks at a file saw the same state of the same file.
func unchanged(a, b fs.FileInfo) bool {
	return os.SameFile(a, b) && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime()) && a.Mode() == b.Mode()
}
