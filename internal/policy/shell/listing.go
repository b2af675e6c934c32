package shell

import (
	"slices"
	"strings"
)

// mixedEndings are those of files among which some steer agents, CI or checks.
var mixedEndings = []string{".md", ".yml", ".yaml", ".json", ".toml", ".cfg", ".ini", ".sh", ".env", ".lock", ".txt"}

// listed is what a program prints that lists files below some folders, whose names end so: of all of them it is known where they lie. Below the
// project's own folder that is only said where the ending tells that none of them steers anything.
func (s *shell) listed(roots []value, suffix string, from taint) value {
	if len(roots) == 0 {
		roots = []value{known(".")}
	}
	if strings.ContainsAny(suffix, marks+"/") {
		suffix = ""
	}
	out := value{}
	for _, r := range roots {
		at := s.locate(r, s.cwd)
		if at.part || at.glob || at.zone == Secrets || r.from&toSecret != 0 {
			return unknown(from)
		}
		path := strings.TrimSuffix(at.path, "/")
		if rel, _ := within(s.at.Root, path); strings.HasPrefix(rel, ".") || strings.Contains(rel, "/.") { // where what steers CI, agents and editors lies
			return unknown(from)
		}
		home := at.zone == Home || path == s.at.Home
		if path != s.at.Root && at.zone != Project && at.zone != Generated && !home {
			return unknown(from)
		}
		if !home && path == s.at.Root && (suffix == "" || slices.Contains(mixedEndings, suffix)) {
			return unknown(from)
		}
		if out.empty() {
			out = value{path + "/" + string(hole) + suffix, from}
		}
	}
	return out
}

// ending is how a pattern of names ends: *.go, **/*.go.
func ending(pattern string) string {
	i := strings.LastIndexAny(pattern, "*\x01")
	if i < 0 || !strings.HasPrefix(pattern[i+1:], ".") && !strings.HasPrefix(pattern[i+1:], "_") {
		return ""
	}
	return pattern[i+1:]
}
