package budget

import (
	"context"
	"fmt"
	"strings"
	"time"

	"fettle/internal/store"
)

// By is what spending is added up by.
type By string

// The ways to add up.
const (
	ByRole     By = "role"
	ByFixer    By = "fixer"
	ByModel    By = "model" // with its provider
	ByPurpose  By = "purpose"
	BySession  By = "session"
	ByProvider By = "provider"
)

// columns say what each way groups by, and in which form it is named.
var columns = map[By]string{
	ByRole: "role", ByFixer: "fixer", ByModel: "provider || '/' || model", ByPurpose: "purpose", BySession: "session", ByProvider: "provider",
}

// Sum is what was spent on one thing.
type Sum struct {
	Name    string `json:"name"`
	Calls   int    `json:"calls"`
	Failed  int    `json:"failed,omitempty"`  // of Calls: those that brought nothing that could be used
	Open    int    `json:"open,omitempty"`    // of Calls: those that were never settled, and count as what was reserved for them
	Guessed int    `json:"guessed,omitempty"` // of Calls: those of which the provider did not say what they took
	// Unpriced, of Calls: those of models whose price is not known. Nothing of them is in the cost.
	Unpriced int           `json:"unpriced,omitempty"`
	Cost     Money         `json:"-"`
	USD      float64       `json:"cost_usd"`
	Input    int64         `json:"input_tokens"`
	Cached   int64         `json:"cached_tokens,omitempty"`
	Output   int64         `json:"output_tokens"`
	Took     time.Duration `json:"took_ns"`
}

// Price is what it has cost, as people read it. What is not known is called so, and is never nothing.
func (s Sum) Price() string {
	switch {
	case s.Unpriced == 0:
		return s.Cost.String()
	case s.Cost == 0:
		return "unknown"
	}
	return s.Cost.String() + " + unknown"
}

// Query chooses spending. What is left empty chooses everything.
type Query struct {
	Tree    string
	Session string
	Since   time.Time
}

// Spent adds up what was spent, the most expensive first.
func Spent(ctx context.Context, db *store.DB, q Query, by By) ([]Sum, error) {
	column, ok := columns[by]
	if !ok {
		return nil, fmt.Errorf("spending is not added up by %q", by)
	}
	where, args := []string{"1"}, []any{}
	for _, part := range []struct {
		when bool
		text string
		arg  any
	}{
		{q.Tree != "", "tree = ?", q.Tree}, {q.Session != "", "session = ?", q.Session}, {!q.Since.IsZero(), "at >= ?", q.Since.UnixMilli()},
	} {
		if part.when {
			where, args = append(where, part.text), append(args, part.arg)
		}
	}
	rows, err := db.QueryContext(ctx, `SELECT `+column+` AS name, count(*), sum(failed), sum(cost IS NULL), sum(guessed = 1), sum(guessed = 2), sum(coalesce(cost, most)), sum(input), sum(cached), sum(output), sum(took)
		FROM spending WHERE `+strings.Join(where, " AND ")+` GROUP BY name ORDER BY 7 DESC, name`, args...)
	if err != nil {
		return nil, fmt.Errorf("add up what was spent: %w", err)
	}
	defer rows.Close()
	var out []Sum
	for rows.Next() {
		var s Sum
		var cost, took int64
		if err := rows.Scan(&s.Name, &s.Calls, &s.Failed, &s.Open, &s.Guessed, &s.Unpriced, &cost, &s.Input, &s.Cached, &s.Output, &took); err != nil {
			return nil, fmt.Errorf("add up what was spent: %w", err)
		}
		s.Cost, s.USD, s.Took = Money(cost), Money(cost).Float(), time.Duration(took)
		out = append(out, s)
	}
	return out, rows.Err()
}

// Total adds sums up.
func Total(sums []Sum) Sum {
	var t Sum
	for _, s := range sums {
		t.Calls, t.Failed, t.Open, t.Guessed, t.Unpriced = t.Calls+s.Calls, t.Failed+s.Failed, t.Open+s.Open, t.Guessed+s.Guessed, t.Unpriced+s.Unpriced
		t.Cost, t.Input, t.Cached, t.Output, t.Took = t.Cost+s.Cost, t.Input+s.Input, t.Cached+s.Cached, t.Output+s.Output, t.Took+s.Took
	}
	t.USD = t.Cost.Float()
	return t
}
