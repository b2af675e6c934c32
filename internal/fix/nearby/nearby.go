// Package nearby answers "which other sources of the project does this one have to do with?": those of its folder, and those that its imports name.
// What it uses, and could use as well, is made there.
package nearby

import (
	"io/fs"
	"iter"
	"path"
	"slices"
	"strings"
	"sync"
	"unicode"

	"fettle/internal/code"
	"fettle/internal/lang"
	"fettle/internal/syntax"
)

// mostListed bounds how many names of the project are gone through to find what is imported.
const mostListed = 20_000

// foreign are folders in which others' sources lie, or what is made of one's own.
var foreign = []string{"node_modules", "vendor", "venv", ".venv", "env", "dist", "build", "target", "__pycache__", "site-packages"}

// Project is one in which sources are looked for. It is gone through once, when somebody first asks what lies in other folders.
type Project struct {
	files  func() fs.FS
	listed func() []string
}

// In is the project of these files, which are asked for anew each time: a place's do not outlive its reset.
func In(files func() fs.FS) *Project {
	return &Project{files, sync.OnceValue(func() []string { return slices.Collect(All(files(), mostListed)) })}
}

// Sources are the sources in the language of one, without tests: those of its folder of which it speaks, then those that its imports name, then the others of its folder. What stands in
// its folder is meant before anything else of that name. What cannot be listed has none.
func (p *Project) Sources(f *code.File) []string {
	spoken := map[string]bool{}
	for word := range words(f.Source) {
		spoken[word] = true
	}
	meant := Imports(f)
	var named, imported, beside []string
	for _, name := range Beside(p.files(), f.Path) {
		if module := code.ModuleName(name); f.Lang != syntax.Go && spoken[module] { // in Go nobody speaks of files
			named = append(named, name)
			delete(meant, module)
		} else {
			beside = append(beside, name)
		}
	}
	for _, name := range p.listed() {
		if meant[code.ModuleName(name)] && syntax.LangOf(name) == f.Lang && path.Dir(name) != path.Dir(f.Path) {
			imported = append(imported, name)
		}
	}
	return slices.Concat(named, imported, beside)
}

// Beside are the other sources in the language of one in its folder, without tests.
func Beside(files fs.FS, file string) (all []string) {
	l := syntax.LangOf(file)
	entries, _ := fs.ReadDir(files, path.Dir(file)) // what cannot be read has no names for us
	for _, e := range entries {
		if p := path.Join(path.Dir(file), e.Name()); p != file && syntax.LangOf(p) == l && source(p, e) {
			all = append(all, p)
		}
	}
	return all
}

// All are a project's sources, without tests and without what others have written. No more than so many names are looked at; zero: as many as there are.
func All(files fs.FS, most int) iter.Seq[string] {
	return func(yield func(string) bool) {
		looked := 0
		_ = fs.WalkDir(files, ".", func(p string, d fs.DirEntry, err error) error {
			looked++
			switch {
			case most > 0 && looked > most:
				return fs.SkipAll
			case err != nil:
				return nil //nolint:nilerr // what cannot be read has no names for us
			case d.IsDir():
				if p != "." && (strings.HasPrefix(d.Name(), ".") || slices.Contains(foreign, d.Name())) {
					return fs.SkipDir
				}
			case source(p, d) && !yield(p):
				return fs.SkipAll
			}
			return nil
		})
	}
}

// source reports a file that is one, and no test.
func source(p string, d fs.DirEntry) bool {
	return d.Type().IsRegular() && syntax.LangOf(p) != "" && !lang.IsTest(p)
}

// Imports are the words of what a source imports.
func Imports(f *code.File) map[string]bool {
	out := map[string]bool{}
	for n := range f.Root.Own() {
		if n.Role == code.Import || n.Role == code.Call && n.Calls() == "require" {
			for word := range words(n.Text()) {
				out[word] = true
			}
		}
	}
	return out
}

// words are what stands between signs.
func words(text string) iter.Seq[string] {
	return strings.FieldsFuncSeq(text, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}
