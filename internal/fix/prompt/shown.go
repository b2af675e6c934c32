package prompt

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"sort"
	"strings"
	"unicode/utf8"

	"fettle/internal/check"
	"fettle/internal/code"
	"fettle/internal/lang"
	"fettle/internal/pattern"
	policy "fettle/internal/policy/path"
	"fettle/internal/policy/secret"
	"fettle/internal/syntax"
)

// file is a file as the model sees it: without its secrets, line by line.
type file struct {
	path  string
	data  []byte
	lines []string          // as they are shown, without endings
	at    []int             // the number, in the file, of each; a secret of several lines is shown on one
	marks map[string]string // what stands in the place of a secret, and the secret
	code  *code.File        // nil: its language is not known, or it cannot be read
	shown []stretch
}

// stretch is lines of a file that were shown, both included.
type stretch struct{ from, to int }

// mostSource is the size of the largest file that is looked at.
const mostSource = 1 << 20

// readable reports a file that can be shown at all.
func readable(data []byte) bool {
	return len(data) <= mostSource && !bytes.Contains(data, []byte{0}) && utf8.Valid(data)
}

// newFile reads the lines of a file, with marks in the place of its secrets.
func newFile(path string, data []byte, out secret.Outbound) *file {
	f := &file{path: path, data: data, marks: map[string]string{}}
	var line strings.Builder
	n, first := 1, 1
	flush := func() {
		f.lines, f.at = append(f.lines, strings.TrimSuffix(line.String(), "\r")), append(f.at, first)
		line.Reset()
	}
	plain := func(b []byte) {
		for len(b) > 0 {
			head, rest, more := bytes.Cut(b, []byte("\n"))
			line.Write(head)
			if !more {
				return
			}
			flush()
			n++
			first = n
			b = rest
		}
	}
	end := 0
	for _, found := range out.Find(data) {
		plain(data[end:found.Start])
		mark := out.Mark(data, found)
		f.marks[mark] = string(data[found.Start:found.End])
		line.WriteString(mark)
		n += bytes.Count(data[found.Start:found.End], []byte("\n"))
		end = found.End
	}
	plain(data[end:])
	if line.Len() > 0 {
		flush()
	}
	return f
}

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
		switch hidden, known := f.marks[mark]; {
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

// count is how many lines the file has.
func (f *file) count() int {
	if len(f.at) == 0 {
		return 0
	}
	return f.at[len(f.at)-1]
}

// numbered shows lines of the file with their numbers.
func (f *file) numbered(from, to int) string {
	var b strings.Builder
	for i := sort.SearchInts(f.at, from); i < len(f.at) && f.at[i] <= to; i++ {
		fmt.Fprintf(&b, "%d| %s\n", f.at[i], f.lines[i])
	}
	return strings.TrimSuffix(b.String(), "\n")
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
	return seen >= f.count()
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
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("read %s: %w", path, err)
	case !readable(data):
		g.files[path] = nil
		return nil, nil
	}
	f := newFile(path, data, g.out)
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
