package model

import (
	"cmp"
	_ "embed"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"fettle/internal/budget"
	"fettle/internal/near"
)

// Table says which models stand for which roles, what they cost, and who serves them. It is what fettle knows ([Default]), over that what a person says in models.yaml
// ([Own]), and over that what the repository says in fettle.yaml ([Choice]).
type Table struct {
	Roles     map[Role]RoleRow
	Tiers     map[Tier][]string  // "provider/model", in the order in which they are asked
	Models    map[string]Price   // by "provider/model", or "provider/*" for those of a provider that are not named
	Providers map[string]Service // by name

	Held []string // what a repository asks for and does not get, as it would cost more
}

// Choice is what a repository may say: who takes which role. It can choose among the models that its user has, or cheaper ones, and no more. In no way can it say where a provider is,
// which key that is given, or what a call costs: else whoever writes a repository's files could have a key sent to a host of theirs.
type Choice struct {
	Roles map[Role]RoleRow  `json:"roles,omitempty" yaml:"roles,omitempty"`
	Tiers map[Tier][]string `json:"tiers,omitempty" yaml:"tiers,omitempty"`
}

// Own is what a person says about models, in a file that no repository has a say in.
type Own struct {
	Roles        map[Role]RoleRow   `json:"roles,omitempty" yaml:"roles,omitempty"`
	Tiers        map[Tier][]string  `json:"tiers,omitempty" yaml:"tiers,omitempty"`
	Models       map[string]Price   `json:"models,omitempty" yaml:"models,omitempty"`
	Providers    map[string]Service `json:"providers,omitempty" yaml:"providers,omitempty"`
	Agents       []Agent            `json:"agents,omitempty" yaml:"agents,omitempty"`                   // command lines of agents that may be asked, last of all
	PerSession   *float64           `json:"usd_per_session,omitempty" yaml:"usd_per_session,omitempty"` // the most that a session may spend, whatever a repository says; zero: no limit of the person's
	PerDay       *float64           `json:"usd_per_day,omitempty" yaml:"usd_per_day,omitempty"`         // the most that may be spent in a day, over all working trees
	CallsPerDay  int                `json:"calls_per_day,omitempty" yaml:"calls_per_day,omitempty"`     // … how often models may be called in one
	TokensPerDay int                `json:"tokens_per_day,omitempty" yaml:"tokens_per_day,omitempty"`   // … how much they may read and write
}

// Agent is the command line of an agent, and how it is asked. It is written as a name alone, or as keys and values.
type Agent struct {
	Name      string        `json:"name" yaml:"name"`
	Model     string        `json:"model,omitempty" yaml:"model,omitempty"`         // as the agent calls it; empty: its own choice
	Turns     int           `json:"turns,omitempty" yaml:"turns,omitempty"`         // answers of the model in one run; zero: as many as is usual
	Time      time.Duration `json:"time,omitempty" yaml:"time,omitempty"`           // of one run; zero: as long as is usual
	Subagents bool          `json:"subagents,omitempty" yaml:"subagents,omitempty"` // it is called once a round for all that the checks complain of, and may split that among agents of its own
}

// RoleRow is how a role is played. What is left out stays as it was.
type RoleRow struct {
	given bool // the tier is somebody's choice, and not fettle's own

	Tier        Tier     `json:"tier,omitempty" yaml:"tier,omitempty"`
	Temperature *float64 `json:"temperature,omitempty" yaml:"temperature,omitempty"` // 0–2
	MaxTokens   int      `json:"max_tokens,omitempty" yaml:"max_tokens,omitempty"`
	Samples     int      `json:"samples,omitempty" yaml:"samples,omitempty"` // of the fixer: answers that are asked for and tried, of which the smallest that passes is taken; zero: one
	Turns       *int     `json:"turns,omitempty" yaml:"turns,omitempty"`     // of the fixer and the challenger: how often it may look into files before it answers; zero, and nil where nothing was there: it may not
}

// What of a role may cost the most.
const (
	mostSamples = 8
	mostTurns   = 20
)

//go:embed table.yaml
var tableFile []byte

var defaults = sync.OnceValue(func() Table {
	own, err := ReadOwn("table.yaml", tableFile)
	if err != nil {
		panic(err) // it is part of the program, and a test reads it
	}
	return Table{Roles: own.Roles, Tiers: own.Tiers, Models: own.Models, Providers: own.Providers}
})

// Default is what fettle itself knows.
func Default() Table { return defaults().clone() }

func (t Table) clone() Table {
	tiers := make(map[Tier][]string, len(t.Tiers))
	for name, chain := range t.Tiers {
		tiers[name] = slices.Clone(chain)
	}
	return Table{Roles: maps.Clone(t.Roles), Tiers: tiers, Models: maps.Clone(t.Models), Providers: maps.Clone(t.Providers), Held: slices.Clone(t.Held)}
}

