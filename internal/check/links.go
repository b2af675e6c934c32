package check

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"fettle/internal/diag"
)

// maxLinks is how many symbolic links on the way to one file are followed; Linux gives up at as many.
const maxLinks = 40

// followLinks names files as they are called in the repository and not by symbolic links to them: what is written through a
// link changes the file behind it, and fixers, gates and git know that only by its own name. A finding that a check reports of
// both names is one finding. A link that leads out of the repository keeps its name.
func (a *attempt) followLinks(ds []diag.Diagnostic) []diag.Diagnostic {
	type spot struct {
		file                string
		at                  diag.Range
		rule, message, test string
	}
	at := func(d diag.Diagnostic) spot { return spot{d.File, d.Range, d.Rule, d.Message, d.Test} }
	l := links{files: a.place.FS(), known: map[string]string{}}
	seen := map[spot]bool{}
	var linked []int
	for i, d := range ds {
		for _, s := range d.Suggestions {
			for j := range s.Replacements {
				s.Replacements[j].File = l.behind(s.Replacements[j].File)
			}
		}
		if target := l.behind(d.File); target != d.File {
			ds[i].File = target
			linked = append(linked, i)
		} else {
			seen[at(d)] = true
		}
	}
	for _, i := range slices.Backward(linked) {
		if s := at(ds[i]); seen[s] {
			ds = slices.Delete(ds, i, i+1)
		} else {
			seen[s] = true
		}
	}
	return ds
}

// links looks at symbolic links, each once.
type links struct {
	files fs.FS
	known map[string]string // where the links lead, and where other names stay
}

// behind is the path without symbolic links on the way; the path itself if it leads out of the repository or nowhere.
func (l *links) behind(file string) string {
	if file == "" || file == "." || !fs.ValidPath(file) {
		return file
	}
	left := maxLinks
	if target, ok := l.walk(file, &left); ok {
		return target
	}
	return file
}

func (l *links) walk(file string, left *int) (string, bool) {
	if file == "." {
		return file, true
	}
	if target, ok := l.known[file]; ok {
		return target, true
	}
	if strings.HasPrefix(file, "..") || path.IsAbs(file) {
		return "", false
	}
	dir, ok := l.walk(path.Dir(file), left)
	if !ok {
		return "", false
	}
	target := path.Join(dir, path.Base(file))
	if to, err := fs.ReadLink(l.files, target); err == nil {
		if *left--; *left < 0 || path.IsAbs(to) {
			return "", false
		}
		if target, ok = l.walk(path.Join(dir, to), left); !ok {
			return "", false
		}
	}
	l.known[file] = target
	return target, true
}
