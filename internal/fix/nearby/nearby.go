// Package nearby answers "which other sources of the project does this one have to do with?": those of its folder, and those that its imports name.
// What it uses, and could use as well, is made there.
package nearby

import (
	"io/fs"
	"iter"
	"path"
	"slices"
	"strings"
	"unicode"

	"fettle/internal/code"
	"fettle/internal/lang"
	"fettle/internal/syntax"
)

// mostListed bounds how many names of the project are gone through to find what is imported.
const mostListed = 20_000

// Foreign are folders in which others' sources lie, or what is made of one's own.
var Foreign = []string{"node_modules", "vendor", "venv", ".venv", "env", "dist", "build", "target", "__pycache__", "site-packages"}

// Sources are the sources in the language of one, without tests: those of its folder of which it speaks, then those that its imports name, then the others of its folder. What stands in
// its folder is meant before anything else of that name. What cannot be listed has none.
func Sources(all fs.FS, f *code.File) []string {
	named, beside := inFolder(all, f)
	meant := Imports(f)
	for _, p := range named {
		delete(meant, code.ModuleName(p))
	}
	return slices.Concat(named, elsewhere(all, f, meant), beside)
}

// inFolder are the other sources of its folder: those of which it speaks by their names, and the others. In Go nobody speaks of files.
func inFolder(all fs.FS, f *code.File) (named, beside []string) {
	spoken := map[string]bool{}
	for word := range words(f.Source) {
		spoken[word] = true
	}
	entries, _ := fs.ReadDir(all, path.Dir(f.Path))
	for _, e := range entries {
		p := path.Join(path.Dir(f.Path), e.Name())
		switch {
		case !source(f, p, e):
		case f.Lang != syntax.Go && spoken[code.ModuleName(p)]:
			named = append(named, p)
		default:
			beside = append(beside, p)
		}
	}
	return named, beside
}

// elsewhere are the sources of other folders whose module, or package, has one of these names.
func elsewhere(all fs.FS, f *code.File, named map[string]bool) (out []string) {
	listed := 0
	_ = fs.WalkDir(all, ".", func(p string, d fs.DirEntry, err error) error {
		listed++
		switch {
		case listed > mostListed:
			return fs.SkipAll
		case err != nil:
			return nil //nolint:nilerr // what cannot be read has no names for us
		case d.IsDir():
			if p != "." && (strings.HasPrefix(d.Name(), ".") || slices.Contains(Foreign, d.Name())) {
				return fs.SkipDir
			}
		case named[code.ModuleName(p)] && path.Dir(p) != path.Dir(f.Path) && source(f, p, d):
			out = append(out, p)
		}
		return nil
	})
	return out
}

func source(f *code.File, p string, d fs.DirEntry) bool {
	return p != f.Path && d.Type().IsRegular() && syntax.LangOf(p) == f.Lang && !lang.IsTest(p)
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
