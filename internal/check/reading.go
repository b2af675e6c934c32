package check

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"sync"

	"fettle/internal/check/parse"
	"fettle/internal/glob"
)

// maxReport is how much of a report file is read.
const maxReport = 1 << 30

// reading is a parser at work beside the command whose output it reads.
type reading struct {
	stream parse.Stream
	to     io.Writer     // nil: nobody reads
	lines  []*lineWriter // for a combined stream
	end    func()        // when nothing more comes: waits for the parser
	said   parse.Report
	err    error
}

// startReading starts the parser, unless there is none or it reads a file.
func (a *attempt) startReading() *reading {
	switch {
	case a.kept != nil:
		return keep(a.kept)
	case a.format == nil || a.format.Stream == parse.File:
		return &reading{}
	}
	return a.follow(a.format.Stream, a.format.Parse)
}

// follow is a parser that reads a stream while it is written.
func (a *attempt) follow(s parse.Stream, parser parser) *reading {
	pr, pw := io.Pipe()
	done := make(chan struct{})
	rd := &reading{stream: s, to: pw, end: func() {
		_ = pw.Close()
		<-done
	}}
	if rd.stream == parse.Combined {
		var mu sync.Mutex
		rd.lines = []*lineWriter{{mu: &mu, to: pw}, {mu: &mu, to: pw}}
	}
	o := a.parseOptions()
	go func() {
		defer close(done)
		rd.said, rd.err = read(parser, pr, o)
		_, _ = io.Copy(io.Discard, pr) // a parser that gave up must not block the command
	}()
	return rd
}

// stdout is where the command's standard output goes beside the tail; nil: nowhere.
func (r *reading) stdout() io.Writer {
	switch {
	case r.to == nil || r.stream == parse.Stderr:
		return nil
	case r.lines != nil:
		return r.lines[0]
	}
	return r.to
}

func (r *reading) stderr() io.Writer {
	switch {
	case r.to == nil || r.stream == parse.Stdout || r.stream == parse.Joined:
		return nil
	case r.lines != nil:
		return r.lines[1]
	}
	return r.to
}

// close tells the parser that nothing more comes, and waits for it.
func (r *reading) close() {
	if r.to == nil {
		return
	}
	for _, l := range r.lines {
		l.flush()
	}
	r.end()
}

func (r *reading) result() (parse.Report, error) { return r.said, r.err }

// parser reads what a command printed.
type parser func(r io.Reader, o parse.Options) (parse.Report, error)

// read runs a parser. A parser that panics is a parser that could not read: the exit code still counts.
func read(f parser, r io.Reader, o parse.Options) (said parse.Report, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the parser of %s failed: %v", o.Check, p)
		}
	}()
	return f(r, o)
}

// readReport reads the report file. A report that was not written says nothing; the exit code speaks.
func (a *attempt) readReport() (parse.Report, error) {
	if a.report == "" {
		return parse.Report{}, nil
	}
	info, err := os.Lstat(a.report)
	if err != nil || !info.Mode().IsRegular() {
		return parse.Report{}, nil
	}
	f, err := os.Open(a.report)
	if err != nil {
		return parse.Report{}, err
	}
	defer func() { _ = f.Close() }() // only read
	return read(a.format.Parse, io.LimitReader(f, maxReport), a.parseOptions())
}

// readReports reads the report files that the command wrote where it likes. Files that are as they were before the run, which
// found these, are what an earlier one left; what their times say does not matter, as clocks are set and times are copied.
func (a *attempt) readReports(ctx context.Context, before map[string]fs.FileInfo) (said parse.Report, err error) {
	format := *a.format
	if format.Stream != parse.File {
		format, _ = parse.Lookup(format.Reports) // the walls test of the formats says that there is one
	}
	files := a.place.FS()
	now, err := a.reportFiles(ctx, files)
	if err != nil {
		return said, err
	}
	for _, p := range slices.Sorted(maps.Keys(now)) {
		if was := before[p]; was != nil && sameState(was, now[p]) {
			continue
		}
		f, err := files.Open(p)
		if err != nil {
			return said, err
		}
		o := a.parseOptions()
		o.Report = p
		one, err := read(format.Parse, io.LimitReader(f, maxReport), o)
		_ = f.Close() // only read
		if err != nil {
			return said, fmt.Errorf("%s: %w", p, err)
		}
		said.Diagnostics, said.Tests = append(said.Diagnostics, one.Diagnostics...), append(said.Tests, one.Tests...)
	}
	return said, nil
}

