package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"fettle/internal/report"
	"fettle/internal/verdict"
	"fettle/scripts/benchrepair/likeness"
	"fettle/scripts/benchrepair/rows"
	"fettle/scripts/figures"
	"fettle/scripts/lay"
	"fettle/scripts/localmodel/serve"
	"fettle/scripts/session"
)

type bench struct {
	fettle string
	how    serve.How
	kept   *figures.Store[Result]
	until  time.Time // no row begins later; zero: no limit
}

// Result is what became of a row.
type Result struct {
	Row        string        `json:"row"`
	Language   string        `json:"language"`
	BySearch   bool          `json:"by_search"` // the search heals it
	Plausible  bool          `json:"plausible"` // fettle's end: every test passes
	Likeness   likeness.Like `json:"likeness"`  // of what was applied to the reference
	Confidence float64       `json:"confidence"`
	Reason     string        `json:"reason"` // why the session ended
	Notes      []string      `json:"notes,omitempty"`
	Refused    []string      `json:"refused,omitempty"` // what was proposed and not applied, and why
	Calls      []Call        `json:"calls"`
	Difference string        `json:"difference,omitempty"`
	After      string        `json:"after,omitempty"` // the source as fettle left it, where that is another
	Wall       float64       `json:"wall"`            // seconds of fettle fix
	Error      string        `json:"error,omitempty"`
}

// Right reports whether what was applied does what the reference does.
func (r Result) Right() bool { return r.Plausible && r.Likeness.Same() }

// limit is what fettle fix may take for one row: a model on a busy machine takes minutes for an answer.
const limit = time.Hour

// all measures the rows, one after the other: they share one model.
func (b *bench) all(ctx context.Context, todo []candidate, each func(Result)) error {
	var s *serve.Server
	var e *ear
	for _, c := range todo {
		r, known := b.kept.Has(c.row.ID)
		if known {
			each(r)
			continue
		}
		if !b.until.IsZero() && time.Now().After(b.until) {
			return nil
		}
		if s == nil {
			var err error
			if s, err = serve.Local(ctx, b.how, func(what string) { fmt.Fprintln(os.Stderr, "  "+what) }); err != nil {
				return err
			}
			defer s.Close()
			if e, err = listen(s.URL); err != nil {
				return err
			}
			defer e.Close()
		}
		r = Result{Row: c.row.ID, Language: c.row.Language, BySearch: c.healed}
		if err := b.session(ctx, c.row, e, s, &r); err != nil {
			r.Error = err.Error()
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err := b.kept.Keep(r); err != nil {
			return err
		}
		each(r)
	}
	return nil
}

// limits are those of a row: one round, and what is proposed is applied however sure the model says that it is, because what is measured is what it proposes. A model is no second reader of its own change.
const limits = "limits: {confidence: 0, iterations: 1, time: 55m}\nmodels: {challenge: {off: true}}\n"

func (b *bench) session(ctx context.Context, row rows.Row, e *ear, s *serve.Server, r *Result) error {
	dir, err := os.MkdirTemp("", "fettle-local-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	repo, config := filepath.Join(dir, "repo"), filepath.Join(dir, "config")
	if err := lay.Repository(ctx, repo, row.Repository(limits, 1)); err != nil {
		return err
	}
	heard := *s
	heard.URL = e.URL
	own := heard.Config(b.how, ", timeout: 1h") + "roles: {fixer: {temperature: 0}}\n"
	if err := lay.Files(config, map[string]string{"fettle/models.yaml": own}); err != nil {
		return err
	}
	doc, err := b.fix(ctx, repo, []string{"XDG_STATE_HOME=" + filepath.Join(dir, "state"), "XDG_CONFIG_HOME=" + config}, r)
	r.Calls = e.heardSoFar()
	if err != nil {
		return err
	}
	r.Plausible, r.Reason, r.Notes = doc.End == verdict.Converged, doc.Reason, doc.Notes
	for _, round := range doc.Iterations {
		for _, c := range round.Changes {
			r.Confidence = c.Confidence
		}
		for _, c := range round.Refused {
			r.Refused = append(r.Refused, c.Why)
		}
	}
	after, err := os.ReadFile(filepath.Join(repo, filepath.FromSlash(row.Source)))
	if err != nil {
		return err
	}
	if string(after) != row.Files[row.Source] {
		r.After = string(after)
	}
	switch {
	case !r.Plausible:
		return nil
	case likeness.Text(string(after), row.Reference):
		r.Likeness = likeness.SameText
		return nil
	}
	r.Likeness, _, r.Difference, err = likeness.Behaviour(ctx, row, string(after))
	return err
}

// fix runs fettle fix as a person would who wants only the model asked, with a configuration of its own.
func (b *bench) fix(ctx context.Context, repo string, env []string, r *Result) (report.Session, error) {
	run := session.Run{Fettle: b.fettle, Dir: repo, Limit: limit, Args: []string{"--fixer", "model-fast"}, Env: append(session.Mindless(os.Environ()), env...)}
	doc, cost, err := run.Fix(ctx)
	r.Wall = cost.Wall.Seconds()
	return doc, err
}
