package parse

import (
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Rel turns a path as the tool printed it, absolute or relative to the folder it ran in, into the slash path from the
// repository's root: "." for the root itself, "" for what lies outside. An absolute path may go through the real place of
// a root that is a symbolic link, or have or lack the /private that macOS puts before /tmp and /var.
func (o Options) Rel(p string) string { return o.places().rel(p) }

// places are the ways in which a repository's root can stand at the beginning of an absolute path.
type places struct {
	roots []string
	dir   string
}

// places resolves the root once for all paths of a run.
func (o Options) places() places {
	ps := places{dir: o.Dir}
	if o.Root == "" {
		return ps
	}
	add := func(root string) {
		root = path.Clean(filepath.ToSlash(root))
		for _, r := range []string{root, strings.TrimPrefix(root, "/private"), "/private" + root} {
			if path.IsAbs(r) && !slices.Contains(ps.roots, r) {
				ps.roots = append(ps.roots, r)
			}
		}
	}
	add(o.Root)
	if target, err := filepath.EvalSymlinks(o.Root); err == nil {
		add(target)
	}
	return ps
}

func (ps places) rel(p string) string {
	p = filepath.ToSlash(p)
	if p == "" || strings.ContainsAny(p, "\x00\n\r") {
		return ""
	}
	if !path.IsAbs(p) && !filepath.IsAbs(filepath.FromSlash(p)) {
		return ps.inside(path.Join(ps.dir, p))
	}
	p = path.Clean(p)
	for _, root := range ps.roots {
		if p == root {
			return "."
		}
		if rest, ok := strings.CutPrefix(p, strings.TrimSuffix(root, "/")+"/"); ok {
			return ps.inside(rest)
		}
	}
	return ""
}

// inside is a path from the root, unless it climbs out of it. One that climbs out and comes in again by the root's own
// name ("../repo/x") is inside.
func (ps places) inside(p string) string {
	p = path.Clean(p)
	if filepath.IsLocal(filepath.FromSlash(p)) {
		return p
	}
	if !strings.HasPrefix(p, "../") || len(ps.roots) == 0 {
		return ""
	}
	root := ps.roots[0]
	rest, ok := strings.CutPrefix(path.Join(root, p), strings.TrimSuffix(root, "/")+"/")
	if !ok || !filepath.IsLocal(filepath.FromSlash(rest)) {
		return ""
	}
	return rest
}

// file is rel for what must be a file: never the root itself.
func (ps places) file(p string) string {
	if p = ps.rel(p); p == "." {
		return ""
	}
	return p
}

// own is file for a stack frame: installed packages that lie inside the repository are not its code, and "<string>" and
// "<frozen importlib>" are no files.
func (ps places) own(p string) string {
	if strings.HasPrefix(p, "<") {
		return ""
	}
	p = ps.file(p)
	for _, folder := range []string{"site-packages", "dist-packages", "node_modules"} {
		if strings.Contains("/"+p, "/"+folder+"/") {
			return ""
		}
	}
	return p
}
