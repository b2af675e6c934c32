package hook

import (
	"path"
	"slices"
	"strings"
)

// suite says how a program is told which of the project's checks to run. An option's name ends in an equals sign if it has a value.
type suite struct {
	programs []string // that are the same, as facts call them
	single   bool     // options have one dash: -run X
	all      bool     // without operands it runs everything in its folder
	exact    bool     // an operand is one package, without those below it, unless it ends in /...
	script   bool     // it runs a script by its name, and hands on what follows to a test runner
	verbs    []string // first operands that name nothing
	parts    string   // what besides a slash stands behind the name of what holds others: a_test.py::TestA[1]
	ladder   []string // operands of which a later one includes those before it
	idle     []string // options with which nothing is checked
	picks    []string // options that name what alone is checked
	narrow   []string // options with which some is left out
	widen    []string // options with which more is taken in
	equal    []string // options with which it is another check
}

// suites are those that are known. Of any other program a run includes another one that has the same operands, or operands below its own.
var suites = []suite{
	{programs: []string{"pytest", "py.test"}, all: true, parts: ":[",
		idle:  []string{"--co", "--collect-only", "--collectonly", "--fixtures", "--fixtures-per-test", "--funcargs", "--markers", "--setup-plan", "--cache-show", "--help", "-h", "--version", "-V"},
		picks: []string{"-k="}, narrow: []string{"-m=", "--deselect=", "--ignore=", "--ignore-glob=", "--sw", "--stepwise"}},
	{programs: []string{"unittest"}, all: true, parts: ".", verbs: []string{"discover"}, idle: []string{"-h", "--help"}, picks: []string{"-k="}, narrow: []string{"-p=", "--pattern="}},
	{programs: []string{"go test"}, single: true, all: true, exact: true, idle: []string{"-list=", "-c", "-n"}, picks: []string{"-run=", "-test.run="}, narrow: []string{"-skip=", "-short", "-fuzz=", "-test.skip=", "-test.short"}, equal: []string{"-tags="}},
	{programs: []string{"go vet"}, single: true, all: true, exact: true, idle: []string{"-n"}, equal: []string{"-tags="}},
	{programs: []string{"go build"}, single: true, all: true, exact: true, idle: []string{"-n"}, equal: []string{"-tags="}},
	{programs: []string{"cargo test", "cargo t", "cargo nextest"}, all: true, parts: ":", verbs: []string{"run"}, idle: []string{"--no-run", "--list", "--help", "-h"},
		narrow: append([]string{"--skip=", "--exact", "--ignored", "-E=", "--filter-expr=", "--filterset=", "--partition="}, targets...), widen: []string{"--workspace", "--all", "--include-ignored"}, equal: features},
	{programs: []string{"cargo build", "cargo b"}, all: true, narrow: targets, widen: crates, equal: features},
	{programs: []string{"cargo check", "cargo c"}, all: true, narrow: targets, widen: crates, equal: features},
	{programs: []string{"cargo clippy"}, all: true, narrow: targets, widen: crates, equal: features},
	{programs: []string{"jest"}, all: true, parts: ".", idle: unlisted, picks: patterns, narrow: filters},
	{programs: []string{"vitest"}, all: true, parts: ".", verbs: []string{"run", "watch", "dev"}, idle: unlisted, picks: patterns, narrow: filters},
	{programs: []string{"mocha"}, all: true, parts: ".", idle: unlisted, picks: patterns, narrow: filters},
	{programs: []string{"ava"}, all: true, parts: ".", idle: unlisted, picks: []string{"-m=", "--match="}},
	{programs: []string{"playwright"}, all: true, parts: ".:", verbs: []string{"test"}, idle: unlisted, picks: patterns, narrow: filters},
	{programs: []string{"bun test"}, all: true, parts: ".", idle: unlisted, picks: patterns, narrow: filters},
	{programs: []string{"npm", "pnpm", "yarn", "bun run", "cnpm"}, script: true, all: true, parts: ".", idle: append([]string{"--dry-run"}, unlisted...), picks: patterns, narrow: append([]string{"-w=", "--workspace=", "--filter=", "-F="}, filters...), widen: []string{"-r", "--recursive", "-ws", "--workspaces"}},
	{programs: []string{"mvn", "mvnw", "mvnd"}, ladder: []string{"validate", "generate-sources", "compile", "test-compile", "test", "package", "integration-test", "verify", "install", "deploy"}, verbs: []string{"clean"},
		idle:  []string{"-DskipTests", "-DskipTests=true", "-Dmaven.test.skip", "-Dmaven.test.skip=true", "-Dmaven.test.failure.ignore", "-Dmaven.test.failure.ignore=true", "-fn", "--fail-never"},
		picks: []string{"-Dtest=", "-Dit.test="}, narrow: []string{"-Dgroups=", "-DexcludedGroups=", "-DskipITs", "-pl=", "--projects=", "-rf=", "--resume-from="}, equal: []string{"-P="}},
	{programs: []string{"gradle", "gradlew"}, ladder: []string{"compileJava", "compileKotlin", "classes", "testClasses", "test", "check", "build"}, verbs: []string{"clean", "cleanTest"}, idle: []string{"-m", "--dry-run"},
		picks: []string{"--tests="}, narrow: []string{"-x=", "--exclude-task="}},
	{programs: []string{"make", "gmake"}, idle: []string{"-n", "--dry-run", "--just-print", "-q", "--question", "-t", "--touch", "-i", "--ignore-errors"}},
	{programs: []string{"ruff check"}, all: true, idle: []string{"--exit-zero", "-e"}, narrow: rules},
	{programs: []string{"golangci-lint"}, all: true, exact: true, verbs: []string{"run"}, narrow: append([]string{"-n", "--new", "--new-from-rev=", "-E=", "-D=", "--enable-only=", "--disable-all"}, rules...)},
	{programs: []string{"mypy"}, all: true, parts: ".", narrow: []string{"-m=", "-p=", "--exclude=", "--ignore-missing-imports", "--allow-untyped-defs"}, widen: []string{"--strict"}},
	{programs: []string{"tsc"}, all: true, idle: []string{"--showConfig", "--listFilesOnly", "--init"}, equal: []string{"-p=", "--project="}},
}

