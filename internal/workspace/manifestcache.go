package workspace

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"time"

	"golang.org/x/sys/unix"
)

// fileStat is what stat says of a file, and the hash that its content had then.
type fileStat struct {
	ino          uint64
	size         int64
	mtime, ctime int64 // nanoseconds
	mode         uint32
	hash         [sha256.Size]byte
}

func statOf(st *unix.Stat_t) fileStat {
	return fileStat{ino: st.Ino, size: st.Size, mtime: st.Mtim.Nano(), ctime: st.Ctim.Nano(), mode: uint32(st.Mode)} //nolint:unconvert // not of this type on every system
}

// same reports whether both say the same of a file, the hash aside.
func (s fileStat) same(o fileStat) bool {
	return s.ino == o.ino && s.size == o.size && s.mtime == o.mtime && s.ctime == o.ctime && s.mode == o.mode
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

// statsMagic begins a file of remembered stats; its last byte is the version of what follows.
var statsMagic = []byte("fettle stats\x001")

const statSize = 8 + 8 + 8 + 8 + 4 + sha256.Size

// loadStats reads remembered stats. Whatever is wrong with the file, the answer is that nothing is known.
func loadStats(file string) map[string]fileStat {
	if file == "" {
		return nil
	}
	b, err := os.ReadFile(file)
	if err != nil {
		return nil
	}
	return decodeStats(b)
}

// decodeStats reads: the magic, the number of records, the records (length of path, path, stat, hash), and the SHA-256 of
// all that.
func decodeStats(b []byte) map[string]fileStat {
	if len(b) < len(statsMagic)+sha256.Size || !bytes.HasPrefix(b, statsMagic) {
		return nil
	}
	body, sum := b[:len(b)-sha256.Size], b[len(b)-sha256.Size:]
	if have := sha256.Sum256(body); !bytes.Equal(have[:], sum) {
		return nil
	}
	body = body[len(statsMagic):]
	count, n := binary.Uvarint(body)
	if n <= 0 || count > uint64(len(body)/statSize) {
		return nil
	}
	body = body[n:]
	paths := string(body) // one string for all paths
	at := 0
	out := make(map[string]fileStat, count)
	for range count {
		size, n := binary.Uvarint(body[at:])
		if n <= 0 || size > uint64(len(body)-at-n) || uint64(len(body)-at-n)-size < statSize {
			return nil
		}
		path := paths[at+n : at+n+int(size)]
		at += n + int(size)
		r := body[at:]
		s := fileStat{ino: binary.LittleEndian.Uint64(r), size: int64(binary.LittleEndian.Uint64(r[8:])),
			mtime: int64(binary.LittleEndian.Uint64(r[16:])), ctime: int64(binary.LittleEndian.Uint64(r[24:])),
			mode: binary.LittleEndian.Uint32(r[32:]), hash: [sha256.Size]byte(r[36:statSize])}
		out[path] = s
		at += statSize
	}
	return out
}

func encodeStats(stats map[string]fileStat) []byte {
	paths := make([]string, 0, len(stats))
	for p := range stats {
		paths = append(paths, p)
	}
	slices.Sort(paths)
	b := make([]byte, 0, len(stats)*(statSize+48)+64)
	b = append(b, statsMagic...)
	b = binary.AppendUvarint(b, uint64(len(paths)))
	for _, p := range paths {
		s := stats[p]
		b = appendText(b, p)
		b = binary.LittleEndian.AppendUint64(b, s.ino)
		b = binary.LittleEndian.AppendUint64(b, uint64(s.size))
		b = binary.LittleEndian.AppendUint64(b, uint64(s.mtime))
		b = binary.LittleEndian.AppendUint64(b, uint64(s.ctime))
		b = binary.LittleEndian.AppendUint32(b, s.mode)
		b = append(b, s.hash[:]...)
	}
	sum := sha256.Sum256(b)
	return append(b, sum[:]...)
}

// saveStats replaces the file of remembered stats by a rename, so that a reader sees the old or the new one. It is not
// synced: a torn one is recognized by its checksum, and costs one slow snapshot.
func saveStats(file string, stats map[string]fileStat) error {
	dir := filepath.Dir(file)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	tmp, err := os.CreateTemp(dir, ".stats-*")
	if err != nil {
		return err
	}
	_, err = tmp.Write(encodeStats(stats))
	err = errors.Join(err, tmp.Close())
	if err == nil {
		err = os.Rename(tmp.Name(), file)
	}
	if err != nil {
		return errors.Join(err, os.Remove(tmp.Name()))
	}
	return nil
}
