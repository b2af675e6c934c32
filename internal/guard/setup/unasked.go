package setup

import (
	"bufio"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"fettle/internal/guard/hook"
)

// Session is one of a client's, as its transcript says.
type Session struct {
	ID    string
	Began time.Time
	Cwd   string
}

// The bounds of what is looked at.
const (
	maxHead  = 40      // lines of a transcript that may stand before one that says when
	maxFirst = 1 << 20 // bytes of these
	recent   = 20 * 24 * time.Hour
)

// Unasked is the newest of a client's sessions that have begun since settings were last changed by the guard, if the guard, whose folder is dir, was told nothing of it: the client has not run
// its hooks then, whatever the settings look like. False: there is none, or it was.
func (w Where) Unasked(dir string, now time.Time) (newest Session, is bool) {
	info, err := os.Stat(filepath.Join(dir, keptName))
	if err != nil {
		return newest, false // nobody has installed it, or nobody knows when
	}
	since := info.ModTime()
	if ago := now.Add(-recent); since.Before(ago) {
		since = ago // of older ones the guard may have forgotten what it knew
	}
	for _, file := range w.transcripts() {
		if info, err := os.Stat(file); err != nil || info.ModTime().Before(since) {
			continue
		}
		if s, ok := begun(w.Client, file); ok && s.Began.After(since) && s.Began.After(newest.Began) {
			newest = s
		}
	}
	if newest.ID == "" || hook.Remembers(dir, newest.ID) {
		return Session{}, false
	}
	return newest, true
}

// transcripts are those that a client keeps: of a project's settings those of that project alone.
func (w Where) transcripts() []string {
	own, err := Where{Client: w.Client, Getenv: w.Getenv}.Folder()
	if err != nil {
		return nil
	}
	below := map[Client][]string{Claude: {"projects", "*", "*.jsonl"}, Codex: {"sessions", "*", "*", "*", "rollout-*.jsonl"}}[w.Client]
	if below == nil {
		return nil
	}
	if w.Client == Claude && w.Project != "" {
		below[1] = strings.Map(func(r rune) rune {
			if r < '0' || r > '9' && r < 'A' || r > 'Z' && r < 'a' || r > 'z' {
				return '-'
			}
			return r
		}, w.Project)
	}
	all, _ := fs.Glob(os.DirFS(own), strings.Join(below, "/")) // the pattern is well formed
	for i, name := range all {
		all[i] = filepath.Join(own, name)
	}
	return all
}

// begun is when the session of a transcript began. Those of a subagent are no session of their own.
func begun(client Client, file string) (s Session, ok bool) {
	name := strings.TrimSuffix(filepath.Base(file), ".jsonl")
	const form = "00000000-0000-0000-0000-000000000000"
	if len(name) < len(form) || client == Claude && len(name) != len(form) {
		return s, false
	}
	f, err := os.Open(file)
	if err != nil {
		return s, false
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, maxFirst)
	for n := 0; n < maxHead && s.Cwd == "" && lines.Scan(); n++ { // which line says when, and which where, differs
		var l struct {
			Timestamp time.Time
			Cwd       string
			Payload   struct {
				Cwd    string
				Source json.RawMessage
			}
		}
		if err := json.Unmarshal(lines.Bytes(), &l); err != nil && !errors.As(err, new(*json.UnmarshalTypeError)) || l.Timestamp.IsZero() {
			continue
		}
		if source := string(l.Payload.Source); client == Codex && (source == "" || source[0] != '"') {
			return s, false
		}
		if s.Cwd = l.Cwd + l.Payload.Cwd; s.Began.IsZero() {
			s.ID, s.Began = name[len(name)-len(form):], l.Timestamp
		}
	}
	return s, s.ID != ""
}
