package ordinary

import (
	"encoding/json"
	"maps"
	"path"
	"slices"
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

// packageAlone is a package.json without its dependencies, but for those that come from elsewhere, or are another package than they are called. What
// cannot be read stays as it is.
func packageAlone(text string) string {
	all, ok := members(text)
	if !ok {
		return text
	}
	for _, key := range depends {
		if other := fromElsewhere(all[key]); len(other) > 0 {
			all[key] = other
		} else {
			delete(all, key)
		}
	}
	rest, err := json.Marshal(all)
	if err != nil {
		return text
	}
	return string(rest)
}

// ofItsOwn reports whether a dependency says no more than which of its own package's versions it may be.
func ofItsOwn(which string) bool {
	which = strings.TrimLeft(strings.TrimPrefix(which, "workspace:"), "^~<>=v ")
	return which == "" || strings.ContainsRune("0123456789*", rune(which[0])) || slices.Contains([]string{"x", "latest", "next"}, which)
}

// fromElsewhere are those of some dependencies that say where they come from, or what they are an alias of. What is no list of them is whole.
func fromElsewhere(dependencies json.RawMessage) json.RawMessage {
	var all map[string]string
	if json.Unmarshal(dependencies, &all) != nil {
		return dependencies
	}
	maps.DeleteFunc(all, func(_, which string) bool { return ofItsOwn(which) })
	if len(all) == 0 {
		return nil
	}
	other, err := json.Marshal(all)
	if err != nil {
		return dependencies
	}
	return other
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
