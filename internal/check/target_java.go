package check

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"fettle/internal/pattern"
)

var (
	javaNamed   = pattern.New(`^((?:[A-Za-z_]\w*\.)*)([A-Z]\w*)((?:\$\w+)*)(?:#(.+))?$`)
	javaTest    = pattern.New(`(^|/)src/[a-zA-Z]*[tT]est[a-zA-Z]*/.*\.(java|kt|groovy|scala)$|(Test|Tests|TestCase|IT|Spec)\.(java|kt|groovy|scala)$`)
	javaPackage = pattern.New(`(?m)^\s*package\s+([\w.]+)`)
	javaMethod  = pattern.New(`@\w*Test\b[^{;]*?(?:void|fun)\s+(\w+)`)
)

// maxJavaFolders is how many folders are looked through for a class.
const maxJavaFolders = 20_000

// javaTarget reads the name of a Java test or of a class of tests: com.x.FooTest, com.x.FooTest#method, FooTest#method. The
// bool is false when there is no such class and the argument may mean something else.
func javaTarget(root, arg string) (Target, bool, error) {
	m := javaNamed.FindStringSubmatch(arg)
	if m == nil || m[1] == "" && m[4] == "" {
		return Target{}, false, nil
	}
	file := findClass(root, strings.ReplaceAll(m[1], ".", "/")+m[2])
	if file == "" {
		if m[4] == "" {
			return Target{}, false, nil
		}
		return Target{}, true, fmt.Errorf("there is no class %s%s", m[1], m[2])
	}
	class, b := javaFileClass(root, file)
	t := Target{Lang: "java", Path: file, IDs: []string{class + m[3]}}
	if m[4] == "" {
		return t, true, nil
	}
	if name := javaName.FindString(m[4]); name != "" && !mentions(b, name) {
		var known []string
		for _, k := range javaMethod.FindAllSubmatch(b, -1) {
			known = append(known, string(k[1]))
		}
		return Target{}, true, fmt.Errorf("there is no test %s in %s%s", name, file, didYouMean(name, known))
	}
	t.IDs[0] += "#" + m[4]
	return t, true, nil
}

// javaFileClass is the outermost class of a file, by its package and its name, and the file's text.
func javaFileClass(root, file string) (string, []byte) {
	b, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(file)))
	class := strings.TrimSuffix(path.Base(file), path.Ext(file))
	if m := javaPackage.FindSubmatch(b); err == nil && m != nil {
		class = string(m[1]) + "." + class
	}
	return class, b
}

// findClass is the file below the root whose path ends with a class's, or "".
func findClass(root, class string) string {
	found, left := "", maxJavaFolders
	_ = filepath.WalkDir(root, func(p string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return fs.SkipDir
		case e.IsDir():
			if left--; left < 0 {
				return fs.SkipAll
			}
			if p != root && (skippedDir(e.Name()) || slices.Contains([]string{"target", "build", "out"}, e.Name()) && path.Base(path.Dir(class)) != e.Name()) {
				return fs.SkipDir
			}
			return nil
		}
		ending := path.Ext(e.Name())
		if !slices.Contains([]string{".java", ".kt", ".groovy", ".scala"}, ending) {
			return nil
		}
		rel, err := filepath.Rel(root, p)
		if err == nil && strings.HasSuffix("/"+filepath.ToSlash(rel), "/"+class+ending) {
			found = filepath.ToSlash(rel)
			return fs.SkipAll
		}
		return nil
	})
	return found
}

// javaPath is the target of a file of tests, or of a folder, which stands for the module it lies in.
func javaPath(root, p string, info fs.FileInfo) Target {
	t := Target{Lang: "java", Path: p}
	if !info.IsDir() {
		class, _ := javaFileClass(root, p)
		t.IDs = []string{class}
		return t
	}
	for dir := p; ; dir = path.Dir(dir) {
		for _, mark := range jvmMarks {
			if _, _, err := inside(root, path.Join(dir, mark)); err == nil {
				t.Path = dir
				return t
			}
		}
		if dir == "." {
			return t
		}
	}
}
