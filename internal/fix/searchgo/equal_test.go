package searchgo

import "testing"

func TestLinear(t *testing.T) {
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"i < n", "i <= n-1", true},
		{"i < n", "n > i", true},
		{"i < n+1", "i <= n", true},
		{"d <= 0", "d < 1", true},
		{"i+1 < n", "i < n-1", true},
		{"-1 < i", "i >= 0", true},
		{"(i) < (n - 1) + 1", "i < n", true},
		{"i < n", "i <= n", false},
		{"i < n", "n < i", false},
		{"i < n-k", "i < n", false},
		{"i < 1-k", "i < k", false},
	} {
		a, ok1 := linear(c.a)
		b, ok2 := linear(c.b)
		if !ok1 || !ok2 || (a == b) != c.same {
			t.Errorf("%s is %q, %s is %q; the same: want %v", c.a, a, c.b, b, c.same)
		}
	}
	for _, text := range []string{"a == b", "f(x)", "a <"} {
		if form, ok := linear(text); ok {
			t.Errorf("%s is %q", text, form)
		}
	}
}
