package settings

import (
	"strings"

	"fettle/internal/audit/commands"
	"fettle/internal/audit/trees"
	"fettle/internal/pattern"
)

// Command is what a setting has carried out, as far as it has anything: the line without its key, list mark and quotes. What only names a tool is no command.
func (s Setting) Command() string {
	if NamesTools(s.Key) || s.entry && strings.HasPrefix(s.Text, `"`) {
		return ""
	}
	text := strings.TrimPrefix(s.Text, "- ")
	if m := commandKey.FindString(text); m != "" {
		text = text[len(m):]
	}
	return strings.Trim(strings.TrimLeft(strings.TrimSuffix(text, ","), "@-+ "), `"' `)
}

// NamesTools reports whether tools are named under a key, to be installed or chosen, and not started.
func NamesTools(key string) bool { return naming.MatchString(key) }

// naming matches keys under which tools are named, to be installed or chosen, and not started.
var naming = pattern.New(`^(id|name|uses|repo|rev|image|description|deps|packages|requires|env_?list|extends|plugins|needs)$|depend|linters`)

var commandKey = pattern.New(`^"?[\w./\- ]+"?\s*:\s+`)

// lostChecks are the tools that settings which are gone had look at the code, and those that are new do not. Where something else does so now, nobody can tell.
func lostChecks(gone, fresh []Setting) []string {
	var had, has []string
	known := make(map[string]bool)
	for _, s := range gone {
		for _, tool := range commands.Checks(s.Command()) {
			had, known[tool] = append(had, tool), true
		}
	}
	for _, s := range fresh {
		for _, tool := range commands.Checks(s.Command()) {
			if !known[tool] {
				return nil
			}
			has = append(has, tool)
		}
	}
	return trees.Lacking(had, has, func(tool string) string { return tool })
}
