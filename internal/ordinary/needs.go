package ordinary

import (
	"encoding/json"
	"path"
	"strings"
)

// WithoutNeeds is a text of such a file without what its project needs, for whom it is ordinary that it needs something new.
func WithoutNeeds(name, text string) string {
	switch path.Base(name) {
	case "package.json":
		return packageAlone(text)
	case "pyproject.toml", "Cargo.toml":
		return tablesAlone(text)
	}
	return text
}

// packageAlone is a package.json without its dependencies. What cannot be read stays as it is.
func packageAlone(text string) string {
	all, ok := members(text)
	if !ok {
		return text
	}
	for _, key := range depends {
		delete(all, key)
	}
	rest, err := json.Marshal(all)
	if err != nil {
		return text
	}
	return string(rest)
}

// tablesAlone is a text of TOML without the sections that are called as dependencies are, and without the list of them in [project].
func tablesAlone(text string) string {
	if strings.Contains(text, `"""`) || strings.Contains(text, "'''") { // what looks like a section may be a text
		return text
	}
	var left []string
	section, listed := "", false
	for line := range strings.SplitSeq(text, "\n") {
		trimmed := strings.TrimSpace(line)
		if strings.HasPrefix(trimmed, "[") { // one with a comment behind it is that of no section that is known
			section, listed = trimmed, false
		}
		key, value, _ := strings.Cut(trimmed, "=")
		listed = listed || section == "[project]" && strings.TrimSpace(key) == "dependencies" && strings.HasPrefix(strings.TrimSpace(value), "[")
		if !listed && !strings.HasSuffix(section, "dependencies]") && section != "[dependency-groups]" {
			left = append(left, line)
		}
		listed = listed && !strings.HasSuffix(trimmed, "]")
	}
	return strings.TrimRight(strings.Join(left, "\n"), "\n")
}
