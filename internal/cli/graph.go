package cli

import (
	"fettle/internal/heal"

	"github.com/spf13/cobra"
)

func (a *app) graphCmd() *cobra.Command {
	return &cobra.Command{
		Use:   "graph",
		Short: "Print the loop as a Mermaid flowchart, drawn from what runs",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			text := new(heal.Loop).Graph().Mermaid()
			if a.json {
				return a.printJSON(map[string]any{"version": 1, "kind": "graph", "mermaid": text})
			}
			a.printRaw([]byte(text))
			return nil
		},
	}
}
