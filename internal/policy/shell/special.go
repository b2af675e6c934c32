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
	case "sql":
		return sql
	case "text", "base64", "rev", "tr", "xxd", "tee":
		return textTools(name)
	case "download":
		return download
	case "checkout", "clean", "push", "gitconfig":
		return gitSpecials(name)
	}
	for _, group := range []func(string) special{wrapperSpecials, fileSpecials, networkSpecials} {
		if f := group(name); f != nil {
			return f
		}
	}
	return nil
}

// runShell is sh and its kin: -c TEXT, a file, or standard input.
func runShell(v *invocation, args []value) (value, bool) {
	letters, rest := v.shellOptions(args)
	sub := v.fork()
	switch {
	case strings.Contains(letters, "?"):
		return anything, true // --help, --version
	case strings.Contains(letters, "c") && len(rest) > 0:
		if len(rest) > 1 {
			sub.args = rest[2:]
		}
		return v.script(sub, rest[0]), true
	case strings.Contains(letters, "s") || len(rest) == 0:
		return v.code("sh", v.in, rest), true
	}
	return v.runFile(rest[0], "sh", rest[1:]), true
}

// shellOptions are the letters of a shell's options, and the arguments behind them.
func (v *invocation) shellOptions(args []value) (letters string, rest []value) {
	for i := 0; i < len(args); i++ {
		a := args[i].text
		switch {
		case a == "--":
			return letters, args[i+1:]
		case a == "--rcfile" || a == "--init-file":
			if i++; i < len(args) {
				v.runFile(args[i], "sh", nil)
			}
		case a == "--help" || a == "--version":
			letters += "?"
		case strings.HasPrefix(a, "--"):
		case len(a) > 1 && a[0] == '-':
			letters += a[1:]
			if a == "-o" || a == "-O" {
				i++
			}
		case a == "+o" || a == "+O":
			i++
		case len(a) > 1 && a[0] == '+':
		default:
			return letters, args[i:]
		}
	}
	return letters, nil
}

// interpreter is a program that reads its code from standard input where no option and no operand gives it one.
func interpreter(v *invocation, _ []value) (value, bool) {
	if v.dry {
		return anything, true
	}
	for _, u := range v.uses {
		if role := string(u.role); strings.HasPrefix(role, "code") || strings.HasPrefix(role, "run") {
			return value{}, false
		}
	}
	if v.stop {
		return value{}, false
	}
	return v.code(languageOf(v.name), v.in, nil), true
}

// module is python -m: a program of its own, or the project's code.
func module(v *invocation, args []value) (value, bool) {
	for i, a := range args {
		rest := args[i+1:]
		name, attached := strings.CutPrefix(a.text, "-m")
		switch {
		case strings.HasPrefix(a.text, "--") || !strings.HasPrefix(a.text, "-"):
			return interpreter(v, args)
		case !attached && strings.HasSuffix(a.text, "m") && strings.Trim(a.text, "-bBdEhiIOPqsSuvxm") == "":
			attached = true
			fallthrough
		case attached && name == "":
			if len(rest) == 0 {
				return value{}, true
			}
			name, rest = rest[0].text, rest[1:]
		}
		if !attached {
			if strings.HasPrefix(a.text, "-c") {
				return interpreter(v, args)
			}
			continue
		}
		if p := v.policy.program("python:" + name); p != nil {
			return v.shell.apply(p, "python -m "+name, rest), true
		}
		if p := v.policy.program(name); p != nil {
			v.fact(Fact{Kind: Exec, Target: name})
			return v.shell.apply(p, name, rest), true
		}
		v.fact(Fact{Kind: Run, Target: "python -m " + value{text: name}.show()})
		return unknown(v.taints(rest)), true
	}
	return interpreter(v, args)
}

// runEnv is env: settings, then a command.
func runEnv(v *invocation, args []value) (value, bool) {
	sub := v.fork()
	for i := 0; i < len(args); i++ {
		a := args[i]
		name, text, isSetting := strings.Cut(a.text, "=")
		flag, val, attached := strings.Cut(a.text, "=")
		next := func() value {
			if attached {
				return value{val, a.from}
			}
			if i++; i < len(args) {
				return args[i]
			}
			return value{}
		}
		switch {
		case flag == "-u" || flag == "--unset" || a.text == "-a" || flag == "--argv0":
			next()
		case flag == "-C" || flag == "--chdir":
			sub.cwd = sub.resolved(next())
		case strings.HasPrefix(a.text, "-S") && len(a.text) > 2:
			return sub.split(value{a.text[2:], a.from}, args[i+1:]), true
		case flag == "-S" || flag == "--split-string" || strings.HasPrefix(a.text, "-") && !strings.HasPrefix(a.text, "--") && strings.HasSuffix(a.text, "S"):
			text := next()
			return sub.split(text, args[min(i+1, len(args)):]), true
		case strings.HasPrefix(a.text, "-"):
		case isSetting && name != "":
			sub.vars.set(name, value{text, a.from})
			sub.environment(name, value{text, a.from})
		default:
			return sub.run(args[i:]), true
		}
	}
	v.fact(Fact{Kind: Print, Target: "the environment", By: "env"})
	return unknown(fromSecret), true
}

