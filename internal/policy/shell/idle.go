package shell

import (
	"fmt"
	"slices"
)

// Idle is a rule that never decides anything, and why.
type Idle struct {
	Rule string `json:"rule"`
	Why  string `json:"why"`
}

// bare are the kinds of facts that name no program and lie in no zone; what is called stands in their target.
var bare = []Kind{Exec, Remote, Decoded, Opaque, Bomb}

// placeless are the kinds of facts that lie in no zone, besides those.
var placeless = []Kind{Fetch, Install, Kill, Power, Publish, Force, Privilege, Tool, Cloud, Service}

// Idle are the rules of the policy that can match no fact, that an earlier one leaves nothing for, or that, as a project's, are stricter than nothing. Others may
// be idle, too: what is told of is sure.
func (p *Policy) Idle() []Idle {
	var all []Idle
	for _, list := range [][]Rule{p.Rules, p.Stricter} {
		for i := range list {
			why := list[i].matchless()
			for k := 0; k < i && why == ""; k++ {
				if list[k].covers(&list[i]) {
					why = fmt.Sprintf("the rule %s before it is about all that this one is about, and the first decides", list[k].ID)
				}
			}
			if why != "" {
				all = append(all, Idle{list[i].ID, why})
			}
		}
	}
	for i := range p.Stricter {
		if p.Stricter[i].Decision == Allow {
			all = append(all, Idle{p.Stricter[i].ID, "a project's rules count only where they are stricter, and nothing is less strict than allow: it belongs into a policy of your own"})
		}
	}
	return all
}

// matchless says why a rule can match no fact; empty, if it may.
func (r *Rule) matchless() string {
	only := func(kinds ...Kind) bool {
		return len(r.Kinds) > 0 && !slices.ContainsFunc(r.Kinds, func(k Kind) bool { return !slices.Contains(kinds, k) })
	}
	for _, t := range r.Traits {
		if slices.Contains(r.Without, t) {
			return fmt.Sprintf("nothing is %s and is not", t)
		}
	}
	switch {
	case len(r.Programs) > 0 && only(bare...):
		return fmt.Sprintf("facts of the kind %s name no program: what runs is their target, so write targets instead of programs", r.Kinds[0])
	case len(r.Zones) > 0 && only(slices.Concat(bare, placeless)...):
		return fmt.Sprintf("facts of the kind %s lie in no zone", r.Kinds[0])
	}
	return ""
}

// covers reports that a rule matches whatever the other matches.
func (r *Rule) covers(other *Rule) bool {
	return wider(r.Kinds, other.Kinds) && wider(r.Zones, other.Zones) && wider(r.Targets, other.Targets) && wider(r.Programs, other.Programs) &&
		among(r.Traits, other.Traits) && among(r.Without, other.Without)
}

// wider reports that a list of which one must match leaves nothing out that the other has; an empty one matches all.
func wider[T comparable](list, other []T) bool {
	return len(list) == 0 || len(other) > 0 && among(other, list)
}

// among reports that each of some is among others.
func among[T comparable](some, others []T) bool {
	return !slices.ContainsFunc(some, func(one T) bool { return !slices.Contains(others, one) })
}
