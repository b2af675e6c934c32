package store_test

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"fettle/internal/store"
)

func open(t *testing.T, dir string) *store.DB {
	t.Helper()
	db, err := store.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

func TestOpenCreatesAndOpensAgain(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a %41?b#c", "state") // what has a meaning in a URI has none in a folder's name
	if err := os.Mkdir(filepath.Dir(dir), 0o755); err != nil {
		t.Fatal(err)
	}
	for round := range 2 {
		db := open(t, dir)
		var n int
		for _, table := range []string{"sessions", "steps", "change_sets", "changes", "results", "patches"} {
			if err := db.QueryRow("SELECT count(*) FROM " + table).Scan(&n); err != nil || n != 0 {
				t.Errorf("round %d: %s: %d rows, %v", round, table, n, err)
			}
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "state.db")); err != nil {
		t.Error(err)
	}
}

func TestEveryConnectionIsSafe(t *testing.T) {
	db := open(t, t.TempDir())
	for range 2 { // two held at once are two connections
		conn, err := db.Conn(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		for pragma, want := range map[string]string{"journal_mode": "wal", "synchronous": "2", "foreign_keys": "1", "busy_timeout": "5000"} {
			var got string
			if err := conn.QueryRowContext(t.Context(), "PRAGMA "+pragma).Scan(&got); err != nil || got != want {
				t.Errorf("%s is %q, %v, want %q", pragma, got, err, want)
			}
		}
	}
}

func TestOwnerOnly(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state")
	db := open(t, dir)
	if err := db.Tx(t.Context(), insertSession("s1")); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the folder's mode is %v, %v", info.Mode(), err)
	}
	files, err := os.ReadDir(dir)
	if err != nil || len(files) < 2 {
		t.Fatalf("expected the database and its log: %v, %v", files, err)
	}
	for _, f := range files {
		if info, err := f.Info(); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: mode %v, %v", f.Name(), info.Mode(), err)
		}
	}
}

func insertSession(id string) func(*sql.Tx) error {
	return func(tx *sql.Tx) error {
		_, err := tx.Exec(`INSERT INTO sessions (id, created, updated, goal) VALUES (?, 0, 0, '{}')`, id)
		return err
	}
}

