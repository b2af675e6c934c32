package shell

import (
	slashpath "path"
	"slices"
	"strings"

	"fettle/internal/lang"
)

// verbs are the words with which a test runner is told how to run, and which name no test.
var verbs = []string{"run", "test", "watch", "dev", "bench", "related", "start", "e2e", "open", "discover"}

// runTests judges the tests that a runner is given, by their names, or by a part of these; those that it finds by itself, if it is given none.
func runTests(v *invocation, args []value) (value, bool) {
	if v.dry {
		return value{}, false
	}
	var parts []string
	for _, o := range v.operands {
		if slices.Contains(verbs, o.text) {
			continue
		}
		name, _, _ := strings.Cut(strings.TrimSuffix(o.text, "/..."), ":") // what follows is one test in the file, or a line
		at := v.locate(value{name, o.from}, v.cwd)
		parts = append(parts, at.path)
		if v.prog.operand(0) != Own { // else it was judged as such
			v.test(at)
		}
		for module := strings.ReplaceAll(name, ".", "/"); strings.HasSuffix(v.name, "unittest") && strings.Trim(module, "./") != ""; module = slashpath.Dir(module) {
			v.test(v.locate(value{module + ".py", o.from}, v.cwd))
		}
	}
	v.ownTests(parts)
	return foundRecipes(v, args)
}

// goTests judges the tests of the packages that go test is given, and for go generate what their files have it run.
func goTests(v *invocation, _ []value) (value, bool) {
	if v.dry {
		return value{}, false
	}
	switch v.name {
	case "go test", "go bench", "richgo test":
		v.ownFiles(v.packages(v.operands), func(rel string) bool { return strings.HasSuffix(rel, "_test.go") }, v.test)
	case "dlv", "air":
		v.sources(everything, "go")
	case "go build":
		v.sources(v.packages(v.operands), "go")
	case "go generate":
		v.ownFiles(v.packages(v.operands), func(rel string) bool { return strings.HasSuffix(rel, ".go") }, v.generates)
	}
	return value{}, false
}

// packages are the folders that Go's patterns name: ./..., ./a, a/b. A package by the path that others import it by lies in a folder that is called as its end is.
func (v *invocation) packages(patterns []value) func(path string) bool {
	here := v.locate(v.cwd, v.cwd).path
	return func(path string) bool {
		dir := slashpath.Dir(path)
		return len(patterns) == 0 && dir == here || slices.ContainsFunc(patterns, func(o value) bool {
			name, all := strings.CutSuffix(o.text, "...")
			name = strings.TrimSuffix(name, "/")
			switch {
			case o.holed() || all && name == "":
				return true
			case strings.HasPrefix(name, ".") || strings.HasPrefix(name, "/") || strings.HasSuffix(name, ".go"):
				at := v.locate(value{name, o.from}, v.cwd).path
				_, below := within(at, path)
				return dir == at || path == at || all && below
			case all:
				return true
			}
			return slashpath.Base(name) == slashpath.Base(dir)
		})
	}
}

// generates judges the commands that the lines of a Go file have go generate run.
func (s *shell) generates(at located) {
	text, ok := s.at.Script(at.path)
	if !ok {
		return
	}
	for line := range strings.Lines(text) {
		if command, ok := strings.CutPrefix(line, "//go:generate "); ok {
			s.strictly(func() { s.starts(known(strings.TrimSpace(command))) })
		}
	}
}

// cargo judges what cargo runs besides what it is asked for: the program that prepares a build, and for tests those that stand in any file.
func cargo(v *invocation, _ []value) (value, bool) {
	if v.dry {
		return value{}, false
	}
	name := v.name[strings.LastIndexByte(v.name, ' ')+1:]
	tests := oneWord(" test t bench nextest tarpaulin llvm-cov mutants miri careful run r ", name)
	builds := tests || oneWord(" build b check c clippy doc d rustc fix watch ", name)
	v.ownFiles(everything, func(rel string) bool {
		return tests && strings.HasSuffix(rel, ".rs") || builds && slashpath.Base(rel) == "build.rs"
	}, v.test)
	if name[0] == 'b' { // build, and bench
		v.sources(everything, "rust")
	}
	return value{}, false
}

// mostUnread is how much of the tests that an agent has written is read where a runner finds them by itself; what is beyond it is the project's code.
const mostUnread = 96 << 10