// sameState reports whether two looks at a file saw the same file, not written in between.
func sameState(a, b fs.FileInfo) bool {
	return os.SameFile(a, b) && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime())
}

// reportFiles are the regular files that the check's globs name.
func (a *attempt) reportFiles(ctx context.Context, files fs.FS) (map[string]fs.FileInfo, error) {
	out := map[string]fs.FileInfo{}
	for _, g := range a.check.Reports {
		g = path.Join(a.check.Dir, g)
		err := fs.WalkDir(files, fixedPart(g), func(p string, d fs.DirEntry, err error) error {
			switch {
			case ctx.Err() != nil:
				return ctx.Err()
			case errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission):
				return nil
			case err != nil:
				return err
			case d.IsDir() && (d.Name() == ".git" || d.Name() == "node_modules"):
				return fs.SkipDir
			case !d.Type().IsRegular() || !glob.Match(g, p):
				return nil
			}
			if info, err := d.Info(); err == nil {
				out[p] = info
			}
			return nil
		})
		if err != nil {
			return nil, fmt.Errorf("look for the reports of %s: %w", a.check.Name, err)
		}
	}
	return out, nil
}

// fixedPart is the folder above the first part of a glob that is not a plain name.
func fixedPart(glob string) string {
	parts := strings.Split(glob, "/")
	n := slices.IndexFunc(parts, func(p string) bool { return strings.ContainsAny(p, `*?[\`) })
	if n < 0 {
		n = len(parts) - 1
	}
	return path.Join(".", path.Join(parts[:n]...))
}

func (a *attempt) parseOptions() parse.Options {
	o := parse.Options{Check: a.check.Name, Root: a.place.Root(), Dir: a.check.Dir, Pattern: a.check.Pattern}
	o.Exists = func(path string) bool {
		_, err := a.place.ReadFile(path)
		return err == nil
	}
	o.Modules = a.modules
	if b, err := a.place.ReadFile(strings.TrimPrefix(a.check.Dir+"/go.mod", "/")); err == nil {
		o.Module = modulePath(b)
	}
	return o
}

// modulePath is the path that a go.mod declares, or "".
func modulePath(gomod []byte) string {
	for raw := range bytes.Lines(gomod) {
		text, _, _ := strings.Cut(string(raw), "//")
		if f := strings.Fields(text); len(f) == 2 && f[0] == "module" {
			return strings.Trim(f[1], "\"`")
		}
	}
	return ""
}

// lineWriter passes on whole lines only, so that two streams can be one without breaking each other's lines.
type lineWriter struct {
	mu  *sync.Mutex // shared by the writers to one stream
	to  io.Writer
	buf []byte
}

// maxLine is the longest line that is kept whole.
const maxLine = 64 << 10

func (w *lineWriter) Write(p []byte) (int, error) {
	w.buf = append(w.buf, p...)
	n := bytes.LastIndexByte(w.buf, '\n') + 1
	if n == 0 && len(w.buf) > maxLine {
		n = len(w.buf)
	}
	if n > 0 {
		w.pass(n)
	}
	return len(p), nil
}

// pass hands on the first n bytes. The reader discards what it does not want and never fails.
func (w *lineWriter) pass(n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	_, _ = w.to.Write(w.buf[:n])
	w.buf = append(w.buf[:0], w.buf[n:]...)
}

func (w *lineWriter) flush() {
	if len(w.buf) == 0 {
		return
	}
	if w.buf[len(w.buf)-1] != '\n' {
		w.buf = append(w.buf, '\n')
	}
	w.pass(len(w.buf))
}
