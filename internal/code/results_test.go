package code_test

import (
	"slices"
	"testing"

	"fettle/internal/code"
)

func TestGoResults(t *testing.T) {
	for _, c := range []struct {
		declared string
		want     []string
	}{
		{"", nil}, {"error", []string{"error"}}, {"(int, error)", []string{"int", "error"}}, {"(n int, err error)", []string{"int", "error"}},
		{"(a, b int, err error)", []string{"int", "int", "error"}}, {"(map[string]int, error)", []string{"map[string]int", "error"}},
	} {
		if got := code.GoResults(c.declared); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.declared, got, c.want)
		}
	}
	for typ, want := range map[string]string{"bool": "false", "uint8": "0", "string": `""`, "*T": "nil", "[]int": "nil", "map[string]int": "nil", "error": "nil", "T": "T{}", "strings.Builder": "strings.Builder{}"} {
		if got := code.GoZero(typ); got != want {
			t.Errorf("GoZero(%s) = %s, want %s", typ, got, want)
		}
	}
}
