// Command benchsecrets measures how many of the secrets in labelled texts policy/secret finds, and how many texts without one it alters.
//
//	go run ./scripts/benchsecrets [-v] [-outbound] FILE|FOLDER…
//
// Each FILE holds a row of JSON a line (compressed by gzip where its name ends in .gz): a text, its label ("secret", "benign"), the rule
// that it is about, and the exact secrets in it. A secret counts as found when no byte sequence equal to it is left after redaction; a benign
// text as altered when it does not come back byte for byte. Below a FOLDER every text is
// taken to hold no secrets, and the time is measured. Without either it reads the rows that the tests know.
//
// A text that one rule must leave to another is labelled benign where the rules are somebody else's, and may hold a secret all the same. So altered texts
// are counted a second time without those that testdata/labels.tsv says a reader would take for a secret: a rule, a piece of the text, yes or no, and why.
package main

import (
	"bufio"
	"cmp"
	"compress/gzip"
	_ "embed" // for the labels
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"fettle/internal/policy/secret"
)

// row is one labelled text.
type row struct {
	Text    string   `json:"text"`
	Label   string   `json:"label"`
	Rule    string   `json:"rule"`
	Secrets []string `json:"secrets"`
}

// tally counts what became of the rows of one kind.
type tally struct {
	secrets, missed, benign, altered, alike int
}

//go:embed testdata/labels.tsv
var labels string

// alike reports whether a reader would take a benign text for a secret. What nobody has labelled is ordinary.
func alike(r row) bool {
	for line := range strings.Lines(labels) {
		if f := strings.Split(line, "\t"); f[0] == r.Rule && strings.Contains(r.Text, f[1]) {
			return f[2] == "yes"
		}
	}
	return false
}

// finder finds secrets, and takes them out.
type finder interface {
	Find(text []byte) []secret.Finding
	Source(text string) string
}

// here is the finder for what stays on this machine.
type here struct{ *secret.Redactor }

func (h here) Source(text string) string { return h.RedactString(text) }

func main() {
	verbose := flag.Bool("v", false, "name what is missed and what is altered")
	outbound := flag.Bool("outbound", false, "by the rules for what leaves the machine, which take words for secrets too")
	flag.Parse()
	files := flag.Args()
	if len(files) == 0 {
		files = []string{"internal/policy/secret/testdata/secrets.jsonl.gz", "internal/policy/secret/testdata/drawn.jsonl.gz", "internal/policy/secret/testdata/kinds.jsonl.gz", "internal/policy/secret/testdata/further.jsonl.gz"}
	}
	var look finder = here{secret.New(nil)}
	if *outbound {
		look = secret.New(nil).Outbound()
	}
	for _, name := range files {
		see := measure
		if info, err := os.Stat(name); err == nil && info.IsDir() {
			see = survey
		}
		if err := see(os.Stdout, look, name, *verbose); err != nil {
			fmt.Fprintln(os.Stderr, "benchsecrets:", err)
			os.Exit(1)
		}
	}
}

// measure prints the figures of one file.
func measure(w io.Writer, look finder, name string, verbose bool) error {
	rows, err := read(name)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	var all tally
	kinds := map[string]*tally{}
	for _, row := range rows {
		k := kinds[row.Rule]
		if k == nil {
			k = &tally{}
			kinds[row.Rule] = k
		}
		after := look.Source(row.Text)
		if row.Label == "benign" {
			all.benign, k.benign = all.benign+1, k.benign+1
			if after != row.Text {
				all.altered, k.altered = all.altered+1, k.altered+1
				kind := "altered"
				if alike(row) {
					all.alike++
					kind = "altered, as a reader would"
				}
				if verbose {
					fmt.Fprintf(w, "%s %s: %q became %q\n", kind, row.Rule, row.Text, after)
				}
			}
			continue
		}
		for _, s := range row.Secrets {
			all.secrets, k.secrets = all.secrets+1, k.secrets+1
			if strings.Contains(after, s) {
				all.missed, k.missed = all.missed+1, k.missed+1
				if verbose {
					fmt.Fprintf(w, "missed %s: %q in %q\n", row.Rule, s, row.Text)
				}
			}
		}
	}
	fmt.Fprintf(w, "%s\n  found   %5d of %5d secrets (%.2f %%)\n  altered %5d of %5d texts without one (%.2f %%)\n", name,
		all.secrets-all.missed, all.secrets, percent(all.secrets-all.missed, all.secrets), all.altered, all.benign, percent(all.altered, all.benign))
	if all.alike > 0 {
		altered, ordinary := all.altered-all.alike, all.benign-all.alike
		fmt.Fprintf(w, "  altered %5d of %5d without those that a reader would take for a secret (%.2f %%)\n", altered, ordinary, percent(altered, ordinary))
	}
	for _, rule := range slices.SortedFunc(maps.Keys(kinds), func(a, b string) int { return cmp.Or(cmp.Compare(kinds[b].missed, kinds[a].missed), cmp.Compare(a, b)) }) {
		if k := kinds[rule]; k.missed+k.altered > 0 {
			fmt.Fprintf(w, "  %-36s missed %d of %d, altered %d of %d\n", rule, k.missed, k.secrets, k.altered, k.benign)
		}
	}
	return nil
}

func percent(n, of int) float64 { return 100 * float64(n) / float64(max(of, 1)) }

// read reads a file of rows.
func read(name string) (rows []row, err error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var in io.Reader = bufio.NewReader(f)
	if strings.HasSuffix(name, ".gz") {
		if in, err = gzip.NewReader(in); err != nil {
			return nil, err
		}
	}
	for d := json.NewDecoder(in); ; {
		var r row
		switch err := d.Decode(&r); {
		case errors.Is(err, io.EOF):
			return rows, nil
		case err != nil:
			return nil, err
		}
		rows = append(rows, r)
	}
}
