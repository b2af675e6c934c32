package disk

import "math/rand/v2"

// Rule says which of the states that the model allows a power cut leaves.
type Rule string

// The rules.
const (
	// Strict loses everything that was not synced: LazyFS's.
	Strict Rule = "strict"
	// Ordered is a file system with one journal for names, sizes and modes: they are kept up to some moment, and any sync is such
	// a moment for all that was done before it. Unsynced bytes are lost one write at a time.
	Ordered Rule = "ordered"
	// Scattered keeps, loses or tears everything that was not synced, each for itself: ALICE's.
	Scattered Rule = "scattered"
)

// Rules are all of them.
var Rules = []Rule{Strict, Ordered, Scattered}

// Crash is one power cut.
type Crash struct {
	At   int    // after so many of the recording's operations
	Rule Rule   // for what was not synced
	Seed uint64 // of what is left to chance
	// Journalled, if set, names what is treated by the rule Ordered in any case: the files of a program that builds on that, as
	// git does with its own folder.
	Journalled func(path string) bool
}

// After is what the disk holds after a power cut. The same crash leaves the same image.
func (r Recording) After(c Crash) Image {
	im := r.Base.clone()
	dice := rand.New(rand.NewPCG(c.Seed, uint64(c.At))) //nolint:gosec // chances, not secrets
	done := r.Ops[:c.At]
	fates := c.fates(done, dice)
	for i, o := range done {
		im.born(o)
		switch fates[i] {
		case kept:
			im.apply(o)
		case torn:
			im.apply(tear(o, dice))
		case blank:
			im.resize(o.ID, max(im.size(o.ID), o.Offset+int64(len(o.Data))))
		case lost:
		}
	}
	return im
}

// fate is what becomes of an operation.
type fate int

const (
	kept  fate = iota
	lost       // as if it had not been done
	torn       // only a part of the bytes was written
	blank      // the file has grown, and holds zeros
)

// fates decides for each operation.
func (c Crash) fates(done []Op, dice *rand.Rand) []fate {
	safe := c.safe(done)
	out := make([]fate, len(done))
	var journal []int // operations that a file system's journal may still hold, in order
	for i, o := range done {
		switch {
		case safe[i]:
		case c.journalled(o) && o.Kind != Write:
			journal = append(journal, i)
		default:
			out[i] = c.chance(o, dice)
		}
	}
	if len(journal) > 0 {
		for _, i := range journal[dice.IntN(len(journal)+1):] {
			out[i] = lost
		}
	}
	return out
}

func (c Crash) journalled(o Op) bool {
	return c.Rule == Ordered || c.Journalled != nil && c.Journalled(o.Path)
}

// safe finds out which operations are on the disk for certain: those that a later sync covers.
func (c Crash) safe(done []Op) []bool {
	out := make([]bool, len(done))
	files, folders, synced := map[ID]bool{}, map[ID]bool{}, false
	for i := len(done) - 1; i >= 0; i-- {
		o := done[i]
		switch {
		case o.Kind == Sync:
			files[o.ID], synced = true, true
		case o.Kind == SyncFolder:
			folders[o.ID], synced = true, true
		case o.names():
			out[i] = folders[o.Folder] || o.Kind == Rename && folders[o.Into] || synced && c.journalled(o)
		case o.content():
			out[i] = files[o.ID] || folders[o.ID] || synced && o.Kind != Write && c.journalled(o)
		default:
			out[i] = true // it leaves nothing
		}
	}
	return out
}

// chance is what becomes of an operation that no sync covers.
func (c Crash) chance(o Op, dice *rand.Rand) fate {
	switch {
	case c.Rule == Strict:
		return lost
	case o.Kind == Write:
		return []fate{kept, lost, torn, blank}[dice.IntN(4)]
	}
	return []fate{kept, lost}[dice.IntN(2)]
}

// tear leaves the part of a write before or after a boundary of sectors or pages; where there is none, all of it.
func tear(o Op, dice *rand.Rand) Op {
	unit := []int64{512, 4096}[dice.IntN(2)]
	first := o.Offset/unit + 1
	n := (o.Offset+int64(len(o.Data))-1)/unit - first + 1
	if n <= 0 {
		return o
	}
	cut := (first+dice.Int64N(n))*unit - o.Offset
	if dice.IntN(2) == 0 {
		o.Data = o.Data[:cut]
	} else {
		o.Data, o.Offset = o.Data[cut:], o.Offset+cut
	}
	return o
}
