package workspace

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	slashpath "path"

	"fettle/internal/edit"
	"fettle/internal/journal"
	"fettle/internal/policy/path"
)

// Why says for the journal who changes files, and for what.
type Why struct {
	Session   string
	Iteration int
	Author    string
	Reason    string
	Kind      journal.Kind // Apply (also when empty) or Accept
}

// ErrNoChange says that a patch would leave every file as it is.
var ErrNoChange = errors.New("the patch changes nothing")

// ChangedError says that a file is not what it was a moment before it would have been written.
type ChangedError struct {
	Path string
	Want journal.Image
	Have journal.Image
	Set  int64 // the change set that left the file as Want, when it was to be undone or redone; otherwise 0
	Next int64 // the change set that stands on top of that one, when there is one

	NextPath string // the file of that change: this one, or one that needs a folder in its place or whose folder it was
}

func (e *ChangedError) Error() string {
	p := path.Show(e.Path)
	if next := path.Show(e.NextPath); e.Next != 0 && next != p {
		return fmt.Sprintf("%s and %s cannot both be there, and %s was changed later, by change %d; nothing was undone: take that back first (fettle undo %s)", p, next, next, e.Next, next)
	}
	if e.Next != 0 {
		return fmt.Sprintf("%s was changed again by change %d; nothing was undone: take that back first (fettle undo %s)", p, e.Next, p)
	}
	what := p + " was edited"
	switch {
	case !e.Have.Exists:
		what = p + " was deleted"
	case !e.Want.Exists:
		what = p + " was created"
	case e.Have.Hash == e.Want.Hash:
		what = fmt.Sprintf("the mode of %s was changed from %v to %v", p, e.Want.Mode, e.Have.Mode)
	}
	if e.Set == 0 {
		return what + " in the meantime and was left as it is"
	}
	return fmt.Sprintf("%s since fettle changed it (change %d); nothing was undone: fettle show %s@%d writes it as it was before that change", what, e.Set, path.Show(e.Path), e.Set)
}

// Check reports everything that would keep the patch from being applied and that can be known before writing: forbidden
// names, scope, links in the path, kinds of files, limits, and content that is not what the patch was made for.
// The errors are [*path.Denied], [*Refused], [*edit.MismatchError], or one that says what is wrong with the patch.
func (t *Tree) Check(p edit.Patch) error {
	_, err := t.plan(p)
	return err
}

// Apply carries the patch out: all of it or, on an error, none. It journals the change under why and returns it as done, with
// its ID. What [Tree.Check] reports is an error here, too, checked again just before each file is replaced (a
// [*ChangedError] when somebody changed one in between).
func (t *Tree) Apply(ctx context.Context, p edit.Patch, why Why) (*journal.Set, error) {
	kind := why.Kind
	switch kind {
	case "":
		kind = journal.Apply
	case journal.Apply, journal.Accept:
	default:
		return nil, fmt.Errorf("apply: %q is not a way to apply a patch", kind)
	}
	release, err := t.ready(ctx, "apply")
	if err != nil {
		return nil, err
	}
	defer release()
	steps, err := t.plan(p)
	if err != nil {
		return nil, err
	}
	if len(steps) == 0 {
		return nil, ErrNoChange
	}
	return t.write(ctx, journal.Set{
		Session: why.Session, Iteration: why.Iteration, Author: why.Author, Reason: why.Reason, Kind: kind,
	}, steps, nil)
}

// plan turns a patch into steps and makes every check that needs no writing. A change without effect is no step.
func (t *Tree) plan(p edit.Patch) ([]step, error) {
	if err := t.names(p); err != nil {
		return nil, err
	}
	if err := p.Validate(); err != nil {
		return nil, err
	}
	steps := make([]step, 0, len(p))
	for _, c := range p {
		s, err := t.planOne(c)
		if err != nil {
			return nil, err
		}
		if !alike(s.before, s.after) {
			steps = append(steps, s)
		}
	}
	return steps, nil
}

// names judges the paths of a patch, alone and together.
func (t *Tree) names(p edit.Patch) error {
	folds := map[string]string{}
	for _, c := range p {
		if err := path.Check(c.Path); err != nil {
			return err
		}
		if t.o.InScope != nil && !t.o.InScope(c.Path) {
			return &Refused{c.Path, "File is out of scope"}
		}
		if n := len(c.Edits); t.o.MaxEdits > 0 && n > t.o.MaxEdits {
			return &Refused{c.Path, fmt.Sprintf("Edit count %d exceeds limit %d", n, t.o.MaxEdits)}
		}
		fold := path.Fold(c.Path)
		if other, ok := folds[fold]; ok && other != c.Path {
			return &Refused{c.Path, "File is the same as " + path.Show(other) + " where letter case does not count"}
		}
		folds[fold] = c.Path
	}
	return nil
}

func (t *Tree) planOne(c edit.Change) (step, error) {
	now, err := t.look(c.Path)
	if err != nil {
		return step{}, err
	}
	if !now.file.Exists && c.Op != edit.Create {
		return step{}, fmt.Errorf("File does not exist: %s: %w", path.Show(c.Path), //nolint:staticcheck // a text that people look for
			&edit.MismatchError{Path: c.Path, Want: c.Base})
	}
	if now.file.Exists && c.Op != edit.Create && now.file.Mode&0o200 == 0 {
		return step{}, &Refused{c.Path, "File is not writable"}
	}
	if err := t.canName(c.Path); err != nil {
		return step{}, err
	}
	if err := t.called(c.Path); err != nil {
		return step{}, err
	}
	after, err := c.Apply(now.file)
	if err != nil {
		return step{}, err
	}
	if err := t.fits(int64(len(after.Data)), "Content size", c.Path); err != nil {
		return step{}, err
	}
	after.Mode &= fs.ModePerm
	return step{path: c.Path, before: now.file, after: after, old: now.info}, nil
}

// canName makes sure that names in the folder of the file at p can be changed: a write makes a file beside the old one, and
// renames it. Of folders that are yet to be made, it is the one they will be made in that counts.
func (t *Tree) canName(p string) error {
	dir := slashpath.Dir(p)
	f, err := t.open(dir, p)
	for ; errors.Is(err, fs.ErrNotExist) && dir != "."; f, err = t.open(dir, p) {
		dir = slashpath.Dir(dir)
	}
	if err != nil {
		return err
	}
	defer f.close()
	switch err := writable(f.Root); {
	case errors.Is(err, fs.ErrPermission):
		return &Refused{p, "Folder is not writable"}
	case err != nil:
		return fmt.Errorf("look at the folder of %s: %w", path.Show(p), err)
	}
	return nil
}

// ready takes the tree for one write, and first deals with what an earlier process may have left half-done.
func (t *Tree) ready(ctx context.Context, who string) (release func(), err error) {
	release, err = t.exclusive(ctx, who)
	if err != nil {
		return nil, err
	}
	if !t.settled {
		if _, err := t.recover(ctx); err != nil {
			release()
			return nil, err
		}
	}
	return release, nil
}
