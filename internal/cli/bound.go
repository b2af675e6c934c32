package cli

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"fettle/internal/budget"
	"fettle/internal/check"
	"fettle/internal/fix"
	"fettle/internal/model"
	"fettle/internal/report"
)

// bound is how many US dollars one session may spend.
type bound struct {
	usd   float64 // zero: there is no limit
	usual bool    // nobody has chosen it: it is [check.UsualBudget]
}

// bound is what the command line says of it, or else the repository, which can never allow more than the person's own file does, or else that file, or else nobody.
func (h *house) bound(flag *float64) (bound, error) {
	if flag != nil {
		return bound{usd: *flag}, nil
	}
	own, err := model.LoadOwn(os.Getenv)
	if err != nil {
		return bound{}, usage("%w", err)
	}
	return boundOf(h.config.Limits.Budget, own.PerSession), nil
}

func boundOf(repository, own *float64) bound {
	switch {
	case repository == nil && own == nil:
		return bound{usd: check.UsualBudget, usual: true}
	case own == nil || repository != nil && (*own == 0 || *repository > 0 && *repository < *own):
		return bound{usd: *repository}
	}
	return bound{usd: *own}
}

// String is the limit in a sentence about a session.
func (b bound) String() string {
	switch {
	case b.usd == 0:
		return "Nothing limits what one session may spend on models and agents; --budget USD does"
	case b.usual:
		return fmt.Sprintf("One session may spend %s on models and agents, which is fettle's own limit; --budget USD sets another, and 0 sets none", budget.Dollars(b.usd))
	}
	return fmt.Sprintf("One session may spend %s on models and agents; --budget USD sets another limit", budget.Dollars(b.usd))
}

// paid are the fixers and the models behind them that may cost something, and the models whose price nobody knows.
func (m *minds) paid(minded []fix.Fixer, asked map[string]model.Tier, c check.Models) (some bool, unknown []string) {
	models, agents := m.whom(minded, asked)
	if m.challenges(c) {
		models = append(models, m.client.Asked(model.Challenger, "")...)
	}
	some = len(agents) > 0
	for _, full := range models {
		one, known := m.client.Cost(full, model.Usage{Input: 1, Output: 1})
		if !known && !slices.Contains(unknown, full) {
			unknown = append(unknown, full)
		}
		some = some || one > 0
	}
	return some, unknown
}

// tellBound says once, before anybody is asked who may cost something, how much that may come to, and for whom it does not hold.
func (h *house) tellBound(a *app, b bound, some bool, unknown []string) error {
	var lines []string
	if some {
		lines = append(lines, b.String()+".\n")
	}
	if len(unknown) > 0 && (b.usual || b.usd == 0) {
		lines = append(lines, fmt.Sprintf("What it costs to ask %s is not known, and so no limit of money holds there: write its price into your own %s.\n", strings.Join(unknown, ", "), model.FileName))
	}
	return h.tellOnce(lines, func(fresh string) { report.WriteLine(a.io.Err, "%s", report.Block(fresh)) })
}
