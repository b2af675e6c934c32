package workspace

import (
	"crypto/sha256"
	"testing"
)

// FuzzDecodeStats feeds damaged caches whose checksum is right: the decoder must say that nothing is known, or what encodes to
// the same again.
func FuzzDecodeStats(f *testing.F) {
	good := encodeStats(map[string]fileStat{"a": {ino: 1, size: 2, mtime: 3, ctime: 4, mode: 5}, "b/c": {ino: 6}})
	f.Add(good[:len(good)-sha256.Size])
	f.Add(statsMagic)
	f.Add(append(append([]byte(nil), statsMagic...), 0xff, 0xff, 0xff, 0xff, 0x0f))
	f.Fuzz(func(t *testing.T, body []byte) {
		sum := sha256.Sum256(body)
		stats := decodeStats(append(append([]byte(nil), body...), sum[:]...))
		if stats == nil {
			return
		}
		again := decodeStats(encodeStats(stats))
		if len(again) != len(stats) {
			t.Fatalf("%d records, were %d", len(again), len(stats))
		}
		for p, s := range stats {
			if again[p] != s {
				t.Fatalf("%q reads differently", p)
			}
		}
	})
}
