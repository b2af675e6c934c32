package cli

import (
	"context"
	"fmt"
	"strings"
	"time"

	"fettle/internal/check"
	"fettle/internal/heal"
	"fettle/internal/journal"
	"fettle/internal/report"

	"github.com/spf13/cobra"
)

func (a *app) sessionsCmd() *cobra.Command {
	limit := 20
	cmd := &cobra.Command{
		Use:   "sessions",
		Short: "List what was done here, newest first",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return a.sessions(cmd.Context(), limit) },
	}
	cmd.Flags().IntVarP(&limit, "limit", "n", limit, "how many")
	return cmd
}

func (a *app) sessions(ctx context.Context, limit int) error {
	h, err := a.open(ctx)
	if err != nil {
		return err
	}
	defer h.Close()
	recs, err := h.sessions.List(ctx, limit)
	if err != nil {
		return err
	}
	docs, err := h.reports(ctx, recs...)
	if err != nil {
		return err
	}
	if a.json {
		return a.printJSON(map[string]any{"version": report.Version, "kind": "sessions", "sessions": docs})
	}
	if len(recs) == 0 {
		a.say("no sessions yet; fettle fix starts one")
	}
	for i, r := range recs {
		line := fmt.Sprintf("%s  %-16s %-12s %2d rounds  %s", r.Session, r.Created.Format(time.DateTime), standing(r), r.Iteration, strings.Join(r.Goal.Checks, " "))
		if text := docs[i].RolledBack.Text(); text != "" {
			line += "  (" + text + ")"
		}
		a.print("%s", line)
	}
	return nil
}

// reports are the reports on sessions, with what the journal knows: whether their changes were taken back since.
func (h *house) reports(ctx context.Context, recs ...heal.Record) ([]report.Session, error) {
	docs := []report.Session{}
	if len(recs) == 0 {
		return docs, nil
	}
	sets, err := h.journal.List(ctx, journal.Filter{State: journal.Done})
	if err != nil {
		return nil, err
	}
	stack, err := h.journal.Stack(ctx)
	if err != nil {
		return nil, err
	}
	stands := map[int64]int{} // how many files of a change
	for _, s := range stack.Undo {
		stands[s.Set.ID] = len(s.Entries)
	}
	for _, r := range recs {
		doc, made, left := report.OfSession(r), 0, 0
		for _, s := range sets {
			// What the loop itself took back is no change that it made.
			if s.Session == r.Session && (s.Kind == journal.Accept || s.Kind == journal.Apply && r.Applied(s.Iteration)) {
				made, left = made+len(s.Entries), left+stands[s.ID]
			}
		}
		switch {
		case made > 0 && left == 0:
			doc.RolledBack = report.All
		case left < made:
			doc.RolledBack = report.Part
		}
		docs = append(docs, doc)
	}
	return docs, nil
}

func (a *app) showCmd() *cobra.Command {
	return &cobra.Command{
		Use:   "show [SESSION | FILE@CHANGE]",
		Short: "Show a session's report, or a file as it was before a change",
		Long: `Show a session's report again, with the evidence behind each change. Without SESSION, the latest one.

FILE@CHANGE writes the file's content as it was before that change (fettle log lists changes by number), byte for byte: the
way to a file's earlier content when fettle undo has to refuse because somebody changed it since.`,
		Example: "  fettle show\n  fettle show internal/parse/parse.go@12 > parse.go.before",
		Args:    cobra.MaximumNArgs(1),
		RunE:    func(cmd *cobra.Command, args []string) error { return a.show(cmd.Context(), arg(args)) },
	}
}

func (a *app) show(ctx context.Context, what string) error {
	h, err := a.open(ctx)
	if err != nil {
		return err
	}
	defer h.Close()
	if file, set, ok := strings.Cut(what, "@"); ok {
		return a.showImage(ctx, h, file, set)
	}
	rec, err := h.sessions.Load(ctx, what)
	if err != nil {
		return err
	}
	docs, err := h.reports(ctx, rec)
	if err != nil {
		return err
	}
	doc := docs[0]
	doc.File = check.FileFor(h.config.Written)
	if a.json {
		return a.printJSON(doc)
	}
	report.WriteSession(a.io.Out, doc, a.style())
	a.tellEvidence(ctx, h, rec.State, doc)
	return nil
}

func (a *app) showImage(ctx context.Context, h *house, file, number string) error {
	var id int64
	if _, err := fmt.Sscanf(number, "%d", &id); err != nil {
		return usage("%q is no change's number; fettle log lists them", number)
	}
	rel, err := h.pathArg(file)
	if err != nil {
		return err
	}
	set, err := h.journal.Get(ctx, id)
	if err != nil {
		return usage("there is no change %d; fettle log lists them", id)
	}
	for _, e := range set.Entries {
		if e.Path != rel {
			continue
		}
		if !e.Before.Exists {
			return usage("%s did not exist before change %d", rel, id)
		}
		data, err := h.journal.Blob(e.Before.Hash)
		if err != nil {
			return err
		}
		if a.json {
			return a.printExactJSON(map[string]any{"version": report.Version, "kind": "image", "path": rel, "change": id, "mode": fmt.Sprintf("%04o", e.Before.Mode), "base64": data})
		}
		a.printRaw(data)
		return nil
	}
	return usage("change %d did not touch %s", id, rel)
}

func (a *app) logCmd() *cobra.Command {
	limit := 50
	cmd := &cobra.Command{
		Use:   "log [SESSION]",
		Short: "List the changes made to files, and the steps of a session",
		Long: `List every change that fettle made to the working tree, newest first: applied, undone, redone, rolled back. With SESSION,
the steps that the session went through, and its changes.`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return a.log(cmd.Context(), arg(args), limit) },
	}
	cmd.Flags().IntVarP(&limit, "limit", "n", limit, "how many changes")
	return cmd
}

func (a *app) log(ctx context.Context, id string, limit int) error {
	h, err := a.open(ctx)
	if err != nil {
		return err
	}
	defer h.Close()
	filter := journal.Filter{Limit: limit}
	doc := map[string]any{"version": 1, "kind": "log"}
	if id != "" {
		rec, err := h.sessions.Load(ctx, id)
		if err != nil {
			return err
		}
		if err := a.logSteps(ctx, h, rec, doc); err != nil {
			return err
		}
		filter.Session = rec.Session
	}
	sets, err := h.journal.List(ctx, filter)
	if err != nil {
		return err
	}
	if a.json {
		doc["changes"] = sets
		return a.printJSON(doc)
	}
	for _, s := range sets {
		a.print("change %d  %s  %s  %s", s.ID, s.At.Format(time.DateTime), s.Kind, about(s))
		for _, e := range s.Entries {
			a.print("    %-6s %s", e.Op, e.Path)
		}
	}
	if len(sets) == 0 {
		a.say("no changes yet")
	}
	return nil
}

func about(s journal.Set) string {
	text := s.Reason
	if s.Author != "" {
		text = s.Author + ": " + text
	}
	if s.Session != "" {
		text = s.Session + "  " + text
	}
	if s.State != journal.Done {
		text += " (" + string(s.State) + ")"
	}
	return text
}

func (a *app) logSteps(ctx context.Context, h *house, rec heal.Record, doc map[string]any) error {
	steps, err := h.sessions.Steps(ctx, rec.Session)
	if err != nil {
		return err
	}
	doc["session"], doc["steps"] = rec.Session, steps
	if a.json {
		return nil
	}
	for _, s := range steps {
		a.print("%s  %-8s %s", s.At.Format(time.TimeOnly), s.Node, s.Outcome)
	}
	return nil
}
