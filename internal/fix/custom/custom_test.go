package custom_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fettle/internal/check"
	"fettle/internal/fix/custom"
	"fettle/internal/fix/fixtest"
)

func TestNotes(t *testing.T) {
	c := check.Check{Name: "test.go"}
	for _, r := range []struct {
		name  string
		files map[string]string
		want  string
	}{
		{"nothing is said", nil, ""},
		{"of the check", map[string]string{".fettle/prompts/test.go.md": "one\n", ".fettle/prompts/test.md": "all\n"}, "one\n"},
		{"of its kind", map[string]string{".fettle/prompts/test.md": "all\n", ".fettle/prompts/lint.md": "other\n"}, "all\n"},
	} {
		if got, err := custom.Notes(fixtest.New(t, r.files), c); err != nil || got != r.want {
			t.Errorf("%s: %q, %v", r.name, got, err)
		}
	}
	if got, err := custom.Notes(fixtest.New(t, map[string]string{".fettle/prompts/test.md/a": "x"}), c); err == nil {
		t.Errorf("a folder was read: %q", got)
	}
}

func TestConventions(t *testing.T) {
	long := "You must not " + strings.Repeat("do that, ", 100)
	at := fixtest.New(t, map[string]string{
		"AGENTS.md":       "# Tests\n\nThis is a program.\n\n# Code\nKeep functions short.\n\nNever log secrets.\r\n\r\n" + long + "\n\nPrefer tables in tests.\n",
		"CLAUDE.md":       "Always\x00 so.\n",
		"CONTRIBUTING.md": "Welcome!\n",
		"sub/AGENTS.md":   "Never look here.\n",
	})
	got := custom.Conventions(at)
	if want := []custom.Convention{{Path: "AGENTS.md", Text: "# Code\nKeep functions short.\n\nNever log secrets.\n\nPrefer tables in tests."}}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	many := strings.Repeat("Never do what is not done.\n\n", 100)
	if got = custom.Conventions(fixtest.New(t, map[string]string{"CLAUDE.md": many})); len(got) != 1 || len(got[0].Text) > custom.MostConvention {
		t.Errorf("%q", got)
	}
}

// Links that stay in the repository are followed, and what is the same is said once. What leads out of it, or is no file, keeps nobody from working.
func TestLinked(t *testing.T) {
	at := fixtest.New(t, map[string]string{"docs/how.md": "Never log secrets.\n", "CONTRIBUTING.md/x": "Never.\n", ".fettle/prompts/all.md": "of all\n"})
	for link, to := range map[string]string{"AGENTS.md": "docs/how.md", "CLAUDE.md": "AGENTS.md", ".fettle/prompts/test.md": "all.md"} {
		if err := os.Symlink(to, filepath.Join(at.Root(), link)); err != nil {
			t.Fatal(err)
		}
	}
	if got := custom.Conventions(at); len(got) != 1 || got[0] != (custom.Convention{Path: "AGENTS.md", Text: "Never log secrets."}) {
		t.Errorf("%q", got)
	}
	if got, err := custom.Notes(at, check.Check{Name: "test.go"}); got != "of all\n" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
}
