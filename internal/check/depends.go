package check

import (
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"fettle/internal/pattern"
)

// What can change the answers of one project's tests in a tree of several: its own files, those of the projects that it names,
// and the files of the root, where shared configuration stands. Whoever knows better writes `files` in fettle.yaml; and where
// this knows too little, the last run before a tree is called healthy finds out.

// rootFiles is the glob of the files of the root.
const rootFiles = "*"

// upward finds the paths in a configuration that lead out of its folder.
var upward = pattern.New(`\.\./[\w./@-]*|\.\.(?:["'\s]|$)`)

// depends are globs of the files that the tests of a project depend on; nil: any file.
func (t *tree) depends(project string) []string {
	return t.globs(t.closure(project, t.named))
}

// globs are those of everything in the folders, and of the root's files; nil when there are no folders.
func (t *tree) globs(folders []string) []string {
	if len(folders) == 0 {
		return nil
	}
	var out []string
	for _, dir := range folders {
		out = append(out, dir+"/**")
	}
	return append(out, rootFiles)
}

// closure is a folder and all that it leads to, itself first; nil when one of them is the root.
func (t *tree) closure(dir string, leads func(dir string) []string) []string {
	out, seen := []string{dir}, map[string]bool{dir: true}
	for i := 0; i < len(out); i++ {
		for _, next := range leads(out[i]) {
			if next == "." {
				return nil
			}
			if !seen[next] {
				out, seen[next] = append(out, next), true
			}
		}
	}
	slices.Sort(out[1:])
	return out
}

// named are the folders outside of a project that the files in its own folder, its configuration, name by a path: "../lib". What
// lies outside the repository is left out, and an ancestor of the project stands for the whole tree.
func (t *tree) named(project string) []string {
	entries, err := fs.ReadDir(t.fsys, project)
	if err != nil {
		return nil
	}
	found := map[string]bool{}
	for _, e := range entries {
		if !e.Type().IsRegular() || isSource(e.Name()) {
			continue
		}
		for _, p := range upward.FindAllString(string(t.read(path.Join(project, e.Name()))), -1) {
			if to := t.existing(path.Join(project, strings.Trim(p, "\"' \t\r\n"))); to != "" && !t.isRootFile(to) {
				found[t.folderOf(project, to)] = true
			}
		}
	}
	for _, dir := range t.editable(project) {
		found[t.folderOf(project, dir)] = true
	}
	return slices.Sorted(maps.Keys(found))
}

// editable are the folders outside of a project that its virtual environment, or one above it, takes packages from: what
// pip install -e has put there.
func (t *tree) editable(project string) []string {
	var out []string
	for dir := project; ; dir = path.Dir(dir) {
		for _, env := range []string{".venv", "venv", "env"} {
			links, err := fs.Glob(t.fsys, path.Join(dir, env, "lib/python*/site-packages/*.pth"))
			finders, err2 := fs.Glob(t.fsys, path.Join(dir, env, "lib/python*/site-packages/__editable__*.py"))
			if err != nil || err2 != nil {
				continue // a folder whose name is no pattern
			}
			for _, f := range append(links, finders...) {
				out = append(out, t.ownPaths(t.read(f), project)...)
			}
		}
		if dir == "." {
			return out
		}
	}
}

// ownPaths are the folders of the repository, but for the project itself, that a text names by their absolute paths.
func (t *tree) ownPaths(text []byte, project string) []string {
	var out []string
	for _, after := range strings.Split(string(text), t.root+"/")[1:] {
		end := strings.IndexFunc(after, func(r rune) bool { return strings.ContainsRune("\"'\n\r,;:", r) })
		if end < 0 {
			end = len(after)
		}
		p := t.existing(path.Clean(after[:end]))
		if p != "" && p != project && !strings.HasPrefix(p, project+"/") && !strings.Contains(p, "/site-packages") {
			out = append(out, p)
		}
	}
	return out
}

// existing is a path inside the repository, or the innermost folder on the way to it that is there; "" when it leads out.
func (t *tree) existing(p string) string {
	if strings.HasPrefix(p, "..") {
		return ""
	}
	for !t.has(p) {
		if p = path.Dir(p); p == "." {
			return "" // nothing of it is there
		}
	}
	return p
}

func (t *tree) isRootFile(p string) bool { return p != "." && path.Dir(p) == "." && !t.isFolder(p) }

func (t *tree) isFolder(p string) bool {
	info, err := fs.Stat(t.fsys, p)
	return err == nil && info.IsDir()
}

// folderOf is the folder that a path stands for: itself or that of the file, and the root when the project lies in it.
func (t *tree) folderOf(project, p string) string {
	if !t.isFolder(p) {
		p = path.Dir(p)
	}
	if strings.HasPrefix(project+"/", p+"/") {
		return "."
	}
	return p
}

// isSource reports whether a file holds text that is no configuration: what it names by a path is found out otherwise, or not.
func isSource(name string) bool {
	return slices.Contains([]string{".md", ".rst", ".txt", ".lock", ".go", ".rs", ".java", ".kt", ".sum", ".snap", ".svg", ".html"}, path.Ext(name)) &&
		!strings.HasPrefix(name, "requirements") || slices.Contains([]string{"package-lock.json", "pnpm-lock.yaml"}, name)
}

// memberDepends are globs of the files that a member's tests, types and build depend on, given its workspace's other members by
// their names: its own, those of the members that it depends on, and the root's. Nil, any file, where the root maps names to folders
// for everybody.
func (t *tree) memberDepends(member string, byName map[string]string) []string {
	for _, config := range []string{"tsconfig.json", "tsconfig.base.json", "jsconfig.json"} {
		if strings.Contains(string(t.read(config)), `"paths"`) {
			return nil
		}
	}
	return t.globs(t.closure(member, func(dir string) []string {
		out := t.named(dir)
		for name := range readPackage(t.read(path.Join(dir, "package.json"))).names {
			if other, ok := byName[name]; ok {
				out = append(out, other)
			}
		}
		return out
	}))
}