// The options that several of them have.
var (
	targets  = []string{"-p=", "--package=", "--exclude=", "--lib", "--bin=", "--bins", "--test=", "--tests", "--example=", "--examples", "--bench=", "--benches", "--doc"}
	crates   = []string{"--workspace", "--all", "--all-targets"}
	features = []string{"--features=", "-F=", "--all-features", "--no-default-features", "--target=", "--release"}
	unlisted = []string{"--listTests", "--showConfig", "--list", "list", "--help"}
	patterns = []string{"-t=", "--testNamePattern=", "-g=", "--grep=", "-f=", "--fgrep=", "--test-name-pattern="}
	filters  = []string{"--testPathPattern=", "--testPathPatterns=", "--testPathIgnorePatterns=", "-o", "--onlyChanged", "--changedSince=", "--changed", "--selectProjects=", "--project=", "--shard=", "--exclude=", "-i", "--invert"}
	rules    = []string{"--select=", "--ignore=", "--exclude=", "--disable="}
)

// other is a program of which nothing is known.
var other = suite{idle: []string{"--help", "--version", "--dry-run", "--list", "--exit-zero"}}

// suiteOf is what is known of a program, by what facts call it. Of scripts the package manager counts, whatever its command.
func suiteOf(by string) *suite {
	manager, _, _ := strings.Cut(by, " ")
	for i := range suites {
		if k := &suites[i]; slices.Contains(k.programs, by) || k.script && slices.Contains(k.programs, manager) {
			return k
		}
	}
	return &other
}

// run is one run of a program that checks something: what it was told to check.
type run struct {
	By       string   `json:"by,omitempty"`
	Target   string   `json:"target,omitempty"` // where nothing else is known
	Dir      string   `json:"dir,omitempty"`
	Args     []string `json:"args,omitempty"`
	Operands []string `json:"operands,omitempty"`
}

// covers reports that a run has checked all that another one checks, in a project.
func (r run) covers(failed run, root string) bool {
	k := suiteOf(r.By)
	switch {
	case r.By == failed.By && r.Target == failed.Target && r.Dir == failed.Dir && slices.Equal(r.Args, failed.Args):
		return true
	case k != suiteOf(failed.By) || k == &other && r.By != failed.By || len(k.options(r.Args, k.idle)) > 0 || (r.Dir == "") != (failed.Dir == ""):
		return false
	case r.Dir == "": // a file by its path
		return r.Target == failed.Target
	case !k.picked(r, failed) || !within(k.options(r.Args, k.narrow), k.options(failed.Args, k.narrow)) || !within(k.options(failed.Args, k.widen), k.options(r.Args, k.widen)) ||
		!slices.Equal(k.options(r.Args, k.equal), k.options(failed.Args, k.equal)) || k.script && r.script() != failed.script():
		return false
	}
	has := k.scopes(r)
	for _, f := range k.scopes(failed) {
		if !slices.ContainsFunc(has, func(s scope) bool { return k.holds(s, f, root) }) {
			return false
		}
	}
	return len(has) > 0 || len(failed.Operands) == 0
}

// picked reports that a run has not left out by name what another one has checked.
func (k *suite) picked(r, failed run) bool {
	has, needs := alternatives(k.options(r.Args, k.picks)), alternatives(k.options(failed.Args, k.picks))
	if len(has) == 0 {
		return true
	}
	return len(needs) > 0 && !slices.ContainsFunc(needs, func(need string) bool {
		return !slices.ContainsFunc(has, func(h string) bool {
			return h == need || !strings.ContainsAny(h, "^$*+?()[]\\.") && strings.Contains(need, h)
		})
	})
}

