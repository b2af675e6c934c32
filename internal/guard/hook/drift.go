package hook

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"fettle/internal/glob"
	"fettle/internal/policy/shell"
)

// A command says less of what it will do to a file than an editing tool does: how the files were that it names, or that lie where it looks for some, is kept until it
// has ended, and held against what they are then. What git has is not copied: its index says where that is.

// The bounds of what is kept, and of what is looked at.
const (
	maxCopies  = 8         // copies of files of one call
	maxCopy    = 64 << 10  // bytes of one of them
	maxHeld    = 1000      // files of one call that git has
	maxSought  = 4000      // files that git has, and that are looked at for it
	maxOpen    = 4         // calls at a time
	maxWeighed = 200       // files that have changed which are held against what they were
	maxWeight  = 256 << 10 // bytes of them
)

// copied is a file as it was before a call: its text, or what git's index says of it where git has that.
type copied struct {
	Path string `json:"path"`
	Text string `json:"text,omitempty"`
	Held entry  `json:"held,omitempty"`
}

// before are the files of one call, as they were.
type before struct {
	Use   string   `json:"use"`
	Files []copied `json:"files"`
}

// keeping puts together what is kept of the files of one call.
type keeping struct {
	*session
	files  []copied
	copies int
}

// keep keeps how the files are that a command is about to change, where drift in style would be none that anybody asked for. It returns those that the command names.
func (s *session) keep(o *occasion, v shell.Verdict) (names []string) {
	if s.stylish() || o.UseID == "" {
		return nil
	}
	k, a := keeping{session: s}, aimOf(o, v.Facts)
	for _, path := range a.files {
		k.named(path)
	}
	for _, c := range k.files {
		names = append(names, c.Path)
	}
	k.sought(o.at.Root, a)
	if k.files != nil {
		s.lost = errors.Join(s.lost, s.setBefore(append(s.befores(), before{o.UseID, k.files})))
	}
	return names
}

// may reports a file in which drift could be told. One that the agent has written itself it may format.
func (k *keeping) may(path string) bool {
	return len(k.files) < maxHeld && styled(path) && k.wrote(path) == not
}

// named keeps a file that a command names.
func (k *keeping) named(path string) {
	if !k.may(path) {
		return
	}
	if r, ok := k.repository(path); ok {
		if e, ok := r.holds(path); ok && r.mirrors(e) {
			k.files = append(k.files, copied{Path: path, Held: e})
			return
		}
	}
	k.copy(path)
}

// copy keeps a file of which git has not what it holds.
func (k *keeping) copy(path string) {
	if k.copies == maxCopies {
		return
	}
	if text, ok := present(path); ok && text != "" && len(text) <= maxCopy {
		k.copies++
		k.files = append(k.files, copied{Path: path, Text: text})
	}
}

// sought keeps the files that a command looks for, of those that git knows.
func (k *keeping) sought(root string, a aim) {
	if a.folders == nil && a.patterns == nil {
		return
	}
	r, ok := k.repository(root + "/.")
	if !ok {
		return
	}
	x, looked := r.read(), 0
	for _, place := range x.places {
		name, e := x.at(place)
		path := r.work + "/" + string(name)
		if !k.may(path) || !a.finds(path) || slices.Contains(a.files, path) {
			continue
		}
		if looked++; looked > maxSought {
			return
		}
		if !x.holds(path, e) {
			k.copy(path)
		} else if e.size() > 0 && e.size() <= most {
			k.files = append(k.files, copied{Path: path, Held: e})
		}
	}
}

// aim is what a command may restyle: files by their names, folders with all below them, and what patterns find.
type aim struct{ files, folders, patterns []string }

// aimOf is what the facts of a command say that it may restyle of the project.
func aimOf(o *occasion, facts []shell.Fact) (a aim) {
	for _, f := range facts {
		switch {
		case f.By == o.Tool || f.Is(shell.Recursive):
		case f.Kind == shell.Format && f.Zone == "": // "the sources": what the program is given, or all
			if !a.given(o, facts, f.By) {
				a.take(o.at.Root, o.at.Root, true)
			}
		case f.Kind == shell.Run && saysSo(f):
			a.given(o, facts, f.By)
		case f.Kind == shell.Format, f.Kind == shell.Write && f.Zone == shell.Project && !f.Is(shell.Vague):
			a.take(o.at.Root, f.Target, f.Kind == shell.Format)
		}
	}
	return a
}

// given takes what a program that runs the project's code was given, or else the folder where it runs. It reports that either is known.
func (a *aim) given(o *occasion, facts []shell.Fact, by string) (known bool) {
	for _, f := range facts {
		if f.Kind != shell.Run || f.By != by {
			continue
		}
		for _, g := range f.Given() {
			if g.Dir == "" {
				continue
			}
			paths := false
			for _, name := range g.Operands {
				if !filepath.IsAbs(name) {
					name = g.Dir + "/" + name
				}
				paths = a.take(o.at.Root, shell.PathFact(shell.Format, name, by, o.at).Target, true) || paths
			}
			known = true
			if !paths {
				a.take(o.at.Root, g.Dir, true)
			}
		}
	}
	return known
}

