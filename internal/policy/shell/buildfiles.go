package shell

import (
	slashpath "path"
	"slices"
	"strings"
)

// Build programs find their files by themselves, and what these say is run by whoever builds. Those that this command has written, and those that only an agent has
// read, are judged by what they have run; how their parts hang together is not followed: a file that is loaded by another, a rule that nothing uses, and both
// branches of a condition count as well.

// buildFiles says which files of a project a build program loads, and in which language each is.
func buildFiles(program string) func(base string) (language string) {
	switch program {
	case "make", "gmake", "bmake":
		return func(base string) string {
			if ext := slashpath.Ext(base); ext == ".mk" || ext == ".mak" {
				return "make"
			}
			return ""
		}
	case "ninja", "samu", "cmake", "ctest", "meson":
		return func(base string) string {
			switch ext := slashpath.Ext(base); {
			case ext == ".ninja":
				return "ninja"
			case base == "CMakeLists.txt", ext == ".cmake":
				return "cmake"
			case base == "meson.build":
				return "meson"
			}
			return ""
		}
	case "bazel", "bazelisk":
		return func(base string) string {
			stem := strings.TrimSuffix(base, ".bazel")
			if slashpath.Ext(base) == ".bzl" || stem == "BUILD" || stem == "WORKSPACE" || base == "MODULE.bazel" {
				return "bazel"
			}
			return ""
		}
	}
	return nil
}

// builds judges the files that a build program loads.
func builds(v *invocation, _ []value) (value, bool) {
	program, _, _ := strings.Cut(v.name, " ")
	if languageOf := buildFiles(program); languageOf != nil && !v.dry {
		v.loaded(func(path string) string { return languageOf(slashpath.Base(path)) })
		v.sources(everything, compiledLanguages)
	}
	return value{}, false
}

// loaded judges files of the project that a program loads, by their paths: those that the command has written, and those that only an agent has read.
func (s *shell) loaded(languageOf func(path string) string) {
	for _, path := range s.writtenWhere(func(path string) bool { return languageOf(path) != "" && s.zoneOf(path).own() }) {
		for _, text := range s.written[path] {
			s.code(languageOf(path), text, nil)
		}
	}
	if s.at.Written == nil || s.at.Script == nil {
		return
	}
	here := s.locate(s.cwd, s.cwd).path
	for _, path := range s.at.Written() {
		_, inside := within(s.at.Root, path)
		_, below := within(here, path) // below /tmp, where the command may run
		if language := languageOf(path); language != "" && (inside || below) {
			s.unread(located{path: path, zone: Project}, language, nil)
		}
	}
}

// cmake does by its option -E what programs of the shell do, or loads the project's files.
func cmake(v *invocation, args []value) (value, bool) {
	for i, a := range args {
		if name, text, ok := strings.Cut(a.text, "="); ok && strings.HasPrefix(name, "-D") && speaks(name, "_COMPILER _LAUNCHER TOOLCHAIN_FILE _INCLUDE MAKE_PROGRAM RULE_LAUNCH") {
			file, _, several := strings.Cut(text, ";")
			if at := v.locate(value{file, a.from}, v.cwd); at.zone == Scratch {
				v.owns(value{file, a.from})
			} else if several {
				v.starts(value{strings.ReplaceAll(text, ";", " "), a.from})
			}
		}
		if a.text != "-E" || i+1 == len(args) {
			continue
		}
		_, like, ok := strings.Cut(cmakeTools, "\n"+args[i+1].text+": ")
		if !ok {
			v.note(Unknown, "cmake -E "+args[i+1].show(), v.name)
			continue
		}
		var argv []value
		for word := range strings.SplitSeq(like[:strings.IndexByte(like, '\n')], " ") {
			argv = append(argv, known(word))
		}
		return v.run(append(argv, args[i+2:]...)), true
	}
	return builds(v, args)
}

// cmakeTools are the commands of cmake -E, by what does the same.
const cmakeTools = `
capabilities: true
cat: cat
chdir: env -C
compare_files: cmp
copy: cp
copy_directory: cp -r
copy_directory_if_different: cp -r
copy_if_different: cp
create_hardlink: ln
create_symlink: ln -s
echo: echo
echo_append: echo
env: env
false: false
make_directory: mkdir -p
md5sum: md5sum
remove: rm -f
remove_directory: rm -rf
rename: mv
rm: rm
sha1sum: sha1sum
sha256sum: sha256sum
sleep: sleep
tar: tar
time: time
touch: touch
touch_nocreate: touch
true: true
`

