// Package confine answers "what of this home can nothing take that runs here?".
//
// The guard's rules read what an agent says it will do, and code can hide anything from a reader. This room asks nothing of the code: a program is started so
// that the kernel (Landlock) lets it, and everything that it starts, read a home and change next to nothing in it. [Draw] says what may be changed, without
// changing anything; [Bounds.Start] becomes the program.
//
// What is kept cannot be written to, either, and nothing be made in it: who may only add could still overwrite a file in its place, or leave something in a
// start-up file that deletes later, where nobody is confined. What stays free in a home is the project, and what programs keep for themselves (see [table]).
//
// Landlock gives rights on a folder with all below it, and takes none back further down. So the home is not named at all: everything beside the way that leads
// to it is, and what is free in it.
package confine

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Ask is who starts what, and where.
type Ask struct {
	Home   string   // as the environment names it
	Work   string   // the folder in which the program starts
	Argv   []string // the program and its arguments; empty: none is started
	Also   []string // folders that the person frees, too
	Getenv func(string) string
}

// Bounds are what a confined program may change. Outside of the home that is what the system lets it.
type Bounds struct {
	Home    string   `json:"home"`    // where it lies, without links
	Project string   `json:"project"` // likewise
	Free    []Place  `json:"free"`    // what lies in the home and may be changed
	Kept    []Named  `json:"kept"`    // what the environment or a link names as such a place, and is none
	Closed  []string `json:"closed"`  // the folders on the way to the home: what lies in them may be changed, but nothing can be made or removed there

	roots []string // ways to the home: itself, links that lead to it, and where else it is mounted
}

// Place is a folder, or a file, that may be changed.
type Place struct {
	Path string `json:"path"`
	Why  string `json:"why"`
	New  bool   `json:"new,omitempty"` // it is not there yet, and made when the program starts

	text string // of a file that is made
	file bool
}

// Named is a place that is kept though something names it.
type Named struct {
	By   string `json:"by"` // a variable of the environment, or a path
	Path string `json:"path"`
	Why  string `json:"why"`
}

func (n Named) String() string { return fmt.Sprintf("%s: %s is kept: %s", n.By, n.Path, n.Why) }

// ErrAll are bounds in which nothing of a home would be kept.
var ErrAll = errors.New("nothing of a home can be kept so")

// ErrNoFolder is something else where a folder is to be freed.
var ErrNoFolder = errors.New("this is no folder")

// ErrUnsupported is a system that cannot keep a program to bounds.
var ErrUnsupported = errors.New("a program cannot be confined here, and was not started")

// Draw says what may be changed.
func Draw(a Ask) (*Bounds, error) {
	switch {
	case a.Home == "":
		return nil, fmt.Errorf("%w: HOME is not set", ErrAll)
	case !filepath.IsAbs(a.Home):
		return nil, fmt.Errorf("%w: HOME=%s is no absolute path", ErrAll, a.Home)
	}
	home, err := filepath.EvalSymlinks(a.Home)
	if err != nil {
		return nil, fmt.Errorf("%w: HOME=%s: %w", ErrAll, a.Home, err)
	}
	if home == "/" {
		return nil, fmt.Errorf("%w: the home is /, in which everything lies", ErrAll)
	}
	b := &Bounds{Home: home, Free: []Place{}, Kept: []Named{}}
	if err := b.findWays(a.Home); err != nil {
		return nil, err
	}
	if err := b.freeProject(a.Work); err != nil {
		return nil, err
	}
	for _, dir := range a.Also {
		if err := b.freeAlso(dir); err != nil {
			return nil, err
		}
	}
	b.freePrograms(a)
	return b, nil
}

// freeProject frees the project around a folder, and what git keeps of it elsewhere.
func (b *Bounds) freeProject(work string) error {
	at, err := filepath.EvalSymlinks(work)
	if err != nil {
		return err
	}
	if named := b.named(work); at != named && within(at, b.Home) { // an agent may have put it there
		return fmt.Errorf("%w: %s leads to %s: start the program there, if that is the project", ErrAll, work, at)
	}
	b.Project = projectRoot(at, b.Home)
	if b.leadsHome(b.Project) {
		return fmt.Errorf("%w: the project would be %s, and your home lies in it: start the program in a folder of its own below", ErrAll, b.Project)
	}
	b.free(Place{Path: b.Project, Why: "the project"})
	dirs, doubt := gitFolders(b.Project)
	for _, dir := range dirs {
		if !within(b.Home, dir) {
			b.free(Place{Path: dir, Why: "what git keeps of the project"})
		}
	}
	if doubt != nil {
		b.Kept = append(b.Kept, *doubt)
	}
	return nil
}

// freeAlso frees a folder that the person names.
func (b *Bounds) freeAlso(dir string) error {
	path, err := filepath.Abs(dir)
	if err == nil {
		path, err = filepath.EvalSymlinks(path)
	}
	if err != nil {
		return fmt.Errorf("%w, which cannot be freed: %w", ErrNoFolder, err)
	}
	if info, err := os.Stat(path); err != nil || !info.IsDir() {
		return fmt.Errorf("%w, and cannot be freed: %s", ErrNoFolder, dir)
	}
	if b.leadsHome(path) {
		return fmt.Errorf("%w: your home lies in %s", ErrAll, path)
	}
	b.free(Place{Path: path, Why: "freed by you"})
	return nil
}

// leadsHome reports that a folder holds the home, or is it, by any of its names.
func (b *Bounds) leadsHome(dir string) bool {
	return slices.ContainsFunc(b.roots, func(root string) bool { return within(root, dir) })
}

// named is a path below the home as it is without the links that lead to the home.
func (b *Bounds) named(path string) string {
	path = filepath.Clean(path)
	for _, root := range b.roots {
		if rest, below := strings.CutPrefix(path, root+"/"); below {
			return filepath.Join(b.Home, rest)
		}
	}
	return path
}

// free adds a place, unless it is free already.
func (b *Bounds) free(p Place) {
	if b.keeps(p.Path) {
		b.Free = append(b.Free, p)
	}
}

// keeps reports that a path, which has no links in it, cannot be changed as yet.
func (b *Bounds) keeps(path string) bool {
	return slices.ContainsFunc(b.roots, func(root string) bool { return within(path, root) }) &&
		!slices.ContainsFunc(b.Free, func(p Place) bool { return within(path, p.Path) })
}

// within reports that a path lies in a folder, or is it. Both are clean.
func within(path, dir string) bool {
	return path == dir || strings.HasPrefix(path, strings.TrimSuffix(dir, "/")+"/")
}
