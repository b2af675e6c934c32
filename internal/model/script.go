package model

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
)

// Script is a file of replies, which a model plays: for tests, for demonstrations, and to have a recorded session once more without any model. Each question is answered by the
// first line that fits it and is not used up. It is safe for concurrent use.
type Script struct {
	lines     []Line
	res       []*regexp.Regexp
	strict    bool   // what nothing fits is an error
	otherwise string // else this is said

	mu   sync.Mutex
	used []bool
}

// Line is one reply of a script, and what it answers. What is left out fits everything. A line that names a role or a purpose fits only who is known to have it: over HTTP that is fettle, which says
// so to servers on this machine.
type Line struct {
	Role    Role   `json:"role,omitempty" yaml:"role,omitempty"`
	Purpose string `json:"purpose,omitempty" yaml:"purpose,omitempty"`
	Model   string `json:"model,omitempty" yaml:"model,omitempty"` // without the provider
	Last    string `json:"last,omitempty" yaml:"last,omitempty"`   // stands in what the user said last
	Match   string `json:"match,omitempty" yaml:"match,omitempty"` // a regular expression that matches what the user said last
	Whole   string `json:"whole,omitempty" yaml:"whole,omitempty"` // stands anywhere in what was sent
	Repeat  bool   `json:"repeat,omitempty" yaml:"repeat,omitempty"`

	Say     string     `json:"say,omitempty" yaml:"say,omitempty"`
	Calls   []LineCall `json:"calls,omitempty" yaml:"calls,omitempty"`
	Stop    Stop       `json:"stop,omitempty" yaml:"stop,omitempty"` // empty: tools where there are calls, else end
	Usage   *Usage     `json:"usage,omitempty" yaml:"usage,omitempty"`
	NoUsage bool       `json:"no_usage,omitempty" yaml:"no_usage,omitempty"` // it does not say what it took

	Status     int     `json:"status,omitempty" yaml:"status,omitempty"`           // of HTTP, from 400 on: it fails
	Error      string  `json:"error,omitempty" yaml:"error,omitempty"`             // the type of the failure ("overloaded_error")
	RetryAfter float64 `json:"retry_after,omitempty" yaml:"retry_after,omitempty"` // seconds
	Delay      string  `json:"delay,omitempty" yaml:"delay,omitempty"`             // before anything comes ("50ms")
	Truncate   int     `json:"truncate,omitempty" yaml:"truncate,omitempty"`       // the connection ends after so many bytes of Say
	Malformed  string  `json:"malformed,omitempty" yaml:"malformed,omitempty"`     // sent as it is in the place of an answer
}

// LineCall is a call of a tool in a script. Its input is written as YAML or JSON; raw is for one that is no JSON.
type LineCall struct {
	Name  string `json:"name" yaml:"name"`
	Input any    `json:"input,omitempty" yaml:"input,omitempty"`
	Raw   string `json:"raw,omitempty" yaml:"raw,omitempty"`
}

// ScriptFile is the form of a script in YAML. In JSON lines there are only the lines, one each, and the script is strict.
type ScriptFile struct {
	Strict    bool   `yaml:"strict,omitempty"`    // a question that nothing fits is an error that shows it
	Otherwise string `yaml:"otherwise,omitempty"` // what is said then, if not strict
	Replies   []Line `yaml:"replies"`
}

// Question is what a script goes by.
type Question struct {
	Role    Role // empty: not known
	Purpose string
	Model   string
	Last    string // what the user said last
	Whole   string // all that was sent
}

// Unmatched is a question that a strict script has no line for.
type Unmatched struct{ Question Question }

func (e *Unmatched) Error() string {
	q := e.Question
	if q.Role == "" {
		return fmt.Sprintf("the script has no line left without a role and a purpose, and who asks is not known: model %q, and a last message of %d bytes: %s", q.Model, len(q.Last), cutText(q.Last, 2000))
	}
	return fmt.Sprintf("the script has no line left for role %q, purpose %q, model %q, and a last message of %d bytes: %s", q.Role, q.Purpose, q.Model, len(q.Last), cutText(q.Last, 2000))
}

func cutText(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n/2]) + "\n[…]\n" + string(r[len(r)-n/2:])
	}
	return s
}

