package workspace

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"golang.org/x/sys/unix"
)

// fileStat is what stat says of a file. The zero value is that of no file.
type fileStat struct {
	ino          uint64
	size         int64
	mtime, ctime int64 // nanoseconds
	mode         uint32
}

func statOf(st *unix.Stat_t) fileStat {
	return fileStat{ino: st.Ino, size: st.Size, mtime: st.Mtim.Nano(), ctime: st.Ctim.Nano(), mode: uint32(st.Mode)} //nolint:unconvert // not of this type on every system
}

// settled reports whether any later write must show in the times. A file system's clock goes in steps: a file written just
// before we read it may be written again within the same step. Steps are a few milliseconds, or whole seconds on file systems
// whose times are.
func (s fileStat) settled(began time.Time) bool {
	step := 50 * time.Millisecond
	if s.ctime%int64(time.Second) == 0 {
		step = 2 * time.Second
	}
	return max(s.mtime, s.ctime) < began.Add(-step).UnixNano()
}

// stockMagic begins a file of remembered stock; its last byte is the version of what follows.
var stockMagic = []byte("fettle stock\x001")

// statSize is the size in bytes of an encoded stat, entrySize that of the fixed part of an entry: mode, identity, key, stat.
const (
	statSize  = 8 + 8 + 8 + 8 + 4
	entrySize = 4 + 1 + sha256.Size + statSize
)

// loadStock reads remembered stock. Whatever is wrong with the file, the answer is that nothing is known. A file from the future says
// that the clock was set back since: a write may by now get the very times that are remembered.
func loadStock(file string) map[string]*stockedFolder {
	if file == "" {
		return nil
	}
	if info, err := os.Stat(file); err != nil || info.ModTime().After(time.Now()) {
		return nil
	}
	b, err := os.ReadFile(file)
	if err != nil {
		return nil
	}
	return decodeStock(b)
}

// decodeStock reads: the magic; the number of folders; each folder's path, mode, number of entries, and entries (name, then the
// fixed part); and the SHA-256 of all that.
func decodeStock(b []byte) map[string]*stockedFolder {
	if len(b) < len(stockMagic)+sha256.Size || !bytes.HasPrefix(b, stockMagic) {
		return nil
	}
	body, sum := b[:len(b)-sha256.Size], b[len(b)-sha256.Size:]
	if have := sha256.Sum256(body); !bytes.Equal(have[:], sum) {
		return nil
	}
	r := stockReader{b: body[len(stockMagic):]}
	r.text = string(r.b) // one string for all names
	count := r.number()
	out := make(map[string]*stockedFolder, min(count, len(r.b)))
	for range count {
		path := r.name()
		mode := fs.FileMode(r.number()).Perm()
		n := r.number()
		if r.bad || n > len(r.b)/entrySize {
			return nil
		}
		entries, stats := make([]Entry, n), make([]fileStat, n)
		for i := range n {
			entries[i].Name = r.name()
			r.fixed(&entries[i], &stats[i])
		}
		if r.bad || !sorted(entries) || out[path] != nil {
			return nil
		}
		out[path] = newStockedFolder(path, mode, entries, stats)
	}
	if r.at != len(r.b) {
		return nil
	}
	return out
}

func sorted(entries []Entry) bool {
	for i := 1; i < len(entries); i++ {
		if entries[i-1].Name >= entries[i].Name {
			return false
		}
	}
	return true
}

// stockReader reads from b; text is the same as a string. After the first thing that cannot be there, it is bad.
type stockReader struct {
	b    []byte
	text string
	at   int
	bad  bool
}

func (r *stockReader) number() int {
	v, n := binary.Uvarint(r.b[r.at:])
	if n <= 0 || v > uint64(max(len(r.b), 0o777)) {
		r.bad = true
		return 0
	}
	r.at += n
	return int(v)
}

func (r *stockReader) name() string {
	n := r.number()
	if r.bad || n > len(r.b)-r.at {
		r.bad = true
		return ""
	}
	r.at += n
	return r.text[r.at-n : r.at]
}

func (r *stockReader) fixed(e *Entry, s *fileStat) {
	if r.bad || len(r.b)-r.at < entrySize {
		r.bad = true
		return
	}
	b, le := r.b[r.at:], binary.LittleEndian
	r.at += entrySize
	e.Mode, e.By, e.Key = fs.FileMode(le.Uint32(b)), Identity(b[4]), [sha256.Size]byte(b[5:])
	b = b[5+sha256.Size:]
	*s = fileStat{ino: le.Uint64(b), size: int64(le.Uint64(b[8:])), mtime: int64(le.Uint64(b[16:])), ctime: int64(le.Uint64(b[24:])),
		mode: le.Uint32(b[32:])}
}

func encodeStock(folders map[string]*stockedFolder) []byte {
	b := slices.Clone(stockMagic)
	b = binary.AppendUvarint(b, uint64(len(folders)))
	le := binary.LittleEndian
	for _, path := range slices.Sorted(maps.Keys(folders)) {
		f := folders[path]
		b = appendText(b, path)
		b = binary.AppendUvarint(b, uint64(f.mode.Perm()))
		b = binary.AppendUvarint(b, uint64(len(f.entries)))
		for i, e := range f.entries {
			b = appendText(b, e.Name)
			b = append(le.AppendUint32(b, uint32(e.Mode)), byte(e.By))
			b = append(b, e.Key[:]...)
			s := f.stats[i]
			b = le.AppendUint64(le.AppendUint64(b, s.ino), uint64(s.size))
			b = le.AppendUint64(le.AppendUint64(b, uint64(s.mtime)), uint64(s.ctime))
			b = le.AppendUint32(b, s.mode)
		}
	}
	sum := sha256.Sum256(b)
	return append(b, sum[:]...)
}

// saveStock replaces the file of remembered stock by a rename, so that a reader sees the old or the new one. It is not synced:
// a torn one is recognized by its checksum, and costs one slow stocktaking.
func saveStock(file string, folders map[string]*stockedFolder) error {
	dir := filepath.Dir(file)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	tmp, err := os.CreateTemp(dir, ".stock-*")
	if err != nil {
		return err
	}
	_, err = tmp.Write(encodeStock(folders))
	err = errors.Join(err, tmp.Close())
	if err == nil {
		err = os.Rename(tmp.Name(), file)
	}
	if err != nil {
		return errors.Join(err, os.Remove(tmp.Name()))
	}
	return nil
}
