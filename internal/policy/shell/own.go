package shell

import (
	"slices"
	"strings"
)

// loads notes what an argument makes a program load and run.
func (v *invocation) loads(u use) {
	switch u.role {
	case Own:
		v.owns(u.value)
	case ClassPath:
		for entry := range strings.SplitSeq(u.value.text, ":") {
			v.owns(value{strings.TrimRight(entry, "*\x01"), u.value.from})
		}
	case Module:
		v.module(u.value)
	case INISetting:
		key, file, _ := strings.Cut(u.value.text, "=")
		if slices.Contains(iniFiles, strings.TrimSpace(key)) || strings.Contains(key, string(hole)) {
			v.owns(value{file, u.value.from})
		}
	default: // no other role is one of these
	}
}

// iniFiles are the settings of PHP, and of Maven, that name code.
var iniFiles = []string{"auto_prepend_file", "auto_append_file", "extension", "extension_dir", "zend_extension", "include_path", "opcache.preload", "sendmail_path", "error_log", "maven.ext.class.path"}

// owns notes code, or settings that name some, that are not known to be the project's own. What is not known at all may be: the program
// is one that runs the project's code.
func (v *invocation) owns(file value) {
	file.text = strings.TrimSuffix(strings.TrimPrefix(file.text, "file://"), "/...")
	if file.empty() || file.text[0] == hole {
		return
	}
	name, rest, more := strings.Cut(file.text, ":")
	if more && (strings.HasPrefix(rest, "//") && !strings.ContainsAny(name, "/.") || slices.Contains([]string{"data", "npm", "jsr"}, name)) {
		v.fact(Fact{Kind: Code, Target: file.show(), By: v.name})
		return
	}
	file.text = name // what follows is one test in the file, or a line
	at := v.locate(file, v.cwd)
	here := !strings.HasPrefix(file.text, "/") && !strings.Contains(file.text, "..") // in the folder where it works: another project's, maybe
	if at.zone.own() || at.zone == Nowhere || at.path == v.at.Root || here && (at.zone == Home || at.zone == Elsewhere) {
		return
	}
	v.fact(at.fact(Code, v.name))
}

// module is perl's -M and ruby's -r: a name of a module, a path of one, or, for perl, any expression behind it.
func (v *invocation) module(name value) {
	if v.name == "ruby" || v.name == "jruby" {
		if strings.Contains(name.text, "/") {
			v.owns(name)
		}
		return
	}
	text := strings.TrimLeft(name.text, "-:")
	letters, list, _ := strings.Cut(text, "=")
	switch {
	case letters == "CPAN" || strings.HasPrefix(letters, "CPAN::") || letters == "App::cpanminus":
		v.fact(Fact{Kind: Install, Target: letters, By: v.name})
	case letters == "lib" || letters == "blib":
		for folder := range strings.SplitSeq(list, ",") {
			v.owns(value{folder, name.from})
		}
	case strings.Trim(letters, nameLetters+": .") != "" || name.holed():
		v.code("perl", value{"use " + text, name.from}, nil)
		v.fact(Fact{Kind: Code, Target: "perl", By: v.name})
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
