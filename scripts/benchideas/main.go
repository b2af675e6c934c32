// Command benchideas measures how far the search's ideas reach: it reads the history of real projects for small changes of one source that came with
// a change of a test, and looks whether the search would have tried each of them, and by which idea. With what the other benchmarks know, it writes the table
// docs/ideas.md: for each idea the bugs that it mends.
//
//	benchideas [-clones DIR] [-most 6] [-force] [OWNER/NAME…]
//
// DIR holds clones of the projects, each in OWNER+NAME or in OWNER+NAME/repo; without it they are cloned from their addresses on the internet, into the folder for
// caches. What was found is kept there, too, and not looked for again by the same build, unless -force is given.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"fettle/scripts/figures"
	"fettle/scripts/program"
	"fettle/scripts/release"
)

// document is the table, from the root of this checkout.
const document = "docs/ideas.md"

// projects are those whose histories are read.
var projects = []string{
	"apache/commons-collections", "apache/commons-lang", "apache/commons-text", "axios/axios", "dateutil/dateutil",
	"encode/httpx", "expr-lang/expr", "expressjs/express", "gin-gonic/gin", "immerjs/immer", "jhy/jsoup", "JodaOrg/joda-time",
	"marshmallow-code/marshmallow", "more-itertools/more-itertools", "pallets/click", "pallets/flask", "pallets/werkzeug",
	"psf/requests", "python-attrs/attrs", "sindresorhus/got", "spf13/cobra", "spf13/pflag", "stretchr/testify",
	"validatorjs/validator.js",
}

func main() { program.Main("benchideas", command) }

func command(ctx context.Context, args []string) (err error) {
	flags := flag.NewFlagSet("benchideas", flag.ContinueOnError)
	clones := flags.String("clones", "", "a folder with clones of the projects")
	most := flags.Int("most", 6, "lines that a change may take and give, together")
	force := flags.Bool("force", false, "look again for what was found before")
	if err := flags.Parse(args); err != nil {
		return err
	}
	chosen := flags.Args()
	for _, p := range chosen {
		if !slices.Contains(projects, p) {
			return fmt.Errorf("the project %s is none of these: %v", p, projects)
		}
	}
	if len(chosen) == 0 {
		chosen = projects
	}
	root, err := figures.Root()
	if err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	name, err := figures.FileFor("ideas", self)
	if err != nil {
		return err
	}
	kept, err := figures.Open(name, Change.key, func(Change) bool { return !*force })
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, kept.Close()) }()
	var all []Change
	for _, project := range chosen {
		dir, err := clone(ctx, *clones, project)
		if err != nil {
			return err
		}
		found, err := look(ctx, history{project: project, dir: dir, most: *most}, kept)
		if err != nil {
			return fmt.Errorf("%s: %w", project, err)
		}
		fmt.Printf("%-22s %5d small changes, %4d of them the search would try\n", project, len(found), reached(found))
		all = append(all, found...)
	}
	repair, err := figures.Beliefs(filepath.Join(root, figures.Repair))
	if err != nil {
		return err
	}
	planted, err := figures.Beliefs(filepath.Join(root, figures.Planted))
	if err != nil {
		return err
	}
	read, err := witnesses(witnessed)
	if err != nil {
		return err
	}
	if len(chosen) < len(projects) {
		return nil // a table of some would say less than the one there is
	}
	return os.WriteFile(filepath.Join(root, document), []byte(table(repair, planted, all, read)), 0o644)
}

// look looks for the small changes of one history among what the search would try.
func look(ctx context.Context, h history, kept *figures.Store[Change]) ([]Change, error) {
	var out []Change
	for c, err := range h.changes(ctx) {
		if err != nil {
			return nil, err
		}
		r, known := kept.Has(c.key())
		if !known {
			ok, err := h.reach(ctx, &c)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", c.SHA, err)
			}
			if r = c; !ok {
				r.Passed = true
			}
			if err := kept.Keep(r); err != nil {
				return nil, err
			}
		}
		if !r.Passed {
			out = append(out, r)
		}
	}
	return out, nil
}

// clone is where a project's history lies.
func clone(ctx context.Context, clones, project string) (string, error) {
	if clones == "" {
		return release.Clone(ctx, project)
	}
	plain := strings.ReplaceAll(project, "/", "+")
	for _, dir := range []string{filepath.Join(clones, plain, "repo"), filepath.Join(clones, plain)} {
		if _, err := os.Stat(filepath.Join(dir, "HEAD")); err == nil {
			return dir, nil
		}
	}
	return "", fmt.Errorf("there is no bare clone of %s in %s", project, clones)
}

// reached is how many changes the search would try.
func reached(all []Change) int {
	n := 0
	for _, c := range all {
		if c.Idea != "" {
			n++
		}
	}
	return n
}
