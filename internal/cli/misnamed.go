package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"fettle/internal/check"
)

// misnamed says of each file that lies beside one of these places with the other ending of YAML that nobody reads it. One name for one file: what the guard keeps an agent
// from changing, and what people look for, is always the same.
func misnamed(places ...string) []string {
	var out []string
	for _, place := range places {
		other := strings.TrimSuffix(place, ".yaml") + ".yml"
		if info, err := os.Stat(other); err == nil && info.Mode().IsRegular() {
			out = append(out, fmt.Sprintf("%s is not read: its name must be %s", other, filepath.Base(place)))
		}
	}
	return out
}

// misread is what is wrong with a project's fettle.yaml as a whole, whatever its section for the guard says; nil where there is none.
func misread(root string) error {
	if _, err := check.Load(root); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
