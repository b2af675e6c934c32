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
		return func(v *invocation, _ []value) (value, bool) {
			if !v.in.empty() && !v.dry {
				v.starts(v.in)
			}
			return value{}, false
		}
	case "npx", "just", "commands", "nodemon", "gorun", "railsrunner", "either", "itself", "recipes", "builds", "cmake", "tests", "gotests", "cargo", "filter", "argfile":
		return runnerSpecials(name)
	case "pip":
		return pip
	case "patch":
		return patch
	case "trees", "jq", "dc", "magick", "tex":
		return evaluatorSpecials(name)
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
	if contains(args, "--test") || contains(args, "--run") {
		for _, u := range v.uses { // where it writes its reports
			if u.role == Writes {
				v.change(Writes, u.value)
			}
		}
		runTests(v, args)
		v.fact(Fact{Kind: Run, Target: "node --test"})
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
	return value{}, false
}

// plugins are groups of Maven's own plugins, and of those that nearly every project has.
var plugins = []string{"org.apache.maven.", "org.codehaus.mojo:", "org.springframework.boot:", "org.jacoco:", "com.diffplug.spotless:", "io.quarkus"}

// maven publishes with some goals, and runs any program with others.
func maven(v *invocation, _ []value) (value, bool) {
	for _, o := range v.operands {
		switch goal := o.text; {
		case goal == "deploy" || strings.HasPrefix(goal, "publish") || strings.HasPrefix(goal, "release:") || strings.HasPrefix(goal, "deploy:"):
			v.fact(Fact{Kind: Publish, Target: v.name + " " + o.show(), By: v.name})
		case strings.HasPrefix(goal, "exec:") || strings.Contains(goal, "exec-maven-plugin"):
			v.fact(Fact{Kind: Code, Target: o.show(), By: v.name})
		case strings.Count(goal, ":") > 1 && strings.HasPrefix(v.name, "mvn") && !slices.ContainsFunc(plugins, func(group string) bool { return strings.HasPrefix(goal, group) }):
			v.fact(Fact{Kind: Install, Target: o.show(), By: v.name}) // a plugin by where it comes from, which need not be the project's
		}
	}
	if !v.dry {
		v.ownTests(nil)
	}
	return value{}, false
}

// uvRun is uv run: a program of the environment, or a file of Python.
func uvRun(v *invocation, _ []value) (value, bool) {
	if len(v.rest) > 0 && strings.HasSuffix(v.rest[0].text, ".py") {
		v.leave()
		return v.runFile(v.rest[0], "python", v.rest[1:]), true
	}
	return value{}, false
}

// fd runs a command for what it finds.
func fd(v *invocation, args []value) (value, bool) {
	suffix, hidden := "", false
	for i, a := range args {
		switch a.text {
		case "-x", "-X", "--exec", "--exec-batch":
			v.fork().run(append(slices.Clone(args[i+1:]), known(v.cwd.text+"/"+string(hole))))
			return anything, true
		case "-e", "--extension":
			if i+1 < len(args) && suffix == "" {
				suffix = "." + args[i+1].text
			}
		}
		hidden = hidden || strings.HasPrefix(a.text, "-H") || strings.HasPrefix(a.text, "-u") || a.text == "--hidden" || a.text == "-I"
	}
	if from := v.output(); !hidden && from&toSecret == 0 {
		v.apply()
		return v.listed(v.operands[min(1, len(v.operands)):], suffix, from), true
	}
	return value{}, false
}
