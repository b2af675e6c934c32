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

// agentSees says what an agent sees of the repository, and whom it tells.
func agentSees(name string, env []string) string {
	whom, err := agent.Where(agent.Kind(name), env)
	if err != nil {
		whom = "its own provider" // it cannot work, and says why when it is asked
	}
	return name + ", a coding agent: may read every file of a private copy of this repository, changes it there, and sends what it reads to " + whom
}
