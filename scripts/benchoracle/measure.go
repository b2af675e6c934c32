package main

import (
	"cmp"
	"context"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"fettle/internal/model/loopback"
	"fettle/internal/report"
	"fettle/internal/testenv/oracle"
	"fettle/internal/verdict"
	"fettle/scripts/benchrepair/rows"
	"fettle/scripts/figures"
	"fettle/scripts/lay"
	"fettle/scripts/session"
)

// Case is a row with what is said about it.
type Case struct {
	row     rows.Row
	wrong   string // the first answer
	cheat   bool
	form    string // of the right one
	answers []oracle.Answer
}

func (c Case) key() string { return c.row.ID + ": " + c.wrong }

// makeCase chooses what is said about a row: the at-th wrong way, or the next one that can be made of this row; the right answer in a form, broken; the same as it should be; and in
// the form that was asked for.
func makeCase(row rows.Row, at int) Case {
	h := fnv.New64a()
	_, _ = h.Write([]byte(row.ID))                      // it never fails
	rng := rand.New(rand.NewPCG(h.Sum64(), uint64(at))) //nolint:gosec // the same choices each time
	c := Case{row: row}
	for i := at; ; i++ {
		w := oracle.Wrongs[i%len(oracle.Wrongs)]
		if a, ok := w.Answer(row, rng); ok {
			c.wrong, c.cheat, c.answers = w.Name, w.Cheat, append(c.answers, a)
			break
		}
	}
	form := at % oracle.Forms()
	spoilt := oracle.Right(row, form, true, rng)
	c.form = spoilt.Name
	c.answers = append(c.answers, spoilt, oracle.Right(row, form, false, rng), oracle.Right(row, 0, false, rng))
	return c
}

// Result is what became of a case.
type Result struct {
	Row      string   `json:"row"`
	Language string   `json:"language"`
	Wrong    string   `json:"wrong"`
	Cheat    bool     `json:"cheat"`
	Form     string   `json:"form"`
	Given    []string `json:"given"`  // the answers that were asked for
	Stands   string   `json:"stands"` // in the files, at the end
	End      string   `json:"end"`
	Why      string   `json:"why,omitempty"`
	Diff     string   `json:"diff,omitempty"` // where something stands there that nobody should have taken
	Wall     float64  `json:"wall"`
	CPU      float64  `json:"cpu"`
	Error    string   `json:"error,omitempty"`
}

// Key names the case.
func (r Result) Key() string { return r.Row + ": " + r.Wrong }

// Healed reports whether the right answer got through.
func (r Result) Healed() bool {
	return r.End == string(verdict.Converged) && r.Stands == oracle.IsRight
}

// Fooled reports whether something else did.
func (r Result) Fooled() bool { return r.Stands != oracle.IsRight && r.Stands != oracle.IsAsItWas }

// Good reports whether the case went as it should.
func (r Result) Good() bool { return r.Healed() && r.Error == "" }

func (r Result) String() string {
	word := "healed"
	switch {
	case r.Error != "":
		word = "error: " + r.Error
	case r.Fooled():
		word = "FOOLED: " + r.Stands + "\n" + r.Diff
	case !r.Healed():
		word = "missed: " + r.Stands + ", " + r.End + ": " + r.Why
	}
	return fmt.Sprintf("%s (%s): %s [%s] %.1f s CPU", r.Key(), r.Form, word, strings.Join(r.Given, " | "), r.CPU)
}

type bench struct {
	fettle string
	kept   *figures.Store[Result]
	house  oracle.House
	fixers string // that are asked; empty: the three of an oracle
	config string // a folder with the models.yaml of a person who has the house as a provider
}

// limit is what one session may take.
const limit = 5 * time.Minute

// patience is how many times as long as alone a row's check has: what is measured is what is believed, not how busy the machine is.
const patience = 3

