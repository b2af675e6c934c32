// Command benchreplies holds the reader of models' replies beside aider's, on the same replies.
//
//	go run ./scripts/benchreplies [-n COUNT] [-seed N] [-v] [-aider PYTHON]
//	go run ./scripts/benchreplies -codex DIR
//
// Each reply is a right answer about one of the small bugs of scripts/benchrepair, in one of the forms that both read: search/replace blocks, unified diffs with and without line numbers,
// a whole file in a fence. Half of them are as they should be, half are broken in some of the ways that models have been seen to break replies. Those of which only the provider can tell
// that they were cut off are left out, and diffs begin as aider asks for them, without git's line.
//
// PYTHON is an interpreter that can import aider (make bench-replies installs one); without it only fettle's reader is measured.
//
// DIR is codex-rs/apply-patch/tests/fixtures/scenarios of a checkout of Codex: its published cases of apply_patch, one by one, with what fettle's reader makes of them.
package main

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"fettle/internal/edit"
	"fettle/internal/fix/reply"
	"fettle/internal/testenv/oracle"
	"fettle/scripts/benchrepair/rows"
	"fettle/scripts/program"
)

//go:embed applied.py
var applied []byte

// formats are the forms that both read, and what aider calls the mode in which it expects them.
var formats = map[string]string{"blocks": "diff", "diff": "udiff", "diff without numbers": "udiff", "whole file in a fence": "whole"}

// question is one reply about one file.
type question struct {
	form   string
	spoilt bool
	fault  oracle.Fault
	text   string
	how    []string
}

// result is what a reader made of a reply.
type result struct {
	Text    string   `json:"text"`  // the file afterwards
	Other   []string `json:"other"` // files that were made beside it
	Refused bool     `json:"refused"`
}

// What became of a reply. A tool that takes a part and complains of the rest leaves a change that nobody meant; one that does nothing and says nothing leaves its user to find that out.
const (
	right   = "right"
	refused = "refused"
	partly  = "refused, but changed"
	nothing = "nothing, silently"
	wrong   = "wrong"
)

var outcomes = []string{right, refused, partly, nothing, wrong}

func main() { program.Main("benchreplies", command) }

func command(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("benchreplies", flag.ContinueOnError)
	n := flags.Int("n", 1000, "replies of each form")
	seed := flags.Uint64("seed", 20261124, "for what is drawn")
	verbose := flags.Bool("v", false, "show what fettle's reader made something else of")
	aider := flags.String("aider", "", "an interpreter that can import aider")
	scenarios := flags.String("codex", "", "the folder of Codex's cases of apply_patch")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *scenarios != "" {
		return codex(ctx, os.Stdout, *scenarios)
	}
	return run(ctx, os.Stdout, *n, *seed, *verbose, *aider)
}

func run(ctx context.Context, w io.Writer, n int, seed uint64, verbose bool, aider string) error {
	questions, err := draw(n, seed)
	if err != nil {
		return err
	}
	tables := map[string][]result{}
	readers := []string{"fettle"}
	for _, q := range questions {
		r, err := read(ctx, q)
		if err != nil {
			return err
		}
		if verbose && (judge(q, r) == wrong || judge(q, r) == partly) {
			fmt.Fprintf(w, "%v of %s became\n%s\n--- reply\n%s\n", q.how, q.fault.Path, r.Text, q.text)
		}
		tables["fettle"] = append(tables["fettle"], r)
	}
	if aider != "" {
		readers = append(readers, "aider")
		if tables["aider"], err = peer(ctx, aider, questions); err != nil {
			return err
		}
	}
	for _, spoilt := range []bool{false, true} {
		fmt.Fprintf(w, "\n| %s | | %s |\n|---|---|%s\n", map[bool]string{false: "as they should be", true: "broken"}[spoilt], strings.Join(outcomes, " | "), strings.Repeat("--:|", len(outcomes)))
		for _, form := range []string{"blocks", "diff", "diff without numbers", "whole file in a fence"} {
			for _, reader := range readers {
				counts := map[string]int{}
				for i, q := range questions {
					if q.form == form && q.spoilt == spoilt {
						counts[judge(q, tables[reader][i])]++
					}
				}
				fmt.Fprintf(w, "| %s | %s |", form, reader)
				for _, o := range outcomes {
					fmt.Fprintf(w, " %d |", counts[o])
				}
				fmt.Fprintln(w)
			}
		}
	}
	return nil
}

