package workspace

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"fettle/internal/edit"
)

// Manifest is everything in a tree that checks' answers can depend on: every file below the root, ignored ones too, and the
// commit that HEAD names. Git's other internals and tools' caches are left out. Two trees with equal digests get equal answers
// from a check that depends on nothing else.
type Manifest struct {
	root    string
	head    string
	entries []Entry // in order of Path
	digest  edit.Hash
}

// Identity is what an entry's Key is a digest of.
type Identity byte

// The identities.
const (
	Content    Identity = 'c' // the bytes of a regular file
	StatOnly   Identity = 's' // its size and modification time: for dependency folders and large files, which are not read
	LinkTarget Identity = 'l' // where a symbolic link leads
	KindOnly   Identity = 'k' // nothing but what it is: a fifo, a socket, a device, a file that cannot be read
)

// LargeFile is the size in bytes beyond which a file counts by its stat identity.
const LargeFile = 4 << 20

// Entry is one file of a manifest.
type Entry struct {
	Path string // slash path from the root
	Mode fs.FileMode
	By   Identity
	Key  [sha256.Size]byte // with Content, the SHA-256 of the file
}

// Hash is the content's hash, or empty if the entry does not count by content.
func (e Entry) Hash() edit.Hash {
	if e.By != Content {
		return ""
	}
	return edit.Hash(hex.EncodeToString(e.Key[:]))
}

// Snapshot makes the manifest of a tree. The file cache, when not empty, keeps hashes from one time to the next: a file is
// read again only when its size, times, inode or mode are not what they were, or when they are so young that a later write
// may not show in them. A cache that is missing or damaged is made anew.
func Snapshot(ctx context.Context, root, cache string) (*Manifest, error) {
	known := loadStats(cache)
	w := newManifestWalk(root, known, time.Now())
	if err := w.run(ctx); err != nil {
		return nil, fmt.Errorf("take stock of %s: %w", root, err)
	}
	head, err := headCommit(root)
	if err != nil {
		return nil, fmt.Errorf("take stock of %s: %w", root, err)
	}
	m := &Manifest{root: root, head: head, entries: w.entries}
	m.digest = digest(m.head, m.entries)
	if cache != "" && w.learnt(known) {
		if err := saveStats(cache, w.stats); err != nil {
			return nil, fmt.Errorf("keep the stock of %s: %w", root, err)
		}
	}
	return m, nil
}

// Digest is the digest of the whole manifest.
func (m *Manifest) Digest() edit.Hash { return m.digest }

// Len is the number of files.
func (m *Manifest) Len() int { return len(m.entries) }

// Head is the commit that HEAD names, or what HEAD says where there is no commit yet; empty outside git.
func (m *Manifest) Head() string { return m.head }

// Lookup finds a file by its slash path from the root.
func (m *Manifest) Lookup(path string) (Entry, bool) {
	i, ok := slices.BinarySearchFunc(m.entries, path, func(e Entry, path string) int { return strings.Compare(e.Path, path) })
	if !ok {
		return Entry{}, false
	}
	return m.entries[i], true
}

// With is the digest that the tree would have if the patch were applied to it. A patch that does not fit the tree (any more)
// gets a digest that no tree has.
func (m *Manifest) With(p edit.Patch) edit.Hash {
	if len(p) == 0 {
		return m.digest
	}
	after, err := m.after(p)
	if err != nil {
		return edit.Sum([]byte("does not fit\n" + string(m.digest) + "\n" + string(p.Digest())))
	}
	entries := make([]Entry, 0, len(m.entries)+len(after))
	for _, e := range m.entries {
		if _, ok := after[e.Path]; !ok {
			entries = append(entries, e)
		}
	}
	for path, f := range after {
		if !f.Exists || neverCounts(path) {
			continue
		}
		entries = append(entries, Entry{Path: path, Mode: modeOr(f.Mode), By: Content, Key: sha256.Sum256(f.Data)})
	}
	slices.SortFunc(entries, byPath)
	return digest(m.head, entries)
}

func (m *Manifest) after(p edit.Patch) (map[string]edit.File, error) {
	root, err := os.OpenRoot(m.root)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	return p.Apply(func(path string) (edit.File, error) {
		f, err := readRegular(root, path)
		if e, ok := m.Lookup(path); err == nil && ok && e.By == Content && e.Hash() != edit.Sum(f.Data) {
			err = fmt.Errorf("%s has changed", path)
		}
		return f, err
	})
}

func byPath(a, b Entry) int { return strings.Compare(a.Path, b.Path) }

func digest(head string, entries []Entry) edit.Hash {
	h := sha256.New()
	buf := make([]byte, 0, 64<<10)
	flush := func() { _, _ = h.Write(buf); buf = buf[:0] } // a hash never fails
	buf = appendText(buf, head)
	for _, e := range entries {
		if len(buf) > 60<<10-len(e.Path) {
			flush()
		}
		buf = appendText(buf, e.Path)
		buf = binary.BigEndian.AppendUint32(buf, uint32(e.Mode))
		buf = append(buf, byte(e.By))
		buf = append(buf, e.Key[:]...)
	}
	flush()
	return sumOf(h)
}

// appendText adds a text with its length before it, so that no two lists of texts read alike.
func appendText(buf []byte, s string) []byte {
	return append(binary.AppendUvarint(buf, uint64(len(s))), s...)
}

func sumOf(h hash.Hash) edit.Hash { return edit.Hash(hex.EncodeToString(h.Sum(nil))) }
