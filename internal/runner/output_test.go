package runner_test

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"fettle/internal/runner"
)

// However what a process prints is cut into pieces, the same is heard.
func TestMarkedLines(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lines := rapid.SliceOf(rapid.StringMatching(`[a-c]{0,4}(\x16fettle:[a-c ]{0,4})?`)).Draw(t, "lines")
		var want, got []string
		for _, line := range lines {
			if _, said, ok := strings.Cut(line, runner.Mark); ok {
				want = append(want, said)
			}
		}
		m := &runner.MarkedLines{Each: func(said []byte) { got = append(got, string(said)) }}
		for text := strings.Join(append(lines, ""), "\n") + "and " + runner.Mark + "what has no end"; text != ""; {
			n := rapid.IntRange(1, len(text)).Draw(t, "piece")
			if wrote, err := m.Write([]byte(text[:n])); wrote != n || err != nil {
				t.Fatalf("wrote %d of %d: %v", wrote, n, err)
			}
			text = text[n:]
		}
		if !slices.Equal(got, want) {
			t.Errorf("heard %q, not %q", got, want)
		}
	})
}

func TestLastWords(t *testing.T) {
	if got := runner.LastWords(" short\n"); got != "short" {
		t.Errorf("%q", got)
	}
	got := runner.LastWords(strings.Repeat("ö", 1000) + "end")
	if !strings.HasPrefix(got, "…ö") || !strings.HasSuffix(got, "öend") || !utf8.ValidString(got) || len(got) > 610 {
		t.Errorf("%q", got)
	}
}