// ownTests judges the tests that only an agent has read and whose paths are, or have in them, one of the parts; without parts those below the folder where
// the command runs.
func (s *shell) ownTests(parts []string) {
	here := s.locate(s.cwd, s.cwd).path
	if parts == nil {
		parts = []string{here}
	}
	s.ownFiles(func(path string) bool {
		rel, _ := within(s.at.Root, path)
		return slices.ContainsFunc(parts, func(part string) bool {
			_, below := within(part, path)
			word, relative := within(here, part)       // a runner of JavaScript's takes any part of a path
			if slashpath.Base(path) == "conftest.py" { // pytest loads those above a test, too
				_, above := within(slashpath.Dir(path), part)
				below = below || above
			}
			return below || relative && !slices.Contains(parts, path) && strings.Contains(rel, word)
		})
	}, isTest, s.test)
}

// ownFiles judges files of the project that only an agent has read: those that are asked for, and that a program loads, by their paths in the project.
func (s *shell) ownFiles(asked, loads func(path string) bool, judge func(located)) {
	if s.at.Written == nil || s.at.Script == nil {
		return
	}
	left, here := mostUnread, s.locate(s.cwd, s.cwd).path
	for _, path := range s.at.Written() {
		rel, inside := within(s.at.Root, path)
		if !inside { // below /tmp, where the command may run
			rel, inside = within(here, path)
		}
		if codeOf(path) == "" || !inside || !loads(rel) || !asked(path) {
			continue
		}
		text, ok := s.at.Script(path)
		if left -= len(text) + 1<<10; left < 0 { // to open one costs, too
			return
		}
		if ok {
			judge(located{path: path, zone: Tests})
		}
	}
}

// moving are words of tests that work in another folder than the project's.
var moving = []string{"chdir", "Chdir", "cwd", ".Dir", `-C"`, "-C'", "current_dir", "isolated_filesystem", ".directory("}

// test judges a file of tests, or of other code that a program loads; one without an ending is in the language that its first line names.
func (s *shell) test(at located) {
	language := codeOf(at.path)
	if language == "" && slashpath.Ext(at.path) != "" {
		return
	}
	texts, _ := s.holds(at)
	if s.at.Script != nil && (at.zone.own() || at.zone == Scratch) {
		if text, ok := s.at.Script(at.path); ok {
			texts = append(slices.Clip(texts), known(text[:min(len(text), maxText)]))
		}
	}
	s.once(at.path, language+" test", nil, func() { s.knowing(language, texts) })
}

// knowing judges code: what would be denied in it, and what it would send to a machine that it names. Tests delete folders that they have made for themselves, and fill
// repositories of their own: only what is known by its name counts.
func (s *shell) knowing(language string, texts []value) {
	elsewhere := slices.ContainsFunc(texts, func(text value) bool {
		return slices.ContainsFunc(moving, func(word string) bool { return strings.Contains(text.text, word) })
	})
	s.omitting(func(f *Fact) bool {
		if f.Is(Guessed) {
			return false
		}
		if f.Zone == Anywhere || f.Is(Vague) {
			return true
		}
		if _, inside := within(s.at.Root, f.Target); elsewhere && (inside || f.Kind.history()) {
			return true
		}
		return !sendsAway(f) && s.overlooks(f)
	}, func() {
		for _, text := range texts {
			sub := s.fork()
			sub.testing = true
			sub.codeIn(language, text, nil)
		}
	})
	if s.steps >= maxSteps { // nothing that follows is read any more
		s.opaque(tooMuch)
	}
}

// history reports kinds of what is done to a repository, which names no path.
func (k Kind) history() bool {
	return slices.Contains([]Kind{Discard, Rewrite, Record, Publish, Force, Unhooked, Config}, k)
}

// reserved are the ends of names that are nobody's machine: documents and tests have them.
var reserved = []string{"example.com", "example.org", "example.net", ".example", ".test", ".invalid", ".local", ".localhost"}

// sendsAway reports something that is sent to a machine which is known by its name.
func sendsAway(f *Fact) bool {
	if f.Kind != Send || f.Is(Local) {
		return false
	}
	host := f.Target
	if _, rest, ok := strings.Cut(host, "://"); ok {
		host = rest
	}
	host = host[:strings.IndexAny(host+"/", "/?#:")]
	return strings.Contains(host, ".") && !slices.ContainsFunc(reserved, func(end string) bool { return strings.HasSuffix(host, end) })
}

// isTest reports a file that a test runner loads by itself.
func isTest(rel string) bool {
	return lang.IsTest(rel) || testFolder(rel) || slashpath.Base(rel) == "conftest.py" || strings.HasSuffix(rel, ".t")
}

// codeOf is the language of a file of code that an interpreter or a runner of tests loads; empty if it is none that is read here.
func codeOf(path string) string {
	if ext := slashpath.Ext(path); ext == ".sh" || ext == ".bats" {
		return "sh"
	}
	return languageByEnding(path)
}
