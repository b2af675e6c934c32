package near_test

import (
	"testing"

	"fettle/internal/near"
)

func TestName(t *testing.T) {
	for _, c := range []struct {
		name  string
		names []string
		want  string
	}{
		{"tets", []string{"lint", "test", "type"}, "test"},
		{"sea", []string{"tool", "search"}, "search"},
		{"zzz", []string{"tool", "search"}, ""},
		{"", []string{"tool"}, ""},
		{"bolean", []string{"number", "boolean", "Boolean"}, "boolean"},
		{"ab", []string{"ba", "ab"}, "ab"},
	} {
		if got := near.Name(c.name, c.names); got != c.want {
			t.Errorf("Name(%q, %q) = %q, want %q", c.name, c.names, got, c.want)
		}
	}
}

func FuzzLikeness(f *testing.F) {
	f.Add("abc", "abd")
	f.Fuzz(func(t *testing.T, a, b string) {
		s := near.Likeness(a, b)
		if s < 0 || s > 1 {
			t.Fatalf("likeness %v", s)
		}
		if a != "" && len(a) <= 200 && near.Likeness(a, a) != 1 {
			t.Fatalf("%q is not like itself", a)
		}
	})
}
