// Package guest answers "how is an agent guarded in a home of its own?". fettle lets agents work in private copies of a repository, each with a home that is made for the run. The
// guard's hook is put into that home, with all that it needs there, and what it has refused is read from there when the run is over.
package guest

import (
	"fmt"
	"os"

	"fettle/internal/fix/agent"
	"fettle/internal/guard/hook"
	"fettle/internal/guard/setup"
)

// Guard watches an agent of one client in whatever home it is given. It implements [agent.Guard].
type Guard struct {
	Client  setup.Client
	Program string // the hook's; empty: one is put into the home
	Fettle  string // what reads the repository's policy for the hook; empty: this program
}

var _ agent.Guard = Guard{}

// Lay puts the hook into a home, tells it where fettle is, as the hook itself reads no policy, and has the client's settings name it.
func (g Guard) Lay(home string) error {
	getenv := environ(home)
	state, err := hook.Folder(getenv)
	if err != nil {
		return err
	}
	if err := g.furnish(getenv, state); err != nil {
		return err
	}
	c, err := setup.Install(setup.Where{Client: g.Client, Getenv: getenv}, setup.How{Program: g.Program})
	if err != nil {
		return err
	}
	return c.Apply(state)
}

// furnish puts what the hook needs into a home, and says in g where that is.
func (g *Guard) furnish(getenv func(string) string, state string) (err error) {
	if g.Program == "" {
		if g.Program, err = setup.Program(getenv); err == nil {
			err = setup.Place(g.Program, getenv)
		}
		if err != nil {
			return fmt.Errorf("put the hook's program into the agent's home: %w", err)
		}
	}
	if g.Fettle == "" {
		if g.Fettle, err = os.Executable(); err != nil {
			return fmt.Errorf("see where fettle is: %w", err)
		}
	}
	if err := (hook.Engine{Fettle: g.Fettle, Guest: true}).Write(state); err != nil {
		return fmt.Errorf("note where fettle is: %w", err)
	}
	return nil
}

// environ is what an agent's environment says of a person's folders.
func environ(home string) func(name string) string {
	return func(name string) string { return map[string]string{"HOME": home}[name] }
}
