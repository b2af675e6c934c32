package search

import (
	"testing"

	"fettle/internal/code"
	"fettle/internal/syntax"
)

func TestLinear(t *testing.T) {
	for _, same := range [][]string{
		{"i < n", "i <= n - 1", "n > i", "i + 1 <= n", "n >= i + 1", "(i + 1) < n + 1", "i - n < 0 + n - n"},
		{"i <= n", "i < n + 1", "n >= i", "n + 1 > i"},
		{"a + b < 3", "a + b <= 2", "3 > a + b"},
		{"-1 < x", "x > -1", "x >= 0"},
	} {
		want := ""
		for i, text := range same {
			f, err := code.Read(t.Context(), syntax.Python, "a.py", []byte(text))
			if err != nil {
				t.Fatal(err)
			}
			got, ok := linear(f.Root.Kids[0].Kid(code.Value))
			if i == 0 {
				want = got
			}
			if strange := text == "i - n < 0 + n - n"; !ok || (got == want) == strange {
				t.Errorf("%s is %q, and %s is %q", same[0], want, text, got)
			}
		}
	}
}