// Models are those that the script's lines name, sorted; none: whichever is asked answers.
func (s *Script) Models() (names []string) {
	for _, l := range s.lines {
		if l.Model != "" {
			names = append(names, l.Model)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// LoadScript reads a script from a file.
func LoadScript(file string) (*Script, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("the script cannot be read: %w", err)
	}
	return ReadScript(file, text)
}

// ReadScript reads a script from its text: YAML, or JSON lines as a [Recorder] writes them.
func ReadScript(file string, text []byte) (*Script, error) {
	f := ScriptFile{Strict: true}
	if trimmed := bytes.TrimSpace(text); len(trimmed) == 0 || trimmed[0] == '{' {
		for i, line := range bytes.Split(text, []byte("\n")) {
			if len(bytes.TrimSpace(line)) == 0 {
				continue
			}
			var l Line
			dec := json.NewDecoder(bytes.NewReader(line))
			dec.DisallowUnknownFields()
			if err := dec.Decode(&l); err != nil {
				return nil, fmt.Errorf("%s:%d: %w", file, i+1, err)
			}
			f.Replies = append(f.Replies, l)
		}
	} else {
		f.Strict = false
		if err := read(file, text, &f); err != nil {
			return nil, err
		}
	}
	s := &Script{lines: f.Replies, used: make([]bool, len(f.Replies)), res: make([]*regexp.Regexp, len(f.Replies)), otherwise: f.Otherwise}
	if s.strict = f.Strict; s.otherwise == "" {
		s.otherwise = "The script has nothing to say to this."
	}
	for i, l := range f.Replies {
		if err := l.check(); err != nil {
			return nil, fmt.Errorf("%s: reply %d: %w", file, i+1, err)
		}
		if l.Match != "" {
			re, err := regexp.Compile(l.Match)
			if err != nil {
				return nil, fmt.Errorf("%s: reply %d: match: %w", file, i+1, err)
			}
			s.res[i] = re
		}
	}
	return s, nil
}

func (l Line) check() error {
	if l.Status != 0 && (l.Status < 400 || l.Status > 599) {
		return errors.New("status should be between 400 and 599")
	}
	if l.Stop != "" {
		if err := among("stop", string(l.Stop), []string{string(Ended), string(Asked), string(Cut), string(Refused), string(Repeats)}); err != nil {
			return err
		}
	}
	if d, err := time.ParseDuration(l.Delay); l.Delay != "" && (err != nil || d < 0) {
		return errors.New("delay should be a time as 50ms")
	}
	if l.Truncate < 0 {
		return errors.New("truncate should be a number of bytes")
	}
	return nil
}

// Next is the line that answers a question; it is used up by that unless it repeats. The error is an [*Unmatched].
func (s *Script) Next(q Question) (Line, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, l := range s.lines {
		if !s.used[i] && s.fits(i, l, q) {
			s.used[i] = !l.Repeat
			return l, nil
		}
	}
	if s.strict {
		return Line{}, &Unmatched{q}
	}
	return Line{Say: s.otherwise}, nil
}

func (s *Script) fits(i int, l Line, q Question) bool {
	return (l.Role == "" || l.Role == q.Role) &&
		(l.Purpose == "" || l.Purpose == q.Purpose) &&
		(l.Model == "" || l.Model == q.Model) &&
		strings.Contains(q.Last, l.Last) && strings.Contains(q.Whole, l.Whole) &&
		(s.res[i] == nil || s.res[i].MatchString(q.Last))
}

// Left is how many lines that are used once have not been.
func (s *Script) Left() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 0
	for i, l := range s.lines {
		if !s.used[i] && !l.Repeat {
			n++
		}
	}
	return n
}

// Written is the input as a model writes it.
func (c LineCall) Written() json.RawMessage {
	if c.Raw != "" {
		return json.RawMessage(c.Raw)
	}
	if c.Input == nil {
		return json.RawMessage("{}")
	}
	text, err := json.Marshal(c.Input)
	if err != nil {
		return json.RawMessage("{}") // YAML with keys that are no texts has no JSON
	}
	return text
}

// Ending is why the line's reply ends.
func (l Line) Ending() Stop {
	switch {
	case l.Stop != "":
		return l.Stop
	case len(l.Calls) > 0:
		return Asked
	}
	return Ended
}

// Took is what the line's reply takes: as the line says, or counted from the bytes of the question and of the answer.
func (l Line) Took(q Question) Usage {
	switch {
	case l.NoUsage:
		return Usage{}
	case l.Usage != nil:
		return *l.Usage
	}
	out := len(l.Say)
	for _, c := range l.Calls {
		out += len(c.Name) + len(c.Written())
	}
	return Usage{Input: len(q.Whole)/4 + 1, Output: out/4 + 1}
}
