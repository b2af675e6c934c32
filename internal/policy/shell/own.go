package shell

import (
	"slices"
	"strings"
)

// loads notes what an argument makes a program load and run.
func (v *invocation) loads(u use) {
	switch u.role {
	case Own:
		v.owns(listed(u.value))
		v.inline(u.value)
	case ClassPath:
		for entry := range strings.SplitSeq(u.value.text, ":") {
			v.owns(value{strings.TrimRight(entry, "*\x01"), u.value.from})
		}
	case Sources:
		v.owns(u.value)
		folder := v.locate(u.value, v.cwd).path
		v.ownFiles(func(path string) bool { _, below := within(folder, path); return below }, func(string) bool { return true }, v.test)
	case Compiles:
		v.readFile(u.value, v.name, v.traits...)
		if !v.has("checks") {
			v.compiles(u.value)
		}
	case Module:
		v.module(u.value)
	case INISetting:
		key, file, _ := strings.Cut(u.value.text, "=")
		if speaks(file, jvmLoads) {
			v.note(Env, u.value.show(), "")
		}
		if slices.Contains(iniFiles, strings.TrimSpace(key)) || strings.Contains(key, string(hole)) {
			v.owns(value{file, u.value.from})
		}
	default: // no other role is one of these
	}
}

// listed is the file that further arguments are read from, where an argument names one, as compilers take it: @/tmp/arguments. What goes on like a package's name is one: @types/node.
func listed(v value) value {
	if file, ok := strings.CutPrefix(v.text, "@"); ok && strings.HasPrefix(strings.TrimLeft(file, ".~"), "/") {
		return value{file, v.from}
	}
	return v
}

// iniFiles are the settings of PHP, and of Maven, that name code.
var iniFiles = []string{"auto_prepend_file", "auto_append_file", "extension", "extension_dir", "zend_extension", "include_path", "opcache.preload", "sendmail_path", "error_log", "maven.ext.class.path"}

// inline is settings that are written into the argument itself, as jest takes them: {"globalSetup": "./x.js"}.
func (v *invocation) inline(settings value) {
	if !strings.HasPrefix(settings.text, "{") {
		return
	}
	for i, text := range strings.Split(settings.text, `"`) {
		if i%2 == 1 && strings.Contains(text, "/") {
			v.owns(value{strings.Replace(text, "<rootDir>", ".", 1), settings.from})
		}
	}
}

// optionsOf reads a text as another program's options, as go build takes those of its linker: -ldflags '-s -w', or for some packages only, all=-s.
func (v *invocation) optionsOf(program string, text value) {
	if _, rest, some := strings.Cut(text.text, "="); some && !strings.HasPrefix(text.text, "-") {
		text.text = rest
	}
	var args []value
	for _, word := range quotedWords(text.text) {
		args = append(args, value{word, text.from})
	}
	v.shell.apply(v.policy.program(program), v.name, args)
}

// owns notes code, or settings that name some, that are not known to be the project's own. What is not known at all may be: the program
// is one that runs the project's code. What only an agent has read of it is judged.
func (v *invocation) owns(file value) {
	file.text = strings.TrimSuffix(strings.TrimPrefix(file.text, "file://"), "/...")
	if file.empty() || file.text[0] == hole {
		return
	}
	name, rest, more := strings.Cut(file.text, ":")
	if more && (strings.HasPrefix(rest, "//") && !strings.ContainsAny(name, "/.") || slices.Contains([]string{"data", "npm", "jsr"}, name)) {
		v.note(Code, file.show(), v.name)
		return
	}
	file.text = name // what follows is one test in the file, or a line
	at := v.locate(file, v.cwd)
	v.byName(at)
	here := !strings.HasPrefix(file.text, "/") && !strings.Contains(file.text, "..") // in the folder where it works: another project's, maybe
	if at.zone.own() || at.zone == Nowhere || at.path == v.at.Root || here && (at.zone == Home || at.zone == Elsewhere) {
		return
	}
	if _, _, ok := v.draft(at, codeOf(at.path)); !ok || codeOf(at.path) == "" {
		v.noteAt(at, Code, v.name)
	}
}