// buildLanguage is how files of a build program are judged.
func buildLanguage(language string) func(s *shell, src string) {
	switch language {
	case "make":
		return (*shell).makefile
	case "ninja":
		return (*shell).ninjafile
	case "cmake":
		return (*shell).cmakefile
	case "bazel":
		return func(s *shell, src string) { s.calls(src, bazelRuns) }
	case "meson":
		return func(s *shell, src string) { s.calls(src, mesonRuns) }
	case "just":
		return (*shell).justfile
	case "task":
		return (*shell).taskfile
	case "settings":
		return (*shell).settings
	}
	return nil
}

// mostValues is how many values of a text that holds variables are looked at, mostNested how deep variables lie within variables, and mostMade how long a text may
// become by them: what is longer may be anything.
const mostValues, mostNested, mostMade = 8, 8, 16 << 10

// madeStep is how many bytes of texts may be made for a step.
const madeStep = 512

// spread are texts that go on with one of several others. Making them costs something, too: a few lines of variables in variables would else keep us for
// seconds.
func (s *shell) spread(texts, more []string) (out []string) {
	made := 0
	for _, a := range texts {
		for _, b := range more {
			if made += len(a) + len(b); len(a)+len(b) > mostMade || !s.spend(made/madeStep) {
				a, b = "", string(hole)
			}
			made %= madeStep
			if out = append(out, a+b); len(out) == mostValues {
				return out
			}
		}
	}
	return out
}

// assigned is what a build file's variables are set to anywhere in it.
type assigned map[string][]string

// set adds a value; one that is added to what is there makes every value longer.
func (m assigned) set(name, text string, longer bool) {
	if !longer || m[name] == nil {
		m[name] = append(m[name], text)
		return
	}
	for i := range m[name] {
		m[name][i] += " " + text
	}
}

// starting runs each of the texts in a shell of its own. What is not known in one may be anything.
func (s *shell) starting(texts []string) {
	for _, text := range texts {
		s.starts(known(strings.ReplaceAll(text, string(hole), "${filled_in}")))
	}
}

// makefile runs the recipes of a makefile, and what it asks a shell for.
func (s *shell) makefile(src string) {
	src = strings.ReplaceAll(strings.ReplaceAll(src, "\\\n\t", " "), "\\\n", " ")
	m := assigned{"RM": {"rm -f"}, "MAKE": {"make"}, "CURDIR": {"."}}
	var recipes, asked []string
	lines := strings.Split(src, "\n")
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		if recipe, ok := strings.CutPrefix(line, "\t"); ok {
			recipes = append(recipes, recipe)
			continue
		}
		line = strings.TrimSpace(line)
		if name, ok := strings.CutPrefix(line, "define "); ok {
			var body []string
			for i++; i < len(lines) && strings.TrimSpace(lines[i]) != "endef"; i++ {
				body = append(body, lines[i])
			}
			m.set(strings.TrimRight(name, " :?+="), strings.Join(body, "\n"), false)
			continue
		}
		if name, op, text, ok := assignment(line); ok {
			if op == "!=" {
				asked = append(asked, text)
			} else {
				m.set(name, text, op == "+=")
			}
		} else if _, recipe, inline := strings.Cut(line, ";"); inline && strings.Contains(line, ":") {
			recipes = append(recipes, recipe)
		}
	}
	for rest := src; ; {
		_, after, more := strings.Cut(rest, "$(shell ")
		if !more {
			break
		}
		asked = append(asked, after[:closed(after, '(', ')')])
		rest = after
	}
	sub := s.fork()
	for _, text := range asked {
		sub.starting(sub.made(m, text, 0))
	}
	sub.in = anything // who reads a makefile from standard input leaves nothing there for its recipes
	for _, text := range recipes {
		for _, recipe := range sub.made(m, text, 0) {
			for line := range strings.SplitSeq(recipe, "\n") {
				sub.starting([]string{strings.TrimLeft(line, "@-+ \t")})
			}
		}
	}
}

// assignment is a line of a makefile that sets a variable, for all targets or for one.
func assignment(line string) (name, op, text string, ok bool) {
	left, text, found := strings.Cut(line, "=")
	if !found || strings.HasPrefix(line, "#") {
		return "", "", "", false
	}
	for _, sign := range []string{"+", "?", "!", ":"} {
		if rest, ok := strings.CutSuffix(left, sign); ok {
			left, op = strings.TrimRight(rest, ":"), sign
		}
	}
	words := strings.Fields(left)
	if len(words) == 0 || strings.ContainsAny(words[len(words)-1], "$:;\"'()") || len(words) > 1 && !strings.Contains(left, ":") && !slices.Contains([]string{"export", "override", "private"}, words[0]) {
		return "", "", "", false
	}
	return words[len(words)-1], op + "=", strings.TrimSpace(text), true
}

