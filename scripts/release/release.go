// Package release answers "how does a real project's release become a repository on this machine?": it brings the archive by the registry's own
// client, holds it against its checksum, makes a git repository of one commit of it, and installs what its checks need.
package release

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"fettle/scripts/lay"
)

// Release is one version of a real project, and how to make it ready for its checks.
type Release struct {
	Name     string `yaml:"name"`
	Registry string `yaml:"registry"` // a key of registries
	Package  string `yaml:"package"`  // its name there
	Version  string `yaml:"version"`
	SHA256   string `yaml:"sha256"` // of the archive as the registry's client brings it

	Newlines string   `yaml:"newlines"` // "lf" for an archive that was packed where lines end otherwise
	Remove   []string `yaml:"remove"`   // files of the archive that packaging put there, and that no checkout has

	Add map[string]string `yaml:"add" json:",omitempty"` // files that packaging left out, and without which its checks do not run, by their paths

	Prepare []string          `yaml:"prepare"` // commands that install what its checks need, run once in its folder
	Env     map[string]string `yaml:"env"`     // for these commands and for every fettle
	Config  string            `yaml:"config"`  // a fettle.yaml, where looking alone does not find what the project has its people run
}

// Load reads the files that describe projects, which are releases with more to be said of them. See tells a project's name, which its file bears, and
// what is wrong with it.
func Load[P any](fsys fs.FS, see func(*P) (name string, err error)) ([]P, error) {
	names, err := fs.Glob(fsys, "*.yaml")
	if err != nil {
		return nil, err
	}
	var all []P
	for _, file := range names {
		b, err := fs.ReadFile(fsys, file)
		if err != nil {
			return nil, err
		}
		var p P
		dec := yaml.NewDecoder(bytes.NewReader(b))
		dec.KnownFields(true)
		if err := dec.Decode(&p); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		name, err := see(&p)
		if name+".yaml" != file {
			return nil, fmt.Errorf("%s: the project's name is %q: the file must bear it", file, name)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		all = append(all, p)
	}
	return all, nil
}

// Validate says everything that is wrong with a release and can be known without its archive.
func (r Release) Validate() error {
	var errs []error
	bad := func(format string, args ...any) { errs = append(errs, fmt.Errorf(format, args...)) }
	for _, field := range [][2]string{{"name", r.Name}, {"package", r.Package}, {"version", r.Version}} {
		if strings.TrimSpace(field[1]) == "" {
			bad("%s is missing", field[0])
		}
	}
	if _, ok := registries[r.Registry]; !ok {
		bad("registry %q is unknown", r.Registry)
	}
	if len(r.SHA256) != 64 {
		bad("sha256 must be 64 digits")
	}
	if r.Newlines != "" && r.Newlines != "lf" {
		bad("newlines can be lf or nothing")
	}
	for name := range r.Add {
		if !filepath.IsLocal(name) {
			bad("add: %q is no path in the project", name)
		}
	}
	return errors.Join(errs...)
}

// Tree is a release laid out in a folder: its files in git, and beside them what preparing it has installed.
type Tree struct {
	Dir string
	Env []string // for every command in it
}

// LayOut unpacks the archive, makes it a git repository with one commit, and prepares it. What is there from an earlier time
// with the same stamp is kept. Try, if any, is asked of the files before anything is made of them.
func (r Release) LayOut(ctx context.Context, archive, dir, stamp string, try func(dir string) error) (*Tree, error) {
	t := &Tree{Dir: dir, Env: Environment(r.Env)}
	mark := dir + ".prepared"
	if b, err := os.ReadFile(mark); err == nil && string(b) == stamp {
		return t, t.Restore(ctx)
	}
	if err := r.files(archive, dir); err != nil {
		return nil, err
	}
	if try != nil {
		if err := try(dir); err != nil {
			return nil, err
		}
	}
	for _, args := range [][]string{{"init", "-q", "-b", "main"}, {"add", "-A", "-f"}, {"commit", "-q", "-m", r.Name + " " + r.Version}} {
		if _, err := t.Git(ctx, args...); err != nil {
			return nil, err
		}
	}
	if err := os.WriteFile(filepath.Join(dir, ".git/info/exclude"), []byte(strings.Join(installed, "\n")+"\n"), 0o644); err != nil {
		return nil, err
	}
	for _, line := range r.Prepare {
		if _, err := Capture(ctx, dir, t.Env, "bash", "-euo", "pipefail", "-c", line); err != nil {
			return nil, fmt.Errorf("prepare: %w", err)
		}
	}
	if out, err := t.Git(ctx, "status", "--porcelain"); err != nil || len(out) > 0 {
		return nil, fmt.Errorf("preparing it changed files of the project itself: %s%w", out, orNothing(err))
	}
	return t, os.WriteFile(mark, []byte(stamp), 0o644)
}

// files puts the release's files into a new folder.
func (r Release) files(archive, dir string) error {
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	if err := unpack(archive, dir, r.Registry == mavenSources); err != nil {
		return err
	}
	for _, f := range r.Remove {
		if err := os.RemoveAll(filepath.Join(dir, f)); err != nil {
			return err
		}
	}
	files := map[string]string{}
	maps.Copy(files, r.Add)
	if r.Config != "" {
		files["fettle.yaml"] = r.Config
	}
	if err := lay.Files(dir, files); err != nil {
		return err
	}
	if r.Newlines == "lf" {
		return plainNewlines(dir)
	}
	return nil
}

// installed are the names of what preparing leaves in a tree; a project's own .gitignore does not always say so.
var installed = []string{".venv", "node_modules", "target", "*.egg-info", "__pycache__", ".pytest_cache", ".mypy_cache", ".ruff_cache", ".nyc_output", "coverage"}

func orNothing(err error) error {
	if err == nil {
		return fs.ErrInvalid
	}
	return err
}

// Git runs git in the tree and returns what it printed.
func (t *Tree) Git(ctx context.Context, args ...string) ([]byte, error) {
	return Capture(ctx, t.Dir, append(t.Env, "GIT_AUTHOR_NAME=bench", "GIT_AUTHOR_EMAIL=bench@localhost", "GIT_COMMITTER_NAME=bench",
		"GIT_COMMITTER_EMAIL=bench@localhost"), append([]string{"git"}, args...)...)
}

// Restore brings the tree back to its one commit and takes away all that fettle remembers of it.
func (t *Tree) Restore(ctx context.Context) error {
	if _, err := t.Git(ctx, "reset", "-q", "--hard"); err != nil {
		return err
	}
	if _, err := t.Git(ctx, "clean", "-q", "-fd"); err != nil {
		return err
	}
	return t.Forget()
}

// Forget takes away what fettle remembers of the tree.
func (t *Tree) Forget() error { return os.RemoveAll(filepath.Join(t.Dir, ".git/fettle")) }

// plainNewlines turns the line ends of an archive that was packed on another system into those of a checkout here.
func plainNewlines(dir string) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	return fs.WalkDir(root.FS(), ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		b, err := root.ReadFile(name)
		if err != nil || slices.Contains(b, 0) {
			return err
		}
		return root.WriteFile(name, bytes.ReplaceAll(b, []byte("\r\n"), []byte("\n")), 0o644)
	})
}
