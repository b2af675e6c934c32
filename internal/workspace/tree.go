package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	slashpath "path"
	"sync"

	"fettle/internal/edit"
	"fettle/internal/journal"
	"fettle/internal/policy/path"
)

// Options limit what a [Tree] writes. The zero value holds the defaults.
type Options struct {
	MaxFile  int64                  // bytes a file may have, before and after; 0: 10 MiB
	MaxEdits int                    // edits one patch may make to a file; 0: 30, negative: as many as it likes
	InScope  func(path string) bool // which files may be written; nil: all that the name policy allows
}

// The defaults of [Options].
const (
	DefaultMaxFile  = 10 << 20
	DefaultMaxEdits = 30
)

// Tree is the user's tree. Reads and writes stay below its root whatever links or racing programs say; each write is
// journalled and atomic. It may be used by several goroutines at a time; its writes happen one after the other.
type Tree struct {
	dir  string
	root *os.Root
	j    *journal.Journal
	o    Options

	mu      sync.Mutex // one write at a time
	settled bool       // whether what an earlier process left half-done has been dealt with; guarded by mu

	lockMu sync.Mutex
	held   bool // whether Lock is held; guarded by lockMu

	// fault is called at each step of the write protocol; the tests make it fail, or the process die.
	fault func(step string) error
}

// OpenTree opens the tree whose root folder is root. Its journal is j, and its lock lies in j's state folder.
// The caller closes it.
func OpenTree(root string, j *journal.Journal, o Options) (*Tree, error) {
	r, err := os.OpenRoot(root)
	if err != nil {
		return nil, fmt.Errorf("open the working tree: %w", err)
	}
	if o.MaxFile == 0 {
		o.MaxFile = DefaultMaxFile
	}
	if o.MaxEdits == 0 {
		o.MaxEdits = DefaultMaxEdits
	}
	return &Tree{dir: root, root: r, j: j, o: o, fault: func(string) error { return nil }}, nil
}

// Close lets go of the root folder. It does not release a lock.
func (t *Tree) Close() error { return t.root.Close() }

// Root is the root folder as it was given to [OpenTree].
func (t *Tree) Root() string { return t.dir }

// Refused says that a file is not one that fettle reads or writes: a link, a device, too large, out of scope.
type Refused struct {
	Path string
	Why  string // for people, without the path
}

func (e *Refused) Error() string { return e.Why + ": " + path.Show(e.Path) }

// Source reads files of the tree as they are now. It reads regular files with a single name, up to the size limit, through no
// symbolic link; anything else is a [*Refused]. Names are not judged, as reading changes nothing.
func (t *Tree) Source() edit.Source {
	return func(p string) (edit.File, error) {
		s, err := t.look(p)
		return s.file, err
	}
}

// seen is a file as it was read, with what identifies it. info is nil when there was no file.
type seen struct {
	file edit.File
	info fs.FileInfo
}

func (s seen) image() journal.Image { return journal.ImageOf(s.file) }

// look reads the file at p. A missing file or folder is no error.
func (t *Tree) look(p string) (seen, error) {
	f, err := t.open(slashpath.Dir(p), p)
	if errors.Is(err, fs.ErrNotExist) {
		return seen{}, nil
	}
	if err != nil {
		return seen{}, err
	}
	defer f.close()
	return t.read(f, slashpath.Base(p), p)
}