// gits is the line that git writes above a file's diff.
var gits = regexp.MustCompile(`(?m)^diff --git .*\n`)

// draw writes n replies of each form, half of them broken.
func draw(n int, seed uint64) ([]question, error) {
	all, err := rows.All()
	if err != nil {
		return nil, err
	}
	var faults []oracle.Fault
	for _, r := range all {
		if base := r.Files[r.Source]; base != "" && base != r.Reference {
			faults = append(faults, oracle.Fault{Path: r.Source, Base: base, Right: r.Reference})
		}
	}
	count := map[string]int{}
	var out []question
	for i := range uint64(100 * n) {
		rng := rand.New(rand.NewPCG(seed, i)) //nolint:gosec // the same replies each time
		f := faults[rng.IntN(len(faults))]
		r := oracle.Write(f, rng.IntN(oracle.Forms()), rng)
		form := r.How[0]
		if formats[form] == "" || count[form] == n {
			continue
		}
		spoilt := count[form]%2 == 1
		if spoilt {
			if r.Spoil(); len(r.How) == 1 || r.Cut {
				continue
			}
		}
		count[form]++
		out = append(out, question{form, spoilt, f, gits.ReplaceAllString(r.Text, ""), r.How})
	}
	return out, nil
}

// read is fettle's reader.
func read(ctx context.Context, q question) (result, error) {
	src := func(path string) (edit.File, error) {
		if path == q.fault.Path {
			return edit.File{Data: []byte(q.fault.Base), Mode: 0o644, Exists: true}, nil
		}
		return edit.File{}, nil
	}
	a, err := reply.Read(ctx, q.text, false, reply.Ground{Source: src, Files: map[string]reply.Sight{q.fault.Path: reply.Whole}})
	var rejected *edit.RejectError
	if errors.As(err, &rejected) {
		return result{Text: q.fault.Base, Refused: true}, nil
	}
	if err != nil {
		return result{}, err
	}
	files, err := a.Patch.Apply(src)
	if err != nil {
		return result{}, err
	}
	out := result{Text: q.fault.Base}
	for path, f := range files {
		if path == q.fault.Path {
			out.Text = string(f.Data)
			continue
		}
		out.Other = append(out.Other, path)
	}
	return out, nil
}

// peer has aider apply the same replies, each in a folder of its own.
func peer(ctx context.Context, python string, questions []question) ([]result, error) {
	dir, err := os.MkdirTemp("", "benchreplies")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	script := filepath.Join(dir, "applied.py")
	if err := os.WriteFile(script, applied, 0o600); err != nil {
		return nil, err
	}
	var in bytes.Buffer
	e := json.NewEncoder(&in)
	for _, q := range questions {
		if err := e.Encode(map[string]string{"format": formats[q.form], "path": q.fault.Path, "base": q.fault.Base, "reply": q.text}); err != nil {
			return nil, err
		}
	}
	cmd := exec.CommandContext(ctx, python, script)
	cmd.Env = append(os.Environ(), "HOME="+dir)
	var log bytes.Buffer
	cmd.Stdin, cmd.Stderr = &in, &log
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("aider: %w: %s", err, log.String())
	}
	var results []result
	for d := json.NewDecoder(bytes.NewReader(out)); d.More(); {
		var r result
		if err := d.Decode(&r); err != nil {
			return nil, fmt.Errorf("aider: %w", err)
		}
		results = append(results, r)
	}
	if len(results) != len(questions) {
		return nil, fmt.Errorf("aider answered %d of %d: %s", len(results), len(questions), log.String())
	}
	return results, nil
}

func judge(q question, r result) string {
	changed := r.Text != q.fault.Base || len(r.Other) > 0
	switch {
	case r.Refused && changed:
		return partly
	case r.Refused:
		return refused
	case !changed:
		return nothing
	case len(r.Other) == 0 && oracle.Effect(q.fault.Path, r.Text) == oracle.Effect(q.fault.Path, q.fault.Right):
		return right
	}
	return wrong
}
