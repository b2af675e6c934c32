package workspace

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"sync"

	"fettle/internal/edit"
	"fettle/internal/proc"
)

// Method is how a private copy is made.
type Method string

// The methods, best first.
const (
	Auto      Method = ""        // the best that works here
	Overlay   Method = "overlay" // a mount namespace with overlayfs: nothing is copied, and the copy is seen at the original path
	Reflink   Method = "reflink" // a copy whose files share their blocks with the originals (FICLONE)
	PlainCopy Method = "copy"    // a copy
)

// Network is what processes in a copy can reach.
type Network int

// The networks.
const (
	NetworkHost     Network = iota // what the machine can reach
	NetworkLoopback                // each other
)

// CopyOptions say what copy to open.
type CopyOptions struct {
	Root      string   // absolute root of the user's tree
	State     string   // private folder for this copy's layers, made with mode 0700; one copy at a time
	Mask      []string // folders that processes inside must not see (fettle's private state)
	Hide      []string // further files and folders that processes inside see empty, where they lie outside of the tree ([Personal])
	Shared    []string // further folders that processes see as private overlays (the git common dir of a linked worktree)
	CacheDir  string   // a folder for what checks write to HOME and to tools' caches, so that the next one is warm; it belongs below a masked folder; empty: none
	KeepCache bool     // such writes go into CacheDir (the user's own checks); else they only start from there (candidates)
	Languages []string // those whose tools run inside, which decides whose caches are kept; nil: any
	Network   Network
	Method    Method
	// Ignored picks those of the paths (slashes, from the root) that are not part of the work, beside tools' caches
	// and vendored dependencies.
	Ignored func(ctx context.Context, paths []string) ([]string, error)
}

// Copy is a private copy of the user's tree: it starts as the whole baseline, whatever happens in it is not seen outside,
// and everything that runs in it ends with it. Its methods may be used by several goroutines at once; Reset and Close wait
// for running commands to end.
//
// When the user's tree changes while an Overlay copy is open, what the copy shows of the changed files is undefined until the
// next Reset.
type Copy struct {
	o       CopyOptions
	scratch string
	lock    *os.File
	backing backing

	mu     sync.RWMutex
	files  *os.Root // the repository as seen inside
	closed bool

	keeping sync.Mutex
	kept    *kept // see [Copy.Restore]; nil: nobody asked for it yet
}

// backing is what a copy stands on.
type backing interface {
	method() Method
	root() string                          // as seen inside
	describe() string                      // one line for people
	confined() bool                        // see [Copy.Confined]
	holdsWrites() bool                     // see [Copy.HoldsWrites]
	environ(env []string) []string         // what the command's environment must become
	start() proc.Start                     // starts commands inside
	listen() (net.Listener, error)         // a door on the loopback that commands see
	open() (*os.Root, error)               // the copy's files, for us
	touched() (map[string]struct{}, error) // every file that may differ from the baseline, and no folder
	reset() error                          // ends everything inside and goes back to the baseline
	close() error                          // ends everything inside
}

// OpenCopy makes a private copy. With Method Auto, it is the best one that works here, and Describe says why it is not a
// better one.
func OpenCopy(ctx context.Context, o CopyOptions) (*Copy, error) {
	if !filepath.IsAbs(o.Root) || !filepath.IsAbs(o.State) {
		return nil, fmt.Errorf("open a private copy: %q and %q must be absolute", o.Root, o.State)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	lock, err := claim(o.State)
	if err != nil {
		return nil, fmt.Errorf("open a private copy: %w", err)
	}
	c := &Copy{o: o, lock: lock, scratch: filepath.Join(o.State, "scratch")}
	if err := c.open(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("open a private copy of %s: %w", o.Root, err), c.discard())
	}
	return c, nil
}

func (c *Copy) open(ctx context.Context) error {
	if err := os.Mkdir(c.scratch, 0o700); err != nil {
		return err
	}
	var why error
	for _, m := range methods(c.o.Method) {
		b, err := c.attempt(ctx, m, why)
		if err == nil {
			c.backing = b
			c.files, err = b.open()
			return err
		}
		if why = errors.Join(why, fmt.Errorf("%s: %w", m, err)); ctx.Err() != nil {
			break
		}
	}
	return why
}

func methods(m Method) []Method {
	if m == Auto {
		return []Method{Overlay, Reflink, PlainCopy}
	}
	return []Method{m}
}

func (c *Copy) attempt(ctx context.Context, m Method, why error) (backing, error) {
	switch m {
	case Overlay:
		return openOverlay(c)
	case Reflink, PlainCopy:
		return openDuplicate(ctx, c, m == Reflink, why)
	default:
	}
	return nil, errors.New("there is no such method")
}

