package check

import (
	"path"
	"slices"
	"strings"
)

// cargoOptions are the options of cargo test.
var cargoOptions = options{
	value: []string{"-p", "--package", "--exclude", "--bin", "--test", "--example", "--bench", "-F", "--features", "-j", "--jobs", "--profile",
		"--target", "--target-dir", "--message-format", "--config", "-Z", "--color"},
	flag: []string{"--workspace", "--all", "--no-fail-fast", "--offline", "--locked", "--frozen", "--lib", "--bins", "--tests", "--examples",
		"--benches", "--all-targets", "--doc", "--all-features", "--no-default-features", "-r", "--release", "-q", "--quiet", "-v", "--verbose",
		"--ignore-rust-version", "--keep-going"},
	stop: []string{"--no-run", "--manifest-path", "-C"},
}

// Which of them choose packages, and which targets.
var (
	cargoPackages = []string{"--workspace", "--all", "-p", "--package", "--exclude"}
	cargoTargets  = []string{"--lib", "--bins", "--bin", "--tests", "--test", "--examples", "--example", "--benches", "--bench", "--all-targets", "--doc"}
)

// rustSelection is what of a project's tests is to run.
type rustSelection struct {
	manifests []string // of packages; more than one: the whole workspace
	targets   []string // options that choose targets; none: any
	names     []string // of tests, whole
	examples  []string // beginnings of the names of examples in documentation
	anywhere  bool     // something may stand in any package
	whole     bool     // a target is wanted whole, so that names would lose tests
	any       bool     // something may stand in any target
}

// narrowCargo selects packages and targets as far as the targets' paths tell them, and tests by their names: `--exact` runs
// those of these names in every program that is left. Examples in documentation are called by their line, which an edit
// moves, so all of an item run.
func (c Check) narrowCargo(targets []Target) ([]string, bool) {
	if len(c.Run) < 2 || path.Base(c.Run[0]) != "cargo" {
		return nil, false
	}
	program := 2
	if strings.HasPrefix(c.Run[1], "+") {
		program = 3
	}
	if len(c.Run) < program || c.Run[program-1] != "test" && c.Run[program-1] != "t" {
		return nil, false
	}
	words, behind := c.Run[program:], []string(nil)
	if i := slices.Index(words, "--"); i >= 0 {
		words, behind = words[:i], words[i+1:]
	}
	l, ok := cargoOptions.take(words, "")
	if !ok || len(l.pos) > 0 || slices.ContainsFunc(behind, selectsTests) {
		return nil, false
	}
	var s rustSelection
	for _, t := range targets {
		if !s.add(c, t) {
			return nil, false
		}
	}
	chosen := slices.ContainsFunc(l.head, func(w string) bool { return isOption(w, cargoTargets) })
	if chosen && slices.ContainsFunc(s.targets, func(w string) bool { return w != "--tests" }) {
		return nil, false // it selects already
	}
	run := append(slices.Clone(c.Run[:program]), s.options(l.head, chosen)...)
	names := s.filter(behind)
	if !fits(names) {
		return nil, false
	}
	if len(names) > 0 {
		run = append(append(run, "--"), names...)
	}
	return run, true
}

// selectsTests reports whether a word for the test programs selects tests. Their options are given with = or stand alone.
func selectsTests(word string) bool {
	name, _, _ := strings.Cut(word, "=")
	return !strings.HasPrefix(word, "-") || slices.Contains([]string{"--exact", "--skip", "--ignored", "--list", "--bench"}, name)
}

func isOption(word string, names []string) bool {
	name, _, _ := strings.Cut(word, "=")
	return slices.Contains(names, name)
}

func (s *rustSelection) add(c Check, t Target) bool {
	place := false
	if s.anywhere = s.anywhere || t.Path == ""; t.Path != "" {
		rel, ok := c.fromDir(t.Path)
		if !ok || rel == "" {
			return false
		}
		place = s.place(rel, len(t.IDs) == 0)
	}
	s.whole = s.whole || len(t.IDs) == 0
	for _, id := range t.IDs {
		if !s.test(c, id, place) {
			return false
		}
	}
	return true
}

