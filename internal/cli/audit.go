package cli

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"fettle/internal/audit"
	"fettle/internal/edit"
	"fettle/internal/heal"
	"fettle/internal/phrase"
	"fettle/internal/report"
	"fettle/internal/verdict"

	"github.com/spf13/cobra"
)

// auditFlags are what audit is told.
type auditFlags struct {
	diff, sarif    string
	staged         bool
	tests, configs bool
	only           []string
}

func (a *app) auditCmd() *cobra.Command {
	var f auditFlags
	cmd := &cobra.Command{
		Use:   "audit [REV|A..B|A...B]",
		Short: "Judge a change: tampering with tests, danger, secrets; changes nothing",
		Long: `Judge a change by what it brings in: tests and checks that prove less than before, silenced findings, code that cheats or is
dangerous, secrets, hidden characters, placeholders. Each verdict names its place, and whether it refuses the change, asks for a
person's yes, or is worth a note.

Without arguments the change is the working tree's against HEAD, with REV against that commit. A...B is what B brings in since it parted
from A, as a pull request shows it; A..B compares the two as they are, so that what only A has counts as taken back. Secrets are looked
for in every commit on the way. Nothing of the change is executed.`,
		Example: `  fettle audit
  fettle audit --staged
  fettle audit origin/main...HEAD --sarif audit.sarif
  fettle audit --diff proposal.diff`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			rev := ""
			if len(args) > 0 {
				if rev = args[0]; rev == "" || strings.HasPrefix(rev, "..") {
					return usage("%q names no revision to compare with: is a variable empty? Without an argument it is HEAD", rev)
				}
			}
			if f.diff != "" && (f.staged || rev != "") || f.staged && strings.Contains(rev, "..") {
				return usage("one change at a time: --diff, --staged, or A...B")
			}
			return a.audit(cmd.Context(), rev, f)
		},
	}
	cmd.Flags().StringVar(&f.diff, "diff", "", "judge the edits in `FILE` (- for standard input), made for the working tree as it is")
	cmd.Flags().BoolVar(&f.staged, "staged", false, "judge what is staged")
	cmd.Flags().StringVar(&f.sarif, "sarif", "", "also write the findings to `FILE` (- for standard output) as SARIF 2.1.0")
	cmd.Flags().BoolVar(&f.tests, "tests", false, "the change is meant to change tests; weakening one is still asked about")
	cmd.Flags().StringSliceVar(&f.only, "only", nil, "the change may touch only files below `PATH`, or that match it as a glob (may be repeated)")
	cmd.Flags().BoolVar(&f.configs, "configs", false, "the change is meant to change the configuration of checks and CI")
	return cmd
}

func (a *app) audit(ctx context.Context, rev string, f auditFlags) error {
	files, r, err := a.audited(ctx, rev, f)
	if err != nil {
		return err
	}
	if f.sarif != "" {
		if err := a.writeSARIF(f.sarif, r); err != nil {
			return err
		}
	}
	if err := a.tellAudit(files, r, f); err != nil {
		return err
	}
	if r.Decision() != verdict.Approve {
		return exit(verdict.Rejected.ExitCode())
	}
	return nil
}

// audited is what the audit says of a change, and of how many files that is.
func (a *app) audited(ctx context.Context, rev string, f auditFlags) (files int, r audit.Report, err error) {
	h, err := a.open(ctx)
	if err != nil {
		return 0, r, err
	}
	defer h.Close()
	var only []string
	for _, p := range f.only {
		rel, err := h.globArg(p)
		if err != nil {
			return 0, r, err
		}
		only = append(only, rel)
	}
	f.only = only
	in, err := a.toAudit(ctx, h, rev, f)
	if err != nil {
		return 0, r, err
	}
	r = f.judge(ctx, in)
	if err := ctx.Err(); err != nil { // an audit that was stopped says so, which is no word on the change
		return 0, r, err
	}
	if f.diff == "" && !f.staged {
		kept, err := h.keptSecrets(ctx, rev)
		if err != nil {
			return 0, r, err
		}
		r.Findings = append(r.Findings, kept...)
	}
	return len(in.Patch), r, nil
}

// judge judges a change that a person has asked about.
func (f auditFlags) judge(ctx context.Context, in audit.Input) audit.Report {
	in.Goal = audit.Goal{Tests: f.tests, Configs: f.configs, By: audit.Person, InScope: func(path string) bool { return heal.Within(f.only, path) }}
	if len(in.Patch) == 0 {
		return audit.Report{}
	}
	return audit.Audit(ctx, in)
}

