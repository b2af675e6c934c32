package git

import (
	"bytes"
	"context"
	"fmt"
	"strconv"
	"strings"
)

// Recent is a stretch of lines that were changed lately.
type Recent struct {
	Line, EndLine int
	Age           int    // 0: not committed; 1: by the newest commit among those that made the file's lines; 2: by the one before…
	Commit        string // its name; empty when not committed
	Subject       string
}

// Blame tells which lines of a file, as it is in the working tree, were changed last: those that are not committed, and those of the newest
// commits, by the order of history and not by their dates. What stands as the file's first commit wrote it is not told. An untracked file, or one in a repository without commits, has none.
func (r *Repo) Blame(ctx context.Context, path string, commits int) ([]Recent, error) {
	tracked, err := r.IsTracked(ctx, path)
	if err != nil || !tracked {
		return nil, err
	}
	head, err := r.Head(ctx)
	if err != nil || head.Unborn() {
		return nil, err
	}
	off, err := r.filtersOff(ctx)
	if err != nil {
		return nil, err
	}
	out, err := run(ctx, command{args: []string{"blame", "--porcelain", "--no-textconv", "--", path}, dir: r.Root, level: reading, config: off})
	if err != nil {
		return nil, fmt.Errorf("who changed %s last: %w", path, err)
	}
	order, err := r.read(ctx, "rev-list", "--topo-order", "--max-count=1000", "HEAD", "--", path)
	if err != nil {
		return nil, err
	}
	return recent(out, strings.Fields(string(order)), commits)
}

// uncommitted is the name that git blame gives to what no commit holds.
const uncommitted = "0000000"

// recent reads the porcelain format of git-blame(1), lines in order.
func recent(out []byte, order []string, commits int) ([]Recent, error) {
	rank := map[string]int{}
	var names []string
	subjects := map[string]string{}
	current, line := "", 0
	for text := range bytes.Lines(out) {
		t := strings.TrimSuffix(string(text), "\n")
		if strings.HasPrefix(t, "\t") {
			if line < 1 {
				return nil, fmt.Errorf("git blame: cannot read %q", t)
			}
			for len(names) < line {
				names = append(names, "")
			}
			names[line-1] = current
			continue
		}
		f := strings.Fields(t)
		switch {
		case len(f) >= 3 && len(f[0]) >= 40:
			n, err := strconv.Atoi(f[2])
			if err != nil {
				return nil, fmt.Errorf("git blame: cannot read %q", t)
			}
			current, line = f[0], n
		case strings.HasPrefix(t, "summary "):
			subjects[current] = strings.TrimPrefix(t, "summary ")
		}
	}
	used := map[string]bool{}
	for _, n := range names {
		used[n] = true
	}
	age := 0
	for i, c := range order {
		if used[c] && i < len(order)-1 {
			age++
			rank[c] = age
		}
	}
	var all []Recent
	for i, c := range names {
		a, known := rank[c]
		own := c
		if strings.HasPrefix(c, uncommitted) {
			a, known, own = 0, true, ""
		}
		if !known || a > commits {
			continue
		}
		if n := len(all); n > 0 && all[n-1].Age == a && all[n-1].EndLine == i {
			all[n-1].EndLine = i + 1
			continue
		}
		all = append(all, Recent{Line: i + 1, EndLine: i + 1, Age: a, Commit: own, Subject: subjects[own]})
	}
	return all, nil
}