// Root is the absolute path of the repository's root as processes in the copy see it.
func (c *Copy) Root() string { return c.backing.root() }

// Scratch is an absolute folder, outside the user's files, with the same path inside and outside; both may write to it. It
// is emptied by Reset and goes with the copy.
func (c *Copy) Scratch() string { return c.scratch }

// Method is how the copy is made; never Auto.
func (c *Copy) Method() Method { return c.backing.method() }

// Describe says in one line how the copy is made and what confines it.
func (c *Copy) Describe() string { return c.backing.describe() }

// Confined reports whether commands in the copy can write nowhere else, and reach no other network than they may. Where it
// does not, Describe says what is open, and nothing that is not trusted should run.
func (c *Copy) Confined() bool { return c.backing.confined() }

// HoldsWrites reports whether commands in the copy can write nowhere else, whatever network they reach.
func (c *Copy) HoldsWrites() bool { return c.backing.holdsWrites() }

var errClosed = errors.New("the private copy is closed")

// Run implements [proc.Runner]: the command runs inside. Its Dir is a path as seen inside; empty is the root.
func (c *Copy) Run(ctx context.Context, cmd proc.Cmd) (proc.Result, error) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	if c.closed {
		return proc.Result{}, errClosed
	}
	if cmd.Dir == "" {
		cmd.Dir = c.Root()
	}
	if cmd.Env == nil {
		cmd.Env = os.Environ()
	}
	cmd.Env = c.backing.environ(cmd.Env)
	return proc.Supervise(ctx, cmd, c.backing.start())
}

// Listen opens a door in a copy that reaches nothing else: what commands inside connect to at its address, on the loopback that they see,
// comes to us. It stays open until it is closed, or the copy is.
func (c *Copy) Listen(ctx context.Context) (net.Listener, error) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	if c.closed {
		return nil, errClosed
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	l, err := c.backing.listen()
	if err != nil {
		return nil, fmt.Errorf("open a door in the private copy: %w", err)
	}
	return l, nil
}

// Reset takes the copy to the user's tree as that is now: everything inside is ended, and everything that was written is
// gone, save what KeepCache keeps. Folders beside the tree (HOME, those for temporary files) may show what they were when the
// copy was opened.
func (c *Copy) Reset(ctx context.Context) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return errClosed
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	_ = c.files.Close() // opened for reading only
	c.unkeep()
	err := c.backing.reset()
	if err == nil {
		err = empty(c.scratch)
	}
	if err == nil {
		c.files, err = c.backing.open()
	}
	if err != nil {
		return errors.Join(fmt.Errorf("reset the private copy: %w", err), c.shut())
	}
	return nil
}

// Close ends everything inside and removes the copy. Closing again does nothing.
func (c *Copy) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.shut()
}

func (c *Copy) shut() error {
	if c.closed {
		return nil
	}
	c.closed = true
	if err := c.discard(); err != nil {
		return fmt.Errorf("close the private copy: %w", err)
	}
	return nil
}

// discard takes down whatever has been put up so far.
func (c *Copy) discard() error {
	var errs []error
	if c.files != nil {
		_ = c.files.Close() // opened for reading only
	}
	if c.backing != nil {
		errs = append(errs, c.backing.close())
	}
	errs = append(errs, discardState(c.o.State), c.lock.Close())
	return errors.Join(errs...)
}

// Source hands out the copy's files as edits see them.
func (c *Copy) Source() edit.Source {
	return func(path string) (edit.File, error) {
		c.mu.RLock()
		defer c.mu.RUnlock()
		if c.closed {
			return edit.File{}, errClosed
		}
		return readRegular(c.files, path)
	}
}

// ReadFile reads a file of the copy by its slash path from the root. A missing file is fs.ErrNotExist, what is no regular file fs.ErrInvalid.
func (c *Copy) ReadFile(path string) ([]byte, error) {
	f, err := c.Source()(path)
	if err == nil && !f.Exists {
		err = &fs.PathError{Op: "read", Path: path, Err: fs.ErrNotExist}
	}
	return f.Data, err
}

// FS is the copy's files, for looking through them. It cannot be used any more after the next Reset or Close.
func (c *Copy) FS() fs.FS {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.files.FS()
}

// Stat describes a file of the copy by its slash path from the root, without following a link at its end.
func (c *Copy) Stat(path string) (fs.FileInfo, error) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	if c.closed {
		return nil, errClosed
	}
	return c.files.Lstat(filepath.FromSlash(path))
}
