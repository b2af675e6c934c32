package cli

import (
	"slices"

	"fettle/internal/fix/agent"
	"fettle/internal/guard/guest"
	"fettle/internal/guard/setup"
)

// guardOf watches an agent whose client knows hooks; nil: it knows none.
func guardOf(kind agent.Kind) agent.Guard {
	client := setup.Client(kind)
	if !slices.Contains(setup.Clients, client) {
		return nil
	}
	return guest.Guard{Client: client}
}
