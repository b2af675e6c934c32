package parse

import (
	"path"
	"strings"

	"fettle/internal/diag"
	"fettle/internal/pattern"
)

// goFolder is the folder of a Go package: a slash path from the root, "." for the root, "" when it cannot be known. The
// package may be named as the go command names test variants: "m/p [m/p.test]", "m/p_test [m/p.test]", "m/p.test".
func (c *collector) goFolder(importPath string) string {
	p, variant, _ := strings.Cut(importPath, " [")
	variant = strings.TrimSuffix(strings.TrimSuffix(variant, "]"), ".test")
	if base := strings.TrimSuffix(p, "_test"); base != p && base == variant {
		p = base
	}
	p = strings.TrimSuffix(p, ".test")
	module := c.o.Module
	switch {
	case p == "command-line-arguments", p == module && module != "":
		return c.places.rel(".")
	case module != "" && strings.HasPrefix(p, module+"/"):
		return c.places.rel(p[len(module)+1:])
	case p == "." || strings.HasPrefix(p, "./") || strings.HasPrefix(p, "_/"):
		return c.places.rel(strings.TrimPrefix(p, "_"))
	}
	return ""
}

// goFile is a file as Go programs print it: a path, or, in binaries built with -trimpath, the import path of the package
// and the name of the file. In a module that is called like one of its folders, what is there decides.
func (c *collector) goFile(name string) string {
	plain := c.places.own(name)
	module := c.o.Module
	if module == "" || !strings.HasPrefix(name, module+"/") || plain != "" && c.o.Exists != nil && c.o.Exists(plain) {
		return plain
	}
	return c.places.own(name[len(module)+1:])
}

var (
	goFrameAt   = pattern.New(`^\s+(\S.*\.(?:go|s|c|cc|cpp)):(\d+)(?: \+0x[0-9a-f]+)?(?: fp=0x[0-9a-f]+ sp=0x[0-9a-f]+ pc=0x[0-9a-f]+)?$`)
	goFrameFunc = pattern.New(`^(?:created by )?(\S+?)(?:\([^()]*\)|\(\.\.\.\)|\(.*\))?(?: in goroutine \d+)?$`)
)

// goFrames are the stack frames inside the repository in a goroutine dump or a race report, innermost first. A panic's
// first goroutine is the one that panicked; only where it has no frame of ours are the others asked.
func (c *collector) goFrames(text []string) []diag.Frame {
	var groups [][]diag.Frame
	var now []diag.Frame
	before := ""
	for _, line := range text {
		if strings.TrimSpace(line) == "" || strings.HasPrefix(line, "goroutine ") {
			if now != nil {
				groups = append(groups, now)
			}
			now, before = nil, ""
			continue
		}
		if m := goFrameAt.FindStringSubmatch(line); m != nil && before != "" {
			if f := c.goFile(m[1]); f != "" && path.Base(f) != "_testmain.go" {
				now = append(now, diag.Frame{File: f, Line: number(m[2]), Func: goFunc(before)})
			}
		}
		before = strings.TrimSpace(line)
	}
	groups = append(groups, now)
	for _, g := range groups {
		if len(g) > 0 {
			return g
		}
	}
	return nil
}

func goFunc(line string) string {
	line = strings.TrimSpace(line)
	if m := goFrameFunc.FindStringSubmatch(line); m != nil {
		return valid(m[1])
	}
	return ""
}
