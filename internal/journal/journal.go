// Package journal answers "what was done to files, in order?". Every change fettle makes to the user's tree is a [Set] of
// entries, each with the image of one file before and after. The images are kept by content, as files; the sets as rows.
// Undo, redo, rollback and the report are made from it, and so is recovery after a crash: a set is written down with the
// state [Intent] before its first effect, and becomes [Done] or [Aborted] after its last.
//
// A change goes through the journal in this order: [Journal.Announce], temporary files, [Journal.Secure], effects,
// [Journal.Finish] or [Journal.Abort].
//
// Beside the database stands the ledger, journal.log: the same sets once more, from which [Journal.CatchUp] makes rows that were lost.
//
// The journal knows nothing of the tree: writing files is the workspace's part.
package journal

import (
	"errors"
	"io/fs"
	"path/filepath"
	"sync/atomic"
	"time"

	"fettle/internal/edit"
	"fettle/internal/store"
)

// Kind says what a set is for.
type Kind string

// The kinds of sets. An undo or a rollback reverses (a part of) an apply or accept; a redo reverses an undo or a rollback.
const (
	Apply    Kind = "apply"    // a patch was applied by a session
	Accept   Kind = "accept"   // a person accepted a patch that was waiting
	Undo     Kind = "undo"     //
	Redo     Kind = "redo"     //
	Rollback Kind = "rollback" // an undo of a whole iteration or session
)

// State says how far a set has got.
type State string

// The states of a set.
const (
	Intent  State = "intent"  // written down; its effects may or may not have happened
	Done    State = "done"    // all its effects have happened
	Aborted State = "aborted" // none of its effects remain
)

// ErrNotFound says that there is no such set or image.
var ErrNotFound = errors.New("not in the journal")

// Image is one state of one file. The zero Image means "no file".
type Image struct {
	Exists bool        `json:"exists"`
	Hash   edit.Hash   `json:"hash,omitempty"`
	Mode   fs.FileMode `json:"mode,omitempty"` // permission bits
}

// ImageOf is the image of a file.
func ImageOf(f edit.File) Image {
	if !f.Exists {
		return Image{}
	}
	return Image{Exists: true, Hash: edit.Sum(f.Data), Mode: f.Mode.Perm()}
}

// Entry is what a set does to one file.
type Entry struct {
	Path   string  `json:"path"` // slash path from the root
	Op     edit.Op `json:"op"`
	Before Image   `json:"before"`
	After  Image   `json:"after"`
}

// Reversed is the entry that takes e back.
func (e Entry) Reversed() Entry {
	r := Entry{Path: e.Path, Op: edit.Modify, Before: e.After, After: e.Before}
	switch {
	case !r.Before.Exists:
		r.Op = edit.Create
	case !r.After.Exists:
		r.Op = edit.Delete
	}
	return r
}

// Set is a group of changes that happen together or not at all.
type Set struct {
	ID        int64     `json:"id"`                // counts up from 1 in one working tree
	Session   string    `json:"session,omitempty"` // empty: no session, as with fettle apply
	Iteration int       `json:"iteration,omitempty"`
	Author    string    `json:"author,omitempty"` // who proposed it: a fixer's name, or a person
	Reason    string    `json:"reason,omitempty"`
	Kind      Kind      `json:"kind"`
	Of        int64     `json:"of,omitempty"` // the set it reverses; 0: none
	State     State     `json:"state"`
	At        time.Time `json:"at"` // when it was begun, to the millisecond
	Entries   []Entry   `json:"entries"`
	Folders   []string  `json:"folders,omitempty"` // slash paths of folders it creates, outermost first
	Temps     []string  `json:"-"`                 // slash paths of the temporary files it uses; recovery removes them
}

// Journal keeps sets in the state database and images beside it. It may be used by several goroutines at a time.
type Journal struct {
	db     *store.DB
	dir    string
	blobs  *blobs
	ledger *ledger
	named  atomic.Bool // the names of the ledger and of the images' folder are on the disk
}

// Open opens the journal whose rows are in db and whose images are under dir, the state folder.
func Open(db *store.DB, dir string) (*Journal, error) {
	b, err := openBlobs(filepath.Join(dir, "blobs"))
	if err != nil {
		return nil, err
	}
	return &Journal{db: db, dir: dir, blobs: b, ledger: &ledger{path: filepath.Join(dir, "journal.log")}}, nil
}

// Close closes the journal's own files; the database is its owner's.
func (j *Journal) Close() error { return j.ledger.close() }

// syncNames makes sure that a power cut leaves the ledger and the images' folder where they are. It does so once: they never get
// other names.
func (j *Journal) syncNames() error {
	if j.named.Load() {
		return nil
	}
	err := store.SyncFolder(j.dir)
	j.named.Store(err == nil)
	return err
}

// Dir is the state folder.
func (j *Journal) Dir() string { return j.dir }
