package check

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"fettle/internal/glob"
	"fettle/internal/pattern"
)

// The options of the test runners that stand before files, as far as they are used.
var (
	jestOptions = options{
		value: []string{"-c", "--config", "--testTimeout", "-w", "--maxWorkers", "--env", "--testEnvironment", "--rootDir", "--coverageDirectory", "--collectCoverageFrom",
			"--maxConcurrency", "--seed", "--cacheDirectory", "--testRunner", "--transform", "--coverageProvider"},
		flag: []string{"--json", "--testLocationInResults", "--runInBand", "-i", "--coverage", "--ci", "--silent", "--verbose", "--forceExit", "--detectOpenHandles",
			"--passWithNoTests", "--no-cache", "--noStackTrace", "--bail", "-b", "--logHeapUsage", "--expand", "-e", "--colors", "--color", "--no-color", "--errorOnDeprecated",
			"--no-coverage", "--workerThreads", "--useStderr", "--clearMocks", "--resetMocks", "--restoreMocks", "--randomize", "--no-watchman"},
		stop: []string{"-t", "--testNamePattern", "--testPathPattern", "--testPathPatterns", "--runTestsByPath", "--findRelatedTests", "-o", "--onlyChanged",
			"--changedSince", "--lastCommit", "-f", "--onlyFailures", "--shard", "--listTests"},
	}
	vitestOptions = options{
		value: []string{"-c", "--config", "-r", "--root", "--dir", "--environment", "--pool", "--project", "--reporter", "--testTimeout", "--hookTimeout", "--mode",
			"--outputFile", "--workspace", "--retry", "--maxWorkers", "--minWorkers"},
		flag: []string{"--coverage", "--globals", "--silent", "--passWithNoTests", "--no-color", "--allowOnly", "--no-isolate", "--no-file-parallelism", "--logHeapUsage",
			"--typecheck", "--run", "--dom", "--no-threads", "--disable-console-intercept"},
		stop: []string{"-t", "--testNamePattern", "--changed", "--shard", "--mergeReports"},
	}
	mochaOptions = options{
		value: []string{"--config", "-r", "--require", "--import", "--reporter", "-R", "--reporter-option", "-O", "--reporter-options", "-t", "--timeout", "-s", "--slow", "-u", "--ui",
			"--extension", "--file", "--ignore", "--exclude", "--spec", "--retries", "-j", "--jobs", "--loader", "-n", "--node-option", "--package", "-C"},
		flag: []string{"--recursive", "--exit", "--bail", "-b", "--check-leaks", "--colors", "--color", "--no-color", "--no-timeouts", "--parallel", "-p", "--full-trace",
			"--forbid-only", "--forbid-pending", "--sort", "-S", "--inline-diffs", "--no-diff", "--async-only", "-A", "--fail-zero", "--delay", "--enable-source-maps"},
		stop: []string{"-g", "--grep", "-f", "--fgrep", "-i", "--invert", "--dry-run"},
	}
	nodeOptions = options{
		value: []string{"--import", "-r", "--require", "--loader", "--experimental-loader", "--env-file", "--test-concurrency", "--test-timeout", "-C", "--conditions",
			"--tsconfig"},
		flag: []string{"--test", "--experimental-vm-modules", "--experimental-strip-types", "--experimental-transform-types", "--experimental-test-coverage",
			"--experimental-test-module-mocks", "--experimental-test-snapshots", "--enable-source-maps", "--no-warnings", "--test-force-exit", "--trace-warnings",
			"--trace-uncaught", "--expose-gc", "--no-deprecation", "--throw-deprecation", "--experimental-specifier-resolution"},
		stop: []string{"--test-name-pattern", "--test-skip-pattern", "--test-only", "--test-shard"},
	}
	tapeOptions = options{value: []string{"-r", "--require", "--import", "-i", "--ignore", "--ignore-pattern"}, flag: []string{"--no-only", "--strict"}}
)

// nodeSelection is what of a project's tests is to run.
type nodeSelection struct {
	files   []string // from the check's folder; a folder stands for all in it
	names   []string // of tests, as regular expressions without anchors
	outer   []string // the outermost part of these names
	folders bool
	whole   bool // a file is wanted whole, so that names would lose tests
	nowhere bool // a test's file is not known
}

// narrowNode selects files, and tests in them by their full names.
func (c Check) narrowNode(targets []Target) ([]string, bool) {
	program, words, shell := c.nodeWords()
	if program == nil {
		return nil, false
	}
	o := map[string]options{"jest": jestOptions, "vitest": vitestOptions, "mocha": mochaOptions, "tap": nodeOptions, "tape": tapeOptions}[c.Parser]
	l, ok := o.take(words, "")
	if !ok {
		return nil, false
	}
	var s nodeSelection
	for _, t := range targets {
		if !s.add(c, t, l.pos) {
			return nil, false
		}
	}
	s.files, s.names, s.outer = unique(s.files), unique(s.names), unique(s.outer)
	if s.whole || !fits(s.names) || c.Parser == "tape" && len(s.files) > 0 { // tape chooses by files alone
		s.names, s.outer = nil, nil
	}
	if s.nowhere {
		s.files = nil
	}
	if !fits(s.files) || len(s.files) == 0 && (len(s.names) == 0 || c.Parser == "tape") {
		return nil, false
	}
	run := s.join(c.Parser, program, l)
	if !shell {
		return run, true
	}
	line, ok := quoteCommand(run)
	return []string{"sh", "-c", "exec " + line}, ok
}

