package cli

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"fettle/internal/budget"
	"fettle/internal/heal"
	"fettle/internal/phrase"
	"fettle/internal/store"
)

// spent is what models have cost here.
type spent struct {
	Today   float64                    `json:"today_usd"` // in all working trees
	Total   budget.Sum                 `json:"total"`
	By      map[budget.By][]budget.Sum `json:"by"`
	Healed  int                        `json:"healed_findings"`           // by fixers that are paid
	Healing float64                    `json:"healing_usd"`               // what the sessions have cost in which these were healed
	Vain    float64                    `json:"vain_usd"`                  // what the other sessions have cost
	Beside  budget.Sum                 `json:"beside"`                    // what was asked in no session, and so not to heal: by doctor, confirm, the guard and agents' tools
	PerHeal float64                    `json:"usd_per_finding,omitempty"` // of Healing; nothing: none was healed, or the price of something is not known
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
	return s, h.healing(ctx, db, s)
}

// healing adds up what the sessions have cost in which a fixer that is paid has healed something.
func (h *house) healing(ctx context.Context, db *store.DB, s *spent) error {
	sums, err := budget.Spent(ctx, db, budget.Query{Tree: h.root}, budget.BySession)
	if err != nil {
		return err
	}
	cost := map[string]budget.Sum{}
	var beside []budget.Sum
	for _, sum := range sums {
		cost[sum.Name] = sum
		if sum.Name == "" || strings.HasPrefix(sum.Name, confirming) {
			beside = append(beside, sum)
		}
	}
	records, err := h.sessions.List(ctx, math.MaxInt32)
	if err != nil {
		return err
	}
	var healing []budget.Sum
	for _, rec := range records {
		if n := healedBy(rec.State, s.paid); n > 0 {
			s.Healed += n
			healing = append(healing, cost[rec.Session])
		}
	}
	sum := budget.Total(healing)
	s.Beside = budget.Total(beside)
	s.Healing, s.Vain = sum.USD, (s.Total.Cost - s.Beside.Cost - sum.Cost).Float()
	if s.Healed > 0 && sum.Unpriced == 0 {
		s.PerHeal = s.Healing / float64(s.Healed)
	}
	return nil
}

// paid reports whether a fixer has ever cost something here. An answer that it was paid for in one session may heal in another.
func (s *spent) paid(fixer string) bool {
	return slices.ContainsFunc(s.By[budget.ByFixer], func(sum budget.Sum) bool { return sum.Name == fixer && (sum.Cost > 0 || sum.Unpriced > 0) })
}

// healedBy is how many findings such fixers have healed in a session. A dry run has healed nothing, unless a person has taken what it offered.
func healedBy(s *heal.State, who func(fixer string) bool) (n int) {
	if s.Goal.DryRun && s.Answer != accepted {
		return 0
	}
	for _, round := range s.History {
		if round.Successful == 0 {
			continue
		}
		for _, c := range round.Changes {
			if who(c.Author) {
				n += len(c.Healed)
			}
		}
	}
	return n
}

// printSpent prints what was spent as a table.
func (a *app) printSpent(s *spent) {
	if s == nil || s.Total.Calls == 0 {
		return
	}
	line := fmt.Sprintf("models: %s for %s here", s.Total.Price(), phrase.Count(s.Total.Calls, "call"))
	if s.PerHeal > 0 {
		line += fmt.Sprintf(", %s of it where it has healed: %s a finding; %s in vain", budget.Dollars(s.Healing), budget.Dollars(s.PerHeal), budget.Dollars(s.Vain))
	}
	a.print("%s; %s today in all", line, budget.Dollars(s.Today))
	a.print("%-40s %6s %10s %10s %10s", "", "calls", "input", "output", "cost")
	for _, by := range spentBy {
		for _, sum := range s.By[by] {
			name := sum.Name
			if name == "" {
				name = "none"
			}
			a.printSum(string(by)+" "+name, sum)
		}
	}
	if s.Beside.Calls > 0 {
		a.printSum("not to heal (doctor, confirm, guard)", s.Beside)
	}
	if s.Total.Unpriced > 0 {
		a.print("the price of what %s asked is not known: write it into your models.yaml", phrase.Count(s.Total.Unpriced, "call"))
	}
	if s.Total.Open > 0 {
		a.print("%s of these never settled, and count as the most that they may have cost", phrase.Count(s.Total.Open, "call"))
	}
}

func (a *app) printSum(name string, sum budget.Sum) {
	a.print("%-40s %6d %10d %10d %10s", name, sum.Calls, sum.Input, sum.Output, sum.Price())
}
