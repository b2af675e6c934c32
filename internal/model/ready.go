package model

import (
	"strings"

	"fettle/internal/budget"
)

// Ready says whether a role can be asked at all, and whom it would ask first: the provider and the model. No tier is the role's own. Else it returns the [*Error] that a call
// would end in. Nobody is asked.
func (c *Client) Ready(role Role, tier Tier) (provider, model string, err error) {
	r, tier, err := c.fill(Request{Role: role, Tier: tier})
	if err != nil {
		return "", "", err
	}
	chain := c.table.Tiers[tier]
	for _, full := range chain {
		if provider, model, _ := strings.Cut(full, "/"); c.hosts[provider] != nil {
			return provider, model, nil
		}
	}
	return "", "", c.unconfigured(r.Role, tier, chain)
}

// Farthest is the model that a role asks first about what makers have made: the one that is the least like them.
func (c *Client) Farthest(role Role, makers []string) (full string, err error) {
	r, tier, err := c.fill(Request{Role: role})
	if err != nil {
		return "", err
	}
	for _, full := range apart(c.table.Tiers[tier], makers) {
		if provider, _, _ := strings.Cut(full, "/"); c.hosts[provider] != nil {
			return full, nil
		}
	}
	return "", c.unconfigured(r.Role, tier, c.table.Tiers[tier])
}

// Nearest is how near the farthest of the models that a role can ask is to makers: it is what can be hoped for of a second reader.
func (c *Client) Nearest(role Role, makers []string) (Kin, error) {
	full, err := c.Farthest(role, makers)
	if err != nil {
		return Same, err
	}
	return Nearness(full, makers), nil
}

// Models are those that a tier would ask, in this order: the ones whose providers are configured.
func (c *Client) Models(tier Tier) (out []string) {
	for _, full := range c.table.Tiers[tier] {
		if provider, _, _ := strings.Cut(full, "/"); c.hosts[provider] != nil {
			out = append(out, full)
		}
	}
	return out
}

// Asked are the models that a call may be put to, whoever of them answers: those of the tier whose providers are configured. No tier is the role's own. Nobody is asked.
func (c *Client) Asked(role Role, tier Tier) []string {
	_, tier, err := c.fill(Request{Role: role, Tier: tier})
	if err != nil {
		return nil
	}
	return c.Models(tier)
}

// Row is how a role is played.
func (c *Client) Row(role Role) RoleRow { return c.table.Roles[role] }

// Turns is how often a role may look into files before it answers.
func (c *Client) Turns(role Role) int { return c.table.Roles[role].looks() }

// Held is what a repository asks for and does not get, as it would cost more, in a sentence each.
func (c *Client) Held() []string { return c.table.Held }

// Given are the tiers that the person or the repository has given to roles. Who asks for several things in one role, each by a tier of its own, asks all of them by that one.
func (c *Client) Given() map[Role]Tier {
	out := map[Role]Tier{}
	for role, row := range c.table.Roles {
		if row.given {
			out[role] = row.Tier
		}
	}
	return out
}

// Context is how many tokens the model that a tier would ask first reads and writes in one call; zero: it is not known.
func (c *Client) Context(role Role, tier Tier) int {
	provider, name, err := c.Ready(role, tier)
	if err != nil {
		return 0
	}
	price, _ := c.table.price(provider + "/" + name)
	return price.Context
}

// Cost is what a call of a model takes, if its price is known.
func (c *Client) Cost(full string, u Usage) (budget.Money, bool) { return c.table.Cost(full, u) }

// Where is the address of a provider that is configured; empty for a script.
func (c *Client) Where(provider string) string {
	if h := c.hosts[provider]; h != nil {
		return h.service.BaseURL
	}
	return ""
}