func count(t *testing.T, db *store.DB) (n int) {
	t.Helper()
	if err := db.QueryRow("SELECT count(*) FROM sessions").Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

func TestTxIsAllOrNothing(t *testing.T) {
	db := open(t, t.TempDir())
	boom := errors.New("boom")
	err := db.Tx(t.Context(), func(tx *sql.Tx) error { return errors.Join(insertSession("a")(tx), boom) })
	if !errors.Is(err, boom) || count(t, db) != 0 {
		t.Errorf("after an error: %v, %d rows", err, count(t, db))
	}
	func() {
		defer func() { _ = recover() }()
		_ = db.Tx(t.Context(), func(tx *sql.Tx) error { _ = insertSession("b")(tx); panic("boom") })
	}()
	if n := count(t, db); n != 0 {
		t.Errorf("after a panic: %d rows", n)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := db.Tx(ctx, insertSession("c")); !errors.Is(err, context.Canceled) || count(t, db) != 0 {
		t.Errorf("after a cancel: %v, %d rows", err, count(t, db))
	}
	if err := db.Tx(t.Context(), insertSession("d")); err != nil || count(t, db) != 1 {
		t.Errorf("after success: %v, %d rows", err, count(t, db))
	}
}

func TestUnsynced(t *testing.T) {
	dir := t.TempDir()
	db := open(t, dir)
	if err := db.TxUnsynced(t.Context(), insertSession("a")); err != nil {
		t.Fatal(err)
	}
	if n := count(t, open(t, dir)); n != 1 {
		t.Errorf("another process sees %d rows", n)
	}
	if err := db.Sync(); err != nil {
		t.Error(err)
	}
	boom := errors.New("boom")
	err := db.TxUnsynced(t.Context(), func(tx *sql.Tx) error { return errors.Join(insertSession("b")(tx), boom) })
	if !errors.Is(err, boom) || count(t, db) != 1 {
		t.Errorf("after an error: %v, %d rows", err, count(t, db))
	}
}

func TestManyWritersAndOpeners(t *testing.T) {
	dir := t.TempDir()
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			db, err := store.Open(t.Context(), dir)
			if err != nil {
				t.Error(err)
				return
			}
			defer db.Close()
			for k := range 5 {
				if err := db.Tx(t.Context(), insertSession(fmt.Sprint(i, "-", k))); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if n := count(t, open(t, dir)); n != 40 {
		t.Errorf("%d rows, want 40", n)
	}
}

func TestNewerDatabaseIsRefusedUntouched(t *testing.T) {
	dir := t.TempDir()
	db := open(t, dir)
	if _, err := db.Exec("UPDATE schema_version SET version = 99"); err != nil {
		t.Fatal(err)
	}
	db.Close()
	_, err := store.Open(t.Context(), dir)
	var newer *store.NewerError
	if !errors.As(err, &newer) || newer.Have != 99 || !strings.Contains(err.Error(), "update fettle") || strings.Contains(err.Error(), "\n") {
		t.Errorf("%v", err)
	}
}

// A database whose tables are not those of its schema is damaged, too, and stays as it is.
func TestWrongTablesAreDamage(t *testing.T) {
	for name, query := range map[string]string{
		"a table is missing":      `DROP TABLE steps`,
		"no schema":               `DROP TABLE schema_version`,
		"the schema is empty":     `DELETE FROM schema_version`,
		"the schema is no number": `UPDATE schema_version SET version = 'one'`,
		"the schema is below all": `UPDATE schema_version SET version = -1`,
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			db := open(t, dir)
			if _, err := db.Exec(query); err != nil {
				t.Fatal(err)
			}
			db.Close()
			before, err := os.ReadFile(filepath.Join(dir, store.File))
			if err != nil {
				t.Fatal(err)
			}
			if _, err := store.Open(t.Context(), dir); !errors.Is(err, store.ErrCorrupt) || strings.Contains(err.Error(), "\n") {
				t.Errorf("%v", err)
			}
			if after, err := os.ReadFile(filepath.Join(dir, store.File)); err != nil || !bytes.Equal(before, after) {
				t.Errorf("it was touched, %v", err)
			}
		})
	}
}

func TestDamagedDatabaseIsNamed(t *testing.T) {
	for name, content := range map[string]string{
		"text":      strings.Repeat("this is not a database\n", 500),
		"torn":      "SQLite format 3\x00" + strings.Repeat("\xff", 5000),
		"truncated": "truncate",
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			file := filepath.Join(dir, store.File)
			if content == "truncate" {
				db := open(t, dir)
				db.Close()
				whole, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				content = string(whole[:5000])
			}
			if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
			_, err := store.Open(t.Context(), dir)
			if !errors.Is(err, store.ErrCorrupt) || !strings.Contains(err.Error(), file) {
				t.Errorf("%v", err)
			}
			if after, err := os.ReadFile(file); err != nil || string(after) != content {
				t.Errorf("the file was touched: %v", err)
			}
		})
	}
}

func TestLinkedDatabaseIsRefused(t *testing.T) {
	dir, other := t.TempDir(), filepath.Join(t.TempDir(), "victim")
	if err := os.WriteFile(other, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(other, filepath.Join(dir, store.File)); err != nil {
		t.Fatal(err)
	}
	if db, err := store.Open(t.Context(), dir); err == nil {
		db.Close()
		t.Error("a symbolic link was followed")
	}
}

// A database whose beginning is whole and that is damaged further in is found damaged when it is used, and is known to be the
// next time it is opened; put aside, it makes room for a new one.
func TestDamagedFurtherIn(t *testing.T) {
	dir := t.TempDir()
	db, err := store.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	err = db.Tx(t.Context(), func(tx *sql.Tx) error {
		for i := range 2000 {
			if _, err := tx.Exec(`INSERT INTO results (key, check_name, result, at) VALUES (?, 'c', ?, 1)`, strconv.Itoa(i), make([]byte, 200)); err != nil {
				return err
			}
		}
		return nil
	})
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, store.File)
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for i := len(text) / 2; i < len(text); i++ {
		text[i] = 0x55
	}
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	db, err = store.Open(t.Context(), dir)
	if err != nil {
		t.Fatalf("its beginning is whole: %v", err)
	}
	err = db.Tx(t.Context(), func(tx *sql.Tx) error {
		var n int
		return tx.QueryRow(`SELECT sum(length(result)) FROM results`).Scan(&n)
	})
	if err2 := db.Close(); !errors.Is(err, store.ErrCorrupt) || err2 != nil {
		t.Fatalf("read through: %v, %v", err, err2)
	}
	if _, err := store.Open(t.Context(), dir); !errors.Is(err, store.ErrCorrupt) {
		t.Fatalf("opened again: %v", err)
	}
	aside, err := store.Quarantine(dir)
	if err != nil {
		t.Fatal(err)
	}
	if kept, err := os.ReadFile(aside); err != nil || len(kept) != len(text) {
		t.Errorf("put aside: %d bytes, %v", len(kept), err)
	}
	db, err = store.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Error(err)
	}
}
