package shell

import (
	slashpath "path"
	"slices"
	"strings"
)

// languageOf is the language that an interpreter reads, by the interpreter's name.
func languageOf(name string) string {
	name = strings.TrimRight(name, "0123456789.")
	switch name {
	case "bash", "sh", "dash", "zsh", "ksh", "ash", "mksh", "rbash", "yash", "fish", "csh", "tcsh":
		return "sh"
	case "python", "pypy", "ipython":
		return "python"
	case "node", "nodejs", "bun", "deno", "tsx", "ts-node":
		return "javascript"
	case "perl", "ruby", "php", "lua", "awk", "make", "sed":
		return name
	case "gawk", "mawk", "nawk":
		return "awk"
	case "luajit":
		return "lua"
	case "R", "Rscript":
		return "r"
	case "elixir", "iex":
		return "elixir"
	case "julia":
		return "julia"
	}
	return "other"
}

// languageByEnding is the language of a file's code by its name; empty if it has none that is read here.
func languageByEnding(path string) string {
	switch path[strings.LastIndexByte(path, '.')+1:] {
	case "py", "ipynb":
		return "python"
	case "js", "mjs", "cjs", "ts", "mts", "cts", "jsx", "tsx":
		return "javascript"
	case "rb":
		return "ruby"
	case "pl", "pm", "t":
		return "perl"
	case "php":
		return "php"
	case "lua":
		return "lua"
	case "go":
		return "go"
	case "rs":
		return "rust"
	case "c", "cc", "cpp", "cxx", "h", "hpp":
		return "c"
	case "java", "kt", "kts", "groovy", "gradle", "jsh":
		return "java"
	case "r", "R":
		return "r"
	case "ex", "exs":
		return "elixir"
	case "jl":
		return "julia"
	}
	return ""
}

// looking are the commands of gdb that only show something.
var looking = []string{"bt", "backtrace", "where", "info", "frame", "up", "down", "list", "thread", "quit", "print", "run", "start", "continue", "break", "finish", "set"}

// code interprets code in a language, as far as that is possible here, and returns what it prints.
func (s *shell) code(language string, text value, args []value) value {
	if text.empty() {
		return value{}
	}
	if language == "sh" {
		return s.launch(text, known(s.source), args)
	}
	defer func(moved bool) { s.moved = moved }(s.moved)
	s.moved = true
	src, all := text.literal().exact()
	switch {
	case text.from&fromNetwork != 0:
		s.note(Remote, language, "")
	case text.from&fromDecoder != 0:
		s.note(Decoded, language, "")
	case !all:
		// What is known of it is looked at all the same.
		s.note(Code, language, "")
		s.streamed(text, language, args)
	}
	out := unknown(s.taints(args) | text.from)
	if len(src) > maxText {
		s.opaque("the code is" + tooLong)
		return out
	}
	if s.namesSecret(src) { // what it prints may be that name
		out.from |= toSecret
	}
	if judge := buildLanguage(language); judge != nil {
		judge(s, src)
		return out
	}
	switch language {
	case "gdb":
		if word, rest, _ := strings.Cut(strings.TrimSpace(src), " "); slices.Contains(looking, word) && !strings.ContainsAny(rest, "(|!`") && (word != "set" || strings.HasPrefix(rest, "pagination") || strings.HasPrefix(rest, "confirm")) {
			return out
		}
		s.escape(src, text.from)
	case "vim":
		s.escape(src, text.from)
		return out
	case "sed":
		s.sedScript(value{src, text.from})
		return out
	}
	src = s.cells(language, src)
	l := languageNamed(language)
	if l == nil {
		s.note(Code, language, "")
		return out
	}
	sc := &scan{shell: s.fork(), lang: l, tokens: l.tokens(homeInTexts(strings.ReplaceAll(src, string(hole), ""), s.at.Home)), handedTo: len(args), inside: !slices.ContainsFunc(args, s.leadsOut)}
	sc.tildes()
	if l.compiled() && !sc.known() {
		s.note(Code, language, "")
	}
	sc.run()
	return out
}

// escapes runs what the lines of a text hand over to a shell.
func (s *shell) escapes(text value) {
	for _, line := range strings.Split(text.text, "\n") {
		s.escape(line, text.from)
	}
}

