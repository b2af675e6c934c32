package workspace

import (
	"context"
	"fmt"
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
	fence  fence
	words  string
}

// fence starts commands that can write only where they may.
type fence interface {
	start() proc.Start
	reset() error
	close() error
	describe() string
	confined() bool
}

func openDuplicate(ctx context.Context, c *Copy, reflink bool, why error) (backing, error) {
	d := &duplicate{o: c.o, tree: filepath.Join(c.o.State, "tree")}
	if err := emptyBut(c.o.State, lockName, filepath.Base(c.scratch)); err != nil {
		return nil, err
	}
	for _, dir := range []string{d.tree, d.caches(), d.temporary()} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			return nil, err
		}
	}
	away := append([]string{c.o.State}, c.o.Mask...)
	d.mirror = &mirror{from: c.o.Root, to: d.tree, reflink: reflink, skip: func(path string) bool { return slices.Contains(away, path) }}
	if err := d.mirror.bring(ctx); err != nil {
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
	d.words = d.sentence(why)
	return d, nil
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
func (d *duplicate) start() proc.Start                     { return d.fence.start() }
func (d *duplicate) open() (*os.Root, error)               { return os.OpenRoot(d.tree) }
func (d *duplicate) touched() (map[string]struct{}, error) { return d.mirror.touched() }
func (d *duplicate) close() error                          { return d.fence.close() }

func (d *duplicate) reset() error {
	if err := d.fence.reset(); err != nil {
		return err
	}
	for _, dir := range []string{d.caches(), d.temporary()} {
		if err := empty(dir); err != nil {
			return err
		}
	}
	return d.mirror.bring(context.Background()) // half a baseline would be none
}

// environ points tools' caches and temporary files to folders of the copy: HOME itself stays, for its settings, but cannot be
// written to.
func (d *duplicate) environ(env []string) []string {
	caches := d.caches()
	if d.keepsCaches() {
		caches = d.keptCaches()
	}
	return append(slices.Clone(env),
		"TMPDIR="+d.temporary(),
		"XDG_CACHE_HOME="+caches,
		"GOCACHE="+filepath.Join(caches, "go-build"),
		"GOLANGCI_LINT_CACHE="+filepath.Join(caches, "golangci-lint"),
		"STATICCHECK_CACHE="+filepath.Join(caches, "staticcheck"),
		"PIP_CACHE_DIR="+filepath.Join(caches, "pip"),
		"UV_CACHE_DIR="+filepath.Join(caches, "uv"),
		"npm_config_cache="+filepath.Join(caches, "npm"),
	)
}
