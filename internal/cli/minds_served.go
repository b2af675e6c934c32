package cli

import (
	"context"
	"fmt"
	"slices"

	"fettle/internal/model"
	"fettle/internal/phrase"
)

// ollama is the provider that a variable alone can bring: where it is is said there, and which model of it is meant may be said nowhere.
const ollama = "ollama"

// mostServed is how many of a server's models are named.
const mostServed = 8

// served looks what Ollama has where it is the only one that could be asked and nobody has named a model of it. If that is one, it is the model of all tiers; of several somebody
// has to choose, and none is asked.
func (m *minds) served(ctx context.Context, o model.Options) error {
	at := m.client.Where(ollama)
	if at == "" || slices.ContainsFunc(model.Tiers, func(t model.Tier) bool { return len(m.client.Models(t)) > 0 }) {
		return nil
	}
	names, err := m.client.Offers(ctx, ollama)
	switch {
	case err != nil:
		m.unnamed = fmt.Sprintf("%s does not say which models it has: %v", at, err)
		return nil
	case len(names) == 0:
		m.unnamed = at + " has no model yet: give it one (ollama pull NAME)"
		return nil
	case len(names) > 1:
		m.unnamed = fmt.Sprintf("%s has %s: choose in %s, as with %s", at, phrase.Some(names, mostServed), ownModels(), tiersOf(names[0]))
		return nil
	}
	one := map[model.Tier][]string{}
	for _, t := range model.Tiers {
		one[t] = names
	}
	if o.Table, err = o.Table.WithOwn(model.Own{Tiers: one}); err != nil {
		return err
	}
	m.client = model.New(o)
	return nil
}

// tiersOf is the line of models.yaml that has one model asked for everything.
func tiersOf(full string) string {
	return fmt.Sprintf("tiers: {fast: [%[1]q], standard: [%[1]q], deep: [%[1]q]}", full)
}
