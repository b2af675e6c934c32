package shell

import (
	slashpath "path"
	"strings"
)

// What becomes a program is judged where it is made: the name by which it runs later says nothing of it. It need not run here, and a program may do to its own folders
// and repositories what it likes, and read what it is made for: only what it would destroy or change outside of the project counts.

// compiles judges code of a file, or of those that a pattern may stand for, which is made into a program.
func (s *shell) compiles(name value) {
	at := s.locate(name, s.cwd)
	s.justWritten()
	s.outside(func() { s.test(at) })
	if at.several() {
		s.sources(everything, languageByEnding(at.path))
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

// outside interprets code of which only that counts what would be denied, and is done outside of the project: a single file of the system's may be what it is made for.
// What such code builds itself is not looked at.
func (s *shell) outside(interpret func()) {
	if s.testing {
		return
	}
	s.omitting(func(f Fact) bool {
		_, inside := within(s.at.Root, f.Target)
		return inside || f.Kind.history() || f.Kind == Read || f.Zone == System && !f.Is(Recursive)
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

// foreignEndings are those of code in languages that are not read here, and foreignHarm are words of what deletes, or starts a program, in these.
const (
	foreignEndings = " .cs .fs .vb .swift .dart .clj .cljs .scala "
	foreignHarm    = "Directory.Delete File.Delete .delete deleteSync deleteRecursively removeItem Process. Process( sys.process shell/sh delete-file"
)

// foreign asks about a program of the project in a language that is not read here, where code that only an agent has read seems to delete something, or to start a program.
func foreign(v *invocation, _ []value) (value, bool) {
	v.loaded(func(path string) string {
		if v.dry || isTest(path) || !oneWord(foreignEndings, slashpath.Ext(path)) {
			return ""
		}
		return "foreign"
	})
	return value{}, false
}

// understood reports a language whose code is read here.
func understood(language string) bool {
	return language == "sh" || language == "sed" || buildLanguage(language) != nil || languageNamed(language) != nil
}

// unreadable is that a file of the project runs whose language is not read here, and that only an agent has read. In a script of the agent's it counts, too.
func (f Fact) unreadable() bool { return f.Kind == Code && f.By == "" && f.Zone.own() }

// languageIn is the language of a file: one that is known, or the one that the file's first line names, or its ending.
func languageIn(language, text, path string) string {
	if language == "" {
		language = interpreterIn(text)
	}
	if own := languageByEnding(path); language == "other" && own != "" {
		return own
	}
	return language
}

// interpreterIn is the language of a script by its first line.
func interpreterIn(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	interpreter, ok := strings.CutPrefix(line, "#!")
	if !ok {
		return "sh"
	}
	words := strings.Fields(interpreter)
	if len(words) > 1 && strings.HasSuffix(words[0], "/env") {
		words = words[1:]
	}
	if len(words) == 0 {
		return "sh"
	}
	return languageOf(slashpath.Base(words[0]))
}
