package workspace_test

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"fettle/internal/edit"
	"fettle/internal/journal"
	"fettle/internal/store"
	"fettle/internal/testenv"
	"fettle/internal/workspace"
)

// A program that swaps a file, or the folder it is in, for a link to outside, as fast as it can while fettle writes, gets not
// one byte outside the tree. It swaps at least ten times for each write. In continuous integration without the race detector fettle tries five
// times as often, and in make bench-paths and make soak until it has written 10,000 times.
func TestRaces(t *testing.T) {
	enough, written := 200, 0
	if testenv.CI() && !testenv.Race() {
		enough = 1000
	}
	if os.Getenv("FETTLE_SOAK") != "" {
		enough, written = 10_000, 10_000
	}
	for _, what := range []string{"file", "folder"} {
		t.Run(what, func(t *testing.T) {
			p := newPlace(t)
			must(t, os.WriteFile(filepath.Join(p.outside, "f"), []byte("theirs"), 0o644))
			p.put("d/f", "0")
			target, link := filepath.Join(p.root, "d", "f"), p.outside+"/f"
			if what == "folder" {
				target, link = filepath.Join(p.root, "d"), p.outside
			}
			flips, stop := flip(t, target, link)
			tree, _ := p.open(workspace.Options{})
			wrote, tries := 0, 0
			for i := 0; tries < enough || wrote < written || flips() < 10*enough || tries < 20*enough && (wrote == tries || wrote < enough/20); i++ {
				f, err := tree.Source()("d/f")
				if err != nil || !f.Exists {
					continue
				}
				tries++
				if string(f.Data) == "theirs" {
					t.Fatal("read from outside")
				}
				if _, err = tree.Apply(t.Context(), edit.Patch{modify("d/f", string(f.Data), strconv.Itoa(i+1))}, workspace.Why{}); err == nil {
					wrote++
				}
			}
			stop()
			t.Logf("%d writes tried, %d done, %d swaps", tries, wrote, flips())
			if wrote < enough/20 || wrote == tries {
				t.Errorf("%d of %d writes: nothing was tested", wrote, tries)
			}
			entries, err := os.ReadDir(p.outside)
			if len(entries) != 1 || err != nil {
				t.Errorf("outside: %v, %v", entries, err)
			}
			if b, err := os.ReadFile(filepath.Join(p.outside, "f")); string(b) != "theirs" || err != nil {
				t.Errorf("outside: %q, %v", b, err)
			}
		})
	}
}

// TestRacesOfEveryChange makes, deletes, moves and takes back while the folder is swapped for a link to one outside that holds the same
// names: nothing outside is made, moved, deleted or changed.
func TestRacesOfEveryChange(t *testing.T) {
	enough := 200
	if testenv.Race() {
		enough = 60
	}
	if os.Getenv("FETTLE_SOAK") != "" {
		enough = 2_000 // each looks through all that was done before
	}
	p := newPlace(t)
	theirs := map[string]string{"f": "same", "g": "same"}
	for name, text := range theirs {
		must(t, os.WriteFile(filepath.Join(p.outside, name), []byte(text), 0o644))
	}
	p.put("d/f", "same")
	swaps, stop := flip(t, filepath.Join(p.root, "d"), p.outside)
	tree, _ := p.open(workspace.Options{})
	done, undone := [3]int{}, 0 // made, deleted, moved
	// A slow disk lets few through, and a busy machine gives the one that swaps few turns.
	for i := 0; i < enough || i < 20*enough && (slices.Contains(done[:], 0) || undone < enough/50 || swaps() < enough); i++ {
		there, other := "d/f", "d/g"
		if f, err := tree.Source()(there); err != nil || !f.Exists {
			there, other = other, there
		}
		move := edit.Patch{create(other, "same"), erase(there, "same")}
		slices.SortFunc(move, func(a, b edit.Change) int { return strings.Compare(a.Path, b.Path) })
		patch := []edit.Patch{{create(other, "same")}, {erase(there, "same")}, move}[i%3]
		if _, err := tree.Apply(t.Context(), patch, workspace.Why{}); err == nil {
			done[i%3]++
		}
		if _, err := tree.Undo(t.Context(), 1); err == nil {
			undone++
		}
	}
	stop()
	flips := swaps()
	t.Logf("%v, %d taken back, %d swaps", done, undone, flips)
	if slices.Contains(done[:], 0) || undone < enough/50 || flips < enough {
		t.Errorf("%v, %d taken back, %d swaps: nothing was tested", done, undone, flips)
	}
	entries, err := os.ReadDir(p.outside)
	if len(entries) != len(theirs) || err != nil {
		t.Errorf("outside: %v, %v", entries, err)
	}
	for name, text := range theirs {
		if b, err := os.ReadFile(filepath.Join(p.outside, name)); string(b) != text || err != nil {
			t.Errorf("outside: %s: %q, %v", name, b, err)
		}
	}
}

