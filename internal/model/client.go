package model

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"fettle/internal/budget"
)

const (
	retries     = 2                // of a call, unless the provider's service says otherwise
	mostRetries = trips - 1        // after so many failures in a row it is left alone anyway
	longWait    = 60 * time.Second // a provider that asks to wait longer is passed over
)

// Call takes a call through its life.
func (c *Client) Call(ctx context.Context, r Request) (Reply, error) {
	r, tier, err := c.fill(r)
	if err != nil {
		return Reply{}, err
	}
	var failures []*Error
	tries, longest, asked := 0, 0, false
	denied := map[string]bool{}
	chain := apart(c.table.Tiers[tier], r.Unlike)
	if r.Only != "" {
		chain = []string{r.Only}
	}
	for _, full := range chain {
		provider, name, _ := strings.Cut(full, "/")
		h := c.hosts[provider]
		price, _ := c.table.price(full)
		if h == nil || denied[provider] || price.Context > 0 && price.Context <= longest {
			continue
		}
		asked = true
		reply, n, err := c.model(ctx, h, full, name, r)
		tries += n
		if err == nil {
			reply.Tries = tries
			return c.clean(reply), nil
		}
		if ctx.Err() != nil {
			return Reply{}, ctx.Err()
		}
		e := c.veiled(err, provider, name)
		failures = append(failures, e)
		switch e.Kind {
		case Malformed:
			if e.Status >= 400 {
				return Reply{}, sum(failures, tries) // the request is at fault: others would not understand it either
			}
		case Forbidden:
			return Reply{}, sum(failures, tries)
		case Denied:
			denied[provider] = true
		case TooLong:
			longest = max(longest, price.Context)
		default: // another may be able to
		}
		c.note(e.Error())
	}
	if !asked {
		return Reply{}, c.unconfigured(r.Role, tier, chain)
	}
	return Reply{}, sum(failures, tries)
}

// fill puts the table's limits into what the request leaves open.
func (c *Client) fill(r Request) (Request, Tier, error) {
	row, ok := c.table.Roles[r.Role]
	if !ok {
		return r, "", &Error{Kind: Unconfigured, Message: fmt.Sprintf("there is no role %q", r.Role)}
	}
	tier := r.Tier
	if tier == "" {
		tier = row.Tier
	}
	if len(c.table.Tiers[tier]) == 0 {
		return r, "", &Error{Kind: Unconfigured, Message: fmt.Sprintf("the tier %q has no models: name some in your own %s", tier, FileName)}
	}
	if r.MaxTokens == 0 {
		r.MaxTokens = row.MaxTokens
	}
	if r.Temperature == nil {
		r.Temperature = row.Temperature
	}
	if r.Temperature != nil && r.Warmer > 0 {
		t := *r.Temperature + r.Warmer
		r.Temperature = &t
	}
	return r, tier, nil
}

// model asks one model, again where that may help. It returns how often it was asked.
func (c *Client) model(ctx context.Context, h *host, full, name string, r Request) (Reply, int, error) {
	tries, most := 0, 1+retries
	if h.service.Retries != nil {
		most = 1 + *h.service.Retries
	}
	for try := 1; ; try++ {
		reply, n, err := c.once(ctx, h, full, name, r)
		tries += n
		var e *Error
		if err == nil || ctx.Err() != nil || !errors.As(err, &e) || n == 0 {
			return reply, tries, err
		}
		passing := e.Kind == Limited || e.Kind == Overloaded || e.Kind == Unreachable || e.Kind == Malformed && e.Status < 400 && !e.unsent // what cannot be sent cannot be the next time either
		if !passing || try == most || e.After > longWait {
			return reply, tries, err
		}
		if e.Kind == Limited && e.After > 0 {
			h.limiter.pause(e.After) // for the calls beside this one too
		}
		if err := c.clock.Sleep(ctx, max(e.After, c.backoff(try))); err != nil {
			return reply, tries, err
		}
	}
}

// backoff is 2, 4, 8 … seconds, and up to a quarter more or less, so that calls that failed together do not come again together.
func (c *Client) backoff(try int) time.Duration {
	base := time.Duration(1<<try) * time.Second
	return base + time.Duration((c.random()-0.5)*0.5*float64(base))
}

