// Command benchreal measures what fettle does for real projects: it brings pinned releases from their registries, puts faults in by
// script, has fettle mend them, and judges the result by the files alone. It writes the table docs/real-projects.md, when all of them are measured.
//
//	benchreal [-force] [-limit 5m] FETTLE [PROJECT…]
//
// A session that was measured with the same program, project file and kit is not measured again, unless -force is given.
package main

import (
	"context"
	"embed"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"fettle/scripts/program"
	"fettle/scripts/release"
)

//go:embed projects/*.yaml
var embedded embed.FS

// document is the table, from the root of this checkout.
const document = "docs/real-projects.md"

func main() { program.Main("benchreal", command) }

func command(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("benchreal", flag.ContinueOnError)
	force := flags.Bool("force", false, "measure again what was measured before")
	limit := flags.Duration("limit", 5*time.Minute, "what each fettle fix is given as --time")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() == 0 {
		return errors.New("name the fettle program, and after it the projects (none: all of them)")
	}
	fettle, err := filepath.Abs(flags.Arg(0))
	if err != nil {
		return err
	}
	folder, err := fs.Sub(embedded, "projects")
	if err != nil {
		return err
	}
	projects, err := loadProjects(folder)
	if err != nil {
		return err
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return err
	}
	b := bench{fettle: fettle, cache: filepath.Join(cache, "fettle-real"), force: *force, limit: *limit, say: func(format string, args ...any) {
		fmt.Printf(format+"\n", args...)
	}}
	if b.build, err = release.SumOf(fettle); err != nil {
		return err
	}
	chosen, err := choose(projects, flags.Args()[1:])
	if err != nil {
		return err
	}
	var failed []string
	for _, p := range chosen {
		if err := b.project(ctx, p); err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			b.say("  %v", err)
			failed = append(failed, p.Name)
		}
	}
	results, err := b.stored(projects)
	if err != nil {
		return err
	}
	if missing := unmeasured(projects, results); len(missing) > 0 {
		b.say("%s is written once every session of every project is measured; left are %s", document, strings.Join(missing, ", "))
	} else {
		if err := os.WriteFile(document, []byte(table(results)), 0o644); err != nil {
			return err
		}
		b.say("%s is written", document)
	}
	if len(failed) > 0 {
		return fmt.Errorf("not measured in full: %s", strings.Join(failed, ", "))
	}
	return nil
}

// unmeasured are the names of the projects that have not all of their sessions.
func unmeasured(all []Project, results []Result) (names []string) {
	for _, p := range all {
		if !slices.ContainsFunc(results, func(r Result) bool { return r.Project.Name == p.Name && len(r.Sessions) == len(p.Faults)+1 }) {
			names = append(names, p.Name)
		}
	}
	return names
}

// choose picks projects by their names; no names: all.
func choose(all []Project, names []string) ([]Project, error) {
	if len(names) == 0 {
		return all, nil
	}
	var out []Project
	for _, n := range names {
		i := slices.IndexFunc(all, func(p Project) bool { return p.Name == n })
		if i < 0 {
			return nil, fmt.Errorf("there is no project %q", n)
		}
		out = append(out, all[i])
	}
	return out, nil
}
