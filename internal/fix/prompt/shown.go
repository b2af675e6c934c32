package prompt

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"sort"
	"strings"

	"fettle/internal/check"
	"fettle/internal/code"
	"fettle/internal/lang"
	"fettle/internal/look"
	"fettle/internal/pattern"
	policy "fettle/internal/policy/path"
	"fettle/internal/syntax"
)

// file is a file as the model sees it, and what is known of it.
type file struct {
	*look.Text
	path  string
	data  []byte
	code  *code.File // nil: its language is not known, or it cannot be read
	shown []stretch
}

// stretch is lines of a file that were shown, both included.
type stretch struct{ from, to int }

var markText = pattern.New(`\[REDACTED:[^\]\s]*\]`)

// restore puts the file's secrets back into a text of the model's.
func (f *file) restore(text string) (string, error) {
	var failed error
	var b strings.Builder
	end := 0
	for _, m := range markText.FindAllStringIndex(text, -1) {
		mark := text[m[0]:m[1]]
		b.WriteString(text[end:m[0]])
		end = m[1]
		switch hidden, known := f.Hidden(mark); {
		case known:
			b.WriteString(hidden)
		case bytes.Contains(f.data, []byte(mark)):
			b.WriteString(mark)
		default:
			failed = fmt.Errorf("%s stands for nothing in this file: copy such marks as they were shown, and make up none", mark)
		}
	}
	if failed != nil {
		return "", failed
	}
	return b.String() + text[end:], nil
}

// show notes that lines were shown.
func (f *file) show(s stretch) { f.shown = append(f.shown, s) }

// whole reports whether every line was shown.
func (f *file) whole() bool {
	seen := 0
	sort.Slice(f.shown, func(i, j int) bool { return f.shown[i].from < f.shown[j].from })
	for _, s := range f.shown {
		if s.from > seen+1 {
			return false
		}
		seen = max(seen, s.to)
	}
	return seen >= f.Count()
}

// evidence reports whether a file must stay as it is where this check complains.
func evidence(c check.Check, f *file) bool {
	head := f.data[:min(len(f.data), 4096)]
	return c.Kind() == "test" && lang.IsTest(f.path) || lang.IsCheckConfig(f.path) || lang.IsCI(f.path) || lang.IsLock(f.path) || lang.IsVendored(f.path) || lang.IsGenerated(f.path, head)
}

// creates says why a file may not be made; nil: it may. It holds for a new file as for one that is there: nothing that nobody may write by its name, no evidence, nothing outside
// of what may be changed.
func (g *gathering) creates(name string) error {
	if err := policy.Check(name); err != nil {
		return err
	}
	switch {
	case evidence(g.task.Check, &file{path: name}):
		return errors.New("it would be evidence, as tests, configurations of checks, CI and what tools make are")
	case g.task.InScope != nil && !g.task.InScope(name):
		g.narrow = true
		return errors.New("it lies outside of what may be changed")
	}
	return nil
}

// read is what stands in a file at the baseline. It is asked once: of one folder it is often all of the files that are looked through, for each place anew.
// What nobody may write by its name, as secrets and settings, no model sees either, whatever complains of it.
func (g *gathering) read(path string) ([]byte, error) {
	if policy.Check(path) != nil {
		return nil, fs.ErrNotExist
	}
	if data, known := g.raw[path]; known {
		return data, nil
	}
	data, err := g.task.Place.ReadFile(path)
	if err == nil {
		g.raw[path] = data
	}
	return data, err
}

// readFile reads a file at the baseline; nil if there is none that can be shown.
func (g *gathering) readFile(path string) (*file, error) {
	if f, known := g.files[path]; known {
		return f, nil
	}
	if path == "" || !fs.ValidPath(path) {
		return nil, nil
	}
	data, err := g.read(path)
	switch {
	case errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrInvalid):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("read %s: %w", path, err)
	case !look.Readable(data):
		g.files[path] = nil
		return nil, nil
	}
	f := &file{Text: look.Of(data, g.out), path: path, data: data}
	if l := syntax.LangOf(path); l != "" {
		if f.code, err = code.Read(g.ctx, l, path, data); err != nil {
			f.code = nil
			if g.ctx.Err() != nil {
				return nil, g.ctx.Err()
			}
		}
	}
	g.files[path] = f
	return f, nil
}
