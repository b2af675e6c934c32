package search_test

import (
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	udiff "github.com/aymanbagabas/go-udiff"

	"fettle/internal/check"
	"fettle/internal/check/parse"
	"fettle/internal/edit"
	"fettle/internal/fix"
	"fettle/internal/fix/fixtest"
	"fettle/internal/fix/search"
	"fettle/internal/runner"
	"fettle/internal/runner/golang"
	"fettle/internal/runner/jvm"
	"fettle/internal/runner/node"
	"fettle/internal/runner/python"
	"fettle/scripts/benchrepair/rows"
)

var harnesses = []runner.Harness{golang.New(), jvm.New(), node.New(), python.Harness{}}

// TestCorpus measures the fixer on the rows of one language, FETTLE_CORPUS_LANGUAGE, of those that make bench-repair measures fettle on: how many are healed, how many as in the reference but
// for layout, how long it takes. FETTLE_CORPUS_ROW chooses rows; FETTLE_CORPUS_PART=2/5 takes the second of every
// five. The fixer never sees the reference.
func TestCorpus(t *testing.T) {
	if os.Getenv("FETTLE_CORPUS_LANGUAGE") == "" {
		t.Skip("FETTLE_CORPUS_LANGUAGE names no rows")
	}
	all, err := rows.All()
	if err != nil {
		t.Fatal(err)
	}
	var s score
	for i, b := range all {
		row := os.Getenv("FETTLE_CORPUS_ROW")
		if b.Language != os.Getenv("FETTLE_CORPUS_LANGUAGE") || row != "" && !slices.Contains(strings.Split(row, ","), b.ID) || !inPart(i) {
			continue
		}
		s.total++
		t.Run(b.ID, func(t *testing.T) { s.measure(t, b, row != "") })
	}
	s.show(t)
}

func inPart(i int) bool {
	which, of, ok := strings.Cut(os.Getenv("FETTLE_CORPUS_PART"), "/")
	n, err := strconv.Atoi(of)
	k, err2 := strconv.Atoi(which)
	return !ok || err != nil || err2 != nil || i%n == k-1
}

type score struct {
	total, healed, first, shown, sure, sureRight int
	took                                         []time.Duration
}

func (s *score) measure(t *testing.T, b rows.Row, verbose bool) {
	p := fixtest.New(t, b.Files)
	k := task(t, p, b.Language)
	if len(k.Diagnostics) == 0 {
		t.Fatalf("nothing fails: %+v", k.Baseline)
	}
	began := time.Now()
	var found []fix.Candidate
	for c, err := range search.New(harnesses...).Propose(t.Context(), k) {
		if err != nil {
			t.Logf("%s: %v", b.ID, err)
			break
		}
		found = append(found, c)
	}
	wall := time.Since(began)
	s.took = append(s.took, wall)
	verdict, place := "-", -1
	for i, c := range found {
		if place < 0 && same(patched(t, p, c.Patch, b.Source), b.Reference) {
			place = i
		}
	}
	if len(found) > 0 {
		verdict = "part"
		if passes(t, b, patched(t, p, found[0].Patch, b.Source)) {
			s.healed++
			verdict = "healed"
		}
		if place == 0 {
			s.first++
			verdict = "right"
		}
		if place >= 0 {
			s.shown++
		}
		if found[0].Confidence >= 0.7 {
			s.sure++
			if place == 0 {
				s.sureRight++
			}
		}
	}
	tried := 0
	if len(found) > 0 {
		tried = found[0].Effort.Tried
	}
	t.Logf("%-28s %-7s place %2d of %d  %.1fs, %d tried", b.ID, verdict, place, len(found), wall.Seconds(), tried)
	for i, c := range found {
		if place != 0 && i < 2 || verbose {
			t.Logf("    %.2f (+%d) %s\n%s", c.Confidence, c.Alternatives, c.Explanation, difference(t, p, c.Patch))
		}
	}
}

