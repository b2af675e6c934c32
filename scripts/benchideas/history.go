package main

import (
	"context"
	"fmt"
	"iter"
	"os/exec"
	"strconv"
	"strings"

	"fettle/internal/fix/search"
	"fettle/internal/lang"
	"fettle/internal/syntax"
	"fettle/scripts/benchrepair/likeness"
)

// Change is a small change of one source, which came with a change of a test.
type Change struct {
	Project string `json:"project"` // owner/name
	SHA     string `json:"sha"`
	File    string `json:"file"`
	Subject string `json:"subject"`
	Lines   int    `json:"lines"`            // that it takes and gives
	Tried   int    `json:"tried"`            // candidates, up to the one that is it
	Idea    string `json:"idea,omitempty"`   // empty: it is none of them
	Passed  bool   `json:"passed,omitempty"` // it is none that the search is asked about: comments, blanks, several places far apart
}

func (c Change) key() string { return c.Project + " " + c.SHA + " " + c.File }

// history is a project's.
type history struct {
	project, dir string
	most         int // lines of a small change
}

// What is looked at.
const (
	mostTried = 5000      // candidates for one change
	mostBytes = 400 << 10 // of a source
	mostSpan  = 12        // lines from the first that changes to the last
)

func (h history) git(ctx context.Context, args ...string) ([]byte, error) {
	out, err := exec.CommandContext(ctx, "git", append([]string{"-c", "safe.directory=*", "-C", h.dir}, args...)...).Output()
	if err != nil {
		return nil, fmt.Errorf("git %s: %w", args[0], err)
	}
	return out, nil
}

// changes are the commits that change a few lines of one source and something of a test, and nothing of another source.
func (h history) changes(ctx context.Context) iter.Seq2[Change, error] {
	return func(yield func(Change, error) bool) {
		out, err := h.git(ctx, "log", "--no-merges", "--no-renames", "--diff-filter=AMD", "--numstat", "--format=%x01%H %s", "HEAD")
		if err != nil {
			yield(Change{}, err)
			return
		}
		for commit := range strings.SplitSeq(string(out), "\x01") {
			c, ok := h.small(commit)
			if ok && !yield(c, nil) {
				return
			}
		}
	}
}

// small reads what git says of one commit.
func (h history) small(commit string) (c Change, ok bool) {
	tested, sources := false, 0
	for i, line := range strings.Split(strings.TrimSpace(commit), "\n") {
		if i == 0 {
			c.Project = h.project
			c.SHA, c.Subject, _ = strings.Cut(line, " ")
			continue
		}
		parts := strings.Split(line, "\t")
		if len(parts) != 3 || syntax.LangOf(parts[2]) == "" {
			continue
		}
		if lang.IsTest(parts[2]) {
			tested = true
			continue
		}
		gives, _ := strconv.Atoi(parts[0])
		takes, _ := strconv.Atoi(parts[1])
		c.File, c.Lines = parts[2], gives+takes
		sources++
	}
	return c, tested && sources == 1 && 0 < c.Lines && c.Lines <= h.most
}

// reach looks for a change among what the search would try where it is; false: it is none to look for.
func (h history) reach(ctx context.Context, c *Change) (bool, error) {
	before, err := h.git(ctx, "show", c.SHA+"^:"+c.File)
	if err != nil {
		return false, nil //nolint:nilerr // the file, or all, begins here
	}
	after, err := h.git(ctx, "show", c.SHA+":"+c.File)
	if err != nil {
		return false, nil //nolint:nilerr // the file ends here
	}
	if len(before) > mostBytes || likeness.Text(string(before), string(after)) {
		return false, nil
	}
	r := changed(string(before), string(after))
	from, to := r.lines()
	if to-from > mostSpan {
		return false, nil
	}
	all, err := search.Reach(ctx, c.File, before, from, to)
	if err != nil {
		return false, err
	}
	want, _ := r.of(string(after))
	for idea, text := range all {
		if c.Tried++; c.Tried > mostTried || ctx.Err() != nil {
			break
		}
		if got, ok := r.of(text); ok && likeness.Text(got, want) {
			c.Idea = idea
			break
		}
	}
	return true, ctx.Err()
}

// region is the part of a text that changes: all but so many bytes at its beginning and at its end, in whole lines.
type region struct {
	before     string
	head, tail int
}

// changed is where two texts differ.
func changed(before, after string) region {
	r := region{before: before}
	for line := range strings.Lines(before) {
		if !strings.HasPrefix(after[r.head:], line) {
			break
		}
		r.head += len(line)
	}
	was, is := before[r.head:], after[r.head:]
	for was != "" {
		at := strings.LastIndexByte(was[:len(was)-1], '\n') + 1
		rest, ok := strings.CutSuffix(is, was[at:])
		if !ok || rest != "" && !strings.HasSuffix(rest, "\n") {
			break
		}
		r.tail += len(was) - at
		was, is = was[:at], rest
	}
	return r
}

// lines are those of the region, from 1; where lines are only put in, those before and behind.
func (r region) lines() (from, to int) {
	head := strings.Count(r.before[:r.head], "\n")
	if r.head+r.tail == len(r.before) {
		return max(head, 1), head + 1
	}
	return head + 1, head + strings.Count(strings.TrimSuffix(r.before[r.head:len(r.before)-r.tail], "\n"), "\n") + 1
}

// of is that part of a changed text; false: it is changed elsewhere, too.
func (r region) of(text string) (string, bool) {
	if len(text) < r.head+r.tail || text[:r.head] != r.before[:r.head] || text[len(text)-r.tail:] != r.before[len(r.before)-r.tail:] {
		return "", false
	}
	return text[r.head : len(text)-r.tail], true
}
