package cli

import (
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// Version is the release, set by the linker: -ldflags "-X fettle/internal/cli.Version=v1.2.3". A build from a checkout has none.
var Version = ""

func (a *app) versionCmd() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			v, commit := Version, ""
			if info, ok := debug.ReadBuildInfo(); ok {
				for _, s := range info.Settings {
					if s.Key == "vcs.revision" {
						commit = s.Value
					}
				}
			}
			if v == "" {
				v = "development"
			}
			if a.json {
				return a.printJSON(map[string]any{"version": 1, "kind": "version", "fettle": v, "commit": commit, "go": runtime.Version(), "platform": runtime.GOOS + "/" + runtime.GOARCH})
			}
			a.print("fettle %s %s/%s", v, runtime.GOOS, runtime.GOARCH)
			return nil
		},
	}
}
