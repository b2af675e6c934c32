package store_test

import (
	"database/sql"
	"errors"
	"os"
	"path/filepath"
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
