package heal

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"fettle/internal/flow"
	"fettle/internal/store"
	"fettle/internal/verdict"
)

// Sessions keeps sessions in the store: their state after every node, and the nodes they went through.
type Sessions struct {
	DB *store.DB
}

// Record is a stored session.
type Record struct {
	*State
	Created time.Time
	Updated time.Time
	End     verdict.End // empty while it runs, or when it was killed
	Node    string      // the node to run next; empty when it has ended
}

// Closed reports whether the session cannot go on: it reached an end other than a pause or an interruption.
func (r Record) Closed() bool {
	return r.End != "" && r.End != verdict.Paused && r.End != verdict.Interrupted
}

// ErrNoSession says that there is no such session.
var ErrNoSession = errors.New("no such session")

// NewID makes a session's id: the day, and four random characters that cannot be mistaken for one another.
func NewID() string {
	return time.Now().Format("060102") + "-" + strings.ToLower(rand.Text()[:4])
}

func (st *Sessions) create(ctx context.Context, s *State) error {
	goal, err := json.Marshal(s.Goal)
	if err != nil {
		return err
	}
	state, err := marshal(s)
	if err != nil {
		return err
	}
	now := time.Now().UnixMilli()
	return st.DB.Tx(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `INSERT INTO sessions (id, created, updated, goal, state) VALUES (?, ?, ?, ?, ?)`,
			s.Session, now, now, goal, state)
		return err
	})
}

// save records a finished node and the state after it, as marshal wrote it, in one transaction.
func (st *Sessions) save(ctx context.Context, s *State, state []byte, step flow.Step) error {
	return st.DB.Tx(ctx, func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, `UPDATE sessions SET updated = ?, node = ?, iteration = ?, state = ?, ending = '' WHERE id = ?`,
			time.Now().UnixMilli(), step.Next, s.Iteration, state, s.Session); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `INSERT INTO steps (session, seq, node, outcome, at)
			SELECT ?1, COALESCE(MAX(seq), 0) + 1, ?2, ?3, ?4 FROM steps WHERE session = ?1`,
			s.Session, step.Node, step.Outcome, step.At.UnixMilli())
		return err
	})
}

// end records how a run of the session came to its end. A session that is paused or was interrupted keeps the node at
// which it goes on.
func (st *Sessions) end(ctx context.Context, s *State, end verdict.End) error {
	state, err := marshal(s)
	if err != nil {
		return err
	}
	var node any // NULL: stays as it is
	switch end {
	case verdict.Interrupted:
	case verdict.Paused:
		node = "approve"
	default:
		node = ""
	}
	return st.DB.Tx(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `UPDATE sessions SET updated = ?, ending = ?, iteration = ?, state = ?, node = coalesce(?, node) WHERE id = ?`,
			time.Now().UnixMilli(), string(end), s.Iteration, state, node, s.Session)
		return err
	})
}

// Update changes the state of a session that is not running: a person's answer, a patch accepted or discarded.
func (st *Sessions) Update(ctx context.Context, id string, end verdict.End, change func(s *State) error) error {
	rec, err := st.Load(ctx, id)
	if err != nil {
		return err
	}
	if err := change(rec.State); err != nil {
		return err
	}
	state, err := marshal(rec.State)
	if err != nil {
		return err
	}
	return st.DB.Tx(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `UPDATE sessions SET updated = ?, ending = ?, state = ? WHERE id = ?`,
			time.Now().UnixMilli(), string(end), state, id)
		return err
	})
}

func marshal(s *State) ([]byte, error) {
	raw, err := json.Marshal(s)
	if err != nil {
		return nil, fmt.Errorf("write the session's state: %w", err)
	}
	return raw, nil
}

// restore reads a state as marshal wrote it.
func restore(raw []byte) (*State, error) {
	s := &State{Tried: map[string]bool{}}
	if err := json.Unmarshal(raw, s); err != nil {
		return nil, fmt.Errorf("read the session's state: %w", err)
	}
	return s, nil
}

const columns = `id, created, updated, ending, node, state`

// Load reads one session. An id may be shortened as long as it is unique; the empty id means the latest session. Sessions are in
// the order in which they began, which their rows keep; the clock may have been set in between.
func (st *Sessions) Load(ctx context.Context, id string) (Record, error) {
	recs, err := st.query(ctx, `SELECT `+columns+` FROM sessions WHERE substr(id, 1, length(?1)) = ?1 OR substr(id, 8) = ?1 ORDER BY rowid DESC`, id)
	switch {
	case err != nil:
		return Record{}, err
	case len(recs) == 0 && id == "":
		return Record{}, fmt.Errorf("%w: nothing was done here yet", ErrNoSession)
	case len(recs) == 0:
		return Record{}, fmt.Errorf("%w: %q; fettle sessions lists them", ErrNoSession, id)
	case len(recs) > 1 && id != "" && recs[0].Session != id:
		return Record{}, fmt.Errorf("%q fits %d sessions; give more of the id (fettle sessions lists them)", id, len(recs))
	}
	return recs[0], nil
}

// List reads the latest sessions, newest first.
func (st *Sessions) List(ctx context.Context, limit int) ([]Record, error) {
	return st.query(ctx, `SELECT `+columns+` FROM sessions ORDER BY rowid DESC LIMIT ?`, limit)
}

// Steps reads the nodes that a session went through, in order.
func (st *Sessions) Steps(ctx context.Context, id string) ([]flow.Step, error) {
	var out []flow.Step
	err := st.rows(ctx, `SELECT node, outcome, at FROM steps WHERE session = ? ORDER BY seq`, []any{id}, func(rows *sql.Rows) error {
		var s flow.Step
		var at int64
		err := rows.Scan(&s.Node, &s.Outcome, &at)
		s.At = time.UnixMilli(at)
		out = append(out, s)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read the steps of session %s: %w", id, err)
	}
	return out, nil
}

func (st *Sessions) query(ctx context.Context, q string, args ...any) ([]Record, error) {
	var out []Record
	err := st.rows(ctx, q, args, func(rows *sql.Rows) error {
		var r Record
		var id string
		var created, updated int64
		var raw []byte
		err := rows.Scan(&id, &created, &updated, &r.End, &r.Node, &raw)
		if err != nil {
			return err
		}
		if r.State, err = restore(raw); err != nil {
			return fmt.Errorf("session %s cannot be read: %w", id, err)
		}
		r.Created, r.Updated = time.UnixMilli(created), time.UnixMilli(updated)
		out = append(out, r)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read the sessions: %w", err)
	}
	return out, nil
}

// rows runs a query and hands each row to f.
func (st *Sessions) rows(ctx context.Context, q string, args []any, f func(*sql.Rows) error) error {
	return st.DB.View(ctx, func(tx *sql.Tx) error {
		rows, err := tx.QueryContext(ctx, q, args...)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			if err := f(rows); err != nil {
				return err
			}
		}
		return rows.Err()
	})
}
