package cli

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"fettle/internal/check"
	"fettle/internal/fix/tool"
	"fettle/internal/report"
)

// announce says which commands are going to run, before the first time that these very commands run in this repository.
func (h *house) announce(a *app, checks []check.Check, fixers bool) error {
	if a.quiet {
		return nil
	}
	var b strings.Builder
	for _, c := range checks {
		// The whole command, also where only a part of its tests will run: who has seen it knows the part, too.
		if i := slices.IndexFunc(h.config.Checks, func(w check.Check) bool { return w.Name == c.Name }); i >= 0 {
			c = h.config.Checks[i]
		}
		for _, argv := range c.Before {
			report.WriteLine(&b, "  %-14s %s   (before)", c.Name, quoteArgv(argv))
		}
		report.WriteLine(&b, "  %-14s %s", c.Name, quoteArgv(c.Run))
		if c.Reader != nil {
			report.WriteLine(&b, "  %-14s %s   (its parser)", c.Name, quoteArgv(c.Reader.Run))
		}
		for _, argv := range c.After {
			report.WriteLine(&b, "  %-14s %s   (after)", c.Name, quoteArgv(argv))
		}
		for _, argv := range h.fixes(c, fixers) {
			report.WriteLine(&b, "  %-14s %s   (its own fix)", c.Name, quoteArgv(argv))
		}
	}
	if fixers {
		for _, p := range h.config.Fixers.Plugins {
			report.WriteLine(&b, "  %-14s %s   (a fixer of yours)", p.Name, quoteArgv(p.Run))
		}
	}
	from := "found by looking; fettle init writes them down"
	if h.config.Written {
		from = "from " + check.FileName
	}
	return h.tellOnce(a, slices.Collect(strings.Lines(b.String())), func(fresh string) {
		a.say("These commands run here, in a private copy (%s):\n%s", from, report.Block(fresh))
	})
}

// introduce says which agents and models are going to be asked, and what they see, before the first time in this repository: also to who wants to hear little, as it cannot be
// taken back. What is to be known of them together stands behind them.
func (h *house) introduce(a *app, lines []string, together string) error {
	if together != "" {
		lines = append(lines, together)
	}
	for i, line := range lines {
		lines[i] = "  " + line + "\n"
	}
	return h.tellOnce(a, lines, func(fresh string) {
		if !strings.Contains(fresh, together) {
			fresh += "\n  " + together
		}
		report.WriteLine(a.io.Err, "Where nothing cheaper helps, these are asked about this repository, the next one where one cannot answer (--offline, or models: {off: true} in %s, keeps them out):\n%s", check.FileName, report.Block(fresh))
	})
}

// tellOnce tells those lines that were never told in this repository, if there are any. What is told where perhaps nobody reads it is told again.
func (h *house) tellOnce(a *app, lines []string, tell func(fresh string)) error {
	file := filepath.Join(h.state, "announced")
	known, err := os.ReadFile(file)
	if err != nil && !os.IsNotExist(err) {
		return err
	}
	var fresh, marks []string
	for _, line := range lines {
		sum := sha256.Sum256([]byte(line))
		if mark := hex.EncodeToString(sum[:8]); !strings.Contains(string(known), mark+"\n") {
			fresh, marks = append(fresh, line), append(marks, mark)
		}
	}
	if len(fresh) == 0 {
		return nil
	}
	tell(strings.TrimRight(strings.Join(fresh, ""), "\n"))
	if a.unread {
		return nil
	}
	f, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(f, strings.Join(marks, "\n"))
	if err2 := f.Close(); err == nil {
		err = err2
	}
	return err
}

// fixes are the commands that a check's own fix would run.
func (h *house) fixes(c check.Check, wanted bool) [][]string {
	switch {
	case !wanted:
		return nil
	case len(c.Fix) > 0:
		return c.Fix
	}
	return tool.DefaultFix(c)
}
