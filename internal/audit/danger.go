package audit

import (
	"context"
	"fmt"

	"fettle/internal/policy/code"
)

// dangerRules look for what a patch could do beyond its purpose, and for what it gives away.
var dangerRules = []Rule{
	{"danger", "code that starts programs, runs text, reads objects, leaks, destroys, or turns protections off", each(dangers)},
	{"secret", "a key, token or password that the patch brings in", each(secrets)},
}

// dangers compares what the file's functions could do before and after. What no ordinary repair needs is refused; what
// depends on where its values come from is for a person.
// In a test of a person's it is asked about: tests try what code must not do.
func dangers(v *patchView, f *fileView) []Finding {
	if !f.text() || f.formatted || f.after == nil || !code.Reads(f.path, f.after) {
		return nil
	}
	brought, err := code.Change(context.Background(), f.path, f.before, f.after)
	if err != nil {
		return []Finding{{Effect: Ask, Evidence: fmt.Sprintf("it cannot be read for what it could do: %v", err)}}
	}
	var all []Finding
	for _, c := range brought {
		found := Finding{Line: c.Line, Effect: dangerous[c.Grade], Evidence: fmt.Sprintf("the patch brings in %s: %s", c.Class, c.Name)}
		if found.Effect == Refuse && f.test && v.goal.By == Person {
			found.Effect = Ask
		}
		if c.Function != "" {
			found.Evidence += ", in " + c.Function
		}
		all = append(all, found)
	}
	return all
}

// dangerous is what the grade of a capability means for the patch.
var dangerous = map[code.Grade]Effect{code.Note: Note, code.Review: Ask, code.Danger: Refuse}
