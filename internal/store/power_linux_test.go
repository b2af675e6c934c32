package store_test

import (
	"database/sql"
	"os"
	"path/filepath"
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
