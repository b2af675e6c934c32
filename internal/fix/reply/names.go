package reply

import (
	"maps"
	"path"
	"slices"
	"strings"

	"fettle/internal/edit"
	"fettle/internal/pattern"
	"fettle/internal/phrase"
)

// editable lists the files that may be changed, for people and models.
func (r *reading) editable() string {
	names := slices.Sorted(maps.Keys(r.ground.Files))
	names = slices.DeleteFunc(names, func(n string) bool { return r.ground.Files[n] == ReadOnly })
	if len(names) == 0 {
		return "none"
	}
	return phrase.Some(names, 10)
}

// sole is the file that an answer without a name is about: the only one that may be changed.
func (r *reading) sole() (string, bool) {
	name := ""
	for n, sight := range r.ground.Files {
		if sight == ReadOnly {
			continue
		}
		if name != "" {
			return "", false
		}
		name = n
	}
	return name, name != ""
}

// name is the file that the model means. What is shown by that very name comes first; a name that is only nearly one is taken if it is the end of exactly one, or exactly one is its end, and
// nothing of that name is there: a wrong folder before a name is far more often that than a new file.
func (r *reading) name(said string) (string, error) {
	name := strings.Trim(strings.TrimSpace(said), "`'\"")
	if name == "" {
		if sole, ok := r.sole(); ok {
			return sole, nil
		}
		return "", refuse("the answer does not say which file it is about; these may be changed: %s", r.editable())
	}
	if _, shown := r.ground.Files[name]; shown || r.given[name] {
		return name, nil
	}
	name = strings.ReplaceAll(name, `\`, "/")
	for strings.HasPrefix(name, "./") {
		name = name[2:]
	}
	for _, prefix := range []string{"", "a/", "b/"} {
		if rest, ok := strings.CutPrefix(name, prefix); ok {
			if _, shown := r.ground.Files[rest]; shown {
				return rest, nil
			}
		}
	}
	if why := outside(name); why != "" {
		return "", refuseAt(said, 0, "%s; these may be changed: %s", why, r.editable())
	}
	near := r.near(name)
	f, err := r.ground.Source(name)
	switch {
	case err != nil:
		return "", err
	case f.Exists || len(near) == 0:
		return name, nil // r.source says what is wrong with it
	case len(near) > 1:
		return "", refuseAt(said, 0, "the name may mean %s: give it as it was shown", phrase.Or(near))
	}
	r.notes = append(r.notes, edit.Note{Path: near[0], Text: "the answer calls the file " + said})
	return near[0], nil
}

// near lists the files shown of which the name is the end, or that are its end.
func (r *reading) near(name string) []string {
	var out []string
	for n := range r.ground.Files {
		if strings.HasSuffix(n, "/"+name) || strings.HasSuffix(name, "/"+n) {
			out = append(out, n)
		}
	}
	slices.Sort(out)
	return out
}

var drive = pattern.New(`^[A-Za-z]:/`)

// outside says why a name can be none of the repository's files; empty if it can.
func outside(name string) string {
	parts := strings.Split(name, "/")
	switch {
	case path.IsAbs(name) || drive.MatchString(name) || strings.HasPrefix(name, "~"):
		return "the name is absolute, and names go from the repository's root"
	case slices.Contains(parts, ".."):
		return "the name leads out of the repository"
	case slices.ContainsFunc(parts, func(p string) bool { return strings.EqualFold(p, ".git") }):
		return "the file is git's own"
	}
	return ""
}

var (
	pathToken = pattern.New("[A-Za-z0-9_@$()\\[\\]{}.+~\\\\/-]*[A-Za-z0-9_)\\]}]")
	lonePath  = pattern.New("^[A-Za-z0-9_@$()\\[\\]{}.+~\\\\/-]*[./][A-Za-z0-9_@$()\\[\\]{}.+~/-]*[A-Za-z0-9_)\\]}]$")
)

// ornaments are what models put around names.
const ornaments = "#*`'\"_>:<= \t-–"

// mentioned is the file that lines of prose name: that of the nearest line that names one. A line that names several names none of them, and is an error.
func (r *reading) mentioned(above []string) (name string, ok bool, err error) {
	for _, l := range slices.Backward(above) {
		line := strings.TrimSpace(l)
		if line == "" || fenceLine.MatchString(line) && !strings.ContainsAny(line, "./") {
			continue
		}
		var known []string
		for _, token := range pathToken.FindAllString(line, -1) {
			if _, shown := r.ground.Files[token]; shown && !slices.Contains(known, token) {
				known = append(known, token)
			}
		}
		if trimmed := strings.TrimSpace(line); len(known) == 0 {
			if _, shown := r.ground.Files[trimmed]; shown {
				known = []string{trimmed}
			}
		}
		switch len(known) {
		case 1:
			return known[0], true, nil
		case 0:
		default:
			return "", false, refuse("the line above a block names %s: put one name there, alone on its line", strings.Join(known, " and "))
		}
		if alone := loneName(line); alone != "" {
			return alone, true, nil
		}
	}
	return "", false, nil
}

// loneName is the path that a line is, but for ornaments and words that say that it is one; empty if it is something else.
func loneName(line string) string {
	line = strings.TrimSpace(strings.TrimLeft(line, "`~"))
	line = strings.Trim(line, ornaments)
	for _, word := range []string{"File:", "file:", "Path:", "path:", "Filename:", "filename:", "File", "//", "/*", "python", "go", "javascript", "typescript", "java", "rust", "diff", "text"} {
		if rest, ok := strings.CutPrefix(line, word+" "); ok {
			line = strings.Trim(rest, ornaments)
		}
	}
	line = strings.TrimSpace(strings.TrimSuffix(line, "*/"))
	line = strings.Trim(line, "`'\"")
	if lonePath.MatchString(line) && strings.Trim(line, ".") != "" {
		return line
	}
	return ""
}
