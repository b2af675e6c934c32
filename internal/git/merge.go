package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"fettle/internal/edit"
)

// MergeOntoHead is [Repo.MergeOnto] HEAD.
func (r *Repo) MergeOntoHead(ctx context.Context, path string, before, after edit.File) (edit.File, error) {
	return r.MergeOnto(ctx, "HEAD", path, before, after)
}

// MergeOnto carries the change that a patch made to a file of the user's working tree over to the file of a commit, without
// what else is uncommitted in it: a three-way merge of the commit's file, as a checkout would write it, with before and
// after. The result is what [CommitRequest.Files] wants. Where the change touches uncommitted lines the error is an
// [*OverlapError]; a file that exists before but not in the commit is [ErrUntracked], one of a repository inside of this one a
// [*NestedError].
func (r *Repo) MergeOnto(ctx context.Context, rev, path string, before, after edit.File) (edit.File, error) {
	e, ok, err := r.committed(ctx, rev, path)
	if err == nil && !ok {
		err = r.nested(ctx, path)
	}
	switch {
	case err != nil:
		return edit.File{}, err
	case !ok && before.Exists:
		return edit.File{}, fmt.Errorf("%s: %w", path, ErrUntracked)
	case !ok:
		return after, nil
	}
	ours := before.Data
	if same, err := r.storedAs(ctx, e, before); err != nil {
		return edit.File{}, err
	} else if !same {
		if ours, err = r.contentLike(ctx, e, before.Data); err != nil {
			return edit.File{}, err
		}
	}
	merged := edit.File{Mode: e.perm(), Exists: after.Exists}
	if !after.Exists {
		merged.Mode = 0
	} else if (before.Mode^after.Mode)&0o111 != 0 {
		merged.Mode = after.Mode
	}
	var reason string
	if merged.Data, reason, err = r.mergeContent(ctx, ours, before, after); err != nil {
		return edit.File{}, fmt.Errorf("merge %s: %w", path, err)
	}
	if reason != "" {
		return edit.File{}, &OverlapError{Path: path, Reason: reason}
	}
	return merged, nil
}

// committed finds a regular file in a commit. Where there is no commit yet, there is no file.
func (r *Repo) committed(ctx context.Context, rev, path string) (entry, bool, error) {
	id, err := r.commitOf(ctx, rev)
	if err != nil || id == "" {
		return entry{}, false, err
	}
	e, ok, err := r.lookup(ctx, id, path)
	if err == nil && (e.mode == symlink || e.mode == gitlink) {
		err = notAFile(e)
	}
	return e, ok, err
}

// mergeContent carries the change from before to after over to ours, or gives the reason why it cannot be.
func (r *Repo) mergeContent(ctx context.Context, ours []byte, before, after edit.File) (merged []byte, overlap string, err error) {
	same := bytes.Equal(ours, before.Data)
	switch {
	case !before.Exists:
		return nil, "it was deleted in the working tree, which is not committed, and is there again", nil
	case !after.Exists && !same:
		return nil, "it is deleted, but has uncommitted changes", nil
	case same || bytes.Equal(ours, after.Data):
		return after.Data, "", nil
	case bytes.Equal(before.Data, after.Data):
		return ours, "", nil
	case isBinary(ours) || isBinary(before.Data) || isBinary(after.Data):
		return nil, "it is binary and has uncommitted changes", nil
	}
	merged, clean, err := r.mergeFile(ctx, ours, before.Data, after.Data)
	if err == nil && !clean {
		overlap = "the change overlaps uncommitted changes"
	}
	return merged, overlap, err
}

// storedAs reports whether git would store a file of the working tree as what the commit holds: then nothing in it is
// uncommitted, whatever a filter makes of it. Filters cannot always be asked the other way round: Git LFS may have to fetch, and
// an encryption gives other bytes.
func (r *Repo) storedAs(ctx context.Context, e entry, f edit.File) (bool, error) {
	if !f.Exists {
		return false, nil
	}
	id, err := run(ctx, command{args: []string{"hash-object", "--stdin", "--path=" + e.path}, dir: r.Root, stdin: bytes.NewReader(f.Data), level: building})
	return strings.TrimSpace(string(id)) == e.id, err
}

// contentLike is a file of a commit as a checkout would write it; or as it is stored, if that has the line endings of like
// and the other has not: a tool may have written the working tree's file with other line endings than git would.
func (r *Repo) contentLike(ctx context.Context, e entry, like []byte) ([]byte, error) {
	smudged, err := run(ctx, command{args: []string{"cat-file", "--filters", "--path=" + e.path, e.id}, dir: r.Root, level: building})
	if err != nil {
		return nil, err
	}
	if hasCRLF(smudged) == hasCRLF(like) {
		return smudged, nil
	}
	stored, err := r.read(ctx, "cat-file", "blob", e.id)
	if err != nil || hasCRLF(stored) != hasCRLF(like) {
		return smudged, err
	}
	return stored, nil
}

func hasCRLF(b []byte) bool { return bytes.Contains(b, []byte("\r\n")) }

// isBinary is git's own rule: a NUL among the first 8000 bytes (buffer_is_binary in xdiff-interface.c).
func isBinary(b []byte) bool { return bytes.IndexByte(b[:min(8000, len(b))], 0) >= 0 }

// mergeFile merges ours and theirs on their common base, by lines. It reports whether they did not conflict.
func (r *Repo) mergeFile(ctx context.Context, ours, base, theirs []byte) (merged []byte, clean bool, err error) {
	b, err := r.openBench()
	if err != nil {
		return nil, false, err
	}
	defer func() { err = errors.Join(err, b.close()) }()
	for name, data := range map[string][]byte{"ours": ours, "base": base, "theirs": theirs} {
		if err := os.WriteFile(filepath.Join(b.folder, name), data, 0o600); err != nil {
			return nil, false, err
		}
	}
	merged, err = run(ctx, command{args: []string{"merge-file", "-p", "-q", "ours", "base", "theirs"}, dir: b.folder, level: reading})
	if n := code(err); n > 0 && n < 128 { // the number of conflicts, at most 127
		return nil, false, nil
	}
	return merged, err == nil, err
}
