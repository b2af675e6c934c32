package edit

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
)

// Digest is the patch's identity: equal for equal patches and only for them, the same in every process and release.
// Two patches with the same effect but other edits have other digests.
func (p Patch) Digest() Hash {
	h := sha256.New()
	var buf []byte
	number := func(n int) { buf = binary.AppendUvarint(buf, uint64(n)) }
	text := func(s string) { // its length first, so that no two patches write the same bytes
		number(len(s))
		buf = append(buf, s...)
	}
	text("fettle patch 1")
	for _, c := range p {
		text(c.Path)
		text(string(c.Op))
		text(string(c.Base))
		number(int(c.Mode))
		number(len(c.Edits))
		for _, e := range c.Edits {
			number(e.Start)
			number(e.End)
			text(string(e.New))
		}
		h.Write(buf)
		buf = buf[:0]
	}
	h.Write(buf)
	return Hash(hex.EncodeToString(h.Sum(nil)))
}
