package setup

import (
	"cmp"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// overrules are the settings by which whoever administers a machine has no hooks run but their own, or none at all.
var overrules = map[Client][]toggle{
	Claude: {{"/disableAllHooks", "disableAllHooks", "true"}, {"/allowManagedHooksOnly", "allowManagedHooksOnly", "true"}},
}

// managed are the files of what the machine's administrator has settled, in the order in which they count.
func (w Where) managed() []string {
	where := "/etc/claude-code"
	if runtime.GOOS == "darwin" {
		where = "/Library/Application Support/ClaudeCode"
	}
	where = cmp.Or(w.Managed, where)
	all := []string{filepath.Join(where, "managed-settings.json")}
	more := filepath.Join(where, "managed-settings.d")
	names, _ := os.ReadDir(more) // a folder that cannot be read has none for the client either
	for _, f := range names {
		if name := f.Name(); strings.HasSuffix(name, ".json") && name[0] != '.' {
			all = append(all, filepath.Join(more, name))
		}
	}
	return all
}

// overruled says by which of the administrator's settings no hook of the person's own runs; empty: by none. Of several files the last that says something counts.
func (w Where) overruled() string {
	if overrules[w.Client] == nil {
		return ""
	}
	by := map[string]string{}
	for _, file := range w.managed() {
		s, err := w.settings(file)
		if err != nil {
			continue
		}
		for _, t := range overrules[w.Client] {
			if s.value.Find(t.at) == nil {
				continue
			}
			by[t.name] = ""
			if t.off(s) {
				by[t.name] = t.String() + " in " + file
			}
		}
	}
	for _, t := range overrules[w.Client] {
		if by[t.name] != "" {
			return by[t.name]
		}
	}
	return ""
}
