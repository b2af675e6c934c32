package custom_test

import (
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
		"AGENTS.md":       "# Tests\n\nThis is a program.\n\nNever log secrets.\r\n\r\n" + long + "\n\nPrefer tables in tests.\n",
		"CLAUDE.md":       "Always\x00 so.\n",
		"CONTRIBUTING.md": "Welcome!\n",
		"sub/AGENTS.md":   "Never look here.\n",
	})
	got, err := custom.Conventions(at)
	if want := []custom.Convention{{Path: "AGENTS.md", Text: "Never log secrets.\n\nPrefer tables in tests."}}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, %v", got, err)
	}
	many := strings.Repeat("Never do what is not done.\n\n", 100)
	if got, err = custom.Conventions(fixtest.New(t, map[string]string{"CLAUDE.md": many})); err != nil || len(got) != 1 || len(got[0].Text) > custom.MostConvention {
		t.Errorf("%q, %v", got, err)
	}
}
