// Package disk answers "what may be left on the disk?". It is a room for tests alone: a file system ([Mount], Linux and root only)
// that passes a folder through, records every operation that changes something, and fails when it is told to; and a model of
// power cuts ([Recording.After]) that makes, from a recording, what a disk may hold when the power went after any of them.
//
// # The model
//
// A program knows that something is on the disk only when a sync of it has returned. What was done since is free: it may be there or
// not, in part, and in another order than it was done in.
//
//   - The bytes of a file, its size and its mode need an fsync of the file: "The fsync() function shall request that all data for
//     the open file descriptor named by fildes is to be transferred to the storage device" (POSIX.1-2024, fsync). Until then each
//     write is kept, lost, or torn at a sector or page, each for itself; or the file has grown and the bytes are zeros.
//   - A name needs an fsync of its folder, the name of a new file as well: "Calling fsync() does not necessarily ensure that the
//     entry in the directory containing the file has also reached disk. For that an explicit fsync() on a file descriptor for the
//     directory is also needed" (Linux, fsync(2)). File systems in use do more (ext4 commits a new file's name together with
//     the file), but no standard promises it, so it is not assumed. A rename is atomic, and safe with a sync of either folder.
//   - Everything that was there when the recording began is on the disk.
//
// The freedom to lose, tear and reorder is that of the abstract persistence model of ALICE (Pillai and others, "All File Systems Are Not
// Created Equal: On the Complexity of Crafting Crash-Consistent Applications", OSDI 2014, section 4); losing all that is not
// synced is what LazyFS does (Ramos and others, "When Amnesia Strikes: Understanding and Reproducing Data Loss Bugs with Fault
// Injection", PVLDB 17(11), 2024). A [Rule] says which of the states that the model allows is made.
package disk

import (
	"io/fs"
	"slices"
)

// ID names a file or folder for as long as it exists, whatever its names are. The root folder is [Root].
type ID int64

// Root is the disk's own folder.
const Root ID = 1

// Kind is what an operation does.
type Kind string

// The kinds of operations.
const (
	Create     Kind = "create"
	Mkdir      Kind = "mkdir"
	Symlink    Kind = "symlink"
	Link       Kind = "link"
	Unlink     Kind = "unlink" // of a file or link
	Rmdir      Kind = "rmdir"
	Rename     Kind = "rename"
	Write      Kind = "write"
	Truncate   Kind = "truncate" // also to a greater size
	Chmod      Kind = "chmod"
	Chown      Kind = "chown" // counted and failed like the others; the model knows no owners
	Sync       Kind = "sync"  // of a file
	SyncFolder Kind = "sync folder"
	Read       Kind = "read" // of a file or a folder; counted and failed where a fault names it, and not recorded
	Mark       Kind = "mark" // no operation: the test says something, such as what it saw done
)

// Op is one operation on the disk.
type Op struct {
	Kind   Kind
	Path   string // slash path from the disk's root, as it was then; a mark's text
	To     string // the new path of a rename or link; what a symbolic link says
	ID     ID     // the file or folder itself; of a rename, what is moved
	Folder ID     // the folder whose names change
	Into   ID     // the folder that a rename moves to
	Offset int64
	Data   []byte
	Size   int64
	Mode   fs.FileMode
}

// names reports whether the operation changes names in folders.
func (o Op) names() bool {
	return slices.Contains([]Kind{Create, Mkdir, Symlink, Link, Unlink, Rmdir, Rename}, o.Kind)
}

// content reports whether the operation changes a file or folder itself.
func (o Op) content() bool { return o.Kind == Write || o.Kind == Truncate || o.Kind == Chmod }

// Recording is what was done on a disk, in order, and what was on it before.
type Recording struct {
	Base Image
	Ops  []Op
}
