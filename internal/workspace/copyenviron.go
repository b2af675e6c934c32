package workspace

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"fettle/internal/pattern"
)

// environ is the environment of a command in a copy at another path: what in it leads into the user's tree leads into the copy,
// and so do Python's editable installs. Tools' caches and temporary files go to folders of the copy: HOME itself stays, for its
// settings, but cannot be written to.
func (d *duplicate) environ(env []string) []string {
	caches := d.caches()
	if d.keepsCaches() {
		caches = d.keptCaches()
	}
	set := [][2]string{
		{"TMPDIR", d.temporary()},
		{"XDG_CACHE_HOME", caches},
		{"GOCACHE", filepath.Join(caches, "go-build")},
		{"GOLANGCI_LINT_CACHE", filepath.Join(caches, "golangci-lint")},
		{"STATICCHECK_CACHE", filepath.Join(caches, "staticcheck")},
		{"PIP_CACHE_DIR", filepath.Join(caches, "pip")},
		{"UV_CACHE_DIR", filepath.Join(caches, "uv")},
		{"npm_config_cache", filepath.Join(caches, "npm")},
	}
	python := d.editable(env)
	var out []string
	for _, kv := range env {
		name, value, _ := strings.Cut(kv, "=")
		value = d.moved(value)
		switch {
		case name == "PYTHONPATH":
			python = append(python, value)
		case name == "GOTMPDIR": // TMPDIR is for all
		case !slices.ContainsFunc(set, func(s [2]string) bool { return s[0] == name }): // of two, some programs take the first
			out = append(out, name+"="+value)
		}
	}
	if len(python) > 0 {
		out = append(out, "PYTHONPATH="+strings.Join(python, string(filepath.ListSeparator)))
	}
	for _, s := range set {
		out = append(out, s[0]+"="+s[1])
	}
	return out
}

// moved is a variable's value with the paths of the user's tree in it, alone or in a list, as those of the copy. What lies in the copy's
// own folder, which may be in the tree, stays: a caller put it there.
func (d *duplicate) moved(value string) string {
	switch {
	case !strings.Contains(value, d.o.Root), within(value, d.o.State):
		return value
	case within(value, d.o.Root):
		return d.tree + value[len(d.o.Root):]
	}
	parts := strings.Split(value, string(filepath.ListSeparator))
	if len(parts) == 1 {
		return value
	}
	for i, p := range parts {
		parts[i] = d.moved(p)
	}
	return strings.Join(parts, string(filepath.ListSeparator))
}

// editable are the folders of the copy in which the packages lie that are installed to be edited (pip install -e, and what uv and
// poetry do with a project): an environment knows them by their absolute paths in the user's tree, and would test that. Python
// looks in PYTHONPATH first.
func (d *duplicate) editable(env []string) []string {
	places := []string{filepath.Join(d.o.Root, ".venv"), filepath.Join(d.o.Root, "venv"), filepath.Join(d.o.Root, "env")}
	for _, kv := range env {
		if name, value, _ := strings.Cut(kv, "="); (name == "VIRTUAL_ENV" || name == "CONDA_PREFIX") && filepath.IsAbs(value) {
			places = append(places, value)
		}
	}
	var out []string
	add := func(dir string) {
		if dir = d.moved(filepath.Clean(dir)); within(dir, d.tree) && !slices.Contains(out, dir) {
			out = append(out, dir)
		}
	}
	for _, place := range places {
		for _, pattern := range []string{"*.pth", "__editable__*_finder.py"} {
			files, err := filepath.Glob(filepath.Join(place, "lib", "python3*", "site-packages", pattern))
			if err != nil {
				continue // the place's own name reads as a pattern
			}
			for _, f := range files {
				for _, dir := range installedFrom(f) {
					add(dir)
				}
			}
		}
	}
	return out
}

// quotedPath finds absolute paths in the Python code that an editable install by setuptools consists of.
var quotedPath = pattern.New(`'(/[^'\n]+)'`)

// installedFrom are the folders in which Python finds what a file in site-packages names: the lines of a .pth file, or the folders
// around the packages that a finder maps.
func installedFrom(file string) []string {
	const most = 1 << 20
	info, err := os.Stat(file)
	if err != nil || info.Size() > most {
		return nil
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return nil
	}
	var out []string
	if filepath.Ext(file) == ".pth" {
		for line := range bytes.Lines(data) {
			if dir := string(bytes.TrimSpace(line)); filepath.IsAbs(dir) {
				out = append(out, dir)
			}
		}
		return out
	}
	for _, m := range quotedPath.FindAllStringSubmatch(string(data), -1) {
		out = append(out, filepath.Dir(m[1]))
	}
	return out
}
