package model_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"fettle/internal/budget"
	"fettle/internal/model"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// purse keeps the books of a test: what is reserved, what is settled, and that each hold ends exactly once.
type purse struct {
	mu       sync.Mutex
	limit    budget.Money // zero: none
	reserved budget.Money
	spent    budget.Money
	peak     budget.Money
	open     int
	twice    bool
	spends   []budget.Spend
	bills    []budget.Bill
	released int
}

func (p *purse) Reserve(_ context.Context, s budget.Spend) (budget.Hold, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.limit > 0 && p.spent+p.reserved+s.Most > p.limit {
		return nil, &budget.ExceededError{Limit: "session", Of: p.limit, Spent: p.spent + p.reserved, Wanted: s.Most}
	}
	p.reserved += s.Most
	p.peak = max(p.peak, p.spent+p.reserved)
	p.open++
	p.spends = append(p.spends, s)
	return &hold{p: p, most: s.Most}, nil
}

type hold struct {
	p    *purse
	most budget.Money
	over bool
}

func (h *hold) end(cost budget.Money) {
	h.p.twice = h.p.twice || h.over
	h.over = true
	h.p.open--
	h.p.reserved -= h.most
	h.p.spent += cost
}

func (h *hold) Settle(_ context.Context, b budget.Bill) error {
	h.p.mu.Lock()
	defer h.p.mu.Unlock()
	h.end(b.Cost)
	h.p.bills = append(h.p.bills, b)
	return nil
}

func (h *hold) Release(context.Context) error {
	h.p.mu.Lock()
	defer h.p.mu.Unlock()
	h.end(0)
	h.p.released++
	return nil
}

// settled says that every hold has ended once, and nothing is reserved any more.
func (p *purse) settled(t *testing.T) {
	t.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.open != 0 || p.reserved != 0 || p.twice {
		t.Errorf("%d holds are open, %v is reserved, ended twice: %v", p.open, p.reserved, p.twice)
	}
}

// clock is a clock that goes on when somebody sleeps.
type clock struct {
	mu    sync.Mutex
	now   time.Time
	slept []time.Duration
}

func newClock() *clock { return &clock{now: time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)} }

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) Sleep(ctx context.Context, d time.Duration) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if d > 0 && ctx.Err() == nil {
		c.now = c.now.Add(d)
		c.slept = append(c.slept, d)
	}
	return ctx.Err()
}

// asker is a provider that is a function.
type asker struct {
	name string
	call func(ctx context.Context, model string, r model.Request) (model.Reply, error)
}

func (a asker) Name() string { return a.name }
func (a asker) Call(ctx context.Context, name string, r model.Request) (model.Reply, error) {
	return a.call(ctx, name, r)
}

// serve starts a server and gives back a client all of whose models it serves, under the name of a provider and a kind.
func serve(t testing.TB, kind string, handler http.HandlerFunc, change func(*model.Options)) (*model.Client, *purse) {
	t.Helper()
	s := httptest.NewServer(handler)
	t.Cleanup(s.Close)
	table, err := model.Default().WithOwn(model.Own{
		Providers: map[string]model.Service{"here": {Kind: kind, BaseURL: s.URL + "/v1", KeyEnv: "HERE_KEY"}},
		Tiers:     map[model.Tier][]string{model.Standard: {"here/m"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	money := &purse{}
	base := &http.Transport{}
	t.Cleanup(base.CloseIdleConnections)
	o := model.Options{Table: table, Purse: money, Clock: newClock(), Random: func() float64 { return 0.5 }, Transport: base, Getenv: env("HERE_KEY=" + planted)}
	if change != nil {
		change(&o)
	}
	c := model.New(o)
	return c, money
}

// planted is a key that must be nowhere but in the header.
const planted = "planted-key-7f3a9c1e5b"

func env(pairs ...string) func(string) string {
	return func(name string) string {
		for _, p := range pairs {
			if len(p) > len(name) && p[:len(name)] == name && p[len(name)] == '=' {
				return p[len(name)+1:]
			}
		}
		return ""
	}
}

func ask() model.Request {
	return model.Request{Role: model.Fixer, Purpose: "fix", System: "Mend it.", Messages: []model.Message{{Speaker: model.User, Text: "Here it is."}}}
}

func number(n float64) *float64 { return &n }
