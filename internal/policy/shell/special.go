package shell

import (
	"slices"
	"strings"
)

// special does what no table can say of a program. It reports whether it has done all there is; if not, the table goes on.
type special func(v *invocation, args []value) (out value, done bool)

func specials(name string) special {
	switch name {
	case "shell":
		return runShell
	case "interpreter":
		return interpreter
	case "module":
		return module
	case "env":
		return runEnv
	case "find":
		return find
	case "xargs":
		return xargs
	case "parallel":
		return parallel
	case "dd":
		return dd
	case "sed":
		return sed
	case "awk":
		return awk
	case "make":
		return runMake
	case "npm":
		return runNpm
	case "sql":
		return sql
	case "mongo":
		return mongo
	case "download":
		return download
	case "editor":
		return editor
	}
	for _, group := range []func(string) special{wrapperSpecials, gitSpecials, textSpecials, archiveSpecials, machineSpecials, networkSpecials} {
		if f := group(name); f != nil {
			return f
		}
	}
	return nil
}

// runShell is sh and its kin: -c TEXT, a file, or standard input.
func runShell(v *invocation, args []value) (value, bool) {
	letters, rest := v.shellOptions(args)
	defer func(was string) { v.begins = was }(v.begins)
	v.begins = v.name
	switch {
	case strings.Contains(letters, "?"):
		return anything, true // --help, --version
	case strings.Contains(letters, "n") && !strings.Contains(letters, "i") && operandsAlone(args, rest):
		return v.onlyReads(letters, rest), true
	case strings.Contains(letters, "c") && len(rest) > 0:
		zero, words := value{}, []value(nil)
		if len(rest) > 1 {
			zero, words = rest[1], rest[2:]
		}
		return v.launch(rest[0], zero, words), true
	case strings.Contains(letters, "s") || len(rest) == 0:
		script := v.in
		v.in = unknown(script.from) // what is read in the script is a part of it, but which cannot be said
		defer func() { v.in = script }()
		return v.code("sh", script, rest), true
	}
	return v.runFile(rest[0], "sh", rest[1:]), true
}

// onlyReads is what a shell says that runs nothing of its script: where it is wrong, with the lines that are.
func (v *invocation) onlyReads(letters string, rest []value) value {
	if strings.ContainsAny(letters, "cs") || len(rest) == 0 {
		return value{}
	}
	return v.readFile(rest[0], v.name)
}

// operandsAlone reports whether the operands of a shell are sure to be none of its options.
func operandsAlone(args, operands []value) bool {
	if len(operands) == 0 || !strings.HasPrefix(operands[0].text, string(hole)) {
		return true
	}
	before := len(args) - len(operands) - 1
	return before >= 0 && args[before].text == "--"
}

// shellOptions are the letters of a shell's options, and the arguments behind them.
func (v *invocation) shellOptions(args []value) (letters string, rest []value) {
	for i := 0; i < len(args); i++ {
		a := args[i].text
		switch {
		case a == "--" || a == "-":
			return letters, args[i+1:]
		case longShellOption(a):
			switch strings.TrimLeft(a, "-") {
			case "rcfile", "init-file":
				if i++; i < len(args) {
					v.runFile(args[i], "sh", nil)
				}
			case "emulate":
				i++
			case "help", "version":
				letters += "?"
			}
		case len(a) > 1 && (a[0] == '-' || a[0] == '+'):
			more, words := v.shellLetters(a[1:])
			if a[0] == '+' && strings.Contains(more, "n") { // it runs again what it reads
				letters, more = strings.ReplaceAll(letters, "n", ""), strings.ReplaceAll(more, "n", "")
			}
			letters += more
			i += words
		default:
			return letters, args[i:]
		}
	}
	return letters, nil
}

// longShellOption reports an option that is a word: bash takes its own with one dash, too.
func longShellOption(a string) bool {
	if strings.HasPrefix(a, "--") {
		return true
	}
	name, dash := strings.CutPrefix(a, "-")
	return dash && slices.Contains([]string{"rcfile", "init-file", "norc", "noprofile", "login", "posix", "restricted", "verbose", "version", "help", "noediting", "protected", "debugger", "wordexp"}, name)
}

// shellLetters are the letters of one word of options, and how many of the words behind it belong to them: each o takes the name of an option,
// and bash's O another. In zsh and ksh the name may stand in the same word.
func (v *invocation) shellLetters(word string) (letters string, words int) {
	bash := v.name != "zsh" && v.name != "ksh" && v.name != "mksh"
	for j := range len(word) {
		switch c := word[j]; {
		case c == 'o' && !bash && j+1 < len(word):
			return letters, words
		case c == 'o', c == 'O' && bash:
			words++
		default:
			letters += word[j : j+1]
		}
	}
	return letters, words
}

