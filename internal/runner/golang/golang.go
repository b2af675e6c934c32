// Package golang answers "how does Go run its tests, fast?": what packages there are, which lines each test runs, and an
// oracle that tries hundreds of candidate patches a second.
//
// Everything runs through a [check.Place], by the toolchain that the place finds, with the build flags of the user's own
// check. Nothing here writes to the repository: changed files reach the compiler through its -overlay flag, so that many
// trials share one private copy.
package golang

import (
	"fmt"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"fettle/internal/check"
	"fettle/internal/pattern"
	"fettle/internal/proc"
	"fettle/internal/runner"
)

// Suite is the tests of one package, and how they are built.
type Suite struct {
	Place check.Place
	Dir   string            // slash path of the package's folder from the root; "." or empty: the root
	Env   map[string]string // added to the environment, as in the check
	Flags []string          // build flags of the check, see [BuildFlags]
	Args  []string          // arguments for the test binary, see [TestArgs]
}

// abs is the package's folder as processes see it.
func (s *Suite) abs() string {
	if s.Dir == "" || s.Dir == "." {
		return s.Place.Root()
	}
	return filepath.Join(s.Place.Root(), filepath.FromSlash(s.Dir))
}

// file is the slash path from the root of a file in the package's folder.
func (s *Suite) file(name string) string { return path.Join(s.Dir, name) }

// rel is the slash path from the root of an absolute path, and whether it lies in the root at all.
func (s *Suite) rel(abs string) (string, bool) { return runner.Inside(s.Place.Root(), abs) }

func (s *Suite) environ(extra ...string) []string {
	return append(proc.Environ(s.Env), extra...)
}

// goCmd is a run of the go command in the package's folder. The build flags stand right after the verb.
func (s *Suite) goCmd(verb string, args ...string) proc.Cmd {
	argv := append([]string{"go", verb}, s.Flags...)
	return proc.Cmd{Argv: append(argv, args...), Dir: s.abs(), Env: s.environ()}
}

// testBinary builds the package's tests into a binary, as go test does: without the debug tables, which only cost time. What the user's
// own command or GOFLAGS says of the linker and the compiler stands.
func (s *Suite) testBinary(binary string, flags ...string) proc.Cmd {
	args := []string{"-c", "-vet=off", "-o", binary}
	for _, flag := range append([]string{"-ldflags=-s -w"}, flags...) {
		name, _, _ := strings.Cut(flag, "=")
		if (name == "-ldflags" || name == "-gcflags") && s.sets(name) {
			continue
		}
		args = append(args, flag)
	}
	return s.goCmd("test", append(args, ".")...)
}

// sets reports whether the user's command or GOFLAGS holds a flag that takes a value.
func (s *Suite) sets(flag string) bool {
	all := s.Flags
	for _, e := range s.environ() {
		if flags, ok := strings.CutPrefix(e, "GOFLAGS="); ok {
			all = append(strings.Fields(flags), s.Flags...)
		}
	}
	return slices.ContainsFunc(all, func(f string) bool { return strings.HasPrefix("-"+strings.TrimLeft(f, "-"), flag+"=") })
}

// withValue are the build flags that matter for what is compiled, and that take a value. Flags that choose tests, formats
// or coverage are the check's own business.
var withValue = []string{"asmflags", "buildmode", "compiler", "gccgoflags", "gcflags", "installsuffix", "ldflags", "mod", "modfile", "pgo", "tags"}

// alone are the build flags that matter and take none.
var alone = []string{"race", "msan", "asan", "linkshared", "trimpath", "modcacherw"}

// BuildFlags picks from a check's argv ("go test -race -tags=x ./...") the flags that decide what is built, in the form
// -name or -name=value.
func BuildFlags(argv []string) []string {
	var out []string
	for i := 0; i < len(argv); i++ {
		if argv[i] == "-args" || argv[i] == "--args" || argv[i] == "--" {
			break
		}
		name, value, has := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(argv[i], "-"), "-"), "=")
		switch {
		case !strings.HasPrefix(argv[i], "-"):
		case slices.Contains(alone, name) && has:
			out = append(out, "-"+name+"="+value)
		case slices.Contains(alone, name):
			out = append(out, "-"+name)
		case slices.Contains(withValue, name) && has:
			out = append(out, "-"+name+"="+value)
		case slices.Contains(withValue, name) && i+1 < len(argv):
			i++
			out = append(out, "-"+name+"="+argv[i])
		}
	}
	return out
}

// TestArgs picks from a check's argv what changes how tests run, in the form in which a test binary takes it.
func TestArgs(argv []string) []string {
	var out []string
	for i, a := range argv {
		switch name := strings.TrimLeft(a, "-"); {
		case a == "-args" || a == "--args":
			return append(out, argv[i+1:]...)
		case strings.HasPrefix(a, "-") && (name == "short" || strings.HasPrefix(name, "short=") || strings.HasPrefix(name, "cpu=") || strings.HasPrefix(name, "parallel=")):
			out = append(out, "-test."+name)
		}
	}
	return out
}

// testID finds where the test's name starts: the folder hardly ever holds a colon, a subtest's name may.
var testID = pattern.New(`:(Test|Fuzz|Example)`)

// SplitID takes a test's id (DIR:TestName/subtest) apart.
func SplitID(id string) (dir, test string, ok bool) {
	at := testID.FindStringIndex(id)
	if at == nil {
		return "", "", false
	}
	return path.Clean(id[:at[0]]), id[at[0]+1:], true
}

// id is the id of a test of this suite.
func (s *Suite) id(test string) string {
	return path.Clean(s.Dir) + ":" + test
}

// names are the names of those ids that belong to the suite.
func (s *Suite) names(ids []string) []string {
	var out []string
	for _, id := range ids {
		if dir, test, ok := SplitID(id); ok && dir == path.Clean(s.Dir) {
			out = append(out, test)
		}
	}
	return out
}

// exactly is the -run pattern that matches one test or subtest and nothing else.
func exactly(test string) string {
	parts := strings.Split(test, "/")
	for i, p := range parts {
		parts[i] = "^" + regexp.QuoteMeta(p) + "$"
	}
	return strings.Join(parts, "/")
}

// tops are the top-level tests that hold these tests, in order, once each.
func tops(tests []string) []string {
	var out []string
	for _, t := range tests {
		if t = top(t); !slices.Contains(out, t) {
			out = append(out, t)
		}
	}
	return out
}

// top is the top-level test that a test is, or is a part of.
func top(test string) string {
	test, _, _ = strings.Cut(test, "/")
	return test
}

// anyOf is the -run pattern that matches these top-level tests, subtests included.
func anyOf(tops []string) string {
	quoted := make([]string, len(tops))
	for i, t := range tops {
		quoted[i] = regexp.QuoteMeta(t)
	}
	return "^(" + strings.Join(quoted, "|") + ")$"
}

// failed describes a command that ran and did not do its work.
func failed(what string, r proc.Result) error {
	if r.Ended != proc.Exited {
		return fmt.Errorf("%s: %s", what, r.Ended)
	}
	return fmt.Errorf("%s: exit code %d: %s", what, r.Code, runner.LastWords(r.Stdout.String()+r.Stderr.String()))
}
