package check

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"fettle/internal/pattern"
)

var (
	rustTestName = pattern.New(`^[A-Za-z_]\w*(::\w+)+$`)
	rustExample  = pattern.New(`^(\S.*\.\w+) - ?(.*?) ?(?:\(line \d+\))?$`)
	rustFn       = pattern.New(`\bfn (\w+)`)
)

// maxRustFiles is how many sources are looked through for a test.
const maxRustFiles = 5000

// rustTarget reads what names a Rust test: CRATE::module::test as the crate's tests call it, FILE.rs::test, or an example in
// documentation as cargo calls it, "src/lib.rs - item (line 5)". The bool is false when it is nothing of Rust.
func rustTarget(root, arg string) (Target, bool, error) {
	if m := rustExample.FindStringSubmatch(arg); m != nil {
		if p, _, err := inside(root, m[1]); err == nil {
			return Target{Lang: "rust", IDs: []string{strings.TrimSpace(p + " - " + m[2])}}, true, nil
		}
	}
	place, test, ok := strings.Cut(arg, "::")
	switch {
	case !ok:
		return Target{}, false, nil
	case strings.HasSuffix(place, ".rs"):
		t, err := rustFileTarget(root, place, test)
		return t, true, err
	case !rustTestName.MatchString(arg) || !holdsCargo(root):
		return Target{}, false, nil
	}
	crates, found := lookForRust(root, arg[strings.LastIndex(arg, ":")+1:])
	switch {
	case !slices.Contains(crates, place):
		return Target{}, true, fmt.Errorf("there is no crate %s here%s; a test is named by its crate (for a file in tests/, the file's name), its modules and its name: %s",
			place, didYouMean(place, crates), "mycrate::module::test")
	case !found:
		return Target{}, true, fmt.Errorf("there is no test %s in the crate %s", test, place)
	}
	return Target{Lang: "rust", IDs: []string{arg}}, true, nil
}

// rustFileTarget names a test by its file. The modules inside the file may be left out only where there are none.
func rustFileTarget(root, file, test string) (Target, error) {
	p, info, err := inside(root, file)
	if err != nil {
		return Target{}, err
	}
	b, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(p)))
	if err != nil || info.IsDir() {
		return Target{}, fmt.Errorf("%s cannot be read, so it holds no test %s", p, test)
	}
	if test == "" {
		return Target{Lang: "rust", Path: p}, nil
	}
	var known []string
	for _, m := range rustFn.FindAllSubmatch(b, -1) {
		known = append(known, string(m[1]))
	}
	if last := test[strings.LastIndex(test, ":")+1:]; !mentions(b, last) {
		return Target{}, fmt.Errorf("there is no test %s in %s%s", last, p, didYouMean(last, known))
	}
	crate, err := rustCrate(root, p)
	if err != nil {
		return Target{}, err
	}
	return Target{Lang: "rust", Path: p, IDs: []string{crate + "::" + test}}, nil
}

// rustCrate is the beginning of the ids of the tests in a file: the crate, and the file's modules.
func rustCrate(root, file string) (string, error) {
	dir, in, name := rustPlace(file)
	switch in {
	case "tests":
		return strings.ReplaceAll(name, "-", "_"), nil
	case "":
		return "", fmt.Errorf("%s lies neither in src nor in tests of a package; name the test by its crate: mycrate::module::test", file)
	}
	crate := rustPackage(root, path.Join(dir, "Cargo.toml"))
	if crate == "" {
		return "", fmt.Errorf("%s has no Cargo.toml with a package's name; name the test by its crate: mycrate::module::test", dir)
	}
	rest := strings.TrimSuffix(strings.TrimPrefix(strings.TrimPrefix(file, dir+"/"), "src/"), ".rs")
	modules := strings.Split(strings.TrimSuffix(rest, "/mod"), "/")
	switch {
	case modules[0] == "bin" && len(modules) > 1:
		crate, modules = strings.ReplaceAll(modules[1], "-", "_"), modules[2:]
	case rest == "lib" || rest == "main":
		modules = nil
	}
	return strings.Join(append([]string{crate}, modules...), "::"), nil
}

