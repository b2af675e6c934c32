package proc

import (
	"bytes"
	"fmt"
	"strings"
)

// Tail is what was kept of a stream: its beginning and its end. Total counts all of it.
type Tail struct {
	Head  []byte // the first bytes, at most HeadSize
	End   []byte // the last bytes after Head, at most TailSize
	Total int64  // bytes that were printed
}

// How much of a stream is kept.
const (
	HeadSize = 16 << 10
	TailSize = 64 << 10
)

// Truncated reports whether something between Head and End was dropped.
func (t Tail) Truncated() bool { return t.Omitted() > 0 }

// Omitted is the number of bytes between Head and End that were dropped.
func (t Tail) Omitted() int64 { return max(0, t.Total-int64(len(t.Head)+len(t.End))) }

// String is what was kept, with a line of its own in between that says how much was dropped.
func (t Tail) String() string {
	var b strings.Builder
	b.Write(t.Head)
	if n := t.Omitted(); n > 0 {
		if !bytes.HasSuffix(t.Head, []byte("\n")) {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "… %d bytes left out …\n", n)
	}
	b.Write(t.End)
	return b.String()
}

// keeper gathers a Tail as a stream goes by, in constant memory: the end is kept in a ring.
type keeper struct {
	head  []byte
	ring  []byte
	next  int // where the ring continues once it is full
	total int64
}

func (k *keeper) add(p []byte) {
	k.total += int64(len(p))
	if room := HeadSize - len(k.head); room > 0 {
		n := min(room, len(p))
		k.head = append(k.head, p[:n]...)
		p = p[n:]
	}
	if len(p) > TailSize {
		p = p[len(p)-TailSize:]
	}
	if room := TailSize - len(k.ring); room > 0 {
		n := min(room, len(p))
		k.ring = append(k.ring, p[:n]...)
		p = p[n:]
	}
	for len(p) > 0 {
		n := copy(k.ring[k.next:], p)
		k.next = (k.next + n) % TailSize
		p = p[n:]
	}
}

func (k *keeper) tail() Tail {
	end := make([]byte, 0, len(k.ring))
	end = append(end, k.ring[k.next:]...)
	end = append(end, k.ring[:k.next]...)
	return Tail{Head: k.head, End: end, Total: k.total}
}
