package shell

import (
	"slices"
	"strings"
)

// mixedEndings are those of files among which some steer agents, CI or checks.
var mixedEndings = []string{".md", ".yml", ".yaml", ".json", ".toml", ".cfg", ".ini", ".sh", ".env", ".lock", ".txt"}

// listed is what a program prints that lists files below some folders, whose names end so, or are this after a slash: of all of them it is known where they lie. Below the
// project's own folder that is only said where the ending tells that none of them steers anything.
func (s *shell) listed(roots []value, suffix string, from taint) value {
	from |= ofFiles
	if len(roots) == 0 {
		roots = []value{known(".")}
	}
	if strings.ContainsAny(suffix[min(1, len(suffix)):], marks+"/") {
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
			out = value{path + "/" + string(hole) + suffix, from &^ allNames}
		}
	}
	return out
}

// vital is the first of some folders that nobody can do without, or that lies in a home and is not hidden, one outside of the project before the project itself.
func (s *shell) vital(roots []value) (found located, ok bool) {
	if len(roots) == 0 {
		roots = []value{known(".")}
	}
	for _, r := range roots {
		if at := s.locate(r, s.cwd); (at.zone == Above || at.zone == Home && !strings.Contains(at.path, "/.")) && !at.part && (!ok || found.in) {
			found, ok = at, true
		}
	}
	return found, ok
}

// listedAll is what a program prints that lists all files below such a folder, with it in front of each.
func (s *shell) listedAll(at located, from taint) value {
	return value{strings.TrimSuffix(strings.TrimSuffix(at.pattern(), "/\x01"), "/") + "/" + string(hole), from | allNames | ofFiles | s.outOf(at)}
}

// outOf are the taints of names out of the listing of a folder. What lies in hidden ones of a home are mostly caches.
func (r *reader) outOf(at located) taint {
	folder := strings.TrimSuffix(at.path, "/*")
	_, holds := within(folder, r.at.Home)
	rel, lies := within(r.at.Home, folder)
	if !at.in && (holds || lies && rel[0] != '.' || folder == r.at.Home) {
		return fromHome
	}
	return 0
}

// lists is ls and its kin, which print the names of what lies in folders, or of what they are given themselves, and locate, which prints the paths that it is asked for a part of.
func lists(v *invocation, _ []value) (value, bool) {
	if v.given(Writes) && !v.dry {
		v.apply()
	}
	roots := v.operands
	if strings.HasSuffix(v.name, "locate") && strings.Trim(words(roots).text, "*./") == "" {
		roots = []value{known("/")}
	}
	at, ok := v.vital(roots)
	here, whole := v.locate(known("."), v.cwd).path == at.path, at.glob || oneWord(" du tree locate mlocate plocate ", v.name)
	ok = ok && (at.zone == Above || here || whole)
	switch {
	case v.dry:
		return value{}, false
	case !ok && (len(v.operands) == 0 || slices.ContainsFunc(v.operands, value.globbed)):
		return unknown(v.output() | ofFiles | v.outOf(v.locate(append(v.operands, known("."))[0], v.cwd))), true
	case !ok:
		return value{}, false
	case whole:
		return v.listedAll(at, v.output()), true
	case here:
		return value{string(hole), v.output() | allNames | ofFiles | v.outOf(at)}, true
	}
	return value{string(hole), v.output() | allNames | ofFiles}, true // of another folder than the one where they mean something
}

// ending is how a pattern of names ends: *.go, **/*.go, *~.
func ending(pattern string) string {
	i := strings.LastIndexAny(pattern, "*\x01")
	if i < 0 {
		return ""
	}
	if end := pattern[i+1:]; strings.HasPrefix(end, ".") || strings.HasPrefix(end, "_") || end == "~" {
		return end
	}
	return ""
}
