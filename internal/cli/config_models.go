package cli

import (
	"fmt"
	"strings"

	"fettle/internal/budget"
	"fettle/internal/check"
	"fettle/internal/model"
	"fettle/internal/phrase"
)

// modelTable is which models stand for which roles here, with what they cost: fettle's own table, the person's over it, and the repository's over that.
type modelTable struct {
	Why    string                      `json:"why,omitempty"` // no model is asked; empty: some may be
	Roles  []roleOfTable               `json:"roles,omitempty"`
	Tiers  map[model.Tier][]model.Seat `json:"tiers,omitempty"`
	Agents []string                    `json:"agents,omitempty"` // that the person's own file names
	Budget float64                     `json:"budget_usd"`       // of a session; zero: no limit
	Held   []string                    `json:"held,omitempty"`   // what the repository asks for and does not get

	limit string // of money, in a sentence
}

type roleOfTable struct {
	Role        model.Role   `json:"role"`
	Tiers       []model.Tier `json:"tiers"`
	Temperature *float64     `json:"temperature,omitempty"`
	MaxTokens   int          `json:"max_tokens"`
	Samples     int          `json:"samples,omitempty"`
	Turns       int          `json:"turns,omitempty"`
}

// modelTable makes it; nobody is asked. What cannot be read is said in it.
func (h *house) modelTable() modelTable {
	var t modelTable
	b, err := h.bound(nil)
	if err != nil {
		return modelTable{Why: err.Error()}
	}
	t.Budget, t.limit = b.usd, b.said(h.config.Limits.Budget)
	m, _, err := setUp(h.root, modelChoice{check.FileName, choice(h.config.Models)}, b, nil)
	switch {
	case err != nil:
		return modelTable{Why: err.Error()}
	case h.config.Models.Off:
		t.Why = offHere
		return t
	case m.client == nil:
		t.Why = m.why
		return t
	}
	for _, role := range model.Roles {
		row := m.client.Row(role)
		t.Roles = append(t.Roles, roleOfTable{role, m.client.Asks(role), row.Temperature, row.MaxTokens, row.Samples, m.client.Turns(role)})
	}
	t.Tiers, t.Held = map[model.Tier][]model.Seat{}, m.client.Held()
	for _, tier := range model.Tiers {
		t.Tiers[tier] = m.client.Seats(tier)
	}
	for _, a := range m.own.Agents {
		t.Agents = append(t.Agents, a.Name)
	}
	return t
}

// lines are the table as people read it.
func (t modelTable) lines() (out []string) {
	add := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	if t.Why != "" {
		add("No model is asked: %s", t.Why)
		return out
	}
	add("Whom fettle may ask: its own table, %s over it, and %s over that. Prices are for a million tokens, read and written.", ownModels(), check.FileName)
	for _, r := range t.Roles {
		var asked []string
		for _, tier := range r.Tiers {
			asked = append(asked, string(tier))
		}
		line := fmt.Sprintf("  %-10s  %-20s  at most %d tokens", r.Role, strings.Join(asked, ", "), r.MaxTokens)
		if r.Temperature != nil {
			line += fmt.Sprintf(", temperature %g", *r.Temperature)
		}
		if r.Samples > 1 {
			line += fmt.Sprintf(", %d samples", r.Samples)
		}
		if r.Turns > 0 {
			line += ", " + phrase.Count(r.Turns, "turn")
		}
		out = append(out, line)
	}
	for _, tier := range model.Tiers {
		for i, s := range t.Tiers[tier] {
			name := string(tier)
			if i > 0 {
				name = ""
			}
			add("  %-10s  %-32s  %s%s", name, s.Model, priceOf(s), missing(s))
		}
	}
	if len(t.Agents) > 0 {
		add("  %-10s  %s", "agents", strings.Join(t.Agents, ", "))
	}
	add("%s.", t.limit)
	for _, text := range t.Held {
		add("%s: models: %s", check.FileName, text)
	}
	return out
}

// priceOf is what a model costs, as people read it.
func priceOf(s model.Seat) string {
	if s.Input == nil || s.Output == nil {
		return "price not known"
	}
	text := fmt.Sprintf("%s, %s", budget.Dollars(*s.Input), budget.Dollars(*s.Output))
	if l := s.Long; l != nil {
		text += fmt.Sprintf("; above %d %s, %s", l.Above, budget.Dollars(*l.Input), budget.Dollars(*l.Output))
	}
	return text
}

func missing(s model.Seat) string {
	if s.Missing == "" {
		return ""
	}
	return "  (cannot be asked: " + s.Missing + ")"
}