// nodeWords are the words of the command up to its runner, and those behind it. A command that is given to a shell for its globs
// is read as well. A package manager's script is none: what it runs is not known here.
func (c Check) nodeWords() (program, words []string, shell bool) {
	run := c.Run
	if len(run) == 3 && run[0] == "sh" && run[1] == "-c" {
		line, ok := strings.CutPrefix(run[2], "exec ")
		split, err := Split(line)
		if !ok || err != nil {
			return nil, nil, false
		}
		run, shell = split, true
	}
	runners := map[string][]string{"jest": {"jest", "react-scripts", "craco"}, "vitest": {"vitest"}, "mocha": {"mocha"}, "tap": {"node", "tsx"}, "tape": {"tape"}}[c.Parser]
	for i, w := range run {
		if (w == "run" || w == "run-script") && slices.Contains([]string{"npm", "bun"}, run[0]) || w == "--silent" {
			return nil, nil, false
		}
		if !slices.Contains(runners, path.Base(w)) {
			continue
		}
		n := i + 1
		if n < len(run) && (c.Parser == "vitest" && run[n] == "run" || c.Parser == "jest" && path.Base(w) != "jest" && run[n] == "test") {
			n++
		}
		if c.Parser == "tap" && !slices.Contains(run[n:], "--test") {
			return nil, nil, false
		}
		return slices.Clone(run[:n]), run[n:], shell
	}
	return nil, nil, false
}

func (s *nodeSelection) add(c Check, t Target, had []string) bool {
	if len(t.IDs) == 0 {
		s.whole, s.folders = true, s.folders || !sourceFile.MatchString(t.Path)
		return s.file(c, t.Path, had)
	}
	for _, id := range t.IDs {
		file, name, ok := strings.Cut(id, "::")
		switch {
		case ok:
		case c.Parser == "tap" && sourceFile.MatchString(id) && strings.Contains(id, "/"): // a file that is a test by itself
			file, name = id, ""
		case sourceFile.MatchString(t.Path):
			file, name = t.Path, id
		default:
			file, name = "", id
		}
		if file == "" {
			s.nowhere = true
		} else if !s.file(c, file, had) {
			return false
		}
		if name == "" {
			s.whole = true
			continue
		}
		s.names = append(s.names, nodeName(name))
		outer, _, _ := strings.Cut(name, " > ")
		s.outer = append(s.outer, regexp.QuoteMeta(outer)+"(?: > .*)?")
	}
	return true
}

// sourceFile is the name of a file of JavaScript or TypeScript.
var sourceFile = pattern.New(`\.(?:[mc]?[jt]s|[jt]sx)$`)

// file adds a file, if the check runs it.
func (s *nodeSelection) file(c Check, file string, had []string) bool {
	p, ok := c.fromDir(file)
	if !ok || p == "" || strings.HasPrefix(p, "-") {
		return false
	}
	s.files = append(s.files, p)
	return len(had) == 0 || slices.ContainsFunc(had, func(h string) bool {
		h = strings.TrimPrefix(h, "./")
		return within([]string{h}, p) || glob.Match(h, p) || glob.Match(path.Join(h, "**"), p)
	})
}

// nodeName is the pattern of a test's full name. The runners join the names of what it stands in by blanks, where its id has " > ",
// and a name can hold either. A name that ends in " > " stands for all that is inside; so does the name of a hook for its group.
func nodeName(name string) string {
	group := strings.HasSuffix(name, " > ")
	name = strings.TrimSuffix(name, " > ")
	if around, last, ok := cutLast(name, " > "); ok && (strings.HasPrefix(last, `"before `) || strings.HasPrefix(last, `"after `)) {
		name, group = around, true
	}
	pattern := strings.ReplaceAll(regexp.QuoteMeta(name), " > ", "(?: >)? ")
	if group {
		pattern += " .*"
	}
	return pattern
}

func cutLast(s, sep string) (before, after string, found bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}

// join puts the command together as its runner wants it. Coverage of a part says nothing, and must not fail for its thresholds.
func (s *nodeSelection) join(parser string, program []string, l line) []string {
	pattern := "^(?:" + strings.Join(s.names, "|") + ")$"
	if len(s.names) == 1 {
		pattern = "^" + s.names[0] + "$"
	}
	files := s.files
	if len(files) == 0 {
		files = l.pos
	}
	var options []string
	named := len(s.names) > 0
	switch parser {
	case "jest":
		l.head, l.mid = append(slices.DeleteFunc(slices.Concat(l.head, l.mid), isCoverage), "--coverage=false"), nil
		if named {
			options = []string{"-t", pattern}
		}
		switch {
		case len(s.files) > 0 && !s.folders:
			options = append(options, "--runTestsByPath")
		case s.folders:
			files = regexpPaths(files)
		}
	case "vitest":
		l.head, l.mid = append(slices.DeleteFunc(slices.Concat(l.head, l.mid), isCoverage), "--coverage.enabled=false"), nil
		if named {
			options = []string{"-t", pattern}
		}
	case "mocha":
		if named {
			options = []string{"--grep", pattern}
		}
	case "tap":
		l.head = slices.Concat(l.head, l.mid)
		l.mid = nil
		for _, name := range s.outer {
			options = append(options, "--test-name-pattern=^"+name+"$")
		}
	}
	return l.join(program, slices.Concat(options, files))
}

func isCoverage(word string) bool {
	name, _, _ := strings.Cut(word, "=")
	return name == "--coverage" || name == "--no-coverage"
}

// regexpPaths are paths as jest reads them: expressions that are looked for in whole paths.
func regexpPaths(paths []string) []string {
	out := make([]string, len(paths))
	for i, p := range paths {
		out[i] = "/" + regexp.QuoteMeta(p)
		switch {
		case p == ".":
			out[i] = ""
		case sourceFile.MatchString(p):
			out[i] += "$"
		default:
			out[i] += "/"
		}
	}
	return slices.DeleteFunc(out, func(p string) bool { return p == "" })
}
