package git

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"fettle/internal/edit"
)

// Snapshot is what a commit holds, whatever lies in the working tree. Who asks for one file mostly asks for its neighbours next, so
// that they are read together: a call of git for each would take longer than all that is done with them.
type Snapshot struct {
	repo    *Repo
	ctx     context.Context // of whoever asked for it; edit.Source has no place for one
	entries []sized         // by path
	read    map[string]edit.File
	held    int // bytes of what was read
}

// unknown is the size of what may not be on this machine. It is read alone, so that nothing else fails with it.
const unknown = -1

// sized is an entry of a tree with the size of what it names.
type sized struct {
	entry
	bytes int
}

// Neighbours that are read together: so many files, and so many bytes.
const (
	neighbours     = 256
	neighbourBytes = 16 << 20
	most           = 96 << 20 // of what was read and is kept
)

// Snapshot lists a commit's or a tree's files. What is in them is read when it is asked for, until the context ends.
func (r *Repo) Snapshot(ctx context.Context, rev string) (*Snapshot, error) {
	tree, err := r.treeOf(ctx, rev)
	if err != nil {
		return nil, err
	}
	out, err := r.read(ctx, "ls-tree", "-r", "-l", "-z", "--full-tree", tree)
	if err != nil { // a partial clone does not know how large what it has not fetched is
		out, err = r.read(ctx, "ls-tree", "-r", "-z", "--full-tree", tree)
	}
	if err != nil {
		return nil, err
	}
	s := &Snapshot{repo: r, ctx: ctx}
	for _, rec := range fields(out) { // "100644 blob ID SIZE<TAB>path"; of what is not there the size is "BAD" or none
		meta, path, _ := strings.Cut(rec, "\t")
		f := strings.Fields(meta)
		if len(f) < 3 {
			return nil, fmt.Errorf("git ls-tree: cannot read %q", rec)
		}
		if f[0] == gitlink {
			continue
		}
		size := unknown
		if n, err := strconv.Atoi(f[len(f)-1]); err == nil && len(f) == 4 {
			size = n
		}
		s.entries = append(s.entries, sized{entry{f[0], f[2], path}, size})
	}
	slices.SortFunc(s.entries, func(a, b sized) int { return strings.Compare(a.path, b.path) })
	return s, nil
}

// Files are the paths of its files, sorted.
func (s *Snapshot) Files() []string {
	all := make([]string, len(s.entries))
	for i, e := range s.entries {
		all[i] = e.path
	}
	return all
}

// File is a file of it as it is stored, like [Repo.File]; the zero File if it is not there. It is an [edit.Source].
func (s *Snapshot) File(path string) (edit.File, error) {
	if f, ok := s.read[path]; ok {
		return f, nil
	}
	i, ok := slices.BinarySearchFunc(s.entries, path, func(e sized, path string) int { return strings.Compare(e.path, path) })
	if !ok {
		return edit.File{}, nil
	}
	end, bytes := i+1, s.entries[i].bytes
	for bytes != unknown && end < len(s.entries) && end-i < neighbours && s.entries[end].bytes != unknown && bytes+s.entries[end].bytes <= neighbourBytes {
		bytes += s.entries[end].bytes
		end++
	}
	if err := s.load(s.entries[i:end]); err != nil {
		return edit.File{}, fmt.Errorf("read %s from git: %w", path, err)
	}
	return s.read[path], nil
}

// load reads files with one call of git. Where those that were read before are too many to be kept, they are forgotten.
func (s *Snapshot) load(entries []sized) error {
	var ids strings.Builder
	for _, e := range entries {
		ids.WriteString(e.id + "\n")
	}
	out, err := run(s.ctx, command{args: []string{"cat-file", "--batch"}, dir: s.repo.Root, stdin: strings.NewReader(ids.String()), level: reading})
	if err != nil {
		return err
	}
	if s.held += len(out); s.read == nil || s.held > most {
		s.read, s.held = make(map[string]edit.File, len(entries)), len(out)
	}
	for _, e := range entries { // "ID blob SIZE\n", the content, "\n"
		head, rest, _ := bytes.Cut(out, []byte("\n"))
		if string(head) == e.id+" missing" {
			return fmt.Errorf("git has not fetched it: %w", fs.ErrNotExist)
		}
		size := 0
		if _, err := fmt.Sscanf(string(head), e.id+" blob %d", &size); err != nil || len(rest) <= size {
			return fmt.Errorf("git cat-file: %q instead of %s", head, e.id)
		}
		s.read[e.path] = edit.File{Data: rest[:size:size], Mode: e.fileMode(), Exists: true}
		out = rest[size+1:]
	}
	return nil
}
