package model

import (
	"slices"
	"strings"
)

// Seat is a model of a tier, with what is known of it.
type Seat struct {
	Model   string   `json:"model"` // "provider/model"
	Input   *float64 `json:"usd_input,omitempty"`
	Output  *float64 `json:"usd_output,omitempty"` // dollars for a million tokens; nil: not known
	Long    *Long    `json:"long,omitempty"`
	Context int      `json:"context,omitempty"`
	Missing string   `json:"missing,omitempty"` // why it cannot be asked here; empty: nothing is known against it
}

// Seats are the models of a tier, in the order in which they are asked, those with them that cannot be asked here. Nobody is asked.
func (c *Client) Seats(tier Tier) (out []Seat) {
	for _, full := range c.table.Tiers[tier] {
		provider, _, _ := strings.Cut(full, "/")
		price, known := c.table.price(full)
		s := Seat{Model: full, Context: price.Context, Long: price.Long}
		if known {
			s.Input, s.Output = price.Input, price.Output
		}
		if c.hosts[provider] == nil {
			s.Missing = c.missing[provider]
			if err := c.wrong[provider]; err != nil {
				s.Missing = err.Error()
			}
		}
		out = append(out, s)
	}
	return out
}

// Roles are the roles that there are, in the order in which people are told of them.
var Roles = []Role{Fixer, Challenger, Approver, Watcher}

// Asks are the tiers that a role asks: its own, or all of them, smallest first, for the fixer to which nobody has given one.
func (c *Client) Asks(role Role) []Tier {
	return slices.Clone(c.table.Roles[role].asks(role))
}
