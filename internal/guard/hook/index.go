package hook

import (
	"bytes"
	"encoding/binary"
	"io/fs"
	"os"
	"slices"
	"syscall"
	"time"
)

// index is what git's index says of a repository's files. One that cannot be read says nothing.
type index struct {
	data    []byte
	places  []uint32 // where the entries begin that git goes by as they are, in the order of their names
	written time.Time
}

// readIndex reads an index whole.
func readIndex(file string) *index {
	info, err := os.Lstat(file)
	if err != nil {
		return &index{}
	}
	data, err := limited(file, maxIndex)
	if err != nil {
		return &index{}
	}
	x := &index{data: data, written: info.ModTime()}
	x.divide()
	return x
}

// fixed are the bytes of an entry before its name, with the hash of SHA-1.
const fixed = 62

// divide finds the entries of an index of version 2 or 3.
func (x *index) divide() {
	const head, sum = 12, 20
	if len(x.data) < head+sum || !bytes.HasPrefix(x.data, []byte("DIRC")) {
		return
	}
	version := binary.BigEndian.Uint32(x.data[4:])
	if version != 2 && version != 3 {
		return
	}
	at := head
	for range binary.BigEndian.Uint32(x.data[8:]) {
		rest := x.data[at:]
		if len(rest) < fixed+2 {
			return
		}
		flags, name := binary.BigEndian.Uint16(rest[60:]), rest[fixed:]
		extended := version == 3 && flags&0x4000 != 0
		if extended {
			name = name[2:]
		}
		end := bytes.IndexByte(name, 0)
		if end < 0 {
			return
		}
		if !extended && flags&0xb000 == 0 { // neither taken for unchanged, nor left out, nor one side of a conflict
			x.places = append(x.places, uint32(at))
		}
		size := len(rest) - len(name) + end
		if size = size/8*8 + 8; size > len(rest) {
			return
		}
		at += size
	}
}

// at is the entry at a place, and the path that it is about, seen from the folder of the repository's files.
func (x *index) at(place uint32) (name []byte, e entry) {
	rest := x.data[place:]
	name = rest[fixed:]
	return name[:bytes.IndexByte(name, 0)], entry(rest[:fixed])
}

// entry is that of a file.
func (x *index) entry(rel string) (entry, bool) {
	i, found := slices.BinarySearchFunc(x.places, []byte(rel), func(at uint32, rel []byte) int {
		name, _ := x.at(at)
		return bytes.Compare(name, rel)
	})
	if !found {
		return nil, false
	}
	_, e := x.at(x.places[i])
	return e, true
}

// holds reports that a file is on the disk as its entry says, and was so before the index was written: one that was written in the same moment may have changed since.
func (x *index) holds(file string, e entry) bool {
	info, err := os.Lstat(file)
	return err == nil && info.ModTime().Before(x.written) && e.of(info)
}

// entry is what the index keeps of a file's state, and the id of its content.
type entry []byte

// id is that of the content, among git's objects.
func (e entry) id() []byte { return e[40:60] }

// size is how long the file was.
func (e entry) size() int64 { return int64(binary.BigEndian.Uint32(e[36:])) }

// of reports that a file is on the disk as the entry says.
func (e entry) of(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && info.Mode().IsRegular() && e.is(stat)
}
