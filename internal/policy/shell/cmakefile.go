package shell

import (
	"slices"
	"strings"
)

// cmakeWord is an argument of a command of CMake's.
type cmakeWord struct {
	text     string
	literal  bool // [[…]]: nothing in it is replaced
	together bool // a list in it stays one argument
}

// cmakeKeywords end the words of a COMMAND.
const cmakeKeywords = " COMMAND WORKING_DIRECTORY TIMEOUT RESULT_VARIABLE RESULTS_VARIABLE OUTPUT_VARIABLE ERROR_VARIABLE INPUT_FILE OUTPUT_FILE ERROR_FILE OUTPUT_QUIET ERROR_QUIET " +
	"COMMAND_ECHO OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_STRIP_TRAILING_WHITESPACE ENCODING ECHO_OUTPUT_VARIABLE ECHO_ERROR_VARIABLE COMMAND_ERROR_IS_FATAL DEPENDS BYPRODUCTS COMMENT " +
	"VERBATIM USES_TERMINAL SOURCES OUTPUT MAIN_DEPENDENCY IMPLICIT_DEPENDS DEPFILE JOB_POOL APPEND TARGET PRE_BUILD PRE_LINK POST_BUILD CONFIGURATIONS COMMAND_EXPAND_LISTS CODEGEN ARGS ALL "

// keyword reports a word that ends those of a COMMAND.
func (w cmakeWord) keyword() bool {
	return !w.together && !w.literal && strings.Contains(cmakeKeywords, " "+w.text+" ")
}

// cmakeHere are variables that name folders of the project.
var cmakeHere = []string{"CMAKE_SOURCE_DIR", "CMAKE_BINARY_DIR", "CMAKE_CURRENT_SOURCE_DIR", "CMAKE_CURRENT_BINARY_DIR", "CMAKE_CURRENT_LIST_DIR", "PROJECT_SOURCE_DIR", "PROJECT_BINARY_DIR"}

// cmakefile judges a file of CMake's: what it starts while it is read, what the build will start, and the files that it writes and removes.
func (s *shell) cmakefile(src string) {
	all := cmakeCommands(src)
	m := assigned{"CMAKE_COMMAND": {"cmake"}}
	for _, name := range cmakeHere {
		m[name] = []string{"."}
	}
	for _, c := range all {
		if len(c.words) < 2 {
			continue
		}
		var texts []string
		for _, w := range c.words[1:] {
			texts = append(texts, w.text)
		}
		switch c.name {
		case "set":
			m.set(c.words[0].text, strings.Join(texts, ";"), false)
		case "list":
			m.set(c.words[1].text, strings.Join(texts[1:], ";"), false)
		case "foreach":
			for _, text := range texts {
				m.set(c.words[0].text, text, false)
			}
		}
	}
	for _, c := range all {
		s.cmakeCommand(c.name, c.words, m)
	}
}

// cmakeCommand judges one command.
func (s *shell) cmakeCommand(name string, words []cmakeWord, m assigned) {
	switch name {
	case "execute_process", "add_custom_command", "add_custom_target":
		s.cmakeProcesses(name, words, m)
	case "add_test":
		if i := slices.IndexFunc(words, func(w cmakeWord) bool { return w.text == "COMMAND" }); i >= 0 {
			s.cmakeRuns(words[i+1:], m, false)
		} else if len(words) > 1 {
			s.cmakeRuns(words[1:], m, false)
		}
	case "exec_program":
		s.cmakeRuns(without(words, "ARGS"), m, true)
	case "install", "cmake_language":
		for i, w := range words[:max(0, len(words)-1)] {
			if w.text == "CODE" && s.spend(len(words[i+1].text)/64+1) {
				s.cmakefile(words[i+1].text)
			}
		}
	case "configure_file":
		s.cmakeDoes([]string{"cp"}, words[:min(2, len(words))], m)
	case "file":
		if len(words) > 1 {
			s.cmakeFile(words[0].text, words[1:], m)
		}
	}
}

