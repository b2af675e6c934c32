package phrase_test

import (
	"testing"

	"fettle/internal/phrase"
)

func TestCount(t *testing.T) {
	for n, want := range map[int]string{0: "0 tests", 1: "1 test", 2: "2 tests", -1: "-1 tests"} {
		if got := phrase.Count(n, "test"); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}

func TestSome(t *testing.T) {
	for _, c := range []struct {
		names []string
		want  string
	}{
		{nil, ""},
		{[]string{"a"}, "a"},
		{[]string{"a", "b"}, "a, b"},
		{[]string{"a", "b", "c"}, "a, b and 1 more"},
		{[]string{"a", "b", "c", "d"}, "a, b and 2 more"},
	} {
		if got := phrase.Some(c.names, 2); got != c.want {
			t.Errorf("%v: %q, want %q", c.names, got, c.want)
		}
	}
}
