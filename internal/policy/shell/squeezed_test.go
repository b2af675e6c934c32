package shell

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// What was squeezed comes back as it was, whatever bytes it holds.
func TestSqueeze(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.SampledFrom([]string{"--output", "--out", "write", "\x00\x01", "\x80", "\xff\xff", "ä", "a", ""})
		text := rapid.Map(rapid.SliceOfN(word, 0, 30), func(all []string) string { return strings.Join(all, "") })
		texts := rapid.SliceOfN(text, 0, 8).Draw(t, "texts")
		pairs, squeezed := Squeeze(slices.Clone(texts))
		for i, s := range squeezed {
			if got := loosen(pairs, s); got != texts[i] {
				t.Fatalf("%q became %q, and that %q", texts[i], s, got)
			}
		}
	})
	pairs, squeezed := Squeeze([]string{strings.Repeat("--output", 64)})
	if len(pairs)+len(squeezed[0]) > 64 {
		t.Errorf("%d bytes of 512 are left", len(pairs)+len(squeezed[0]))
	}
}
