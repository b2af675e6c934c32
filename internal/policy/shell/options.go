package shell

import (
	"slices"
	"strings"
)

// invocation is one run of a program: its arguments, read by its grammar.
type invocation struct {
	*shell
	prog     *Program
	name     string // as it is shown: "git push"
	traits   []Trait
	flags    []string // what options have noted for the special handler
	dry      bool
	uses     []use   // what becomes of each value, in order
	args     []value // all of them
	ahead    []value // those before its subcommand
	operands []value // those that are no options
	effects  []Effect
	rest     []value // a command: what follows from an operand that is one
	restRole Role
	stop     bool  // what follows are arguments of what it runs
	nearby   bool  // all that it speaks to is on this machine
	began    value // the folder in which it was started
	astray   bool  // it may have been another
}

// use is a value and its role.
type use struct {
	role  Role
	value value
}

// parse reads the arguments by the program's grammar.
func (v *invocation) parse(args []value) {
	v.args = args
	for i := 0; i < len(args) && !v.stop; i++ {
		arg := args[i]
		switch {
		case arg.text == "--":
			v.plain(args[i+1:])
			return
		case v.prog.Style == Bundle && i == 0 && letterWord(arg.text):
			i = v.short(value{"-" + arg.text, arg.from}, args, i)
		case arg.text != "" && arg.text[0] == '/' && v.slashed(arg):
		case len(arg.text) < 2 || arg.text[0] != '-':
			if v.plain(args[i : i+1]) {
				v.rest = args[i:]
				return
			}
			if v.stop {
				v.rest = args[i+1:]
			}
		case strings.HasPrefix(arg.text, "--") || v.prog.Style == Single:
			i = v.long(arg, args, i)
		default:
			i = v.short(arg, args, i)
		}
	}
}

// slashed takes an option that begins with a slash, and has its value behind a colon: /p:NAME=VALUE.
func (v *invocation) slashed(arg value) bool {
	name, text, valued := strings.Cut(arg.text, ":")
	if valued {
		name += ":"
	}
	o := v.exactOption(name)
	if o != nil {
		v.act(o, name, value{text, arg.from})
	}
	return o != nil
}

// plain takes operands, and reports whether one of them begins a command.
func (v *invocation) plain(args []value) bool {
	for i, arg := range args {
		switch role := v.prog.operand(len(v.operands)); role {
		case Argv, Words, Sub:
			v.rest, v.restRole = args[i:], role
			return true
		default:
			v.operands = append(v.operands, arg)
			v.uses = append(v.uses, use{role, arg})
			if role == Runs || strings.HasPrefix(string(role), "run:") {
				v.rest, v.stop = args[i+1:], true
				return false
			}
		}
	}
	return false
}

// letterWord reports letters without a dash, as in tar xzf.
func letterWord(s string) bool {
	return s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
}

// long reads --name, --name=value and --name value, or with one dash where the program has it so.
func (v *invocation) long(arg value, args []value, i int) int {
	if o := v.exactOption(arg.text); o != nil && o.Value != Required {
		v.act(o, arg.text, value{})
		return i
	}
	if name, text, ok := strings.Cut(arg.text, ":"); ok {
		if o := v.exactOption(name + ":"); o != nil { // -javaagent:x.jar
			v.act(o, name+":", value{text, arg.from})
			return i
		}
	}
	name, text, attached := strings.Cut(arg.text, "=")
	found := v.lookup(name)
	if whole, _, part := strings.Cut(name, "."); part && found == nil { // --outputFile.json is a part of --outputFile
		found = v.lookup(whole)
	}
	if found == nil {
		v.stray(arg, len(args))
		return i
	}
	val := value{text, arg.from}
	for _, o := range found {
		if o.Value == Required && !attached {
			if i+1 < len(args) {
				val = args[i+1]
			}
			i++
			attached = true
			if !slices.Contains(o.Names, name) {
				v.behind(val, args[min(i+1, len(args)):])
			}
		}
		v.act(o, name, val)
	}
	return i
}

// behind does what an option stands for in the place of the value of one that is only the beginning of a name: the program may know none by their beginnings.
func (v *invocation) behind(arg value, rest []value) {
	name, text, attached := strings.Cut(arg.text, "=")
	o := v.exactOption(name)
	if o == nil {
		return
	}
	val := value{text, arg.from}
	if o.Value == Required && !attached && len(rest) > 0 {
		val = rest[0]
	}
	v.act(o, name, val)
}

// lookup finds an option by its name, or by the beginning of its name, which getopt_long takes as well. Of several that begin
// alike all are meant: the program would refuse them, but its next version may not.
func (v *invocation) lookup(name string) []*Option {
	var begin []*Option
	for i := range v.prog.Options {
		o := &v.prog.Options[i]
		for _, n := range o.Names {
			if n == name || v.prog.Style == Single && n == strings.TrimPrefix(name, "-") {
				return []*Option{o}
			}
			if len(name) > 2 && strings.HasPrefix(n, name) && !slices.Contains(begin, o) {
				begin = append(begin, o)
			}
		}
	}
	return begin
}

