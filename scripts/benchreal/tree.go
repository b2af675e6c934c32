package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"fettle/scripts/release"
)

// tree is a project laid out in a folder: its files in git, and beside them what preparing it has installed.
type tree struct {
	Project
	*release.Tree
}

// picture is the state of every file of a tree. A file that belongs to the project stands with a digest of its content; one that
// was installed with its size and time, because there are tens of thousands of them.
type picture map[string]string

// layOut lays a project out, and tries whether its faults can be put into it.
func layOut(ctx context.Context, p Project, archive, dir, stamp string) (*tree, error) {
	t, err := p.LayOut(ctx, archive, dir, stamp, p.tryFaults)
	if err != nil {
		return nil, err
	}
	return &tree{Project: p, Tree: t}, nil
}

// look takes a picture of everything in the tree but git's own folder, and of what git says about it.
func (t *tree) look(ctx context.Context) (picture, error) {
	p := picture{}
	own, err := t.Git(ctx, "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	if err != nil {
		return nil, err
	}
	mine := map[string]bool{}
	for name := range strings.SplitSeq(string(own), "\x00") {
		mine[name] = true
	}
	root, err := os.OpenRoot(t.Dir)
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
		out, err := t.Git(ctx, args...)
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
		if err := os.WriteFile(filepath.Join(t.Dir, filepath.FromSlash(name)), b, 0o644); err != nil { // an existing file keeps its mode
			return err
		}
	}
	return nil
}

// read reads the files that the faults concern.
func (t *tree) read() (map[string][]byte, error) {
	files := map[string][]byte{}
	for _, f := range t.Faults {
		b, err := os.ReadFile(filepath.Join(t.Dir, filepath.FromSlash(f.File)))
		if err != nil {
			return nil, err
		}
		files[f.File] = b
	}
	return files, nil
}
