package workspace

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"

	"fettle/internal/edit"
	"fettle/internal/lang"
)

// Manifest is everything in a tree that checks' answers can depend on: every file and folder below the root, ignored ones too,
// and the commit that HEAD names. Git's other internals and tools' caches are left out. Two trees with equal digests get equal answers
// from a check that depends on nothing else.
type Manifest struct {
	root    string
	head    string
	folders []*stockedFolder // in order of their paths
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
	Name string // within its folder
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

// append appends all that an entry is but its name.
func (e Entry) append(buf []byte) []byte {
	buf = append(binary.BigEndian.AppendUint32(buf, uint32(e.Mode)), byte(e.By))
	return append(buf, e.Key[:]...)
}

// stockedFolder is what is known of the files of one folder. It does not change once it is made: stock that is taken again
// shares the folders in which nothing happened.
type stockedFolder struct {
	path    string // slash path from the root; empty: the root
	mode    fs.FileMode
	entries []Entry    // in order of Name
	stats   []fileStat // beside entries; the zero value where there is nothing to remember. Nil: nowhere
	sum     [sha256.Size]byte
	configs func() []int // which of the entries configure the tools of checks
}

// newStockedFolder takes over sorted entries.
func newStockedFolder(path string, mode fs.FileMode, entries []Entry, stats []fileStat) *stockedFolder {
	f := &stockedFolder{path: path, mode: mode, entries: entries, stats: stats}
	buf := binary.BigEndian.AppendUint32(make([]byte, 0, 64*len(entries)+4), uint32(mode))
	for _, e := range entries {
		buf = e.append(appendText(buf, e.Name))
	}
	f.sum = sha256.Sum256(buf)
	f.configs = sync.OnceValue(f.findConfigs)
	return f
}

func (f *stockedFolder) findConfigs() (found []int) {
	for i, e := range f.entries {
		if lang.IsCheckConfig(path.Join(f.path, e.Name)) {
			found = append(found, i)
		}
	}
	return found
}

// find is where in the folder a name is, or would be.
func (f *stockedFolder) find(name string) (int, bool) {
	return slices.BinarySearchFunc(f.entries, name, func(e Entry, name string) int { return strings.Compare(e.Name, name) })
}

func newManifest(root, head string, folders []*stockedFolder) *Manifest {
	slices.SortFunc(folders, func(a, b *stockedFolder) int { return strings.Compare(a.path, b.path) })
	h := sha256.New()
	buf := appendText(nil, head)
	for _, f := range folders {
		buf = append(appendText(buf, f.path), f.sum[:]...) // an empty folder too: a test can ask for it
	}
	_, _ = h.Write(buf) // a hash never fails
	return &Manifest{root: root, head: head, folders: folders, digest: edit.Hash(hex.EncodeToString(h.Sum(nil)))}
}

// appendText adds a text with its length before it, so that no two lists of texts read alike.
func appendText(buf []byte, s string) []byte {
	return append(binary.AppendUvarint(buf, uint64(len(s))), s...)
}

// Digest is the digest of the whole manifest.
func (m *Manifest) Digest() edit.Hash { return m.digest }

// Selection picks some of a tree's files.
type Selection interface {
	// Concerns reports whether a file, by its slash path from the root, is one of them.
	Concerns(file string) bool
	// ConcernsIn reports whether any file that lies in this very folder could be one of them; "." is the root.
	ConcernsIn(folder string) bool
}

// Part is the digest of some of the files, and of everything that was installed or downloaded below the root. The commit that
// HEAD names does not count.
func (m *Manifest) Part(s Selection) edit.Hash {
	h := sha256.New()
	var buf []byte
	for _, f := range m.folders {
		dir := cmp.Or(f.path, ".")
		switch {
		case isDependency(f.path):
			buf = append(appendText(buf[:0], f.path), f.sum[:]...)
		case s.ConcernsIn(dir):
			buf = appendText(buf[:0], dir) // an empty folder too: a test can ask for it
			for _, e := range f.entries {
				if name := path.Join(f.path, e.Name); s.Concerns(name) {
					buf = e.append(appendText(buf, name))
				}
			}
		default:
			continue
		}
		_, _ = h.Write(buf) // a hash never fails
	}
	return edit.Hash(hex.EncodeToString(h.Sum(nil)))
}

// Setup is the digest of the files that configure the tools of checks.
func (m *Manifest) Setup() edit.Hash {
	h := sha256.New()
	for _, f := range m.folders {
		for _, i := range f.configs() {
			_, _ = h.Write(f.entries[i].append(appendText(nil, path.Join(f.path, f.entries[i].Name)))) // a hash never fails
		}
	}
	return edit.Hash(hex.EncodeToString(h.Sum(nil)))
}

// isDependency reports whether a folder holds what was installed or downloaded.
func isDependency(folder string) bool {
	for name := range strings.SplitSeq(folder, "/") {
		if dependencyFolders[name] {
			return true
		}
	}
	return false
}

// Len is the number of files.
func (m *Manifest) Len() int {
	n := 0
	for _, f := range m.folders {
		n += len(f.entries)
	}
	return n
}

// Head is the commit that HEAD names, or what HEAD says where there is no commit yet; empty outside git.
func (m *Manifest) Head() string { return m.head }

// Lookup finds a file by its slash path from the root.
func (m *Manifest) Lookup(path string) (Entry, bool) {
	dir, name := splitPath(path)
	if i, ok := m.find(dir); ok {
		if j, ok := m.folders[i].find(name); ok {
			return m.folders[i].entries[j], true
		}
	}
	return Entry{}, false
}

func (m *Manifest) find(dir string) (int, bool) {
	return slices.BinarySearchFunc(m.folders, dir, func(f *stockedFolder, dir string) int { return strings.Compare(f.path, dir) })
}

// splitPath splits a slash path into its folder, empty for the root, and its name.
func splitPath(p string) (dir, name string) {
	dir, name = path.Split(p)
	return strings.TrimSuffix(dir, "/"), name
}
