package cli

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"fettle/internal/budget"
	"fettle/internal/phrase"
)

// spent is what models have cost here.
type spent struct {
	Today   float64                    `json:"today_usd"` // in all working trees
	Total   budget.Sum                 `json:"total"`
	By      map[budget.By][]budget.Sum `json:"by"`
	Healed  int                        `json:"healed_findings"`           // in the sessions that have cost something
	PerHeal float64                    `json:"usd_per_finding,omitempty"` // nothing: none was healed
}

// spentBy are the ways in which spending is shown, in order.
var spentBy = []budget.By{budget.ByRole, budget.ByModel, budget.ByFixer}

// spent adds up what was spent for this working tree; nil where nothing ever was.
func (h *house) spent(ctx context.Context) (_ *spent, err error) {
	db, err := budget.Look(ctx)
	if err != nil || db == nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	s := &spent{By: map[budget.By][]budget.Sum{}}
	for _, by := range spentBy {
		if s.By[by], err = budget.Spent(ctx, db, budget.Query{Tree: h.root}, by); err != nil {
			return nil, err
		}
	}
	s.Total = budget.Total(s.By[spentBy[0]])
	y, m, d := time.Now().Date()
	today, err := budget.Spent(ctx, db, budget.Query{Since: time.Date(y, m, d, 0, 0, 0, 0, time.Local)}, budget.ByRole)
	if err != nil {
		return nil, err
	}
	s.Today = budget.Total(today).USD
	records, err := h.sessions.List(ctx, math.MaxInt32)
	if err != nil {
		return nil, err
	}
	for _, rec := range records {
		if rec.Cost > 0 {
			for _, round := range rec.History {
				s.Healed += round.Gone
			}
		}
	}
	if s.Healed > 0 {
		s.PerHeal = s.Total.USD / float64(s.Healed)
	}
	return s, nil
}

// printSpent prints what was spent as a table.
func (a *app) printSpent(s *spent) {
	if s == nil || s.Total.Calls == 0 {
		return
	}
	line := fmt.Sprintf("models: %s for %s here", s.Total.Price(), phrase.Count(s.Total.Calls, "call"))
	if s.Healed > 0 && s.Total.Unpriced == 0 {
		line += fmt.Sprintf(", %s a healed finding", budget.Dollars(s.PerHeal))
	}
	a.print("%s; %s today in all", line, budget.Dollars(s.Today))
	a.print("%-40s %6s %10s %10s %10s", "", "calls", "input", "output", "cost")
	for _, by := range spentBy {
		for _, sum := range s.By[by] {
			name := sum.Name
			if name == "" {
				name = "none"
			}
			a.print("%-40s %6d %10d %10d %10s", string(by)+" "+name, sum.Calls, sum.Input, sum.Output, sum.Price())
		}
	}
	if s.Total.Unpriced > 0 {
		a.print("the price of what %s asked is not known: write it into your models.yaml", phrase.Count(s.Total.Unpriced, "call"))
	}
	if s.Total.Open > 0 {
		a.print("%s of these never settled, and count as the most that they may have cost", phrase.Count(s.Total.Open, "call"))
	}
}
