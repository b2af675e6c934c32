package check

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

// goOptions are the flags of go build, vet and test. The go command takes them with one dash or two.
var goOptions = options{
	value: dashed("p", "asmflags", "buildmode", "compiler", "gccgoflags", "gcflags", "installsuffix", "ldflags", "mod", "modfile",
		"overlay", "pgo", "pkgdir", "tags", "toolexec", "covermode", "coverpkg", "o", "exec", "vet", "benchtime", "count", "cpu",
		"parallel", "shuffle", "timeout", "outputdir", "blockprofile", "blockprofilerate", "coverprofile", "cpuprofile",
		"memprofile", "memprofilerate", "mutexprofile", "mutexprofilefraction", "trace", "vettool", "fuzztime", "fuzzminimizetime"),
	flag: dashed("a", "n", "race", "msan", "asan", "cover", "v", "work", "x", "asan", "buildvcs", "linkshared", "modcacherw",
		"trimpath", "json", "c", "failfast", "fullpath", "short", "benchmem", "artifacts"),
	stop: dashed("C", "run", "skip", "bench", "fuzz", "list", "test.run", "test.skip"),
}

func dashed(names ...string) []string {
	var out []string
	for _, n := range names {
		out = append(out, "-"+n, "--"+n)
	}
	return out
}

// narrowGo selects packages, and tests by -run.
func (c Check) narrowGo(targets []Target) ([]string, bool) {
	if len(c.Run) < 2 || path.Base(c.Run[0]) != "go" || !slices.Contains([]string{"test", "vet", "build"}, c.Run[1]) {
		return nil, false
	}
	l, ok := goOptions.take(c.Run[2:], "args")
	if !ok {
		return nil, false
	}
	if len(l.pos) == 0 {
		l.pos = []string{"."}
	}
	s := goSelection{check: c, had: l.pos}
	for _, t := range targets {
		if !s.add(t) {
			return nil, false
		}
	}
	s.packages = unique(s.packages)
	if !fits(s.packages) {
		return nil, false
	}
	program := slices.Clone(c.Run[:2])
	if run := s.run(); run != "" && c.Run[1] == "test" {
		l.head = append(l.head, "-run", run)
	}
	return l.join(program, s.packages), true
}

// goSelection is what of a module's tests is to run.
type goSelection struct {
	check    Check
	had      []string // the patterns that the check runs
	packages []string // patterns
	tests    []string // names
	whole    bool     // a package is wanted whole, so that -run would lose tests
}

func (s *goSelection) add(t Target) bool {
	if len(t.IDs) == 0 {
		p := t.Path
		if strings.HasSuffix(p, ".go") {
			p = path.Dir(p)
			s.whole = true
			return s.pattern(p, "")
		}
		s.whole = true
		return s.pattern(p, "/...")
	}
	for _, id := range t.IDs {
		i := goSplit(id)
		if i < 0 || !s.pattern(id[:i], "") {
			return false
		}
		s.tests = append(s.tests, id[i+1:])
	}
	return true
}

// pattern adds the packages of a folder, if the check runs them.
func (s *goSelection) pattern(dir, ending string) bool {
	rel, ok := s.check.fromDir(dir)
	if !ok || rel == "" {
		return false
	}
	p := "./" + rel
	if rel == "." {
		p = "."
	}
	if !slices.ContainsFunc(s.had, func(h string) bool { return covers(h, rel, ending != "") }) {
		return false
	}
	if p == "." && ending != "" {
		p = "./..."
	} else {
		p += ending
	}
	s.packages = append(s.packages, p)
	return true
}

// covers reports whether a package pattern that the check runs contains a folder (with all below it: deep).
func covers(pattern, dir string, deep bool) bool {
	base, all := strings.CutSuffix(pattern, "...")
	if !strings.HasPrefix(pattern, ".") || strings.Contains(base, "...") {
		return false // import paths cannot be compared with folders
	}
	base = path.Clean(strings.TrimSuffix(base, "/"))
	if dir == base {
		return all || !deep
	}
	return all && (base == "." || strings.HasPrefix(dir, base+"/"))
}

// run is the regular expression for -run, or "" when whole packages are wanted or the tests do not fit into one.
//
// The testing package splits the expression at the slashes and bars that stand outside of brackets, and matches each part
// against one level of a test's name.
func (s *goSelection) run() string {
	s.tests = unique(s.tests)
	if s.whole || !fits(s.tests) {
		return ""
	}
	for i, name := range s.tests {
		levels := strings.Split(name, "/")
		for k, level := range levels {
			levels[k] = "^" + regexp.QuoteMeta(level) + "$"
		}
		s.tests[i] = strings.Join(levels, "/")
	}
	return strings.Join(s.tests, "|")
}
