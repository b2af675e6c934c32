package shell

import (
	"slices"
	"strings"
)

// handler interprets a command that the shell runs itself. It returns what the command prints.
type handler func(s *shell, argv []value) value

// builtin is the handler of a command that is the shell's own; nil if it has none.
func builtin(name string) handler {
	switch name {
	case "hash":
		return hash
	case ":", "true":
		return func(s *shell, _ []value) value { s.status = succeeded; return value{} }
	case "false":
		return func(s *shell, _ []value) value { s.status = failed; return value{} }
	case "exit", "return", "break", "continue":
		return leave
	case "shopt":
		return shopt
	case "umask", "unalias", "logout", "suspend", "times", "ulimit", "bg", "fg", "disown":
		return silent
	case "[", "test", "wait": // wait -p names what keeps a process's number
		return func(s *shell, argv []value) value { s.subscripts(argv); return value{} }
	case "type", "jobs", "history", "help", "caller", "dirs", "fc":
		return shows
	case "cd", "chdir", "pushd", "popd":
		return changeFolder
	case "pwd":
		return func(s *shell, _ []value) value { return s.cwd.plus(known("\n")) }
	case "eval":
		return func(s *shell, argv []value) value { return s.evaluate(words(argv[1:])) }
	case "source", ".":
		return source
	case "command", "builtin", "exec", "nohup", "setsid", "time":
		return prefix
	case "alias":
		return alias
	case "trap":
		return trap
	case "set":
		return set
	case "shift":
		return shift
	case "mapfile", "readarray":
		return mapfile
	case "read":
		return read
	}
	return otherBuiltin(name)
}

func otherBuiltin(name string) handler {
	switch name {
	case "echo":
		return echo
	case "printf":
		return printf
	case "unset":
		return unset
	case "export", "declare", "local", "readonly", "typeset":
		return declareWords
	case "enable":
		return enable
	case "compgen", "complete", "bind":
		return compgen
	case "let":
		return func(s *shell, argv []value) value { s.subscripts(argv); return value{} }
	case "kill":
		return kill
	case "getopts":
		return getopts
	}
	return nil
}

func silent(*shell, []value) value { return value{} }

// shows is a builtin that only shows something, but for two: fc runs an earlier command again, or what an editor has made of it, where it is not asked to list them;
// history writes what was typed into a file.
func shows(s *shell, argv []value) value {
	given := func(letters string) int {
		return slices.IndexFunc(argv[1:], func(a value) bool { return strings.HasPrefix(a.text, "-") && strings.ContainsAny(a.text, letters) })
	}
	switch argv[0].text {
	case "fc":
		if given("l") < 0 {
			s.note(Code, "an earlier command", "fc")
		}
	case "history":
		if i := given("wa"); i >= 0 && i+2 < len(argv) {
			s.writeFile(argv[i+2], "history")
		}
	}
	return anything
}

// prefix runs the command behind it: command, builtin and exec pass the shell's functions by, nohup and setsid are programs.
func prefix(s *shell, argv []value) value {
	name, _ := argv[0].exact()
	rest := argv[1:]
	for len(rest) > 0 && strings.HasPrefix(rest[0].text, "-") {
		flag := rest[0].text
		rest = rest[1:]
		switch {
		case flag == "--":
			return s.prefixed(name, rest)
		case name == "command" && strings.ContainsAny(flag, "vV"):
			return s.whereIs(rest) // it only says where the program is
		case name == "exec" && flag == "-a" || name == "time" && (flag == "-f" || flag == "-o"):
			rest = rest[min(1, len(rest)):]
		}
	}
	return s.prefixed(name, rest)
}

// whereIs is what is printed of a program to say where it is: anything, and for whoever would take it away a place as good as any.
func (s *shell) whereIs(names []value) value {
	if len(names) != 1 || names[0].holed() || strings.Contains(names[0].text, "/") {
		return anything
	}
	return s.hear([]value{anything, known("/usr/local/bin/" + names[0].text + "\n")})
}

func (s *shell) prefixed(by string, argv []value) value {
	if by != "command" && by != "builtin" || len(argv) == 0 {
		return s.run(argv)
	}
	name, ok := argv[0].exact()
	if !ok {
		s.unnamed(argv)
		return anything
	}
	return s.direct(name, argv)
}

// alias defines aliases. What one stands for is judged as if it were called: it would be, by whoever types its name.
func alias(s *shell, argv []value) value {
	for _, a := range argv[1:] {
		name, text, ok := strings.Cut(a.text, "=")
		if !ok {
			continue
		}
		body := value{text, a.from}
		s.fork().script(body)
		s.names.set(name, body)
	}
	return value{}
}

