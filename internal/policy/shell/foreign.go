package shell

import (
	slashpath "path"
	"strings"
)

// Which language a script is in, and what becomes of one whose language is not read here.

// foreignEndings are those of code in languages that are not read here, and foreignHarm are words of what deletes, or starts a program, in these.
const (
	foreignEndings = " .cs .fs .vb .swift .dart .clj .cljs .scala "
	foreignHarm    = "Directory.Delete File.Delete .delete deleteSync deleteRecursively removeItem Process. Process( sys.process shell/sh delete-file addSystemCommand"
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
func (f *Fact) unreadable() bool { return f.Kind == Code && f.By == "" && f.Zone.own() }

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