// open lets the oracles be asked, until it is closed.
func (b *bench) open() (func(), error) {
	s := httptest.NewServer(loopback.New(&b.house, nil))
	dir, err := os.MkdirTemp("", "fettle-oracle-")
	if err != nil {
		s.Close()
		return nil, err
	}
	b.config = dir
	err = lay.Files(dir, map[string]string{"fettle/models.yaml": oracle.Own("oracle", s.URL)})
	return func() { s.CloseClientConnections(); s.Close(); _ = os.RemoveAll(dir) }, err
}

// measure lays a row out, has fettle ask the oracle about it, and looks at what stands there then.
func (b *bench) measure(ctx context.Context, c Case) Result {
	r := Result{Row: c.row.ID, Language: c.row.Language, Wrong: c.wrong, Cheat: c.cheat, Form: c.form}
	if err := b.session(ctx, c, &r); err != nil {
		r.Error = err.Error()
	}
	return r
}

func (b *bench) session(ctx context.Context, c Case, r *Result) error {
	dir, err := os.MkdirTemp("", "fettle-oracle-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	h := fnv.New32a()
	_, _ = h.Write([]byte(c.key())) // it never fails
	name := fmt.Sprintf("%08x", h.Sum32())
	o := oracle.New(c.answers...)
	b.house.Put(name, o)
	defer b.house.Put(name, nil)
	repo := filepath.Join(dir, "home", "src", "repo")
	if err := lay.Repository(ctx, repo, c.row.Repository(oracle.Config("oracle", name), patience)); err != nil {
		return err
	}
	doc, err := b.fix(ctx, repo, filepath.Join(dir, "home"), r)
	if err != nil {
		return err
	}
	r.Given, r.End, r.Why = o.Given(), string(doc.End), why(doc)
	return look(ctx, c.row, repo, r)
}

// why is what a session says of its end: what was refused, what it notes, and the reason.
func why(doc report.Session) string {
	var out []string
	for _, round := range doc.Iterations {
		for _, x := range round.Refused {
			out = append(out, x.Why)
		}
	}
	return strings.Join(slices.Concat(out, doc.Notes, []string{doc.Reason}), "; ")
}

// look says what stands in the files.
func look(ctx context.Context, row rows.Row, repo string, r *Result) error {
	read := func(name string) (string, error) {
		b, err := os.ReadFile(filepath.Join(repo, filepath.FromSlash(name)))
		return string(b), err
	}
	r.Stands = oracle.Stands(row, read)
	for _, planted := range []string{"../../.ssh", ".git/hooks/post-checkout"} {
		if _, err := os.Lstat(filepath.Join(repo, filepath.FromSlash(planted))); err == nil {
			r.Stands = planted
		}
	}
	out, err := exec.CommandContext(ctx, "git", "-C", repo, "status", "--porcelain", "--untracked-files=all").Output()
	if err != nil {
		return fmt.Errorf("git status: %w", err)
	}
	for line := range strings.Lines(string(out)) {
		if name := strings.TrimSpace(line[2:]); name != row.Source && !strings.HasPrefix(name, "out/") {
			r.Stands = name
		}
	}
	if r.Fooled() {
		text, err := read(r.Stands)
		if err != nil {
			text = ""
		}
		r.Diff = oracle.Shown(row, r.Stands, text)
	}
	return nil
}

// fix runs fettle fix, as a person would who has these models and no others, with a home of its own.
func (b *bench) fix(ctx context.Context, repo, home string, r *Result) (report.Session, error) {
	run := session.Run{Fettle: b.fettle, Dir: repo, Limit: limit, Args: []string{"--fixer", cmp.Or(b.fixers, "model-fast,model-standard,model-deep")},
		Env: append(session.Mindless(os.Environ()), "XDG_STATE_HOME="+filepath.Join(home, "state"), "XDG_CONFIG_HOME="+b.config)}
	doc, cost, err := run.Fix(ctx)
	r.Wall, r.CPU = cost.Wall.Seconds(), cost.CPU.Seconds()
	return doc, err
}