func (s *score) show(t *testing.T) {
	slices.Sort(s.took)
	if len(s.took) > 0 {
		t.Logf("of %d: healed %d, first as in the reference %d, shown %d; sure %d, of these as in the reference %d; median %.1fs, p90 %.1fs", s.total, s.healed, s.first,
			s.shown, s.sure, s.sureRight, s.took[len(s.took)/2].Seconds(), s.took[len(s.took)*9/10].Seconds())
	}
}

// commands are the checks of each language's rows.
var commands = map[string]check.Check{
	"go":         {Run: []string{"go", "test", "-json", "-vet=off", "-timeout=3s", "./..."}, Parser: "gotest", Env: map[string]string{"GOFLAGS": "", "GOWORK": "off"}},
	"javascript": {Run: []string{"node", "--test", "--test-reporter=tap"}, Parser: "tap", Lang: "javascript"},
	"java":       {Run: []string{"sh", "-c", "mkdir -p out && javac -d out *.java && java -cp out Main"}, Lang: "java"},
	"python":     {Run: []string{"python3", "-m", "pytest", "-q", "--tb=short", "-o", "junit_family=xunit1", "--junit-xml={report}"}, Parser: "pytest-junit", Lang: "python"},
}

// task runs the tests as a session would and makes the task of what fails.
func task(t testing.TB, p *fixtest.Place, language string) fix.Task {
	t.Helper()
	c := commands[language]
	if c.Name, c.Timeout = "test", 20*time.Second; language == "java" {
		c.Timeout = time.Minute // a compiler starts
	}
	rs, err := check.Run(t.Context(), p, []check.Check{c}, check.RunOptions{})
	if err != nil {
		t.Fatal(err)
	}
	k := fix.Task{Check: c, Baseline: rs[0], Place: p}
	for _, d := range rs[0].Diagnostics {
		if d.Test != "" || !c.NamesTests() || rs[0].Status == check.TimedOut {
			k.Diagnostics = append(k.Diagnostics, d)
		}
	}
	return k
}

// patched is a file's text after a patch.
func patched(t testing.TB, p *fixtest.Place, patch edit.Patch, name string) string {
	t.Helper()
	after, err := patch.Apply(p.Source)
	if err != nil {
		t.Fatal(err)
	}
	if f, ok := after[name]; ok {
		return string(f.Data)
	}
	f, _ := p.Source(name)
	return string(f.Data)
}

// passes runs the whole suite, in the user's own way, on the patched source.
func passes(t *testing.T, b rows.Row, source string) bool {
	files := maps.Clone(b.Files)
	files[b.Source] = source
	k := task(t, fixtest.New(t, files), b.Language)
	return k.Baseline.Status == check.Passed && (!k.Check.NamesTests() || slices.Contains(slices.Collect(maps.Values(k.Baseline.Tests)), parse.Pass))
}

func difference(t testing.TB, p *fixtest.Place, patch edit.Patch) string {
	var keep []string
	for _, c := range patch {
		before, _ := p.Source(c.Path)
		for line := range strings.Lines(udiff.Unified("a", "b", string(before.Data), patched(t, p, patch, c.Path))) {
			if !strings.HasPrefix(line, "+++") && !strings.HasPrefix(line, "---") && (strings.HasPrefix(line, "+") || strings.HasPrefix(line, "-")) {
				keep = append(keep, "      "+line)
			}
		}
	}
	return strings.Join(keep, "")
}

// same reports whether two programs are the same but for blanks, parentheses and comments at the ends of lines.
func same(a, b string) bool { return plainText(a) == plainText(b) }

func plainText(s string) string {
	var out []string
	for line := range strings.Lines(s) {
		indent := len(line) - len(strings.TrimLeft(line, " \t"))
		if body := strings.NewReplacer("(", "", ")", "", " ", "", ";", "", "\t", "").Replace(strings.TrimSpace(line)); body != "" && !strings.HasPrefix(body, "//") && !strings.HasPrefix(body, "#") {
			out = append(out, strconv.Itoa(indent)+body)
		}
	}
	return strings.Join(out, "\n")
}