// trap runs its first argument later, and is judged as if it ran now.
func trap(s *shell, argv []value) value {
	rest := argv[1:]
	for len(rest) > 0 && strings.HasPrefix(rest[0].text, "-") && rest[0].text != "-" {
		if rest[0].text != "--" {
			return anything
		}
		rest = rest[1:]
	}
	if len(rest) > 1 && rest[0].text != "-" && !rest[0].empty() {
		if !slices.Contains(s.traps, rest[0]) { // a loop sets it at every turn
			s.traps = append(slices.Clip(s.traps), rest[0])
		}
		s.moved = s.moved || contains(rest[1:], "DEBUG") // it runs before each command, and may change the folder
		return s.starts(rest[0])                         // what it sets as traps runs as well
	}
	return value{}
}

// subscripts runs the substitutions in the subscripts of names, which bash expands once more: unset 'a[$(cmd)]'.
func (s *shell) subscripts(argv []value) {
	for _, a := range argv[1:] {
		if strings.Contains(a.text, "[") {
			s.prompt(a)
		}
	}
}

// hash -p makes a name stand for another program.
func hash(s *shell, argv []value) value {
	if len(argv) > 2 && argv[1].text == "-p" {
		s.executeFile(argv[2:3])
		s.note(Env, "hash "+words(argv[1:]).show(), "")
	}
	return value{}
}

func unset(s *shell, argv []value) value {
	s.subscripts(argv)
	functions, ref := false, false
	for _, a := range argv[1:] {
		name, ok := a.exact()
		switch {
		case !ok:
			s.forget()
		case strings.HasPrefix(name, "-"):
			functions, ref = functions || strings.Contains(name, "f"), ref || strings.Contains(name, "n")
		case strings.HasSuffix(name, "]"):
			base, _, _ := subscript(name)
			s.mark(base, func(at *attribute) { at.sparse = true })
		case ref:
			s.attrs.drop(name)
		default:
			s.unset(name, functions)
		}
	}
	return value{}
}

// unset takes a variable away, or a function where there is no such variable.
func (s *shell) unset(name string, function bool) {
	if _, ok := s.funcs.get(name); ok && (function || !s.has(name)) {
		s.funcs.drop(name)
		return
	}
	name = s.target(name)
	at, _ := s.attrs.get(name)
	if function || at.fixed {
		return
	}
	s.attrs.drop(name)
	s.lists.drop(name)
	s.vars.set(name, value{})
	s.mark(name, func(at *attribute) { at.gone = true })
}

// has reports a variable that the command has set.
func (s *shell) has(name string) bool {
	_, isList := s.lists.get(name)
	_, isVar := s.vars.get(name)
	return isList || isVar
}

// enable loads a builtin out of a library.
func enable(s *shell, argv []value) value {
	for _, a := range argv[1:] {
		if strings.HasPrefix(a.text, "-") && strings.ContainsAny(a.text, "fn") {
			s.note(Code, "library", "enable")
		}
	}
	return value{}
}

// compgen runs a command to complete words, or for a key.
func compgen(s *shell, argv []value) value {
	for _, a := range argv[1:] {
		if a.text == "-v" || a.text == "-e" || a.text == "variable" || a.text == "export" { // only the names, which who has them asks for the values of
			s.note(Print, "the names of all variables", "compgen")
		}
	}
	for i, a := range argv[:len(argv)-1] {
		switch a.text {
		case "-C", "-F", "-W", "-A":
			s.fork().script(argv[i+1])
		case "-x":
			_, command, _ := strings.Cut(argv[i+1].text, ":")
			s.fork().script(known(strings.Trim(command, `" `)))
		}
	}
	return anything
}

// kill ends processes. Signal 0 only asks, and a job of this shell is its own.
func kill(s *shell, argv []value) value {
	all := true
	for i, a := range argv[1:] {
		switch {
		case a.text == "-0" || a.text == "-l" || a.text == "-L":
			return anything
		case a.text == "-1" && i > 0, a.text == "1" && i+2 == len(argv):
			s.note(Power, "every process", "kill")
		case strings.HasPrefix(a.text, "%"), strings.HasPrefix(a.text, "-"):
			continue
		}
		all = all && strings.HasPrefix(a.text, "%")
	}
	if !all {
		s.note(Kill, words(argv[1:]).show(), "kill")
	}
	return value{}
}