// toAudit is what is judged.
func (a *app) toAudit(ctx context.Context, h *house, rev string, f auditFlags) (audit.Input, error) {
	if f.diff != "" {
		data, err := a.readAll(f.diff)
		if err != nil {
			return audit.Input{}, err
		}
		patch, notes, err := edit.Read(data, h.tree.Source())
		if err != nil {
			return audit.Input{}, usage("%s: %w (the edits are to be made in the working tree as it is: those that are there already are judged without --diff)", f.diff, err)
		}
		for _, n := range notes {
			a.say("note: %s", n)
		}
		return audit.Input{Patch: patch, Source: h.tree.Source(), Files: func() []string { return h.files(ctx) }}, nil
	}
	if h.repo == nil {
		return audit.Input{}, usage("without git there is nothing to compare with: give a diff with --diff")
	}
	e, err := h.ends(ctx, rev)
	if err != nil {
		return audit.Input{}, err
	}
	if h.behind(ctx, e) {
		to := cmp.Or(e.to, "HEAD")
		a.say("note: %[1]s has commits that %[2]s has not, and they count as taken back; for what %[2]s itself brings in: fettle audit %[1]s...%[2]s", e.from, to)
	}
	return h.change(ctx, e.from, e.to, f.staged)
}

// compared is the change that REV, A..B or A...B names: to another revision, to the index, or to the working tree.
func (h *house) compared(ctx context.Context, rev string, staged bool) (audit.Input, error) {
	e, err := h.ends(ctx, rev)
	if err != nil {
		return audit.Input{}, err
	}
	return h.change(ctx, e.from, e.to, staged)
}

// change is the change from one revision, empty for nothing at all, to another; without that to the index, or to the working tree. Where git holds both
// sides, what else the judge asks for comes from git too: the working tree may be that of another commit, or hold what nobody has committed.
func (h *house) change(ctx context.Context, from, to string, staged bool) (in audit.Input, err error) {
	in = audit.Input{Source: func(string) (edit.File, error) { return edit.File{}, nil }} // where nothing is committed yet, all is new
	if from != "" {
		was, err := h.repo.Snapshot(ctx, from)
		if err != nil {
			return audit.Input{}, err
		}
		in.Source, in.Files = was.File, was.Files
	}
	before, after := make(map[string]edit.File), make(map[string]edit.File)
	switch {
	case to != "":
		err = h.between(ctx, from, to, after)
	case staged:
		after, err = h.repo.Staged(ctx, from)
	default:
		err = h.worked(ctx, from, after)
	}
	in.Links = make(map[string]bool)
	for path, file := range after {
		if file.Mode&fs.ModeSymlink != 0 { // its own mode says nothing
			in.Links[path], file.Mode = true, edit.DefaultMode
			after[path] = file
		}
		if err == nil {
			before[path], err = in.Source(path)
		}
	}
	in.Patch = edit.Between(before, after)
	if to != "" || staged {
		return in, err
	}
	in.Files = func() []string { return h.files(ctx) }
	in.Source = func(path string) (edit.File, error) {
		if file, differs := before[path]; differs {
			return file, nil
		}
		return h.tree.Source()(path) // it did not change, so that the working tree has it as it was
	}
	return in, err
}

// files are those of the repository; none where git does not say.
func (h *house) files(ctx context.Context) []string {
	if h.repo == nil {
		return nil
	}
	all, err := h.repo.ListFiles(ctx)
	if err != nil {
		return nil // then only the tests of the change are asked
	}
	return all
}

// ends are those of a change.
type ends struct {
	from  string // empty: nothing is committed yet
	to    string // empty: the index, or the working tree
	known string // the revision whose commits are none of the change's own; empty: there is none
}

// ends are what REV, A..B or A...B name: as with git diff the third is from the commit in which the two parted.
func (h *house) ends(ctx context.Context, rev string) (e ends, err error) {
	from, to, parted := strings.Cut(rev, "...")
	two := parted
	if !parted {
		from, to, two = strings.Cut(rev, "..")
	}
	from = cmp.Or(from, "HEAD")
	if two {
		to = cmp.Or(to, "HEAD")
	}
	if head, err := h.repo.Head(ctx); err != nil {
		return ends{}, err
	} else if head.Unborn() && (from == "HEAD" || to == "") {
		return ends{to: to}, nil
	}
	e = ends{from: from, to: to, known: from}
	if parted {
		e.from, err = h.parting(ctx, from, to)
	} else {
		_, err = h.repo.Resolve(ctx, from)
	}
	if err != nil {
		return ends{}, h.unknown(err)
	}
	return e, nil
}

