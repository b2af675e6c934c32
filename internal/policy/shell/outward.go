package shell

import (
	"slices"
	"strings"
)

// A program that builds, rewrites or installs something writes where it is told to, by options and operands of which no table can name all. So whatever such
// a program is handed that leads out of the project is taken for a place where it writes, unless its name says that it is only looked at.

// Parts of options' names, in small letters.
const (
	lookedAt  = "config rc include import require plugin python node interp exec bin cache ignore exclude env input src source root path lib sdk tool compiler flags sysroot key cert ca-file schema project preset var load socket home data with- find- registry url from"
	alwaysFor = "config path file dir plugin project parser" // formatters, whose other options may have no value: --ignore-unknown
	writtenTo = "out dest dist report write save dump xml html debug target-dir build.dir builddir build-dir build_dir build-path build-base scratch-path work-dir workdir emit joblog log-file logfile image-file svg-file"
	empties   = "clean clearcache cache-clear empty delete purge prune remove"
)

// outward notes what a program that writes is handed which lies where it must not write unasked.
func (v *invocation) outward() {
	if v.dry {
		return
	}
	rewrites := v.does(Format) && v.rewriting() == inPlace
	builds := v.does(Run) || v.does(Install)
	clears, options := false, false // what has no long option tells others nothing
	for _, a := range append(v.ahead[:len(v.ahead):len(v.ahead)], v.args...) {
		clears = clears || clearing(a.text)
		options = options || len(a.text) > 2 && a.text[0] == '-'
	}
	v.strays(rewrites || v.does(Install) || v.does(Record) || clears && builds)
	if builds {
		v.byThemselves()
	}
	if !rewrites && !builds && !options {
		return
	}
	h := handed{v: v, rewrites: rewrites, clears: clears, others: !rewrites && !builds}
	h.all(v.ahead)
	h.all(v.args)
}

// does reports something that this run of the program does, whatever its values are.
func (v *invocation) does(kind Kind) bool {
	for i, effects := range [...][]Effect{v.prog.Does, v.effects, v.prog.Bare} {
		for j := range effects {
			if effects[j].Kind == kind && (i < 2 || len(v.operands) == 0) {
				return true
			}
		}
	}
	return false
}

// strays notes a program that works in a folder which is not the project's, and leaves something there that stays; in a home itself, any that is told to work there.
func (v *invocation) strays(lasting bool) {
	at := v.locate(v.cwd, v.cwd)
	told := at.zone == Above && v.does(Run) && v.cwd != v.began
	if !at.several() && !at.in && (told || lasting && (at.zone == Home || at.zone == Elsewhere || at.zone == Above)) {
		v.noteAt(at, Write, v.name)
	}
}

// clearing reports an argument by which a program empties the folder that it writes into: --emptyOutDir, --output-clean, -M clean.
func clearing(arg string) bool {
	lower := strings.ToLower(arg)
	return (lower == "clean" || strings.HasPrefix(lower, "--") && !strings.HasPrefix(lower, "--no-") && !strings.HasSuffix(lower, "=false")) && speaks(lower, empties)
}

// handed is how a program takes what it is handed.
type handed struct {
	v        *invocation
	rewrites bool // what it is given without an option
	clears   bool // the folder that it writes into
	others   bool // it is a program that neither builds nor rewrites: only options of its count that say themselves that they are written to, or name a start-up file
}

// all goes through arguments. A value belongs to the option before it, which may have none.
func (h *handed) all(args []value) {
	option := ""
	for _, a := range args {
		name, text := divided(a.text)
		glued := name != ""
		if !glued {
			name, option = option, ""
		}
		if text == "" {
			option = name
			continue
		}
		if h.leaves(name, value{text, a.from}, glued) {
			continue
		}
		kind := Write
		if h.rewrites && !glued {
			kind = Format
		}
		for rest, more := text, true; more; {
			var piece string
			piece, rest, more = cutAny(rest, "=:,")
			h.puts(value{piece, a.from}, name, kind)
		}
	}
}

// roleOf is what the tables say of a value that the program is given.
func (v *invocation) roleOf(text string) Role {
	for _, u := range v.uses {
		if u.value.text == text && u.role != Ignored {
			return u.role
		}
	}
	return Ignored
}

// divided are the option that an argument begins with, or the variable, and its value: --out=x, -o/x, DESTDIR=x. Without a value it is an option alone, and without
// a name an operand.
func divided(arg string) (name, text string) {
	name, text, assigned := strings.Cut(arg, "=")
	switch {
	case assigned && text != "" && (arg[0] == '-' || strings.Trim(name, nameLetters) == ""):
		return name, text
	case !strings.HasPrefix(arg, "-") || arg == "-":
		return "", arg
	case strings.HasPrefix(arg, "--"):
		return arg, ""
	}
	for _, begin := range []string{"~", "../", "/"} {
		if i := strings.Index(arg, begin); i > 0 {
			return arg[:i], arg[i:]
		}
	}
	return arg, ""
}

