package mcp

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"fettle/internal/phrase"
)

// Tree is a working tree as it is found around a folder, without symbolic links.
type Tree struct {
	Root string // its top folder
	Git  string // git's own folder, which all working trees of a repository share; empty: there is no git
}

// Find finds the working tree around a folder.
type Find func(ctx context.Context, dir string) (Tree, error)

// Roots are the folders that a server may work in, for as long as it runs.
type Roots struct {
	start string
	trees []Tree
	find  Find
}

// NewRoots are the folder in which the server was started, and more that whoever started it has named. Of a folder inside a working tree the whole tree
// counts, as it does for every command. An empty start is a server that may work in the named folders only.
func NewRoots(ctx context.Context, find Find, start string, named []string) (*Roots, error) {
	r := &Roots{start: start, find: find}
	all := named
	if start != "" {
		all = append([]string{start}, named...)
	}
	for _, dir := range all {
		resolved, err := realDir(dir)
		if err != nil {
			return nil, fmt.Errorf("the root %s: %w", dir, err)
		}
		tree, err := find(ctx, resolved)
		if err != nil {
			return nil, fmt.Errorf("the root %s: %w", dir, err)
		}
		r.trees = append(r.trees, tree)
	}
	if len(r.trees) == 0 {
		return nil, errors.New("there is no root to serve: start the server in a project's folder, or name one with --root DIR")
	}
	if r.start == "" {
		r.start = r.trees[0].Root
	}
	return r, nil
}

// Dirs are the roots' folders.
func (r *Roots) Dirs() []string {
	var out []string
	for _, t := range r.trees {
		out = append(out, t.Root)
	}
	return out
}

// Resolve is the folder that a call works in, without symbolic links; empty means where the server was started. It, the working tree around it, and the folder
// in which git keeps that tree must all lie in a root: a link, a nested .git file or a core.worktree leads nowhere else.
func (r *Roots) Resolve(ctx context.Context, dir string) (string, error) {
	if strings.ContainsRune(dir, 0) {
		return "", errors.New("working_dir holds a zero byte: give the path of a folder")
	}
	asked := dir
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(r.start, dir)
	}
	resolved, err := realDir(dir)
	if err != nil {
		return "", fmt.Errorf("working_dir %s: %w; name a folder below %s, or leave it out", asked, err, phrase.Or(r.Dirs()))
	}
	if !r.holds(resolved) {
		return "", r.outside(asked, resolved)
	}
	tree, err := r.find(ctx, resolved)
	if err != nil {
		return "", err
	}
	if !r.holds(tree.Root) {
		return "", r.outside(asked, "the working tree "+tree.Root)
	}
	if tree.Git != "" && !r.holds(tree.Git) && !r.knows(tree) {
		return "", r.outside(asked, "the repository that git keeps in "+tree.Git)
	}
	return resolved, nil
}

func (r *Roots) outside(asked, what string) error {
	if asked == "" {
		asked = r.start
	}
	return fmt.Errorf("working_dir %s leads to %s, which is outside of what this server serves (%s); the person who starts it can add a folder with --root", asked, what, strings.Join(r.Dirs(), ", "))
}

// holds reports a folder in a root.
func (r *Roots) holds(dir string) bool {
	for _, t := range r.trees {
		rel, err := filepath.Rel(t.Root, dir)
		if err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
			return true
		}
	}
	return false
}

// knows reports the very tree that a root was when the server was started: a linked working tree has git's folder elsewhere.
func (r *Roots) knows(tree Tree) bool {
	for _, t := range r.trees {
		if t == tree {
			return true
		}
	}
	return false
}

// realDir is a folder without symbolic links.
func realDir(dir string) (string, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	resolved, err := filepath.EvalSymlinks(abs)
	if err != nil {
		return "", errors.New("there is no such folder")
	}
	info, err := os.Stat(resolved)
	if err != nil || !info.IsDir() {
		return "", errors.New("it is no folder")
	}
	return resolved, nil
}
