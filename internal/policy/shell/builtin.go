package shell

import (
	"slices"
	"strconv"
	"strings"
)

// handler interprets a command that the shell runs itself. It returns what the command prints.
type handler func(s *shell, argv []value) value

// builtin is the handler of a command that is the shell's own; nil if it has none.
func builtin(name string) handler {
	switch name {
	case "hash":
		return hash
	case ":", "true", "false", "exit", "return", "break", "continue", "wait", "shopt", "umask", "unalias", "logout", "suspend", "times", "ulimit", "bg", "fg", "disown":
		return silent
	case "[", "test", "type", "jobs", "history", "help", "caller", "dirs", "getopts", "fc":
		return shows
	case "cd", "chdir", "pushd", "popd":
		return changeFolder
	case "pwd":
		return func(s *shell, _ []value) value { return s.cwd.plus(known("\n")) }
	case "eval":
		return func(s *shell, argv []value) value { return s.script(words(argv[1:])) }
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
	case "read", "mapfile", "readarray":
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
	}
	return nil
}

func silent(*shell, []value) value { return value{} }
func shows(*shell, []value) value  { return anything }

// changeFolder is cd. Where it leads is known if the words say so; it is not asked whether the folder is there.
func changeFolder(s *shell, argv []value) value {
	var to value
	for _, a := range argv[1:] {
		if len(a.text) < 2 || a.text[0] != '-' {
			to = a
			break
		}
	}
	name, _ := argv[0].exact()
	switch {
	case name == "popd" || to.text == "-":
		s.cwd = anything
	case to.empty():
		s.cwd, _ = s.variable("HOME")
	default:
		s.cwd = s.resolved(to)
	}
	s.vars.set("PWD", s.cwd)
	return value{}
}

// source runs a file in this shell.
func source(s *shell, argv []value) value {
	if len(argv) < 2 {
		return value{}
	}
	at := s.locate(argv[1], s.cwd)
	text, ok := s.written.get(at.path)
	switch {
	case standardInput(at.path):
		text = s.in
	case !ok:
		s.runFile(argv[1], "sh", argv[2:])
		if at.zone.own() {
			s.forget()
		}
		return anything
	}
	return s.script(text)
}

// forget makes the variables unknown: something has run in this shell that may have set them.
func (s *shell) forget() {
	for name := range s.vars.m {
		s.vars.set(name, anything)
	}
}

// prefix runs the command behind it: command, exec, nohup.
func prefix(s *shell, argv []value) value {
	name, _ := argv[0].exact()
	rest := argv[1:]
	for len(rest) > 0 && strings.HasPrefix(rest[0].text, "-") {
		flag := rest[0].text
		rest = rest[1:]
		switch {
		case flag == "--":
			return s.run(rest)
		case name == "command" && strings.ContainsAny(flag, "vV"):
			return anything // it only says where the program is
		case name == "exec" && flag == "-a" || name == "time" && (flag == "-f" || flag == "-o"):
			rest = rest[min(1, len(rest)):]
		}
	}
	return s.run(rest)
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
	if len(rest) > 1 && rest[0].text != "-" {
		return s.fork().script(rest[0])
	}
	return value{}
}

// set gives the positional parameters their values.
func set(s *shell, argv []value) value {
	if len(argv) == 1 {
		return unknown(fromSecret) // all variables are printed
	}
	for i, a := range argv[1:] {
		switch {
		case a.text == "--":
			s.args = slices.Clone(argv[i+2:])
			return value{}
		case strings.HasPrefix(a.text, "-") || strings.HasPrefix(a.text, "+"):
			if (a.text == "-o" || a.text == "+o") && i+2 < len(argv) {
				return value{}
			}
			if a.text[0] == '-' && a.text[1:] != "" && strings.Contains(a.text, "x") {
				if ps4, ok := s.vars.get("PS4"); ok {
					s.prompt(ps4)
				}
			}
		default:
			s.args = slices.Clone(argv[i+1:])
			return value{}
		}
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
		s.fact(Fact{Kind: Env, Target: "hash " + words(argv[1:]).show()})
	}
	return value{}
}

func shift(s *shell, argv []value) value {
	n := 1
	if len(argv) > 1 {
		n, _ = strconv.Atoi(argv[1].text)
	}
	s.args = s.args[max(0, min(n, len(s.args))):]
	return value{}
}

// read takes variables from standard input.
func read(s *shell, argv []value) value {
	s.subscripts(argv)
	name, _ := argv[0].exact()
	var names []string
	in := s.in
	for i := 1; i < len(argv); i++ {
		a := argv[i].text
		if !strings.HasPrefix(a, "-") {
			names = append(names, a)
			continue
		}
		last := a[len(a)-1]
		if name != "read" && last == 'C' && i+1 < len(argv) {
			s.fork().script(argv[i+1])
		}
		if taking := "adinNptu"; name == "read" && strings.IndexByte(taking, last) >= 0 || name != "read" && strings.IndexByte("dnOsuCc", last) >= 0 {
			switch i++; {
			case i == len(argv):
			case last == 'a':
				names = append(names, argv[i].text)
			case last == 'u':
				in, _ = s.files.get(argv[i].text)
			}
		}
	}
	line, _, _ := strings.Cut(in.text, "\n")
	got := value{line, in.from}
	for i, n := range names {
		if i == 0 && len(names) == 1 && name == "read" {
			s.vars.set(n, got)
		} else {
			s.vars.set(n, unknown(in.from))
		}
		s.lists.drop(n)
	}
	if len(names) == 0 {
		s.vars.set("REPLY", got)
	}
	return value{}
}

func unset(s *shell, argv []value) value {
	s.subscripts(argv)
	for _, a := range argv[1:] {
		if name, ok := a.exact(); ok && !strings.HasPrefix(name, "-") {
			s.vars.set(name, value{})
			s.lists.drop(name)
			s.funcs.drop(name)
		}
	}
	return value{}
}

// declareWords is export and its like when their arguments had to be expanded first, as behind command.
func declareWords(s *shell, argv []value) value {
	if len(argv) == 1 || argv[1].text == "-p" {
		return unknown(fromSecret)
	}
	for _, a := range argv[1:] {
		s.setting(a)
	}
	return value{}
}

// enable loads a builtin out of a library.
func enable(s *shell, argv []value) value {
	for _, a := range argv[1:] {
		if strings.HasPrefix(a.text, "-") && strings.ContainsAny(a.text, "fn") {
			s.fact(Fact{Kind: Code, Target: "library", By: "enable"})
		}
	}
	return value{}
}

// compgen runs a command to complete words, or for a key.
func compgen(s *shell, argv []value) value {
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
			s.fact(Fact{Kind: Power, Target: "every process", By: "kill"})
		case strings.HasPrefix(a.text, "%"), strings.HasPrefix(a.text, "-"):
			continue
		}
		all = all && strings.HasPrefix(a.text, "%")
	}
	if !all {
		s.fact(Fact{Kind: Kill, Target: words(argv[1:]).show(), By: "kill"})
	}
	return value{}
}
