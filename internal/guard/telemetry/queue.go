package telemetry

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"fettle/internal/guard/hook"
)

// maxLine is how long an entry of the log may be to be read. Longer ones carry whole scripts; of them, too, no more is sent than of others.
const maxLine = 8 << 20

// queue is the decision log, from a position on.
type queue struct {
	dir string
	all bool // also decisions that are not to be sent
}

// item is one decision that is to be sent.
type item struct {
	hook.Entry
	from Position // where it begins
	next Position // where the log goes on
}

// marked is how an entry says that it is to be sent. A text could hold it, too: only what was read says for sure.
var marked = []byte(`"telemetry":true`)

// each goes through the decisions that are to be sent, from a position on, until do returns false. It returns where the log goes on behind what was
// seen, how often a file was gone that should have been read on, and how many entries were too long to be read. An entry that is still being
// written is left for the next time.
func (q queue) each(at Position, do func(item) bool) (end Position, gaps, long int64, err error) {
	names, err := q.files()
	if err != nil {
		return at, 0, 0, err
	}
	gone := at.File != "" && !slices.Contains(names, at.File)
	names = slices.DeleteFunc(names, func(n string) bool { return n < at.File })
	if gone && len(names) > 0 { // without a newer one there is nothing to go on with yet
		gaps++
	}
	for _, name := range names {
		if name != at.File {
			at = Position{File: name}
		}
		f, err := os.Open(filepath.Join(q.dir, name))
		if errors.Is(err, fs.ErrNotExist) {
			continue // it was swept away meanwhile: it was too old
		}
		if err != nil {
			return at, gaps, long, err
		}
		if info, statErr := f.Stat(); statErr == nil && info.Size() < at.Offset { // another file of this name
			at.Offset = 0
			gaps++
		}
		var more bool
		at, more, err = q.eachLine(f, at, &long, do)
		f.Close()
		if err != nil || !more {
			return at, gaps, long, err
		}
	}
	return at, gaps, long, nil
}

// files are the names of the log's files, the oldest first.
func (q queue) files() ([]string, error) {
	entries, err := os.ReadDir(q.dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var names []string
	for _, e := range entries { // sorted by name, and so by day
		if strings.HasSuffix(e.Name(), ".jsonl") && e.Type().IsRegular() {
			names = append(names, e.Name())
		}
	}
	return names, nil
}

// eachLine goes through one file.
func (q queue) eachLine(f io.ReadSeeker, at Position, long *int64, do func(item) bool) (Position, bool, error) {
	if _, err := f.Seek(at.Offset, io.SeekStart); err != nil {
		return at, false, err
	}
	in := bufio.NewReaderSize(f, 64<<10)
	for {
		line, size, err := readLine(in)
		if errors.Is(err, io.EOF) {
			return at, true, nil // a line without its end does not count yet
		}
		if err != nil {
			return at, false, err
		}
		i := item{from: at, next: Position{at.File, at.Offset + size}}
		switch {
		case size > maxLine:
			*long++ // whether it was to be sent is not known: it counts as dropped
		case !q.all && !bytes.Contains(line, marked) || json.Unmarshal(line, &i.Entry) != nil || !q.all && !i.Report || i.Tool == "" && i.Outcome == nil || i.Event != "":
		case !do(i):
			return at, false, nil
		}
		at = i.next
	}
}

// readLine reads a line, and keeps no more of it than may be read.
func readLine(in *bufio.Reader) (line []byte, size int64, err error) {
	for {
		part, err := in.ReadSlice('\n')
		size += int64(len(part))
		if size <= maxLine {
			line = append(line, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, size, err
		}
	}
}