// closed is the place of the bracket that closes one which is open, or the end of the text.
func closed(text string, open, end byte) int {
	depth := 1
	for i := range len(text) {
		switch text[i] {
		case open:
			depth++
		case end:
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return len(text)
}

// made are the texts that make may make of one.
func (s *shell) made(m assigned, text string, nested int) []string {
	out := []string{""}
	for {
		before, rest, more := strings.Cut(text, "$")
		out = s.spread(out, []string{before})
		if !more || rest == "" {
			return out
		}
		inner, after := rest[:1], rest[1:]
		switch rest[0] {
		case '$':
			out, text = s.spread(out, []string{"$"}), after
			continue
		case '(':
			n := closed(after, '(', ')')
			inner, after = after[:n], after[min(n+1, len(after)):]
		case '{':
			n := closed(after, '{', '}')
			inner, after = after[:n], after[min(n+1, len(after)):]
		}
		out, text = s.spread(out, s.makeValue(m, inner, nested+1)), after
	}
}

// makeValue are the values of a variable, or of the call of a function: of one that chooses among its arguments, or changes one, that argument.
func (s *shell) makeValue(m assigned, inner string, nested int) []string {
	if nested > mostNested || !s.spend(1) {
		return []string{string(hole)}
	}
	if function, text, call := strings.Cut(inner, " "); call {
		args := strings.Split(text, ",")
		switch function {
		case "if", "or", "and":
			var all []string
			for _, a := range args {
				all = append(all, s.made(m, strings.TrimSpace(a), nested)...)
			}
			return all[:min(len(all), mostValues)]
		case "strip", "subst", "patsubst", "firstword", "lastword", "word", "wordlist", "eval", "sort", "filter", "filter-out", "foreach", "addprefix", "addsuffix":
			return s.made(m, strings.TrimSpace(args[len(args)-1]), nested)
		case "call", "value":
			return s.makeValue(m, strings.TrimSpace(args[0]), nested)
		}
		return []string{string(hole)}
	}
	name, _, changed := strings.Cut(inner, ":") // $(OBJECTS:.o=.c)
	values := m[name]
	if v, ok := s.variable(name); ok && values != nil { // what is set with a question mark is what the environment says
		values = append(slices.Clip(values), v.text)
	}
	if len(values) == 0 || changed {
		if v, ok := s.variable(name); ok && len(name) > 1 {
			return []string{v.text}
		}
		return []string{string(hole)}
	}
	var out []string
	for _, text := range values {
		out = append(out, s.made(m, text, nested)...)
	}
	return out[:min(len(out), mostValues)]
}

// ninjafile runs the commands of a build.ninja.
func (s *shell) ninjafile(src string) {
	var lines []string
	for line := range strings.SplitSeq(src, "\n") {
		if n := len(lines) - 1; n >= 0 && strings.HasSuffix(lines[n], "$") && !strings.HasSuffix(lines[n], "$$") {
			lines[n] = strings.TrimSuffix(lines[n], "$") + strings.TrimLeft(line, " ")
			continue
		}
		lines = append(lines, line)
	}
	m := assigned{}
	for _, line := range lines {
		if name, text, ok := strings.Cut(line, "="); ok && !strings.HasPrefix(line, "#") && !strings.ContainsAny(strings.TrimSpace(name), " :") {
			m.set(strings.TrimSpace(name), strings.TrimSpace(text), false)
		}
	}
	for _, text := range m["command"] {
		s.starting(s.ninjaTexts(m, text, 0))
	}
}

// ninjaTexts are the texts that ninja may make of one.
func (s *shell) ninjaTexts(m assigned, text string, nested int) []string {
	out := []string{""}
	for {
		before, rest, more := strings.Cut(text, "$")
		out = s.spread(out, []string{before})
		if !more || rest == "" {
			return out
		}
		if strings.IndexByte("$ :", rest[0]) >= 0 {
			out, text = s.spread(out, []string{rest[:1]}), rest[1:]
			continue
		}
		n := len(rest) - len(strings.TrimLeft(rest, identifiers))
		name, after := rest[:n], rest[n:]
		if inner, ok := strings.CutPrefix(rest, "{"); ok {
			name, after, _ = strings.Cut(inner, "}")
		}
		var values []string
		if nested < mostNested && s.spend(1) {
			for _, v := range m[name] {
				values = append(values, s.ninjaTexts(m, v, nested+1)...)
			}
		}
		if values == nil {
			values = []string{string(hole)}
		}
		out, text = s.spread(out, values), after
	}
}

// identifiers are those of the names of ninja's variables.
const identifiers = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"
