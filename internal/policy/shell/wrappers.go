package shell

import (
	slashpath "path"
	"slices"
	"strings"
)

// wrapperSpecials are programs that run others, or code, in a form of their own.
func wrapperSpecials(name string) special {
	switch name {
	case "node":
		return node
	case "perl":
		return oneLiner
	case "counted":
		return func(v *invocation, _ []value) (value, bool) {
			if len(v.rest) > 1 && strings.Trim(v.rest[0].text, "0123456789,-xabcdef") == "" {
				v.rest = v.rest[1:]
			}
			return value{}, false
		}
	case "settings-first":
		return settingsFirst
	case "flexible":
		return func(v *invocation, _ []value) (value, bool) {
			v.suspect(v.operands)
			return value{}, false
		}
	case "stdin-script":
		return func(v *invocation, _ []value) (value, bool) {
			if !v.in.empty() && !v.dry {
				v.script(v.fork(), v.in)
			}
			return value{}, false
		}
	case "nodemon":
		return manyCommands
	case "maven":
		return maven
	case "uvrun":
		return uvRun
	case "fd":
		return fd
	}
	return nil
}

// node is node: with --test it runs the project's tests, and without code and file it reads standard input.
func node(v *invocation, args []value) (value, bool) {
	if has2(args, "--test") || has2(args, "--run") {
		v.fact(Fact{Kind: Run, Target: "node --test"})
		return anything, true
	}
	for _, u := range v.uses {
		if u.role == Reads {
			return value{}, false // node --check
		}
	}
	return interpreter(v, args)
}

// oneLiner is perl and ruby: with -e the operands are files that are read, or changed with -i.
func oneLiner(v *invocation, args []value) (value, bool) {
	code := slices.ContainsFunc(v.uses, func(u use) bool { return strings.HasPrefix(string(u.role), "code:") })
	if !code {
		return interpreter(v, args)
	}
	role := Reads
	if slices.ContainsFunc(v.uses, func(u use) bool { return u.role == InPlace }) {
		role = Writes
	}
	for i, u := range v.uses {
		if strings.HasPrefix(string(u.role), "run:") {
			v.uses[i].role = role
		}
	}
	for _, r := range v.rest {
		v.uses = append(v.uses, use{role, r})
	}
	v.rest = nil
	return value{}, false
}

// settingsFirst takes NAME=VALUE before the command, as sudo and cross-env do.
func settingsFirst(v *invocation, _ []value) (value, bool) {
	for len(v.rest) > 0 {
		name, text, ok := strings.Cut(v.rest[0].text, "=")
		if !ok || strings.ContainsAny(name, "/- ") {
			break
		}
		v.environment(name, value{text, v.rest[0].from})
		v.rest = v.rest[1:]
	}
	if v.name == "cross-env-shell" {
		v.restRole = Words
	}
	return value{}, false
}

// manyCommands are programs whose operands are commands: concurrently "npm start" "npm test".
func manyCommands(v *invocation, _ []value) (value, bool) {
	if v.name == "concurrently" || v.name == "nodemon" && len(v.operands) > 0 && strings.Contains(v.operands[0].text, " ") {
		for _, o := range v.operands {
			v.script(v.fork(), o)
		}
	}
	if v.name == "nodemon" || v.name == "concurrently" {
		for _, u := range v.uses {
			if u.role == Script {
				return value{}, false
			}
		}
	}
	return value{}, false
}

// maven publishes with some goals, and runs any program with others.
func maven(v *invocation, _ []value) (value, bool) {
	for _, o := range v.operands {
		switch goal := o.text; {
		case goal == "deploy" || strings.HasPrefix(goal, "publish") || strings.HasPrefix(goal, "release:") || strings.HasPrefix(goal, "deploy:"):
			v.fact(Fact{Kind: Publish, Target: v.name + " " + o.show(), By: v.name})
		case strings.HasPrefix(goal, "exec:") || strings.Contains(goal, "exec-maven-plugin"):
			v.fact(Fact{Kind: Code, Target: o.show(), By: v.name})
		}
	}
	return value{}, false
}

// uvRun is uv run: a program of the environment, or a file of Python.
func uvRun(v *invocation, _ []value) (value, bool) {
	if len(v.rest) > 0 && strings.HasSuffix(v.rest[0].text, ".py") {
		return v.runFile(v.rest[0], "python", v.rest[1:]), true
	}
	return value{}, false
}

