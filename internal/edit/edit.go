// Package edit answers "what exactly would change?": a [Patch] is a list of [Change]s to files, a change a list of [Edit]s
// to exact bytes, bound to the content it was made for.
//
// Bytes are sacred: an edit changes the bytes it names and nothing else. Line endings, byte order marks, encodings, modes
// and a missing final newline survive because nothing here ever splits a file into lines and joins it again.
// A change that does not find the content it expects does not apply; a patch applies whole or not at all.
// Whatever form a proposal comes in (line edits, search/replace blocks, a whole file, a unified diff) is read into this one
// form; see [Read].
//
// The package is pure: bytes in, bytes out, no I/O.
package edit

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
)

// Hash is the SHA-256 of a file's content in lower-case hex. The zero value means "no file".
type Hash string

// Sum is the hash of b.
func Sum(b []byte) Hash {
	s := sha256.Sum256(b)
	return Hash(hex.EncodeToString(s[:]))
}

// Short is the first 12 digits, for people.
func (h Hash) Short() string { return string(h[:min(12, len(h))]) }

// Op says what a change does to its file.
type Op string

// What a change can do.
const (
	Modify Op = "modify" // the file exists; its content, its mode, or both change
	Create Op = "create" // the file must not exist; Edits hold its content as one insertion at 0
	Delete Op = "delete" // the file exists and goes; there are no edits
)

// Edit replaces the bytes from Start up to, not including, End by New. Offsets count bytes of the base content.
// Start == End inserts.
type Edit struct {
	Start int    `json:"start"`
	End   int    `json:"end"`
	New   []byte `json:"new,omitempty"`
}

// Change is what happens to one file. Edits are in order of Start and do not overlap.
type Change struct {
	Path  string      `json:"path"`           // slash path from the root, clean, never absolute
	Op    Op          `json:"op"`             //
	Base  Hash        `json:"base,omitempty"` // what the file must hold; empty for Create
	Mode  fs.FileMode `json:"mode,omitempty"` // permission bits afterwards; 0 keeps them (for Create: 0644)
	Edits []Edit      `json:"edits,omitempty"`
}

// Patch is a proposed change to files: at most one Change for each path, in order of Path.
type Patch []Change

// File is one file's content and permission bits. A file that does not exist is the zero File.
type File struct {
	Data   []byte
	Mode   fs.FileMode
	Exists bool
}

// Source hands out the base content of files. It returns the zero File and no error for a file that does not exist.
type Source func(path string) (File, error)

// Paths lists the files the patch touches, in order.
func (p Patch) Paths() []string {
	out := make([]string, len(p))
	for i, c := range p {
		out[i] = c.Path
	}
	return out
}

// MismatchError says that a file does not hold what a change expects to find there.
type MismatchError struct {
	Path string
	Want Hash // what the change was made for; empty: no file
	Have Hash // what is there; empty: no file
}

func (e *MismatchError) Error() string {
	switch {
	case e.Want == "":
		return e.Path + ": already exists"
	case e.Have == "":
		return e.Path + ": does not exist any more"
	}
	return fmt.Sprintf("%s: has changed since the edit was made (expected %s, found %s)", e.Path, e.Want.Short(), e.Have.Short())
}