// parting is the commit in which two revisions parted.
func (h *house) parting(ctx context.Context, a, b string) (string, error) {
	base, err := h.repo.MergeBase(ctx, a, b)
	if err == nil && base == "" {
		err = fmt.Errorf("%s and %s have no commit in common", a, b)
		if !h.repo.Shallow() {
			err = fmt.Errorf("%w: %s..%s compares the two as they are", err, a, b)
		}
	}
	return base, err
}

// unknown is the error of a revision, or of a commit in common, that is not there: it was named wrongly, or the clone has not all of the history.
func (h *house) unknown(err error) error {
	if h.repo.Shallow() {
		err = fmt.Errorf("%w; this clone is shallow: fetch the whole history first (git fetch --unshallow; in CI fetch-depth: 0)", err)
	}
	return usage("%w", err)
}

// behind reports a change from a revision that has commits which its end has not: what they have brought in is taken back by it.
func (h *house) behind(ctx context.Context, e ends) bool {
	to := cmp.Or(e.to, "HEAD")
	if e.from == "" || e.from != e.known || e.from == to {
		return false
	}
	from, err := h.repo.Resolve(ctx, e.from)
	if err != nil {
		return false // who compares the two says so
	}
	base, err := h.repo.MergeBase(ctx, from, to)
	return err == nil && base != "" && base != from
}

// between takes the files in which two commits or trees differ, as they are in the later one. From nothing, all of them do.
func (h *house) between(ctx context.Context, from, to string, after map[string]edit.File) error {
	if from == "" {
		all, err := h.repo.Snapshot(ctx, to)
		if err != nil {
			return h.unknown(err)
		}
		for _, path := range all.Files() {
			if after[path], err = all.File(path); err != nil {
				return err
			}
		}
		return nil
	}
	paths, err := h.repo.DiffTree(ctx, from, to)
	if err != nil {
		return h.unknown(err)
	}
	is, err := h.repo.Snapshot(ctx, to)
	if err != nil {
		return err
	}
	for _, path := range paths {
		if after[path], err = is.File(path); err != nil {
			return err
		}
	}
	return nil
}

// worked takes the files in which the working tree differs from a commit. Of a mode git keeps only who may execute.
func (h *house) worked(ctx context.Context, from string, after map[string]edit.File) error {
	var paths []string
	var err error
	if from == "" {
		paths, err = h.repo.ListFiles(ctx)
	} else {
		paths, err = h.repo.ChangedSince(ctx, from)
	}
	if err != nil {
		return err
	}
	source := h.tree.Source()
	for _, path := range paths {
		full := filepath.Join(h.root, filepath.FromSlash(path))
		if info, err := os.Lstat(full); err == nil && info.Mode()&fs.ModeSymlink != 0 { // git keeps where it leads
			to, err := os.Readlink(full)
			if err != nil {
				return fmt.Errorf("read %s: %w", path, err)
			}
			after[path] = edit.File{Data: []byte(to), Mode: fs.ModeSymlink, Exists: true}
			continue
		}
		file, err := source(path)
		if err != nil {
			return fmt.Errorf("read %s: %w", path, err)
		}
		if file.Exists {
			runs := file.Mode&0o111 != 0
			if file.Mode = edit.DefaultMode; runs {
				file.Mode = 0o755
			}
		}
		after[path] = file
	}
	return nil
}

func (a *app) tellAudit(files int, r audit.Report, f auditFlags) error {
	if a.json {
		found := r.Findings
		if found == nil {
			found = []audit.Finding{}
		}
		return a.printJSON(map[string]any{"version": 1, "kind": "audit", "decision": r.Decision(), "files": files, "findings": found})
	}
	if f.sarif == "-" {
		return nil
	}
	for _, found := range r.Findings {
		a.print("%-6s  %s", found.Effect, found)
	}
	switch r.Decision() {
	case verdict.Refuse:
		a.say("refused: the change of %s must not be taken as it is", phrase.Count(files, "file"))
	case verdict.Ask:
		a.say("a person has to say yes to the change of %s", phrase.Count(files, "file"))
	default:
		a.say("nothing stands in the way of the change of %s", phrase.Count(files, "file"))
	}
	return nil
}

func (a *app) writeSARIF(file string, r audit.Report) error {
	text, err := a.document(report.AuditSARIF(Version, r), "  ")
	if err != nil {
		return fmt.Errorf("write the findings as SARIF: %w", err)
	}
	if file == "-" {
		if a.json {
			return usage("--json and --sarif - both want standard output")
		}
		return a.printExact(text)
	}
	return os.WriteFile(file, text, 0o644)
}
