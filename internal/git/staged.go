package git

import (
	"context"

	"fettle/internal/edit"
)

// File is a file of a commit as it is stored, with its mode; the zero File if it is not there. A link has fs.ModeSymlink in
// its mode and its target as its data.
func (r *Repo) File(ctx context.Context, rev, path string) (edit.File, error) {
	e, ok, err := r.lookup(ctx, rev, path)
	if err != nil || !ok {
		return edit.File{}, err
	}
	return r.stored(ctx, e)
}

// stored is the file of an entry; the zero File for another repository's commit.
func (r *Repo) stored(ctx context.Context, e entry) (edit.File, error) {
	if e.mode == gitlink {
		return edit.File{}, nil
	}
	data, err := r.read(ctx, "cat-file", "blob", e.id)
	return edit.File{Data: data, Mode: e.fileMode(), Exists: err == nil}, err
}

// Staged is what the index holds otherwise than a commit does (an empty rev: than nothing at all): each path with its content
// in the index, the zero File where it is gone.
func (r *Repo) Staged(ctx context.Context, rev string) (map[string]edit.File, error) {
	args := []string{"ls-files", "-z"}
	if rev != "" {
		id, err := r.Resolve(ctx, rev)
		if err != nil {
			return nil, err
		}
		args = []string{"diff-index", "--cached", "-z", "--name-only", "--no-renames", "--no-ext-diff", "--no-textconv", id}
	}
	out, err := r.read(ctx, args...)
	if err != nil {
		return nil, err
	}
	files := make(map[string]edit.File)
	for _, path := range fields(out) {
		if files[path], err = r.staged(ctx, path); err != nil {
			return nil, err
		}
	}
	return files, nil
}

func (r *Repo) staged(ctx context.Context, path string) (edit.File, error) {
	out, err := r.read(ctx, "ls-files", "--stage", "-z", "--", path)
	if err != nil || len(out) == 0 {
		return edit.File{}, err
	}
	e, err := parseEntry(fields(out)[0])
	if err != nil {
		return edit.File{}, err
	}
	return r.stored(ctx, e)
}
