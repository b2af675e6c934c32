package cli

import (
	"testing"

	"fettle/internal/check"
	"fettle/internal/report"
)

// What was measured is fresh when checks have run, and nobody has changed a file since.
func TestFreshGrounds(t *testing.T) {
	ran := func(all ...check.Status) (r report.Run) {
		for _, s := range all {
			r.Checks = append(r.Checks, report.CheckReport{Status: s})
		}
		return r
	}
	for name, c := range map[string]struct {
		of   grounds
		want bool
	}{
		"they ran":         {grounds{run: ran(check.Broken, check.Passed)}, true},
		"somebody changed": {grounds{run: ran(check.Passed), moved: true}, false},
		"none could":       {grounds{run: ran(check.Broken)}, false},
		"there are none":   {grounds{run: ran()}, false},
	} {
		if got := c.of.fresh(); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
