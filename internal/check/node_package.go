package check

import (
	"bytes"
	"encoding/json"
	"path"
	"slices"
	"strings"

	"fettle/internal/glob"

	"go.yaml.in/yaml/v3"
)

// nodePackage is what a package.json says of checks.
type nodePackage struct {
	self         string // its own name
	scripts      map[string]string
	names        map[string]bool // of dependencies of every kind
	keys         map[string]bool // top-level keys that hold something: a tool's configuration can be one
	manager      string          // the name in packageManager
	workspaces   []string        // globs of the members' folders
	dependencies bool            // it has any
}

// readPackage reads a package.json. What cannot be read says nothing.
func readPackage(b []byte) nodePackage {
	p := nodePackage{scripts: map[string]string{}, names: map[string]bool{}, keys: map[string]bool{}}
	var doc map[string]json.RawMessage
	if json.Unmarshal(bytes.TrimPrefix(b, []byte("\xef\xbb\xbf")), &doc) != nil {
		return p
	}
	for key, raw := range doc {
		p.keys[key] = true
		switch key {
		case "scripts":
			for name, v := range object(raw) {
				var s string
				if json.Unmarshal(v, &s) == nil {
					p.scripts[name] = s
				}
			}
		case "dependencies", "devDependencies", "optionalDependencies", "peerDependencies":
			for name := range object(raw) {
				p.names[name], p.dependencies = true, true
			}
		case "name":
			_ = json.Unmarshal(raw, &p.self) // what is no text is no name
		case "packageManager":
			var s string
			if json.Unmarshal(raw, &s) == nil {
				p.manager, _, _ = strings.Cut(s, "@")
			}
		case "workspaces":
			if json.Unmarshal(raw, &p.workspaces) != nil { // yarn's other form
				_ = json.Unmarshal(object(raw)["packages"], &p.workspaces) // what is no list names no member
			}
		}
	}
	return p
}

// object is a JSON object's members; nothing where it is none.
func object(raw json.RawMessage) map[string]json.RawMessage {
	var m map[string]json.RawMessage
	if json.Unmarshal(raw, &m) != nil {
		return nil
	}
	return m
}

// nodeManager is the package manager that a project is kept with: the one that it names, else the one whose lock file
// stands in its root, else npm.
func (t *tree) nodeManager(root nodePackage) string {
	if slices.Contains(nodeManagers, root.manager) {
		return root.manager
	}
	for _, m := range [][2]string{{"pnpm-lock.yaml", "pnpm"}, {"pnpm-workspace.yaml", "pnpm"}, {"yarn.lock", "yarn"}, {"bun.lock", "bun"}, {"bun.lockb", "bun"}} {
		if t.has(m[0]) {
			return m[1]
		}
	}
	return "npm"
}

// nodeMembers are the folders of a workspace's members, sorted, without the root: those that the globs of package.json or of
// pnpm-workspace.yaml name. One that begins with ! takes folders out again.
func (t *tree) nodeMembers(root nodePackage) []string {
	globs := root.workspaces
	var pnpm struct{ Packages []string }
	if yaml.Unmarshal(t.read("pnpm-workspace.yaml"), &pnpm) == nil {
		globs = append(globs, pnpm.Packages...)
	}
	in := func(dir string) bool {
		found := false
		for _, g := range globs {
			out := strings.HasPrefix(g, "!")
			g = strings.TrimSuffix(strings.TrimPrefix(strings.TrimPrefix(g, "!"), "./"), "/")
			if ValidGlob(g) == nil && glob.Match(path.Clean(g), dir) {
				found = !out
			}
		}
		return found
	}
	var out []string
	for _, dir := range t.marks["package.json"] {
		if dir != "." && in(dir) {
			out = append(out, dir)
		}
	}
	return unique(out)
}
