package hook

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"

	"fettle/internal/policy/shell"
)

// declares reports that a package is loaded to be run by whose name a manifest of the project says that it needs it, which the agent has not written: it would be installed without a question, too.
func (s *session) declares(o *occasion, f shell.Fact) bool {
	manifests, names := []string{"package.json"}, needed
	switch f.By {
	case "npx", "pnpx", "bunx", "bun x", "npm exec", "npm x":
	case "uvx", "pipx run":
		manifests, names = []string{"pyproject.toml", "requirements.txt", "requirements-dev.txt", "setup.cfg", "Pipfile", "uv.lock", ".pre-commit-config.yaml"}, spoken
	default:
		return false
	}
	return f.Kind == shell.Install && o.everywhere(f, func(dir string, _ []string) bool {
		for ; dir == o.at.Root || strings.HasPrefix(dir, o.at.Root+"/"); dir = filepath.Dir(dir) {
			for _, name := range manifests {
				file := filepath.Join(dir, name)
				if text, ok := present(file); ok && s.wrote(file) == not && names(text, f.Target) {
					return true
				}
			}
		}
		return false
	})
}

// needed reports that a package.json says that a package is needed.
func needed(text, name string) bool {
	var in struct {
		A map[string]any `json:"dependencies"`
		B map[string]any `json:"devDependencies"`
		C map[string]any `json:"peerDependencies"`
		D map[string]any `json:"optionalDependencies"`
	}
	return json.Unmarshal([]byte(text), &in) == nil && slices.ContainsFunc([]map[string]any{in.A, in.B, in.C, in.D}, func(needs map[string]any) bool { return needs[name] != nil })
}

// spoken reports that a name stands in a text as a word of its own.
func spoken(text, name string) bool {
	return slices.Contains(strings.FieldsFunc(text, func(r rune) bool {
		return r != '-' && r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	}), name)
}