// interpreter is a program that reads its code from standard input where no option and no operand gives it one.
func interpreter(v *invocation, _ []value) (value, bool) {
	if v.dry {
		return anything, true
	}
	v.leave()
	for _, u := range v.uses {
		if role := string(u.role); u.role == Script || strings.HasPrefix(role, "code") || strings.HasPrefix(role, "run") {
			return value{}, false
		}
	}
	if v.stop || v.given(Listens) { // php -S serves a folder
		return value{}, false
	}
	return v.code(languageOf(v.name), v.in, nil), true
}

// module is python -m: a program of its own, or the project's code.
func module(v *invocation, args []value) (value, bool) {
	for i := 0; i < len(args); i++ {
		a, rest := args[i], args[i+1:]
		letters, option := strings.CutPrefix(a.text, "-")
		if !option || strings.HasPrefix(letters, "-") || strings.HasPrefix(letters, "c") {
			break
		}
		if strings.HasSuffix(letters, "W") || strings.HasSuffix(letters, "X") { // the next word is its value
			i++
			continue
		}
		flags, name, found := strings.Cut(letters, "m")
		if !found || strings.Trim(flags, "bBdEhiIOPqsSuvx") != "" {
			continue
		}
		if name == "" {
			if len(rest) == 0 {
				return value{}, true
			}
			name, rest = rest[0].text, rest[1:]
		}
		v.pythonModule(name) // one here comes before all that are installed
		if p := v.policy.program("python:" + name); p != nil {
			return v.shell.apply(p, "python -m "+name, rest), true
		}
		if p := v.policy.program(name); p != nil {
			v.note(Exec, name, "")
			return v.shell.apply(p, name, rest), true
		}
		v.shell.apply(&Program{Does: []Effect{{Kind: Run, Target: "python -m " + value{text: name}.show()}}}, "python -m "+name, rest)
		return unknown(v.taints(rest)), true
	}
	return interpreter(v, args)
}

// runEnv is env: settings, then a command.
func runEnv(v *invocation, args []value) (value, bool) {
	sub := v.fork()
	for i := 0; i < len(args); i++ {
		a := args[i]
		name, text, assigned := strings.Cut(a.text, "=")
		next := func() value {
			if assigned {
				return value{text, a.from}
			}
			if i++; i < len(args) {
				return args[i]
			}
			return value{}
		}
		long := func(option string) bool { return len(name) > 2 && strings.HasPrefix(option, name) }
		if letters, at := envLetters(a.text); at > 0 { // a letter that takes a value: the rest of the word, or the next
			name, text, assigned = "-"+letters[at-1:at], letters[at:], letters[at:] != ""
		}
		switch {
		case name == "-u" || name == "-a" || name == "-P" || long("--unset") || long("--argv0"):
			next()
		case name == "-C" || long("--chdir"):
			sub.cwd = sub.resolved(next())
		case name == "-S" || long("--split-string"):
			text := next()
			return sub.split(text, args[min(i+1, len(args)):]), true
		case strings.HasPrefix(a.text, "-"):
		case sub.setting(a):
		default:
			return sub.run(args[i:]), true
		}
	}
	v.note(Print, "the environment", "env")
	return unknown(fromSecret), true
}

// envLetters are the letters of a word of short options, and the place behind the first that takes a value; zero if none does.
func envLetters(word string) (letters string, behind int) {
	letters, dash := strings.CutPrefix(word, "-")
	if !dash || strings.HasPrefix(letters, "-") {
		return "", 0
	}
	return letters, strings.IndexAny(letters, "uaPCS") + 1
}

// split is env -S: a text that is divided into words, with quotation marks but without a shell's other means.
func (s *shell) split(text value, rest []value) value {
	out := text
	for _, r := range rest {
		out = out.plus(value{" " + Quote(r.text), r.from})
	}
	return s.script(out)
}

// dd reads its operands as if= and of=.
func dd(v *invocation, args []value) (value, bool) {
	content := v.in
	for _, a := range args {
		if text, ok := strings.CutPrefix(a.text, "if="); ok {
			content = v.readFile(value{text, a.from}, "dd")
		}
	}
	content = v.stemmed("dd", args, content)
	for _, a := range args {
		text, ok := strings.CutPrefix(a.text, "of=")
		if ok = ok || strings.HasPrefix(a.text, string(hole)); ok { // it may be any operand
			v.remember(v.writeFile(value{text, a.from}, "dd"), content, false)
			content = value{}
		}
	}
	return content, true
}

// sed reads its script, which may run programs, and its files, which it may change.
func sed(v *invocation, _ []value) (value, bool) {
	files := v.uses[:0:0]
	scripts := 0
	role := Reads
	for _, u := range v.uses {
		switch u.role {
		case "code:sed":
			scripts++
			v.sedScript(u.value.literal())
		case ScriptFile:
			scripts++
			v.runFile(u.value, "sed", nil)
		case InPlace:
			role = Writes
		default:
			files = append(files, u)
		}
	}
	// BSD's -i has its ending in the next word: sed -i '' 's/a/b/' FILE. To GNU's that is a script that changes nothing, and the other's script a file.
	if role == Writes && len(files) > 0 && files[0].value.empty() {
		files = files[1:]
	}
	if scripts == 0 && len(files) > 0 {
		v.sedScript(files[0].value.literal())
		files = files[1:]
	}
	for i := range files {
		files[i].role = role
	}
	v.uses, v.operands = files, nil
	return value{}, false
}

