package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	slashpath "path"
	"strings"
	"unicode"

	"fettle/internal/policy/path"
)

// called makes sure that what there is of a path is called just so. Where letter case does not count, or how a letter is
// composed, a file answers to other names too; but git, the journal and an undo know only one, and a write by another name would
// rename it.
func (t *Tree) called(p string) error {
	for at := p; at != "."; at = slashpath.Dir(at) {
		f, err := t.open(slashpath.Dir(at), p)
		if errors.Is(err, fs.ErrNotExist) {
			continue // a folder that is yet to be made
		}
		if err != nil {
			return err
		}
		name, err := f.trueName(slashpath.Base(at))
		f.close()
		if err != nil {
			return fmt.Errorf("look for %s: %w", path.Show(p), err)
		}
		if name != slashpath.Base(at) {
			return &Refused{p, "File is called " + path.Show(slashpath.Join(slashpath.Dir(at), name)) + " here, and letter case does not count"}
		}
	}
	return nil
}

// trueName is what a file of the folder is called that answers to a name; the name itself if there is none. The folder is only
// read through where the file answers to a name in other letters too.
func (f *folder) trueName(name string) (string, error) {
	_, err := f.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return name, nil
	}
	if err != nil {
		return "", err
	}
	if other := swapCase(name); other != name && ascii(name) {
		// Whether it is the same file cannot be asked: some file systems number a file anew for every name.
		if _, err := f.Lstat(other); err != nil {
			return name, nil
		}
	}
	d, err := f.Open(".")
	if err != nil {
		return "", err
	}
	defer d.Close() // only read
	names, err := d.Readdirnames(-1)
	if err != nil {
		return "", err
	}
	found := name
	for _, n := range names {
		if n == name {
			return name, nil
		}
		if strings.EqualFold(n, name) || path.Fold(n) == path.Fold(name) {
			found = n
		}
	}
	return found, nil
}

// swapCase is a name with its letters in the other case.
func swapCase(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsUpper(r) {
			return unicode.ToLower(r)
		}
		return unicode.ToUpper(r)
	}, name)
}

// ascii reports whether a name has one form only but for letter case.
func ascii(name string) bool {
	return !strings.ContainsFunc(name, func(r rune) bool { return r >= 0x80 })
}
