package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

// examine looks through a database that was found damaged before. When it is whole after all, the mark goes.
func (db *DB) examine(ctx context.Context) error {
	if _, err := os.Lstat(db.path + suspectMark); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err := whole(ctx, db.DB, db.path); err != nil {
		return err
	}
	return os.Remove(db.path + suspectMark)
}

// whole looks through a database. It returns an error that wraps [ErrCorrupt] where something is wrong with what is there.
func whole(ctx context.Context, db *sql.DB, path string) error {
	var verdict string
	if err := db.QueryRowContext(ctx, `PRAGMA quick_check(1)`).Scan(&verdict); err != nil {
		return err
	}
	if verdict != "ok" {
		return fmt.Errorf("%w: %s (%s)", ErrCorrupt, path, verdict)
	}
	return nil
}

// damaged explains an error that says that the database is. SQLite says so of a read that failed, too
// (https://sqlite.org/rescode.html#ioerr_corruptfs): what cannot be read, or is whole when it is looked at again, is not to be put aside.
func (db *DB) damaged(err error) error {
	if cause := db.misread(); cause != nil {
		return &DiskError{Path: db.path, Cause: cause, err: err}
	}
	return fmt.Errorf("%w: %s (%w); the next fettle puts it aside and makes a new one from the journal", ErrCorrupt, db.path, db.suspect(err))
}

// misread is what keeps the database's files from being read, or kept them from it a moment ago; nil when it is the bytes that are wrong.
func (db *DB) misread() error {
	for _, file := range []string{db.path, db.path + "-wal"} {
		if err := readable(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return bare(err)
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	u := url.URL{Scheme: "file", OmitHost: true, Path: filepath.ToSlash(db.path), RawQuery: "mode=ro"}
	again, err := sql.Open("sqlite", u.String())
	if err != nil {
		return nil
	}
	defer again.Close()
	if whole(ctx, again, db.path) == nil {
		return syscall.EIO
	}
	return nil
}

// readable reads a file to its end.
func readable(file string) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, f)
	return errors.Join(err, f.Close())
}

// suspectMark ends the name of a file that says that a database was found damaged while it was in use: its beginning, which
// opening looks at, may be whole.
const suspectMark = ".damaged"

// suspect leaves that mark. It returns the error that it is given.
func (db *DB) suspect(err error) error {
	_ = os.WriteFile(db.path+suspectMark, nil, 0o600) // next time it is found again
	return err
}

// Quarantine moves a damaged database in the folder dir out of the way, so that Open makes a new one. It returns where it is now.
func Quarantine(dir string) (string, error) {
	path := filepath.Join(dir, File)
	to := asideFor(path)
	for _, part := range []string{"-wal", "-shm", suspectMark, ""} { // the database itself last: until then it stays a damaged one
		from, target := path+part, to+part
		if part == suspectMark {
			if err := os.Remove(from); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return "", err
			}
			continue
		}
		if err := os.Rename(from, target); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", fmt.Errorf("put the damaged database aside: %w", err)
		}
	}
	return to, nil
}

// asideFor is a name for a damaged database that no other one has been given: clocks are set back.
func asideFor(path string) string {
	name := path + "." + time.Now().UTC().Format("20060102-150405.000")
	for to, n := name, 2; ; to, n = fmt.Sprintf("%s-%d", name, n), n+1 {
		if _, err := os.Lstat(to); err != nil {
			return to
		}
	}
}
