package node

import (
	"path"
	"slices"
	"strings"

	"fettle/internal/pattern"
)

var (
	importing = pattern.New(`(?:\bfrom\s*|\bimport\s*|\b(?:require|import|requireActual|importActual)\s*\(\s*)["']([^"'\n]+)["']`)
	mocking   = pattern.New(`\.(?:mock|doMock|unstable_mockModule)\s*\(\s*(?:import\s*\(\s*)?["']([^"'\n]+)["']`)
)

// Bounds of what is followed: how often an import leads to another, and how many files there are.
const (
	importLevels = 4
	mostImported = 40
)

// imported are the suite's sources to which the imports of its tests lead, nearest first, without those in whose place the tests put others.
func (s *Suite) imported() []string {
	var out []string
	var mocked []string
	known := map[string]bool{s.Name(): true}
	level := []string{s.Name()}
	for range importLevels {
		var next []string
		for _, file := range level {
			text, err := s.job.Place.ReadFile(file)
			if err != nil {
				continue
			}
			if file == s.Name() {
				mocked = s.named(file, mocking.FindAllStringSubmatch(string(text), -1))
			}
			for _, to := range s.named(file, importing.FindAllStringSubmatch(string(text), -1)) {
				if known[to] || slices.Contains(mocked, to) {
					continue
				}
				known[to] = true
				next = append(next, to)
				if s.Owns(to) && len(out) < mostImported {
					out = append(out, to)
				}
			}
		}
		level = next
	}
	return out
}

// named are the files of the repository that a file names by where they lie from it.
func (s *Suite) named(file string, found [][]string) (out []string) {
	for _, m := range found {
		if !strings.HasPrefix(m[1], ".") {
			continue
		}
		if to := s.resolve(path.Join(path.Dir(file), m[1])); to != "" {
			out = append(out, to)
		}
	}
	return out
}

var endings = []string{".js", ".ts", ".tsx", ".jsx", ".mjs", ".cjs", ".mts", ".cts"}

// resolve is the source that a path without an ending, of a folder, or of the JavaScript that would be made of it stands for; "" if there is none.
func (s *Suite) resolve(name string) string {
	all := []string{name}
	if bare, ok := strings.CutSuffix(name, "js"); ok && strings.HasSuffix(strings.TrimRight(bare, "mc"), ".") {
		all = append(all, bare+"ts", bare+"tsx")
	}
	for _, e := range endings {
		all = append(all, name+e)
	}
	for _, e := range endings {
		all = append(all, name+"/index"+e)
	}
	for _, p := range all {
		if !isSource(p) || strings.HasPrefix(p, "../") {
			continue
		}
		if _, err := s.job.Place.ReadFile(p); err == nil {
			return p
		}
	}
	return ""
}
