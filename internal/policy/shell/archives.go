package shell

import (
	"slices"
	"strings"
)

// fileSpecials are programs whose operands change their meaning.
func fileSpecials(name string) special {
	switch name {
	case "tar":
		return tar
	case "zip":
		return zip
	case "extract":
		return extract
	case "pager":
		return pager
	case "pattern":
		return pattern
	case "yq":
		return editsYAML
	case "printenv":
		return printEnv
	case "reference":
		return likeReference
	case "gitrm":
		return removes
	case "sysctl":
		return kernelSettings
	case "tasks":
		return tasks
	case "restore":
		return restore
	case "mount":
		return mounts
	case "pkill":
		return pkill
	}
	return nil
}

// tar packs or unpacks, by its letters.
func tar(v *invocation, args []value) (value, bool) {
	packs := tarDoes(args, "crAu", "--create", "--append", "--concatenate", "--update", "--delete")
	if !packs && tarDoes(args, "x", "--extract", "--get") {
		v.unpack()
	}
	archive := Reads
	if packs {
		archive = Writes
		v.traits = append(v.traits, Recursive)
	}
	uses := v.uses[:0:0]
	for _, u := range v.uses {
		switch u.role {
		case Archive:
			if i := strings.IndexByte(u.value.text, ':'); i > 0 && !strings.Contains(u.value.text[:i], "/") {
				v.network(Send, value{u.value.text[:i], u.value.from}) // HOST:FILE
				continue
			}
			uses = append(uses, use{archive, u.value})
		case Reads:
			if packs { // else it is a name within the archive
				uses = append(uses, u)
			}
		default:
			uses = append(uses, u)
		}
	}
	v.uses = uses
	from := v.apply()
	for _, e := range v.effects {
		v.effect(e)
	}
	return unknown(from | v.in.from), true
}

// tarDoes reports one of some letters among tar's options, or one of the long names.
func tarDoes(args []value, letters string, long ...string) bool {
	for i, a := range args {
		short := strings.HasPrefix(a.text, "-") && !strings.HasPrefix(a.text, "--") || i == 0 && letterWord(a.text)
		if short && strings.ContainsAny(a.text, letters) {
			return true
		}
		if len(a.text) > 3 && slices.ContainsFunc(long, func(l string) bool { return strings.HasPrefix(l, a.text) }) {
			return true
		}
	}
	return false
}

// unpack notes that files come into the folder where the program works.
func (v *invocation) unpack() {
	at := v.locate(known("."), v.cwd)
	if at.path != v.at.Root {
		v.fact(Fact{Kind: Write, Target: at.path, Zone: at.zone, Traits: []Trait{Recursive}, By: v.name}.at(at))
	}
}

// zip packs; with -m what was packed is deleted.
func zip(v *invocation, _ []value) (value, bool) {
	if v.has("moves") {
		for i, u := range v.uses {
			if u.role == Reads {
				v.uses[i].role = Deletes
			}
		}
		v.traits = append(v.traits, Recursive)
	}
	return value{}, false
}

// extract unpacks into a folder, or into the one where it works.
func extract(v *invocation, _ []value) (value, bool) {
	if v.dry {
		v.dry = false
		return value{}, false
	}
	if !slices.ContainsFunc(v.uses, func(u use) bool { return u.role == IntoDir }) {
		v.unpack()
	}
	return value{}, false
}

// pager runs commands that stand behind a plus sign: less '+!cmd'.
func pager(v *invocation, args []value) (value, bool) {
	for _, a := range args {
		if strings.HasPrefix(a.text, "+") && strings.ContainsAny(a.text, "!|") {
			_, command, _ := cutAny(a.text, "!|")
			v.script(v.fork(), value{command, a.from})
		}
	}
	return textTools("text")(v, args)
}

// pattern is grep and its kin: where an option says what is looked for, the first operand is a file.
func pattern(v *invocation, _ []value) (value, bool) {
	if slices.ContainsFunc(v.uses, func(u use) bool { return u.role == Binding }) {
		for i := range v.uses {
			if v.uses[i].role == Ignored {
				v.uses[i].role = Reads
			}
		}
	}
	return value{}, false
}

