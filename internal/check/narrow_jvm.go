package check

import (
	"maps"
	"path"
	"slices"
	"strings"

	"fettle/internal/pattern"
)

// javaName is a method's name; what a report adds to it, such as "(int)[1]", is not part of it.
var javaName = pattern.New(`^[\p{L}_$][\p{L}\p{N}_$]*`)

// javaSelection is what of a build's tests is to run.
type javaSelection struct {
	modules []string            // folders from the check's; those of the targets that name a place
	methods map[string][]string // by class; nil: the whole class
	placed  bool                // every target names a place
	whole   bool                // a module is wanted whole
}

// selectJava reads the targets: tests by their ids, classes by the ids or paths of their files, modules by their folders.
func (c Check) selectJava(targets []Target) (*javaSelection, bool) {
	s := &javaSelection{methods: map[string][]string{}, placed: true}
	for _, t := range targets {
		rel, ok := c.fromDir(t.Path)
		if t.Path != "" && (!ok || rel == "") {
			return nil, false
		}
		switch {
		case t.Path == "":
			s.placed = false
		case path.Ext(rel) == "":
			s.modules = append(s.modules, rel)
			s.whole = true
		default:
			s.modules = append(s.modules, javaModuleOf(rel))
		}
		if t.Path != "" && path.Ext(rel) != "" && len(t.IDs) == 0 {
			return nil, false // a file whose class is not known
		}
		for _, id := range t.IDs {
			s.add(id)
		}
	}
	s.modules = unique(s.modules)
	return s, true
}

// javaModuleOf is the folder of the module in which a source stands.
func javaModuleOf(file string) string {
	if i := strings.LastIndex("/"+file, "/src/"); i >= 0 {
		return path.Join(".", file[:i])
	}
	return "."
}

// add selects a test. One whose method cannot be told from its name selects its class.
func (s *javaSelection) add(id string) {
	class, name, _ := strings.Cut(id, "#")
	had, seen := s.methods[class]
	method := javaName.FindString(name)
	switch {
	case method == "" || strings.HasPrefix(name[len(method):], " ") || seen && had == nil:
		s.methods[class] = nil
		return
	case len(method) < len(name):
		method += "*" // a test that runs with several arguments: all of them
	}
	s.methods[class] = append(had, method)
}

// patterns are the selected classes and methods, each written by method, and a class that is wanted whole with those inside it.
func (s *javaSelection) patterns(method func(class string, methods []string) []string) []string {
	var out []string
	for _, class := range slices.Sorted(maps.Keys(s.methods)) {
		if methods := s.methods[class]; methods != nil {
			out = append(out, method(class, unique(methods))...)
			continue
		}
		out = append(out, class, class+"$*")
	}
	return out
}

// narrowMaven selects tests by -Dtest, and modules where all of them are known, with those that they need.
func (c Check) narrowMaven(targets []Target) ([]string, bool) {
	if len(c.Run) < 2 || !slices.Contains([]string{"mvn", "mvnw", "mvnw.cmd"}, path.Base(c.Run[0])) ||
		!slices.ContainsFunc(c.Run, func(w string) bool { return slices.Contains([]string{"test", "verify", "package", "install"}, w) }) ||
		slices.ContainsFunc(c.Run, selectsJava) {
		return nil, false
	}
	s, ok := c.selectJava(targets)
	if !ok {
		return nil, false
	}
	run := slices.Clone(c.Run[:1])
	if s.placed && !slices.Contains(s.modules, ".") {
		run = append(run, "-pl", strings.Join(s.modules, ","), "-am")
	}
	if !s.whole {
		patterns := s.patterns(func(class string, methods []string) []string {
			return []string{class + "#" + strings.Join(methods, "+")}
		})
		if !fits(patterns) {
			return nil, false
		}
		// The modules without any of them are fine; Surefire 2 and 3 have each their own word for that.
		run = append(run, "-Dtest="+strings.Join(patterns, ","), "-Dsurefire.failIfNoSpecifiedTests=false", "-DfailIfNoTests=false")
	}
	return append(run, c.Run[1:]...), true
}

// selectsJava reports whether a word of a command selects tests or modules already.
func selectsJava(w string) bool {
	return strings.HasPrefix(w, "-Dtest=") || strings.HasPrefix(w, "-Dit.test=") || w == "-pl" || strings.HasPrefix(w, "--projects") || w == "--tests" ||
		w == "-rf" || w == "-Dtest" || w == "-D"
}

// gradleTestTask is the task of a project that runs its tests.
var gradleTestTask = pattern.New(`^((?::[\w.-]+)*):?test$`)

// narrowGradle selects tests by --tests. A project without any of them would fail, so that of several the one has to be known.
func (c Check) narrowGradle(targets []Target) ([]string, bool) {
	if len(c.Run) < 2 || !slices.Contains([]string{"gradle", "gradlew", "gradlew.bat"}, path.Base(c.Run[0])) || slices.ContainsFunc(c.Run, selectsJava) {
		return nil, false
	}
	s, ok := c.selectJava(targets)
	if !ok {
		return nil, false
	}
	tasks := 0
	for _, w := range c.Run[1:] {
		if gradleTestTask.MatchString(w) {
			tasks++
		}
	}
	project := ""
	if s.placed && len(s.modules) == 1 {
		project = strings.ReplaceAll("/"+strings.TrimPrefix(s.modules[0], "."), "/", ":")
		project = strings.TrimSuffix(project, ":")
	}
	if tasks != 1 && (!s.placed || len(s.modules) != 1 || tasks == 0) {
		return nil, false
	}
	patterns := s.patterns(func(class string, methods []string) []string {
		for i := range methods {
			methods[i] = class + "." + methods[i]
		}
		return methods
	})
	if s.whole {
		patterns = nil
	}
	if !fits(patterns) {
		return nil, false
	}
	return gradleOnly(c.Run, project, tasks > 1, patterns)
}

// gradleOnly is the command with one project's tasks, if it is one of several, and with the patterns behind its task.
func gradleOnly(run []string, project string, one bool, patterns []string) ([]string, bool) {
	var out []string
	found := false
	for i, w := range run {
		if i > 0 && one && strings.HasPrefix(w, ":") && w[:strings.LastIndexByte(w, ':')] != project {
			continue
		}
		out = append(out, w)
		if i == 0 || !gradleTestTask.MatchString(w) {
			continue
		}
		found = true
		for _, p := range patterns {
			out = append(out, "--tests", p)
		}
	}
	return out, found
}
