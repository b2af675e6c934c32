package journal

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"fettle/internal/edit"
)

// Blob is the content of an image, proven by its hash. The error wraps [ErrNotFound] when it was never kept.
func (j *Journal) Blob(h edit.Hash) ([]byte, error) { return j.blobs.get(h) }

// Begin is [Journal.Announce] and [Journal.Secure] in one, for who has no temporary files to write in between. When it returns
// without an error, the effects may begin.
func (j *Journal) Begin(ctx context.Context, s Set, contents ...[]byte) (Set, error) {
	s, err := j.Announce(ctx, s)
	if err != nil {
		return Set{}, err
	}
	if err := j.Secure(s, contents...); err != nil {
		return Set{}, errors.Join(err, j.Abort(context.WithoutCancel(ctx), s.ID))
	}
	return s, nil
}

// Announce writes the set down with the state [Intent] and returns it with its ID, and with the present as its time unless it
// has one. When it returns, the set is on the disk: whatever happens from then on, recovery finds it, and so its temporary files
// and folders may be made. Its effects may not begin before [Journal.Secure].
func (j *Journal) Announce(ctx context.Context, s Set) (Set, error) {
	if s.At.IsZero() {
		s.At = time.Now()
	}
	s.State, s.At = Intent, time.UnixMilli(s.At.UnixMilli())
	err := j.db.TxUnsynced(ctx, func(tx *sql.Tx) error {
		var err error
		s.ID, err = insert(ctx, tx, s)
		return err
	})
	if err != nil {
		return Set{}, fmt.Errorf("journal: %w", err)
	}
	if err = j.ledger.append(recordOf(s)); err == nil {
		err = j.sync()
	}
	if err != nil {
		return Set{}, errors.Join(fmt.Errorf("journal: %w", err), j.Abort(context.WithoutCancel(ctx), s.ID))
	}
	return s, nil
}

// sync waits until the database and the ledger are on the disk, with their names.
func (j *Journal) sync() error {
	var g errgroup.Group
	g.Go(j.db.Sync)
	g.Go(j.ledger.sync)
	g.Go(j.syncNames)
	return g.Wait()
}

// Secure keeps the contents as images and returns when they are synced: the effects of the set may begin. Every image that an
// entry names must be among the contents or have been kept before; otherwise the set could not be taken back, and Secure
// refuses it.
func (j *Journal) Secure(s Set, contents ...[]byte) error {
	if err := j.blobs.put(contents); err != nil {
		return fmt.Errorf("journal: %w", err)
	}
	for _, e := range s.Entries {
		for _, im := range []Image{e.Before, e.After} {
			if im.Exists && !j.blobs.has(im.Hash) {
				return fmt.Errorf("journal: %s: image %s was not kept", e.Path, im.Hash.Short())
			}
		}
	}
	return nil
}

// Finish marks a set as done: all its effects are on the disk. The mark itself is not waited for. If a power cut loses it,
// recovery finds all the effects in place and sets it again.
func (j *Journal) Finish(ctx context.Context, id int64) error { return j.settle(ctx, id, Done) }

// Abort marks a set as aborted: none of its effects remain. The mark is waited for: without it, recovery would take a file that a
// person edits afterwards for one that the set wrote.
func (j *Journal) Abort(ctx context.Context, id int64) error {
	if err := j.settle(ctx, id, Aborted); err != nil {
		return err
	}
	if err := j.sync(); err != nil {
		return fmt.Errorf("journal: %w", err)
	}
	return nil
}

// settle marks a set. The database has the last word: without its mark, the one in the ledger is followed by another.
func (j *Journal) settle(ctx context.Context, id int64, to State) error {
	err := j.db.TxUnsynced(ctx, func(tx *sql.Tx) error {
		r, err := tx.ExecContext(ctx, `UPDATE change_sets SET state = ? WHERE id = ? AND state = 'intent'`, string(to), id)
		if err != nil {
			return err
		}
		if n, err := r.RowsAffected(); err != nil || n != 1 {
			return errors.Join(err, ErrNotFound)
		}
		return j.ledger.append(record{ID: id, State: to})
	})
	if err != nil {
		return fmt.Errorf("journal: mark change %d as %s: %w", id, to, err)
	}
	return nil
}

