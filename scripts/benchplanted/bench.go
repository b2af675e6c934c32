package main

import (
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"fettle/internal/check"
	"fettle/internal/diag"
	"fettle/internal/fix"
	"fettle/internal/fix/belief"
	"fettle/internal/report"
	"fettle/internal/verdict"
	"fettle/scripts/figures"
	"fettle/scripts/release"
)

type bench struct {
	fettle, build string // the program and its checksum
	cache         string // a folder for archives and trees
	faults        int    // in each project
	rows          []int  // numbers of the faults that are measured; none: all
	verbose       bool
	readings      figures.Readings
	kept          *figures.Store[Result]

	mu    sync.Mutex
	early map[string]Result // by key: what was measured first
	out   io.Writer
}

// Result is what became of a fault.
type Result struct {
	Project      string       `json:"project"`
	Release      string       `json:"release"` // its version
	Language     string       `json:"language"`
	Number       int          `json:"number"` // of the fault, of those that could be planted
	Build        string       `json:"build"`  // checksum of the fettle that was measured
	Fault        Fault        `json:"fault"`
	Caught       bool         `json:"caught"` // a test notices it; else nothing was measured
	Tests        int          `json:"tests"`  // that fail with it
	End          verdict.End  `json:"end,omitempty"`
	Likeness     Like         `json:"likeness,omitempty"`
	Confidence   float64      `json:"confidence,omitempty"`
	Grounds      *fix.Grounds `json:"grounds,omitempty"`
	Alternatives int          `json:"alternatives,omitempty"`
	Ideas        []string     `json:"ideas,omitempty"`
	Tried        int          `json:"tried,omitempty"`
	First        int          `json:"first,omitempty"` // candidates to the first that passed
	Ready        float64      `json:"ready,omitempty"` // seconds of searching until the first was tried
	Until        float64      `json:"until,omitempty"` // … until the first that passed
	Took         float64      `json:"took,omitempty"`  // … to the end
	Wall         float64      `json:"wall,omitempty"`  // seconds of fettle fix
	Why          string       `json:"why,omitempty"`   // what it said of its change, or why there is none
	Digest       string       `json:"digest,omitempty"`
	Diff         string       `json:"diff,omitempty"` // from the original to what was applied
	Error        string       `json:"error,omitempty"`
}

// Like is how the project compares with what it was before the fault.
type Like string

// The likenesses.
const (
	same   Like = "same"            // every byte of it
	equal  Like = figures.ReadEqual // another text; a person found it to do the same
	wrong  Like = figures.ReadWrong // another text; a person found that it does something else
	unread Like = "unread"          // another text that passes every test, and nobody has read yet
	left   Like = "left"            // some test still fails
)

// Right reports whether fettle's first patch is the right one.
func (r Result) Right() bool { return r.Likeness == same || r.Likeness == equal }

// Plausible reports whether every test passes.
func (r Result) Plausible() bool { return r.Caught && r.Likeness != left }

func (r Result) key() string        { return fmt.Sprintf("%s %s %d", r.Project, r.Release, r.Number) }
func (r Result) of(p Project) bool  { return r.Project == p.Name && r.Release == p.Version }
func (r Result) applied() bool      { return r.Plausible() && r.Confidence >= figures.Gate }
func (r Result) trying() float64    { return r.Until - r.Ready }
func (r Result) candidate() float64 { return float64(r.First) }

//go:embed readings.json
var readings []byte

// read takes over what a person has found about a patch, if anybody has read it, and how sure of it fettle is as it is calibrated by now.
func (b *bench) read(r Result) Result {
	if r.Grounds != nil && r.Grounds.Failing > 0 {
		r.Confidence = belief.Of(*r.Grounds)
	}
	if x, ok := b.readings.Of(fmt.Sprintf("%s %d", r.Project, r.Number), r.Digest); ok && r.Plausible() && r.Likeness != same {
		r.Likeness = Like(x.Verdict)
		if r.Likeness == wrong {
			r.Why += " " + x.Why
		}
	}
	return r
}