// TestRacesForTemporaryFiles: whatever fettle makes in the folder while it writes is swapped at once for a link to a file outside, which stays as it is.
func TestRacesForTemporaryFiles(t *testing.T) {
	enough := 100
	if os.Getenv("FETTLE_SOAK") != "" {
		enough = 2_000
	}
	p := newPlace(t)
	must(t, os.WriteFile(filepath.Join(p.outside, "f"), []byte("theirs"), 0o644))
	p.put("d/f", "0")
	dir := filepath.Join(p.root, "d")
	quit := make(chan struct{})
	var swapped atomic.Int64
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			select {
			case <-quit:
				return
			default:
			}
			entries, _ := os.ReadDir(dir)
			for _, e := range entries {
				if e.Name() == "f" || e.Type()&os.ModeSymlink != 0 {
					continue
				}
				link := filepath.Join(p.root, "link")
				if os.Symlink(p.outside+"/f", link) == nil && os.Rename(link, filepath.Join(dir, e.Name())) == nil {
					swapped.Add(1)
				}
				_ = os.Remove(link)
			}
		}
	})
	tree, _ := p.open(workspace.Options{})
	for i := 0; i < enough || i < 20*enough && swapped.Load() == 0; i++ {
		f, err := tree.Source()("d/f")
		if err != nil || !f.Exists { // the link came to stand in its place
			must(t, os.RemoveAll(filepath.Join(dir, "f")))
			p.put("d/f", "0")
			continue
		}
		_, _ = tree.Apply(t.Context(), edit.Patch{modify("d/f", string(f.Data), strconv.Itoa(i+1))}, workspace.Why{})
	}
	close(quit)
	wg.Wait()
	t.Logf("%d swapped", swapped.Load())
	if swapped.Load() == 0 {
		t.Error("nothing was tested")
	}
	if b, err := os.ReadFile(filepath.Join(p.outside, "f")); string(b) != "theirs" || err != nil {
		t.Errorf("outside: %q, %v", b, err)
	}
	if entries, err := os.ReadDir(p.outside); len(entries) != 1 || err != nil {
		t.Errorf("outside: %v, %v", entries, err)
	}
}

// flip swaps target for a link and back until it is stopped, and says how often: there and back are two swaps. Now and then it lets the target,
// or the link, stand for as long as a write takes, so that some writes succeed and others are hit in the middle, on one core too.
func flip(t *testing.T, target, link string) (swaps func() int, stop func()) {
	t.Helper()
	aside, fake := target+".aside", target+".link"
	must(t, os.Symlink(link, fake))
	quit := make(chan struct{})
	dice := rand.New(rand.NewPCG(testenv.Seed(t), 0))
	var wg sync.WaitGroup
	var n atomic.Int64
	rest := func() {
		if dice.IntN(8) == 0 {
			pause := time.Duration(dice.IntN(4000)) * time.Microsecond
			for start := time.Now(); time.Since(start) < pause; {
				runtime.Gosched()
			}
		}
	}
	wg.Go(func() {
		for {
			select {
			case <-quit:
				return
			default:
			}
			// Errors happen when fettle is in between; the next round finds things as they are.
			_ = os.Rename(target, aside)
			if os.Rename(fake, target) == nil {
				n.Add(1)
			}
			rest()
			if os.Rename(target, fake) == nil {
				n.Add(1)
			}
			if err := os.Rename(aside, target); errors.Is(err, fs.ErrExist) { // fettle made the folder anew while it was aside, with something in it: the old one comes back
				_ = os.RemoveAll(target)
				_ = os.Rename(aside, target)
			}
			rest()
		}
	})
	return func() int { return int(n.Load()) }, func() { close(quit); wg.Wait() }
}

// BenchmarkSafeWrite compares a safe write of 10 KB with the least that a careful program does: write, sync, rename.
func BenchmarkSafeWrite(b *testing.B) {
	texts := []string{string(make([]byte, 10<<10)), string(append([]byte{1}, make([]byte, 10<<10-1)...))}
	b.Run("bare", func(b *testing.B) {
		dir := b.TempDir()
		for i := 0; b.Loop(); i++ {
			f, err := os.CreateTemp(dir, "x")
			if err != nil {
				b.Fatal(err)
			}
			_, err = f.WriteString(texts[i%2])
			if err := errors.Join(err, f.Sync(), f.Close(), os.Rename(f.Name(), filepath.Join(dir, "f"))); err != nil {
				b.Fatal(err)
			}
		}
	})
	for _, c := range []struct {
		name               string
		journalled, images bool // images: each content is new to the journal
	}{{"contained", false, false}, {"journalled", true, false}, {"journalled, new images", true, true}} {
		b.Run(c.name, func(b *testing.B) {
			p := newPlace(b)
			p.put("d/f", texts[1])
			tree, _ := p.open(workspace.Options{})
			release, err := tree.Lock(b.Context(), "benchmark")
			if err != nil {
				b.Fatal(err)
			}
			defer release()
			old := texts[1]
			for i := 0; b.Loop(); i++ {
				text := texts[i%2]
				if c.images {
					text = fmt.Sprintf("%-10240d", i)
				}
				patch := edit.Patch{modify("d/f", old, text)}
				if c.journalled {
					_, err = tree.Apply(b.Context(), patch, workspace.Why{})
				} else {
					err = tree.ApplyUnjournalled(b.Context(), patch)
				}
				if err != nil {
					b.Fatal(err)
				}
				old = text
			}
		})
	}
	b.Run("journal only", func(b *testing.B) {
		p := newPlace(b)
		db, err := store.Open(b.Context(), p.state)
		if err != nil {
			b.Fatal(err)
		}
		defer db.Close()
		j, err := journal.Open(db, p.state)
		if err != nil {
			b.Fatal(err)
		}
		for i := 0; b.Loop(); i++ {
			text := []byte(fmt.Sprintf("%-10240d", i))
			e := journal.Entry{Path: "d/f", Op: edit.Create, After: journal.ImageOf(edit.File{Data: text, Mode: 0o644, Exists: true})}
			s, err := j.Begin(b.Context(), journal.Set{Kind: journal.Apply, Entries: []journal.Entry{e}}, text)
			if err := errors.Join(err, j.Finish(b.Context(), s.ID)); err != nil {
				b.Fatal(err)
			}
		}
	})
}
