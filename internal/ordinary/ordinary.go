// Package ordinary answers "does this edit of a file of settings leave what is checked as it was?". Files like package.json, pyproject.toml and a Makefile say how a project is checked, and
// much else: an edit that changes nothing but what else is there is an ordinary one. What cannot be told apart for sure is none.
package ordinary

import (
	"bytes"
	"encoding/json"
	"path"
	"slices"
	"strings"
)

// Reader compares two texts of such a file.
type Reader struct {
	Script   func(command string) bool // whether a script that is new, or another, may run this; nil: whatever it is
	Makefile func(text string) bool    // whether a makefile may be this; nil: whatever it is
}

// Same reports whether the second text of a file weakens no check that there was in the first, and has nothing else run by itself. A text that is empty is that of a file which is
// not there.
func (r Reader) Same(name, before, after string) bool {
	switch name = path.Base(name); {
	case name == ".editorconfig": // it says how lines look, and decides no check
		return true
	case name == "package.json":
		return r.samePackage(before, after)
	case name == "pyproject.toml" || name == "Cargo.toml":
		return sameTOML(before, after)
	case name == "tsconfig.json" || strings.HasPrefix(name, "tsconfig.") && strings.HasSuffix(name, ".json"):
		return sameTypes(before, after)
	case slices.Contains([]string{"Makefile", "makefile", "GNUmakefile"}, name):
		return r.sameRecipes(before, after)
	}
	return false
}

// about are the keys of a package.json that say what the package is, and run nothing.
var about = []string{"version", "description", "keywords", "author", "contributors", "license", "homepage", "repository", "bugs", "funding"}

// depends are those that say what it needs. What is new there runs code when it is installed, so only what goes, or gets another version, is ordinary.
var depends = []string{"dependencies", "devDependencies", "peerDependencies", "optionalDependencies"}

// samePackage reports two texts of package.json between which only such keys differ, and scripts that are no checks.
func (r Reader) samePackage(before, after string) bool {
	if before == "" {
		before = "{}"
	}
	was, ok := members(before)
	is, also := members(after)
	if !ok || !also || !r.sameScripts(was["scripts"], is["scripts"]) {
		return false
	}
	delete(was, "scripts")
	delete(is, "scripts")
	for _, key := range about {
		delete(was, key)
		delete(is, key)
	}
	for _, key := range depends {
		if !needsLess(was[key], is[key]) {
			return false
		}
		delete(was, key)
		delete(is, key)
	}
	return len(was) == len(is) && sameIn(was, is)
}

// members are those of an object in which no name stands twice.
func members(text string) (map[string]json.RawMessage, bool) {
	var all map[string]json.RawMessage
	if json.Unmarshal([]byte(text), &all) != nil || all == nil {
		return nil, false
	}
	d := json.NewDecoder(strings.NewReader(text))
	names, depth, name := 0, 0, false
	for {
		t, err := d.Token()
		if err != nil {
			break
		}
		switch t {
		case json.Delim('{'), json.Delim('['):
			depth++
			name = depth == 1
			continue
		case json.Delim('}'), json.Delim(']'):
			if depth--; depth == 1 {
				name = true
			}
			continue
		}
		if depth == 1 {
			if name {
				names++
			}
			name = !name
		}
	}
	return all, names == len(all)
}

// compact is a value without the white space between its parts.
func compact(v json.RawMessage) []byte {
	var b bytes.Buffer
	if json.Compact(&b, v) != nil {
		return nil
	}
	return b.Bytes()
}

// needsLess reports dependencies among which none is new, and none comes from another place than the registry unless it did before.
func needsLess(before, after json.RawMessage) bool {
	was, is := map[string]string{}, map[string]string{}
	if len(before) > 0 && json.Unmarshal(before, &was) != nil || len(after) > 0 && json.Unmarshal(after, &is) != nil {
		return false
	}
	for name, version := range is {
		old, known := was[name]
		if !known || version != old && strings.Trim(version, "0123456789.^~<>=|- xX*") != "" {
			return false
		}
	}
	return true
}

// facets are the keys of a pyproject.toml's [project], and of a Cargo.toml's [package], that say what it is.
var facets = []string{"version", "description", "readme", "license", "license-file", "keywords", "categories", "classifiers", "authors", "maintainers", "homepage", "repository", "documentation"}

// presents are the sections in which they stand.
var presents = []string{"[project]", "[tool.poetry]", "[package]", "[workspace.package]"}

// sameTOML reports two texts of a pyproject.toml or a Cargo.toml that differ in single lines of such keys alone, and in the versions of what it needs.
func sameTOML(before, after string) bool {
	was, is := strings.Split(before, "\n"), strings.Split(after, "\n")
	if len(was) != len(is) || strings.Contains(before+after, `"""`) || strings.Contains(before+after, "'''") {
		return false
	}
	section := ""
	for i, line := range was {
		if strings.HasPrefix(strings.TrimSpace(line), "[") {
			section = strings.TrimSpace(line)
		}
		if line == is[i] {
			continue
		}
		key, value, ok := strings.Cut(line, "=")
		newKey, newValue, also := strings.Cut(is[i], "=")
		if !ok || !also || key != newKey || !closed(value) || !closed(newValue) {
			return false
		}
		facet := slices.Contains(presents, section) && slices.Contains(facets, strings.TrimSpace(key))
		version := strings.HasSuffix(section, "dependencies]") && ranged(value) && ranged(newValue)
		if !facet && !version {
			return false
		}
	}
	return true
}

// ranged reports a text that is nothing but a version, or a range of them.
func ranged(value string) bool {
	value = strings.TrimSpace(value)
	return len(value) > 2 && value[0] == '"' && strings.Trim(value, `"0123456789.^~<>=*, `) == "" && strings.Count(value, `"`) == 2
}

// closed reports a value that ends in its own line.
func closed(value string) bool {
	value = strings.TrimSpace(value)
	return strings.Count(value, "[") == strings.Count(value, "]") && strings.Count(value, "{") == strings.Count(value, "}") && strings.Count(value, `"`)%2 == 0 && strings.Count(value, "'")%2 == 0 && value != ""
}
