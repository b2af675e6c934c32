package check_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fettle/internal/check"
	"fettle/internal/check/parse"
	"fettle/internal/proc"

	"github.com/google/go-cmp/cmp"
)

// house is a check of a framework that nobody knows, whose output a shell line reads.
func house(line, format, reader string) check.Check {
	return check.Check{Name: "test", Run: []string{"sh", "-c", line}, Reader: &check.Reader{Run: []string{"sh", "-c", reader}, Format: format}}
}

// oneFailed is a report of one test that failed and one that passed.
const oneFailed = `echo '<testsuite><testcase name="one" file="a.x" line="2"><failure message="no"/></testcase><testcase name="two"/></testsuite>'`

func TestReader(t *testing.T) {
	p := newPlace(t, "-- a.x --\none\ntwo\n")
	for _, c := range []struct {
		name, line, format, reader string
		status                     check.Status
		findings                   string // FILE:LINE TEST MESSAGE, one a line
		tests                      map[string]parse.Outcome
	}{
		{"passes", "exit 0", "junit", "echo '<testsuite><testcase name=\"two\"/></testsuite>'", check.Passed, "", map[string]parse.Outcome{"two": parse.Pass}},
		{"no tests", "exit 0", "junit", "true", check.Passed, "", map[string]parse.Outcome{}},
		{"fails", "exit 1", "junit", oneFailed, check.Failed, "a.x:2 one no", map[string]parse.Outcome{"one": parse.Fail, "two": parse.Pass}},
		{"passes and complains", "exit 0", "gcc", "echo a.x:1:1: warning: odd", check.Passed, "a.x:1  odd", nil},
		{"both streams", "echo out; echo err >&2; exit 3", "rdjsonl", `sort | while read -r w; do echo "{\"message\": \"$w\", \"location\": {\"path\": \"a.x\"}}"; done`,
			check.Failed, "a.x:0  err\na.x:0  out", nil},
		{"the last line has no end", "printf said; exit 1", "gcc", `read -r w && echo "a.x:1: error: $w"`, check.Failed, "a.x:1  said", nil},
		{"nothing is read", "echo 'fatal: all lost'; exit 1", "rdjson", "true", check.Failed, ":0  fatal: all lost", nil},
		{"an empty report", "echo 'fatal: all lost'; exit 1", "rdjson", "echo '{\"diagnostics\": []}'", check.Failed, ":0  fatal: all lost", nil},
		{"its input is not looked at", "yes | head -c 3000000; exit 1", "gcc", "echo a.x:2: error: enough", check.Failed, "a.x:2  enough", nil},
		{"ended by a signal", "echo a; kill -KILL $$", "gcc", "read -r w && echo \"$w.x:2: error: late\"", check.Failed, "a.x:2  late", nil},
		{"codes of tools that it is not", "exit 4", "pytest", "echo 'a.x:2: AssertionError'", check.Failed, ":0  sh ended with exit code 4 and printed nothing", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := runOne(t, p, house(c.line, c.format, c.reader), check.RunOptions{})
			var got []string
			for _, d := range r.Diagnostics {
				got = append(got, strings.Join([]string{d.File + ":" + string(rune('0'+d.Range.Start.Line)), d.Test, d.Message}, " "))
			}
			if r.Status != c.status || strings.Join(got, "\n") != c.findings {
				t.Errorf("%s %q\n%s", r.Status, r.Reason, strings.Join(got, "\n"))
			}
			if d := cmp.Diff(c.tests, r.Tests); d != "" {
				t.Errorf("its tests (-want +got)\n%s", d)
			}
		})
	}
	if left, err := os.ReadDir(p.scratch); err != nil || len(left) != 0 {
		t.Errorf("what was kept is left behind: %v %v", left, err)
	}
}