// escape runs what a command of an editor, a debugger or a database's shell hands over to a shell: !COMMAND, shell COMMAND.
func (s *shell) escape(command string, from taint) {
	command = strings.TrimLeft(command, ": \t")
	word, rest, _ := strings.Cut(command, " ")
	switch {
	case strings.HasPrefix(strings.TrimLeft(command, "\\%"), "!"):
		_, rest, _ = strings.Cut(command, "!")
	case word == "sil" || word == "silent" || word == "silent!":
		s.escape(rest, from)
		return
	case !oneWord(" shell .shell .system system ", word):
		return
	}
	s.starts(value{rest, from})
}

// namesSecret reports code in which a path leads to secrets, by a name or a pattern.
func (s *shell) namesSecret(src string) bool {
	return slices.ContainsFunc(strings.FieldsFunc(src, func(r rune) bool { return strings.ContainsRune(" \t\n\"'`<>()[]{},;", r) }), func(word string) bool {
		return (word[0] == '~' || word[0] == '/') && s.zoneOf(slashpath.Clean(patterns(known(tilde(word, s.at.Home))).text)) == Secrets
	})
}

// known reports code in which every name is one that runs the project's own or shows something, and no text leads out of it.
func (sc *scan) known() bool {
	return !slices.ContainsFunc(sc.tokens, func(t token) bool {
		switch t.kind {
		case nameToken:
			return !slices.Contains(sc.lang.Known, t.text)
		case textToken:
			return t.part != "" || strings.Contains(t.text, "..") || strings.HasPrefix(t.text, "/") || strings.HasPrefix(t.text, "~")
		case shellToken:
			return true
		case otherToken:
		}
		return false
	})
}

// sedScript looks for the commands of sed that run programs and write files: e, w, and the same as flags of s.
func (s *shell) sedScript(script value) {
	if script.holed() {
		s.note(Code, "sed", "")
		return
	}
	src := script.text
	for i := 0; i < len(src); {
		i = s.sedCommand(src, i)
	}
}

// sedCommand reads one command from i on, and returns where the next begins.
func (s *shell) sedCommand(src string, i int) int {
	i = skipAddress(src, i)
	if i >= len(src) {
		return i
	}
	end := i + strings.IndexByte(src[i:]+"\n", '\n')
	switch c := src[i]; c {
	case 's', 'y':
		return s.substitution(src, i, c)
	case 'e':
		if command := strings.TrimSpace(src[i+1 : end]); command != "" {
			s.starts(known(command))
		} else {
			s.note(Code, "sed", "")
		}
		return end + 1
	case 'w', 'W':
		s.writeFile(known(strings.TrimSpace(src[i+1:end])), "sed")
		return end + 1
	case 'r', 'R':
		s.readFile(known(strings.TrimSpace(src[i+1:end])), "sed")
		return end + 1
	case 'a', 'i', 'c', '#', ':', 'b', 't', 'T':
		if strings.IndexByte(":btT", c) >= 0 {
			if k := strings.IndexAny(src[i:end], ";}"); k >= 0 {
				return i + k + 1
			}
		}
		return end + 1
	}
	return i + 1
}

// skipAddress is the place behind blanks and the addresses of a command: numbers, /patterns/, $, !.
func skipAddress(src string, i int) int {
	for i < len(src) {
		switch c := src[i]; {
		case c == '/' || c == '\\' && i+1 < len(src):
			open := c
			if c == '\\' {
				i++
				open = src[i]
			}
			i = closing(src, i+1, open)
			for i < len(src) && (src[i] == 'I' || src[i] == 'M') {
				i++
			}
		case strings.IndexByte(" \t\n;{},$!~+0123456789", c) >= 0:
			i++
		default:
			return i
		}
	}
	return i
}

// closing is the place behind the next delimiter that no backslash precedes.
func closing(src string, i int, delimiter byte) int {
	for ; i < len(src); i++ {
		switch src[i] {
		case '\\':
			i++
		case delimiter:
			return i + 1
		}
	}
	return i
}

// substitution reads s/a/b/flags or y/a/b/.
func (s *shell) substitution(src string, i int, command byte) int {
	if i+1 >= len(src) {
		return i + 1
	}
	begin := closing(src, i+2, src[i+1])
	i = closing(src, begin, src[i+1])
	by := src[begin:max(begin, min(i, len(src))-1)]
	for ; i < len(src) && command == 's'; i++ {
		switch c := src[i]; {
		case c == 'e':
			s.starts(known(by))
			s.note(Code, "sed", "")
		case c == 'w':
			end := i + strings.IndexByte(src[i:]+"\n", '\n')
			s.writeFile(known(strings.TrimSpace(src[i+1:end])), "sed")
			return end + 1
		case strings.IndexByte("gpiImM0123456789", c) < 0:
			return i
		}
	}
	return i
}
