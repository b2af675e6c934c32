package confine

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
)

// findWays notes the ways that lead to the home: itself, the links in its name, and where else its files are mounted.
func (b *Bounds) findWays(named string) error {
	b.roots = append(links(named), b.Home)
	if runtime.GOOS == "linux" {
		data, err := os.ReadFile("/proc/self/mountinfo")
		if err != nil {
			return fmt.Errorf("it is not known where else the home is mounted: %w", err)
		}
		b.roots = append(b.roots, mirrors(b.Home, readMounts(string(data)))...)
	}
	slices.Sort(b.roots)
	b.roots = slices.Compact(b.roots)
	for _, root := range b.roots {
		for at := filepath.Dir(root); ; at = filepath.Dir(at) {
			if !slices.Contains(b.Closed, at) && !b.keeps(at) {
				b.Closed = append(b.Closed, at)
			}
			if at == "/" {
				break
			}
		}
	}
	slices.Sort(b.Closed)
	return nil
}

// links are where the links lie that a path leads through, one after the other. Removing one of them would take the path away.
func links(path string) (all []string) {
	at, rest := "/", strings.Split(path, "/")
	for n := 0; len(rest) > 0 && n < 1000; n++ { // a path that can be followed to its end has far fewer links
		name := rest[0]
		rest = rest[1:]
		if name == "" {
			continue
		}
		next := filepath.Join(at, name)
		to, err := os.Readlink(next)
		if err != nil { // no link
			at = next
			continue
		}
		all = append(all, next)
		if filepath.IsAbs(to) {
			at = "/"
		}
		rest = append(strings.Split(to, "/"), rest...)
	}
	return all
}

// mount is a file system, or a folder of one, that is mounted somewhere.
type mount struct{ device, root, at string }

// readMounts reads /proc/self/mountinfo.
func readMounts(text string) (all []mount) {
	for line := range strings.Lines(text) {
		if f := strings.Fields(line); len(f) > 4 {
			all = append(all, mount{f[2], unescape(f[3]), unescape(f[4])})
		}
	}
	return all
}

// unescape gives back the blanks and the like that the kernel writes as \040.
func unescape(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+3 < len(s) {
			if c, err := strconv.ParseUint(s[i+1:i+4], 8, 8); err == nil {
				b.WriteByte(byte(c))
				i += 3
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// mirrors are the other places where files of a home are mounted, and may be changed by another name: the home, a part of it, or what is mounted in it.
func mirrors(home string, mounts []mount) (all []string) {
	var held []mount // pieces of file systems that make up the home
	for _, m := range mounts {
		if within(m.at, home) {
			held = append(held, m)
		}
	}
	under := mount{}
	for _, m := range mounts { // a later one covers an earlier one
		if within(home, m.at) && len(m.at) >= len(under.at) {
			under = m
		}
	}
	if under.at != "" && under.at != home {
		held = append(held, mount{under.device, filepath.Join(under.root, strings.TrimPrefix(home, strings.TrimSuffix(under.at, "/"))), home})
	}
	for _, h := range held {
		for _, m := range mounts {
			switch {
			case m.device != h.device || within(m.at, home):
			case within(h.root, m.root):
				if at := filepath.Join(m.at, strings.TrimPrefix(h.root, strings.TrimSuffix(m.root, "/"))); !within(at, home) {
					all = append(all, at)
				}
			case within(m.root, h.root):
				all = append(all, m.at)
			}
		}
	}
	return all
}
