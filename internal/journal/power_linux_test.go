package journal_test

import (
	"context"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fettle/internal/edit"
	"fettle/internal/journal"
	"fettle/internal/testenv/disk"
)

func TestMain(m *testing.M) {
	disk.Main()
	os.Exit(m.Run())
}

// A set that was announced survives a power cut, in the database and in the ledger; so do the images that were secured, and
// that a set was aborted.
func TestPowerCut(t *testing.T) {
	s := journal.Set{Kind: journal.Apply, Entries: []journal.Entry{change("a.py", "1", "2")}, Temps: []string{"a.tmp"}}
	announce := func(t *testing.T, dir string) (*journal.Journal, journal.Set) {
		j := open(t, filepath.Join(dir, "state"))
		made, err := j.Announce(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		return j, made
	}
	look := func(state journal.State, images ...string) func(t *testing.T, dir string) {
		return func(t *testing.T, dir string) {
			dir = filepath.Join(dir, "state")
			j := open(t, dir)
			rebuilt := open(t, filepath.Join(filepath.Dir(dir), "rebuilt"))
			log, err := os.ReadFile(filepath.Join(dir, "journal.log"))
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(rebuilt.Dir(), "journal.log"), log, 0o600); err != nil {
				t.Fatal(err)
			}
			if _, err := rebuilt.CatchUp(t.Context()); err != nil {
				t.Fatal(err)
			}
			for from, j := range map[string]*journal.Journal{"the database": j, "the ledger": rebuilt} {
				sets, err := j.List(t.Context(), journal.Filter{})
				if err != nil || len(sets) != 1 || sets[0].State != state || !cmp.Equal(sets[0].Temps, s.Temps) || !cmp.Equal(sets[0].Entries, s.Entries) {
					t.Errorf("%s: %+v, %v", from, sets, err)
				}
			}
			for _, text := range images {
				if data, err := j.Blob(edit.Sum([]byte(text))); string(data) != text {
					t.Errorf("image: %q, %v", data, err)
				}
			}
		}
	}
	t.Run("announced", func(t *testing.T) {
		disk.Cut(t, func(t *testing.T, dir string) { announce(t, dir) }, look(journal.Intent))
	})
	t.Run("secured", func(t *testing.T) {
		disk.Cut(t, func(t *testing.T, dir string) {
			j, made := announce(t, dir)
			if err := j.Secure(made, []byte("1"), []byte("2")); err != nil {
				t.Fatal(err)
			}
		}, look(journal.Intent, "1", "2"))
	})
	t.Run("aborted", func(t *testing.T) {
		disk.Cut(t, func(t *testing.T, dir string) {
			j, made := announce(t, dir)
			if err := j.Abort(context.WithoutCancel(t.Context()), made.ID); err != nil {
				t.Fatal(err)
			}
		}, look(journal.Aborted))
	})
}

// A set whose mark could not be written, in the database or in the ledger, has no mark: it can still be aborted.
func TestFinishOnAFailingDisk(t *testing.T) {
	at := t.TempDir()
	d := disk.Mount(t, at)
	j := open(t, filepath.Join(at, "state"))
	for n := 1; ; n++ {
		s := begin(t, j, journal.Set{Kind: journal.Apply, Entries: []journal.Entry{change("a.py", "1", "2")}})
		d.Fail(disk.Fault{At: n, Once: true, Error: syscall.EIO})
		err := j.Finish(t.Context(), s.ID)
		failed := d.Fail(disk.Fault{}).Failed
		want := journal.Done
		if err != nil {
			want = journal.Aborted
			if err := j.Abort(t.Context(), s.ID); err != nil {
				t.Errorf("operation %d: %v", n, err)
			}
		}
		if got, err := j.Get(t.Context(), s.ID); err != nil || got.State != want {
			t.Errorf("operation %d: %+v, %v; want %s", n, got, err, want)
		}
		if failed == 0 {
			if n < 3 {
				t.Errorf("only %d operations", n)
			}
			return
		}
	}
}