// place selects the package, and the target in it, that a path names. It reports whether the target is known.
func (s *rustSelection) place(rel string, whole bool) bool {
	if path.Ext(rel) != ".rs" { // a package's folder
		s.manifests = append(s.manifests, path.Join(rel, "Cargo.toml"))
		s.any = s.any || whole
		return false
	}
	dir, in, name := rustPlace(rel)
	s.manifests = append(s.manifests, path.Join(dir, "Cargo.toml"))
	switch {
	case in == "tests":
		s.targets = append(s.targets, "--test="+name)
	case in == "src" && (path.Base(rel) == "main.rs" || strings.Contains(rel, "src/bin/")):
		s.targets = append(s.targets, "--bins")
	default:
		s.any = s.any || whole
		return false
	}
	return true
}

// rustPlace takes the path of a source apart: the package's folder, whether it belongs to the folder src or tests there,
// and the name of the target if it is a file of tests.
func rustPlace(file string) (dir, in, name string) {
	parts := strings.Split(file, "/")
	for i := len(parts) - 2; i >= 0; i-- {
		switch {
		case parts[i] == "tests" && i == len(parts)-2:
			return path.Join(append([]string{"."}, parts[:i]...)...), "tests", strings.TrimSuffix(parts[i+1], ".rs")
		case parts[i] == "tests" && i == len(parts)-3 && parts[i+2] == "main.rs":
			return path.Join(append([]string{"."}, parts[:i]...)...), "tests", parts[i+1]
		case parts[i] == "src":
			return path.Join(append([]string{"."}, parts[:i]...)...), "src", ""
		}
	}
	return ".", "", ""
}

// test selects a test by its id.
func (s *rustSelection) test(c Check, id string, placed bool) bool {
	if file, item, ok := strings.Cut(id, " -"); ok {
		if i := strings.LastIndex("/"+file, "/src/"); i >= 0 {
			file = file[i:] // cargo names it from the package or from the workspace, by its version
		} else if rel, inside := c.fromDir(file); inside {
			file = rel
		}
		item = strings.TrimSpace(item)
		if i := strings.LastIndex(item, " ("); i >= 0 {
			item = item[:i]
		}
		s.examples = append(s.examples, strings.TrimSuffix(file+" - "+item, " ")+" (line")
		return true
	}
	_, name, ok := strings.Cut(id, "::")
	if !ok {
		return false
	}
	s.names = append(s.names, name)
	if !placed {
		s.targets = append(s.targets, "--tests")
	}
	return true
}

// options are the check's own, with those that choose packages and targets replaced where the selection knows better.
func (s *rustSelection) options(head []string, chosen bool) []string {
	manifests := unique(s.manifests)
	one := len(manifests) == 1 && !s.anywhere && manifests[0] != "Cargo.toml"
	var out []string
	for i := 0; i < len(head); i++ {
		if one && isOption(head[i], cargoPackages) {
			if slices.Contains(cargoOptions.value, head[i]) {
				i++
			}
			continue
		}
		out = append(out, head[i])
	}
	if one {
		out = append(out, "--manifest-path="+manifests[0])
	}
	switch {
	case chosen || s.any || len(s.examples) > 0 && len(s.targets) > 0:
	case len(s.examples) > 0:
		out = append(out, "--doc")
	default:
		out = append(out, unique(s.targets)...)
	}
	return out
}

// filter are the words for the test programs.
func (s *rustSelection) filter(behind []string) []string {
	switch {
	case s.whole || len(s.names)+len(s.examples) == 0:
		return behind
	case len(s.examples) > 0: // names are then only parts of names
		return slices.Concat(behind, unique(append(s.names, s.examples...)))
	}
	return slices.Concat(behind, []string{"--exact"}, unique(s.names))
}
