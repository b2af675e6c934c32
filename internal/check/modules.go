package check

import (
	"io/fs"
	"path"
	"slices"
	"strings"
)

// maxModuleFolders is how many folders are looked at for modules.
const maxModuleFolders = 20_000

// lookForModules are the folders, from the check's own, that hold a folder src: where the sources of a build's modules may
// stand. It is asked for when a stack trace names a class that its own module does not have.
func (a *attempt) lookForModules() []string {
	dir, left := path.Join(".", a.check.Dir), maxModuleFolders
	var out []string
	_ = fs.WalkDir(a.place.FS(), dir, func(p string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return fs.SkipDir
		case !e.IsDir():
			return nil
		case p != dir && (skippedDir(e.Name()) || slices.Contains([]string{"target", "build", "out"}, e.Name())):
			return fs.SkipDir
		case e.Name() == "src":
			out = append(out, path.Join(".", strings.TrimPrefix(strings.TrimPrefix(path.Dir(p), dir), "/")))
			return fs.SkipDir
		}
		if left--; left < 0 {
			return fs.SkipAll
		}
		return nil
	})
	return out
}
