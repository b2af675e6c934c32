package confine

import (
	"bufio"
	"bytes"
	"os"
	"path/filepath"
	"strings"
)

// projectRoot is the nearest folder at or above work that git keeps something of, or work itself. That the home itself is in git (people keep their dotfiles so) makes it no
// project. Git is not asked: it believes a repository's own settings, which say what they like of where its files are.
func projectRoot(work, home string) string {
	for at := work; !within(home, at); at = filepath.Dir(at) {
		dotGit := filepath.Join(at, ".git")
		if info, err := os.Lstat(dotGit); err == nil && (!info.IsDir() || isRepository(dotGit)) {
			return at
		}
	}
	return work
}

// gitFolders are the folders outside of a working tree in which git keeps what belongs to it: those of a linked working tree, or of a submodule. A file .git can name any
// folder, and an agent can write that file: so only a folder counts that names the working tree, too. One that does not is doubtful.
func gitFolders(root string) (dirs []string, doubt *Named) {
	dotGit := filepath.Join(root, ".git")
	dir, named := gitFolder(dotGit)
	if !named {
		return nil, nil
	}
	if common, ok := linkedTo(dir, dotGit); ok && !within(root, common) && isRepository(common) {
		return []string{common}, nil
	}
	if tree, ok := workTree(dir); ok && tree == root && isRepository(dir) {
		return []string{dir}, nil
	}
	return nil, &Named{By: dotGit, Path: dir, Why: "it does not name this folder as its working tree (--also DIR frees it)"}
}

// isRepository reports that git keeps something in a folder: an empty one, or one with somebody's settings, is none.
func isRepository(dir string) bool {
	head, err := os.Lstat(filepath.Join(dir, "HEAD"))
	objects, err2 := os.Lstat(filepath.Join(dir, "objects"))
	return err == nil && err2 == nil && !head.IsDir() && objects.IsDir()
}

// gitFolder is the folder elsewhere that a .git names, by a file or as a link.
func gitFolder(dotGit string) (dir string, named bool) {
	info, err := os.Lstat(dotGit)
	if err != nil || info.IsDir() {
		return "", false
	}
	dir = dotGit
	if info.Mode().IsRegular() {
		if dir = oneLine(dotGit, "gitdir: "); dir == "" {
			return "", false
		}
		dir = from(filepath.Dir(dotGit), dir)
	}
	dir, err = filepath.EvalSymlinks(dir)
	return dir, err == nil
}

// linkedTo is the common folder of a linked working tree's folder, which git keeps in it (worktrees/NAME) and in which it notes where the working tree's .git lies.
func linkedTo(dir, dotGit string) (common string, ok bool) {
	if filepath.Base(filepath.Dir(dir)) != "worktrees" {
		return "", false
	}
	back, err := filepath.EvalSymlinks(from(dir, oneLine(filepath.Join(dir, "gitdir"), "")))
	return filepath.Dir(filepath.Dir(dir)), err == nil && back == dotGit
}

// workTree is what the settings in a submodule's folder name as its working tree (core.worktree).
func workTree(dir string) (tree string, ok bool) {
	config := filepath.Join(dir, "config")
	if info, err := os.Lstat(config); err != nil || !info.Mode().IsRegular() { // a link may lead to where an agent writes
		return "", false
	}
	data, err := os.ReadFile(config)
	if err != nil {
		return "", false
	}
	section := ""
	for s := bufio.NewScanner(bytes.NewReader(data)); s.Scan(); {
		line := strings.TrimSpace(s.Text())
		if strings.HasPrefix(line, "[") {
			section = strings.ToLower(line)
			continue
		}
		key, value, _ := strings.Cut(line, "=")
		if section == "[core]" && strings.EqualFold(strings.TrimSpace(key), "worktree") {
			tree, err = filepath.EvalSymlinks(from(dir, strings.Trim(strings.TrimSpace(value), `"`)))
			return tree, err == nil
		}
	}
	return "", false
}

// oneLine is what a file of one line says behind its beginning; empty: it does not.
func oneLine(file, begins string) string {
	data, err := os.ReadFile(file)
	text, ok := strings.CutPrefix(string(data), begins)
	if text = strings.TrimRight(text, "\r\n"); err != nil || !ok || strings.Contains(text, "\n") {
		return ""
	}
	return text
}

// from is a path that is relative to a folder, or absolute.
func from(dir, path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(dir, path)
}
