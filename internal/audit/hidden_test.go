package audit_test

import (
	"testing"
)

// TestUnseen holds characters and words that look like what they are not.
func TestUnseen(t *testing.T) {
	for _, c := range []struct {
		name, path, after string
		want              []string
	}{
		{"a Cyrillic letter in a word", "a.py", "x = 1\np\u0430th = 2\n", []string{"ask confusable"}},
		{"a word of another script", "a.py", "x = 1\nпуть = 2\n", nil},
		{"a unit", "a.go", "package a\n\nconst Δx, µs = 1, 2\n", nil},
		{"in prose", "a.md", "p\u0430th\n", nil},
		{"a selector that hides text", "a.py", "x = 1  # \U000e0141\n", []string{"refuse hidden"}},
		{"a line that no editor ends", "a.js", "var x = 1; // \u2028 y()\n", []string{"ask hidden"}},
		{"an emoji", "a.py", "x = '\u2764\ufe0f'\n", nil},
		{"an escape", "a.txt", "\x1b[2K\n", []string{"ask hidden"}},
	} {
		t.Run(c.name, func(t *testing.T) { check(t, input(files{}, files{c.path: c.after}), c.want) })
	}
}