// leaves reports a value that is not counted: its role says all there is, or its option's name that it is only looked at.
func (h *handed) leaves(name string, val value, glued bool) bool {
	if h.others && (len(name) < 3 || name[0] != '-' || !glued && name[1] != '-') {
		return true
	}
	role := h.v.roleOf(val.text)
	switch {
	case role == Writes && h.clears:
		h.puts(val, "-o", Delete)
	case role == Reads && !glued && (h.rewrites || h.clears || writes(name) || name != "" && h.v.operand(val.text) && h.startup(val)):
	default:
		return role != Ignored || name != "" && h.onlyShown(name)
	}
	return false
}

// operand reports a text that is no option's, as far as the tables know.
func (v *invocation) operand(text string) bool {
	return slices.ContainsFunc(v.operands, func(o value) bool { return o.text == text })
}

// startup reports a file that a program runs when it starts: whoever gives one to an option has it written, not looked at.
func (h *handed) startup(path value) bool {
	path.text = tilde(path.text, h.v.at.Home)
	zone := h.v.locate(path, h.v.cwd).zone
	return zone == Startup || zone == Agent
}

// onlyShown reports the name of an option whose value is only looked at: --config, -I. What is behind -D says itself whether it is written to.
func (h *handed) onlyShown(name string) bool {
	lower := strings.ToLower(strings.TrimLeft(name, "-"))
	shown := lookedAt
	switch {
	case strings.HasPrefix(name, "--no-"), lower == "path":
		return false
	case h.clears && strings.Contains(lower, "cache"):
		return false
	case h.rewrites:
		shown = alwaysFor
	case len(name) == 2:
		return oneWord(" -I -L -c -D ", name)
	}
	return (speaks(lower, shown) || strings.HasPrefix(name, "-D") || name == "-isystem") && !writes(name)
}

// writes reports the name of an option, or of a variable, that says where something is written.
func writes(name string) bool {
	lower := strings.ToLower(name)
	return name == "-o" || name == "-d" || name == "--log" || speaks(lower, writtenTo) && !strings.Contains(lower, "public") // --output-public-path is an address
}

// puts notes that something is written, rewritten or emptied at a path, if that leads out of the project. Programs are shown what is the system's so that they find it.
func (h *handed) puts(path value, name string, kind Kind) {
	path.text = tilde(path.text, h.v.at.Home)
	sure := writes(name) || kind == Delete
	if h.others && !sure && !h.startup(path) || !strings.HasPrefix(path.text, "/") && !strings.HasPrefix(path.text, "..") && !sure || strings.HasPrefix(path.text, "//") || len(path.text) > longestPath {
		return
	}
	path.text = strings.TrimSuffix(path.text, "/...")
	at := h.v.locate(path, h.v.cwd)
	if !h.missed(at, kind, sure) && (at.zone != Anywhere || !sure || path.text[0] != hole) {
		return
	}
	if kind != Delete {
		h.v.noteAt(at, kind, h.v.name)
	}
	if h.clears && kind != Format {
		h.v.noteAt(at, Delete, h.v.name, Recursive)
	}
}

// missed reports a place outside of the project where somebody would miss something, or be surprised. Programs are shown what is the system's so that they find it.
func (h *handed) missed(at located, kind Kind, sure bool) bool {
	switch at.zone {
	case Home, Elsewhere, Above:
		return !at.in && (sure || kind == Format || !h.v.nowhere(at.path))
	case Secrets, Startup, Agent, Git, Device, System:
		_, home := within(h.v.at.Home, at.path)
		return sure || !at.in && (home || kind == Format)
	default:
		return false
	}
}

// nowhere reports a path that is the system's, or none at all: just get /users, jest -t '/users are listed'.
func (v *invocation) nowhere(path string) bool {
	first, _, more := strings.Cut(path[1:], "/")
	if topLevel(path) || !more && path != "/" || strings.Contains(path, " ") {
		return true
	}
	return v.at.Absent != nil && v.at.Absent("/"+first)
}

// strangers are the arguments before a subcommand of which the tables say nothing.
func (v *invocation) strangers() (list []value) {
	for _, a := range append(slices.Clip(v.ahead), v.args[:len(v.args)-len(v.rest)]...) {
		if _, text := divided(a.text); v.roleOf(text) == Ignored {
			list = append(list, a)
		}
	}
	return list
}
