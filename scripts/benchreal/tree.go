package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"fettle/scripts/lay"
)

// tree is a project laid out in a folder: its files in git, and beside them what preparing it has installed.
type tree struct {
	Project
	dir string
	env []string
}

// picture is the state of every file of a tree. A file that belongs to the project stands with a digest of its content; one that
// was installed with its size and time, because there are tens of thousands of them.
type picture map[string]string

// layOut unpacks the archive, makes it a git repository with one commit, and prepares it. What is there from an earlier time
// with the same project file is kept.
func layOut(ctx context.Context, p Project, archive, dir, stamp string) (*tree, error) {
	t := &tree{Project: p, dir: dir, env: environment(p.Env)}
	mark := dir + ".prepared"
	if b, err := os.ReadFile(mark); err == nil && string(b) == stamp {
		return t, t.restore(ctx)
	}
	if err := os.RemoveAll(dir); err != nil {
		return nil, err
	}
	if err := unpack(archive, dir); err != nil {
		return nil, err
	}
	for _, f := range p.Remove {
		if err := os.RemoveAll(filepath.Join(dir, f)); err != nil {
			return nil, err
		}
	}
	if err := p.add(dir); err != nil {
		return nil, err
	}
	if p.Newlines == "lf" {
		if err := plainNewlines(dir); err != nil {
			return nil, err
		}
	}
	if err := p.tryFaults(dir); err != nil {
		return nil, err
	}
	for _, args := range [][]string{{"init", "-q", "-b", "main"}, {"add", "-A", "-f"}, {"commit", "-q", "-m", p.Name + " " + p.Version}} {
		if _, err := t.git(ctx, args...); err != nil {
			return nil, err
		}
	}
	if err := os.WriteFile(filepath.Join(dir, ".git/info/exclude"), []byte(strings.Join(installed, "\n")+"\n"), 0o644); err != nil {
		return nil, err
	}
	for _, line := range p.Prepare {
		if _, err := capture(ctx, dir, t.env, "bash", "-euo", "pipefail", "-c", line); err != nil {
			return nil, fmt.Errorf("prepare: %w", err)
		}
	}
	if out, err := t.git(ctx, "status", "--porcelain"); err != nil || len(out) > 0 {
		return nil, fmt.Errorf("preparing it changed files of the project itself: %s%w", out, orNothing(err))
	}
	return t, os.WriteFile(mark, []byte(stamp), 0o644)
}

// add writes the files that packaging left out, and the configuration of fettle.
func (p Project) add(dir string) error {
	files := map[string]string{}
	maps.Copy(files, p.Add)
	if p.Config != "" {
		files["fettle.yaml"] = p.Config
	}
	return lay.Files(dir, files)
}

// installed are the names of what preparing leaves in a tree; a project's own .gitignore does not always say so.
var installed = []string{".venv", "node_modules", "target", "*.egg-info", "__pycache__", ".pytest_cache", ".mypy_cache", ".ruff_cache", ".nyc_output", "coverage"}

func orNothing(err error) error {
	if err == nil {
		return fs.ErrInvalid
	}
	return err
}

func (t *tree) git(ctx context.Context, args ...string) ([]byte, error) {
	return capture(ctx, t.dir, append(t.env, "GIT_AUTHOR_NAME=bench", "GIT_AUTHOR_EMAIL=bench@localhost", "GIT_COMMITTER_NAME=bench",
		"GIT_COMMITTER_EMAIL=bench@localhost"), append([]string{"git"}, args...)...)
}

// restore brings the tree back to its one commit and takes away all that fettle remembers of it.
func (t *tree) restore(ctx context.Context) error {
	if _, err := t.git(ctx, "reset", "-q", "--hard"); err != nil {
		return err
	}
	if _, err := t.git(ctx, "clean", "-q", "-fd"); err != nil {
		return err
	}
	return os.RemoveAll(filepath.Join(t.dir, ".git/fettle"))
}

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

// look takes a picture of everything in the tree but git's own folder, and of what git says about it.
func (t *tree) look(ctx context.Context) (picture, error) {
	p := picture{}
	own, err := t.git(ctx, "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	if err != nil {
		return nil, err
	}
	mine := map[string]bool{}
	for name := range strings.SplitSeq(string(own), "\x00") {
		mine[name] = true
	}
	root, err := os.OpenRoot(t.dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	err = fs.WalkDir(root.FS(), ".", func(rel string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if rel == ".git" {
			return fs.SkipDir
		}
		if e.IsDir() {
			return nil
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		if !mine[rel] || !info.Mode().IsRegular() {
			p[rel] = fmt.Sprint(info.Mode(), info.Size(), info.ModTime().UnixNano())
			return nil
		}
		b, err := root.ReadFile(rel)
		if err != nil {
			return err
		}
		sum := sha256.Sum256(b)
		p[rel] = fmt.Sprint(info.Mode(), " ", hex.EncodeToString(sum[:]))
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, args := range [][]string{{"rev-parse", "HEAD"}, {"status", "--porcelain"}, {"stash", "list"}, {"for-each-ref"}} {
		out, err := t.git(ctx, args...)
		if err != nil {
			return nil, err
		}
		p["git "+strings.Join(args, " ")] = string(out)
	}
	return p, nil
}

// differs are the names under which two pictures differ, sorted.
func (p picture) differs(q picture) []string {
	var names []string
	for name, is := range p {
		if q[name] != is {
			names = append(names, name)
		}
	}
	for name := range q {
		if _, ok := p[name]; !ok {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// write puts content into files of the tree.
func (t *tree) write(files map[string][]byte) error {
	for name, b := range files {
		if err := os.WriteFile(filepath.Join(t.dir, filepath.FromSlash(name)), b, 0o644); err != nil { // an existing file keeps its mode
			return err
		}
	}
	return nil
}

// read reads the files that the faults concern.
func (t *tree) read() (map[string][]byte, error) {
	files := map[string][]byte{}
	for _, f := range t.Faults {
		b, err := os.ReadFile(filepath.Join(t.dir, filepath.FromSlash(f.File)))
		if err != nil {
			return nil, err
		}
		files[f.File] = b
	}
	return files, nil
}

// forget takes away what fettle remembers of the tree.
func (t *tree) forget() error { return os.RemoveAll(filepath.Join(t.dir, ".git/fettle")) }
