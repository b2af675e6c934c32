package hook

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// repository is what can be told of a git repository by reading a few of its files: git itself is not started.
type repository struct {
	work   string // the folder of its files
	git    string // where its index and HEAD are
	common string // where its branches are
}

// The bounds of what is read of a repository: what is larger is asked about.
const (
	maxIndex = 8 << 20
	maxRefs  = 1 << 20
	maxHeads = 500
)

// repositoryAt is the repository in which a file lies.
func repositoryAt(file string) (r repository, ok bool) {
	for dir := filepath.Dir(file); ; dir = filepath.Dir(dir) {
		r = repository{work: dir, git: filepath.Join(dir, ".git")}
		if info, err := os.Lstat(r.git); err == nil {
			if !info.IsDir() { // a working tree beside another
				text, _ := present(r.git)
				if r.git, ok = strings.CutPrefix(strings.TrimSpace(text), "gitdir: "); !ok {
					return r, false
				}
				if !filepath.IsAbs(r.git) {
					r.git = filepath.Join(dir, r.git)
				}
			}
			r.common = r.git
			if text, ok := present(filepath.Join(r.git, "commondir")); ok {
				if r.common = strings.TrimSpace(text); !filepath.IsAbs(r.common) {
					r.common = filepath.Join(r.git, r.common)
				}
			}
			return r, true
		}
		if dir == filepath.Dir(dir) {
			return r, false
		}
	}
}

// unpushed reports that the commit at HEAD is none that another machine's branch was last seen at.
func (r repository) unpushed() bool {
	packed, err := limited(filepath.Join(r.common, "packed-refs"), maxRefs)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false
	}
	head, _ := present(filepath.Join(r.git, "HEAD"))
	head = strings.TrimSpace(head)
	if branch, named := strings.CutPrefix(head, "ref: "); named {
		var loose bool
		if head, loose = present(filepath.Join(r.common, branch)); !loose {
			head = packedAt(packed, branch)
		}
		head = strings.TrimSpace(head)
	}
	if len(head) < 40 || strings.Trim(head, "0123456789abcdef") != "" {
		return false
	}
	for line := range strings.Lines(string(packed)) {
		if strings.HasPrefix(line, head) && strings.Contains(line, " refs/remotes/") {
			return false
		}
	}
	seen, heads := false, 0
	err = filepath.WalkDir(filepath.Join(r.common, "refs", "remotes"), func(path string, d fs.DirEntry, err error) error {
		if heads++; err != nil || heads > maxHeads {
			return errors.Join(err, fs.SkipAll)
		}
		if d.Type().IsRegular() {
			text, ok := present(path)
			seen = seen || !ok || strings.HasPrefix(text, head)
		}
		return nil
	})
	return !seen && heads <= maxHeads && (err == nil || errors.Is(err, fs.ErrNotExist))
}

// packedAt is the commit of a branch among packed ones.
func packedAt(packed []byte, branch string) string {
	for line := range strings.Lines(string(packed)) {
		if id, name, ok := strings.Cut(strings.TrimSpace(line), " "); ok && name == branch {
			return id
		}
	}
	return ""
}

// limited is a regular file that is no longer than that.
func limited(path string, most int64) ([]byte, error) {
	info, err := os.Lstat(path)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular() || info.Size() > most:
		return nil, errors.New(path + " is longer than is read here")
	}
	return os.ReadFile(path)
}

// holds reports that git's index has a file as it is on the disk: its content is among git's objects. The index says so by what it keeps of the file's state; one that
// was written in the same moment as the index may have changed since, and a form of the index that is not read here says nothing.
func (r repository) holds(file string) bool {
	rel, err := filepath.Rel(r.work, file)
	info, lost := os.Lstat(file)
	index := filepath.Join(r.git, "index")
	written, gone := os.Lstat(index)
	if err != nil || lost != nil || gone != nil || !info.Mode().IsRegular() || !info.ModTime().Before(written.ModTime()) {
		return false
	}
	data, err := limited(index, maxIndex)
	if err != nil {
		return false
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	e, found := entryOf(data, filepath.ToSlash(rel))
	return ok && found && e.is(stat)
}

// entry is what the index keeps of a file's state.
type entry []byte

// entryOf is the entry of a file in an index of version 2 or 3, if it is one that git goes by as it is.
func entryOf(index []byte, rel string) (entry, bool) {
	const fixed = 62 // bytes before the name, with the hash of SHA-1
	if len(index) < 12+20 || !bytes.HasPrefix(index, []byte("DIRC")) {
		return nil, false
	}
	version := binary.BigEndian.Uint32(index[4:])
	if version != 2 && version != 3 {
		return nil, false
	}
	rest := index[12:]
	for range binary.BigEndian.Uint32(index[8:]) {
		if len(rest) < fixed+2 {
			return nil, false
		}
		e, flags, name := rest[:fixed], binary.BigEndian.Uint16(rest[60:]), rest[fixed:]
		extended := version == 3 && flags&0x4000 != 0
		if extended {
			name = name[2:]
		}
		end := bytes.IndexByte(name, 0)
		if end < 0 {
			return nil, false
		}
		if string(name[:end]) == rel {
			return e, !extended && flags&0xb000 == 0 // neither taken for unchanged, nor left out, nor one side of a conflict
		}
		size := len(rest) - len(name) + end
		if size = size/8*8 + 8; size > len(rest) {
			return nil, false
		}
		rest = rest[size:]
	}
	return nil, false
}
