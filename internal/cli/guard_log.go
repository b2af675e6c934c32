package cli

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"fettle/internal/guard/hook"
	"fettle/internal/policy/shell"
	"fettle/internal/verdict"

	"github.com/spf13/cobra"
)

func (a *app) guardLogCmd() *cobra.Command {
	var q query
	cmd := &cobra.Command{
		Use:   "log",
		Short: "Show what the guard has decided",
		Long:  "Show the guard's decisions, the newest last. With --json, each is a line as it stands in the log: all that fettle guard replay needs to make it again.",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if err := q.check(); err != nil {
				return err
			}
			return a.guardLog(q)
		},
	}
	f := cmd.Flags()
	f.StringVar(&q.decision, "decision", "", "only those that were `allow`, ask or deny")
	f.StringVar(&q.session, "session", "", "only those of the session with this `ID`")
	f.StringVar(&q.tool, "tool", "", "only those about the `TOOL`")
	f.DurationVar(&q.since, "since", 0, "only those of the last `TIME` (24h, 30m)")
	f.IntVarP(&q.last, "last", "n", 50, "at most so many; 0: all")
	return cmd
}

// query says which decisions are asked for.
type query struct {
	decision, session, tool string
	since                   time.Duration
	last                    int
}

func (q query) check() error {
	if q.decision != "" && !slices.Contains([]string{"allow", "ask", "deny"}, q.decision) {
		return usage("--decision %s: one of allow, ask, deny", q.decision)
	}
	if q.last < 0 || q.since < 0 {
		return usage("--last and --since are not negative")
	}
	return nil
}

func (q query) wants(e hook.Entry, now time.Time) bool {
	return (q.decision == "" || e.Decision.String() == q.decision) && (q.session == "" && e.Session != hook.CanarySession || e.Session == q.session) &&
		(q.tool == "" || e.Tool == q.tool) && (q.since == 0 || now.Sub(e.Time) <= q.since)
}

func (a *app) guardLog(q query) error {
	dir, err := hook.Folder(os.Getenv)
	if err != nil {
		return err
	}
	files, err := filepath.Glob(filepath.Join(hook.LogFolder(dir), "*.jsonl"))
	if err != nil {
		return err
	}
	type row struct {
		line  []byte
		entry hook.Entry
	}
	var all []row
	now := time.Now()
	for _, file := range files {
		err := eachEntry(file, func(line []byte, e hook.Entry) error {
			if q.wants(e, now) {
				all = append(all, row{bytes.Clone(line), e})
				if q.last > 0 && len(all) > q.last {
					all = all[1:]
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	for _, r := range all {
		if a.json {
			a.printRaw(append(r.line, '\n'))
			continue
		}
		a.print("%s  %-5s  %s", r.entry.Time.Local().Format(time.DateTime), r.entry.Decision, calledWith(r.entry))
		if r.entry.Reason != "" {
			a.print("                            %s (%s)", r.entry.Reason, r.entry.Rule)
		}
	}
	return nil
}

// calledWith is a tool call in one line.
func calledWith(e hook.Entry) string {
	var in map[string]any
	if json.Unmarshal(e.Input, &in) != nil {
		return e.Tool
	}
	for _, name := range []string{"command", "cmd", "file_path", "notebook_path", "path", "url"} {
		if v, ok := in[name]; ok {
			return fmt.Sprintf("%s %s", e.Tool, strings.Join(strings.Fields(fmt.Sprint(v)), " "))
		}
	}
	return e.Tool
}

// eachEntry reads a log, line by line. A line that is torn, as the last may be, is an entry of nothing: it is left out.
func eachEntry(file string, do func(line []byte, e hook.Entry) error) error {
	var in io.ReadCloser = os.Stdin
	if file != "-" {
		f, err := os.Open(file)
		if errors.Is(err, fs.ErrNotExist) {
			return usage("%s: there is no such log", file)
		}
		if err != nil {
			return err
		}
		in = f
	}
	defer in.Close()
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadBytes('\n')
		var e hook.Entry
		if text := bytes.TrimSpace(line); json.Unmarshal(text, &e) == nil && e.Tool != "" {
			if err := do(text, e); err != nil {
				return err
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func (a *app) guardReplayCmd() *cobra.Command {
	return &cobra.Command{
		Use:   "replay LOG…",
		Short: "Make the decisions of a log again, and show which would be others now",
		Long: `Make every decision of a log again by the present policy (fettle's, yours and the project's), from what the log holds: nothing else of the file system is looked at. What the session added (a person who said not to edit, plan mode) is left
out of the comparison. Decisions whose input had secrets taken out are counted apart. It ends with 0 if all are the same, and with 1 if some are not.`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error { return a.guardReplay(args) },
	}
}

// altered is a decision that is another one now.
type altered struct {
	Time     time.Time   `json:"time"`
	Call     string      `json:"call"`
	Was      hook.Ruling `json:"was"`
	Now      hook.Ruling `json:"now"`
	Redacted bool        `json:"redacted,omitempty"`
}

func (a *app) guardReplay(files []string) error {
	same := 0
	diffs := []altered{}
	present := map[[2]string]*shell.Policy{} // by project and home
	for _, file := range files {
		err := eachEntry(file, func(_ []byte, e hook.Entry) error {
			where := [2]string{e.Trail.Root, e.Trail.Home}
			if present[where] == nil {
				own, err := policiesFor(shell.Place{Root: e.Trail.Root, Home: e.Trail.Home})
				if err != nil {
					return err
				}
				present[where] = own.policy()
			}
			v := e.Again(present[where])
			now := hook.Ruling{Decision: v.Decision, Rule: v.Rule}
			if now == e.Policy {
				same++
			} else {
				diffs = append(diffs, altered{e.Time, calledWith(e), e.Policy, now, e.Redacted})
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	if a.json {
		if err := a.printJSON(map[string]any{"version": 1, "kind": "guard-replay", "same": same, "altered": diffs}); err != nil {
			return err
		}
	} else {
		for _, d := range diffs {
			note := ""
			if d.Redacted {
				note = " (its secrets are not in the log)"
			}
			a.print("%s %s → %s %s: %s%s", d.Was.Decision, d.Was.Rule, d.Now.Decision, d.Now.Rule, d.Call, note)
		}
		a.print("%d the same, %d others", same, len(diffs))
	}
	if len(diffs) > 0 {
		return exit(verdict.Exhausted.ExitCode())
	}
	return nil
}
