package shell

import (
	"slices"
	"strings"
)

// apply reads the arguments by the program's grammar and notes what the program does with them.
func (s *shell) apply(p *Program, name string, args []value) value {
	v := &invocation{shell: s, prog: p, name: name}
	v.parse(args)
	return v.finish(args)
}

// finish notes what was parsed. The order matters: a folder that is changed to counts for every path.
func (v *invocation) finish(args []value) value {
	s := v.shell
	cwd, moved := s.cwd, s.moved
	if v.began.text == "" {
		v.began, v.astray = cwd, moved
	}
	defer func() { s.every(func(w *shell) { w.cwd, w.moved = cwd, moved }) }()
	s.moved = moved || !slices.Contains(staying, v.name)
	for _, u := range v.uses {
		if u.role == Changes {
			s.cwd = s.resolved(u.value)
		}
	}
	if v.restRole == Sub {
		if v.name == "git" {
			v.gitRuns()
		}
		return v.subcommand()
	}
	v.outward()
	if special := specials(v.prog.Special); special != nil {
		if out, done := special(v, args); done {
			return out
		}
	}
	return v.plainly()
}

// staying are the programs that run a command where they are started, or where an option says that is known.
var staying = []string{"env", "timeout", "nice", "ionice", "nohup", "stdbuf", "setsid", "sh", "bash", "zsh", "dash", "ksh"}

// plainly notes what the tables say, and returns what the program prints.
func (v *invocation) plainly() value {
	s := v.shell
	out := unknown(v.output())
	if v.setsUp() {
		out.from = settingUp
	}
	if v.dry {
		return out
	}
	v.leave()
	if len(v.operands) == 0 && v.rest == nil {
		for _, e := range v.prog.Bare {
			v.effect(e)
		}
	}
	out.from |= v.apply() &^ whole
	switch v.restRole {
	case Argv:
		out = s.run(v.rest)
	case Words:
		out = s.starts(words(v.rest))
	default:
	}
	return out
}

// subcommand goes on with what the first operand names.
func (v *invocation) subcommand() value {
	v.apply() // what the options before it do holds for every subcommand
	first := v.rest[0]
	if v.name == "cargo" && strings.HasPrefix(first.text, "+") && len(v.rest) > 1 { // which of those that are installed
		v.rest = v.rest[1:]
		first = v.rest[0]
	}
	name, ok := first.exact()
	if !ok {
		v.note(Unknown, v.name+" "+first.show(), "")
		return anything
	}
	p := v.prog.sub(name)
	if p == nil {
		v.note(Unknown, v.name+" "+first.show(), "")
		v.suspect(v.rest[1:])
		return unknown(v.taints(v.rest))
	}
	next := &invocation{shell: v.shell, prog: p, name: v.name + " " + name, traits: v.traits, flags: v.flags, dry: v.dry, effects: v.effects, ahead: v.strangers(), began: v.began, astray: v.astray}
	next.parse(v.rest[1:])
	return next.finish(v.rest[1:])
}

// leave notes what the program does whatever its values are, and what its options make it do.
func (v *invocation) leave() {
	for _, e := range append(slices.Clip(v.prog.Does), v.effects...) {
		v.effect(e)
	}
}

// effect notes one thing that the program does.
func (v *invocation) effect(e Effect) {
	if e.Kind == Format && v.rewriting() != inPlace || (e.Kind == Cloud || e.Kind == Listen) && v.has("checks") || e.Kind == Listen && slices.ContainsFunc(v.valuesOf(Listens), hosts) { // where else it would listen does not count
		return
	}
	f := Fact{Kind: e.Kind, Target: e.Target, Traits: append(slices.Clip(e.Traits), v.traits...), By: v.name}
	switch {
	case f.Target != "":
	case len(v.operands) > 0:
		f.Target = words(v.operands).show()
	case strings.Contains(v.name, " "): // a subcommand says what is done: docker volume prune
		f.Target = v.name
	}
	if e.Kind == Run {
		f.given = v.begun()
	}
	if e.Kind == Rewrite {
		f.given = v.inTree()
	}
	if e.Kind == Discard {
		v.discards(&f)
		return
	}
	v.fact(f)
	switch {
	case e.Kind == Run && len(v.written) > 0:
		v.justWritten()
	case e.Kind == Send:
		v.carry(fromSecret)
	case e.Kind == Publish || e.Kind == Cloud:
		v.carry(textOfSecret) // docker login --password-stdin
	}
}

// output are the taints of what the program prints.
func (v *invocation) output() taint {
	from := v.in.from
	if v.has("lists") && v.prog.Special != "refs" || v.name == "git status" {
		from |= ofFiles
	}
	switch v.prog.Prints {
	case "network":
		from |= fromNetwork
	case "decoder":
		from |= fromDecoder
	case "secret":
		from |= fromSecret
	case "nothing":
		from = 0
	case "no end":
		from = unending | flowing
	case "names": // of the files that it is asked about
		for _, o := range v.operands {
			if name := (value{strings.Trim(o.text, "^$"), o.from}); len(name.text) > 1 && v.locate(name, v.cwd).zone == Secrets {
				from |= toSecret
			}
		}
	}
	return from
}

// words are values with blanks between them.
func words(list []value) value {
	var b strings.Builder // a variable without quotation marks may be thousands of words
	var from taint
	for i, v := range list {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(v.text)
		if from |= v.from; b.Len() > 2*maxText {
			for _, rest := range list[i:] {
				from |= rest.from
			}
			return unknown(from)
		}
	}
	return value{b.String(), from}
}
