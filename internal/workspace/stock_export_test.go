package workspace

import (
	"bytes"
	"crypto/sha256"
	"testing"
)

// FuzzDecodeStock feeds damaged files whose checksum is right: the decoder must say that nothing is known, or what encodes to
// the same again.
func FuzzDecodeStock(f *testing.F) {
	good := encodeStock(map[string]*stockedFolder{
		"":    newStockedFolder("", 0o755, []Entry{{Name: "a", By: Content}, {Name: "b"}}, []fileStat{{ino: 1, size: 2, mtime: 3, ctime: 4, mode: 5}, {}}),
		"sub": newStockedFolder("sub", 0o700, nil, nil),
	})
	f.Add(good[:len(good)-sha256.Size])
	f.Add(stockMagic)
	f.Add(append(bytes.Clone(stockMagic), 0xff, 0xff, 0xff, 0xff, 0x0f))
	f.Fuzz(func(t *testing.T, body []byte) {
		sum := sha256.Sum256(body)
		stock := decodeStock(append(bytes.Clone(body), sum[:]...))
		if stock == nil {
			return
		}
		again := decodeStock(encodeStock(stock))
		if len(again) != len(stock) {
			t.Fatalf("%d folders, were %d", len(again), len(stock))
		}
		for p, f := range stock {
			if again[p] == nil || again[p].sum != f.sum {
				t.Fatalf("%q reads differently", p)
			}
		}
	})
}
