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

// Target is what can be named instead of a check: tests, or a file or folder of tests.
type Target struct {
	Lang string   `json:"lang,omitempty"` // "go", "python"; empty: whatever tests stand there
	Path string   `json:"path,omitempty"` // slash path from the root of the file or folder that was named; "." is the root; empty when only IDs are known
	IDs  []string `json:"ids,omitempty"`  // the tests, as parse.Test names them; empty: every test in Path
}

// Tests is the target of these tests, named as parse.Test names them.
func Tests(ids ...string) Target { return Target{IDs: ids} }

// String is the target as a person would name it.
func (t Target) String() string {
	if len(t.IDs) == 1 || t.Path == "" {
		return strings.Join(t.IDs, " ")
	}
	return t.Path
}

var (
	goTestName   = pattern.New(`^(Test|Fuzz|Example|Benchmark)[^\s:/]*(/.*)?$`)
	goTestFunc   = pattern.New(`(?m)^func ((?:Test|Fuzz|Example)\w*)\(`)
	dottedName   = pattern.New(`^[A-Za-z_]\w*(\.[A-Za-z_]\w*)+$`)
	pythonTest   = pattern.New(`^(test.*|.*_test)\.py$`)
	sourceEnding = pattern.New(`\.(go|py|rs|java|kt|groovy|scala|[mc]?[jt]s|[jt]sx)$`)
)

// ParseTarget reads an argument that names a test, or a file or folder of tests, from the folder root:
//
//	pkg/x_test.go:TestY   ./pkg:TestY/sub   tests/x.py::test_y   tests/x.py::C::test_y[p]   tests.x.C.test_y
//	pkg/x_test.go         tests/x.py        ./pkg                tests/
//	mycrate::module::test   tests/it.rs::test   src/lib.rs - item   tests/it.rs
//	src/x.test.ts::describe > test   src/x.test.ts
//	com.x.FooTest   com.x.FooTest#method   src/test/java/com/x/FooTest.java
//
// The bool is false when the argument does not look like any of these; the error is set when it does, but there is no such
// test. It only reads files.
func ParseTarget(root, arg string) (Target, bool, error) {
	if arg == "" {
		return Target{}, false, nil
	}
	if t, ok, err := rustTarget(root, arg); ok {
		return t, true, err
	}
	if t, ok, err := nodeTarget(root, arg); ok {
		return t, true, err
	}
	if file, test, ok := strings.Cut(arg, "::"); ok {
		return pytestTarget(root, file, test)
	}
	if i := goSplit(arg); i >= 0 {
		return goTarget(root, arg[:i], arg[i+1:])
	}
	if t, ok, err := pathTarget(root, arg); ok {
		return t, true, err
	}
	if t, ok, err := javaTarget(root, arg); ok {
		return t, true, err
	}
	if dottedName.MatchString(arg) {
		if t, ok := dottedTarget(root, arg); ok {
			return t, true, nil
		}
	}
	return Target{}, false, nil
}

// From rewrites an argument as [ParseTarget] reads it for a person who stands in the folder from (a slash path from the folder
// root): a path that exists there, or that begins with a dot, is seen from there. Any other argument stays as it is; paths
// from the root and dotted names are understood everywhere.
func From(root, from, arg string) string {
	place, test := arg, ""
	if i := strings.Index(arg, "::"); i >= 0 {
		place, test = arg[:i], arg[i:]
	} else if i := goSplit(arg); i >= 0 {
		place, test = arg[:i], arg[i:]
	}
	if from == "." || place == "" || filepath.IsAbs(place) {
		return arg
	}
	there := path.Join(from, filepath.ToSlash(place))
	if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(there))); err != nil && place[0] != '.' {
		return arg
	}
	if !strings.Contains(there, "/") && there != "." {
		there = "./" + there // so that it cannot be taken for the name of a check
	}
	return there + test
}

// goSplit is where the colon stands between a folder or file and a Go test's name, or -1.
func goSplit(arg string) int {
	for i := range len(arg) {
		if arg[i] == ':' && i > 0 && goTestName.MatchString(arg[i+1:]) {
			return i
		}
	}
	return -1
}

// inside is an argument as a slash path from the root, and what stands there.
func inside(root, arg string) (string, fs.FileInfo, error) {
	p := filepath.ToSlash(arg)
	if filepath.IsAbs(arg) {
		rel, err := filepath.Rel(root, arg)
		if err != nil {
			return "", nil, err
		}
		p = filepath.ToSlash(rel)
	}
	p = path.Clean(p)
	if !filepath.IsLocal(filepath.FromSlash(p)) {
		return "", nil, fmt.Errorf("%s lies outside the repository", arg)
	}
	info, err := os.Stat(filepath.Join(root, filepath.FromSlash(p)))
	if err != nil {
		return p, nil, fmt.Errorf("there is no file or folder %s", p)
	}
	return p, info, nil
}

