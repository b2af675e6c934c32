package shell_test

import (
	"strings"
	"testing"

	"fettle/internal/policy/shell"
)

// TestPlaces judges commands by the strictness that they deserve: what a program that writes is handed, what is run by ways round, and the loops of other projects. No wrapper lowers it.
func TestPlaces(t *testing.T) {
	for _, form := range append(forms(t, "forms_places.txt", 100), forms(t, "forms_loop.txt", 100)...) {
		command := strings.TrimSuffix(form[2:], "\n")
		want := map[byte]shell.Decision{'+': shell.Allow, '?': shell.Ask, '-': shell.Deny}[form[0]]
		if v := judge(command); v.Decision != want {
			t.Errorf("%q: %s, want %s (%s: %s)\n\t%v", command, v.Decision, want, v.Rule, v.Reason, v.Facts)
		} else if want > shell.Allow {
			for _, w := range wrappers {
				check(t, command, w.wrap(command), v, w.name)
			}
		}
	}
}