// cmakeProcesses runs what stands behind each COMMAND, and what is a target's command without that word.
func (s *shell) cmakeProcesses(name string, words []cmakeWord, m assigned) {
	for i, w := range words {
		if w.text != "COMMAND" && (name != "add_custom_target" || i != 1 || w.keyword()) {
			continue
		}
		if w.text == "COMMAND" {
			i++
		}
		end := i
		for end < len(words) && !words[end].keyword() {
			end++
		}
		s.cmakeRuns(words[i:end], m, name != "execute_process")
	}
}

// cmakeFile judges what the command file does.
func (s *shell) cmakeFile(how string, words []cmakeWord, m assigned) {
	switch how {
	case "REMOVE":
		s.cmakeDoes([]string{"rm", "-f"}, words, m)
	case "REMOVE_RECURSE":
		s.cmakeDoes([]string{"rm", "-rf"}, words, m)
	case "WRITE", "APPEND":
		s.cmakeDoes([]string{"tee", "-a"}, words[:1], m)
	case "TOUCH", "TOUCH_NOCREATE":
		s.cmakeDoes([]string{"touch"}, words, m)
	case "READ", "STRINGS":
		s.cmakeDoes([]string{"cat"}, words[:1], m)
	case "RENAME":
		s.cmakeDoes([]string{"mv"}, words[:min(2, len(words))], m)
	case "CREATE_LINK":
		s.cmakeDoes([]string{"ln", "-s"}, words[:min(2, len(words))], m)
	case "COPY", "INSTALL":
		s.cmakeDoes([]string{"cp", "-r"}, without(words, "DESTINATION"), m)
	case "DOWNLOAD":
		if len(words) > 1 {
			s.cmakeDoes([]string{"curl", "-o"}, []cmakeWord{words[1], words[0]}, m)
		}
	case "UPLOAD":
		if len(words) > 1 {
			s.cmakeDoes([]string{"curl", "-T"}, words[:2], m)
		}
	}
}

// cmakeDoes is what a program of the shell's would do with the words behind these.
func (s *shell) cmakeDoes(argv []string, words []cmakeWord, m assigned) {
	var first []cmakeWord
	for _, a := range argv {
		first = append(first, cmakeWord{text: a, literal: true})
	}
	s.cmakeRuns(append(first, words...), m, false)
}

// cmakeRuns runs a command by its words. What the build runs may go through a shell.
func (s *shell) cmakeRuns(command []cmakeWord, m assigned, byShell bool) {
	lists := [][]value{nil}
	for _, w := range command {
		var next [][]value
		for _, text := range s.cmakeTexts(w, m, 0) {
			parts := []string{text}
			if !w.together && !w.literal {
				parts = strings.FieldsFunc(text, func(r rune) bool { return r == ';' })
			}
			for _, list := range lists {
				list = slices.Clone(list)
				for _, p := range parts {
					list = append(list, known(p))
				}
				next = append(next, list)
			}
		}
		lists = next[:min(len(next), mostValues)]
	}
	for _, list := range lists {
		if len(list) == 0 {
			continue
		}
		s.fork().run(list)
		if byShell {
			s.starting([]string{words(list).text})
		}
	}
}

// cmakeTexts are the texts that CMake may make of a word.
func (s *shell) cmakeTexts(w cmakeWord, m assigned, nested int) []string {
	if w.literal {
		return []string{w.text}
	}
	out := []string{""}
	for text := w.text; ; {
		i := strings.IndexByte(text, '$')
		if i < 0 || i == len(text)-1 {
			return s.spread(out, []string{text})
		}
		out = s.spread(out, []string{text[:i]})
		rest := text[i+1:]
		switch {
		case strings.HasPrefix(rest, "ENV{"):
			inner := rest[4 : 4+closed(rest[4:], '{', '}')]
			v, _ := s.variable(inner)
			out, text = s.spread(out, []string{v.text}), rest[min(len(rest), 5+len(inner)):]
		case rest[0] == '{':
			inner := rest[1 : 1+closed(rest[1:], '{', '}')]
			var values []string
			if nested < mostNested && s.spend(1) {
				for _, v := range m[inner] {
					values = append(values, s.cmakeTexts(cmakeWord{text: v}, m, nested+1)...)
				}
			}
			if values == nil {
				values = []string{string(hole)}
			}
			out, text = s.spread(out, values), rest[min(len(rest), 2+len(inner)):]
		case rest[0] == '<':
			out, text = s.spread(out, []string{string(hole)}), rest[min(len(rest), 2+closed(rest[1:], '<', '>')):]
		default:
			out, text = s.spread(out, []string{"$"}), rest
		}
	}
}

