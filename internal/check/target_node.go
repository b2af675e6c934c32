package check

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// nodeTarget reads a test of JavaScript or TypeScript: FILE::describe > test, as its results name it. The name of a describe alone
// means every test inside. The bool is false when the argument names no file of these languages.
func nodeTarget(root, arg string) (Target, bool, error) {
	file, name, ok := strings.Cut(arg, "::")
	if !ok || !sourceFile.MatchString(file) {
		return Target{}, false, nil
	}
	p, info, err := inside(root, file)
	switch {
	case err != nil:
		return Target{}, true, err
	case info.IsDir():
		return Target{}, true, fmt.Errorf("%s is a folder, so it holds no test %s", p, name)
	case name == "":
		return Target{Lang: "javascript", Path: p}, true, nil
	}
	if isGroup(root, p, name) {
		name += " > "
	}
	return Target{Lang: "javascript", Path: p, IDs: []string{p + "::" + name}}, true, nil
}

// isGroup reports whether the last of the names is that of a describe in the file, and of no test.
func isGroup(root, file, name string) bool {
	b, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(file)))
	if err != nil {
		return false
	}
	_, last, found := cutLast(name, " > ")
	if !found {
		last = name
	}
	title := "(?:\\.[\\w.]+)?\\(\\s*[\"'`]" + regexp.QuoteMeta(last) + "[\"'`]"
	group := regexp.MustCompile(`\b(?:describe|suite|context)` + title)
	test := regexp.MustCompile(`\b(?:it|test|specify)` + title)
	return group.Match(b) && !test.Match(b)
}