// split is env -S: a text that is divided into words, with quotation marks but without a shell's other means.
func (s *shell) split(text value, rest []value) value {
	out := text
	for _, r := range rest {
		out = out.plus(known(" '")).plus(r).plus(known("'"))
	}
	return s.script(s, out)
}

// find is find: what it deletes and runs, for what its tests before that let through.
func find(v *invocation, args []value) (value, bool) {
	var paths []value
	i := 0
	for ; i < len(args); i++ {
		a := args[i].text
		if a == "-H" || a == "-L" || a == "-P" || strings.HasPrefix(a, "-O") {
			continue
		}
		if a == "-D" {
			i++
			continue
		}
		if a != "" && strings.ContainsRune("-(!,", rune(a[0])) {
			break
		}
		paths = append(paths, args[i])
	}
	if paths == nil {
		paths = []value{known(".")}
	}
	f := finder{invocation: v, paths: paths}
	for _, p := range paths {
		at := v.locate(p, v.cwd)
		v.fact(Fact{Kind: Read, Target: at.path, Zone: at.zone, By: "find"}.at(at))
	}
	for i < len(args) {
		i = f.predicate(args, i)
	}
	return unknown(v.in.from), true
}

// finder is one run of find.
type finder struct {
	*invocation
	paths []value
	name  string // a name that everything found has; empty if anything may be found
	loose bool   // there is an or, or a not: a name before it does not count for all
}

// predicate reads one test or action, and returns where the next begins.
func (f *finder) predicate(args []value, i int) int {
	value := func() value {
		if i+1 < len(args) {
			return args[i+1]
		}
		return known("")
	}
	switch args[i].text {
	case "-o", "-or", "!", "-not", ",":
		f.loose, f.name = true, ""
	case "-name", "-iname":
		if !f.loose {
			f.name = patterns(value()).text
		}
		return i + 2
	case "-path", "-ipath", "-wholename", "-regex", "-iregex", "-type", "-xtype", "-mtime", "-mmin", "-ctime", "-cmin", "-atime", "-amin", "-newer", "-size",
		"-user", "-group", "-perm", "-maxdepth", "-mindepth", "-links", "-inum", "-fstype", "-printf", "-samefile", "-uid", "-gid", "-lname", "-ilname", "-regextype", "-newermt", "-newerct":
		return i + 2
	case "-delete":
		for _, p := range f.found() {
			at := f.locate(p, f.cwd)
			f.fact(Fact{Kind: Delete, Target: at.path, Zone: at.zone, Traits: []Trait{Recursive}, By: "find"}.at(at))
		}
	case "-exec", "-execdir", "-ok", "-okdir":
		return f.exec(args, i+1)
	case "-fprint", "-fprint0", "-fls":
		f.writeFile(value(), "find")
		return i + 2
	case "-fprintf":
		f.writeFile(value(), "find")
		return i + 3
	case "-files0-from":
		f.readFile(value(), "find")
		return i + 2
	}
	return i + 1
}

// found are the paths that an action is applied to.
func (f *finder) found() []value {
	if f.name == "" {
		return f.paths
	}
	out := make([]value, len(f.paths))
	for i, p := range f.paths {
		out[i] = p.plus(known("/" + string(hole) + "/" + f.name))
	}
	return out
}

// exec runs a command for everything found.
func (f *finder) exec(args []value, i int) int {
	j := i
	for j < len(args) && args[j].text != ";" && (args[j].text != "+" || j == i || args[j-1].text != "{}") {
		j++
	}
	for _, p := range f.found() {
		argv := slices.Clone(args[i:min(j, len(args))])
		for k := range argv {
			if strings.Contains(argv[k].text, "{}") {
				argv[k] = value{strings.ReplaceAll(argv[k].text, "{}", p.text), argv[k].from | p.from}
			}
		}
		f.fork().run(argv)
	}
	return j + 1
}