// fd runs a command for what it finds.
func fd(v *invocation, args []value) (value, bool) {
	for i, a := range args {
		switch a.text {
		case "-x", "-X", "--exec", "--exec-batch":
			v.fork().run(append(slices.Clone(args[i+1:]), known(v.cwd.text+"/"+string(hole))))
			return anything, true
		}
	}
	return value{}, false
}

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
		return func(v *invocation, _ []value) (value, bool) {
			if slices.ContainsFunc(v.uses, func(u use) bool { return u.role == InPlace }) {
				for i := range v.uses {
					if v.uses[i].role == Reads {
						v.uses[i].role = Writes
					}
				}
			}
			return value{}, false
		}
	case "printenv":
		return printEnv
	case "restore":
		return func(v *invocation, _ []value) (value, bool) {
			if !v.has("staged") || v.has("worktree") {
				v.effects = append(v.effects, Effect{Kind: Discard})
			}
			return value{}, false
		}
	case "mount":
		return func(v *invocation, _ []value) (value, bool) {
			if len(v.operands) > 0 {
				v.effects = append(v.effects, Effect{Kind: Privilege})
			}
			return value{}, false
		}
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
		if short && strings.ContainsAny(a.text, letters) || slices.Contains(long, a.text) {
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

// networkSpecials are programs that send and load in a form of their own.
func networkSpecials(name string) special {
	switch name {
	case "httpie":
		return httpie
	case "scp":
		return scp
	case "netinfo":
		return netInfo
	case "listing":
		return listing
	case "anyfile":
		return anyFile
	case "socat":
		return socat
	}
	return nil
}

// httpie takes the method before the address. A method that changes something sends.
func httpie(v *invocation, _ []value) (value, bool) {
	if len(v.operands) > 1 && strings.ToUpper(v.operands[0].text) == v.operands[0].text && letterWord(v.operands[0].text) {
		method := v.operands[0].text
		v.uses = slices.DeleteFunc(v.uses, func(u use) bool { return u.value == v.operands[0] })
		for i, u := range v.uses {
			if u.value == v.operands[1] {
				v.uses[i].role = Fetches
			}
		}
		if method != "GET" && method != "HEAD" && method != "OPTIONS" {
			v.network(Send, v.operands[1])
		}
	}
	return value{}, false
}

// scp copies between machines, or on this one: the last operand is where to.
func scp(v *invocation, _ []value) (value, bool) {
	n := len(v.operands)
	if n < 2 {
		return value{}, false
	}
	to := v.operands[n-1]
	elsewhere := func(p value) bool {
		i := strings.IndexByte(p.text, ':')
		return i > 0 && !strings.Contains(p.text[:i], "/")
	}
	if elsewhere(to) {
		return value{}, false
	}
	from := taint(0)
	for _, o := range v.operands[:n-1] {
		if elsewhere(o) {
			v.network(Fetch, value{o.text[:strings.IndexByte(o.text, ':')], o.from})
			from |= fromNetwork
		} else {
			from |= v.readFile(o, v.name).from
		}
	}
	v.uses = slices.DeleteFunc(v.uses, func(u use) bool { return u.role == Remotes })
	at := v.locate(to, v.cwd)
	v.fact(Fact{Kind: Write, Target: at.path, Zone: at.zone, Traits: slices.Clone(v.traits), By: v.name}.at(at))
	v.remember(at, unknown(from), false)
	return value{}, false
}

// netInfo asks about the network. A secret in a name that is asked for leaves with it; some of these programs also change things.
func netInfo(v *invocation, _ []value) (value, bool) {
	for _, o := range v.operands {
		switch {
		case o.from&fromSecret != 0:
			v.fact(Fact{Kind: Send, Target: o.show(), Traits: []Trait{Secret}, By: v.name})
		case slices.Contains([]string{"set", "add", "del", "delete", "flush", "down", "up", "change", "replace", "connect", "disconnect"}, o.text):
			v.fact(Fact{Kind: Power, Target: "the network", By: v.name})
		}
	}
	return value{}, false
}

// listing is a program of some cloud: with a word that only shows, nothing is changed.
func listing(v *invocation, _ []value) (value, bool) {
	for i, o := range v.operands {
		if strings.Contains(o.text, "secret") || strings.Contains(o.text, "token") {
			return value{}, false
		}
		switch o.text {
		case "list", "ls", "show", "status", "info", "describe", "logs", "version", "whoami", "ps", "help", "versions", "inspect":
			if i < 4 {
				v.dry = true
			}
		}
	}
	return value{}, false
}

// anyFile sends whatever files are named.
func anyFile(v *invocation, _ []value) (value, bool) {
	for _, o := range v.operands {
		if strings.ContainsAny(o.text, "/.~") && !strings.Contains(o.text, "://") {
			v.upload(o)
		}
	}
	return value{}, false
}

// socat and its kin connect a program with the network.
func socat(v *invocation, _ []value) (value, bool) {
	for _, o := range v.operands {
		upper := strings.ToUpper(o.text)
		if strings.HasPrefix(upper, "EXEC:") || strings.HasPrefix(upper, "SYSTEM:") || strings.HasPrefix(upper, "SHELL:") {
			v.fact(Fact{Kind: Shell, Target: slashpath.Base(o.show()), By: v.name})
		}
		if strings.Contains(upper, "LISTEN") {
			v.fact(Fact{Kind: Listen, By: v.name})
		}
	}
	return value{}, false
}
