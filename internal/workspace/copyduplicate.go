package workspace

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"fettle/internal/proc"
)

// duplicate is a copy of the tree's files in another folder, for machines where they cannot be seen at their own path.
type duplicate struct {
	o      CopyOptions
	tree   string
	mirror *mirror
	warm   *mirror // brings what other copies keep in caches; nil: nothing is kept, or it is used in place
	fence  fence
	words  string
}

// fence starts commands that can write only where they may.
type fence interface {
	start() proc.Start
	listen() (net.Listener, error)
	reset() error
	close() error
	describe() string
	confined() bool
	holdsWrites() bool // whatever the network
	hidesState() bool  // and what else is to be hidden
}

func openDuplicate(ctx context.Context, c *Copy, reflink bool, why error) (backing, error) {
	d := &duplicate{o: c.o, tree: filepath.Join(c.o.State, "at", filepath.Base(c.o.Root))}
	if c.o.Root == filepath.Dir(c.o.Root) {
		d.tree = filepath.Join(c.o.State, "at", "root")
	}
	if err := emptyBut(c.o.State, lockName, filepath.Base(c.scratch)); err != nil {
		return nil, err
	}
	for _, dir := range []string{filepath.Dir(d.tree), d.tree, d.caches(), d.temporary()} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			return nil, err
		}
	}
	away := append([]string{c.o.State}, c.o.Mask...)
	d.mirror = &mirror{from: c.o.Root, to: d.tree, reflink: reflink, skip: func(path string) bool { return slices.Contains(away, path) }}
	if err := d.mirror.bring(ctx); err != nil {
		return nil, err
	}
	if d.o.CacheDir != "" && !d.o.KeepCache {
		d.warm = &mirror{from: d.keptCaches(), to: d.caches(), reflink: reflink, skip: func(string) bool { return false }}
	}
	if err := d.fillCaches(ctx); err != nil {
		return nil, err
	}
	writable := []string{d.tree, d.caches(), d.temporary(), c.scratch}
	if d.keepsCaches() {
		if err := os.MkdirAll(d.keptCaches(), 0o700); err != nil {
			return nil, err
		}
		writable = append(writable, d.keptCaches())
	}
	var err error
	if d.fence, err = newFence(c, writable); err != nil {
		return nil, err
	}
	if d.fence.holdsWrites() { // else what runs could write to them
		if err := d.linkNeighbours(); err != nil {
			return nil, errors.Join(err, d.fence.close())
		}
	}
	d.words = d.sentence(why)
	return d, nil
}

// maxNeighbours is how many neighbours of a repository are linked to.
const maxNeighbours = 5000

// linkNeighbours puts links to what lies beside the user's tree beside the copy, so that "../other" leads there from both.
func (d *duplicate) linkNeighbours() error {
	parent := filepath.Dir(d.o.Root)
	entries, err := os.ReadDir(parent)
	if errors.Is(err, fs.ErrPermission) || len(entries) > maxNeighbours {
		return nil // what we may not read, what runs may not either
	}
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.Name() == filepath.Base(d.tree) {
			continue
		}
		if err := os.Symlink(filepath.Join(parent, e.Name()), filepath.Join(filepath.Dir(d.tree), e.Name())); err != nil {
			return err
		}
	}
	return nil
}

func (d *duplicate) caches() string     { return filepath.Join(d.o.State, "caches") }
func (d *duplicate) temporary() string  { return filepath.Join(d.o.State, "tmp") }
func (d *duplicate) keptCaches() string { return filepath.Join(d.o.CacheDir, "caches") }
func (d *duplicate) keepsCaches() bool  { return d.o.CacheDir != "" && d.o.KeepCache }

func (d *duplicate) sentence(why error) string {
	how := "copied"
	if d.mirror.reflink {
		how = "shared by reflink"
	}
	parts := []string{fmt.Sprintf("a copy at another path, %d entries, %d bytes %s", d.mirror.entries(), d.mirror.bytes.Load(), how)}
	if n := len(d.mirror.omitted); n > 0 {
		shown := d.mirror.omitted[:min(n, 3)]
		parts = append(parts, fmt.Sprintf("%d left out (%s)", n, strings.Join(shown, ", ")))
	}
	parts = append(parts, d.fence.describe())
	if !d.fence.hidesState() {
		parts = append(parts, "fettle's own state, and what is personal in HOME, can be read inside")
	}
	if why != nil {
		parts = append(parts, "nothing better works here: "+strings.ReplaceAll(why.Error(), "\n", "; "))
	}
	return strings.Join(parts, "; ")
}

func (d *duplicate) method() Method {
	if d.mirror.reflink {
		return Reflink
	}
	return PlainCopy
}

func (d *duplicate) root() string                          { return d.tree }
func (d *duplicate) describe() string                      { return d.words }
func (d *duplicate) confined() bool                        { return d.fence.confined() }
func (d *duplicate) holdsWrites() bool                     { return d.fence.holdsWrites() }
func (d *duplicate) start() proc.Start                     { return d.fence.start() }
func (d *duplicate) listen() (net.Listener, error)         { return d.fence.listen() }
func (d *duplicate) open() (*os.Root, error)               { return os.OpenRoot(d.tree) }
func (d *duplicate) touched() (map[string]struct{}, error) { return d.mirror.touched() }
func (d *duplicate) close() error                          { return d.fence.close() }

func (d *duplicate) reset() error {
	if err := d.fence.reset(); err != nil {
		return err
	}
	if err := errors.Join(empty(d.temporary()), d.fillCaches(context.Background())); err != nil {
		return err
	}
	return d.mirror.bring(context.Background()) // half a baseline would be none
}

// fillCaches lets the caches of a copy that keeps nothing start from what is kept, as far as that can be brought: compiling
// everything anew for every candidate would take minutes where nothing is shared. They are caches: without them it only takes
// longer.
func (d *duplicate) fillCaches(ctx context.Context) error {
	if d.warm != nil {
		if _, err := os.Stat(d.warm.from); err == nil && d.warm.bring(ctx) == nil {
			return nil
		}
		d.warm.seen = nil
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return empty(d.caches())
}
