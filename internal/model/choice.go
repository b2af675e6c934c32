package model

import (
	"fmt"
	"maps"
	"slices"
)

// With lays a repository's choice over the table. It chooses who is asked, and how little: what would make the bill larger than the person's own rows, or fettle's, do is left
// as it was, and stands in [Table.Held].
func (t Table) With(c Choice) (Table, error) {
	if _, err := t.lay(c); err != nil {
		return Table{}, err
	}
	c, held := t.within(c)
	t, err := t.lay(c)
	t.Held = held
	return t, err
}

// within is as much of a choice as costs no more than the table does, and what is left of it, in a sentence each.
func (t Table) within(c Choice) (Choice, []string) {
	var held []string
	out := Choice{Roles: map[Role]RoleRow{}, Tiers: map[Tier][]string{}}
	for _, name := range slices.Sorted(maps.Keys(c.Roles)) {
		row, own := c.Roles[name], t.Roles[name]
		for _, n := range []struct {
			key      string
			own      int
			asked    int
			withdraw func()
		}{
			{"samples", max(own.Samples, 1), row.Samples, func() { row.Samples = 0 }},
			{"turns", own.looks(), row.looks(), func() { row.Turns = nil }},
			{"max_tokens", own.MaxTokens, row.MaxTokens, func() { row.MaxTokens = 0 }},
		} {
			if n.asked > n.own {
				n.withdraw()
				held = append(held, fmt.Sprintf("roles.%s: %s: %d is more than the %d of your own table, which holds: %s may say more", name, n.key, n.asked, n.own, FileName))
			}
		}
		if most := own.largest(name); slices.Index(Tiers, row.Tier) > slices.Index(Tiers, most) {
			held = append(held, fmt.Sprintf("roles.%s: tier: %s is more than %s, which holds: %s may say more", name, row.Tier, most, FileName))
			row.Tier = ""
		}
		out.Roles[name] = row
	}
	for _, name := range slices.Sorted(maps.Keys(c.Tiers)) {
		var chain []string
		for _, full := range c.Tiers[name] {
			if t.affords(name, full) {
				chain = append(chain, full)
			} else {
				held = append(held, fmt.Sprintf("tiers.%s: %s is none of your own of this tier or a smaller one, and may cost more: it is not asked unless %s names it", name, full, FileName))
			}
		}
		if len(chain) > 0 {
			out.Tiers[name] = chain
		}
	}
	return out, held
}

// Tiers are those that there are, smallest first.
var Tiers = []Tier{Fast, Standard, Deep}

// affords reports whether a model in a tier costs no more than the tier does: it is one of that tier or of a smaller one, or its price is known and not above theirs.
func (t Table) affords(tier Tier, full string) bool {
	for _, name := range Tiers[:slices.Index(Tiers, tier)+1] {
		if slices.Contains(t.Tiers[name], full) {
			return true
		}
	}
	price, known := t.price(full)
	in, out := price.dearest()
	return known && slices.ContainsFunc(t.Tiers[tier], func(own string) bool {
		price, known := t.price(own)
		mostIn, mostOut := price.dearest()
		return known && in <= mostIn && out <= mostOut
	})
}

// dearest is the price of a token that is read and of one that is written, for the prompt that costs the most; it is known.
func (p Price) dearest() (in, out float64) {
	if !p.known() {
		return 0, 0
	}
	in, out = *p.Input, *p.Output
	if p.Long != nil {
		in, out = max(in, *p.Long.Input), max(out, *p.Long.Output)
	}
	return in, out
}

// asks are the tiers that a role asks, smallest first. The fixer asks all of them, unless somebody has given it one.
func (r RoleRow) asks(name Role) []Tier {
	if name == Fixer && !r.given {
		return Tiers
	}
	return []Tier{r.Tier}
}

// largest is the largest tier that a role asks.
func (r RoleRow) largest(name Role) Tier {
	all := r.asks(name)
	return all[len(all)-1]
}

// looks is how often the role may look into files.
func (r RoleRow) looks() int {
	if r.Turns == nil {
		return 0
	}
	return *r.Turns
}