// take adds what a path of the project names: a file, a pattern, or a folder, if what is done is done to all below it. It reports that it is one of these.
func (a *aim) take(root, path string, below bool) bool {
	path = strings.TrimSuffix(path, "/...") // Go's way to say so
	if path != root && !strings.HasPrefix(path, root+"/") {
		return false
	}
	info, err := os.Lstat(path)
	const unread = "…{[("
	switch {
	case err == nil && info.IsDir() && below:
		a.folders = union(a.folders, []string{path})
	case err == nil && !info.IsDir():
		a.files = union(a.files, []string{path})
	case err == nil:
		return false
	case below && strings.ContainsAny(path, unread): // what stands from the first sign on may be anything
		a.folders = union(a.folders, []string{filepath.Dir(path[:strings.IndexAny(path, "*?"+unread)] + "x")})
	case strings.ContainsAny(path, "*?"):
		a.patterns = union(a.patterns, []string{path})
	default:
		return false
	}
	return true
}

// finds reports a path that lies in one of the folders, that a pattern finds, or that lies in a folder which one finds.
func (a *aim) finds(path string) bool {
	return slices.ContainsFunc(a.folders, func(folder string) bool { return strings.HasPrefix(path, folder+"/") }) ||
		slices.ContainsFunc(a.patterns, func(p string) bool { return glob.Match(p, path) || glob.Match(p+"/**", path) })
}

// stylish reports a session in which style may change: the person spoke of it, a check fails, or nobody has said anything yet.
func (s *session) stylish() bool { return s.Styled || s.failing() != nil || s.Spoken == 0 }

// maxNames is how many files are named of those that a command has restyled.
const maxNames = 8

// restyledBy says what a command has done to files of which nothing but the style has changed; empty: there are none.
func (s *session) restyledBy(o *occasion) string {
	var kinds, names []string
	weighed, weight := 0, 0
	for _, c := range s.taken(o.UseID) {
		was, now, changed := s.changed(c)
		if !changed {
			continue
		}
		s.leaveFile(c.Path)
		weighed, weight = weighed+1, weight+len(now)
		if weighed > maxWeighed || weight > maxWeight {
			break
		}
		in := restylings(filepath.Ext(c.Path), was, now)
		if in == nil {
			continue
		}
		s.restored(c)
		rel, err := filepath.Rel(o.at.Root, c.Path)
		if err != nil {
			rel = c.Path
		}
		names, kinds = append(names, rel), union(kinds, in)
	}
	slices.Sort(kinds)
	if names == nil || s.stylish() || o.speaksOf(kinds) {
		return ""
	}
	if n := len(names) - maxNames; n > 0 {
		names = append(names[:maxNames], fmt.Sprintf("%d more", n))
	}
	return "fettle guard: Style drift detected: nothing in " + strings.Join(names, ", ") + " has changed but " + strings.Join(kinds, " and ") + ", which nobody asked for. Put it back as it was (git restore, if git has it), unless the task needs it: then say why"
}

// changed is what a file held before a call and holds now, where that is not the same, and can be told.
func (s *session) changed(c copied) (was, now string, changed bool) {
	if c.Held == nil {
		now, ok := present(c.Path)
		return c.Text, now, ok && now != c.Text
	}
	info, err := os.Lstat(c.Path)
	if len(c.Held) != fixed || err != nil || c.Held.of(info) {
		return "", "", false
	}
	now, ok := present(c.Path)
	r, also := s.repository(c.Path)
	if !ok || !also {
		return "", "", false
	}
	text, err := r.blob(c.Held.id())
	return string(text), now, err == nil && int64(len(text)) == c.Held.size() && string(text) != now
}

// restored notes that the agent may put a file back that git has, which it did not name itself: nothing but style is lost with that.
func (s *session) restored(c copied) {
	if c.Held != nil && s.wrote(c.Path) == not {
		s.lost = errors.Join(s.lost, s.note(kept, c.Path))
		s.leaveFile(c.Path)
	}
}

// taken are the files of a call as they were, which are not kept any longer.
func (s *session) taken(use string) []copied {
	all := s.befores()
	for i := range all {
		if all[i].Use == use {
			files := all[i].Files
			s.lost = errors.Join(s.lost, s.setBefore(append(all[:i], all[i+1:]...)))
			return files
		}
	}
	return nil
}

// befores are the calls of which files are kept.
func (s *session) befores() (all []before) {
	f, err := os.OpenFile(s.path("before"), os.O_RDONLY|syscall.O_NOFOLLOW, 0)
	if err != nil {
		return nil
	}
	defer f.Close()
	if json.NewDecoder(f).Decode(&all) != nil {
		return nil // it tells nothing then
	}
	return all
}

func (s *session) setBefore(all []before) error {
	if len(all) == 0 {
		return os.Remove(s.path("before"))
	}
	data, err := json.Marshal(all[max(0, len(all)-maxOpen):])
	if err != nil {
		return err
	}
	return replace(s.path("before"), data)
}
