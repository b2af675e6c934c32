package setup

import (
	"os"
	"path/filepath"
	"strings"
)

// SwitchedOff says by what a client runs no hook in a project, wherever the guard is installed; empty: by nothing.
func (w Where) SwitchedOff(project string) string {
	if w.Client == Codex {
		return w.featureOff(project)
	}
	for _, name := range []string{"settings.json", "settings.local.json"} {
		file := filepath.Join(project, "."+string(w.Client), name)
		s, err := w.settings(file)
		if err != nil {
			continue
		}
		if by := s.unhooked(); by != "" {
			return by + " in " + file
		}
	}
	return ""
}

// settings are those in a file.
func (w Where) settings(file string) (*settings, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	return read(w.Client, data)
}

// featureOff is SwitchedOff of Codex, which goes by its own settings and by those of a project that it trusts.
func (w Where) featureOff(project string) string {
	own, err := w.Folder()
	if err != nil {
		return ""
	}
	for _, folder := range []string{own, filepath.Join(project, ".codex")} {
		file := filepath.Join(folder, "config.toml")
		if data, err := os.ReadFile(file); err == nil && hooksOff(string(data)) {
			off := "features.hooks is false in " + file
			if folder != own {
				off += ", which counts once Codex trusts the project"
			}
			return off
		}
	}
	return ""
}

// hooksOff reports settings of Codex in which the feature of hooks is off, in any of the ways in which TOML may say so, by its name of now or its earlier one.
func hooksOff(text string) (off bool) {
	table := ""
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, "#")
		line = strings.NewReplacer(" ", "", "\t", "", "\r", "", "\n", "", `"`, "", "'", "").Replace(line)
		if name, ok := strings.CutPrefix(line, "["); ok {
			table = strings.TrimSuffix(name, "]") + "."
			continue
		}
		name, value, _ := strings.Cut(line, "=")
		fields := map[string]string{table + name: value}
		if table+name == "features" {
			fields = inline(value)
		}
		for _, feature := range []string{"features.hooks", "features.codex_hooks"} {
			off = off || fields[feature] == "false"
		}
	}
	return off
}

// inline are the features of a table that stands in one line: {hooks=false,apps=true}.
func inline(table string) map[string]string {
	all := map[string]string{}
	for field := range strings.SplitSeq(strings.Trim(table, "{}"), ",") {
		name, value, _ := strings.Cut(field, "=")
		all["features."+name] = value
	}
	return all
}
