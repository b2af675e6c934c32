// Command benchplanted measures how well fettle repairs real projects without a model: it brings pinned releases from their registries, plants single
// edits that a test of the project notices, one at a time, and has fettle mend each. It writes the table docs/planted.md.
//
//	benchplanted [-faults 20] [-row N,N…] [-jobs 2] [-force] [-table] [-v] FETTLE [PROJECT…]
//
// What was measured is kept in scripts/benchplanted/results.jsonl, with the program's checksum; the same is not measured again with whichever program,
// unless -force is given, so a measurement can be broken off and gone on with. With -row only the faults of these numbers are measured, and with -force
// as well only they are measured again.
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
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"

	"fettle/scripts/figures"
	"fettle/scripts/program"
	"fettle/scripts/release"
)

//go:embed projects/*.yaml
var embedded embed.FS

// From the root of this checkout.
const (
	document = "docs/planted.md"
	results  = "scripts/benchplanted/results.jsonl"
)

func main() { program.Main("benchplanted", command) }

func command(ctx context.Context, args []string) (err error) {
	flags := flag.NewFlagSet("benchplanted", flag.ContinueOnError)
	b := bench{out: os.Stdout}
	flags.IntVar(&b.faults, "faults", 20, "faults in each project")
	jobs := flags.Int("jobs", runtime.NumCPU(), "projects measured side by side")
	force := flags.Bool("force", false, "measure again what was measured before")
	only := flags.Bool("table", false, "measure nothing; write the table of what is known")
	flags.Func("row", "only the faults of these numbers, with commas between", b.choose)
	flags.BoolVar(&b.verbose, "v", false, "show each patch")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() == 0 {
		return errors.New("name the fettle program, and after it the projects (none: all of them)")
	}
	if b.fettle, err = filepath.Abs(flags.Arg(0)); err != nil {
		return err
	}
	sum, err := release.SumOf(b.fettle)
	if err != nil {
		return err
	}
	b.build = sum[:12]
	folder, err := fs.Sub(embedded, "projects")
	if err != nil {
		return err
	}
	all, err := loadProjects(folder)
	if err != nil {
		return err
	}
	chosen, err := choose(all, flags.Args()[1:])
	if err != nil {
		return err
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return err
	}
	b.cache = filepath.Join(cache, "fettle-planted")
	if b.readings, err = figures.NewReadings(readings); err != nil {
		return err
	}
	b.early = map[string]Result{}
	counts := func(r Result) bool {
		b.first(r)
		return r.Error == "" && (!*force || !b.wants(r.Number) || !slices.ContainsFunc(chosen, r.of))
	}
	if b.kept, err = figures.Open(results, Result.key, counts); err != nil {
		return err
	}
	var failed error
	if !*only {
		failed = b.all(ctx, chosen, *jobs)
	}
	if err := errors.Join(ctx.Err(), b.kept.Close()); err != nil {
		return err
	}
	known := b.known(all)
	if err := errors.Join(os.WriteFile(document, []byte(table(known, b.atFirst(known))), 0o644), figures.WriteBeliefs(figures.Planted, beliefs(known))); err != nil {
		return err
	}
	fmt.Println(document, "is written")
	return failed
}

// choose takes the numbers of the faults that are wanted.
func (b *bench) choose(numbers string) error {
	for part := range strings.SplitSeq(numbers, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(part))
		if err != nil {
			return err
		}
		b.rows = append(b.rows, n)
	}
	return nil
}

// wants reports whether a fault's number is wanted: all are, if none is named.
func (b *bench) wants(number int) bool { return len(b.rows) == 0 || slices.Contains(b.rows, number) }

// choose picks projects by their names or languages; none: all.
func choose(all []Project, names []string) ([]Project, error) {
	if len(names) == 0 {
		return all, nil
	}
	var out []Project
	for _, name := range names {
		had := len(out)
		for _, p := range all {
			if p.Name == name || strings.EqualFold(p.Language, name) {
				out = append(out, p)
			}
		}
		if len(out) == had {
			return nil, fmt.Errorf("no project is called %s, and none is in a language of that name", name)
		}
	}
	return out, nil
}

// all measures the projects, several side by side. One that cannot be measured does not keep the others from it.
func (b *bench) all(ctx context.Context, chosen []Project, jobs int) error {
	next := make(chan int)
	failed := make([]error, len(chosen))
	var workers sync.WaitGroup
	for range max(jobs, 1) {
		workers.Go(func() {
			for i := range next {
				if err := b.project(ctx, chosen[i]); err != nil {
					failed[i] = fmt.Errorf("%s: %w", chosen[i].Name, err)
				}
			}
		})
	}
	for i := range chosen {
		if ctx.Err() == nil {
			next <- i
		}
	}
	close(next)
	workers.Wait()
	return errors.Join(failed...)
}
