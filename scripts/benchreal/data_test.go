package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
)

// What can be known of the projects without a network: that each file is whole, that no two are one, and that none names a
// registry's address.
func TestProjects(t *testing.T) {
	projects, err := loadProjects(os.DirFS("projects"))
	if err != nil {
		t.Fatal(err)
	}
	per, seen := map[string]int{}, map[string]string{}
	for _, p := range projects {
		per[p.Language]++
		if other := seen[p.SHA256]; other != "" {
			t.Errorf("%s and %s have one archive", p.Name, other)
		}
		seen[p.SHA256] = p.Name
		b, err := os.ReadFile(filepath.Join("projects", p.Name+".yaml"))
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(b), "://") {
			t.Errorf("%s names an address", p.Name)
		}
		for _, f := range p.Faults {
			if content := []byte("before\n" + f.Find + "after\n"); f.line(content) < 2 {
				t.Errorf("%s: %s: line %d", p.Name, f.What, f.line(content))
			}
		}
	}
	for _, lang := range languages {
		if per[lang] < 2 {
			t.Errorf("%s has %d projects", lang, per[lang])
		}
	}
}

func TestLoadProjects(t *testing.T) {
	b, err := os.ReadFile("projects/mux.yaml")
	if err != nil {
		t.Fatal(err)
	}
	good := string(b)
	for _, c := range []struct{ from, to, want string }{
		{"name: mux", "name: xum", "the file must bear it"},
		{"registry: go", "registry: far", `registry "far" is unknown`},
		{"version: v1.8.1", "version: ''", "version is missing"},
		{"language: Go", "language: go", "is none of Go"},
		{"sha256: 7", "sha256: ", "64 digits"},
		{"kind: lint", "kind: logic", "the kinds of its faults"},
		{"check: lint.vet", "check: lint.none", "is none of the project's"},
		{"file: middleware.go", "file: ../middleware.go", "is no path in the project"},
		{"replace: 'return \"v\"+strconv.Itoa(idx)'", "replace: 'return \"v\" + strconv.Itoa(idx)'", "it changes nothing"},
		{"what: an index is declared as a string", "what: ''", "say it in one line"},
		{"faults:", "fault:", "field fault not found"},
	} {
		if !strings.Contains(good, c.from) {
			t.Errorf("%q stands no longer in the file", c.from)
		}
		_, err := loadProjects(fstest.MapFS{"mux.yaml": {Data: []byte(strings.Replace(good, c.from, c.to, 1))}})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q in place of %q: %v, want %q", c.to, c.from, err, c.want)
		}
	}
}

// A fault has one place, before and after the others are in.
func TestPut(t *testing.T) {
	f := Fault{What: "a is b", File: "x", Find: "a", Replace: "b"}
	for text, want := range map[string]string{"xay": "xby", "xy": "0 times", "aa": "2 times"} {
		got, err := f.put([]byte(text))
		if err == nil && string(got) != want || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %q, %v", text, got, err)
		}
	}
	p := Project{Faults: []Fault{f, {What: "c brings a back", File: "x", Find: "c", Replace: "a"}, {What: "a again", File: "x", Find: "da", Replace: "e"}}}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "x"), []byte("a c da"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := p.tryFaults(dir); err == nil {
		t.Error("a text that stands twice passes")
	}
}

func TestTable(t *testing.T) {
	p := one()
	p.Package, p.Faults = "example/one", append(p.Faults, p.Faults[0])
	p.Faults[2].Kind = "format"
	r := Result{Project: p, Build: "0123456789abcdef", Tools: []string{"go 1"}, Seconds: 1.25, Sessions: map[string]Session{
		"0":      {Faults: []Outcome{{Fault: 0, Fate: Exact, Named: "line"}}, End: "converged", Seconds: 2, Rounds: 1},
		"1":      {Faults: []Outcome{{Fault: 1, Fate: Left, Named: "test"}}, End: "stuck", Exit: 5, Seconds: 3, Rounds: 2, Troubles: []string{"it changed b.txt"}},
		together: {Faults: []Outcome{{Fault: 0, Fate: Exact}, {Fault: 1, Fate: Unread}}, End: "converged", Text: "-a\n+b\n"},
	}}
	got := table([]Result{r})
	for _, want := range []string{
		"| lint | 1 |", "| logic | | | | | | 1 | | | |", "| **all of them** | 1 | | | | | 1 | | | |", "| **all five at once** | 1 | | 1 |", "Troubles: 1.",
		"### example/one v1", "| lint | the first is bad | healed, exact | its line | converged (0) | 2.0 | 1 |", "| all five | | healed, exact; green, not reviewed | | converged (0) | 0.0 | 0 |",
		"* **Trouble** (the second is bad): it changed b.txt", "one: all five\n\n```diff\n-a\n+b\n```", "* Go: go 1\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in\n%s", want, got)
		}
	}
}
