package check

import (
	"context"
	"fmt"
	"io"
	"os"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"fettle/internal/check/parse"
	"fettle/internal/proc"
)

// Reader is a program that reads what a check prints, in place of a parser of ours. It runs after the check's command, where that
// ran, gets all that it printed on its standard input, and says on its standard output what that means, in a format that we know.
type Reader struct {
	Run    []string `json:"run"`    // argv; {report} stands for the report file that the check's command wrote
	Format string   `json:"format"` // a format of package parse
}

// defaultFormat is the format of a reader that names none.
const defaultFormat = "rdjson"

// readerTime is how long a reader may take: everything that it reads lies there already.
const readerTime = time.Minute

// Commands are all commands that run when the check does, in the order in which they do.
func (c Check) Commands() [][]string {
	all := append(slices.Clone(c.Before), c.Run)
	if c.Reader != nil {
		all = append(all, c.Reader.Run)
	}
	return append(all, c.After...)
}

// reads reports whether a file is named in the command of the check's reader: what that script says can change the check's answer.
func (c Check) reads(file string) bool {
	return c.Reader != nil && slices.ContainsFunc(c.Reader.Run, func(word string) bool {
		return !path.IsAbs(word) && path.Join(c.Dir, word) == file
	})
}

// readsIn reports whether a file that the command of the check's reader names would lie in this very folder.
func (c Check) readsIn(folder string) bool {
	return c.Reader != nil && slices.ContainsFunc(c.Reader.Run, func(word string) bool {
		return !path.IsAbs(word) && path.Dir(path.Join(c.Dir, word)) == folder
	})
}

// spool keeps all that a command prints until a reader gets it. It is a file: a check may print more than memory should hold.
type spool struct {
	file *os.File
	err  error // the first that writing met
}

// Write never fails, so that the command goes on whatever the disk does; [spool.rewind] tells what went wrong.
func (s *spool) Write(p []byte) (int, error) {
	if s.err == nil {
		_, s.err = s.file.Write(p)
	}
	return len(p), nil
}

// rewind makes what was written readable, from its beginning.
func (s *spool) rewind() (io.Reader, error) {
	if s.err == nil {
		_, s.err = s.file.Seek(0, io.SeekStart)
	}
	return s.file, s.err
}

// keep is a reading that puts both streams away, line by line as they come.
func keep(s *spool) *reading {
	var mu sync.Mutex
	return &reading{stream: parse.Combined, to: s, lines: []*lineWriter{{mu: &mu, to: s}, {mu: &mu, to: s}}, end: func() {}}
}

// judgeByReader has the check's reader read what its command printed, and judges both. A check whose reader could not do its work is
// broken, also when its command passed: nobody knows then what the tests came to.
func (a *attempt) judgeByReader(ctx context.Context, res proc.Result) (Result, error) {
	said, own, why, err := a.ask(ctx)
	if err != nil {
		return Result{}, err
	}
	r := a.judge(res, said, nil)
	if why != "" && r.Status != Broken {
		r = a.broken(why)
		r.Code, r.CPU, r.Tail = res.Code, res.CPU, lastBytes(plainText(own))
	}
	r.CPU += own.CPU
	return r, nil
}

// ask runs the check's reader. What is wrong with the reader itself is told in one line; an error ends the whole run.
func (a *attempt) ask(ctx context.Context) (said parse.Report, res proc.Result, why string, err error) {
	printed, err := a.kept.rewind()
	if err != nil {
		return said, res, "", fmt.Errorf("keep what %s printed for its parser: %w", a.check.Name, err)
	}
	argv := a.withReport(a.check.Reader.Run)
	format, _ := parse.Lookup(a.check.Reader.Format) // a format that is not known reads nothing, and no configuration has one
	rd := a.follow(parse.Stdout, format.ParseStrictly)
	c := a.command(argv)
	c.Stdin, c.Stdout, c.Limits.Time = printed, rd.stdout(), readerTime
	res, err = a.place.Run(ctx, c)
	rd.close()
	if reason := a.startProblem(err, argv); reason != "" {
		return said, res, "its parser cannot run: " + reason, nil
	}
	if err := ended(ctx, res, err); err != nil {
		return said, res, "", err
	}
	said, err = rd.result()
	said.Diagnostics = a.followLinks(said.Diagnostics)
	return said, res, a.readerProblem(argv, res, err), nil
}

// readerProblem says what is wrong with a reader that ran: with how it ended, or with what it printed.
func (a *attempt) readerProblem(argv []string, res proc.Result, unreadable error) string {
	name := "its parser, " + shown(argv) + ","
	switch {
	case res.Ended == proc.TimedOut:
		return fmt.Sprintf("%s did not end within %s", name, shortDuration(readerTime))
	case res.Ended == proc.OutputLimit:
		return name + " printed more than it may (limits.output)"
	case !res.OK():
		return fmt.Sprintf("%s %s: %s", name, howEnded(res), telling(plainText(res)))
	case unreadable != nil:
		return fmt.Sprintf("%s prints what the format %s cannot read: %s", name, a.check.Reader.Format, oneLine(unreadable))
	}
	return ""
}

func oneLine(err error) string { return strings.Join(strings.Fields(err.Error()), " ") }
