package store_test

import (
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"fettle/internal/store"
	"fettle/internal/testenv/disk"
)

func TestMain(m *testing.M) {
	disk.Main()
	os.Exit(m.Run())
}

// What a transaction promised survives a power cut, with the folders that were made for it.
func TestPowerCut(t *testing.T) {
	state := func(t *testing.T, dir string) *store.DB {
		t.Helper()
		at, err := store.StateDir(dir, filepath.Join(dir, ".git"), "main")
		if err != nil {
			t.Fatal(err)
		}
		return open(t, at)
	}
	disk.Cut(t, func(t *testing.T, dir string) {
		if err := os.Mkdir(filepath.Join(dir, ".git"), 0o755); err != nil {
			t.Fatal(err)
		}
		err := state(t, dir).Tx(t.Context(), func(tx *sql.Tx) error {
			_, err := tx.Exec(`INSERT INTO sessions (id, created, updated, goal) VALUES ('s', 1, 1, '')`)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}, func(t *testing.T, dir string) {
		if _, err := os.Stat(filepath.Join(dir, ".git")); err != nil {
			t.Fatal(err)
		}
		var n int
		if err := state(t, dir).QueryRow(`SELECT count(*) FROM sessions`).Scan(&n); n != 1 {
			t.Errorf("%d sessions, %v", n, err)
		}
	})
}

// What the disk says is told, in place of the database's own number for it.
func TestDiskError(t *testing.T) {
	for _, errno := range []syscall.Errno{syscall.ENOSPC, syscall.EROFS, syscall.EIO} {
		at := t.TempDir()
		d := disk.Mount(t, at)
		db := open(t, filepath.Join(at, "state"))
		d.Fail(disk.Fault{At: 1, Error: errno})
		err := db.Tx(t.Context(), func(tx *sql.Tx) error {
			_, err := tx.Exec(`INSERT INTO sessions (id, created, updated, goal) VALUES ('s', 1, 1, '')`)
			return err
		})
		d.Fail(disk.Fault{})
		var e *store.DiskError
		if !errors.As(err, &e) || e.Path != db.Path() || !errors.Is(err, errno) || strings.Count(err.Error(), db.Path()) != 1 {
			t.Errorf("%v: %v", errno, err)
		}
		if left, _ := filepath.Glob(filepath.Join(at, "state", "probe-*")); len(left) > 0 {
			t.Errorf("%v: left %v", errno, left)
		}
	}
}

// SQLite calls a database damaged of which a read failed. It is not, whether the disk still fails when it is looked at again or not: nothing
// marks it or puts it aside, and when the disk reads again, everything is there.
func TestReadingFails(t *testing.T) {
	const rows = 200
	at := t.TempDir()
	d := disk.Mount(t, at)
	dir := filepath.Join(at, "state")
	db, err := store.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	err = db.Tx(t.Context(), func(tx *sql.Tx) error {
		for i := range rows {
			if _, err := tx.Exec(`INSERT INTO results (key, check_name, result, at) VALUES (?, 'c', ?, 1)`, strconv.Itoa(i), make([]byte, 1000)); err != nil {
				return err
			}
		}
		return nil
	})
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
	for _, passes := range []bool{false, true} {
		reads := func(f disk.Fault) (failed int, err error) {
			d.Fail(f)
			db, err := store.Open(t.Context(), dir)
			if err == nil {
				err = errors.Join(db.Tx(t.Context(), func(tx *sql.Tx) error {
					var n, size int
					err := tx.QueryRow(`SELECT count(*), sum(length(result)) FROM results`).Scan(&n, &size)
					if err == nil && (n != rows || size != 1000*rows) {
						t.Errorf("%d rows, %d bytes", n, size)
					}
					if err != nil && passes {
						failed = d.Fail(disk.Fault{}).Failed
					}
					return err
				}), db.Close())
			}
			return failed + d.Fail(disk.Fault{}).Failed, err
		}
		counted := 0
		for n := 1; ; n++ {
			failed, err := reads(disk.Fault{At: n, Error: syscall.EIO, Kinds: []disk.Kind{disk.Read}})
			if failed == 0 {
				if err != nil {
					t.Errorf("without a fault: %v", err)
				}
				break
			}
			if !errors.Is(err, syscall.EIO) || errors.Is(err, store.ErrCorrupt) {
				t.Errorf("read %d, which passes: %v: %v", n, passes, err)
			}
			if left, _ := filepath.Glob(filepath.Join(dir, store.File+".*")); len(left) > 0 {
				t.Fatalf("read %d, which passes: %v: taken for a damaged one: %v", n, passes, left)
			}
			if _, err := reads(disk.Fault{}); err != nil {
				t.Fatalf("read %d, which passes: %v: afterwards: %v", n, passes, err)
			}
			counted++
		}
		if counted < 10 {
			t.Errorf("only %d reads", counted)
		}
	}
}
