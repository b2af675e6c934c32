package hook

import (
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"

	"fettle/internal/policy/shell"
)

// ours are the zones whose scripts are the project's own code.
var ours = []shell.Zone{shell.Project, shell.Tests, shell.Checks, shell.Generated}

// remember notes which of the project's files, and of those below /tmp, a call will have written: what they hold has been read by nobody but the agent. So it does of files that a
// formatter is given by name.
func (s *session) remember(o *occasion, v shell.Verdict) {
	paths := s.keep(o, v)
	for _, f := range v.Facts {
		if f.Kind == shell.Write && (slices.Contains(ours, f.Zone) || f.Zone == shell.Scratch) && !f.Is(shell.Glob) && !f.Is(shell.Vague) {
			paths = union(paths, []string{f.Target})
		}
	}
	for _, path := range paths {
		s.writes(path)
	}
	for _, f := range v.Facts {
		for _, origin := range f.Origins() {
			s.carries(origin, f.Target)
		}
	}
}

// carries notes where the files will be that the agent has written and that lie in a folder, or fit a pattern, which is copied or moved.
func (s *session) carries(from, to string) {
	var all []string
	s.wrote(from) // the list is read
	for path := range s.own {
		if there, ok := shell.Carried(path, from, to); ok && s.wrote(there) == not {
			all = append(all, there)
		}
	}
	for _, path := range all {
		s.lost = errors.Join(s.lost, s.note(wrote, path)) // not made: nobody knows what was there
	}
}

// writes notes that a file will have been written, and how it was before.
func (s *session) writes(path string) {
	if h := s.wrote(path); h == not {
		h = wrote
		if absent(path) {
			h = made
		} else if s.held(path) {
			h = kept
		}
		s.lost = errors.Join(s.lost, s.note(h, path))
	} else if (h == kept || h == made) && !s.untouched(path, h) {
		s.lost = errors.Join(s.lost, s.touched(path, 0))
	}
}

// how an agent has come by a file.
type how byte

const (
	not   how = ' ' // it has not
	wrote how = '~' // it was there before, and the agent wrote to it
	made  how = '+' // it was not there before
	kept  how = '=' // git held it as it was before, and the agent wrote to it
)

func absent(path string) bool {
	_, err := os.Lstat(path)
	return errors.Is(err, fs.ErrNotExist)
}

// maxWritten is how long the list of a session's written files may become, in bytes. From then on every file counts as written by the agent.
const maxWritten = 1 << 20

// note adds a file to those that the agent has written.
func (s *session) note(h how, path string) error {
	if strings.ContainsAny(path, "\n\x00") {
		return nil
	}
	if info, err := os.Lstat(s.path("written")); err == nil && info.Size() >= maxWritten {
		return nil
	}
	if _, known := s.own[path]; s.own != nil && !known {
		s.own[path] = h
	}
	return appendTo(s.path("written"), []byte(string(rune(h))+path+"\n"))
}

// wrote says whether the agent has written a file in this session. A command may name thousands: the list is read once for an event.
func (s *session) wrote(path string) how {
	if s.own == nil {
		s.own = map[string]how{}
		for h, written := range s.writings() {
			if _, known := s.own[written]; !known {
				s.own[written] = h
			}
		}
	}
	h, ok := s.own[path]
	switch {
	case ok:
		return h
	case s.unsure:
		return wrote
	}
	return not
}

// held reports that git has a file as it is.
func (s *session) held(path string) bool {
	r, ok := s.repository(path)
	if !ok {
		return false
	}
	_, ok = r.holds(path)
	return ok
}

// clip cuts a text to n bytes, without breaking a letter.
func clip(text string, n int) string {
	if len(text) <= n {
		return text
	}
	return strings.ToValidUTF8(text[:n], "") + "…"
}