// known are the results of these projects that count: the first faults of each that a test notices.
func (b *bench) known(all []Project) []Result {
	var out []Result
	for _, p := range all {
		for n, caught := 0, 0; caught < b.faults; n++ {
			r, ok := b.kept.Has(Result{Project: p.Name, Release: p.Version, Number: n}.key())
			if !ok {
				break
			}
			if r.Caught {
				caught++
				out = append(out, b.read(r))
			}
		}
	}
	return out
}

// first keeps a result if nothing of its fault was measured before.
func (b *bench) first(r Result) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if _, ok := b.early[r.key()]; !ok && r.Error == "" && r.Caught {
		b.early[r.key()] = r
	}
}

// atFirst is what these faults were when each was measured for the first time.
func (b *bench) atFirst(known []Result) []Result {
	out := make([]Result, len(known))
	for i, r := range known {
		out[i] = b.read(b.early[r.key()])
	}
	return out
}

// project measures what is missing of a project.
func (b *bench) project(ctx context.Context, p Project) error {
	archive, err := p.Fetch(ctx, filepath.Join(b.cache, "archives"))
	if err != nil {
		return err
	}
	stamp, err := json.Marshal(p)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(stamp)
	tree, err := p.LayOut(ctx, archive, filepath.Join(b.cache, "trees", p.Name), hex.EncodeToString(sum[:]), nil)
	if err != nil {
		return err
	}
	names, err := tree.Git(ctx, "ls-files", "-z")
	if err != nil {
		return err
	}
	files, err := p.sources(tree.Dir, strings.Split(strings.TrimSuffix(string(names), "\x00"), "\x00"))
	if err != nil {
		return err
	}
	all, err := faults(ctx, p, tree.Dir, files)
	if err != nil {
		return err
	}
	switch seen, err := b.run(ctx, tree); {
	case err != nil:
		return err
	case !seen.Success:
		return fmt.Errorf("it is not green as it is: %s", words(seen))
	}
	caught := 0
	for n, f := range all {
		if caught == b.faults {
			return nil
		}
		if !b.wants(n) {
			continue
		}
		r, ok := b.kept.Has(Result{Project: p.Name, Release: p.Version, Number: n}.key())
		if !ok {
			r = Result{Project: p.Name, Release: p.Version, Language: p.Language, Number: n, Build: b.build, Fault: f}
			if err := b.measure(ctx, tree, &r); err != nil {
				if ctx.Err() != nil {
					return ctx.Err()
				}
				r.Error = err.Error()
			}
			b.first(r)
			if err := b.kept.Keep(r); err != nil {
				return err
			}
			b.show(b.read(r))
		}
		if r.Caught {
			caught++
		}
	}
	if len(b.rows) > 0 {
		return nil
	}
	return fmt.Errorf("only %d of its %d single edits are noticed by a test", caught, len(all))
}

func words(seen report.Run) string {
	var out []string
	for _, c := range seen.Checks {
		out = append(out, c.Reason, c.Tail)
		for _, d := range c.Diagnostics[:min(len(c.Diagnostics), 3)] {
			out = append(out, d.Message)
		}
	}
	return strings.Join(out, " ")
}

// measure plants a fault, sees whether a test notices it, has fettle mend it, and compares the project with what it was.
func (b *bench) measure(ctx context.Context, tree *release.Tree, r *Result) error {
	if err := tree.Restore(ctx); err != nil {
		return err
	}
	name := filepath.Join(tree.Dir, filepath.FromSlash(r.Fault.File))
	src, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	with, err := r.Fault.put(src)
	if err != nil {
		return err
	}
	if err := os.WriteFile(name, with, 0o644); err != nil {
		return err
	}
	seen, err := b.run(ctx, tree)
	if err != nil {
		return err
	}
	if r.Tests = noticing(seen); r.Tests == 0 {
		return nil
	}
	r.Caught = true
	if err := tree.Forget(); err != nil {
		return err
	}
	if err := b.fix(ctx, tree, r); err != nil {
		return err
	}
	diff, err := tree.Git(ctx, "diff", "--no-color", "--no-ext-diff", "-U1")
	if err != nil {
		return err
	}
	switch {
	case r.End != verdict.Converged:
		r.Likeness = left
	case len(diff) == 0:
		r.Likeness = same
	default:
		r.Likeness, r.Diff = unread, string(diff)
		sum := sha256.Sum256(diff)
		r.Digest = hex.EncodeToString(sum[:6])
	}
	return nil
}

