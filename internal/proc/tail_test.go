package proc

import (
	"bytes"
	"fmt"
	"testing"

	"pgregory.net/rapid"
)

// However a stream is cut into pieces, its two ends are kept exactly and the rest is counted.
func TestKeeperKeepsBothEnds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := make([]byte, rapid.IntRange(0, 3*(HeadSize+TailSize)).Draw(t, "size"))
		for i := range all {
			all[i] = byte(i*7 + i>>8)
		}
		var k keeper
		for rest := all; len(rest) > 0; {
			n := rapid.IntRange(1, min(len(rest), 40<<10)).Draw(t, "piece")
			k.add(rest[:n])
			rest = rest[n:]
		}
		got := k.tail()
		head := all[:min(HeadSize, len(all))]
		end := all[max(len(head), len(all)-TailSize):]
		if got.Total != int64(len(all)) || !bytes.Equal(got.Head, head) || !bytes.Equal(got.End, end) {
			t.Fatalf("kept %d and %d of %d bytes", len(got.Head), len(got.End), got.Total)
		}
		if got.Truncated() != (len(all) > HeadSize+TailSize) {
			t.Fatal("Truncated is wrong")
		}
		if !got.Truncated() && got.String() != string(all) {
			t.Fatal("a whole stream does not come back as it was")
		}
	})
}

func ExampleTail_String() {
	t := Tail{Head: []byte("first line"), End: []byte("last line\n"), Total: 1020}
	fmt.Print(t)
	// Output:
	// first line
	// … 1000 bytes left out …
	// last line
}
