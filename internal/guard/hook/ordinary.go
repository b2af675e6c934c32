package hook

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"

	"fettle/internal/policy/shell"
)

// Files like package.json say how a project is checked, and much else. An edit of an agent's tools that changes nothing but what else is there is an ordinary
// one. What cannot be told apart for sure is asked about, as before.

// ordinary reports an edit, by an editing tool, of a file of settings that weakens no check and has nothing else run than before.
func ordinary(o *occasion, f shell.Fact) bool {
	if f.Kind != shell.Write || f.Zone != shell.Checks || f.By != o.Tool {
		return false
	}
	name := filepath.Base(f.Target)
	var same func(before, after string) bool
	switch {
	case name == ".editorconfig": // it says how lines look, and decides no check
		return true
	case name == "package.json":
		same = o.samePackage
	case name == "pyproject.toml" || name == "Cargo.toml":
		same = sameTOML
	case name == "tsconfig.json" || strings.HasPrefix(name, "tsconfig.") && strings.HasSuffix(name, ".json"):
		same = sameTypes
	case slices.Contains([]string{"Makefile", "makefile", "GNUmakefile"}, name):
		same = o.sameRecipes
	default:
		return false
	}
	before, ok := present(f.Target)
	if !ok && !absent(f.Target) {
		return false
	}
	after, ok := o.edited(f.Target, before)
	return ok && same(before, after)
}

// edited is a file's text after a call.
func (o *occasion) edited(file, text string) (string, bool) {
	in, ok := o.edits()
	if !ok {
		return "", false
	}
	edits := in.Edits
	switch o.Tool {
	case "Write":
		if in.Content == nil {
			return "", false
		}
		return *in.Content, true
	case "Edit":
		edits = []replacement{in.replacement}
	case "MultiEdit":
	case "apply_patch":
		if strings.Contains(in.patch(), "*** Move to:") { // the file would be gone
			return "", false
		}
		for _, h := range o.hunks() {
			switch {
			case shell.PathFact(shell.Write, strings.TrimSpace(h.file), o.Tool, o.at).Target != file:
			case text == "" && h.before == "" && absent(file): // all of a new one
				return h.after, true
			default:
				edits = append(edits, replacement{Old: h.before, New: h.after})
			}
		}
	default:
		return "", false
	}
	for _, e := range edits {
		n := strings.Count(text, e.Old)
		if e.Old == "" || n == 0 || n > 1 && !e.All {
			return "", false
		}
		text = strings.ReplaceAll(text, e.Old, e.New)
	}
	return text, len(edits) > 0
}

// about are the keys of a package.json that say what the package is, and run nothing.
var about = []string{"version", "description", "keywords", "author", "contributors", "license", "homepage", "repository", "bugs", "funding"}

// depends are those that say what it needs. What is new there runs code when it is installed, so only what goes, or gets another version, is ordinary.
var depends = []string{"dependencies", "devDependencies", "peerDependencies", "optionalDependencies"}

// samePackage reports two texts of package.json between which only such keys differ, and scripts that are no checks.
func (o *occasion) samePackage(before, after string) bool {
	if before == "" {
		before = "{}"
	}
	was, ok := members(before)
	is, also := members(after)
	if !ok || !also || !o.sameScripts(was["scripts"], is["scripts"]) {
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
	if len(was) != len(is) {
		return false
	}
	for key, v := range was {
		if !bytes.Equal(compact(v), compact(is[key])) {
			return false
		}
	}
	return true
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
		needed := strings.HasSuffix(section, "dependencies]") && ranged(value) && ranged(newValue)
		if !facet && !needed {
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
