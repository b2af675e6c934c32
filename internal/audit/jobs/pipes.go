package jobs

import (
	"fmt"

	"fettle/internal/audit/commands"
	"fettle/internal/audit/settings"
	"fettle/internal/pattern"
	"fettle/internal/phrase"
)

// InPipes looks for checks whose output is handed to another command, so that this one says how it ended, where nothing tells the shell to mind both.
func InPipes(before, after []byte) []Loss {
	if mindsPipes.Match(after) {
		return nil
	}
	alone, had := make(map[string]int), make(map[string]int)
	for _, s := range settings.Of(before) {
		first, rest := commands.InPipes(s.Command())
		for _, tool := range rest {
			alone[tool]++
		}
		for _, tool := range first {
			had[tool]++
		}
	}
	var all []Loss
	var later []settings.Setting
	for _, s := range settings.Of(after) {
		first, rest := commands.InPipes(s.Command())
		for _, tool := range rest {
			alone[tool]--
		}
		if len(first) > 0 {
			later = append(later, s)
		}
	}
	for _, s := range later {
		first, _ := commands.InPipes(s.Command())
		if had[first[0]]--; had[first[0]] < 0 && alone[first[0]] > 0 {
			all = append(all, Loss{Line: s.Number, Evidence: fmt.Sprintf("%q: how %s ends counts no more, in a pipe without pipefail or behind the shell's back", phrase.Clip(s.Text), first[0])})
		}
	}
	return all
}

// mindsPipes matches what makes a shell fail where any command of a pipe does.
var mindsPipes = pattern.New(`pipefail|shell:\s*bash\b`)
