package cli

import (
	"context"
	"fmt"
	"iter"
	"time"

	"fettle/internal/budget"
	"fettle/internal/fix"
	"fettle/internal/fix/agent"
	"fettle/internal/model"
)

// leastLeft is what has to be left of each limit for an agent to begin, in dollars: what a run will take is known by nobody beforehand.
const leastLeft = 0.01

// booked is an agent whose runs stand in the person's books, as far as it says what they cost. Where money or tokens are limited, it is told what is left,
// which is its own until it ends: agents work one after the other then.
type booked struct {
	fix.Fixer
	purse    *purse
	unpriced bool // nobody knows what its model costs
}

// limited reports whether it is held to what is left. A limit that nobody has chosen keeps nobody from work whose price is not known.
func (b booked) limited() bool {
	return b.purse.limited() && (!b.unpriced || !b.purse.unchosen())
}

// makers are the providers of the models of agents that do not say what they cost.
var makers = map[agent.Kind]string{agent.Codex: "openai", agent.Gemini: "gemini"}

// prices are those of an agent's models, where it does not say itself what it costs.
func (m *minds) prices(kind agent.Kind) agent.Price {
	maker, ok := makers[kind]
	if !ok {
		return nil
	}
	return func(name string, t fix.Tokens) (float64, bool) {
		usd, known := m.client.Cost(maker+"/"+name, model.Usage{Input: t.Read, CacheRead: t.Cached, CacheWrite: t.Kept, Output: t.Wrote})
		return usd.Float(), known
	}
}

// unpriced reports whether nobody knows what the model costs that an agent is told to ask.
func (m *minds) unpriced(row model.Agent) bool {
	price := m.prices(agent.Kind(row.Name))
	if price == nil || row.Model == "" {
		return false
	}
	_, known := price(row.Model, fix.Tokens{})
	return !known
}

// Whole implements [fix.Whole].
func (b booked) Whole() bool {
	w, ok := b.Fixer.(fix.Whole)
	return ok && w.Whole()
}

// Propose implements [fix.Fixer].
func (b booked) Propose(ctx context.Context, t fix.Task) iter.Seq2[fix.Candidate, error] {
	return func(yield func(fix.Candidate, error) bool) {
		r, err := b.begin(ctx, &t)
		if err != nil {
			yield(fix.Candidate{}, fmt.Errorf("ask %s: %w", b.Name(), err))
			return
		}
		defer r.end(ctx, t.Note)
		for c, err := range b.Fixer.Propose(ctx, t) {
			r.failed = err != nil
			r.spent += c.Cost
			r.unknown = r.unknown || c.Unpriced
			if !yield(c, err) {
				return
			}
		}
	}
}

// booking is a run that stands in the books.
type booking struct {
	hold    budget.Hold
	left    budget.Left // what it was told that it may take
	leave   func()
	began   time.Time
	spent   float64
	unknown bool // it has asked its model, and did not say what all of that has cost
	took    fix.Tokens
	failed  bool
}

// begin reserves money and tokens for a run, and tells the task how much that is.
func (b booked) begin(ctx context.Context, t *fix.Task) (r *booking, err error) {
	r = &booking{began: time.Now(), leave: func() {}}
	s := budget.Spend{Fixer: b.Name(), Role: string(model.Fixer), Purpose: "agent", Provider: "agent", Model: b.Name(), Most: budget.Dollars(leastLeft)}
	if b.limited() {
		if r.leave, err = b.purse.one(ctx); err != nil {
			return nil, err
		}
		s.UpTo = budget.Dollars(t.Money) // what is its rung's
		if r.hold, r.left, err = b.purse.reserveLeft(ctx, s); err != nil {
			r.leave()
			return nil, err
		}
		if t.Tokens = r.left.Tokens; r.left.Limited {
			t.Money = r.left.Money.Float()
		}
	} else if r.hold, err = b.purse.Reserve(ctx, s); err != nil {
		return nil, err
	}
	told := t.Spent
	t.Spent = func(usd float64, known bool) {
		r.spent += usd
		r.unknown = r.unknown || !known
		if told != nil {
			told(usd, known)
		}
	}
	t.Took = func(took fix.Tokens) { r.took = r.took.Plus(took) }
	return r, nil
}

// end writes down what the run has cost and taken: what is spent is spent, also when the context has ended. Of one that was ended before it could say so, all that it was told that it might
// spend and take counts; of one that never says what it costs, that is not known.
func (r *booking) end(ctx context.Context, note func(string)) {
	defer r.leave()
	ctx = context.WithoutCancel(ctx)
	if note == nil {
		note = func(string) {}
	}
	bill := budget.Bill{Cost: budget.Dollars(r.spent), Input: r.tokens(note), Cached: r.took.Cached, Output: r.took.Wrote, Failed: r.failed, TookNS: int64(time.Since(r.began))}
	switch {
	case r.unknown && r.left.Limited:
		bill.Guessed = true
		note(fmt.Sprintf("it did not say what it has cost: all of the %s that were left for it count as spent", r.left.Money))
	case r.unknown:
		bill.Unpriced = true
	case r.spent == 0 && r.took.None():
		_ = r.hold.Release(ctx) // it has asked nobody; what cannot be released counts as what was reserved
		return
	}
	if err := r.hold.Settle(ctx, bill); err != nil {
		note(err.Error())
	}
}

// tokens are what the run has read, and where it does not say so, all that was left for it to read and write.
func (r *booking) tokens(note func(string)) int {
	if unknown := r.took.Unknown || r.unknown && r.took.None(); !unknown || r.left.Tokens <= r.took.Read+r.took.Wrote {
		return r.took.Read
	}
	note(fmt.Sprintf("it did not say how many tokens it took: all of the %d that were left for it count as taken", r.left.Tokens))
	return r.left.Tokens - r.took.Wrote
}
