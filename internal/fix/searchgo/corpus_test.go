package searchgo_test

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"go/format"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	udiff "github.com/aymanbagabas/go-udiff"

	"fettle/internal/edit"
	"fettle/internal/fix"
	search "fettle/internal/fix/searchgo"
)

type bug struct {
	ID, Language, Source string
	Files                map[string]string
	Reference            string
}

// TestCorpus measures the fixer on the Go rows of the corpus that FETTLE_CORPUS names: how many are healed, how many
// exactly as in the reference, how long it takes. FETTLE_CORPUS_ROW chooses one row and shows what was found. The fixer
// never sees the reference.
func TestCorpus(t *testing.T) {
	file := os.Getenv("FETTLE_CORPUS")
	if file == "" {
		t.Skip("FETTLE_CORPUS names no corpus")
	}
	var healed, right, total, sure, sureRight int
	var took []time.Duration
	for _, b := range bugs(t, file) {
		if b.Language != "go" || os.Getenv("FETTLE_CORPUS_ROW") != "" && b.ID != os.Getenv("FETTLE_CORPUS_ROW") {
			continue
		}
		total++
		p := lay(t, b.Files)
		began := time.Now()
		task := task(t, p)
		baseline := time.Since(began)
		began = time.Now()
		var found []fix.Candidate
		for c, err := range search.NewGo().Propose(t.Context(), task) {
			if err != nil {
				t.Logf("%s: %v", b.ID, err)
				break
			}
			found = append(found, c)
		}
		wall := time.Since(began)
		took = append(took, wall)
		verdict, place := "-", -1
		if len(found) > 0 {
			verdict = "part"
			if passes(t, b, patched(t, p, found[0].Patch, b.Source)) {
				healed++
				verdict = "healed"
			}
			for i, c := range found {
				if place < 0 && same(patched(t, p, c.Patch, b.Source), b.Reference) {
					place = i
				}
			}
			if place == 0 {
				right++
				verdict = "right"
			}
			if found[0].Confidence >= 0.7 {
				sure++
				if place == 0 {
					sureRight++
				}
			}
		}
		t.Logf("%-14s %-7s place %2d of %d  base %.1fs  search %.1fs", b.ID, verdict, place, len(found), baseline.Seconds(), wall.Seconds())
		for i, c := range found {
			if place != 0 && i < 2 || os.Getenv("FETTLE_CORPUS_ROW") != "" {
				t.Logf("    %.2f (+%d) %s\n%s", c.Confidence, c.Alternatives, c.Explanation, difference(t, p, c.Patch))
			}
		}
	}
	slices.Sort(took)
	if total > 0 {
		t.Logf("healed %d, exactly right %d of %d; sure %d, of these right %d; median %.1fs, p90 %.1fs", healed, right, total, sure, sureRight,
			took[len(took)/2].Seconds(), took[len(took)*9/10].Seconds())
	}
}

func bugs(t *testing.T, file string) []bug {
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	var out []bug
	sc := bufio.NewScanner(z)
	sc.Buffer(nil, 16<<20)
	for sc.Scan() {
		var b bug
		if err := json.Unmarshal(sc.Bytes(), &b); err != nil {
			t.Fatal(err)
		}
		out = append(out, b)
	}
	return out
}

// patched is a file's text after a patch.
func patched(t testing.TB, p place, patch edit.Patch, name string) string {
	t.Helper()
	after, err := patch.Apply(func(path string) (edit.File, error) {
		b, err := p.ReadFile(path)
		return edit.File{Data: b, Mode: 0o644, Exists: err == nil}, err
	})
	if err != nil {
		t.Fatal(err)
	}
	return string(after[name].Data)
}

// passes runs the whole suite, in the user's own way, on the patched source.
func passes(t *testing.T, b bug, source string) bool {
	files := maps.Clone(b.Files)
	files[b.Source] = source
	k := task(t, lay(t, files))
	return len(k.Diagnostics) == 0 && len(k.Baseline.Tests) > 0
}

func difference(t testing.TB, p place, patch edit.Patch) string {
	var keep []string
	name := patch[0].Path
	before, _ := p.ReadFile(name)
	for line := range strings.Lines(udiff.Unified("a", "b", string(before), patched(t, p, patch, name))) {
		if strings.HasPrefix(line, "+++") || strings.HasPrefix(line, "---") {
			continue
		}
		if strings.HasPrefix(line, "+") || strings.HasPrefix(line, "-") {
			keep = append(keep, "      "+line)
		}
	}
	return strings.Join(keep, "")
}

// same reports whether two programs are the same but for their layout.
func same(a, b string) bool {
	x, err1 := format.Source([]byte(a))
	y, err2 := format.Source([]byte(b))
	return err1 == nil && err2 == nil && strings.Join(strings.Fields(string(x)), " ") == strings.Join(strings.Fields(string(y)), " ")
}
