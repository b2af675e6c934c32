// Command benchrepair measures how well fettle repairs without a model: it lays each row of a corpus of small real bugs out as a
// repository, has fettle mend it, and compares the result with the reference that fettle never saw. It writes the table
// docs/repair.md.
//
//	benchrepair [-corpus FOLDER] [-lang python,go] [-set quixbugs] [-row ID,ID] [-part 1/4] [-jobs 1] [-force] [-v] FETTLE
//
// A row that was measured with the same program is not measured again, unless -force is given, so a measurement can be broken off and gone on
// with. The table is written when there is a result for every row. With -v each row's patch is shown. Rows of one's own are measured with -corpus, and
// stand in no table: a folder with quixbugs.jsonl.gz and bugs.jsonl.gz as in scripts/benchrepair/rows.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"golang.org/x/sync/errgroup"

	"fettle/internal/fix/belief"
	"fettle/scripts/benchrepair/rows"
	"fettle/scripts/figures"
	"fettle/scripts/program"
)

// document is the table, from the root of this checkout.
const document = "docs/repair.md"

func main() { program.Main("benchrepair", command) }

func command(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("benchrepair", flag.ContinueOnError)
	var c choice
	corpus := flags.String("corpus", "", "a folder of other rows")
	flags.StringVar(&c.langs, "lang", "", "only rows in these languages")
	flags.StringVar(&c.sets, "set", "", "only rows of these sets")
	flags.StringVar(&c.ids, "row", "", "only these rows")
	flags.StringVar(&c.part, "part", "", "only the K-th of every N rows, as K/N")
	jobs := flags.Int("jobs", 1, "rows measured side by side: each slows the others")
	verbose := flags.Bool("v", false, "show each row's patch")
	force := flags.Bool("force", false, "measure again what was measured before")
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
	chosen, err := c.of(all)
	if err != nil {
		return err
	}
	readings, err := figures.NewReadings(readings)
	if err != nil {
		return err
	}
	if *results == "" {
		if *results, err = figures.FileFor("repair", fettle); err != nil {
			return err
		}
	}
	kept, err := openStore(*results, *force)
	if err != nil {
		return err
	}
	b := bench{fettle: fettle, readings: readings, kept: kept}
	err = b.all(ctx, chosen, *jobs, func(r Result) { show(os.Stdout, r, *verbose) })
	if err := errors.Join(err, kept.Close()); err != nil {
		return err
	}
	some, _ := b.results(chosen)
	fmt.Print(summary(some))
	if *corpus != "" {
		return nil
	}
	return b.document(all)
}

// document writes the table if all rows have been measured.
func (b *bench) document(all []rows.Row) error {
	every, whole := b.results(all)
	if !whole {
		return nil
	}
	if err := errors.Join(os.WriteFile(document, []byte(table(every)), 0o644), figures.WriteBeliefs(figures.Repair, beliefs(every))); err != nil {
		return err
	}
	fmt.Println(document, "is written")
	return nil
}

// results are what is known of the rows, as people have read it by now, and whether that is all of them.
func (b *bench) results(of []rows.Row) (out []Result, whole bool) {
	whole = true
	for _, row := range of {
		r, ok := b.kept.Has(row.ID)
		if !ok {
			whole = false
			continue
		}
		b.read(&r)
		if r.Grounds != nil && r.Grounds.Failing > 0 {
			r.Confidence = belief.Of(*r.Grounds) // as it is calibrated by now
		}
		out = append(out, r)
	}
	return out, whole
}

// choice is which rows are measured; empty: all of them.
type choice struct{ langs, sets, ids, part string }

func (c choice) of(all []rows.Row) ([]rows.Row, error) {
	part, err := rows.Part(c.part)
	if err != nil {
		return nil, err
	}
	var out []rows.Row
	for i, r := range all {
		if rows.In(c.langs, r.Language) && rows.In(c.sets, r.Set) && rows.In(c.ids, r.ID) && part(i) {
			out = append(out, r)
		}
	}
	if len(out) == 0 {
		return nil, errors.New("no row is chosen")
	}
	return out, nil
}

// all measures the rows, several side by side.
func (b *bench) all(ctx context.Context, todo []rows.Row, jobs int, each func(Result)) error {
	next := make(chan rows.Row)
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error {
		defer close(next)
		for _, row := range todo {
			select {
			case next <- row:
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		return nil
	})
	var mu sync.Mutex
	for range max(jobs, 1) {
		g.Go(func() error {
			for row := range next {
				r, known := b.kept.Has(row.ID)
				if !known {
					r = b.measure(ctx, row)
					if ctx.Err() != nil {
						return ctx.Err()
					}
					if err := b.kept.Keep(r); err != nil {
						return err
					}
				}
				mu.Lock()
				each(r)
				mu.Unlock()
			}
			return nil
		})
	}
	return g.Wait()
}
