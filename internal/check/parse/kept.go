package parse

import "strings"

// Bounds of what is kept of one test's or block's output: its beginning, where it says what went wrong, and its end.
const (
	keptHead = 16 << 10
	keptTail = 16 << 10
)

// kept holds the first and the last lines of some output.
type kept struct {
	head, tail         []string
	headSize, tailSize int
	gap                bool // lines between head and tail were dropped
}

func (k *kept) add(line string) {
	if len(line) > keptHead/4 {
		line = shorten(line, keptHead/4)
	}
	size := len(line) + 16 // an empty line costs something too
	if k.tail == nil && k.headSize+size <= keptHead {
		k.head = append(k.head, line)
		k.headSize += size
		return
	}
	k.tail = append(k.tail, line)
	for k.tailSize += size; k.tailSize > keptTail; k.gap = true {
		k.tailSize -= len(k.tail[0]) + 16
		k.tail = k.tail[1:]
	}
}

// lines are the lines in their order, with an ellipsis where some were dropped.
func (k *kept) lines() []string {
	out := append([]string(nil), k.head...)
	if k.gap {
		out = append(out, "…")
	}
	return append(out, k.tail...)
}

func (k *kept) String() string { return strings.Join(k.lines(), "\n") }
