package disk

import (
	"slices"
	"syscall"
)

// Fault is how a disk fails. Operations are counted from the moment it is set, from 1.
type Fault struct {
	At    int           // the first operation that fails; 0: none
	Once  bool          // only that one; else everything from it on
	Error syscall.Errno // ENOSPC, EIO, EROFS …
	Kinds []Kind        // what counts and fails; empty: everything that changes something, syncs included
}

// concerns reports whether an operation counts.
func (f Fault) concerns(k Kind) bool {
	return len(f.Kinds) == 0 && k != Read || slices.Contains(f.Kinds, k)
}

// strikes reports whether the operation of this number fails.
func (f Fault) strikes(n int) bool { return f.At > 0 && (n == f.At || n > f.At && !f.Once) }

// Tally is what came of a fault.
type Tally struct {
	Done    map[Kind]int // operations of each kind, whether the fault concerned them or not
	Counted int          // operations that it concerned
	Failed  int
	First   Op // the first that failed
}

// Concerned is how many of the operations another fault would have concerned.
func (t Tally) Concerned(f Fault) int {
	n := 0
	for kind, done := range t.Done {
		if f.concerns(kind) {
			n += done
		}
	}
	return n
}
