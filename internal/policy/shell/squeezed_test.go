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
		signs, squeezed := Squeeze(slices.Clone(texts))
		at := []uint16{0}
		for i, s := range signs {
			at = append(at, at[i]+uint16(len(s)))
		}
		for i, s := range squeezed {
			if got := loosen(strings.Join(signs, ""), at, s); got != texts[i] {
				t.Fatalf("%q became %q, and that %q", texts[i], s, got)
			}
		}
	})
	if _, squeezed := Squeeze([]string{strings.Repeat("--output", 64)}); len(squeezed[0]) > 32 {
		t.Errorf("%d bytes of 512 are left", len(squeezed[0]))
	}
}
