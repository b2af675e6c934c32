package hook

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// repository is what can be told of a git repository by reading a few of its files: git itself is not started.
type repository struct {
	work   string // the folder of its files
	git    string // where its index and HEAD are
	common string // where its branches and its objects are
	index  *index // nil: it has not been read yet

	packs    []*pack   // nil: none was opened yet
	inflater io.Reader // nil: no object was read yet
	spent    int64     // bytes of those that were
}

// The bounds of what is read of a repository: what is larger is asked about.
const (
	maxIndex = 8 << 20
	maxRefs  = 1 << 20
	maxHeads = 500
)

// repository is the one in which a file lies. What was read of it stays read while an event is answered.
func (s *session) repository(file string) (*repository, bool) {
	r, ok := repositoryAt(file)
	if !ok {
		return nil, false
	}
	i := slices.IndexFunc(s.repositories, func(known *repository) bool { return known.work == r.work })
	if i < 0 {
		i, s.repositories = len(s.repositories), append(s.repositories, &r)
	}
	return s.repositories[i], true
}

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
	left := maxHeads
	return none(filepath.Join(r.common, "refs", "remotes"), head, &left)
}

// none reports that no branch of another machine's is at a commit: of those that lie at a path and below it, which are at most so many. What is no branch is no
// matter; what cannot be read may be one. A walk of the standard library's would bring sorting along, ten thousand bytes of it.
func none(path, head string, left *int) bool {
	*left--
	info, err := os.Lstat(path)
	switch {
	case err != nil:
		return errors.Is(err, fs.ErrNotExist)
	case *left < 0:
		return false
	case info.Mode().IsRegular():
		text, ok := present(path)
		return ok && !strings.HasPrefix(text, head)
	case !info.IsDir():
		return true
	}
	folder, err := os.Open(path)
	if err != nil {
		return false
	}
	names, err := folder.Readdirnames(*left + 1)
	if folder.Close() != nil || err != nil && !errors.Is(err, io.EOF) {
		return false
	}
	for _, name := range names {
		if !none(filepath.Join(path, name), head, left) {
			return false
		}
	}
	return true
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

// read reads the index, once.
func (r *repository) read() *index {
	if r.index == nil {
		r.index = readIndex(filepath.Join(r.git, "index"))
	}
	return r.index
}

// holds is what git's index says of a file that is on the disk as the index has it: its content is among git's objects. A form of the index that is not read here
// says nothing.
func (r *repository) holds(file string) (entry, bool) {
	rel, err := filepath.Rel(r.work, file)
	if err != nil {
		return nil, false
	}
	e, ok := r.read().entry(filepath.ToSlash(rel))
	return e, ok && r.read().holds(file, e)
}
