package check_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"fettle/internal/check"
	"fettle/internal/check/parse"
)

// What a tool writes where it likes is read, what an earlier run left is not.
func TestReports(t *testing.T) {
	report := `<testsuite name="s"><testcase classname="C" name="NAME"><failure message="no"/></testcase></testsuite>`
	p := newPlace(t, "-- m/target/reports/TEST-old.xml --\n"+strings.Replace(report, "NAME", "old", 1)+"\n-- node_modules/target/reports/TEST-x.xml --\n"+report)
	chtimes(t, p.root+"/m/target/reports/TEST-old.xml", time.Now().Add(-time.Minute))
	write := func(path, name string) string {
		return "mkdir -p $(dirname " + path + "); echo '" + strings.Replace(report, "NAME", name, 1) + "' > " + path + ";"
	}
	c := check.Check{Name: "test", Parser: "junit", Reports: []string{"**/target/reports/TEST-*.xml"}, Run: []string{"sh", "-c",
		write("m/target/reports/TEST-a.xml", "a") + write("m/n/target/reports/TEST-b.xml", "b") + write("m/target/reports/other.xml", "c") + "exit 1"}}
	r := runOne(t, p, c, check.RunOptions{})
	if r.Status != check.Failed || len(r.Diagnostics) != 2 || len(r.Tests) != 2 || r.Tests["C.a"] != parse.Fail || r.Tests["C.b"] != parse.Fail {
		t.Errorf("%s: %v, %+v", r.Status, r.Tests, r.Diagnostics)
	}
	c.Dir = "m"
	c.Reports = []string{"target/reports/TEST-a.xml"}
	c.Run = []string{"sh", "-c", write("target/reports/TEST-a.xml", "again") + "exit 1"}
	if r := runOne(t, p, c, check.RunOptions{}); len(r.Tests) != 1 || r.Tests["C.again"] != parse.Fail {
		t.Errorf("in a folder: %v", r.Tests)
	}
}

// What counts is that the run wrote a report, not what the clock says: an old one that is dated in the future is not read, a new one
// that is dated in 1970 is.
func TestReportsWithWrongTimes(t *testing.T) {
	const report = `<testsuite name="s"><testcase classname="C" name="NAME"><failure message="no"/></testcase></testsuite>`
	p := newPlace(t, "-- r/old.xml --\n"+strings.Replace(report, "NAME", "old", 1)+"\n-- r/again.xml --\n"+strings.Replace(report, "NAME", "again", 1))
	for _, name := range []string{"old", "again"} {
		chtimes(t, p.root+"/r/"+name+".xml", time.Now().AddDate(10, 0, 0))
	}
	c := check.Check{Name: "test", Parser: "junit", Reports: []string{"r/*.xml"}, Run: []string{"sh", "-c",
		"echo '" + strings.Replace(report, "NAME", "new", 1) + "' > r/new.xml; touch -d 1970-01-02 r/new.xml r/again.xml; exit 1"}}
	r := runOne(t, p, c, check.RunOptions{})
	if len(r.Tests) != 2 || r.Tests["C.new"] != parse.Fail || r.Tests["C.again"] != parse.Fail {
		t.Errorf("%s: %v", r.Status, r.Tests)
	}
}

// A format that has reports beside what it prints names a format of report files.
func TestFormatsOfReports(t *testing.T) {
	for _, name := range parse.Names() {
		f, _ := parse.Lookup(name)
		if f.Reports == "" {
			continue
		}
		if r, ok := parse.Lookup(f.Reports); !ok || r.Stream != parse.File {
			t.Errorf("%s: %q is no format of report files", name, f.Reports)
		}
	}
}

func chtimes(t *testing.T, file string, at time.Time) {
	t.Helper()
	if err := os.Chtimes(file, at, at); err != nil {
		t.Fatal(err)
	}
}