// endings are those that a loader adds to a name.
var endings = []string{"", ".js", ".cjs", ".mjs", ".ts", ".rb", ".lua", "/index.js", "/index.ts", ".py", "/__init__.py"}

// byName judges code by the name that a program is given of it, which may lack its ending.
func (s *shell) byName(at located) {
	if codeOf(at.path) != "" {
		s.test(at)
		return
	}
	for _, ending := range endings {
		one := at
		one.path += ending
		s.test(one)
	}
}

// pythonModule judges a module that python finds by its name in the folder where it runs, and the packages in which it lies.
func (s *shell) pythonModule(name string) {
	path := ""
	for part := range strings.SplitSeq(name, ".") {
		path += part
		for _, file := range []string{path + ".py", path + "/__init__.py"} {
			s.judged(s.locate(known(file), s.cwd), "python")
		}
		path += "/"
	}
	s.judged(s.locate(known(path+"__main__.py"), s.cwd), "python")
}

// module is perl's -M and ruby's -r: a name of a module, a path of one, or, for perl, any expression behind it. Any other program's is Python's.
func (v *invocation) module(name value) {
	switch v.name {
	case "ruby", "jruby":
		if strings.Contains(name.text, "/") {
			v.owns(name)
		}
		v.found(strings.TrimSuffix(name.text, ".rb")+".rb", "ruby", "RUBYLIB")
	case "perl":
		v.perlModule(name)
	default:
		for one := range strings.SplitSeq(name.text, ",") {
			one, _, _ = strings.Cut(one, ":") // of which an object is asked for
			v.pythonModule(one)
		}
	}
}

// perlModule is a module that perl loads, or an expression that does.
func (v *invocation) perlModule(name value) {
	text := strings.TrimLeft(name.text, "-:")
	letters, list, _ := strings.Cut(text, "=")
	switch {
	case letters == "CPAN" || strings.HasPrefix(letters, "CPAN::") || letters == "App::cpanminus":
		v.note(Install, letters, v.name)
	case letters == "lib" || letters == "blib":
		for folder := range strings.SplitSeq(list, ",") {
			v.owns(value{folder, name.from})
		}
	case strings.Trim(letters, nameLetters+": .") != "" || name.holed():
		v.code("perl", value{"use " + text, name.from}, nil)
		v.note(Code, "perl", v.name)
	default:
		letters, _, _ = strings.Cut(letters, " ") // a version may follow
		v.found(strings.ReplaceAll(letters, "::", "/")+".pm", "perl", "PERL5LIB")
	}
}

// found judges a module that this command or an agent has written, where the program finds it by its name: in the folders that it is told to look into, by options or by a
// variable, and in those that projects have for it.
func (v *invocation) found(file, language, variable string) {
	folders := append(v.valuesOf(Own), known("."), known("lib"), known("blib/lib"))
	for _, m := range v.valuesOf(Module) {
		if list, ok := strings.CutPrefix(m.text, "lib="); ok {
			folders = append(folders, value{list, m.from})
		}
	}
	if list, ok := v.vars.get(variable); ok {
		for folder := range strings.SplitSeq(list.text, ":") {
			folders = append(folders, value{folder, list.from})
		}
	}
	seen := map[string]bool{}
	for _, folder := range folders {
		at := v.locate(folder.plus(known("/"+file)), v.cwd)
		if !seen[at.path] && !at.several() {
			seen[at.path] = true
			v.judged(at, language)
		}
	}
}

// path notes that code takes a module from a path, or looks for modules in it. A name without a slash is a module's.
func (v *invocation) path(name value) {
	if strings.Contains(name.text, "/") || strings.HasPrefix(name.text, ".") {
		v.owns(name)
	}
}

// builds notes that a program is made: the project's own, if all that it is made of is, and this command has written none of it.
func (v *invocation) builds(name value) {
	v.change(Writes, name)
	for _, o := range v.operands {
		at := v.locate(o, v.cwd)
		_, made := v.holds(at)
		if made || o.text == "-" || !at.zone.own() && at.path != v.at.Root && !strings.HasSuffix(o.text, "/...") {
			return
		}
	}
	if at := v.locate(name, v.cwd); len(v.operands) > 0 && !at.part {
		v.binaries = append(v.binaries, at.path)
	}
}
