package audit

import (
	"fmt"
	"strings"

	"fettle/internal/audit/commands"
	"fettle/internal/pattern"
)

// command is what a setting has carried out, as far as it has anything: the line without its key, list mark and quotes. What only names a tool is no command.
func (s setting) command() string {
	if naming.MatchString(s.key) || s.entry && strings.HasPrefix(s.text, `"`) {
		return ""
	}
	text := strings.TrimPrefix(s.text, "- ")
	if m := commandKey.FindString(text); m != "" {
		text = text[len(m):]
	}
	return strings.Trim(strings.TrimLeft(strings.TrimSuffix(text, ","), "@-+ "), `"' `)
}

// naming matches keys under which tools are named, to be installed or chosen, and not started.
var naming = pattern.New(`^(id|name|uses|repo|rev|image|description|deps|packages|requires|env_?list|extends|plugins|needs)$|depend|linters`)

var commandKey = pattern.New(`^"?[\w./\- ]+"?\s*:\s+`)

// lostChecks are the tools that settings which are gone had look at the code, and those that are new do not. Where something else does so now, nobody can tell.
func lostChecks(gone, fresh []setting) []string {
	var had, has []string
	known := make(map[string]bool)
	for _, s := range gone {
		for _, tool := range commands.Checks(s.command()) {
			had, known[tool] = append(had, tool), true
		}
	}
	for _, s := range fresh {
		for _, tool := range commands.Checks(s.command()) {
			if !known[tool] {
				return nil
			}
			has = append(has, tool)
		}
	}
	return lacking(had, has, func(tool string) string { return tool })
}

// lostInPipes looks for checks whose output is handed to another command, so that this one says how it ended, where nothing tells the shell to mind both.
func lostInPipes(before, after []byte) []Finding {
	if mindsPipes.Match(after) {
		return nil
	}
	alone, had := make(map[string]int), make(map[string]int)
	for _, s := range settings(before) {
		first, rest := commands.InPipes(s.command())
		for _, tool := range rest {
			alone[tool]++
		}
		for _, tool := range first {
			had[tool]++
		}
	}
	var all []Finding
	var later []setting
	for _, s := range settings(after) {
		first, rest := commands.InPipes(s.command())
		for _, tool := range rest {
			alone[tool]--
		}
		if len(first) > 0 {
			later = append(later, s)
		}
	}
	for _, s := range later {
		first, _ := commands.InPipes(s.command())
		if had[first[0]]--; had[first[0]] < 0 && alone[first[0]] > 0 {
			all = append(all, Finding{Line: s.number, Evidence: fmt.Sprintf("%q: how %s ends counts no more, in a pipe without pipefail or behind the shell's back", clip(s.text), first[0])})
		}
	}
	return all
}

// mindsPipes matches what makes a shell fail where any command of a pipe does.
var mindsPipes = pattern.New(`pipefail|shell:\s*bash\b`)
