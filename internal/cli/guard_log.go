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
	"strings"
	"time"

	"fettle/internal/guard/hook"
	"fettle/internal/phrase"
	"fettle/internal/policy/shell"
	"fettle/internal/verdict"

	"github.com/spf13/cobra"
)

// mostOfCall is how many characters of a call, and of the reason for what became of it, people are shown; --json has all of both.
const mostOfCall = 300

func (a *app) guardLogCmd() *cobra.Command {
	var q query
	cmd := &cobra.Command{
		Use:   "log",
		Short: "Show what the guard has decided",
		Long: `Show the guard's decisions, the newest last: the last 50, unless --last says otherwise. With --json, each is a line as it stands in the log, all that fettle guard replay needs to make it again, and all of them are
given, unless --last says otherwise: fettle guard log --json | fettle guard replay -`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if a.json && !cmd.Flags().Changed("last") {
				q.last = 0 // what programs read must not end where a screen would
			}
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
	f.StringVar(&q.rule, "rule", "", "only those that the `RULE` decided")
	f.StringVar(&q.agent, "agent", "", "only those of the subagent with this `ID`; main: of none")
	f.StringVar(&q.path, "path", "", "only those about the file or folder `PATH`, or what lies below it")
	f.Var((*span)(&q.since), "since", "only those of the last `TIME` (30m, 24h, 7d)")
	f.Lookup("since").DefValue = "" // all that is kept
	f.IntVarP(&q.last, "last", "n", 50, "at most so many; 0: all, as with --json")
	return cmd
}

func (a *app) guardLog(q query) error {
	files, err := logs()
	if err != nil {
		return err
	}
	if q.path != "" {
		if q.path, err = filepath.Abs(namedIn(a.dir, q.path)); err != nil {
			return err
		}
	}
	type row struct {
		line  []byte
		entry hook.Entry
	}
	var all []row
	now := time.Now()
	for _, file := range files {
		broken, err := eachEntry(file, func(line []byte, e hook.Entry) error {
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
		if broken > 0 {
			a.say("%s in %s: no decisions of the guard's, left out", phrase.Count(broken, "line"), file)
		}
	}
	if len(files) == 0 {
		a.say("nothing has been decided yet")
	}
	for _, r := range all {
		if a.json {
			_ = a.printExact(append(r.line, '\n')) // as with print, nobody need read on
			continue
		}
		a.print("%s  %-5s  %s", r.entry.Time.Local().Format(time.DateTime), r.entry.Decision, shown(calledWith(r.entry)))
		if r.entry.Reason != "" {
			a.print("                            %s (%s)", shown(r.entry.Reason), r.entry.Rule)
		}
	}
	return nil
}

// shown is as much of a text as people are shown of it.
func shown(text string) string { return clipped(text, mostOfCall) }

// calledWith is a tool call in one line, or the event at which something else was said.
func calledWith(e hook.Entry) string {
	what := strings.TrimSpace(e.Event + " " + e.Tool)
	var in map[string]any
	if json.Unmarshal(e.Input, &in) != nil {
		return what
	}
	for _, name := range []string{"command", "cmd", "file_path", "notebook_path", "path", "url"} {
		if v, ok := in[name]; ok {
			return fmt.Sprintf("%s %s", what, strings.Join(strings.Fields(fmt.Sprint(v)), " "))
		}
	}
	return what
}

// eachEntry reads the decisions of a log and what else an agent was told, line by line, and counts the lines that cannot be read.
func eachEntry(file string, do func(line []byte, e hook.Entry) error) (broken int, err error) {
	var in io.ReadCloser = os.Stdin
	if file != "-" {
		f, err := os.Open(file)
		if errors.Is(err, fs.ErrNotExist) {
			return 0, usage("%s: there is no such log", file)
		}
		if err != nil {
			return 0, err
		}
		in = f
	}
	defer in.Close()
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadBytes('\n')
		var e hook.Entry
		switch text := bytes.TrimSpace(line); {
		case len(text) == 0:
		case json.Unmarshal(text, &e) != nil, e.Outcome == nil && e.Event == "" && !e.Judged():
			broken++
		case e.Outcome == nil:
			if err := do(text, e); err != nil {
				return broken, err
			}
		}
		if errors.Is(err, io.EOF) {
			return broken, nil
		}
		if err != nil {
			return broken, err
		}
	}
}

func (a *app) guardReplayCmd() *cobra.Command {
	return &cobra.Command{
		Use:   "replay LOG…",
		Short: "Make the decisions of a log again, and show which would be others now",
		Long: `Make every decision of a log again by the present policy (fettle's, yours and the project's), from what the log holds: nothing else of the file system is looked at. What the session added (a person who said not to edit, plan mode) is left
out of the comparison. Decisions whose input had secrets taken out are marked.`,
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage("say which log: fettle guard replay LOG…, or - for standard input; fettle guard log --json writes one")
			}
			return a.guardReplay(args)
		},
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
	same, broken := 0, 0
	diffs := []altered{}
	present := map[[2]string]*shell.Policy{} // by project and home
	for _, file := range files {
		torn, err := eachEntry(file, func(_ []byte, e hook.Entry) error {
			if !e.Judged() {
				return nil
			}
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
		broken += torn
	}
	if a.json {
		if err := a.printJSON(map[string]any{"version": 1, "kind": "guard-replay", "same": same, "altered": diffs, "unread": broken}); err != nil {
			return err
		}
	} else {
		for _, d := range diffs {
			note := ""
			if d.Redacted {
				note = " (its secrets are not in the log)"
			}
			a.print("%s %s → %s %s: %s%s", d.Was.Decision, d.Was.Rule, d.Now.Decision, d.Now.Rule, shown(d.Call), note)
		}
		a.print("%d the same, %d others", same, len(diffs))
		if broken > 0 {
			a.print("%s: no decisions of the guard's", phrase.Count(broken, "line"))
		}
	}
	if len(diffs)+broken > 0 {
		return exit(verdict.Exhausted.ExitCode())
	}
	return nil
}
