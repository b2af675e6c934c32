package shell

import (
	"slices"
	"strings"
)

// machineSpecials are programs that look at the machine and its data, and with some arguments change them.
func machineSpecials(name string) special {
	switch name {
	case "printenv":
		return printEnv
	case "names-secret":
		return namesSecret
	case "reference":
		return likeReference
	case "sysctl":
		return kernelSettings
	case "tasks":
		return tasks
	case "ps":
		return processes
	case "mount":
		return mounts
	case "pkill":
		return pkill
	case "mktemp":
		return makeTemp
	case "contained":
		return contained
	}
	return nil
}

// contained is what is done with the project's own containers; what a command does in one that runs already, or that is made for it, is judged as if it did it here. Whose they are on another
// machine, or in another project, nobody knows: that is not what a rule about them speaks of.
func contained(v *invocation, _ []value) (value, bool) {
	if _, context := v.vars.get("DOCKER_CONTEXT"); context || v.has("anywhere") {
		v.note(Service, "a container elsewhere", v.name+" elsewhere")
	}
	if strings.HasSuffix(v.name, " run") && v.rest == nil { // what the service itself does
		v.note(Service, words(v.operands).show(), v.name)
	}
	return value{}, false
}

// makeTemp is mktemp: the name that it prints is new, and lies where its template says. With options that say otherwise it is not known.
func makeTemp(v *invocation, args []value) (value, bool) {
	template, inTemp := "", false
	for _, a := range args {
		text, ok := a.exact()
		switch letters, short := strings.CutPrefix(text, "-"); {
		case !ok:
			return value{}, false
		case text == "--directory" || text == "--quiet" || text == "--dry-run":
		case short && letters != "" && strings.Trim(letters, "dqut") == "":
			inTemp = inTemp || strings.Contains(letters, "t")
		case short || template != "":
			return value{}, false
		default:
			template = text
		}
	}
	in, ok := v.variable("TMPDIR")
	if folder, exact := in.exact(); !ok || !exact || folder == "" {
		return value{}, false
	}
	if template == "" {
		template, inTemp = "tmp.XXXXXXXXXX", true
	}
	name := strings.TrimRight(template, "X")
	if len(template)-len(name) < 3 {
		return value{}, false
	}
	name += strings.Repeat("q", len(template)-len(name)) // as good as any: what several of them hold is kept side by side
	if inTemp {
		return in.plus(known("/" + name + "\n")), true
	}
	return known(name + "\n"), true
}

// kernelSettings is sysctl reads the kernel's settings, or changes them.
func kernelSettings(v *invocation, args []value) (value, bool) {
	for _, a := range args {
		if strings.Contains(a.text, "=") || a.text == "-w" || slices.Contains([]string{"-p", "-f", "--load", "--system"}, a.text) {
			v.effects = append(v.effects, Effect{Kind: Privilege})
		}
	}
	return value{}, false
}

// tasks is the tasks of a project that throw its data away.
func tasks(v *invocation, _ []value) (value, bool) {
	own := value{text: v.name[strings.LastIndexByte(v.name, ' ')+1:]} // a subcommand is a task itself
	for _, o := range append([]value{own}, v.operands...) {
		for _, word := range []string{"drop", "reset", "fresh", "purge", "flush"} {
			if strings.Contains(o.text, word) {
				v.note(Data, o.show(), v.name)
			}
		}
		if v.name == "sbt" && (strings.HasPrefix(o.text, "publish") || o.text == "release") {
			v.note(Publish, o.show(), v.name)
		}
		for command := range strings.SplitSeq(o.text, ";") { // sbt takes several in one word, of which set and eval are given Scala
			word, _, _ := strings.Cut(strings.TrimSpace(command), " ")
			if slices.Contains([]string{"eval", "rpc", "cmd", "console", "-e", "--eval"}, word) || v.name == "sbt" && word == "set" {
				v.note(Code, o.show(), v.name)
			}
		}
	}
	return foundRecipes(v, nil)
}

// processes is ps: with the letter e in a word without a dash it shows the environment of each.
func processes(_ *invocation, args []value) (value, bool) {
	if len(args) > 0 && letterWord(args[0].text) && strings.Contains(args[0].text, "e") {
		return value{}, false
	}
	return anything, true
}

// mounts is mount without operands only shows.
func mounts(v *invocation, _ []value) (value, bool) {
	if len(v.operands) > 0 {
		v.effects = append(v.effects, Effect{Kind: Privilege})
	}
	return value{}, false
}

// printEnv shows the environment, or one variable of it.
func printEnv(v *invocation, _ []value) (value, bool) {
	for _, o := range v.operands {
		if secretVariable(o.text) || o.holed() {
			v.note(Print, o.show(), v.name)
			return unknown(fromSecret), true
		}
	}
	if len(v.operands) == 0 {
		v.note(Print, "the environment", v.name)
		return unknown(fromSecret), true
	}
	return unknown(0), true
}

// namesSecret is a program that tells what is kept under a name.
func namesSecret(v *invocation, _ []value) (value, bool) {
	if len(v.operands) == 0 {
		return value{}, false
	}
	return printEnv(v, nil)
}

// pkill ends processes by name; those of what watches over this are not its to end.
func pkill(v *invocation, _ []value) (value, bool) {
	for _, o := range v.operands {
		for _, name := range []string{"fettle", "guard", "claude", "codex"} {
			if strings.Contains(o.text, name) || o.holed() {
				v.note(Protects, v.name+" "+o.show(), v.name)
				return value{}, true
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
