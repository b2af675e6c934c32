package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"fettle/internal/guard/hook"
	"fettle/internal/policy/shell"
)

// query says which decisions are asked for.
type query struct {
	decision, session, tool string
	rule, agent, path       string
	since                   time.Duration
	last                    int
}

// span is a time that may be given in days, as logs are kept for months.
type span time.Duration

func (s *span) String() string { return time.Duration(*s).String() }

func (s *span) Type() string { return "duration" }

func (s *span) Set(text string) error {
	days := 0.0
	rest := text
	if n, after, ok := strings.Cut(text, "d"); ok {
		var err error
		if days, err = strconv.ParseFloat(n, 64); err != nil {
			return errors.New("a time is a number with d, h, m or s behind it: 7d, 24h, 30m")
		}
		rest = after
	}
	var d time.Duration
	if rest != "" {
		var err error
		if d, err = time.ParseDuration(rest); err != nil {
			return errors.New("a time is a number with d, h, m or s behind it: 7d, 24h, 30m")
		}
	}
	*s = span(d + time.Duration(days*24*float64(time.Hour)))
	return nil
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
		(q.tool == "" || e.Tool == q.tool) && (q.since == 0 || now.Sub(e.Time) <= q.since) && (q.rule == "" || e.Rule == q.rule || e.Policy.Rule == q.rule) &&
		(q.agent == "" || e.Agent == q.agent || q.agent == "main" && e.Agent == "") && (q.path == "" || q.about(e))
}

// about reports a decision about a path.
func (q query) about(e hook.Entry) bool {
	return slices.ContainsFunc(e.Facts, func(f shell.Fact) bool {
		return f.Zone != "" && (f.Target == q.path || strings.HasPrefix(f.Target, strings.TrimSuffix(q.path, "/")+"/"))
	})
}

// logs are the files of the log, the oldest first; none, if nothing has been decided yet.
func logs() ([]string, error) {
	dir, err := hook.Folder(os.Getenv)
	if err != nil {
		return nil, err
	}
	folder := hook.LogFolder(dir)
	all, err := os.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("the guard's log cannot be read: %w; look at the rights of %s", err, folder)
	}
	var files []string
	for _, e := range all {
		if filepath.Ext(e.Name()) == ".jsonl" {
			files = append(files, filepath.Join(folder, e.Name()))
		}
	}
	return files, nil
}