// once makes one call: leave, money, the call, the bill. The number is how often the provider was asked.
func (c *Client) once(ctx context.Context, h *host, full, name string, r Request) (Reply, int, error) {
	price, known := c.table.price(full)
	if !known && c.bounded {
		return Reply{}, 0, &Error{Kind: Spent, Provider: h.Name(), Model: name, Message: fmt.Sprintf(
			"what it costs is not known, and there is a limit of money: write its prices into your own %s (models: {%s: {input: …, output: …}})", FileName, full)}
	}
	tokens := estimate(r)
	r.MaxTokens = price.room(tokens, r.MaxTokens)
	if price.Context > 0 && bytesOf(r)/8+r.MaxTokens > price.Context { // no text has tokens of more than eight bytes on average
		return Reply{}, 0, &Error{Kind: TooLong, Provider: h.Name(), Model: name, Message: advice[TooLong]}
	}
	report, ok := h.breaker.allow()
	switch {
	case !ok && r.Only != "":
		report = h.breaker.report // somebody wants to know
	case !ok:
		return Reply{}, 0, &Error{Kind: Overloaded, Provider: h.Name(), Model: name, Message: fmt.Sprintf("it has failed %d times in a row (the last time: %s), and is left alone for %v; fettle doctor --models asks it at once", trips, h.breaker.why(), rests)}
	}
	found := health{outcome: unknown}
	defer func() { report(found) }()
	leave, err := h.limiter.enter(ctx, tokens+r.MaxTokens)
	if err != nil {
		return Reply{}, 0, err
	}
	defer leave()
	most := price.most(tokens, r.MaxTokens)
	hold, err := c.purse.Reserve(ctx, budget.Spend{Fixer: r.Fixer, Role: string(r.Role), Purpose: r.Purpose, Provider: h.Name(), Model: name, Most: most, Tokens: tokens + r.MaxTokens})
	if err != nil {
		return Reply{}, 0, c.noMoney(ctx, h, name, err)
	}
	limited, cancel := context.WithTimeout(ctx, h.service.timeout())
	defer cancel()
	start := c.clock.Now()
	reply, err := h.Call(limited, name, r)
	took := c.clock.Now().Sub(start)
	if err != nil && ctx.Err() == nil && limited.Err() != nil {
		err = broken(h.Name(), name, 0, context.DeadlineExceeded)
	}
	n := max(reply.Tries, 1)
	var e *Error
	if errors.As(err, &e) {
		n = max(e.Tries, 1)
	}
	found = judge(ctx, err)
	reply.Provider, reply.Model, reply.Took = h.Name(), full, took
	reply.Cost, reply.Unpriced = price.of(reply.Usage), !known
	c.pay(ctx, hold, &reply, err, most, known)
	return reply, n, err
}

// pay settles what a call has cost. Whatever a provider may have charged without saying so is taken to be all that was reserved.
func (c *Client) pay(ctx context.Context, hold budget.Hold, reply *Reply, failed error, most budget.Money, known bool) {
	bill := budget.Bill{Cost: reply.Cost, Input: reply.Usage.Input, Cached: reply.Usage.CacheRead, Output: reply.Usage.Output, Failed: failed != nil, TookNS: int64(reply.Took), Unpriced: !known}
	var e *Error
	var err error
	switch {
	case failed != nil && errors.As(failed, &e) && (e.unsent || e.Status >= 400):
		err = hold.Release(ctx) // it was refused: nobody charges for that
	case failed != nil, reply.Usage == (Usage{}):
		bill.Cost, bill.Guessed = most, true
		reply.Cost = most
		err = hold.Settle(ctx, bill)
	default:
		err = hold.Settle(ctx, bill)
	}
	if err != nil {
		c.note("the cost of a call could not be written down, and stays reserved: " + err.Error())
	}
}

func judge(ctx context.Context, err error) health {
	var e *Error
	switch {
	case err == nil:
		return health{outcome: healthy}
	case ctx.Err() != nil || !errors.As(err, &e):
		return health{outcome: unknown}
	case e.Kind == Overloaded || e.Kind == Unreachable:
		return health{sick, oneLine(e.Message)}
	}
	return health{outcome: healthy} // it has answered, if only to refuse
}

func (c *Client) noMoney(ctx context.Context, h *host, name string, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	var over *budget.ExceededError
	var count *budget.CountError
	if errors.As(err, &over) || errors.As(err, &count) {
		return &Error{Kind: Spent, Provider: h.Name(), Model: name, Message: err.Error(), limit: err}
	}
	return &Error{Kind: Forbidden, Message: "the budget cannot be asked, and without it nothing is spent: " + err.Error()}
}