// awk reads its program, and then its files.
func awk(v *invocation, args []value) (value, bool) {
	files := v.uses[:0:0]
	programs, role := 0, Reads
	for _, u := range v.uses {
		switch {
		case u.value.text == "inplace":
			role = Writes
		case strings.HasPrefix(string(u.role), "run:"), u.role == "code:awk":
			programs++
			v.uses = []use{u}
			v.apply()
		case u.role == Reads:
			files = append(files, u)
		case u.role == Writes && !u.value.empty():
			v.change(Writes, u.value)
		}
	}
	for _, a := range args { // a variable may be the name of a file that the program opens
		if _, text, ok := strings.Cut(a.text, "="); ok && v.locate(value{text, a.from}, v.cwd).zone == Secrets {
			v.readFile(value{text, a.from}, v.name)
		}
	}
	if programs == 0 && len(files) > 0 {
		v.code("awk", files[0].value, nil)
		if len(files) == 1 && v.in.lists() && printsColumn(files[0].value.text) {
			return v.in, true
		}
		files = files[1:]
	}
	for i := range files {
		files[i].role = role
	}
	v.uses = slices.DeleteFunc(files, func(u use) bool { return strings.Contains(u.value.text, "=") })
	return value{}, false
}

// printsColumn reports a program of awk's that prints a column of each line: {print $2}.
func printsColumn(program string) bool {
	column, prints := strings.CutPrefix(strings.ReplaceAll(program, " ", ""), "{print")
	return prints && strings.Trim(column, "$0123456789NF;}") == ""
}

// runMake judges the variables that are given on the command line, and the makefile.
func runMake(v *invocation, _ []value) (value, bool) {
	if v.has("lists") { // its variables, and the environment's are among them
		v.note(Print, "the environment", v.name)
		v.in.from |= fromSecret
	}
	if v.dry {
		return value{}, false
	}
	for _, a := range v.operands {
		name, text, ok := strings.Cut(a.text, "=")
		if !ok {
			continue
		}
		val := value{text, a.from}
		if strings.ContainsAny(text, ";|&`$(\n\x00") {
			v.starts(val)
			continue
		}
		if v.environment(strings.TrimRight(name, ":?+"), val); strings.HasPrefix(name, ".SHELLFLAGS") {
			v.note(Env, a.show(), v.name)
		}
	}
	if len(v.operands) == 0 || slices.ContainsFunc(v.operands, func(o value) bool { return strings.Contains(o.text, "test") || strings.Contains(o.text, "check") }) {
		v.ownTests(nil)
	}
	v.recipes()
	return value{}, false
}

// editor looks for what an editor is told to run, by its arguments or by what it reads from standard input.
func editor(v *invocation, args []value) (value, bool) {
	for _, a := range args {
		if command, plus := strings.CutPrefix(a.text, "+"); plus {
			v.escape(command, a.from)
		}
	}
	v.escapes(v.in)
	return value{}, false
}

// download remembers that what is loaded into a file came over the network.
func download(v *invocation, args []value) (value, bool) {
	v.nearby = v.near(args)
	out := v.plainly()
	for _, u := range v.uses {
		if u.role == Writes {
			v.remember(v.locate(u.value, v.cwd), unknown(fromNetwork), false)
		}
		if u.role == RemoteName {
			for _, a := range v.uses {
				if a.role == Fetches {
					name := a.value.text[strings.LastIndexByte(a.value.text, '/')+1:]
					v.remember(v.writeFile(value{text: name}, v.name), unknown(fromNetwork), false)
				}
			}
		}
	}
	return out, true
}

// elsewhere are curl's options by which another machine than the address names is spoken to, or more than one.
var elsewhere = []string{"--resolve", "--connect-to", "--unix-socket", "--abstract-unix-socket", "-x", "--proxy", "--preproxy", "--socks", "--next", "-:", "-K", "--config", "--doh-url", "--interface"}

// near reports that every address is one of this machine.
func (v *invocation) near(args []value) bool {
	some := false
	for _, u := range v.uses {
		if u.role == Fetches || u.role == Hosts {
			if some = local(u.value.text) && u.value.text[0] != hole; !some {
				return false
			}
		}
	}
	return some && !slices.ContainsFunc(args, func(a value) bool {
		return a.holed() && strings.HasPrefix(a.text, string(hole)) || slices.ContainsFunc(elsewhere, func(o string) bool { return strings.HasPrefix(a.text, o) })
	})
}