func pytestTarget(root, file, test string) (Target, bool, error) {
	p, info, err := inside(root, file)
	switch {
	case err != nil:
		return Target{}, true, err
	case info.IsDir() || !strings.HasSuffix(p, ".py"):
		return Target{}, true, fmt.Errorf("%s is not a Python file, so it holds no test %s", p, test)
	case test == "":
		return Target{Lang: "python", Path: p}, true, nil
	}
	return Target{Lang: "python", Path: p, IDs: []string{p + "::" + test}}, true, nil
}

func goTarget(root, place, test string) (Target, bool, error) {
	p, info, err := inside(root, place)
	if err != nil {
		return Target{}, true, err
	}
	dir, files := p, []string{p}
	if info.IsDir() {
		files, _ = filepath.Glob(filepath.Join(escapeGlob(filepath.Join(root, p)), "*_test.go"))
		for i := range files {
			files[i] = path.Join(p, filepath.Base(files[i]))
		}
	} else {
		dir = path.Dir(p)
		if !strings.HasSuffix(p, "_test.go") {
			return Target{}, true, fmt.Errorf("%s holds no Go tests: those are in files that end in _test.go", p)
		}
	}
	var known []string
	for _, f := range files {
		known = append(known, goTests(root, f)...)
	}
	if top, _, _ := strings.Cut(test, "/"); !slices.Contains(known, top) {
		return Target{}, true, fmt.Errorf("there is no test %s in %s%s", top, p, didYouMean(top, known))
	}
	return Target{Lang: "go", Path: p, IDs: []string{dir + ":" + test}}, true, nil
}

// escapeGlob makes a path that stands for itself in a glob.
func escapeGlob(p string) string {
	return regexp.MustCompile(`[*?\[\\]`).ReplaceAllString(p, `\$0`)
}

// goTests are the names of the tests that a Go file declares.
func goTests(root, file string) []string {
	b, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(file)))
	if err != nil {
		return nil
	}
	var names []string
	for _, m := range goTestFunc.FindAllSubmatch(b, -1) {
		if string(m[1]) != "TestMain" {
			names = append(names, string(m[1]))
		}
	}
	return names
}

// pathTarget reads the name of a file or folder of tests.
func pathTarget(root, arg string) (Target, bool, error) {
	looks := strings.Contains(arg, "/") || arg == "." || sourceEnding.MatchString(arg)
	p, info, err := inside(root, arg)
	switch {
	case err != nil:
		return Target{}, looks, err
	case info.IsDir() && langOf(root, p) == "rust", strings.HasSuffix(p, ".rs"):
		t, err := rustPath(root, p, info)
		return t, true, err
	case info.IsDir() && langOf(root, p) == "java", !info.IsDir() && javaTest.MatchString(p):
		return javaPath(root, p, info), true, nil
	case info.IsDir():
		return Target{Lang: langOf(root, p), Path: p}, true, nil
	case isNodeTest(p):
		return Target{Lang: "javascript", Path: p}, true, nil
	case strings.HasSuffix(p, "_test.go"):
		t := Target{Lang: "go", Path: p}
		for _, name := range goTests(root, p) {
			t.IDs = append(t.IDs, path.Dir(p)+":"+name)
		}
		if len(t.IDs) == 0 {
			return Target{}, true, fmt.Errorf("%s declares no test", p)
		}
		return t, true, nil
	case pythonTest.MatchString(path.Base(p)):
		return Target{Lang: "python", Path: p}, true, nil
	}
	return Target{}, true, errors.New(notTests(p))
}

// langOf is the language of the sources in a folder, or "" when there are several or none.
func langOf(root, dir string) string {
	seen := map[string]bool{}
	left := 5000 // entries to look at; a folder larger than this is taken to hold anything
	_ = filepath.WalkDir(filepath.Join(root, filepath.FromSlash(dir)), func(p string, e fs.DirEntry, err error) error {
		if left--; err != nil || left < 0 {
			return fs.SkipAll
		}
		if e.IsDir() && skippedDir(e.Name()) && p != root {
			return fs.SkipDir
		}
		switch path.Ext(e.Name()) {
		case ".go":
			seen["go"] = true
		case ".py":
			seen["python"] = true
		case ".rs":
			seen["rust"] = true
		case ".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".cts":
			seen["javascript"] = true
		case ".java", ".kt", ".groovy", ".scala":
			seen["java"] = true
		}
		return nil
	})
	if left < 0 || len(seen) != 1 {
		return ""
	}
	for l := range seen {
		return l
	}
	return ""
}

// dottedTarget reads the dotted name of a Python module, class or test.
func dottedTarget(root, name string) (Target, bool) {
	parts := strings.Split(name, ".")
	for _, base := range []string{"", "tests", "test"} {
		for n := len(parts); n > 0; n-- {
			p, info, err := inside(root, path.Join(base, path.Join(parts[:n]...)+".py"))
			if err == nil && info.Mode().IsRegular() {
				t := Target{Lang: "python", Path: p}
				if n < len(parts) {
					t.IDs = []string{name}
				}
				return t, true
			}
		}
	}
	return Target{}, false
}
