package shell

import "strings"

// What becomes a program is judged where it is made: the name by which it runs later says nothing of it. It need not run here, and a program may do to its own folders
// and repositories what it likes, and read what it is made for: only what it would destroy or change outside of the project counts.

// compiles judges code of a file, or of those that a pattern may stand for, which is made into a program.
func (s *shell) compiles(name value) {
	at := s.locate(name, s.cwd)
	s.justWritten()
	s.outside(func() { s.test(at) })
	s.compilesOne(at)
	if at.several() {
		s.sources(everything, languageByEnding(at.path))
	}
}

// compilesOne judges a file that is no test, and that is named or runs at once, for what is lost by it, or may be.
func (s *shell) compilesOne(at located) {
	if !isTest(at.path) {
		s.omitting(func(f *Fact) bool { return !f.loses() && f.Kind != Discard && f.Kind != Force }, func() { s.unread(at, languageByEnding(at.path), nil) })
	}
}

// compiledLanguages are those of which build programs make programs.
const compiledLanguages = "c go rust java"

// sources judges code of the project in some languages, of which a program is made, where only an agent has read it. Tests are no part of one.
func (s *shell) sources(asked func(path string) bool, languages string) {
	s.outside(func() {
		s.ownFiles(asked, func(rel string) bool { return oneWord(" "+languages+" ", languageByEnding(rel)) && !isTest(rel) }, s.test)
	})
}

// outside interprets code of which only that counts what would be denied, and is done outside of the project: a single file of the system's may be what it is made for,
// and what lies hidden in a home and is neither a secret nor a setting of a shell's is what programs keep there (~/.config/app, ~/.cache/app). What such code builds itself is not looked at.
func (s *shell) outside(interpret func()) {
	if s.testing {
		return
	}
	s.omitting(func(f *Fact) bool {
		_, inside := within(s.at.Root, f.Target)
		below, _ := within(s.at.Home, f.Target)
		return inside || f.Zone == Home && f.destroys() && strings.HasPrefix(below, ".") || f.Kind.history() || f.Kind == Read || f.Zone == System && !f.Is(Recursive)
	}, func() { s.strictly(interpret) })
}

// everything is what a program is made of that may be made of any file.
func everything(string) bool { return true }

// tsc makes JavaScript of the files that it is given, or of the project's.
func tsc(v *invocation, _ []value) (value, bool) {
	if len(v.operands) == 0 && !v.has("checks") {
		v.sources(everything, "javascript")
	}
	return value{}, false
}
