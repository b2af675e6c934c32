package node

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"sync"
	"unicode/utf8"

	"fettle/internal/check"
	"fettle/internal/edit"
	"fettle/internal/pattern"
	"fettle/internal/syntax"
)

// source is a file of the repository and what runs in its place.
type source struct {
	text    string // as it stands
	inserts []insert
	served  served
	js      bool // it is run as it stands, but for the inserts
	err     error
}

// served is what a process is told about a source.
type served struct {
	Text  string   `json:"text"`
	ESM   bool     `json:"esm,omitempty"`
	Marks [][2]int `json:"marks,omitempty"` // places of the text and the lines of the source that they stand for; nil: they are the same lines
	Unfit string   `json:"unfit,omitempty"` // why it cannot be run here
}

// sources hands out what is to run in place of the repository's files. It is used by many at once.
type sources struct {
	place  check.Place
	values *values // nil: types of values are not asked for
	mapped bool    // it is told which lines of the sources what runs stands for

	mu    sync.Mutex
	files map[string]*source
	types map[string]string // of folders: what package.json says its modules are
}

func newSources(place check.Place, v *values) *sources {
	return &sources{place: place, values: v, files: map[string]*source{}, types: map[string]string{}}
}

// get is a file by its slash path from the root.
func (s *sources) get(ctx context.Context, file string) *source {
	s.mu.Lock()
	defer s.mu.Unlock()
	if f := s.files[file]; f != nil {
		return f
	}
	f := s.make(ctx, file)
	if ctx.Err() == nil {
		s.files[file] = f
	}
	return f
}

// forget has files read anew: they may have been read while a candidate had changed them.
func (s *sources) forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.files)
	clear(s.types)
}

func (s *sources) make(ctx context.Context, file string) *source {
	f := &source{}
	text, err := s.place.ReadFile(file)
	if err != nil {
		f.err = err
		f.served.Unfit = err.Error()
		return f
	}
	f.text = string(text)
	tree, err := syntax.Parse(ctx, s.language(file), text)
	if err != nil {
		f.err = err
		f.served.Unfit = err.Error()
		return f
	}
	f.inserts = s.inserts(ctx, file, tree)
	f.js = !s.transformed(file, tree)
	f.served, f.err = s.serve(file, put(f.text, f.inserts), f.js, s.mapped)
	if f.err != nil && f.served.Unfit == "" {
		f.served.Unfit = f.err.Error()
	}
	return f
}

// language is the grammar of a file; files without an ending that programs are made of are JavaScript.
func (s *sources) language(file string) syntax.Lang {
	if l := syntax.LangOf(file); l != "" {
		return l
	}
	return syntax.JavaScript
}

func (s *sources) inserts(ctx context.Context, file string, tree *syntax.Tree) []insert {
	var in inserts
	if !tree.Root().HasError() {
		steps(tree, &in)
		if s.values != nil {
			s.values.mark(ctx, file, tree.Source(), &in)
		}
	}
	return in.sorted()
}

// dynamic finds an import that is called.
var dynamic = pattern.New(`\bimport\s*\(`)

// transformed reports whether a source has to be made CommonJS of JavaScript before it can be run.
func (s *sources) transformed(file string, tree *syntax.Tree) bool {
	return tree.Lang() != syntax.JavaScript || s.isModule(file, tree.Source()) || dynamic.MatchString(tree.Source()) || hasJSX(tree)
}

func hasJSX(tree *syntax.Tree) bool {
	for range tree.Root().Find("jsx_element", "jsx_self_closing_element", "jsx_fragment") {
		return true
	}
	return false
}

// moduleWord is a line that only a module of ES can have.
var moduleWord = pattern.New(`(?m)^\s*(?:import\s*["'{*\w]|export\s*(?:default\b|[{*]|const\b|let\b|var\b|function\b|class\b|async\b|type\b|interface\b|enum\b|abstract\b))|\bimport\.meta\b`)

// isModule reports whether a file is a module of ES, by its name, its package, or what it says.
func (s *sources) isModule(file, text string) bool {
	switch path.Ext(file) {
	case ".mjs", ".mts":
		return true
	case ".cjs", ".cts":
		return false
	}
	return s.packageType(path.Dir(file)) == "module" || moduleWord.MatchString(text)
}

// packageType is what the nearest package.json calls its modules.
func (s *sources) packageType(dir string) string {
	if t, known := s.types[dir]; known {
		return t
	}
	t := ""
	text, err := s.place.ReadFile(path.Join(dir, "package.json"))
	switch {
	case err == nil:
		var p struct{ Type string }
		_ = json.Unmarshal(text, &p) // what cannot be read says nothing
		t = p.Type
	case errors.Is(err, fs.ErrNotExist) && dir != ".":
		t = s.packageType(path.Dir(dir))
	}
	s.types[dir] = t
	return t
}

// serve makes of a text with inserts what is run.
func (s *sources) serve(file, text string, js, mapped bool) (served, error) {
	if js {
		if strings.HasPrefix(text, "#!") {
			text = "//" + text[2:]
		}
		return served{Text: text}, nil
	}
	return s.transform(file, text, mapped)
}

// change is what a process is told about a file of a candidate: how much stays of the head and the tail of the text that it has.
type change struct {
	File string `json:"file"`
	Head int    `json:"head"` // UTF-16 units
	Tail int    `json:"tail"`
	Text string `json:"text"`
}

// errUntried is why a candidate cannot be tried at all.
type untriedError struct{ why string }

func (e *untriedError) Error() string { return e.why }

// change prepares a candidate's change to a file. It also tells the candidate's own text.
func (s *sources) change(ctx context.Context, c edit.Change) (change, string, error) {
	f := s.get(ctx, c.Path)
	if f.err != nil {
		return change{}, "", f.err
	}
	after, err := c.Apply(edit.File{Data: []byte(f.text), Exists: true, Mode: 0o644})
	if err != nil {
		return change{}, "", &untriedError{err.Error()}
	}
	text := string(after.Data)
	if !utf8.ValidString(text) {
		return change{}, "", &untriedError{c.Path + " is no UTF-8"}
	}
	full, ok := carried(f.text, f.inserts, c.Edits)
	if !ok {
		tree, err := syntax.Parse(ctx, s.language(c.Path), after.Data)
		if err != nil {
			return change{}, "", fmt.Errorf("read a candidate: %w", err)
		}
		full = put(text, s.inserts(ctx, c.Path, tree))
	}
	now, err := s.serve(c.Path, full, f.js, false)
	if err != nil {
		return change{}, "", &untriedError{err.Error()}
	}
	return between(c.Path, f.served.Text, now.Text), text, nil
}

// between is what differs of two texts.
func between(file, was, is string) change {
	head := 0
	for most := min(len(was), len(is)); head < most && was[head] == is[head]; {
		head++
	}
	for head > 0 && (head < len(was) && !utf8.RuneStart(was[head]) || head < len(is) && !utf8.RuneStart(is[head])) {
		head--
	}
	tail := 0
	for most := min(len(was), len(is)) - head; tail < most && was[len(was)-1-tail] == is[len(is)-1-tail]; {
		tail++
	}
	for tail > 0 && !utf8.RuneStart(was[len(was)-tail]) {
		tail--
	}
	return change{File: file, Head: units(was[:head]), Tail: units(was[len(was)-tail:]), Text: is[head : len(is)-tail]}
}

// units is the length of a text in UTF-16.
func units(s string) int {
	n := 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c < utf8.RuneSelf:
			n++
		case c >= 0xF0:
			n += 2
		case c >= 0xC0:
			n++
		}
	}
	return n
}
