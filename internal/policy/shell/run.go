package shell

import (
	slashpath "path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// call interprets a simple command: assignments, a name, arguments.
func (s *shell) call(c *syntax.CallExpr) value {
	if len(c.Args) == 0 {
		plain := true
		for _, a := range c.Assigns {
			s.assign(a, "")
			plain = plain && certain(a)
		}
		if plain {
			s.status = succeeded
		}
		return value{}
	}
	argv := s.fields(c.Args)
	if len(c.Assigns) == 0 {
		return s.named(c.Args[0], argv)
	}
	vars, attrs := s.vars.fork(), s.attrs.fork()
	for _, a := range c.Assigns {
		s.assign(a, "export")
	}
	s.said = s.named(c.Args[0], argv)
	var kept []*shell
	if len(argv) > 0 && slices.Contains(specialBuiltins, argv[0].text) { // where it stays depends on the shell
		kept = copies(s.worlds())
	}
	s.every(func(w *shell) {
		for _, a := range c.Assigns {
			restoreIn(&w.vars, &vars, a.Name.Value)
			restoreIn(&w.attrs, &attrs, a.Name.Value)
		}
	})
	if kept != nil {
		return s.become(append(copies(s.worlds()), kept...))
	}
	return s.said
}

// certain reports an assignment that cannot fail.
func certain(a *syntax.Assign) bool {
	if a.Index != nil || a.Array != nil || a.Value == nil {
		return false
	}
	_, plain := plainWord(a.Value)
	return plain
}

// specialBuiltins are those before which, in a shell that keeps to POSIX, an assignment stays.
var specialBuiltins = []string{":", ".", "source", "eval", "export", "readonly", "set", "shift", "times", "trap", "unset", "exec", "exit", "return", "break", "continue"}

// restoreIn makes a name what it was.
func restoreIn[V any](now, was *table[V], name string) {
	if v, ok := was.get(name); ok {
		now.set(name, v)
	} else {
		now.drop(name)
	}
}

// named runs a command by the word that names it, which may be an alias.
func (s *shell) named(name *syntax.Word, argv []value) value {
	if alias, ok := s.isAlias(name); ok && len(argv) > 0 {
		return s.aliased(argv[0].text, alias, argv)
	}
	return s.perform(argv)
}

// run is one command that a program runs: the shell's functions and aliases are nothing to it, and it changes nothing in the
// shell. It returns what the command prints.
func (s *shell) run(argv []value) value {
	sub := s.fork()
	sub.funcs, sub.names = table[*syntax.Stmt]{}, table[value]{}
	return sub.agree(sub.perform(argv))
}

// perform is one command with its arguments: a function, a builtin, or a program. It returns what that prints.
func (s *shell) perform(argv []value) value {
	if len(argv) == 0 || !s.step() {
		return value{}
	}
	name, ok := argv[0].exact()
	if !ok {
		s.unnamed(argv)
		return anything
	}
	body, ok := s.funcs.get(name)
	switch {
	case !ok:
		return s.direct(name, argv)
	case !slices.Contains(specialBuiltins, name):
		return s.invoke(name, body, argv[1:])
	}
	// Which of the two it is depends on the shell.
	own := s.branch()
	own.said = own.direct(name, argv)
	s.said = s.invoke(name, body, argv[1:])
	return s.become(append(copies(s.worlds()), own.worlds()...))
}

// direct is a command that is no function.
func (s *shell) direct(name string, argv []value) value {
	if name == "" {
		return value{} // bash: command not found
	}
	if b := builtin(name); b != nil {
		return b(s, argv)
	}
	out := s.stemmed(baseName(name), argv[1:], s.program(name, argv))
	s.mayTakeHome(name, argv)
	return out
}

// mayTakeHome notes that a program of which nothing is known, or not of all that it is to do, is given a home.
func (s *shell) mayTakeHome(program string, argv []value) {
	for i := range s.facts {
		f := &s.facts[i]
		if (f.Kind == Unknown || f.Kind == Data) && strings.HasPrefix(strings.TrimLeft(f.By+" "+f.Target+" ", " "), program+" ") && s.namesHome(words(argv).text) {
			s.fact(Fact{Kind: Unknown, Target: s.at.Home, By: program, Traits: []Trait{Named, Guessed}})
			return
		}
	}
}

// namesHome reports a command, or code, in which one of the words is a home.
func (s *shell) namesHome(text string) bool {
	for _, word := range strings.FieldsFunc(text, divides) {
		if strings.TrimRight(tilde(word, s.at.Home), "/*\x01") == s.at.Home {
			return true
		}
	}
	return false
}

// divides reports a character that stands between the words of commands and of code.
func divides(r rune) bool { return strings.ContainsRune(" \t\n\"'`()=,;", r) }

// unnamed is a command whose name is not known.
func (s *shell) unnamed(argv []value) {
	from := argv[0].from
	if from&(fromNetwork|fromDecoder) != 0 {
		s.unseen(argv[0])
		return
	}
	s.note(Unknown, argv[0].show(), "")
	s.suspect(argv[1:])
}

// systemFolders hold the programs that everybody has.
var systemFolders = []string{"/bin", "/sbin", "/usr/bin", "/usr/sbin", "/usr/local/bin", "/usr/local/sbin", "/opt/homebrew/bin", "/usr/local/go/bin", "/snap/bin"}

// projectFolders hold the programs that a project has installed for itself.
var projectFolders = []string{"node_modules/.bin", ".venv/bin", "venv/bin", "env/bin", ".venv/Scripts", "vendor/bin", "bin/gradle", ".tox", ".tools/bin"}

// program runs a program by its name or its path.
func (s *shell) program(name string, argv []value) value {
	if strings.Contains(name, "/") {
		at := s.locate(argv[0], s.cwd)
		if _, ok := s.holds(at); ok {
			return s.executeFile(argv)
		}
		base, ok := s.byPath(name)
		if !ok {
			return s.executeFile(argv)
		}
		if at.zone.own() { // a wrapper, gradlew or bin/rails
			s.unread(at, "", argv[1:])
		}
		if strings.HasPrefix(base, "pip") || strings.HasPrefix(base, "python") { // that of an environment's own: what it installs goes there
			defer func(was string) { s.venv = was }(s.venv)
			s.venv = slashpath.Dir(slashpath.Dir(at.path))
		}
		name = base
		if b := builtin(name); b != nil && name != "cd" {
			return b(s, argv)
		}
	}
	s.missing(argv)
	s.planted(name, argv)
	p := s.policy.program(name)
	if p == nil {
		if plain := unversioned(name); plain != "" {
			p, name = s.policy.program(plain), plain
		}
	}
	if p == nil && asksOnly(argv) {
		s.note(Exec, name, "")
		return value{}
	}
	if p == nil {
		s.note(Unknown, argv[0].show(), "")
		s.suspect(argv[1:])
		return unknown(s.taints(argv[1:]))
	}
	s.note(Exec, name, "")
	return s.apply(p, name, argv[1:])
}

// installedTwice are programs of which several versions are installed beside each other, under names that end in these: clang-format-18, ruby3.2.
const installedTwice = " clang clang++ clang-format clang-tidy clangd gcc g++ gcov gfortran llvm-cov llvm-profdata python pip ruby php lua perl "

// unversioned is the name of such a program without its version; empty if it is none.
func unversioned(name string) string {
	plain := strings.TrimSuffix(strings.TrimRight(name, "0123456789."), "-")
	if plain == name || !oneWord(installedTwice, plain) {
		return ""
	}
	return plain
}

// asksOnly reports a program that is asked what it is, and nothing else.
func asksOnly(argv []value) bool {
	return len(argv) == 2 && (argv[1].text == "--version" || argv[1].text == "--help")
}

// missing runs what bash runs for a command that it does not find, where the command itself says what that is.
func (s *shell) missing(argv []value) {
	const handle = "command_not_found_handle"
	if body, ok := s.funcs.get(handle); ok && !s.runs(handle) {
		s.fork().invoke(handle, body, argv)
	}
}

// binFolders are names of folders that are searched for programs although the command does not say so.
var binFolders = []string{"bin", ".bin"}

// planted runs what the command itself has put into a folder of programs under this name, and what an agent has into one of the project's where the command says that it is searched.
func (s *shell) planted(name string, argv []value) {
	list, searched := s.vars.get("PATH")
	for folder := range strings.SplitSeq(list.text, ":") {
		if !searched || s.at.Script == nil {
			break
		}
		if at := s.locate(value{folder + "/" + name, list.from}, s.cwd); at.zone.own() && !at.several() {
			s.unread(at, "", argv[1:])
		}
	}
	if len(s.written) == 0 {
		return
	}
	for _, path := range s.writtenWhere(func(path string) bool {
		dir, base := slashpath.Split(path)
		return base == name && (searched || slices.Contains(binFolders, slashpath.Base(dir)))
	}) {
		for _, text := range s.written[path] {
			s.fork().shebang(text, argv[1:])
		}
	}
}

// byPath is the name of a program that is called by a path, if it lies where programs are installed.
func (s *shell) byPath(name string) (string, bool) {
	at := s.locate(known(name), s.cwd)
	dir, base := slashpath.Split(at.path)
	dir = strings.TrimSuffix(dir, "/")
	if slices.Contains(systemFolders, dir) {
		return base, true
	}
	if rel, ok := within(s.at.Root, dir); ok && slices.ContainsFunc(projectFolders, func(f string) bool { return rel == f || strings.HasSuffix(rel, "/"+f) }) {
		return base, s.policy.program(base) != nil
	}
	if base == "gradlew" || base == "mvnw" || (base == "rails" || base == "rake") && strings.HasSuffix(dir, "/bin") {
		return base, at.zone == Project
	}
	return "", false
}

// executeFile runs a file by its path.
func (s *shell) executeFile(argv []value) value {
	at := s.locate(argv[0], s.cwd)
	if slices.Contains(s.binaries, at.path) {
		s.noteAt(at, Run, "")
		return unknown(s.taints(argv[1:]))
	}
	var said value
	if texts, ok := s.holds(at); ok {
		said = s.codes(texts, func(text value) value { return s.reading(at.path).shebang(text, argv[1:]) })
		if !at.several() {
			return said
		}
	}
	s.ownGuard(baseName(at.path), argv[1:])
	if at.zone.own() {
		s.changed(at)
		s.unread(at, "", argv[1:])
		s.noteAt(at, Run, "")
		if p := s.policy.program("script:" + baseName(at.path)); p != nil {
			return s.apply(p, baseName(at.path), argv[1:])
		}
	} else if !s.drafted(at, "", argv[1:]) {
		s.noteAt(at, Unknown, "")
		s.suspect(argv[1:])
	}
	return unknown(said.from | s.taints(argv[1:]))
}

// ownGuard judges fettle by any path, and under any name that it may have been given: what it does to the guard it does as well.
func (s *shell) ownGuard(base string, args []value) {
	guards := len(args) > 1 && args[0].text == "guard" && slices.Contains([]string{"install", "uninstall", "serve"}, args[1].text)
	switch {
	case base == "fettle" && len(args) > 0 && args[0].text == "guard":
		s.apply(s.policy.program("fettle"), "fettle", args)
	case base == "fettle-guard" && len(args) > 0:
		s.apply(s.policy.program("fettle-guard"), "fettle-guard", args)
	case guards:
		s.note(Protects, "fettle's guard", base)
	}
}

// shebang runs a script that this command has written, by the interpreter that its first line names.
func (s *shell) shebang(text value, args []value) value {
	return s.code(interpreterIn(text.text), text, args)
}

// destroyers are the programs that are looked for behind one that is not known.
var destroyers = []string{"rm", "sh", "bash", "zsh", "dash", "dd", "chmod", "chown", "sudo", "env", "xargs", "python", "python3", "node", "perl", "ruby", "git", "shred", "truncate", "mv", "cp", "cat", "curl", "wget", "eval", "nohup", "timeout"}

// suspect looks at the arguments of a program that is not known: one that begins a known program with what follows may be a
// command that it runs.
func (s *shell) suspect(args []value) {
	for i, a := range args {
		name, ok := a.exact()
		if !ok || strings.HasPrefix(name, "-") {
			continue
		}
		if slices.Contains(destroyers, slashpath.Base(name)) && (i == 0 || strings.HasPrefix(args[i-1].text, "-")) {
			s.run(args[i:])
			return
		}
	}
}

// taints are those of all arguments and of standard input.
func (s *shell) taints(args []value) taint {
	from := s.in.from
	for _, a := range args {
		from |= a.from
	}
	return from
}
