package shell

import (
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
		return stdinScript
	case "npx", "just", "commands", "nodemon", "gorun", "railsrunner", "either", "itself", "recipes", "builds", "cmake", "tests", "gotests", "cargo", "filter", "argfile", "tsc", "foreign", "wrapped":
		return runnerSpecials(name)
	case "pip":
		return pip
	case "patch":
		return patch
	case "trees", "jq", "dc", "magick", "tex", "outputs":
		return evaluatorSpecials(name)
	case "maven":
		return maven
	case "envrun":
		return envRun
	case "version":
		return version
	case "ghapi":
		return apiQuery
	case "fd":
		return fd
	}
	return nil
}

// stdinScript is a program that hands what it reads to a shell, unless it is told what to run.
func stdinScript(v *invocation, _ []value) (value, bool) {
	if !v.in.empty() && !v.dry && v.rest == nil && !v.given(Script) && !v.given("run:sh") {
		v.starts(v.in)
	}
	return value{}, false
}

// node is node: with --test it runs the project's tests, and without code and file it reads standard input.
func node(v *invocation, args []value) (value, bool) {
	if contains(args, "--test") || contains(args, "--run") {
		for _, u := range v.uses { // where it writes its reports, and what it loads before the tests
			if u.role == Writes {
				v.change(Writes, u.value)
			} else if !v.operand(u.value.text) {
				v.reach(u)
			}
		}
		runTests(v, args)
		v.byThemselves()
		v.note(Run, "node --test", "")
		return anything, true
	}
	if v.given(Reads) { // node --check
		return value{}, false
	}
	if slices.ContainsFunc(v.uses, func(u use) bool { return strings.HasPrefix(string(u.role), "code:") }) { // what follows is for the code
		operands := len(v.operands)
		for i := len(v.uses) - 1; i >= 0 && operands > 0; i-- {
			if last := v.operands[operands-1]; v.uses[i] == (use{"run:javascript", last}) {
				v.uses = slices.Delete(v.uses, i, i+1)
				operands--
			}
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
	if at := slices.Index(args, known("-run")); at >= 0 && at+2 < len(args) && args[at+1].text == "-e" { // the library un has programs of the shell as code
		return v.run(append([]value{args[at+2]}, slices.DeleteFunc(args[at+3:], func(a value) bool { return a.text == "--" })...)), true
	}
	role := Reads
	if v.given(InPlace) {
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
	if len(v.rest) == 0 && !v.dry && v.in != anything { // many of these start a shell then, for what is piped in
		v.starts(v.in)
	}
	return value{}, false
}

// version is npm version: it records the new one in a commit with a tag, or only in package.json, or without an operand shows which there are.
func version(v *invocation, _ []value) (value, bool) {
	switch {
	case len(v.operands) == 0 || v.dry:
	case v.has("keeps"):
		v.note(Format, "the sources", v.name)
	default:
		v.note(Rewrite, "a version", v.name)
	}
	return value{}, false
}

// plugins are groups of Maven's own plugins, and of those that nearly every project has.
var plugins = []string{"org.apache.maven.", "org.codehaus.mojo:", "org.springframework.boot:", "org.jacoco:", "com.diffplug.spotless:", "io.quarkus"}

// maven publishes with some goals, and runs any program with others.
func maven(v *invocation, _ []value) (value, bool) {
	v.uses = slices.DeleteFunc(v.uses, func(u use) bool { // where they keep what they have loaded, unless an option says otherwise
		folder, below := within(v.at.Home, v.locate(u.value, v.cwd).path)
		return u.role == Writes && below && (strings.HasPrefix(folder, ".m2/") || folder == ".gradle" || strings.HasPrefix(folder, ".gradle/"))
	})
	for _, o := range v.operands {
		goal := o.text
		if strings.HasPrefix(v.name, "gradle") { // a task of a project below: :core:publish
			goal = goal[strings.LastIndexByte(goal, ':')+1:]
		}
		switch {
		case goal == "publishToMavenLocal": // the folder from which this machine's other projects take it
		case goal == "deploy" || strings.HasPrefix(goal, "publish") || strings.HasPrefix(goal, "release:") || strings.HasPrefix(goal, "deploy:"):
			v.note(Publish, v.name+" "+o.show(), v.name)
		case strings.HasPrefix(goal, "exec:") || strings.Contains(goal, "exec-maven-plugin"):
			v.note(Code, o.show(), v.name)
		case strings.Count(goal, ":") > 1 && strings.HasPrefix(v.name, "mvn") && !slices.ContainsFunc(plugins, func(group string) bool { return strings.HasPrefix(goal, group) }):
			v.note(Install, o.show(), v.name) // a plugin by where it comes from, which need not be the project's
		}
	}
	if !v.dry {
		v.ownTests(nil)
		v.sources(everything, "java")
	}
	return value{}, false
}

// envRun is uv run, poetry run and their kin: a program of the environment, a file of Python, or a script of the project's own.
func envRun(v *invocation, _ []value) (value, bool) {
	if v.name == "uv run" { // it builds the project first
		v.byThemselves()
	}
	if v.name == "hatch run" {
		v.rest = inEnvironment(v.rest)
	}
	switch {
	case len(v.rest) == 0:
	case strings.HasSuffix(v.rest[0].text, ".py"), v.rest[0].text == "-":
		v.leave()
		return v.runFile(v.rest[0], "python", v.rest[1:]), true
	case v.ownScript():
		v.leave()
		v.byThemselves()
		v.note(Run, v.name+" "+v.rest[0].show(), "")
		return unknown(v.taints(v.rest)), true
	}
	return value{}, false
}

// inEnvironment takes away what says for hatch where a command runs: +python=3.12, and the environment before a colon.
func inEnvironment(rest []value) []value {
	for len(rest) > 0 && strings.HasPrefix(rest[0].text, "+") {
		rest = rest[1:]
	}
	if len(rest) == 0 {
		return nil
	}
	if name, script, ok := strings.Cut(rest[0].text, ":"); ok && !strings.Contains(name, "/") {
		rest = append([]value{{script, rest[0].from}}, rest[1:]...)
	}
	return rest
}

// ownScript reports a command by a name that no program has: the project's manifest says what it is. Arguments that may lead out of the project are no script's.
func (v *invocation) ownScript() bool {
	name, exact := v.rest[0].exact()
	if !exact || strings.Trim(name, nameLetters+"-:") != "" || v.policy.program(name) != nil || builtin(name) != nil {
		return false
	}
	return !slices.ContainsFunc(v.rest[1:], func(a value) bool {
		return a.holed() || strings.ContainsAny(a.text, "~ ;|&") || strings.Contains(a.text, "..") || strings.HasPrefix(a.text, "/") || slices.Contains(destroyers, a.text)
	})
}

// fd runs a command for what it finds, as find does.
func fd(v *invocation, args []value) (value, bool) {
	suffix, hidden := "", false
	for i, a := range args {
		if command, ok := batch(args, i); ok {
			before := &invocation{shell: v.shell, prog: v.prog, name: v.name}
			before.parse(args[:i])
			f := finder{invocation: before, paths: before.operands[min(1, len(before.operands)):]}
			if len(f.paths) == 0 {
				f.paths = []value{v.cwd}
			}
			f.name = before.searched(suffix)
			f.exec(command, 0)
			return anything, true
		}
		if (a.text == "-e" || a.text == "--extension") && i+1 < len(args) && suffix == "" {
			suffix = "." + args[i+1].text
		}
		hidden = hidden || strings.HasPrefix(a.text, "-H") || strings.HasPrefix(a.text, "-u") || a.text == "--hidden" || a.text == "-I"
	}
	folders := v.operands[min(1, len(v.operands)):]
	if at, ok := v.vital(folders); ok && v.searched(suffix) == "" && (!at.in || !slices.ContainsFunc(args, optional)) {
		v.apply()
		return v.listedAll(at, v.output()), true
	}
	if from := v.output(); !hidden && from&toSecret == 0 {
		v.apply()
		return v.listed(folders, suffix, from), true
	}
	return value{}, false
}

// optional reports an option.
func optional(arg value) bool { return strings.HasPrefix(arg.text, "-") }

// placeholders are those of fd's for parts of what is found.
var placeholders = strings.NewReplacer("{/}", "{}", "{//}", "{}", "{.}", "{}", "{/.}", "{}")

// batch is the command that begins at the option at i, with a place for what is found.
func batch(args []value, i int) (command []value, ok bool) {
	word := args[i].text
	for _, option := range []string{"--exec-batch", "--exec", "-x", "-X"} {
		rest, begins := strings.CutPrefix(word, option)
		if !begins || strings.HasPrefix(option, "--") && rest != "" && rest[0] != '=' {
			continue
		}
		if rest = strings.TrimPrefix(rest, "="); rest != "" {
			command = []value{{rest, args[i].from}}
		}
		for _, a := range args[i+1:] {
			command = append(command, value{placeholders.Replace(a.text), a.from})
		}
		if !slices.ContainsFunc(command, func(a value) bool { return strings.Contains(a.text, "{}") }) {
			command = append(command, known("{}"))
		}
		return command, true
	}
	return nil, false
}

// searched is the name that fd looks for: its first operand is an expression that a part of it fits, but for the ending.
func (v *invocation) searched(suffix string) string {
	name := ""
	if len(v.operands) > 0 {
		if expression := strings.Trim(v.operands[0].text, "^$."); expression != "" {
			name = string(star) + regexName(expression) + string(star)
		}
	}
	if suffix == "" {
		return name
	}
	return strings.TrimRight(name, string(star)) + string(star) + suffix
}
