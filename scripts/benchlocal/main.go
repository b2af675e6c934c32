// Command benchlocal measures what fettle heals with a small real model that runs on this machine: it has fettle fix ask nobody but the model about bugs that the search heals and about others that it
// does not, listens to what they say to each other, and writes the table docs/local-model.md.
//
//	benchlocal [-corpus FOLDER] [-healed 30] [-left 30] [-row ID,ID] [-time D] [-threads N] [-nice 10] [-force] [-v] FETTLE
//
// A row that was measured with the same program is not measured again, unless -force is given, so a measurement can be broken off and gone on with; -time ends it before the row that would begin later.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"fettle/scripts/benchrepair/rows"
	"fettle/scripts/figures"
	"fettle/scripts/localmodel/serve"
	"fettle/scripts/program"
)

// document is where the table stands, from the root of this checkout.
const document = "docs/local-model.md"

func main() { program.Main("benchlocal", command) }

func command(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("benchlocal", flag.ContinueOnError)
	how := serve.How{Seed: 1}
	corpus := flags.String("corpus", "", "a folder with quixbugs.jsonl.gz and bugs.jsonl.gz; empty: those that this program carries")
	healed := flags.Int("healed", 30, "rows that the search heals")
	left := flags.Int("left", 30, "rows that it does not heal")
	ids := flags.String("row", "", "only these rows")
	most := flags.Duration("time", 0, "begin no row after this time; 0: measure all")
	verbose := flags.Bool("v", false, "show what the model said")
	force := flags.Bool("force", false, "measure again what was measured before")
	results := flags.String("results", "", "the file of what was measured, as JSON lines; empty: one in the folder for caches, for this fettle")
	flags.IntVar(&how.Context, "context", 8192, "tokens that one call reads and writes")
	flags.IntVar(&how.Threads, "threads", runtime.NumCPU(), "processors that the model uses")
	flags.IntVar(&how.Nice, "nice", 10, "how far behind other programs it stands, 0-19")
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
	beliefs, err := figures.Beliefs(figures.Repair)
	if err != nil {
		return err
	}
	chosen := choose(all, beliefs, *left, *healed)
	if *ids != "" {
		named := strings.Split(*ids, ",")
		chosen = slices.DeleteFunc(choose(all, beliefs, len(all), len(all)), func(c candidate) bool { return !slices.Contains(named, c.row.ID) })
	}
	if len(chosen) == 0 {
		return errors.New("no row is chosen")
	}
	if *results == "" {
		if *results, err = figures.FileFor("local-model", fettle); err != nil {
			return err
		}
	}
	kept, err := figures.Open(*results, func(r Result) string { return r.Row }, func(r Result) bool { return r.Error == "" && !*force })
	if err != nil {
		return err
	}
	b := &bench{fettle: fettle, how: how, kept: kept, until: deadline(*most)}
	err = b.all(ctx, chosen, func(r Result) { show(os.Stdout, r, *verbose) })
	if err := errors.Join(err, kept.Close()); err != nil {
		return err
	}
	return b.tell(chosen, *ids == "")
}

func deadline(most time.Duration) time.Time {
	if most == 0 {
		return time.Time{}
	}
	return time.Now().Add(most)
}

// candidate is a row, and whether the search heals it.
type candidate struct {
	row    rows.Row
	healed bool
}

// choose takes rows that the search leaves or mends wrongly, those that it leaves first, and others that it heals; both from one end of the corpus to the other, evenly. They come by turns, so that half a measurement is one of both.
func choose(all []rows.Row, beliefs []figures.Belief, left, healed int) []candidate {
	right := map[string]bool{}
	passes := map[string]bool{}
	for _, b := range beliefs {
		passes[b.Row] = true
		right[b.Row] = b.Right
	}
	var good, none, wrong []rows.Row
	for _, r := range all {
		switch {
		case right[r.ID]:
			good = append(good, r)
		case passes[r.ID]:
			wrong = append(wrong, r)
		default:
			none = append(none, r)
		}
	}
	bad := append(evenly(none, left), evenly(wrong, max(0, left-len(none)))...)
	fine := evenly(good, healed)
	var out []candidate
	for i := range max(len(bad), len(fine)) {
		if i < len(bad) {
			out = append(out, candidate{bad[i], false})
		}
		if i < len(fine) {
			out = append(out, candidate{fine[i], true})
		}
	}
	return out
}

func evenly(all []rows.Row, n int) []rows.Row {
	if n >= len(all) {
		return slices.Clone(all)
	}
	var out []rows.Row
	for i := range n {
		out = append(out, all[i*len(all)/n])
	}
	return out
}

// tell writes what was measured, as a table too if it was asked for the rows of the document.
func (b *bench) tell(chosen []candidate, whole bool) error {
	var known []Result
	for _, c := range chosen {
		if r, ok := b.kept.Has(c.row.ID); ok {
			known = append(known, r)
		}
	}
	fmt.Print(summary(known))
	if !whole || len(known) == 0 {
		return nil
	}
	if err := os.WriteFile(document, []byte(table(known, len(chosen), b.how)), 0o644); err != nil {
		return err
	}
	fmt.Println(document, "is written")
	return nil
}
