package budget_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"pgregory.net/rapid"

	"fettle/internal/budget"
	"fettle/internal/store"
)

func open(t testing.TB, dir string) *store.DB {
	t.Helper()
	db, err := store.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

func limit(m budget.Money) *budget.Money { return &m }

func reserve(t testing.TB, l *budget.Ledger, most budget.Money) budget.Hold {
	t.Helper()
	h, err := l.Reserve(t.Context(), budget.Spend{Role: "fixer", Purpose: "fix", Provider: "p", Model: "m", Most: most})
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func settle(t testing.TB, h budget.Hold, b budget.Bill) {
	t.Helper()
	if err := h.Settle(t.Context(), b); err != nil {
		t.Fatal(err)
	}
}

func TestLimitsHold(t *testing.T) {
	db := open(t, t.TempDir())
	now := time.Date(2026, 3, 28, 23, 50, 0, 0, time.Local)
	at := func() time.Time { return now }
	session := func(tree, id string) *budget.Ledger {
		return &budget.Ledger{DB: db, Tree: tree, Session: id, Limits: budget.Limits{Session: limit(budget.Dollar), Day: limit(3 * budget.Dollar)}, Now: at}
	}
	first := session("/a", "1")
	held := reserve(t, first, 70*budget.Cent)
	var over *budget.ExceededError
	_, err := first.Reserve(t.Context(), budget.Spend{Most: 31 * budget.Cent})
	if !errors.As(err, &over) || over.Limit != "session" || over.Spent != 70*budget.Cent || over.Wanted != 31*budget.Cent {
		t.Fatalf("what is reserved does not count: %v", err)
	}
	settle(t, held, budget.Bill{Cost: 20 * budget.Cent})
	rest := reserve(t, first, 80*budget.Cent)
	if err := rest.Release(t.Context()); err != nil {
		t.Fatal(err)
	}
	settle(t, reserve(t, first, 80*budget.Cent), budget.Bill{Cost: 80 * budget.Cent})
	if _, err := first.Reserve(t.Context(), budget.Spend{Most: 1}); !errors.As(err, &over) {
		t.Fatalf("more than all was given: %v", err)
	}
	if _, err := first.Reserve(t.Context(), budget.Spend{}); err != nil {
		t.Fatalf("what costs nothing may be had when all is spent: %v", err)
	}
	// The day's limit counts what other working trees have spent, and what was never settled.
	reserve(t, session("/b", "1"), budget.Dollar)
	reserve(t, session("/a", "2"), 90*budget.Cent)
	_, err = session("/a", "3").Reserve(t.Context(), budget.Spend{Most: 11 * budget.Cent})
	if !errors.As(err, &over) || over.Limit != "day" || over.Spent != 290*budget.Cent {
		t.Fatalf("got %v", err)
	}
	if want := "the budget of this day is $3.00: $2.90 of it is spent or reserved, and the next call may cost up to $0.11"; err.Error() != want {
		t.Errorf("it says %q, want %q", err, want)
	}
	now = now.Add(15 * time.Minute) // it is tomorrow
	reserve(t, session("/a", "3"), budget.Dollar)
	passed := session("/c", "1")
	settle(t, reserve(t, passed, 0), budget.Bill{Cost: 105 * budget.Cent}) // an agent's last answer may pass the limit
	if _, err := passed.Reserve(t.Context(), budget.Spend{}); err != nil {
		t.Fatalf("… and when more than all is spent: %v", err)
	}
	if _, err := passed.Reserve(t.Context(), budget.Spend{Most: 1}); !errors.As(err, &over) || over.Limit != "session" {
		t.Fatalf("more than all was given: %v", err)
	}
}

// TestCounts: calls and tokens are reserved and settled as money is, in a session and in a day.
func TestCounts(t *testing.T) {
	const none = ""
	for name, c := range map[string]struct {
		limits budget.Limits
		does   func(t *testing.T, l *budget.Ledger) // before the next call of 100 tokens
		why    string
	}{
		"calls begun":                  {budget.Limits{Calls: budget.Counts{Session: 2}}, func(t *testing.T, l *budget.Ledger) { take(t, l, 0); take(t, l, 0) }, "the limit of calls of models in this session is 2: 2 are used or reserved, and the next call may take 1"},
		"one was given back":           {budget.Limits{Calls: budget.Counts{Session: 1}}, func(t *testing.T, l *budget.Ledger) { release(t, take(t, l, 0)) }, none},
		"calls of another session":     {budget.Limits{Calls: budget.Counts{Session: 1}}, func(t *testing.T, l *budget.Ledger) { other := *l; other.Session = "other"; take(t, &other, 0) }, none},
		"but of the same day":          {budget.Limits{Calls: budget.Counts{Day: 1}}, func(t *testing.T, l *budget.Ledger) { other := *l; other.Session = "other"; take(t, &other, 0) }, "the limit of calls of models in this day is 1: 1"},
		"tokens reserved":              {budget.Limits{Tokens: budget.Counts{Session: 150}}, func(t *testing.T, l *budget.Ledger) { take(t, l, 100) }, "the limit of tokens of models in this session is 150: 100 are used or reserved, and the next call may take 100"},
		"tokens used":                  {budget.Limits{Tokens: budget.Counts{Session: 150}}, func(t *testing.T, l *budget.Ledger) { settle(t, take(t, l, 100), budget.Bill{Input: 30, Output: 20}) }, none},
		"more than were reserved":      {budget.Limits{Tokens: budget.Counts{Session: 150}}, func(t *testing.T, l *budget.Ledger) { settle(t, take(t, l, 10), budget.Bill{Input: 30, Output: 21}) }, "51 are used"},
		"nobody says how many":         {budget.Limits{Tokens: budget.Counts{Day: 150}}, func(t *testing.T, l *budget.Ledger) { settle(t, take(t, l, 100), budget.Bill{Guessed: true}) }, "the limit of tokens of models in this day is 150: 100 are used"},
		"without a limit, no counting": {budget.Limits{}, func(t *testing.T, l *budget.Ledger) { take(t, l, 1<<40) }, none},
	} {
		t.Run(name, func(t *testing.T) {
			l := &budget.Ledger{DB: open(t, t.TempDir()), Session: "s", Limits: c.limits}
			c.does(t, l)
			_, err := l.Reserve(t.Context(), budget.Spend{Tokens: 100})
			var over *budget.CountError
			if c.why == none && err != nil || c.why != none && (!errors.As(err, &over) || !strings.Contains(err.Error(), c.why)) {
				t.Errorf("%v, want %q", err, c.why)
			}
		})
	}
}

func take(t *testing.T, l *budget.Ledger, tokens int) budget.Hold {
	t.Helper()
	h, err := l.Reserve(t.Context(), budget.Spend{Tokens: tokens})
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func release(t *testing.T, h budget.Hold) {
	t.Helper()
	if err := h.Release(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// What nobody knows the price of is called unknown, and is no nothing.
func TestUnknownPrices(t *testing.T) {
	db := open(t, t.TempDir())
	for _, c := range []struct {
		tree  string
		bills []budget.Bill
		want  string
	}{
		{"/known", []budget.Bill{{Cost: budget.Cent}, {Guessed: true}}, "$0.11"},
		{"/free", []budget.Bill{{}}, "$0.00"},
		{"/unknown", []budget.Bill{{Unpriced: true, Input: 9}}, "unknown"},
		{"/both", []budget.Bill{{Unpriced: true}, {Cost: budget.Cent}}, "$0.01 + unknown"},
	} {
		l := &budget.Ledger{DB: db, Tree: c.tree, Session: "s"}
		for _, b := range c.bills {
			most := 10 * budget.Cent
			if b.Unpriced {
				most = 0 // as nothing can be reserved
			}
			settle(t, reserve(t, l, most), b)
		}
		sums, err := budget.Spent(t.Context(), db, budget.Query{Tree: c.tree}, budget.ByRole)
		if err != nil || len(sums) != 1 || sums[0].Price() != c.want || budget.Total(sums).Price() != c.want {
			t.Errorf("%s: %+v, %v; want %s", c.tree, sums, err, c.want)
		}
	}
}

func TestAHoldEndsOnce(t *testing.T) {
	l := &budget.Ledger{DB: open(t, t.TempDir()), Session: "s"}
	h := reserve(t, l, budget.Cent)
	settle(t, h, budget.Bill{Cost: 1})
	if err := h.Settle(t.Context(), budget.Bill{Cost: 2}); err == nil {
		t.Error("it was settled twice")
	}
	if err := h.Release(t.Context()); err == nil {
		t.Error("what was settled was given back")
	}
	gone, cancel := context.WithCancel(t.Context())
	h = reserve(t, l, budget.Cent)
	cancel()
	if err := h.Settle(gone, budget.Bill{Guessed: true}); err != nil {
		t.Errorf("a call that was cancelled is not paid: %v", err)
	}
	if _, err := l.Reserve(t.Context(), budget.Spend{Most: -1}); err == nil {
		t.Error("less than nothing was reserved")
	}
	sums, err := budget.Spent(t.Context(), l.DB, budget.Query{}, budget.BySession)
	if err != nil || len(sums) != 1 || sums[0].Cost != budget.Cent+1 || sums[0].Guessed != 1 {
		t.Errorf("got %+v, %v", sums, err)
	}
}

// Two processes that share a day are two ledgers over databases that were opened separately.
func TestSideBySideNeverMoreThanTheLimit(t *testing.T) {
	dir := t.TempDir()
	var given atomic.Int64
	var all sync.WaitGroup
	for i := range 4 {
		l := &budget.Ledger{DB: open(t, dir), Session: []string{"a", "b"}[i%2], Limits: budget.Limits{Day: limit(100 * budget.Cent)}}
		for range 10 {
			all.Go(func() {
				h, err := l.Reserve(t.Context(), budget.Spend{Most: 3 * budget.Cent})
				var over *budget.ExceededError
				switch {
				case errors.As(err, &over):
				case err != nil:
					t.Error(err)
				default:
					given.Add(int64(3 * budget.Cent))
					if err := h.Settle(t.Context(), budget.Bill{Cost: 3 * budget.Cent}); err != nil {
						t.Error(err)
					}
				}
			})
		}
	}
	all.Wait()
	if got := budget.Money(given.Load()); got != 99*budget.Cent {
		t.Errorf("%s of $1.00 was given out in portions of three cents", got)
	}
}

// TestLedgerKeepsBooks holds random reservations, settlements and returns against a model.
func TestLedgerKeepsBooks(t *testing.T) {
	db := open(t, t.TempDir())
	run := 0
	rapid.Check(t, func(rt *rapid.T) {
		run++
		most := budget.Money(rapid.Int64Range(0, 1000).Draw(rt, "limit"))
		l := &budget.Ledger{DB: db, Tree: "/", Session: string(rune('a'+run%26)) + time.Unix(int64(run), 0).String(), Limits: budget.Limits{Session: &most}}
		var counted budget.Money
		open := map[budget.Hold]budget.Money{}
		var holds []budget.Hold
		for range rapid.IntRange(0, 30).Draw(rt, "steps") {
			amount := budget.Money(rapid.Int64Range(0, 400).Draw(rt, "amount"))
			if len(holds) == 0 || rapid.Bool().Draw(rt, "reserve") {
				h, err := l.Reserve(t.Context(), budget.Spend{Most: amount})
				if fits := amount == 0 || counted+amount <= most; fits != (err == nil) {
					rt.Fatalf("reserving %d beside %d of %d: %v", amount, counted, most, err)
				}
				if err == nil {
					holds, open[h], counted = append(holds, h), amount, counted+amount
				}
				continue
			}
			h := holds[0]
			holds = holds[1:]
			counted -= open[h]
			var err error
			if rapid.Bool().Draw(rt, "release") {
				err = h.Release(t.Context())
			} else {
				err = h.Settle(t.Context(), budget.Bill{Cost: amount})
				counted += amount
			}
			if err != nil {
				rt.Fatal(err)
			}
		}
		sums, err := budget.Spent(t.Context(), db, budget.Query{Tree: "/", Session: l.Session}, budget.ByFixer)
		if err != nil {
			rt.Fatal(err)
		}
		if total := budget.Total(sums); total.Cost != counted || total.Open != len(holds) {
			rt.Fatalf("the books say %+v, want %d with %d open", total, counted, len(holds))
		}
	})
}

func TestSpentAddsUp(t *testing.T) {
	db := open(t, t.TempDir())
	now := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	l := &budget.Ledger{DB: db, Tree: "/r", Session: "s1", Now: func() time.Time { return now }}
	for _, c := range []struct {
		fixer, role, model string
		bill               budget.Bill
	}{
		{"model-fast", "fixer", "small", budget.Bill{Cost: 2, Input: 10, Output: 1}},
		{"model-fast", "fixer", "large", budget.Bill{Cost: 50, Input: 100, Cached: 90, Output: 10, TookNS: 7}},
		{"", "challenger", "large", budget.Bill{Cost: 30, Failed: true}},
	} {
		h, err := l.Reserve(t.Context(), budget.Spend{Fixer: c.fixer, Role: c.role, Purpose: "p", Provider: "x", Model: c.model, Most: 100})
		if err != nil {
			t.Fatal(err)
		}
		settle(t, h, c.bill)
		now = now.Add(time.Hour)
	}
	names := func(q budget.Query, by budget.By) (out []string) {
		sums, err := budget.Spent(t.Context(), db, q, by)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range sums {
			out = append(out, s.Name+" "+s.Cost.String())
		}
		return out
	}
	for _, c := range []struct {
		q    budget.Query
		by   budget.By
		want string
	}{
		{budget.Query{}, budget.ByModel, "[x/large $0.00000008 x/small $0.000000002]"},
		{budget.Query{Session: "s1"}, budget.ByRole, "[fixer $0.000000052 challenger $0.00000003]"},
		{budget.Query{Since: now.Add(-90 * time.Minute)}, budget.ByFixer, "[ $0.00000003]"},
		{budget.Query{Tree: "/other"}, budget.BySession, "[]"},
	} {
		if got := fmt.Sprint(names(c.q, c.by)); got != c.want {
			t.Errorf("%+v by %s: %s, want %s", c.q, c.by, got, c.want)
		}
	}
	if _, err := budget.Spent(t.Context(), db, budget.Query{}, "moon"); err == nil {
		t.Error("spending was added up by the moon")
	}
}

// TestReserveLeft: all that the smaller limit leaves is taken, and what is settled for less can be taken again; without a limit only what is asked for.
func TestReserveLeft(t *testing.T) {
	db := open(t, t.TempDir())
	l := &budget.Ledger{DB: db, Tree: "/a", Session: "1", Limits: budget.Limits{Session: limit(5 * budget.Dollar), Day: limit(3 * budget.Dollar)}}
	settle(t, reserve(t, l, budget.Dollar), budget.Bill{Cost: budget.Dollar})
	hold, left, err := l.ReserveLeft(t.Context(), budget.Spend{Most: budget.Cent})
	if err != nil || left != (budget.Left{Money: 2 * budget.Dollar, Limited: true}) {
		t.Fatalf("%+v of it are left, %v", left, err)
	}
	var over *budget.ExceededError
	if _, _, err := l.ReserveLeft(t.Context(), budget.Spend{Most: budget.Cent}); !errors.As(err, &over) || over.Limit != "day" {
		t.Errorf("nothing was left: %v", err)
	}
	settle(t, hold, budget.Bill{Cost: 50 * budget.Cent})
	if hold, left, err = l.ReserveLeft(t.Context(), budget.Spend{Most: budget.Cent}); err != nil || left.Money != 150*budget.Cent {
		t.Fatalf("%+v, %v", left, err)
	}
	capped, left, err := l.ReserveLeft(t.Context(), budget.Spend{Most: budget.Cent, UpTo: 40 * budget.Cent})
	if err == nil {
		t.Errorf("%+v were left beside all that is taken", left)
		settle(t, capped, budget.Bill{})
	}
	settle(t, hold, budget.Bill{})
	if hold, left, err = l.ReserveLeft(t.Context(), budget.Spend{Most: budget.Cent, UpTo: 40 * budget.Cent}); err != nil || left != (budget.Left{Money: 40 * budget.Cent, Limited: true}) {
		t.Fatalf("%+v, %v", left, err)
	}
	rest, left, err := l.ReserveLeft(t.Context(), budget.Spend{Most: budget.Cent, UpTo: 9 * budget.Dollar})
	if err != nil || left.Money != 110*budget.Cent {
		t.Fatalf("%+v, %v", left, err)
	}
	settle(t, rest, budget.Bill{Guessed: true}) // what was reserved counts
	settle(t, hold, budget.Bill{Guessed: true})
	if _, _, err := l.ReserveLeft(t.Context(), budget.Spend{Most: budget.Cent}); !errors.As(err, &over) {
		t.Errorf("nothing was left: %v", err)
	}
	free := &budget.Ledger{DB: db, Tree: "/a"}
	if _, left, err := free.ReserveLeft(t.Context(), budget.Spend{Most: budget.Cent}); err != nil || left != (budget.Left{Money: budget.Cent}) {
		t.Errorf("without a limit: %+v, %v", left, err)
	}
}

// TestReserveTokensLeft: so it is with tokens, beside a limit of money or without one.
func TestReserveTokensLeft(t *testing.T) {
	l := &budget.Ledger{DB: open(t, t.TempDir()), Tree: "/a", Session: "1", Limits: budget.Limits{Tokens: budget.Counts{Session: 1000, Day: 5000}}}
	for _, took := range []struct {
		left int // before it
		bill budget.Bill
	}{
		{1000, budget.Bill{Input: 300, Output: 100}}, {600, budget.Bill{Input: 100, Unpriced: true}}, {500, budget.Bill{Guessed: true}},
	} {
		hold, left, err := l.ReserveLeft(t.Context(), budget.Spend{Most: budget.Cent})
		if err != nil || left != (budget.Left{Money: budget.Cent, Tokens: took.left}) {
			t.Fatalf("%+v are left, %v", left, err)
		}
		var count *budget.CountError
		if _, err := l.Reserve(t.Context(), budget.Spend{Tokens: 1}); !errors.As(err, &count) || count.Limit != "session" {
			t.Errorf("nothing was left: %v", err)
		}
		settle(t, hold, took.bill)
	}
	if _, _, err := l.ReserveLeft(t.Context(), budget.Spend{Most: budget.Cent}); err == nil {
		t.Error("what was not said does not count as what was reserved")
	}
	l.Session = "2"
	if _, left, err := l.ReserveLeft(t.Context(), budget.Spend{Most: budget.Cent}); err != nil || left.Tokens != 1000 {
		t.Errorf("another session: %+v, %v", left, err)
	}
}