// WithOwn lays a person's words over the table.
func (t Table) WithOwn(o Own) (Table, error) {
	t = t.clone()
	for name, p := range o.Models {
		p.Wire = cmp.Or(p.Wire, t.Models[name].Wire) // whoever says another price says nothing of that
		t.Models[name] = p
	}
	for name, s := range o.Providers {
		t.Providers[name] = t.Providers[name].over(s)
	}
	for _, name := range slices.Sorted(maps.Keys(o.Providers)) {
		if err := t.Providers[name].check(name); err != nil {
			return Table{}, err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(o.Models)) {
		if err := t.known("models", name); err != nil {
			return Table{}, err
		}
	}
	return t.lay(Choice{Roles: o.Roles, Tiers: o.Tiers})
}

// lay lays a choice over the table, whoever makes it.
func (t Table) lay(c Choice) (Table, error) {
	t = t.clone()
	for _, name := range slices.Sorted(maps.Keys(c.Tiers)) {
		if err := among("tier", string(name), []string{string(Fast), string(Standard), string(Deep)}); err != nil {
			return Table{}, err
		}
		if len(c.Tiers[name]) == 0 {
			return Table{}, fmt.Errorf("tiers.%s: names no model", name)
		}
		for _, full := range c.Tiers[name] {
			if err := t.known("tiers."+string(name), full); err != nil {
				return Table{}, err
			}
		}
		t.Tiers[name] = slices.Clone(c.Tiers[name])
	}
	for _, name := range slices.Sorted(maps.Keys(c.Roles)) {
		if err := among("role", string(name), []string{string(Fixer), string(Challenger), string(Approver), string(Watcher)}); err != nil {
			return Table{}, err
		}
		row, err := t.Roles[name].over(c.Roles[name])
		switch {
		case err != nil:
		case name != Fixer && row.Samples > 0:
			err = errors.New("samples are for the fixer alone")
		case name != Fixer && name != Challenger && row.looks() > 0:
			err = errors.New("turns are for the fixer and the challenger alone")
		}
		if err != nil {
			return Table{}, fmt.Errorf("roles.%s: %w", name, err)
		}
		t.Roles[name] = row
	}
	return t, nil
}

func (r RoleRow) over(n RoleRow) (RoleRow, error) {
	if n.Tier != "" {
		if err := among("tier", string(n.Tier), []string{string(Fast), string(Standard), string(Deep)}); err != nil {
			return r, err
		}
		r.Tier, r.given = n.Tier, true
	}
	if n.Temperature != nil {
		if !(*n.Temperature >= 0 && *n.Temperature <= 2) { // so that NaN is refused too
			return r, errors.New("temperature should be between 0 and 2")
		}
		r.Temperature = n.Temperature
	}
	if n.MaxTokens != 0 {
		if n.MaxTokens < 1 || n.MaxTokens > 1_000_000 {
			return r, errors.New("max_tokens should be between 1 and 1000000")
		}
		r.MaxTokens = n.MaxTokens
	}
	if n.Samples < 0 || n.Samples > mostSamples {
		return r, fmt.Errorf("samples should be between 1 and %d", mostSamples)
	}
	if n.looks() < 0 || n.looks() > mostTurns {
		return r, fmt.Errorf("turns should be between 0 and %d", mostTurns)
	}
	r.Samples, r.Turns = cmp.Or(n.Samples, r.Samples), cmp.Or(n.Turns, r.Turns)
	return r, nil
}

// known says that a model's full name begins with a provider that there is.
func (t Table) known(where, full string) error {
	provider, model, ok := strings.Cut(full, "/")
	if !ok || provider == "" || model == "" {
		return fmt.Errorf("%s: %q should be a provider and a model, as in anthropic/claude-sonnet-5-5", where, full)
	}
	if err := among("provider", provider, slices.Sorted(maps.Keys(t.Providers))); err != nil {
		return fmt.Errorf("%s: %w", where, err)
	}
	return nil
}

func among(what, name string, names []string) error {
	if slices.Contains(names, name) {
		return nil
	}
	if meant := near.Name(name, names); meant != "" {
		return fmt.Errorf("there is no %s %q; did you mean %q?", what, name, meant)
	}
	return fmt.Errorf("there is no %s %q; there are %s", what, name, strings.Join(names, ", "))
}

// price is what a model costs, and whether that is known. What runs on this machine costs nothing unless the table says otherwise.
func (t Table) price(full string) (Price, bool) {
	provider, _, _ := strings.Cut(full, "/")
	for _, key := range []string{full, provider + "/*"} {
		if p, ok := t.Models[key]; ok && p.known() {
			return p, true
		}
	}
	p := t.Models[full] // what else is known of it
	if t.Providers[provider].local() {
		zero := 0.0
		p.Input, p.Output = &zero, &zero
		return p, true
	}
	return p, false
}

// wire is which of its provider's wires a model is asked by.
func (t Table) wire(full string) string {
	provider, _, _ := strings.Cut(full, "/")
	return cmp.Or(t.Providers[provider].Wire, t.Models[full].Wire, t.Models[provider+"/*"].Wire, wireChat)
}

// Cost is what a call of a model takes, if its price is known.
func (t Table) Cost(full string, u Usage) (budget.Money, bool) {
	p, ok := t.price(full)
	return p.of(u), ok
}