// cmakeCall is a command: NAME(WORD…).
type cmakeCall struct {
	name  string
	words []cmakeWord
}

// cmakeCommands are the commands of a file.
func cmakeCommands(src string) (all []cmakeCall) {
	r := &cmakeReader{src: src}
	for r.i < len(src) {
		if r.comment() {
			continue
		}
		n := len(src[r.i:]) - len(strings.TrimLeft(src[r.i:], identifiers))
		if n == 0 {
			r.i++
			continue
		}
		name := src[r.i : r.i+n]
		rest := strings.TrimLeft(src[r.i+n:], " \t\n")
		r.i = len(src) - len(rest)
		if strings.HasPrefix(rest, "(") {
			r.i++
			all = append(all, cmakeCall{strings.ToLower(name), r.words()})
		}
	}
	return all
}

// cmakeReader reads words.
type cmakeReader struct {
	src string
	i   int
}

// comment passes over a comment.
func (r *cmakeReader) comment() bool {
	if r.src[r.i] != '#' {
		return false
	}
	r.i++
	if _, ok := r.bracket(); !ok {
		r.i += strings.IndexByte(r.src[r.i:]+"\n", '\n')
	}
	return true
}

// bracket reads [[…]] or [=[…]=].
func (r *cmakeReader) bracket() (text string, ok bool) {
	rest, open := strings.CutPrefix(r.src[r.i:], "[")
	marks := len(rest) - len(strings.TrimLeft(rest, "="))
	if !open || !strings.HasPrefix(rest[marks:], "[") {
		return "", false
	}
	end := "]" + rest[:marks] + "]"
	text, after, _ := strings.Cut(rest[marks+1:], end)
	r.i = len(r.src) - len(after)
	return text, true
}

// words reads up to the bracket that closes the command.
func (r *cmakeReader) words() (words []cmakeWord) {
	for depth := 1; r.i < len(r.src); {
		switch c := r.src[r.i]; {
		case c == '#':
			r.comment()
		case strings.IndexByte(" \t\r\n;", c) >= 0:
			r.i++
		case c == '(':
			depth++
			r.i++
		case c == ')':
			r.i++
			if depth--; depth == 0 {
				return words
			}
		case c == '"':
			words = append(words, cmakeWord{text: r.quoted(), together: true})
		default:
			if text, ok := r.bracket(); ok {
				words = append(words, cmakeWord{text: text, literal: true})
				continue
			}
			start := r.i
			for r.i < len(r.src) && strings.IndexByte(" \t\r\n()#\"", r.src[r.i]) < 0 {
				if r.src[r.i] == '\\' {
					r.i++
				}
				r.i++
			}
			r.i = min(r.i, len(r.src))
			words = append(words, cmakeWord{text: unescaped(r.src[start:r.i])})
		}
	}
	return words
}

// quoted reads "…".
func (r *cmakeReader) quoted() string {
	start := r.i + 1
	for r.i = start; r.i < len(r.src) && r.src[r.i] != '"'; r.i++ {
		if r.src[r.i] == '\\' {
			r.i++
		}
	}
	end := min(r.i, len(r.src))
	r.i = min(r.i+1, len(r.src))
	return unescaped(r.src[start:end])
}

// unescaped is a text without the backslashes before its signs.
func unescaped(text string) string {
	return strings.NewReplacer(`\n`, "\n", `\t`, "\t", `\;`, ";", "\\\n", "", `\"`, `"`, `\\`, `\`, `\$`, "$", `\ `, " ").Replace(text)
}

// without are the words but for a keyword.
func without(words []cmakeWord, keyword string) (rest []cmakeWord) {
	for _, w := range words {
		if w.text != keyword {
			rest = append(rest, w)
		}
	}
	return rest
}
