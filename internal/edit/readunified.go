package edit

import (
	"bytes"
	"fmt"
	"io/fs"
	"strings"

	"github.com/bluekeyes/go-gitdiff/gitdiff"
)

// ReadUnified reads a unified diff, of git or of diff -u. New and deleted files, modes, and renames (a deletion and a creation) are
// understood; a/ and b/ before the names are taken off. A hunk must match line by line where its @@ line says, or else in
// exactly one other place, and then a Note says where; one whose @@ line names no lines (@@ ... @@) in exactly one place. Two things are forgiven, each with a Note: wrong counts in @@ lines, where the
// hunk's own lines decide, and lines that differ in their endings only (or in a byte order mark or newline at the end of the
// file), where the file's own are kept.
func ReadUnified(data []byte, src Source) (Patch, []Note, error) {
	mended, notes, err := mendDiff(unfence(data))
	if err != nil {
		return nil, nil, err
	}
	files, _, err := gitdiff.Parse(strings.NewReader(mended))
	if err != nil {
		return nil, nil, reject("", 0, "%s", strings.TrimPrefix(err.Error(), "gitdiff: "))
	}
	if len(files) == 0 {
		return nil, nil, reject("", 1, "there is no file in the diff")
	}
	d := newDraft(src)
	d.notes = notes
	for _, f := range files {
		if err := d.diffFile(f); err != nil {
			return nil, nil, err
		}
	}
	return d.patch()
}

// diffFile adds what the diff says of one file.
func (d *draft) diffFile(g *gitdiff.File) error {
	g.OldName, g.NewName = plainPath(g.OldName), plainPath(g.NewName)
	name := g.NewName
	if g.IsDelete {
		name = g.OldName
	}
	for _, m := range []fs.FileMode{g.OldMode, g.NewMode} {
		if m != 0 && m&^0o777 != 0o100000 {
			return reject(name, 0, "mode %o is not that of a regular file; links and submodules are not changed by patches", m)
		}
	}
	switch {
	case g.IsNew:
		return d.diffNew(g)
	case g.IsDelete:
		return d.diffDelete(g)
	case g.IsRename, g.IsCopy:
		return d.diffMove(g)
	}
	if g.OldName != g.NewName {
		return reject(name, 0, "the diff calls the file %q before and %q after, without saying that it was renamed", g.OldName, g.NewName)
	}
	f, err := d.open(name, Modify)
	if err != nil {
		return err
	}
	if f.count++; f.count > 1 {
		return reject(name, 0, "the diff holds this file twice")
	}
	f.mode = modeAfter(g, f.base.Mode.Perm())
	f.edits, err = d.diffEdits(g, name, f.base.Data)
	return err
}

func (d *draft) diffNew(g *gitdiff.File) error {
	f, err := d.open(g.NewName, Create)
	if err != nil {
		return err
	}
	f.mode = g.NewMode.Perm()
	edits, err := d.diffEdits(g, g.NewName, nil)
	if err != nil {
		return err
	}
	f.create(splice(nil, edits))
	return nil
}

// diffDelete takes the deletion of a file only if the diff shows what it deletes.
func (d *draft) diffDelete(g *gitdiff.File) error {
	f, err := d.open(g.OldName, Delete)
	if err != nil {
		return err
	}
	edits, err := d.diffEdits(g, g.OldName, f.base.Data)
	if err != nil {
		return err
	}
	if left := splice(f.base.Data, edits); len(bytes.TrimPrefix(left, []byte(byteOrderMark))) > 0 {
		return reject(g.OldName, 0, "the diff deletes the file, but does not show all of its content: %d of %d bytes would be left", len(left), len(f.base.Data))
	}
	return nil
}

// diffMove reads a rename as a deletion and a creation, a copy as a creation.
func (d *draft) diffMove(g *gitdiff.File) error {
	if err := validPath(g.OldName); err != nil {
		return reject(g.OldName, 0, "%v", err)
	}
	base, err := d.src(g.OldName)
	if err != nil {
		return fmt.Errorf("reading %s: %w", g.OldName, err)
	}
	if !base.Exists {
		return reject(g.OldName, 0, "the file should be renamed or copied to %s, but it does not exist", g.NewName)
	}
	if g.IsRename {
		if _, err := d.open(g.OldName, Delete); err != nil {
			return err
		}
	}
	to, err := d.open(g.NewName, Create)
	if err != nil {
		return err
	}
	edits, err := d.diffEdits(g, g.OldName, base.Data)
	if err != nil {
		return err
	}
	if to.mode = modeAfter(g, base.Mode.Perm()); to.mode == 0 {
		to.mode = base.Mode.Perm()
	}
	to.create(splice(base.Data, edits))
	return nil
}

// modeAfter gives the mode that the diff asks for, or 0. Git knows two modes only: unless the diff names the file's very mode as the
// old one, its new mode says no more than whether the file may be executed.
func modeAfter(g *gitdiff.File, have fs.FileMode) fs.FileMode {
	switch {
	case g.NewMode == 0:
		return 0
	case g.OldMode.Perm() == have || have == 0:
		return g.NewMode.Perm()
	}
	return gitChmod(have, gitMode(g.NewMode))
}
