package path

import (
	"os"
	"path/filepath"
	"strings"
)

// Rel turns what a person or a tool typed, absolute or relative to the current folder, into a clean slash path from root.
// The root itself is ".". A path outside root, or one that is empty or holds a NUL, is a [*Denied].
//
// Only the way to the root may lead over symbolic links (as /tmp does on macOS): when p does not lie below root as both are
// written, their folders are resolved and compared once more. Rel asks nothing else of the file system, and does not apply
// [Check].
func Rel(root, p string) (string, error) {
	if p == "" || strings.ContainsRune(p, 0) {
		return "", &Denied{Path: p, Rule: Empty, Reason: "File path is empty or contains a NUL byte"}
	}
	if !filepath.IsAbs(p) {
		cwd, err := os.Getwd()
		if err != nil {
			return "", err
		}
		p = filepath.Join(cwd, p)
	}
	if rel, ok := below(root, p); ok {
		return rel, nil
	}
	realRoot, err := filepath.EvalSymlinks(root)
	if err != nil {
		return "", err
	}
	if rel, ok := below(realRoot, resolve(p)); ok {
		return rel, nil
	}
	return "", &Denied{Path: p, Rule: Traversal, Reason: outside}
}

// below is p as seen from root, if p is root or lies below it as written.
func below(root, p string) (string, bool) {
	rel, err := filepath.Rel(root, p)
	if err != nil || !filepath.IsLocal(rel) {
		return "", false
	}
	return filepath.ToSlash(rel), true
}

// resolve follows the links in the folders above p, as far as they exist. The last name is not followed: if p is a link, it
// is the link that was meant, and the workspace refuses it by its name.
func resolve(p string) string {
	dir, base := filepath.Split(filepath.Clean(p))
	rest := base
	for dir = filepath.Clean(dir); ; {
		if resolved, err := filepath.EvalSymlinks(dir); err == nil {
			return filepath.Join(resolved, rest)
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return filepath.Clean(p)
		}
		rest = filepath.Join(filepath.Base(dir), rest)
		dir = parent
	}
}
