package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"fettle/internal/fix/agent"
	"fettle/internal/guard/guest"
	"fettle/internal/guard/setup"
	"fettle/internal/model"
	"fettle/internal/near"
)

// unknownAgent says of a name in the person's own file that no agent has it, and which there are; nil: one has.
func unknownAgent(name string) error {
	var known []string
	for _, k := range agent.Kinds {
		known = append(known, string(k))
	}
	if slices.Contains(known, name) {
		return nil
	}
	text := fmt.Sprintf("your own %s: there is no agent %q; there are %s", model.FileName, name, strings.Join(known, ", "))
	if meant := near.Name(name, known); meant != "" {
		text += fmt.Sprintf("; did you mean %q?", meant)
	}
	return errors.New(text)
}

// unknownAgents are the names in the person's own file that no agent has, as findings.
func (m *minds) unknownAgents() (out []finding) {
	for _, row := range m.own.Agents {
		if err := unknownAgent(row.Name); err != nil {
			out = append(out, finding{About: "agents", Detail: err.Error()})
		}
	}
	return out
}

// guardOf watches an agent, by its client's hooks.
func guardOf(kind agent.Kind) agent.Guard { return guest.Guard{Client: setup.Client(kind)} }

// agentReady says why an agent cannot work in a repository; nil: nothing is known against it. None works without the guard, whose program has to be there.
func agentReady(kind agent.Kind, root string) error {
	if err := agent.Ready(kind, os.Environ(), root); err != nil {
		return err
	}
	return setup.Ready()
}

// agentsHere are the agents' command lines on this machine, with what is against each.
func agentsHere(ctx context.Context) []agent.Found {
	all := agent.Find(ctx, os.Environ())
	if err := setup.Ready(); err != nil {
		for i := range all {
			all[i].Trouble = cmp.Or(all[i].Trouble, err.Error())
		}
	}
	return all
}

// agentSees says what an agent sees of the repository, and whom it tells.
func agentSees(name string, env []string) string {
	whom, err := agent.Where(agent.Kind(name), env)
	if err != nil {
		whom = "its own provider" // it cannot work, and says why when it is asked
	}
	return name + ", a coding agent: may read every file of a private copy of this repository, changes it there, and sends what it reads to " + whom
}
