package audit

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"fettle/internal/audit/settings"
	"fettle/internal/edit"
	"fettle/internal/glob"
	"fettle/internal/lang"
	"fettle/internal/pattern"
	"fettle/internal/phrase"
)

// chooser is a check whose settings list what of the repository it looks at.
type chooser struct {
	tool     string
	files    *pattern.Pattern // the files in which its settings are
	sections []string         // of these, by how their heads begin; nil: the whole file
	lists    []string
	all      bool // without a list it looks at everything; else others decide
	language lang.Language
}

// choosers is the table of them.
var choosers = []chooser{
	{"mypy", pattern.New(`^(\.?mypy\.ini|setup\.cfg|pyproject\.toml)$`), []string{"[tool.mypy]", "[mypy]"}, []string{"files"}, false, lang.Python},
	{"pyright", pattern.New(`^pyproject\.toml$`), []string{"[tool.pyright]", "[tool.basedpyright]"}, []string{"include"}, true, lang.Python},
	{"pyright", pattern.New(`^pyrightconfig\.json$`), nil, []string{"include"}, true, lang.Python},
	{"tsc", pattern.New(`^tsconfig(\..+)?\.json$`), nil, []string{"include", "files"}, true, lang.TypeScript},
}

// checkedNoMore looks for files of the repository that a check looked at before by what its settings list, and does not look at now.
func (v *patchView) checkedNoMore(name string, before, after []byte) []Finding {
	if len(before) == 0 || len(after) == 0 {
		return nil
	}
	var all []Finding
	for _, c := range choosers {
		if !c.files.MatchString(path.Base(name)) {
			continue
		}
		was, is := c.choice(before), c.choice(after)
		if was == nil || is == nil {
			continue
		}
		var gone []string
		some := false
		for _, file := range v.filesOf(c.language) {
			if below, inside := inFolder(path.Dir(name), file); inside && chosen(was, below) {
				some = true
				if !chosen(is, below) {
					gone = append(gone, file)
				}
			}
		}
		switch {
		case len(gone) > 0:
			all = append(all, Finding{Evidence: fmt.Sprintf("%s does not look at %s any more: %s", c.tool, phrase.Count(len(gone), "file"), phrase.Some(gone, 3))})
		case !some && partsOf(is, was):
			all = append(all, Finding{Evidence: fmt.Sprintf("%s looks at %s alone, where it looked at %s", c.tool, phrase.Some(is, 3), phrase.Some(was, 3))})
		}
	}
	return all
}

// filesOf are the files of the repository in a language that the patch leaves there.
func (v *patchView) filesOf(l lang.Language) []string {
	if v.list == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(v.list()), func(file string) bool { return lang.Of(file) != l || v.deletes(file) })
}

// partsOf reports whether what a list names is each below what another does: of files that are not known yet, too, it has fewer.
func partsOf(is, was []string) bool {
	return !slices.ContainsFunc(is, func(part string) bool {
		return slices.Contains(was, part) || !slices.ContainsFunc(was, func(whole string) bool {
			return path.Clean(whole) == "." || strings.HasPrefix(part, path.Clean(whole)+"/")
		})
	})
}

// choice is what settings have the check look at; nil, where something else decides.
func (c chooser) choice(text []byte) []string {
	if c.sections != nil {
		text = sectionsOf(text, c.sections)
	}
	set := settings.Of(text)
	var all []string
	for _, key := range c.lists {
		all = append(all, settings.Values(set, key)...)
	}
	if len(all) == 0 && c.all && len(settings.Values(set, "extends")) == 0 {
		return []string{"."}
	}
	return all
}

// chosen reports whether a file is one of a list of files, folders and globs.
func chosen(list []string, file string) bool {
	return slices.ContainsFunc(list, func(p string) bool {
		p = path.Clean(p)
		return p == "." || glob.Match(p, file) || glob.Match(p+"/**", file)
	})
}

// inFolder is a file's path as seen from a folder.
func inFolder(dir, file string) (below string, inside bool) {
	if dir == "." {
		return file, true
	}
	return strings.CutPrefix(file, dir+"/")
}

// deletes reports whether the patch takes a file away.
func (v *patchView) deletes(file string) bool {
	return slices.ContainsFunc(v.files, func(f *fileView) bool { return f.path == file && f.change.Op == edit.Delete })
}
