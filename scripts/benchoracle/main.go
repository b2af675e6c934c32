// Command benchoracle measures whether a right answer of a model gets through, and a wrong one does not: a model that knows the reference of each row of a corpus of small real
// bugs says something wrong first, in each of the ways of the test kit (internal/testenv/oracle), then the right answer, broken in some ways, then the right answer. It is asked by
// fettle itself, over HTTP on loopback; no other fixer is, and nobody judges what it said but the evidence and the audit.
//
//	benchoracle [-corpus DIR] [-lang python,go] [-row ID,ID] [-part 1/4] [-wrongs 2] [-jobs 2] [-force] [-v] FETTLE
//
// A row that was measured with the same program is not measured again, unless -force is given, so a measurement can be broken off and gone on with.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"sync"

	"golang.org/x/sync/errgroup"

	"fettle/internal/testenv/oracle"
	"fettle/scripts/benchrepair/rows"
	"fettle/scripts/figures"
	"fettle/scripts/program"
)

func main() {
	program.Main("benchoracle", func(ctx context.Context, args []string) error { return command(ctx, args, os.Stdout) })
}

func command(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("benchoracle", flag.ContinueOnError)
	var c choice
	corpus := flags.String("corpus", "", "the folder of quixbugs.jsonl.gz and bugs.jsonl.gz; empty: those that are carried here")
	flags.StringVar(&c.langs, "lang", "", "only rows in these languages")
	flags.StringVar(&c.ids, "row", "", "only these rows")
	flags.StringVar(&c.part, "part", "", "only the K-th of every N rows, as K/N")
	flags.IntVar(&c.wrongs, "wrongs", 1, "how many of the wrong ways are tried on each row, in a session each")
	jobs := flags.Int("jobs", runtime.NumCPU(), "rows measured side by side")
	force := flags.Bool("force", false, "measure again what was measured before")
	verbose := flags.Bool("v", false, "tell of every session")
	results := flags.String("results", "", "the file of what was measured, as JSON lines; empty: one in the folder for caches, for this fettle")
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
	all, err := rows.From(*corpus)
	if err != nil {
		return err
	}
	cases, err := c.of(all)
	if err != nil {
		return err
	}
	if *results == "" {
		if *results, err = figures.FileFor("oracle", fettle); err != nil {
			return err
		}
	}
	kept, err := figures.Open(*results, func(r Result) string { return r.Key() }, func(r Result) bool { return r.Error == "" && !*force })
	if err != nil {
		return err
	}
	b := bench{fettle: fettle, kept: kept}
	err = b.all(ctx, cases, *jobs, func(r Result) {
		if *verbose || !r.Good() {
			fmt.Fprintln(out, r)
		}
	})
	if err := errors.Join(err, kept.Close()); err != nil {
		return err
	}
	fmt.Fprint(out, table(b.results(cases)))
	return nil
}

// choice is what is measured; empty: all rows.
type choice struct {
	langs, ids, part string
	wrongs           int
}

// of gives each chosen row some of the wrong ways, so that over the rows each way comes as often as any other in each language.
func (c choice) of(all []rows.Row) ([]Case, error) {
	part, err := rows.Part(c.part)
	if err != nil {
		return nil, err
	}
	var out []Case
	turn := map[string]int{}
	for i, row := range all {
		if row.Files[row.Source] == row.Reference {
			continue
		}
		for range min(c.wrongs, len(oracle.Wrongs)) {
			at := turn[row.Language]
			turn[row.Language]++
			if rows.In(c.langs, row.Language) && rows.In(c.ids, row.ID) && part(i) {
				out = append(out, makeCase(row, at))
			}
		}
	}
	if len(out) == 0 {
		return nil, errors.New("no row is chosen")
	}
	return out, nil
}

// all measures the cases, several side by side.
func (b *bench) all(ctx context.Context, todo []Case, jobs int, each func(Result)) error {
	shut, err := b.open()
	if err != nil {
		return err
	}
	defer shut()
	var mu sync.Mutex
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(max(jobs, 1))
	for _, c := range todo {
		g.Go(func() error {
			r, known := b.kept.Has(c.key())
			if !known {
				if r = b.measure(ctx, c); ctx.Err() != nil {
					return ctx.Err()
				}
				if err := b.kept.Keep(r); err != nil {
					return err
				}
			}
			mu.Lock()
			defer mu.Unlock()
			each(r)
			return nil
		})
	}
	return g.Wait()
}

func (b *bench) results(of []Case) (out []Result) {
	for _, c := range of {
		if r, ok := b.kept.Has(c.key()); ok {
			out = append(out, r)
		}
	}
	return out
}
