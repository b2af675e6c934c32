// Command benchlocate measures fettle on real fixes in a real Go project: each is taken back under the tests that came with it, fettle locate is
// asked where the fault is, and fettle fix to mend it. It writes the table docs/locate.md.
//
//	benchlocate [-clone DIR] [-bug SHA] [-places] [-force] FETTLE
//
// What was measured with the same program before is kept in the folder for caches and not measured again, unless -force is given: an
// interrupted run goes on where it was.
//
// With -places nobody asks fettle fix, which takes the most of the time; what was measured so is measured again without it.
//
// DIR is a clone of the project; without it, one is made from its address on the internet. With -bug only the fixes whose commits begin so are
// measured, and no table is written.
package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"fettle/scripts/figures"
	"fettle/scripts/program"
	"fettle/scripts/release"
)

// document is the table, from the root of this checkout.
const document = "docs/locate.md"

//go:embed bugs.json
var bugsJSON []byte

// Bug is a fix in a project's history: the fault is what File was before it.
type Bug struct {
	Repo    string   `json:"repo"` // owner/name
	SHA     string   `json:"sha"`
	File    string   `json:"file"`
	Tests   []string `json:"tests"` // files that the fix changed as well
	Lines   int      `json:"lines"` // of File that the fix changed
	Subject string   `json:"subject"`
}

func main() { program.Main("benchlocate", command) }

func command(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("benchlocate", flag.ContinueOnError)
	clone := flags.String("clone", "", "a clone of the project")
	only := flags.String("bug", "", "only fixes whose commits begin so")
	places := flags.Bool("places", false, "ask fettle locate alone, and not fettle fix")
	force := flags.Bool("force", false, "measure again what was measured before")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() != 1 {
		return errors.New("name the fettle program")
	}
	fettle, err := filepath.Abs(flags.Arg(0))
	if err != nil {
		return err
	}
	var bugs []Bug
	if err := json.Unmarshal(bugsJSON, &bugs); err != nil {
		return fmt.Errorf("bugs.json: %w", err)
	}
	if *clone == "" {
		if *clone, err = release.Clone(ctx, bugs[0].Repo); err != nil {
			return err
		}
	}
	b := &bench{fettle: fettle, clone: *clone, places: *places}
	kept, err := openStore(fettle, *force)
	if err != nil {
		return err
	}
	defer kept.Close()
	var all []Result
	for _, bug := range bugs {
		if !strings.HasPrefix(bug.SHA, *only) {
			continue
		}
		r, known := kept.Has(bug.SHA)
		if !known || r.Fixed == "" && !*places {
			if r, err = b.measure(ctx, bug); err == nil && ctx.Err() == nil {
				err = kept.Keep(r)
			}
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			return fmt.Errorf("%s: %w", bug.SHA[:9], err)
		}
		fmt.Println(r)
		all = append(all, r)
	}
	if *only != "" {
		return nil
	}
	return os.WriteFile(document, []byte(table(all)), 0o644)
}

// openStore opens what was measured with this program; with force it does not count.
func openStore(fettle string, force bool) (*figures.Store[Result], error) {
	name, err := figures.FileFor("locate", fettle)
	if err != nil {
		return nil, err
	}
	return figures.Open(name, func(r Result) string { return r.SHA }, func(Result) bool { return !force })
}
