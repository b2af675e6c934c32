// Command benchrepair measures how well fettle repairs without a model: it lays each row of a corpus of small real bugs out as a
// repository, has fettle mend it, and compares the result with the reference that fettle never saw. It writes the table
// docs/repair.md.
//
//	benchrepair [-lang python,go] [-set quixbugs] [-row ID,ID] [-part 1/4] [-jobs 2] [-v] FETTLE
//
// The table is written only when all rows are measured. With -v each row's patch is shown.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
)

// document is the table, from the root of this checkout.
const document = "docs/repair.md"

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := command(ctx, os.Args[1:])
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "benchrepair:", err)
		os.Exit(1)
	}
}

func command(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("benchrepair", flag.ContinueOnError)
	var c choice
	flags.StringVar(&c.langs, "lang", "", "only rows in these languages")
	flags.StringVar(&c.sets, "set", "", "only rows of these sets")
	flags.StringVar(&c.ids, "row", "", "only these rows")
	flags.StringVar(&c.part, "part", "", "only the K-th of every N rows, as K/N")
	jobs := flags.Int("jobs", runtime.NumCPU(), "rows measured side by side")
	verbose := flags.Bool("v", false, "show each row's patch")
	results := flags.String("results", "", "write what was measured to this file too, as JSON lines")
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
	all, err := loadRows()
	if err != nil {
		return err
	}
	rows, err := c.of(all)
	if err != nil {
		return err
	}
	readings, err := loadReadings()
	if err != nil {
		return err
	}
	b := bench{fettle: fettle, readings: readings}
	out := b.all(ctx, rows, *jobs, func(r Result) { show(os.Stdout, r, *verbose) })
	if err := ctx.Err(); err != nil {
		return err
	}
	if *results != "" {
		if err := writeResults(*results, out); err != nil {
			return err
		}
	}
	fmt.Print(summary(out))
	if len(rows) < len(all) {
		return nil
	}
	if err := os.WriteFile(document, []byte(table(out)), 0o644); err != nil {
		return err
	}
	fmt.Println(document, "is written")
	return nil
}

// choice is which rows are measured; empty: all of them.
type choice struct{ langs, sets, ids, part string }

func (c choice) of(all []Row) ([]Row, error) {
	k, n := 1, 1
	if c.part != "" {
		if _, err := fmt.Sscanf(c.part, "%d/%d", &k, &n); err != nil || k < 1 || n < 1 || k > n {
			return nil, fmt.Errorf("-part %s: want K/N, such as 2/4", c.part)
		}
	}
	in := func(list, s string) bool { return list == "" || slices.Contains(strings.Split(list, ","), s) }
	var out []Row
	for i, r := range all {
		if in(c.langs, r.Language) && in(c.sets, r.Set) && in(c.ids, r.ID) && i%n == k-1 {
			out = append(out, r)
		}
	}
	if len(out) == 0 {
		return nil, errors.New("no row is chosen")
	}
	return out, nil
}

// all measures the rows, several side by side, and returns the results in the rows' order.
func (b *bench) all(ctx context.Context, rows []Row, jobs int, each func(Result)) []Result {
	out := make([]Result, len(rows))
	next := make(chan int)
	var wg sync.WaitGroup
	var mu sync.Mutex
	for range max(jobs, 1) {
		wg.Go(func() {
			for i := range next {
				r := b.measure(ctx, rows[i])
				mu.Lock()
				out[i] = r
				each(r)
				mu.Unlock()
			}
		})
	}
	for i := range rows {
		if ctx.Err() != nil {
			break
		}
		next <- i
	}
	close(next)
	wg.Wait()
	return out
}
