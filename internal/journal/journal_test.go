package journal_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"fettle/internal/edit"
	"fettle/internal/journal"
	"fettle/internal/store"
)

// open opens the journal in dir, as a new process would.
func open(t *testing.T, dir string) *journal.Journal {
	t.Helper()
	db, err := store.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	j, err := journal.Open(db, dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { j.Close() })
	return j
}

func image(text string) journal.Image {
	return journal.ImageOf(edit.File{Data: []byte(text), Mode: 0o644, Exists: true})
}

// change is an entry between two texts; "" means no file.
func change(path, before, after string) journal.Entry {
	e := journal.Entry{Path: path, Op: edit.Modify}
	if before != "" {
		e.Before = image(before)
	}
	if after != "" {
		e.After = image(after)
	}
	switch {
	case before == "":
		e.Op = edit.Create
	case after == "":
		e.Op = edit.Delete
	}
	return e
}

func begin(t *testing.T, j *journal.Journal, s journal.Set) journal.Set {
	t.Helper()
	out, err := j.Begin(t.Context(), s, []byte("1"), []byte("2"), []byte("3"))
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func done(t *testing.T, j *journal.Journal, s journal.Set) journal.Set {
	t.Helper()
	s = begin(t, j, s)
	if err := j.Finish(t.Context(), s.ID); err != nil {
		t.Fatal(err)
	}
	s.State = journal.Done
	return s
}

func TestASetComesBackAsItWasWritten(t *testing.T) {
	dir := t.TempDir()
	want := begin(t, open(t, dir), journal.Set{
		Session: "s1", Iteration: 2, Author: "ruff", Reason: "unused import\nin ünï 'code'", Kind: journal.Apply,
		Entries: []journal.Entry{change("a.py", "1", "2"), change("new dir/b.py", "", "3"), change("c.py", "1", "")},
		Folders: []string{"new dir"}, Temps: []string{"x.tmp", "new dir/y.tmp", "z.tmp"},
	})
	if want.ID != 1 || want.State != journal.Intent || time.Since(want.At) > time.Minute {
		t.Errorf("Begin gave %+v", want)
	}
	j := open(t, dir)
	got, err := j.Get(t.Context(), want.ID)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if b, err := j.Blob(want.Entries[0].After.Hash); string(b) != "2" || err != nil {
		t.Errorf("the image: %q, %v", b, err)
	}
}

func TestStates(t *testing.T) {
	j := open(t, t.TempDir())
	one := begin(t, j, journal.Set{Kind: journal.Apply, Entries: []journal.Entry{change("a", "1", "2")}})
	two := begin(t, j, journal.Set{Kind: journal.Apply, Entries: []journal.Entry{change("b", "1", "2")}})
	pending := func() (ids []int64) {
		sets, err := j.Pending(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range sets {
			ids = append(ids, s.ID)
		}
		return ids
	}
	if diff := cmp.Diff([]int64{two.ID, one.ID}, pending()); diff != "" {
		t.Error(diff)
	}
	if err := errors.Join(j.Finish(t.Context(), one.ID), j.Abort(t.Context(), two.ID)); err != nil {
		t.Fatal(err)
	}
	if ids := pending(); ids != nil {
		t.Errorf("still pending: %v", ids)
	}
	for _, err := range []error{j.Finish(t.Context(), two.ID), j.Abort(t.Context(), one.ID), j.Finish(t.Context(), 77)} {
		if !errors.Is(err, journal.ErrNotFound) {
			t.Errorf("settling what is not under way: %v", err)
		}
	}
	a, errA := j.Get(t.Context(), one.ID)
	b, errB := j.Get(t.Context(), two.ID)
	if a.State != journal.Done || b.State != journal.Aborted || errA != nil || errB != nil {
		t.Errorf("states %s and %s, %v, %v", a.State, b.State, errA, errB)
	}
	if _, err := j.Get(t.Context(), 77); !errors.Is(err, journal.ErrNotFound) {
		t.Errorf("Get of no set: %v", err)
	}
}

func TestWhatCouldNotBeTakenBackIsRefused(t *testing.T) {
	j := open(t, t.TempDir())
	_, err := j.Begin(t.Context(), journal.Set{Kind: journal.Apply, Entries: []journal.Entry{change("a", "never kept", "2")}}, []byte("2"))
	if err == nil || !strings.Contains(err.Error(), "not kept") {
		t.Errorf("%v", err)
	}
	if sets, err := j.List(t.Context(), journal.Filter{}); err != nil || len(sets) != 1 || sets[0].State != journal.Aborted {
		t.Errorf("%v, %v", sets, err)
	}
}

func TestList(t *testing.T) {
	j := open(t, t.TempDir())
	for i := range 6 {
		done(t, j, journal.Set{
			Session: fmt.Sprint("s", i%2), Iteration: i/2 + 1, Kind: journal.Apply,
			Entries: []journal.Entry{change(fmt.Sprint("f", i%3), "1", "2"), change("common", "1", "2")},
		})
	}
	for _, c := range []struct {
		name string
		f    journal.Filter
		want []int64
	}{
		{"all", journal.Filter{}, []int64{6, 5, 4, 3, 2, 1}},
		{"newest", journal.Filter{Limit: 2}, []int64{6, 5}},
		{"session", journal.Filter{Session: "s1"}, []int64{6, 4, 2}},
		{"iteration", journal.Filter{Session: "s1", Iteration: 2}, []int64{4}},
		{"path", journal.Filter{Path: "f0"}, []int64{4, 1}},
		{"path and session", journal.Filter{Path: "f0", Session: "s0"}, []int64{1}},
		{"nothing", journal.Filter{Path: "' OR 1=1"}, nil},
		{"state", journal.Filter{State: journal.Intent}, nil},
	} {
		sets, err := j.List(t.Context(), c.f)
		if err != nil {
			t.Fatal(err)
		}
		var ids []int64
		for _, s := range sets {
			ids = append(ids, s.ID)
			if len(s.Entries) != 2 {
				t.Errorf("%s: set %d has %d entries", c.name, s.ID, len(s.Entries))
			}
		}
		if diff := cmp.Diff(c.want, ids); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
}

func TestManyEntries(t *testing.T) {
	j := open(t, t.TempDir())
	var entries []journal.Entry
	for i := range 1234 {
		entries = append(entries, change(fmt.Sprintf("f%05d", i), "1", "2"))
	}
	s := begin(t, j, journal.Set{Kind: journal.Apply, Entries: entries})
	got, err := j.Get(t.Context(), s.ID)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(entries, got.Entries); diff != "" {
		t.Error(diff)
	}
}

func TestImages(t *testing.T) {
	dir := t.TempDir()
	j := open(t, dir)
	contents := [][]byte{{}, []byte("\x00\xff\r\n"), []byte(strings.Repeat("long ", 100_000)), []byte("twice"), []byte("twice")}
	for range 2 {
		if err := j.Secure(journal.Set{}, contents...); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range contents {
		if got, err := j.Blob(edit.Sum(c)); string(got) != string(c) || err != nil {
			t.Errorf("%d bytes came back as %d, %v", len(c), len(got), err)
		}
	}
	files := 0
	err := filepath.Walk(filepath.Join(dir, "blobs"), func(p string, info os.FileInfo, err error) error {
		if want := os.FileMode(0o600); !info.IsDir() && info.Mode().Perm() != want {
			t.Errorf("%s: mode %v", p, info.Mode())
		}
		if info.IsDir() && info.Mode().Perm() != 0o700 {
			t.Errorf("%s: mode %v", p, info.Mode())
		}
		if !info.IsDir() {
			files++
		}
		return err
	})
	if err != nil || files != 4 {
		t.Errorf("%d files, %v, want 4 and no temporary ones", files, err)
	}
	for _, h := range []edit.Hash{edit.Sum([]byte("never kept")), "", "../../etc/passwd", "ab"} {
		if _, err := j.Blob(h); !errors.Is(err, journal.ErrNotFound) {
			t.Errorf("Blob(%q): %v", h, err)
		}
	}
}

// What a crash left of an image under its name is neither trusted nor in the way.
func TestTornImageIsWrittenAnew(t *testing.T) {
	dir := t.TempDir()
	whole := []byte("content")
	for _, torn := range []string{"", "cont", "c0ntent", "content and more"} {
		j := open(t, dir)
		if err := os.WriteFile(filepath.Join(dir, "blobs", string(edit.Sum(whole))), []byte(torn), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := j.Secure(journal.Set{}, whole); err != nil {
			t.Fatal(err)
		}
		if b, err := j.Blob(edit.Sum(whole)); string(b) != string(whole) || err != nil {
			t.Errorf("after %q: %q, %v", torn, b, err)
		}
	}
	if left, err := os.ReadDir(filepath.Join(dir, "blobs")); len(left) != 1 || err != nil {
		t.Errorf("%v, %v", left, err)
	}
}

func TestDamagedImageIsNotHandedOut(t *testing.T) {
	dir := t.TempDir()
	j := open(t, dir)
	if err := j.Secure(journal.Set{}, []byte("content")); err != nil {
		t.Fatal(err)
	}
	h := edit.Sum([]byte("content"))
	file := filepath.Join(dir, "blobs", string(h))
	if err := os.WriteFile(file, []byte("c0ntent"), 0o600); err != nil {
		t.Fatal(err)
	}
	if b, err := j.Blob(h); err == nil || !strings.Contains(err.Error(), file) {
		t.Errorf("%q, %v", b, err)
	}
}

// A database that is lost is made again from the ledger: every set in its last state, undo stack and all. Lines that a power
// cut tore are passed over.
func TestRebuild(t *testing.T) {
	dir := t.TempDir()
	j := open(t, dir)
	one := done(t, j, journal.Set{Session: "s1", Kind: journal.Apply, Author: "ruff", Entries: []journal.Entry{change("a", "1", "2")}, Temps: []string{"x.tmp"}})
	done(t, j, journal.Set{Session: "s1", Kind: journal.Undo, Of: one.ID, Entries: []journal.Entry{change("a", "2", "1")}})
	gone := begin(t, j, journal.Set{Kind: journal.Apply, Entries: []journal.Entry{change("b", "1", "3")}, Folders: []string{"new"}})
	if err := j.Abort(t.Context(), gone.ID); err != nil {
		t.Fatal(err)
	}
	begin(t, j, journal.Set{Kind: journal.Apply, Entries: []journal.Entry{change("c", "", "3")}, Temps: []string{"c.tmp"}})
	all := func(j *journal.Journal) []journal.Set {
		sets, err := j.List(t.Context(), journal.Filter{})
		if err != nil {
			t.Fatal(err)
		}
		return sets
	}
	want := all(j)
	log := filepath.Join(dir, "journal.log")
	text, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	last := strings.LastIndex(strings.TrimSuffix(string(text), "\n"), "\n") + 1
	for name, c := range map[string]struct {
		text string
		sets int
	}{
		"whole": {string(text), 4}, "torn at its end": {string(text[:len(text)-5]), 3}, "nothing of its end": {string(text[:last]), 3},
		"noise in the middle": {strings.Replace(string(text), "\n", "\nnoise\n00000000 {}\n", 1), 4}, "empty": {"", 0},
	} {
		fresh := t.TempDir()
		if err := os.WriteFile(filepath.Join(fresh, "journal.log"), []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		again := open(t, fresh)
		n, err := again.CatchUp(t.Context())
		if err != nil || n != c.sets {
			t.Errorf("%s: %d sets, %v", name, n, err)
		}
		if got := all(again); c.sets > 0 {
			if diff := cmp.Diff(want[4-c.sets:], got); diff != "" {
				t.Errorf("%s: %s", name, diff)
			}
		}
		begin(t, again, journal.Set{Kind: journal.Apply, Entries: []journal.Entry{change("d", "1", "2")}})
		if sets := all(again); sets[0].ID != int64(c.sets+1) {
			t.Errorf("%s: the next set is %d", name, sets[0].ID)
		}
		third := open(t, t.TempDir())
		if err := os.Rename(filepath.Join(fresh, "journal.log"), filepath.Join(third.Dir(), "journal.log")); err != nil {
			t.Fatal(err)
		}
		if n, err := third.CatchUp(t.Context()); n != c.sets+1 || err != nil {
			t.Errorf("%s: written on, it holds %d sets, %v", name, n, err)
		}
	}
	if _, err := j.Prune(t.Context(), time.Now().Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	pruned, err := os.ReadFile(log)
	if err != nil || strings.Count(string(pruned), "\n") != len(all(j)) {
		t.Errorf("after Prune, with %d sets: %s, %v", len(all(j)), pruned, err)
	}
}

// A database that comes back from an earlier day, or whose write-ahead log was lost, gets what it lacks from the ledger, and the next
// set gets a number that none had before. A ledger that is gone or lacks its end is written anew from the rows.
func TestCatchUpBothWays(t *testing.T) {
	dir := t.TempDir()
	db, err := store.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	j, err := journal.Open(db, dir)
	if err != nil {
		t.Fatal(err)
	}
	next := func(j *journal.Journal) journal.Set {
		return done(t, j, journal.Set{Kind: journal.Apply, Entries: []journal.Entry{change("a", "1", "2")}, Temps: []string{"t"}})
	}
	next(j)
	if err := errors.Join(j.Close(), db.Close()); err != nil {
		t.Fatal(err)
	}
	file, log := filepath.Join(dir, store.File), filepath.Join(dir, "journal.log")
	yesterday, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	j = open(t, dir)
	next(j)
	open2 := begin(t, j, journal.Set{Kind: journal.Apply, Entries: []journal.Entry{change("b", "1", "3")}})
	want, err := j.List(t.Context(), journal.Filter{})
	if err != nil {
		t.Fatal(err)
	}
	fresh := t.TempDir()
	text, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{store.File: yesterday, "journal.log": text} {
		if err := os.WriteFile(filepath.Join(fresh, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	again := open(t, fresh)
	for i, lost := range []int{2, 0} {
		if n, err := again.CatchUp(t.Context()); n != lost || err != nil {
			t.Errorf("time %d: %d sets, %v; want %d", i+1, n, err, lost)
		}
	}
	got, err := again.List(t.Context(), journal.Filter{})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if err := again.Abort(t.Context(), open2.ID); err != nil {
		t.Error(err)
	}
	if s := next(again); s.ID != 4 {
		t.Errorf("the next set is %d", s.ID)
	}
	mended := func(name string, damage func(string) error) {
		t.Helper()
		if err := again.Close(); err != nil {
			t.Fatal(err)
		}
		ledger := filepath.Join(fresh, "journal.log")
		if err := damage(ledger); err != nil {
			t.Fatal(err)
		}
		if err := again.MendLedger(t.Context()); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		text, err := os.ReadFile(ledger)
		if err != nil {
			t.Fatal(err)
		}
		third := open(t, t.TempDir())
		if err := os.WriteFile(filepath.Join(third.Dir(), "journal.log"), text, 0o600); err != nil {
			t.Fatal(err)
		}
		if n, err := third.CatchUp(t.Context()); n != 4 || err != nil {
			t.Errorf("%s: the ledger holds %d sets, %v", name, n, err)
		}
	}
	mended("gone", os.Remove)
	mended("its end is gone", func(ledger string) error { return os.Truncate(ledger, 500) })
	mended("garbage", func(ledger string) error { return os.WriteFile(ledger, bytes.Repeat([]byte{0xff}, 300<<10), 0o600) })
}