func TestReaderThatCannotWork(t *testing.T) {
	p := newPlace(t, "-- plain --\nnot a program\n")
	for _, c := range []struct {
		format string
		run    []string
		want   string // how the reason begins
	}{
		{"rdjson", []string{"sh", "-c", "echo reading; echo 'Error: line 3 is odd' >&2; exit 4"}, "its parser, sh -c 'echo reading; echo '\\''Error: line 3 is odd'\\'' >&2; exit 4', ended with exit code 4: Error: line 3 is odd"},
		{"rdjson", []string{"sh", "no/script.sh"}, "its parser, sh no/script.sh, ended with exit code "},
		{"rdjson", []string{"no-such-reader"}, `its parser cannot run: no-such-reader is not installed or not on PATH; install it, or leave check "test" out of `},
		{"rdjson", []string{"./no-such-reader"}, "its parser cannot run: there is no program ./no-such-reader (seen from the root); change run in "},
		{"rdjson", []string{"./plain"}, "its parser cannot run: ./plain could not be started: "},
		{"rdjson", []string{"echo", "3 tests failed"}, "its parser, echo '3 tests failed', prints what the format rdjson cannot read: neither an object nor a list of JSON"},
		{"rdjson", []string{"echo", `{"diagnostics": [{"message": "a"},`}, `its parser, echo '{"diagnostics": [{"message": "a"},', prints what the format rdjson cannot read: it breaks off`},
		{"junit", []string{"echo", "all is well"}, "its parser, echo 'all is well', prints what the format junit cannot read: text that stands in no element of XML"},
	} {
		for _, line := range []string{"exit 0", "echo failed; exit 1"} {
			k := house(line, c.format, "")
			k.Reader.Run = c.run
			r := runOne(t, p, k, check.RunOptions{})
			if r.Status != check.Broken || !strings.HasPrefix(r.Reason, c.want) || strings.Contains(r.Reason, "\n") || len(r.Diagnostics) != 0 {
				t.Errorf("%v after %s: %+v", c.run, line, r)
			}
		}
	}
	// Where the check itself could not work, that is what people are told.
	r := runOne(t, p, house("no-such-command-of-ours", "rdjson", "exit 5"), check.RunOptions{})
	if r.Status != check.Broken || !strings.HasPrefix(r.Reason, "a command that it needs cannot be run (exit code 127): ") {
		t.Errorf("%+v", r)
	}
}

// impatient is a place in which what may take a minute may take a moment. It notes what ran.
type impatient struct {
	place
	ran *[]string
}

func (p impatient) Run(ctx context.Context, c proc.Cmd) (proc.Result, error) {
	*p.ran = append(*p.ran, c.Argv[len(c.Argv)-1])
	if c.Limits.Time == time.Minute {
		c.Limits.Time = 300 * time.Millisecond
	}
	return p.place.Run(ctx, c)
}

func TestReaderIsBounded(t *testing.T) {
	p := impatient{newPlace(t, ""), new([]string)}
	r := runOne(t, p, house("exit 0", "rdjson", "sleep 60"), check.RunOptions{})
	if want := "its parser, sh -c 'sleep 60', did not end within 1m"; r.Status != check.Broken || r.Reason != want {
		t.Errorf("%s %q", r.Status, r.Reason)
	}
	r = runOne(t, p.place, house("exit 1", "rdjson", "yes"), check.RunOptions{Output: 1 << 20})
	if want := "its parser, sh -c yes, printed more than it may (limits.output)"; r.Status != check.Broken || r.Reason != want {
		t.Errorf("%s %q", r.Status, r.Reason)
	}
	// A check that did not come to its end is not read.
	for _, line := range []string{"sleep 60", "yes"} {
		*p.ran = nil
		c := house(line, "rdjson", "exit 3")
		c.Timeout = 300 * time.Millisecond
		if r := runOne(t, p, c, check.RunOptions{Output: 1 << 20}); r.Status != check.TimedOut || strings.Join(*p.ran, " ") != line {
			t.Errorf("%s: %s %q, ran %q", line, r.Status, r.Reason, *p.ran)
		}
	}
}

// The reader runs where the check ran, and finds the report that it wrote.
func TestReaderRunsWhereTheCheckRan(t *testing.T) {
	p := newPlace(t, "-- sub/x --\n")
	c := check.Check{Name: "test", Dir: "sub", Env: map[string]string{"A": "check"}, Run: []string{"sh", "-c", `echo written >"$1"; exit 1`, "sh", "{report}"},
		Reader: &check.Reader{Run: []string{"sh", "-c", `echo "x:1: error: $(cat "$1") $A $B in $(pwd) by $#"`, "sh", "{report}"}, Format: "gcc"}}
	r := runOne(t, p, c, check.RunOptions{Args: []string{"more"}, Env: map[string]string{"B": "run"}})
	if want := "written check run in " + filepath.Join(p.root, "sub") + " by 1"; len(r.Diagnostics) != 1 || r.Diagnostics[0].Message != want || r.Diagnostics[0].File != "sub/x" {
		t.Errorf("%+v", r)
	}
}

// A change of the reader's script can change the check's answer, whatever its files say.
func TestReaderConcernsTheCheck(t *testing.T) {
	c := check.Check{Name: "test", Dir: "sub", Run: []string{"x"}, Files: []string{"src/**"}, Reader: &check.Reader{Run: []string{"python3", "../tools/read.py", "/etc/passwd"}}}
	for file, want := range map[string]bool{"tools/read.py": true, "tools/other.py": false, "sub/tools/read.py": false, "src/a": true, "etc/passwd": false} {
		if c.Concerns(file) != want || want && !c.ConcernsIn(filepath.Dir(file)) {
			t.Errorf("%s: %v", file, !want)
		}
	}
	if c.ConcernsIn("docs") {
		t.Error("a folder in which nothing is named")
	}
}
