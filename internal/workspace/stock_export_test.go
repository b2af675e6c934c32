package workspace

import (
	"bytes"
	"crypto/sha256"
	"os"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/sys/unix"
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

// What was remembered before the clock was set back is not believed: a file that is written now may get the same times.
func TestStockAfterTheClockWasSetBack(t *testing.T) {
	root, file := t.TempDir(), filepath.Join(t.TempDir(), "stock")
	if err := os.WriteFile(filepath.Join(root, "a"), []byte("text"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := OpenStock(root, file)
	if _, err := s.Take(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if len(loadStock(file)) != 1 {
		t.Fatal("nothing is remembered at all")
	}
	later := time.Now().Add(time.Hour)
	if err := os.Chtimes(file, later, later); err != nil {
		t.Fatal(err)
	}
	if loadStock(file) != nil {
		t.Error("what was remembered is believed")
	}
	var st unix.Stat_t
	if err := unix.Lstat(filepath.Join(root, "a"), &st); err != nil {
		t.Fatal(err)
	}
	wrong := newStockedFolder("", s.known[""].mode, []Entry{{Name: "a", Mode: 0o600, By: Content}}, []fileStat{statOf(&st)})
	s.known[""] = wrong
	if _, err := s.Take(t.Context()); err != nil || s.known[""] != wrong {
		t.Fatalf("what is remembered is not used: %v", err)
	}
	s.taken = later
	if _, err := s.Take(t.Context()); err != nil || s.known[""] == wrong {
		t.Errorf("what was learnt before the clock was set back is believed; %v", err)
	}
}
