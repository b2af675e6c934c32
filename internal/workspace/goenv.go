package workspace

import (
	"os"
	"path/filepath"
	"strings"
)

// setting is what a tool takes a variable for: what the environment says, or else, of Go's variables, what `go env -w` has written down
// (https://pkg.go.dev/cmd/go#hdr-Environment_variables).
func setting(name string) string {
	if v := os.Getenv(name); v != "" || !strings.HasPrefix(name, "GO") {
		return v
	}
	file := os.Getenv("GOENV")
	if file == "" {
		dir, err := os.UserConfigDir()
		if err != nil {
			return ""
		}
		file = filepath.Join(dir, "go", "env")
	}
	if !filepath.IsAbs(file) { // "off"
		return ""
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(text)) {
		if n, v, ok := strings.Cut(strings.TrimSpace(line), "="); ok && n == name {
			return v
		}
	}
	return ""
}
