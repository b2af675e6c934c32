// Package store answers "where does fettle keep what it must not forget?": it finds the private state folder of a working
// tree ([StateDir]), and opens and migrates the database in it ([Open]).
//
// The database is one SQLite file, state.db, written ahead (WAL) and synced at every commit: what a transaction promised is
// there after a crash. Rooms keep their own queries beside their own code and use [DB.Tx]; only the tables' shapes live here,
// in migrations/, one numbered file each, because all of them must be migrated together.
package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// File is the database's name within the state folder.
const File = "state.db"

// ErrCorrupt says that the database cannot be read as one. Errors that wrap it name the file and what to do.
var ErrCorrupt = errors.New("the database is damaged")

// NewerError says that the database was written by a newer fettle than this one.
type NewerError struct {
	Path  string
	Have  int // the schema's version in the file
	Knows int // the newest version this program knows
}

func (e *NewerError) Error() string {
	return fmt.Sprintf("%s was written by a newer fettle (its schema is %d, this program knows up to %d): update fettle", e.Path, e.Have, e.Knows)
}

// DB is an open state database. It may be used by several goroutines at a time.
type DB struct {
	*sql.DB
	unsynced *sql.DB // the same database through connections that do not wait for the disk
	path     string
	turn     chan struct{} // held by the one transaction of this process that writes
}

// Open opens dir/state.db, creating it and the folder (owner-only) where they are missing, and migrates it to the newest
// schema. It returns a [*NewerError] for a database from a newer fettle, and an error that wraps [ErrCorrupt] for a damaged one.
// In both cases the file is left as it was.
func Open(ctx context.Context, dir string) (*DB, error) {
	if err := private(dir); err != nil {
		return nil, err
	}
	path := filepath.Join(dir, File)
	if err := create(path); err != nil {
		return nil, err
	}
	synced, err := sql.Open("sqlite", dsn(path, "FULL"))
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	unsynced, err := sql.Open("sqlite", dsn(path, "NORMAL")) // it connects when it is first used
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open %s: %w", path, err), synced.Close())
	}
	unsynced.SetMaxOpenConns(1)
	db := &DB{DB: synced, unsynced: unsynced, path: path, turn: make(chan struct{}, 1)}
	if err := errors.Join(db.settle(ctx), db.examine(ctx)); err != nil {
		return nil, errors.Join(db.explain(err), db.Close())
	}
	return db, nil
}

// patience is how long opening waits for another fettle that is opening the same database.
const patience = 10 * time.Second

// settle migrates the database. The first switch to the write-ahead log does not wait for other connections by itself, as
// everything after it does, so it is tried again while another process is in the way.
func (db *DB) settle(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for {
		err := db.migrate(ctx)
		var e *sqlite.Error
		if !errors.As(err, &e) || e.Code()&0xff != sqlite3.SQLITE_BUSY {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// Path is where the database's file is.
func (db *DB) Path() string { return db.path }

// Tx runs f in one transaction, which commits when f returns nil and rolls back otherwise, also when f panics. A transaction
// locks the database for writing when it begins, so it never fails half-way because another program came first: it waits
// at the start, for those of this process as long as they take, in their order, and for other programs up to 5 seconds. When Tx returns nil, what f did is synced to the disk.
func (db *DB) Tx(ctx context.Context, f func(*sql.Tx) error) error { return db.tx(ctx, db.DB, f) }

func (db *DB) tx(ctx context.Context, pool *sql.DB, f func(*sql.Tx) error) error {
	select { // SQLite's own waiting knows no order: of many at a time some would wait for too long
	case db.turn <- struct{}{}:
		defer func() { <-db.turn }()
	case <-ctx.Done():
		return ctx.Err()
	}
	tx, err := pool.BeginTx(ctx, nil)
	if err != nil {
		return db.explain(err)
	}
	defer tx.Rollback() //nolint:errcheck // after Commit it has nothing to do, and otherwise the cause is already being returned
	if err := f(tx); err != nil {
		return db.explain(err)
	}
	return db.explain(tx.Commit())
}

// View runs f in one transaction that only reads: all that f sees is of one moment. It waits for nobody.
func (db *DB) View(ctx context.Context, f func(*sql.Tx) error) error {
	tx, err := db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return db.explain(err)
	}
	defer tx.Rollback() //nolint:errcheck // it only read
	return db.explain(f(tx))
}

// longestPath is how long the path of a database may be, so that its companions' can be, too: SQLite takes 512 bytes.
const longestPath = 512 - len("-journal") - 1

// explain adds to an error of the database what a person needs to know.
func (db *DB) explain(err error) error {
	var e *sqlite.Error
	var known *DiskError
	if !errors.As(err, &e) || errors.As(err, &known) {
		return err
	}
	switch e.Code() & 0xff { // the low byte is the primary result code: sqlite.org/rescode.html
	case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB:
		return db.damaged(err)
	case sqlite3.SQLITE_BUSY:
		return fmt.Errorf("%s is locked by another program (another fettle, or one that looks into databases); try again when it is done (%w)", db.path, err)
	case sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY:
		if e.Code()&0xff == sqlite3.SQLITE_CANTOPEN && len(db.path) > longestPath {
			return fmt.Errorf("%s cannot be opened: its path has %d bytes, and a database's may have %d; move the repository to a shorter path (%w)", db.path, len(db.path), longestPath, err)
		}
		return &DiskError{Path: db.path, Cause: cause(filepath.Dir(db.path), e), err: err}
	}
	return err
}

// create makes an empty, owner-only database file if there is none, since SQLite itself would ask for 0644. The files it puts
// beside it (-wal, -shm) take the mode of this one.
func create(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|noFollow, 0o600)
	if err != nil {
		return fmt.Errorf("open the state database: %w", err)
	}
	return f.Close()
}

// dsn names the database for connections that sync their commits (FULL) or leave that to the next checkpoint (NORMAL).
func dsn(path, synchronous string) string {
	q := url.Values{"_txlock": {"immediate"}, "_pragma": {
		"busy_timeout(5000)", // first: setting the journal mode may have to wait, too
		"journal_mode(WAL)",
		"synchronous(" + synchronous + ")",
		"foreign_keys(1)",
	}}
	u := url.URL{Scheme: "file", OmitHost: true, Path: filepath.ToSlash(path), RawQuery: q.Encode()}
	return u.String()
}

// TxUnsynced is Tx without the wait for the disk. A crash of the program loses nothing of what f did; a power cut may lose it,
// as a whole, until the next Tx or [DB.Sync]. It is for what is synced a moment later, and for marks that can be set again.
func (db *DB) TxUnsynced(ctx context.Context, f func(*sql.Tx) error) error {
	return db.tx(ctx, db.unsynced, f)
}

// Sync waits until everything that was committed before is on the disk.
func (db *DB) Sync() error {
	f, err := os.OpenFile(db.path+"-wal", os.O_RDWR|noFollow, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // written into the database and synced there, which is when the log may go
	}
	if err != nil {
		return fmt.Errorf("sync the state database: %w", err)
	}
	if err := errors.Join(f.Sync(), f.Close()); err != nil {
		return fmt.Errorf("sync the state database: %w", err)
	}
	return nil
}

// Close closes the database.
func (db *DB) Close() error { return errors.Join(db.unsynced.Close(), db.DB.Close()) }
