package store

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
)

//go:embed migrations/*.sql
var migrations embed.FS

// migration is one numbered step of the schema. A released file is never changed: what comes later goes into the next one.
type migration struct {
	version int
	name    string
	sql     string
}

// steps reads the migrations in order: 0001_name.sql, 0002_name.sql, … without a gap.
func steps(files fs.FS) ([]migration, error) {
	names, err := fs.Glob(files, "migrations/*.sql")
	if err != nil {
		return nil, err
	}
	var out []migration
	for i, name := range names {
		number, _, _ := strings.Cut(strings.TrimPrefix(name, "migrations/"), "_")
		version, err := strconv.Atoi(number)
		if err != nil || version != i+1 {
			return nil, fmt.Errorf("migration %s: expected number %04d", name, i+1)
		}
		text, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, err
		}
		out = append(out, migration{version, name, string(text)})
	}
	return out, nil
}

// migrate brings the schema to the newest version. Reading the version first keeps the usual case free of a write lock; it is
// read again inside the transaction, because another fettle may be migrating at the same moment.
func (db *DB) migrate(ctx context.Context) error {
	all, err := steps(migrations)
	if err != nil {
		return err
	}
	have, err := version(ctx, db)
	if err != nil {
		return fmt.Errorf("read the schema's version: %w", err)
	}
	if have == len(all) {
		return nil
	}
	if have > len(all) {
		return &NewerError{Path: db.path, Have: have, Knows: len(all)}
	}
	if have == 0 { // until this is done, the database counts as new
		if err := syncNames(filepath.Dir(db.path)); err != nil {
			return err
		}
	}
	return db.Tx(ctx, func(tx *sql.Tx) error { return upgrade(ctx, tx, all) })
}

func upgrade(ctx context.Context, tx *sql.Tx, all []migration) error {
	have, err := version(ctx, tx)
	if err != nil {
		return err
	}
	for _, m := range all[min(have, len(all)):] {
		if _, err := tx.ExecContext(ctx, m.sql); err != nil {
			return fmt.Errorf("migration %s: %w", m.name, err)
		}
		if _, err := tx.ExecContext(ctx, `UPDATE schema_version SET version = ?`, m.version); err != nil {
			return fmt.Errorf("migration %s: %w", m.name, err)
		}
	}
	return nil
}

type querier interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// version is the schema's version; 0 for a database that has no tables yet.
func version(ctx context.Context, q querier) (int, error) {
	var n int
	err := q.QueryRowContext(ctx, `SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = 'schema_version'`).Scan(&n)
	if err != nil || n == 0 {
		return 0, err
	}
	err = q.QueryRowContext(ctx, `SELECT version FROM schema_version`).Scan(&n)
	return n, err
}
