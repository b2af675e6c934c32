package cli_test

import (
	"testing"

	"fettle/internal/pattern"
)

// Every pattern that is linked into the program is a regular expression.
func TestPatternsCompile(t *testing.T) {
	for text, err := range pattern.Check() {
		t.Errorf("%s: %v", text, err)
	}
}