// printEnv shows the environment, or one variable of it.
func printEnv(v *invocation, _ []value) (value, bool) {
	for _, o := range v.operands {
		if secretVariable(o.text) || o.holed() {
			v.fact(Fact{Kind: Print, Target: o.show(), By: v.name})
			return unknown(fromSecret), true
		}
	}
	if len(v.operands) == 0 {
		v.fact(Fact{Kind: Print, Target: "the environment", By: v.name})
		return unknown(fromSecret), true
	}
	return unknown(0), true
}

// pkill ends processes by name; those of what watches over this are not its to end.
func pkill(v *invocation, _ []value) (value, bool) {
	for _, o := range v.operands {
		for _, name := range []string{"fettle", "guard", "claude", "codex"} {
			if strings.Contains(o.text, name) || o.holed() {
				v.fact(Fact{Kind: Protects, Target: v.name + " " + o.show(), By: v.name})
				return value{}, true
			}
		}
	}
	return value{}, false
}

// editsYAML is yq: with a word for the command before the expression, and with -i it changes its files.
func editsYAML(v *invocation, _ []value) (value, bool) {
	if len(v.operands) > 1 && has([]string{"e", "eval", "ea", "eval-all"}, v.operands[0].text) {
		v.uses = slices.DeleteFunc(v.uses, func(u use) bool { return u.value == v.operands[1] })
	}
	if slices.ContainsFunc(v.uses, func(u use) bool { return u.role == InPlace }) {
		for i := range v.uses {
			if v.uses[i].role == Reads {
				v.uses[i].role = Writes
			}
		}
	}
	return value{}, false
}

// likeReference is chmod and chown: with --reference the mode, or the owner, is that of a file, and every operand is changed.
func likeReference(v *invocation, _ []value) (value, bool) {
	if v.has("reference") { // the mode, or the owner, is that of a file: every operand is changed
		for i, u := range v.uses {
			if u.role == Mode || u.role == Ignored {
				v.uses[i].role = v.prog.operand(len(v.prog.Operands))
			}
		}
	}
	return value{}, false
}

// removes is git rm keeps what was committed; what steers agents, or runs by itself, is no matter of history.
func removes(v *invocation, _ []value) (value, bool) {
	for _, o := range v.operands {
		if at := v.locate(o, v.cwd); at.zone == Agent || at.zone == Startup || at.zone == Above {
			v.fact(Fact{Kind: Delete, Target: at.path, Zone: at.zone, By: v.name}.at(at))
		}
	}
	return value{}, false
}

// kernelSettings is sysctl reads the kernel's settings, or changes them.
func kernelSettings(v *invocation, args []value) (value, bool) {
	for _, a := range args {
		if strings.Contains(a.text, "=") || a.text == "-w" || has([]string{"-p", "-f", "--load", "--system"}, a.text) {
			v.effects = append(v.effects, Effect{Kind: Privilege})
		}
	}
	return value{}, false
}

// tasks is the tasks of a project that throw its data away.
func tasks(v *invocation, _ []value) (value, bool) {
	for _, o := range v.operands {
		for _, word := range []string{"drop", "reset", "fresh", "purge", "flush"} {
			if strings.Contains(o.text, word) {
				v.fact(Fact{Kind: Data, Target: o.show(), By: v.name})
			}
		}
	}
	return value{}, false
}

// restore is git restore throws changes away, unless it only takes them out of the index.
func restore(v *invocation, _ []value) (value, bool) {
	if !v.has("staged") || v.has("worktree") {
		v.discard()
	}
	return value{}, false
}

// mounts is mount without operands only shows.
func mounts(v *invocation, _ []value) (value, bool) {
	if len(v.operands) > 0 {
		v.effects = append(v.effects, Effect{Kind: Privilege})
	}
	return value{}, false
}
