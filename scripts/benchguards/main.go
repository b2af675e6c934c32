// Command benchguards puts the same labelled commands to fettle's guard and to others, and prints what each of them says: how many dangerous ones
// it lets pass, asks about and refuses, how many ordinary ones it refuses and asks about, and what a call costs.
//
//	go run ./scripts/benchguards [-sample N] [-dippy FOLDER] [-dcg PROGRAM] [-build-dcg] [-only NAME] [FILE|FOLDER…]
//
// A FILE holds a row of JSON a line (compressed by gzip where its name ends in .gz), with a command, the decision that is wanted of it, and those
// that count as right; of a FOLDER every bash_*.jsonl is read. Without either it reads the rows that the tests know. Every guard is asked as
// Claude Code would ask it: by a process for each call, which gets a tool call as JSON. Nothing of it is ever run: a command is data here.
//
// The others are installed below .tools in the versions that are named in peers.go; dcg, which takes long to build, only by -build-dcg. PROGRAM is
// another dcg, of any version. Dippy comes from no registry: FOLDER is a checkout of it.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"fettle/scripts/program"
)

func main() { program.Main("benchguards", command) }

func command(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("benchguards", flag.ContinueOnError)
	sample := flags.Int("sample", 0, "of each file, only about so many rows, evenly spread")
	var asked others
	flags.StringVar(&asked.dippy, "dippy", "", "a checkout of Dippy")
	flags.StringVar(&asked.dcg, "dcg", "", "a program of dcg's")
	flags.BoolVar(&asked.buildDCG, "build-dcg", false, "have cargo build dcg "+dcgVersion+", which takes long the first time")
	only := flags.String("only", "", "one guard alone, by its name")
	if err := flags.Parse(args); err != nil {
		return err
	}
	return run(ctx, flags.Args(), *sample, asked, *only)
}

func run(ctx context.Context, names []string, sample int, asked others, only string) error {
	if len(names) == 0 {
		names = []string{"internal/policy/shell/testdata/commands.jsonl", "internal/policy/shell/testdata/review.jsonl"}
	}
	tools, err := filepath.EvalSymlinks(".tools")
	if err != nil {
		return fmt.Errorf("there is no .tools: run make deps first: %w", err)
	}
	folder, err := filepath.Abs(filepath.Join(tools, "guards")) // guards are started in another folder
	if err != nil {
		return err
	}
	y, err := newYard(ctx, folder)
	if err != nil {
		return err
	}
	defer os.RemoveAll(y.own) // and what the guards have kept in that home
	peers, err := install(ctx, folder, asked)
	if err != nil {
		return err
	}
	if only != "" {
		peers = slices.DeleteFunc(peers, func(p peer) bool { return p.name != only })
		if len(peers) == 0 {
			return fmt.Errorf("there is no guard %q here", only)
		}
	}
	for _, name := range names {
		files := []string{name}
		if info, err := os.Stat(name); err == nil && info.IsDir() {
			if files, err = filepath.Glob(filepath.Join(name, "bash_*.jsonl*")); err != nil {
				return err
			}
		}
		for _, file := range files {
			rows, err := readRows(file, sample)
			if err != nil {
				return err
			}
			if err := compare(ctx, y, peers, file, rows); err != nil {
				return err
			}
		}
	}
	return nil
}

// tally is what a guard has said of the rows of a file.
type tally struct {
	dangerous, passed, asked, denied int
	benign, benignAsked, benignDeny  int
	wall, cpu                        []time.Duration
}

// compare puts the rows of a file to every guard, row by row, so that the machine's load is the same for all.
func compare(ctx context.Context, y *yard, peers []peer, file string, rows []row) error {
	tallies := make([]tally, len(peers))
	for i, r := range rows {
		for k, p := range peers {
			a, err := y.ask(ctx, p, r.Command, i)
			if err != nil {
				return fmt.Errorf("%s, row %s: %w", p.name, r.ID, err)
			}
			tallies[k].add(r, a)
		}
	}
	fmt.Printf("\n%s, %d rows\n\n", filepath.Base(file), len(rows))
	fmt.Println("| guard | dangerous | passed | asked about | refused | ordinary | refused | asked about | time a call | processor time |")
	fmt.Println("|---|---|---|---|---|---|---|---|---|---|")
	for k, p := range peers {
		t := &tallies[k]
		fmt.Printf("| %s | %d | %s | %s | %s | %d | %s | %s | %s | %s |\n", p.title, t.dangerous, share(t.passed, t.dangerous), share(t.asked, t.dangerous), share(t.denied, t.dangerous),
			t.benign, share(t.benignDeny, t.benign), share(t.benignAsked, t.benign), median(t.wall), median(t.cpu))
	}
	return nil
}

func (t *tally) add(r row, a answer) {
	t.wall, t.cpu = append(t.wall, a.wall), append(t.cpu, a.cpu)
	switch {
	case r.benign() && a.decision == "deny":
		t.benign, t.benignDeny = t.benign+1, t.benignDeny+1
	case r.benign() && a.decision == "ask":
		t.benign, t.benignAsked = t.benign+1, t.benignAsked+1
	case r.benign():
		t.benign++
	case !r.dangerous(): // a matter of taste
	case a.decision == "deny":
		t.dangerous, t.denied = t.dangerous+1, t.denied+1
	case a.decision == "ask":
		t.dangerous, t.asked = t.dangerous+1, t.asked+1
	default:
		t.dangerous, t.passed = t.dangerous+1, t.passed+1
	}
}

func share(n, of int) string {
	if of == 0 {
		return "–"
	}
	return fmt.Sprintf("%d (%.1f %%)", n, 100*float64(n)/float64(of))
}

func median(list []time.Duration) string {
	if len(list) == 0 {
		return "–"
	}
	slices.Sort(list)
	return fmt.Sprintf("%.1f ms", float64(list[len(list)/2].Microseconds())/1000)
}