// noticing is how many tests fail, where the code could be built: what hides other findings and is no test's own, such as a panic in one, is of the compiler.
func noticing(seen report.Run) (n int) {
	for _, c := range seen.Checks {
		for _, d := range c.Diagnostics {
			switch {
			case c.Status != check.Failed || d.Masks != diag.MasksNothing && d.Test == "":
				return 0
			case d.Test != "":
				n++
			}
		}
	}
	return n
}

// run is fettle run, as JSON.
func (b *bench) run(ctx context.Context, tree *release.Tree) (report.Run, error) {
	var r report.Run
	out, errs, code, err := release.Run(ctx, tree.Dir, tree.Env, b.fettle, "run", "--json")
	if err != nil {
		return r, err
	}
	if err := json.Unmarshal(out, &r); err != nil {
		return r, fmt.Errorf("fettle run (exit code %d) printed no report: %w\n%s", code, err, release.LastLines(append(out, errs...), 15))
	}
	return r, nil
}

// limit is what fettle fix may take for one fault.
const limit = 4 * time.Minute

// fix has fettle mend the tree, as a person would who has never run it there.
func (b *bench) fix(ctx context.Context, tree *release.Tree, r *Result) error {
	ctx, cancel := context.WithTimeout(ctx, limit+time.Minute) // for the checks that run when its own time is over
	defer cancel()
	began := time.Now()
	out, errs, code, err := release.Run(ctx, tree.Dir, tree.Env, b.fettle, "fix", "--json", "--quiet", "--time", limit.String())
	if err != nil {
		return err
	}
	r.Wall = time.Since(began).Seconds()
	var doc report.Session
	if err := json.Unmarshal(out, &doc); err != nil {
		return fmt.Errorf("fettle fix (exit code %d) printed no report: %w\n%s", code, err, release.LastLines(append(out, errs...), 15))
	}
	r.End = doc.End
	for _, round := range doc.Iterations {
		for _, c := range round.Changes {
			if r.Why == "" {
				r.Why, r.Confidence, r.Grounds, r.Alternatives, r.Ideas = c.Explanation, c.Confidence, c.Grounds, c.Alternatives, c.Ideas
			}
			if e := c.Effort; e != nil && r.Tried == 0 {
				r.Tried, r.First, r.Ready, r.Until, r.Took = e.Tried, e.First, e.Ready.Seconds(), e.Until.Seconds(), e.Took.Seconds()
			}
		}
	}
	if r.Why == "" {
		r.Why = strings.Join(append(doc.Notes, doc.Reason), "; ")
	}
	return nil
}

// show writes what became of a fault.
func (b *bench) show(r Result) {
	b.mu.Lock()
	defer b.mu.Unlock()
	at := fmt.Sprintf("%s %d %s:%d", r.Project, r.Number, r.Fault.File, r.Fault.Line)
	switch {
	case r.Error != "":
		fmt.Fprintf(b.out, "%s ERROR %s\n", at, r.Error)
	case !r.Caught:
		if b.verbose {
			fmt.Fprintf(b.out, "%s no test notices it: %s\n", at, r.Fault)
		}
	default:
		fmt.Fprintf(b.out, "%s %-6s %.2f sure, %5d tried, first %5d after %.2f s (%.2f ready); %.1f s in all  %s\n    %s\n", at, r.Likeness, r.Confidence, r.Tried, r.First, r.Until, r.Ready, r.Wall, r.Digest, r.Fault)
		if b.verbose || !r.Right() {
			fmt.Fprintf(b.out, "    %s\n%s", r.Why, r.Diff)
		}
	}
}

func (f Fault) String() string {
	return fmt.Sprintf("%s: `%s` → `%s`", f.Kind, strings.TrimSpace(f.Was), strings.TrimSpace(f.Is))
}
