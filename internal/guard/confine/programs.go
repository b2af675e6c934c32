package confine

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"fettle/internal/pattern"
)

// freePrograms frees what programs keep for themselves.
func (b *Bounds) freePrograms(a Ask) {
	home := household{Bounds: b, ask: a, theirs: slices.Concat(theirs, namedFolders(b.Home, a.Getenv))}
	for _, r := range table {
		moved := false
		for by := range strings.FieldsSeq(r.vars) {
			by, several := strings.CutSuffix(by, ":")
			dirs := []string{a.Getenv(by)}
			if several {
				dirs = filepath.SplitList(dirs[0])
			}
			for _, dir := range dirs {
				if filepath.IsAbs(dir) { // what is empty or relative says nothing of the home
					moved = true
					home.freeRow(r, by, filepath.Clean(dir), true)
				}
			}
		}
		if r.at != "" {
			home.freeRow(r, "", filepath.Join(b.Home, r.at), !moved)
		}
	}
}

// household is a home whose programs' places are looked for.
type household struct {
	*Bounds
	ask    Ask
	theirs []string // what people keep, below the home
}

// freeRow frees the places of a row below a folder. What is not there is made where its programs would make it: in the folder that counts for them.
func (h *household) freeRow(r row, by, dir string, counts bool) {
	if r.mark != "" {
		if _, err := os.Stat(filepath.Join(dir, r.mark)); err != nil {
			return
		}
	}
	if at, ok := resolve(dir); by != "" && (!ok || h.leadsHome(at)) {
		if ok {
			h.keep(by, dir, "your home lies in it")
		}
		return
	}
	parts := strings.Fields(r.parts)
	if len(parts) == 0 {
		parts = []string{"."}
	}
	for _, part := range parts {
		path := filepath.Join(dir, part)
		at, ok := resolve(path)
		if !ok || !h.keeps(at) {
			continue
		}
		info, err := os.Stat(at)
		isFile := r.text != "" || err == nil && !info.IsDir()
		if why := h.doubtful(by, path, at, isFile); why != "" {
			h.keep(by, path, why)
			continue
		}
		switch {
		case err == nil:
			h.free(Place{Path: at, Why: r.why, file: isFile})
		case counts && h.madeFor(r):
			h.free(Place{Path: at, Why: r.why, New: true, file: isFile, text: r.text})
		}
	}
}

// doubtful is why a place that a variable names, or a link leads to, is kept; empty: nothing speaks against it.
func (h *household) doubtful(by, path, at string, isFile bool) string {
	if by == "" && at == path {
		return ""
	}
	switch why := h.unfit(at); {
	case why != "":
		return why
	case at != h.named(path) && within(at, h.Home):
		return "a link leads to " + at + ", and who worked here before may have made it (--also DIR frees that)"
	case by != "" && isFile:
		return "it is a file"
	}
	return ""
}

// keep notes that what is named as a program's place is none.
func (h *household) keep(by, path, why string) {
	if by == "" {
		by = "a link"
	}
	if n := (Named{by, path, why}); !slices.Contains(h.Kept, n) {
		h.Kept = append(h.Kept, n)
	}
}

// unfit is why a folder in the home, to which a variable or a link leads, is no program's; empty: it may be.
func (h *household) unfit(path string) string {
	if h.leadsHome(path) {
		return "your home lies in it"
	}
	if slices.ContainsFunc(table, func(r row) bool { return r.holds(h.Home, path) }) {
		return ""
	}
	for _, name := range h.theirs {
		switch own := filepath.Join(h.Home, name); {
		case within(path, own):
			return "it lies in " + own
		case within(own, path):
			return own + " lies in it"
		}
	}
	if repo := repositoryIn(path); repo != "" {
		return repo + " is a repository"
	}
	return ""
}

// holds reports that a path lies where the table has a place without any variable.
func (r row) holds(home, path string) bool {
	if r.at == "" {
		return false
	}
	dir := filepath.Join(home, r.at)
	if r.parts == "" {
		return within(path, dir)
	}
	return slices.ContainsFunc(strings.Fields(r.parts), func(part string) bool { return within(path, filepath.Join(dir, part)) })
}

// madeFor reports that a program of the row's is there: it is started, is in the PATH, or lies in the project, as wrappers do.
func (h *household) madeFor(r row) bool {
	if r.of == everybody || r.client != "" && slices.ContainsFunc(h.ask.Argv, func(word string) bool { return strings.Contains(word, r.client) }) {
		return true
	}
	started := ""
	if len(h.ask.Argv) > 0 {
		started = filepath.Base(h.ask.Argv[0])
	}
	dirs := append(filepath.SplitList(h.ask.Getenv("PATH")), h.Project)
	for name := range strings.FieldsSeq(r.of) {
		if name == started || slices.ContainsFunc(dirs, func(dir string) bool {
			info, err := os.Stat(filepath.Join(dir, name))
			return err == nil && info.Mode().IsRegular()
		}) {
			return true
		}
	}
	return false
}

// resolve is where a path leads, the last part of which need not be there yet. A link that leads nowhere is no way.
func resolve(path string) (at string, ok bool) {
	if at, err := filepath.EvalSymlinks(path); err == nil {
		return at, true
	}
	if _, err := os.Lstat(path); err == nil || path == "/" {
		return "", false
	}
	dir, ok := resolve(filepath.Dir(path))
	return filepath.Join(dir, filepath.Base(path)), ok
}

// repositoryIn is a repository that a folder is, or that lies right in it; empty: there is none.
func repositoryIn(dir string) string {
	entries, _ := os.ReadDir(dir) // what cannot be listed is no repository of this person's
	for _, e := range entries {
		at := filepath.Join(dir, e.Name())
		if e.Name() == ".git" {
			return dir
		}
		if _, err := os.Lstat(filepath.Join(at, ".git")); e.IsDir() && err == nil {
			return at
		}
	}
	return ""
}

// namedFolder is a line in which a desktop says what people call their documents, pictures and so on.
var namedFolder = pattern.New(`(?m)^XDG_\w+_DIR="\$HOME/([^"]+)"`)

// namedFolders are the folders that a desktop names, below the home.
func namedFolders(home string, getenv func(string) string) (all []string) {
	dir := getenv("XDG_CONFIG_HOME")
	if dir == "" {
		dir = filepath.Join(home, ".config")
	}
	data, err := os.ReadFile(filepath.Join(dir, "user-dirs.dirs"))
	if err != nil {
		return nil // there is no desktop
	}
	for _, m := range namedFolder.FindAllSubmatch(data, -1) {
		if name := filepath.Clean(string(m[1])); name != "." {
			all = append(all, name)
		}
	}
	return all
}
