package journal

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"fettle/internal/store"
)

// ledger is the journal once more, as a file of lines beside the database: should the database ever be damaged, what fettle did
// to files can be read from here, and undone. A line is a record as JSON, after its checksum; a line that is torn is passed over.
// It is synced together with the set that it records.
type ledger struct {
	path string

	mu   sync.Mutex
	file *os.File // opened when it is first written to
}

// record is a line of the ledger: a new set, or how a set was settled.
type record struct {
	Set   *Set     `json:"set,omitempty"`
	Temps []string `json:"temps,omitempty"` // of the set
	ID    int64    `json:"id,omitempty"`
	State State    `json:"state,omitempty"`
}

func recordOf(s Set) record { return record{Set: &s, Temps: s.Temps} }

func (r record) line() ([]byte, error) {
	b, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	return fmt.Appendf(nil, "%08x %s\n", crc32.ChecksumIEEE(b), b), nil
}

// append adds a record. It is not synced.
func (l *ledger) append(r record) error {
	line, err := r.line()
	if err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.open(); err != nil {
		return err
	}
	_, err = l.file.Write(line)
	return err
}

// open opens the file for appending, at the beginning of a line.
func (l *ledger) open() error {
	if l.file != nil {
		return nil
	}
	f, err := os.OpenFile(l.path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	last := make([]byte, 1)
	if n, err := f.Seek(0, io.SeekEnd); err == nil && n > 0 {
		if _, err := f.ReadAt(last, n-1); err == nil && last[0] != '\n' {
			_, err = f.WriteString("\n")
			if err != nil {
				return errors.Join(err, f.Close())
			}
		}
	}
	l.file = f
	return nil
}

func (l *ledger) sync() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.file == nil {
		return nil
	}
	return l.file.Sync()
}

func (l *ledger) close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.file == nil {
		return nil
	}
	f := l.file
	l.file = nil
	return f.Close()
}

// replace makes the ledger one of these sets alone.
func (l *ledger) replace(sets []Set) error {
	if err := l.close(); err != nil {
		return err
	}
	tmp, err := os.CreateTemp(filepath.Dir(l.path), "ledger-")
	if err != nil {
		return err
	}
	w := bufio.NewWriter(tmp)
	for _, s := range sets {
		line, err2 := recordOf(s).line()
		if err2 == nil {
			_, err2 = w.Write(line)
		}
		err = errors.Join(err, err2)
	}
	err = errors.Join(err, w.Flush(), tmp.Sync(), tmp.Close())
	if err == nil {
		err = os.Rename(tmp.Name(), l.path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(tmp.Name()))
	}
	return store.SyncFolder(filepath.Dir(l.path))
}

// read reads every set that the ledger knows, oldest first, each in its last state.
func (l *ledger) read() ([]Set, error) {
	data, err := os.ReadFile(l.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var sets []Set
	at := map[int64]int{}
	for line := range bytes.Lines(data) {
		r, ok := parseRecord(line)
		if !ok {
			continue
		}
		if r.Set != nil {
			r.Set.Temps = r.Temps
			if i, again := at[r.Set.ID]; again {
				sets[i] = *r.Set
				continue
			}
			at[r.Set.ID] = len(sets)
			sets = append(sets, *r.Set)
		} else if i, known := at[r.ID]; known {
			sets[i].State = r.State
		}
	}
	slices.SortFunc(sets, func(a, b Set) int { return int(a.ID - b.ID) })
	return sets, nil
}

func parseRecord(line []byte) (r record, ok bool) {
	var sum uint32
	text, found := bytes.CutSuffix(line, []byte("\n"))
	if !found || len(text) < 10 || text[8] != ' ' {
		return r, false
	}
	if _, err := fmt.Sscanf(string(text[:8]), "%08x", &sum); err != nil || crc32.ChecksumIEEE(text[9:]) != sum {
		return r, false
	}
	return r, json.Unmarshal(text[9:], &r) == nil && (r.Set != nil || r.ID > 0)
}
