package cli

import (
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
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
	usual bool    // no person has chosen it: it is [check.UsualBudget]
}

// bound is what the command line says of it, or else the repository, which can only allow less than the person's own file does, or than is usual where that says nothing.
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
	most := bound{usd: check.UsualBudget, usual: true}
	if own != nil {
		most = bound{usd: *own}
	}
	if repository == nil {
		return most
	}
	if *repository > 0 && (most.usd == 0 || *repository < most.usd) {
		return bound{usd: *repository}
	}
	return most
}

// said is the limit in a sentence about a session, when the repository has said this of it.
func (b bound) said(repository *float64) string {
	switch {
	case b.usd == 0:
		return "Nothing limits what one session may spend on models and agents; --budget USD does"
	case b.usual && repository != nil && *repository != b.usd:
		return fmt.Sprintf("One session may spend %s on models and agents, which is fettle's own limit: limits.budget of %s can only lower it; --budget USD, or usd_per_session in your own %s, sets another", budget.Dollars(b.usd), check.FileName, model.FileName)
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
		lines = append(lines, b.said(h.config.Limits.Budget)+".\n")
	}
	if len(unknown) > 0 && (b.usual || b.usd == 0) {
		lines = append(lines, fmt.Sprintf("What it costs to ask %s is not known, and so no limit of money holds there: write its price into your own %s.\n", strings.Join(unknown, ", "), model.FileName))
	}
	return h.tellOnce(a, lines, func(fresh string) { report.WriteLine(a.io.Err, "%s", report.Block(fresh)) })
}

// dollars is a flag's amount of US dollars.
type dollars float64

func (d *dollars) String() string { return strconv.FormatFloat(float64(*d), 'f', -1, 64) }
func (*dollars) Type() string     { return "USD" }

// Set implements [pflag.Value].
func (d *dollars) Set(text string) error {
	usd, err := strconv.ParseFloat(strings.TrimPrefix(text, "$"), 64)
	if err != nil || math.IsNaN(usd) || math.IsInf(usd, 0) {
		return errors.New("it should be an amount of US dollars, such as 0.50")
	}
	*d = dollars(usd)
	return nil
}
