package cli

import (
	"context"
	"strings"

	"fettle/internal/check"
	"fettle/internal/report"

	"github.com/spf13/cobra"
)

func (a *app) configCmd() *cobra.Command {
	return &cobra.Command{
		Use:   "config",
		Short: "Print the configuration that counts here, from file, environment and defaults",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return a.config(cmd.Context()) },
	}
}

func (a *app) config(ctx context.Context) error {
	h, err := a.enter(ctx)
	if err != nil {
		return err
	}
	if a.json {
		return a.printJSON(map[string]any{"version": 1, "kind": "config", "file": h.config.Written, "root": h.root, "config": h.config.Document(), "models": h.modelTable()})
	}
	from := "# found by looking; there is no " + check.FileName
	if h.config.Written {
		from = "# from " + check.FileName + " in " + h.root
	}
	a.print("%s", from)
	a.print("%s", report.Block(strings.TrimSuffix(string(h.config.Marshal()), "\n")))
	a.print("")
	for _, line := range h.modelTable().lines() {
		a.print("# %s", line)
	}
	return nil
}

// where is the root of the repository, found without opening anything.
func (a *app) where(ctx context.Context) (string, error) {
	h := &house{}
	if err := h.find(ctx, a.dir); err != nil {
		return "", err
	}
	return h.root, nil
}
