package hook

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"fettle/internal/policy/shell"
)

// place says where a call of the event happens, on this machine: links are followed, and what the agent has written is read.
func (h *Hook) place(s *session, e Event) (shell.Place, *trail) {
	t := &trail{Links: map[string]string{}, Scripts: map[string]string{}}
	cwd := t.follow(e.Cwd)
	// Codex's commands may each name a folder of their own: that does not make it the project.
	root := ""
	if c := h.client(s, &e); c != nil {
		root = c.Project
	}
	if !filepath.IsAbs(root) {
		if s.Root == "" {
			s.Root = projectOf(cwd)
		}
		root = s.Root
	}
	at := shell.Place{Root: t.follow(root), Cwd: cwd, Home: t.follow(h.env("HOME")), Venv: t.follow(h.env("VIRTUAL_ENV")), Zsh: filepath.Base(h.env("SHELL")) == "zsh", Resolve: t.follow, Absent: t.absent, Folder: t.folder}
	at.Script = func(path string) (string, bool) { return t.script(s, path) }
	at.Written = func() []string { t.searched = true; return s.written() }
	at.Known = s.written
	t.Root, t.Home, t.Venv, t.Zsh = at.Root, at.Home, at.Venv, at.Zsh
	return at, t
}

// projectOf is the folder of the repository around a folder, or the folder itself.
func projectOf(dir string) string {
	for d := dir; filepath.IsAbs(d); d = filepath.Dir(d) {
		if _, err := os.Lstat(filepath.Join(d, ".git")); err == nil {
			return d
		}
		if d == filepath.Dir(d) {
			break
		}
	}
	return dir
}

// trail is what a decision took from the file system: with it, and nothing else, the same decision is made again.
type trail struct {
	Root    string            `json:"root"`
	Home    string            `json:"home"`
	Venv    string            `json:"venv,omitempty"`    // Python's environment that was active
	Zsh     bool              `json:"zsh,omitempty"`     // the person's shell is zsh
	Links   map[string]string `json:"links,omitempty"`   // paths that lead elsewhere
	Scripts map[string]string `json:"scripts,omitempty"` // what the agent wrote before and runs now
	Guarded []string          `json:"guarded,omitempty"` // what the guard goes by, where it is not where it usually is
	Absent  []string          `json:"absent,omitempty"`  // where nothing was
	Folders []string          `json:"folders,omitempty"` // where a folder was

	searched bool // scripts were looked at that no command names
}

// kept is what of it is logged with a decision. Tests are run often: those that nothing was found in are no news.
func (t *trail) kept(d shell.Decision) trail {
	kept := *t
	if t.searched && d == shell.Allow {
		kept.Scripts = nil
	}
	return kept
}

func (t *trail) parts() []part {
	return []part{{"root", &t.Root, true}, {"home", &t.Home, true}, {"venv", &t.Venv, t.Venv != ""}, {"zsh", &t.Zsh, t.Zsh}, {"links", &t.Links, len(t.Links) > 0}, {"scripts", &t.Scripts, len(t.Scripts) > 0}, {"guarded", &t.Guarded, len(t.Guarded) > 0}, {"absent", &t.Absent, len(t.Absent) > 0},
		{"folders", &t.Folders, len(t.Folders) > 0}}
}

// guard notes which of the files that the guard goes by are not where every policy knows them to be.
func (t *trail) guard(names []string, settled *Settled) []string {
	for _, f := range settled.From {
		names = append(names, f.Path)
	}
	known := []string{filepath.Join(t.Home, ".config", "fettle") + "/", filepath.Join(t.Home, ".local", "state", "fettle") + "/"}
	for _, name := range names {
		name = t.follow(name) // settings are often linked to from where they usually are
		usual := name == filepath.Join(t.Root, "fettle.yaml") || slices.ContainsFunc(known, func(dir string) bool { return strings.HasPrefix(name, dir) })
		if !usual && !slices.Contains(t.Guarded, name) {
			t.Guarded = append(t.Guarded, name)
		}
	}
	return t.Guarded
}

// absent reports that there is nothing at a path.
func (t *trail) absent(path string) bool {
	none := absent(path)
	if none {
		t.Absent = append(t.Absent, path)
	}
	return none
}

// folder reports that there is a folder at a path.
func (t *trail) folder(path string) bool {
	info, err := os.Stat(path)
	is := err == nil && info.IsDir()
	if is && !slices.Contains(t.Folders, path) {
		t.Folders = append(t.Folders, path)
	}
	return is
}

// maxLinks is how many links are followed one after the other, as Linux has it.
const maxLinks = 40

// follow is a path with the links in it followed, as far as it exists.
//
// /dev/stdin, /dev/fd/63 and their like lead to what is open in whoever follows them: not here, but in what the command starts.
func (t *trail) follow(path string) string {
	if !filepath.IsAbs(path) || len(path) > 7 && (path[:7] == "/dev/st" || path[:7] == "/dev/fd") {
		return path
	}
	path = filepath.Clean(path)
	ends := Follow(path)
	if ends != path {
		t.Links[path] = ends
	}
	return ends
}

// Follow is where a path really leads, or would, if it is a link to what is not there yet.
func Follow(path string) string { return follow(path, maxLinks) }

func follow(path string, links int) string {
	for dir, rest := path, ""; ; dir, rest = filepath.Dir(dir), filepath.Join(filepath.Base(dir), rest) {
		if ends, err := filepath.EvalSymlinks(dir); err == nil {
			return filepath.Join(ends, rest)
		}
		// A link to where nothing is yet leads there all the same: what is written through it is made there.
		if to, err := os.Readlink(dir); err == nil && links > 0 {
			if !filepath.IsAbs(to) {
				to = filepath.Join(filepath.Dir(dir), to)
			}
			return follow(filepath.Join(to, rest), links-1)
		}
		if dir == filepath.Dir(dir) {
			return path
		}
	}
}

// maxScript is how much of a script is read before it runs: a byte more than the policy reads of one, so that it says of a longer one that it cannot be
// read. A long file that was there before is taken for the project's code.
const maxScript = 64<<10 + 1

// unreadable stands for a script that is there and cannot be read: it is as good as one that is too long, of which the policy says the same. The command may make it readable before it runs it.
func unreadable() string { return strings.Repeat("\n", maxScript) }

// script is what a file holds that the agent has written in this session.
func (t *trail) script(s *session, path string) (string, bool) {
	h := s.wrote(path)
	if h == not {
		return "", false
	}
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return unreadable(), errors.Is(err, fs.ErrPermission)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() || info.Size() >= maxScript && h != made {
		return "", false
	}
	data, err := io.ReadAll(io.LimitReader(f, maxScript))
	if err != nil {
		return "", false
	}
	t.Scripts[path] = string(data)
	return string(data), true
}
