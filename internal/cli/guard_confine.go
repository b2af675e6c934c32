package cli

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"strings"

	"fettle/internal/guard/confine"

	"github.com/spf13/cobra"
)

// confinement is what can be said of one before it begins.
type confinement struct {
	Version int    `json:"version"`
	Kind    string `json:"kind"`
	*confine.Bounds
	Unsupported string `json:"unsupported,omitempty"` // why no program can be confined here
}

func (a *app) guardConfineCmd() *cobra.Command {
	var also []string
	show := false
	cmd := &cobra.Command{
		Use:   "confine [flags] -- PROGRAM [ARG…]",
		Short: "Start an agent that can read your home, and lose nothing of it but the project",
		Long: `Start a program, an agent's client above all, so that it and everything that it starts can read your home and change nothing in it: no file there can be deleted,
emptied, overwritten, replaced or moved away, by whatever code. The kernel holds to that (Landlock, Linux 6.2 or later), not the guard's rules, which go on beside it.

What may be changed: the project (the repository around the folder where it starts, with what git keeps of it elsewhere), the folders that --also names, what
programs keep for themselves (~/.cache, ~/.npm, ~/.cargo, ~/.claude and their like, also where a variable says where they are), and all that lies outside of your home.
--show says what that is here. It holds for what is started so; what runs already, and does something when it is asked (docker, a tmux server), is not held. docs/guard.md
says what else this does not do.

The program takes this one's place: signals, the terminal and the exit code are its own. It cannot get rights by sudo, nor mount anything.`,
		Example: "  fettle guard confine -- claude\n  fettle guard confine --also ~/code/library -- codex\n  fettle guard confine --show",
		RunE: func(_ *cobra.Command, args []string) error {
			if show == (len(args) > 0) {
				return usage("say which program: fettle guard confine -- PROGRAM, or --show to see what could be changed")
			}
			if a.dir != "" {
				if err := os.Chdir(a.dir); err != nil {
					return usage("there is no folder %s", a.dir)
				}
			}
			b, err := drawn(args, also)
			if err != nil {
				return err
			}
			if show {
				return a.showBounds(b)
			}
			return a.startConfined(b, args)
		},
	}
	f := cmd.Flags()
	f.SetInterspersed(false) // what stands behind the program is its own
	f.StringArrayVar(&also, "also", nil, "let this `DIR` be changed, too (may be given more than once)")
	f.BoolVar(&show, "show", false, "say what could be changed, and start nothing")
	return cmd
}

// drawn are the bounds of a program that would start here.
func drawn(args, also []string) (*confine.Bounds, error) {
	work, err := os.Getwd()
	if err != nil {
		return nil, usage("the folder in which this was started is gone (%w); go to another one, or name the repository with -C DIR", err)
	}
	b, err := confine.Draw(confine.Ask{Home: os.Getenv("HOME"), Work: work, Argv: args, Also: also, Getenv: os.Getenv})
	if errors.Is(err, confine.ErrAll) || errors.Is(err, fs.ErrNotExist) || errors.Is(err, confine.ErrNoFolder) {
		return nil, usage("%w", err)
	}
	return b, err
}

// startConfined becomes the program. What is named and kept all the same is told, as the program may not find its way there.
func (a *app) startConfined(b *confine.Bounds, args []string) error {
	if err := confine.Supported(); err != nil {
		return err
	}
	path, err := exec.LookPath(args[0])
	if err != nil {
		return usage("%w", err)
	}
	for _, n := range b.Kept {
		a.say("%s", n)
	}
	signal.Reset() // a signal that was ignored when this started is ignored by the program, too
	return b.Start(path, args, os.Environ())
}

// showBounds tells what a program could change.
func (a *app) showBounds(b *confine.Bounds) error {
	unsupported := confine.Supported()
	if a.json {
		doc := confinement{Version: 1, Kind: "confinement", Bounds: b}
		if unsupported != nil {
			doc.Unsupported = unsupported.Error()
		}
		if err := a.printJSON(doc); err != nil {
			return err
		}
		return unsupported
	}
	a.print("%s can be read, and nothing in it changed, but for", b.Home)
	for i, p := range b.Free {
		if i == 0 || p.Why != b.Free[i-1].Why {
			a.print("  %s:", p.Why)
		}
		mark := ""
		if p.New {
			mark = "  (is made)"
		}
		a.print("    %s%s", p.Path, mark)
	}
	if !slices.ContainsFunc(b.Free, func(p confine.Place) bool { return p.Path == b.Project }) {
		a.print("the project, %s, lies outside of it", b.Project)
	}
	a.print("what lies elsewhere can be changed as ever; nothing can be made or removed right in %s", strings.Join(b.Closed, ", "))
	for _, n := range b.Kept {
		a.print("! %s", n)
	}
	return unsupported
}