// xargs runs a command with what it reads from standard input.
func xargs(v *invocation, _ []value) (value, bool) {
	argv := slices.Clone(v.rest)
	if len(argv) == 0 {
		return v.in, true
	}
	items := []value{unknown(v.in.from)}
	if text, ok := v.in.exact(); ok {
		items = items[:0]
		for word := range strings.FieldsSeq(text) {
			items = append(items, value{strings.Trim(word, `"'`), v.in.from})
		}
	}
	holder := ""
	for _, u := range v.uses {
		if u.role == Placeholder {
			holder = u.value.text
			if holder == "" {
				holder = "{}"
			}
		}
	}
	sub := v.fork()
	sub.in = value{}
	if holder == "" {
		return sub.run(append(argv, items...)), true
	}
	if len(items) == 0 {
		items = []value{{}}
	}
	var out value
	for _, item := range items {
		with := slices.Clone(argv)
		for k := range with {
			with[k] = value{strings.ReplaceAll(with[k].text, holder, item.text), with[k].from | item.from}
		}
		out = out.plus(sub.run(with))
	}
	return out, true
}

// parallel runs a shell command for every argument behind ":::", or for every line.
func parallel(v *invocation, _ []value) (value, bool) {
	command := v.rest
	items := []value{unknown(v.in.from)}
	if text, ok := v.in.exact(); ok && text != "" {
		items = nil
		for line := range strings.SplitSeq(strings.TrimSpace(text), "\n") {
			items = append(items, value{line, v.in.from})
		}
	}
	for i, a := range v.rest {
		if strings.HasPrefix(a.text, ":::") {
			command, items = v.rest[:i], v.rest[i+1:]
			break
		}
	}
	base := words(command)
	for _, item := range items {
		line := value{strings.ReplaceAll(base.text, "{}", item.text), base.from | item.from}
		if base.empty() {
			line = item
		} else if line.text == base.text {
			line = base.plus(known(" ")).plus(item)
		}
		v.script(v.fork(), line)
	}
	return anything, true
}

// dd reads its operands as if= and of=.
func dd(v *invocation, args []value) (value, bool) {
	content := v.in
	for _, a := range args {
		if text, ok := strings.CutPrefix(a.text, "if="); ok {
			content = v.readFile(value{text, a.from}, "dd")
		}
	}
	for _, a := range args {
		if text, ok := strings.CutPrefix(a.text, "of="); ok {
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
func awk(v *invocation, _ []value) (value, bool) {
	files := v.uses[:0:0]
	programs := 0
	for _, u := range v.uses {
		switch {
		case strings.HasPrefix(string(u.role), "run:"), u.role == "code:awk":
			programs++
			v.uses = []use{u}
			v.apply()
		case u.role == Reads:
			files = append(files, u)
		}
	}
	if programs == 0 && len(files) > 0 {
		v.code("awk", files[0].value, nil)
		files = files[1:]
	}
	v.uses = slices.DeleteFunc(files, func(u use) bool { return strings.Contains(u.value.text, "=") })
	return value{}, false
}

// runMake judges the variables that are given on the command line, and a makefile that is.
func runMake(v *invocation, _ []value) (value, bool) {
	for _, a := range v.operands {
		name, text, ok := strings.Cut(a.text, "=")
		if !ok {
			continue
		}
		val := value{text, a.from}
		if strings.ContainsAny(text, ";|&`$(\n\x00") {
			v.script(v.fork(), val)
			continue
		}
		v.environment(strings.TrimRight(name, ":?+"), val)
	}
	return value{}, false
}

// sql judges statements by their first words: what only reads is no change. Without a statement it reads standard input.
func sql(v *invocation, _ []value) (value, bool) {
	var text []value
	for _, u := range v.uses {
		if u.role == Statement {
			text = append(text, u.value)
		}
	}
	if text == nil {
		text = append(text, v.in)
	}
	for _, t := range text {
		src, ok := t.exact()
		switch {
		case v.dry:
		case !ok:
			v.fact(Fact{Kind: Data, Target: t.show(), By: v.name})
		default:
			for statement := range strings.SplitSeq(src, ";") {
				if !readsOnly(statement) {
					v.fact(Fact{Kind: Data, Target: value{text: strings.TrimSpace(statement)}.show(), By: v.name})
				}
			}
		}
	}
	return value{}, false
}

// readsOnly reports a statement that changes nothing.
func readsOnly(statement string) bool {
	fields := strings.Fields(statement)
	if len(fields) == 0 {
		return true
	}
	first := strings.ToLower(fields[0])
	lower := strings.ToLower(statement)
	for _, word := range []string{"into ", "load_extension", "pg_read_file", "lo_export", "copy ", "writefile", "edit("} {
		if strings.Contains(lower, word) {
			return false
		}
	}
	switch first {
	case "select", "explain", "show", "describe", "desc", "values", ".tables", ".schema", ".headers", ".mode", ".databases", ".indexes", `\d`, `\dt`, `\l`, `\d+`, "use":
		return true
	case "pragma", "with":
		return !strings.ContainsAny(lower, "=") && !strings.Contains(lower, "delete") && !strings.Contains(lower, "insert") && !strings.Contains(lower, "update")
	}
	return false
}

// download remembers that what is loaded into a file came over the network.
func download(v *invocation, _ []value) (value, bool) {
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
