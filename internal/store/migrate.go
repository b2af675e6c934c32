package store

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"io/fs"
	"path/filepath"
	"regexp"
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

// created finds the tables that a migration makes.
var created = regexp.MustCompile(`(?m)^CREATE TABLE (\w+)`)

// tables are those that a schema has after so many steps.
func tables(done []migration) (names []any) {
	for _, m := range done {
		for _, found := range created.FindAllStringSubmatch(m.sql, -1) {
			names = append(names, found[1])
		}
	}
	return names
}

// migrate brings the schema to the newest version. Reading the version first keeps the usual case free of a write lock; it is
// read again inside the transaction, because another fettle may be migrating at the same moment.
func (db *DB) migrate(ctx context.Context) error {
	all, err := steps(migrations)
	if err != nil {
		return err
	}
	have, err := db.version(ctx, db, all)
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
	return db.Tx(ctx, func(tx *sql.Tx) error { return db.upgrade(ctx, tx, all) })
}

func (db *DB) upgrade(ctx context.Context, tx *sql.Tx, all []migration) error {
	have, err := db.version(ctx, tx, all)
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

// version is the schema's version; 0 for a database that has no tables yet. A database that has other tables than its version says,
// or says none, has been damaged by whatever wrote to it.
func (db *DB) version(ctx context.Context, q querier, all []migration) (int, error) {
	var total, marks int
	err := q.QueryRowContext(ctx, `SELECT count(*), coalesce(sum(name = 'schema_version'), 0) FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`).Scan(&total, &marks)
	if err != nil || total == 0 {
		return 0, err
	}
	bad := func(what string) (int, error) { return 0, fmt.Errorf("%w: %s %s", ErrCorrupt, db.path, what) }
	if marks == 0 {
		return bad("does not say which schema it has")
	}
	var have any
	if err := q.QueryRowContext(ctx, `SELECT max(version) FROM schema_version`).Scan(&have); err != nil {
		return 0, err
	}
	n, ok := have.(int64)
	if !ok || n < 1 {
		return bad("does not say which schema it has")
	}
	if n > int64(len(all)) {
		return int(n), nil
	}
	names := tables(all[:n])
	query := `SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name IN (?` + strings.Repeat(", ?", len(names)-1) + `)`
	if err := q.QueryRowContext(ctx, query, names...).Scan(&total); err != nil {
		return 0, err
	}
	if total < len(names) {
		return bad("lacks tables of its schema")
	}
	return int(n), nil
}