// alternatives are what options pick, of which each may name several: -run 'TestA|TestB', -k 'a or b', -Dtest=A,B. What combines names otherwise is one whole.
func alternatives(options []string) (all []string) {
	for _, o := range options {
		_, value, _ := strings.Cut(o, "=")
		if strings.Contains(value, "not ") || strings.Contains(value, " and ") {
			all = append(all, value)
			continue
		}
		for one := range strings.FieldsFuncSeq(strings.ReplaceAll(value, " or ", "|"), func(r rune) bool { return r == '|' || r == ',' }) {
			all = append(all, strings.TrimSpace(one))
		}
	}
	return all
}

// within reports that each of some texts is one of others.
func within(some, others []string) bool {
	return !slices.ContainsFunc(some, func(s string) bool { return !slices.Contains(others, s) })
}

// options are those of some that stand among arguments, each with its value.
func (k *suite) options(args, names []string) (all []string) {
	for i, arg := range args {
		if k.single && strings.HasPrefix(arg, "--") {
			arg = arg[1:]
		}
		for _, n := range names {
			name, valued := strings.CutSuffix(n, "=")
			value, given := "", arg == name
			switch {
			case given || !valued:
			case strings.HasPrefix(arg, n):
				value, given = arg[len(n):], true
			case len(name) == 2 && !k.single:
				value, given = bundled(arg, name[1])
			}
			if given && valued && value == "" && i+1 < len(args) {
				value = args[i+1]
			}
			if given {
				all = append(all, name+"="+value)
			}
		}
	}
	return all
}

// bundled is the value of an option that stands with other letters in one word: -xk name, -qkname.
func bundled(arg string, letter byte) (value string, ok bool) {
	if len(arg) < 2 || arg[0] != '-' || arg[1] == '-' {
		return "", false
	}
	i := strings.IndexByte(arg, letter)
	return arg[i+1:], i > 0 && strings.IndexFunc(arg[1:i], notLetter) < 0
}

// script is the name of the script that a package manager runs.
func (r run) script() string {
	_, name, _ := strings.Cut(r.By, " ")
	switch name {
	case "run", "run-script":
		if len(r.Operands) > 0 {
			return r.Operands[0]
		}
	case "t", "tst":
		return "test"
	}
	return name
}

// names are the operands that say what is checked.
func (k *suite) names(r run) []string {
	names := r.Operands
	if k.script && (strings.HasSuffix(r.By, " run") || strings.HasSuffix(r.By, " run-script")) && len(names) > 0 {
		names = names[1:]
	}
	return slices.DeleteFunc(slices.Clone(names), func(n string) bool { return slices.Contains(k.verbs, n) || strings.HasPrefix(n, "-") })
}

// scope is what an operand names: a path, or another name; deep: with all below it.
type scope struct {
	name string
	deep bool
}

// scopes are what a run has checked.
func (k *suite) scopes(r run) (all []scope) {
	names := k.names(r)
	if len(names) == 0 && k.all {
		return []scope{{r.Dir, !k.exact}}
	}
	for _, n := range names {
		s := scope{n, !k.exact}
		if base, ok := strings.CutSuffix(n, "..."); ok && k.exact {
			s = scope{strings.TrimSuffix(base, "/"), true}
		}
		switch imported := k.exact && s.name != "" && s.name[0] != '.' && s.name[0] != '/'; {
		case k.ladder != nil, imported, strings.HasPrefix(s.name, "/"):
		default:
			s.name = path.Join(r.Dir, s.name)
		}
		all = append(all, s)
	}
	return all
}

// holds reports that what is named includes what else is.
func (k *suite) holds(s, f scope, root string) bool {
	if k.ladder != nil {
		return k.above(s.name, f.name)
	}
	rest, below := strings.CutPrefix(f.name, s.name)
	switch {
	case below && rest == "":
		return s.deep || !f.deep
	case !s.deep:
		return false
	case s.name == root && !strings.HasPrefix(f.name, "/"):
		return true // whatever it is in the project
	}
	return below && strings.ContainsRune("/"+k.parts, rune(rest[0]))
}

// above reports that a goal of a build includes another: it comes later, and is that of the same project, or of one around it.
func (k *suite) above(goal, other string) bool {
	project, task := cutLast(goal)
	of, step := cutLast(other)
	i, j := slices.Index(k.ladder, task), slices.Index(k.ladder, step)
	return (project == of || project == "" || strings.HasPrefix(of, project+":")) && (task == step || j >= 0 && i > j)
}

// cutLast is what stands before and behind the last colon.
func cutLast(text string) (before, behind string) {
	i := strings.LastIndexByte(text, ':')
	return text[:max(i, 0)], text[i+1:]
}