// rustPackage is the name of a package's library, as Rust code writes it.
func rustPackage(root, manifest string) string {
	b, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(manifest)))
	if err != nil {
		return ""
	}
	name := ""
	for _, e := range readTOML(b) {
		if e.key == "name" && len(e.strings) > 0 && (e.table == "package" && name == "" || e.table == "lib") {
			name = e.strings[0]
		}
	}
	return strings.ReplaceAll(name, "-", "_")
}

// holdsCargo reports whether the repository has any Rust project.
func holdsCargo(root string) bool {
	for _, pattern := range []string{"Cargo.toml", "*/Cargo.toml", "*/*/Cargo.toml"} {
		if found, err := filepath.Glob(filepath.Join(escapeGlob(root), pattern)); err == nil && len(found) > 0 {
			return true
		}
	}
	return false
}

// lookForRust finds the crates below a folder, and whether any source has a word. Macros make tests too, so that a test need
// not stand there as a function.
func lookForRust(root, word string) (crates []string, found bool) {
	left := maxRustFiles
	_ = filepath.WalkDir(root, func(p string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return fs.SkipDir
		case e.IsDir() && p != root && (skippedDir(e.Name()) || e.Name() == "target"):
			return fs.SkipDir
		}
		rel := filepath.ToSlash(strings.TrimPrefix(strings.TrimPrefix(p, root), string(filepath.Separator)))
		switch {
		case e.Name() == "Cargo.toml":
			crates = append(crates, manifestNames(root, rel)...)
		case path.Ext(rel) != ".rs":
		default:
			if _, in, name := rustPlace(rel); in == "tests" {
				crates = append(crates, strings.ReplaceAll(name, "-", "_"))
			} else if dir := path.Dir(rel); path.Base(dir) == "bin" {
				crates = append(crates, strings.ReplaceAll(strings.TrimSuffix(e.Name(), ".rs"), "-", "_"))
			}
			if left--; left < 0 {
				found = true
			}
			if b, err := fs.ReadFile(os.DirFS(root), rel); err == nil && !found {
				found = mentions(b, word)
			}
		}
		return nil
	})
	return unique(crates), found
}

// manifestNames are the names that a manifest gives to its targets.
func manifestNames(root, manifest string) []string {
	var out []string
	if b, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(manifest))); err == nil {
		for _, e := range readTOML(b) {
			if e.key == "name" && slices.Contains([]string{"package", "lib", "bin", "test", "example", "bench"}, e.table) && len(e.strings) > 0 {
				out = append(out, strings.ReplaceAll(e.strings[0], "-", "_"))
			}
		}
	}
	return out
}

// mentions reports whether a source has a word.
func mentions(b []byte, word string) bool {
	re, err := regexp.Compile(`\b` + regexp.QuoteMeta(word) + `\b`)
	return err == nil && re.Match(b)
}

// rustPath is the target of a Rust source or of a folder of Rust sources, which stands for its package.
func rustPath(root, p string, info fs.FileInfo) (Target, error) {
	if info.IsDir() {
		for dir := p; ; dir = path.Dir(dir) {
			if _, _, err := inside(root, path.Join(dir, "Cargo.toml")); err == nil {
				return Target{Lang: "rust", Path: dir}, nil
			}
			if dir == "." {
				return Target{Lang: "rust", Path: p}, nil
			}
		}
	}
	b, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(p)))
	if err != nil || !rustTest.Match(b) {
		return Target{}, errors.New(notTests(p))
	}
	return Target{Lang: "rust", Path: p}, nil
}

// notTests refuses a file that was named where tests belong.
func notTests(p string) string {
	return fmt.Sprintf("%s is not a file of tests; to have only this file changed, write fettle fix --only %s", p, p)
}
