package workspace

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// readable lists what commands may read so that they may read everything but some files and folders: Landlock can only allow. Beside each of those, and beside each folder on the way to
// it, it is all that is there now; what comes to such a folder later cannot be read. An error says that one of these folders cannot be listed.
func readable(hidden []string) ([]string, error) {
	way := map[string]bool{} // folders that hold something hidden
	for _, path := range hidden {
		for dir := filepath.Dir(path); !way[dir]; dir = filepath.Dir(dir) {
			way[dir] = true
		}
	}
	var out []string
	for dir := range way {
		if slices.ContainsFunc(hidden, func(path string) bool { return within(dir, path) }) {
			continue // within one that is hidden as a whole
		}
		entries, err := os.ReadDir(dir)
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			path := filepath.Join(dir, e.Name())
			// A link allows nothing: what it leads to counts by its own path.
			if !way[path] && !slices.Contains(hidden, path) && e.Type()&fs.ModeSymlink == 0 {
				out = append(out, path)
			}
		}
	}
	slices.Sort(out)
	return out, nil
}