func insert(ctx context.Context, tx *sql.Tx, s Set) (int64, error) {
	folders, err := marshal(s.Folders)
	if err != nil {
		return 0, err
	}
	temps, err := marshal(s.Temps)
	if err != nil {
		return 0, err
	}
	var id any // NULL: the next one
	if s.ID > 0 {
		id = s.ID
	}
	r, err := tx.ExecContext(ctx, `INSERT INTO change_sets (id, session, iteration, author, reason, kind, of, state, at, folders, temps)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		id, s.Session, s.Iteration, s.Author, s.Reason, string(s.Kind), s.Of, string(s.State), s.At.UnixMilli(), folders, temps)
	if err != nil {
		return 0, err
	}
	made, err := r.LastInsertId()
	if err != nil {
		return 0, err
	}
	return made, insertEntries(ctx, tx, made, s.Entries)
}

func insertEntries(ctx context.Context, tx *sql.Tx, id int64, entries []Entry) error {
	const row = "(?, ?, ?, ?, ?, ?, ?, ?)"
	const batch = 500 // rows a statement; SQLite takes 32766 parameters
	for start := 0; start < len(entries); start += batch {
		part := entries[start:min(start+batch, len(entries))]
		args := make([]any, 0, 8*len(part))
		for i, e := range part {
			args = append(args, id, start+i, e.Path, string(e.Op),
				string(e.Before.Hash), int64(e.Before.Mode), string(e.After.Hash), int64(e.After.Mode))
		}
		query := `INSERT INTO changes (set_id, seq, path, op, before_hash, before_mode, after_hash, after_mode) VALUES ` + //nolint:gosec // only question marks are added
			strings.TrimSuffix(strings.Repeat(row+",", len(part)), ",")
		if _, err := tx.ExecContext(ctx, query, args...); err != nil {
			return err
		}
	}
	return nil
}

func marshal(list []string) (string, error) {
	b, err := json.Marshal(list)
	return string(b), err
}

// Filter chooses sets. Zero fields choose everything.
type Filter struct {
	Session   string
	Iteration int    // only with Session: a session's iterations count from 1
	Path      string // sets that touch this file
	State     State
	Limit     int // at most so many, the newest
}

// List returns the sets that the filter chooses, newest first.
func (j *Journal) List(ctx context.Context, f Filter) ([]Set, error) {
	var where []string
	var args []any
	add := func(cond string, arg any) { where, args = append(where, cond), append(args, arg) }
	if f.Session != "" {
		add("session = ?", f.Session)
		if f.Iteration != 0 {
			add("iteration = ?", f.Iteration)
		}
	}
	if f.State != "" {
		add("state = ?", string(f.State))
	}
	if f.Path != "" {
		add("id IN (SELECT set_id FROM changes WHERE path = ?)", f.Path)
	}
	query := ""
	if len(where) > 0 {
		query = " WHERE " + strings.Join(where, " AND ")
	}
	args = append(args, cmp.Or(f.Limit, -1)) // a negative limit is none
	sets, err := j.load(ctx, query+" ORDER BY id DESC LIMIT ?", args)
	if err != nil {
		return nil, fmt.Errorf("journal: list: %w", err)
	}
	return sets, nil
}

// Pending returns the sets whose effects may be half-done because a process died, newest first.
func (j *Journal) Pending(ctx context.Context) ([]Set, error) {
	return j.List(ctx, Filter{State: Intent})
}

// Get returns one set. The error wraps [ErrNotFound] when there is none with this ID.
func (j *Journal) Get(ctx context.Context, id int64) (Set, error) {
	sets, err := j.load(ctx, " WHERE id = ?", []any{id})
	if err != nil {
		return Set{}, fmt.Errorf("journal: change %d: %w", id, err)
	}
	if len(sets) == 0 {
		return Set{}, fmt.Errorf("change %d: %w", id, ErrNotFound)
	}
	return sets[0], nil
}

// load reads sets and their entries. rest is everything after FROM change_sets; both queries see one snapshot.
func (j *Journal) load(ctx context.Context, rest string, args []any) (sets []Set, err error) {
	err = j.db.View(ctx, func(tx *sql.Tx) error {
		if sets, err = loadSets(ctx, tx, rest, args); err != nil || len(sets) == 0 {
			return err
		}
		return loadEntries(ctx, tx, sets, rest, args)
	})
	if err != nil {
		return nil, err
	}
	return sets, nil
}

func loadSets(ctx context.Context, tx *sql.Tx, rest string, args []any) (sets []Set, err error) {
	rows, err := tx.QueryContext(ctx,
		`SELECT id, session, iteration, author, reason, kind, of, state, at, folders, temps FROM change_sets`+rest, args...) //nolint:gosec // rest is text of this file; values are in args
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var s Set
		var at int64
		var folders, temps []byte
		if err := rows.Scan(&s.ID, &s.Session, &s.Iteration, &s.Author, &s.Reason, &s.Kind, &s.Of, &s.State, &at, &folders, &temps); err != nil {
			return nil, err
		}
		s.At = time.UnixMilli(at)
		if err := errors.Join(json.Unmarshal(folders, &s.Folders), json.Unmarshal(temps, &s.Temps)); err != nil {
			return nil, fmt.Errorf("change %d: %w", s.ID, err)
		}
		sets = append(sets, s)
	}
	return sets, rows.Err()
}

func loadEntries(ctx context.Context, tx *sql.Tx, sets []Set, rest string, args []any) (err error) {
	byID := make(map[int64]*Set, len(sets))
	for i := range sets {
		byID[sets[i].ID] = &sets[i]
	}
	//nolint:gosec // rest is text of this file; values are in args
	rows, err := tx.QueryContext(ctx, `SELECT set_id, path, op, before_hash, before_mode, after_hash, after_mode FROM changes
		WHERE set_id IN (SELECT id FROM change_sets`+rest+`) ORDER BY set_id, seq`, args...)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var id int64
		var e Entry
		if err := rows.Scan(&id, &e.Path, &e.Op, &e.Before.Hash, (*uint32)(&e.Before.Mode), &e.After.Hash, (*uint32)(&e.After.Mode)); err != nil {
			return err
		}
		e.Before.Exists, e.After.Exists = e.Before.Hash != "", e.After.Hash != ""
		s := byID[id]
		s.Entries = append(s.Entries, e)
	}
	return rows.Err()
}