// short reads a word of short options: -rf, -ofile, -o file.
func (v *invocation) short(arg value, args []value, i int) int {
	if whole := v.exactOption(arg.text); whole != nil { // a word that is one option, as find's and clang's are
		val := value{}
		if whole.Value == Required && i+1 < len(args) {
			i++
			val = args[i]
		}
		v.act(whole, arg.text, val)
		return i
	}
	if name, text, ok := strings.Cut(arg.text, "="); ok && len(name) > 2 {
		if whole := v.exactOption(name); whole != nil && whole.Value != None {
			v.act(whole, name, value{text, arg.from})
			return i
		}
	}
	for j := 1; j < len(arg.text); j++ {
		o := v.exactOption("-" + arg.text[j:j+1])
		if o == nil {
			v.stray(value{"-" + arg.text[j:j+1], arg.from}, len(args))
			continue
		}
		rest := value{arg.text[j+1:], arg.from}
		if len(rest.text) > 1 { // an equals sign alone is the value: awk -F=
			rest.text = strings.TrimPrefix(rest.text, "=")
		}
		switch {
		case o.Value == None:
			v.act(o, "-"+arg.text[j:j+1], value{})
			continue
		case rest.text == "" && o.Value == Required && i+1 < len(args):
			i++
			rest = args[i]
		}
		v.act(o, "-"+arg.text[j:j+1], rest)
		break
	}
	return i
}

func (v *invocation) exactOption(name string) *Option {
	for i := range v.prog.Options {
		if slices.Contains(v.prog.Options[i].Names, name) {
			return &v.prog.Options[i]
		}
	}
	return nil
}

// given reports a value with a role.
func (v *invocation) given(role Role) bool {
	return slices.ContainsFunc(v.uses, func(u use) bool { return u.role == role })
}

// valuesOf are the values with a role.
func (v *invocation) valuesOf(role Role) (values []value) {
	for _, u := range v.uses {
		if u.role == role {
			values = append(values, u.value)
		}
	}
	return values
}

// has reports what an option has noted.
func (v *invocation) has(flag string) bool { return slices.Contains(v.flags, flag) }

// stray is an option that the program's table does not have.
func (v *invocation) stray(arg value, of int) {
	if of == 1 && (arg.text == "--help" || arg.text == "--version") {
		v.dry = true
		return
	}
	if v.prog.Strict || arg.holed() {
		v.note(Unknown, "option "+arg.show(), v.name)
	}
}

// act does what an option stands for, which was given by one of its names. Where a part of the value has a role, the whole has it no more.
func (v *invocation) act(o *Option, name string, val value) {
	begin := len(v.uses)
	for _, a := range o.Acts {
		if kind, ok := strings.CutSuffix(a, "!"); ok {
			kind, target, _ := strings.Cut(kind, ":")
			e := Effect{Kind: Kind(kind)}
			var trait string
			if e.Target, trait, ok = strings.Cut(target, "+"); ok {
				e.Traits = []Trait{Trait(trait)}
			}
			v.effects = append(v.effects, e)
			continue
		}
		switch Trait(a) {
		case dry:
			v.dry = true
		case last:
			v.stop = true
		case Recursive, Forced, Glob, Vague, Secret, Open, Local, Declared, Named:
			v.traits = append(v.traits, Trait(a))
		default:
			switch {
			case Role(a) == Asks:
				v.note(Unknown, v.name+" "+name, v.name)
			case slices.Contains(flags, a):
				v.flags = append(v.flags, a)
			case strings.HasPrefix(a, partOf):
				v.uses = append(v.uses, parts(a, val)...)
			case !slices.ContainsFunc(v.uses[begin:], func(u use) bool { return u.role == Role(a) }):
				v.uses = append(v.uses, use{Role(a), val})
			}
		}
	}
}

// parts are those of a value that have a role of their own, as "part:write:=…," says: what stands between an equals sign and a comma, or the end, is
// a file that is written.
func parts(act string, val value) (uses []use) {
	role, template, _ := strings.Cut(strings.TrimPrefix(act, partOf), ":")
	before, after, _ := strings.Cut(template, "…")
	for rest, more := val.text, true; more; {
		if _, rest, more = strings.Cut(rest, before); !more {
			break
		}
		part := rest
		if more = after != ""; more {
			part, rest, _ = strings.Cut(rest, after)
		}
		if strings.HasSuffix(before, "/") { // of an absolute path
			part = "/" + part
		}
		uses = append(uses, use{Role(role), value{part, val.from}})
	}
	return uses
}
