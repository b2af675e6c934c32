package search_test

import (
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/goleak"
	"golang.org/x/tools/txtar"

	"fettle/internal/fix"
	"fettle/internal/fix/fixtest"
	"fettle/internal/fix/search"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// TestHeal mends each project in testdata/heal_LANGUAGE.txtar: NAME/want holds a line that the first candidate must put into a file, and a word of
// its explanation.
func TestHeal(t *testing.T) {
	archives, err := filepath.Glob("testdata/heal_*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatal(archives, err)
	}
	for _, name := range archives {
		language := strings.TrimSuffix(strings.TrimPrefix(filepath.Base(name), "heal_"), ".txtar")
		archive, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		projects := map[string]map[string]string{}
		var names []string
		for _, f := range archive.Files {
			name, file, _ := strings.Cut(f.Name, "/")
			if projects[name] == nil {
				projects[name] = map[string]string{}
				names = append(names, name)
			}
			projects[name][file] = string(f.Data)
		}
		for _, name := range names {
			t.Run(language+"/"+name, func(t *testing.T) {
				files := projects[name]
				want := strings.Split(strings.TrimSpace(files["want"]), "\n")
				delete(files, "want")
				heal(t, fixtest.New(t, files), language, want[0], want[1])
			})
		}
	}
}

func heal(t *testing.T, p *fixtest.Place, language, line, word string) {
	t.Helper()
	found := propose(t, task(t, p, language))
	if len(found) == 0 {
		t.Fatal("nothing was found")
	}
	c := found[0]
	path := c.Patch[0].Path
	if after := patched(t, p, c.Patch, path); !strings.Contains(after, line) {
		t.Errorf("%q is not in %s after the patch: %s\n%s", line, path, c.Explanation, difference(t, p, c.Patch))
	}
	if !strings.Contains(c.Explanation, word) || !strings.HasSuffix(c.Explanation, ".") {
		t.Errorf("the explanation is %q", c.Explanation)
	}
	if c.Confidence <= 0 || c.Confidence > 1 || c.Author != "search" {
		t.Errorf("%+v", c)
	}
}

func propose(t *testing.T, k fix.Task) []fix.Candidate {
	t.Helper()
	return proposals(t, search.New(harnesses...), k)
}

// proposeSoon looks for few rivals.
func proposeSoon(t *testing.T, k fix.Task) []fix.Candidate {
	t.Helper()
	s := search.New(harnesses...)
	s.Gather = 200
	return proposals(t, s, k)
}

func proposals(t *testing.T, s *search.Search, k fix.Task) []fix.Candidate {
	t.Helper()
	var out []fix.Candidate
	for c, err := range s.Propose(t.Context(), k) {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, c)
	}
	return out
}
