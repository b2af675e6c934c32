package shell

import (
	"path"
	"slices"
	"strings"
)

// runnerSpecials are programs of a project's tools that run what their arguments name.
func runnerSpecials(name string) special {
	switch name {
	case "npx":
		return npx
	case "just":
		return just
	case "commands":
		return manyCommands
	case "nodemon":
		return nodemon
	case "gorun":
		return goRun
	case "railsrunner":
		return railsRunner
	case "either":
		return either
	case "itself":
		return itself
	case "recipes":
		return foundRecipes
	case "builds":
		return builds
	case "cmake":
		return cmake
	case "tests":
		return runTests
	case "gotests":
		return goTests
	case "cargo":
		return cargo
	case "filter":
		return filter
	case "argfile":
		return argFiles
	case "tsc":
		return tsc
	case "foreign":
		return foreign
	case "wrapped":
		return wrapped
	}
	return nil
}

// npx runs a program that a package brings along, and loads the package where the project has not installed it. Where that cannot be seen, a program that is described is taken
// to be there; one that has a scope or a version, or that is an address, is not, unless it is described by this name.
func npx(v *invocation, args []value) (value, bool) {
	if len(v.rest) == 0 {
		return value{}, false
	}
	first := v.rest[0]
	if slices.ContainsFunc(args[:max(0, len(args)-len(v.rest))], func(a value) bool { return strings.Contains(a.text, ":registry") }) { // --@scope:registry=
		v.note(Config, "registry", v.name)
	}
	if name, exact := first.exact(); exact && v.missing(name) && !slices.ContainsFunc(args[:max(0, len(args)-len(v.rest))], func(a value) bool { return oneWord(" --no --no-install --offline ", a.text) }) {
		v.fact(Fact{Kind: Install, Target: name, By: v.name, given: v.begun()})
	}
	if !strings.ContainsAny(first.text, "@/:") || strings.HasPrefix(first.text, ".") || strings.HasPrefix(first.text, "/") {
		return value{}, false
	}
	v.leave()
	v.apply()
	v.rest = v.rest[1:]
	if name, exact := first.exact(); exact {
		if p := v.policy.program(name); p != nil {
			v.note(Exec, name, "")
			return v.shell.apply(p, name, v.rest), true
		}
	}
	v.fact(Fact{Kind: Install, Target: first.show(), By: v.name, given: v.begun()})
	if name, _, version := strings.Cut(strings.TrimPrefix(first.text, "@"), "@"); version && !strings.Contains(name, "/") {
		return v.run(append([]value{{name, first.from}}, v.rest...)), true // what it does is what it does in any version
	}
	v.suspect(v.rest)
	return unknown(v.taints(v.rest)), true
}

// missing reports that nothing of this name is installed in the project, as far as can be seen, so that it would be loaded by its name, whoever has taken that. What was installed by the
// same command before may be it.
func (v *invocation) missing(name string) bool {
	dir, exact := v.cwd.exact()
	if !exact || v.at.Absent == nil || v.name == "pnpm exec" || v.name == "yarn exec" || name == "" || strings.ContainsAny(name[:1], "./-") || strings.ContainsAny(name[1:], "@:") ||
		slices.ContainsFunc(v.facts, func(f Fact) bool { return f.Kind == Install && f.Is(Declared) }) {
		return false
	}
	places := []string{"/node_modules/.bin/", "/node_modules/"}
	if v.name == "uvx" || v.name == "pipx run" {
		if places = []string{"/.venv/bin/", "/venv/bin/"}; !v.at.Absent(v.at.Home + "/.local/bin/" + name) {
			return false // uv tool install, pipx install
		}
	}
	for ; ; dir = path.Dir(dir) {
		for _, place := range places {
			if !v.at.Absent(strings.TrimSuffix(dir, "/") + place + name) {
				return false
			}
		}
		if dir == v.at.Root || len(dir) < 2 {
			return true
		}
	}
}

// just runs a command instead of a recipe.
func just(v *invocation, args []value) (value, bool) {
	for i, a := range args {
		if a.text == "-c" || a.text == "--command" {
			return v.run(args[i+1:]), true
		}
	}
	return foundRecipes(v, args)
}

// scriptPrefixes stand before the name of a package's script.
var scriptPrefixes = []string{"npm:", "pnpm:", "yarn:", "bun:", "node:", "deno:"}

// manyCommands is a program whose operands are commands: concurrently "npm start" "npm test".
func manyCommands(v *invocation, _ []value) (value, bool) {
	for _, o := range v.operands {
		if slices.ContainsFunc(scriptPrefixes, func(p string) bool { return strings.HasPrefix(o.text, p) }) && !strings.ContainsAny(o.text, ";&|`$()<>\n\x00") {
			continue
		}
		v.starts(o)
	}
	return value{}, false
}

// nodemon runs its operands by a program that an option names, or by node; a first operand with blanks in it is a command.
func nodemon(v *invocation, _ []value) (value, bool) {
	for _, u := range v.uses {
		if u.role != Executes {
			continue
		}
		command := u.value
		for _, o := range slices.Concat(v.operands, v.rest) {
			command = command.plus(value{" " + Quote(o.text), o.from})
		}
		v.starts(command)
	}
	v.uses = slices.DeleteFunc(v.uses, func(u use) bool { return u.role == Executes })
	if len(v.operands) > 0 && strings.Contains(v.operands[0].text, " ") {
		for _, o := range v.operands {
			v.starts(o)
		}
	}
	return value{}, false
}

// goRun is go run and go install: a package with a version is somebody else's, and loaded.
func goRun(v *invocation, _ []value) (value, bool) {
	for i, o := range v.operands {
		if strings.Contains(o.text, "@") || o.text != "" && o.text[0] == hole {
			v.note(Install, o.show(), v.name)
		}
		if !strings.HasSuffix(o.text, ".go") && v.name == "go run" {
			v.ownGuard(baseName(o.text), v.operands[i+1:])
			break // what follows is for the program
		}
		if i > 0 { // the first is by its role
			v.owns(o)
		}
		v.compilesOne(v.locate(o, v.cwd))
	}
	if v.name == "go install" && !v.dry {
		v.sources(v.packages(v.operands), "go")
	}
	if v.name == "go run" && !v.dry {
		v.ownFiles(v.packages(v.operands[:min(1, len(v.operands))]), func(rel string) bool { return strings.HasSuffix(rel, ".go") && !strings.HasSuffix(rel, "_test.go") }, func(at located) {
			v.test(at)
			v.compilesOne(at)
		})
	}
	return value{}, false
}

// railsRunner is rails runner: a file of the project, or code, which may do anything to the database.
func railsRunner(v *invocation, _ []value) (value, bool) {
	if len(v.operands) == 0 {
		return value{}, false
	}
	first := v.operands[0]
	if strings.HasSuffix(first.text, ".rb") && !strings.ContainsAny(first.text, " ();'\"") {
		return v.runFile(first, "ruby", v.operands[1:]), true
	}
	v.note(Code, "ruby", v.name)
	return v.code("ruby", first, nil), true
}

// either runs a command in several words as a shell's, and as it is: which of the two it is depends on the program's version.
func either(v *invocation, _ []value) (value, bool) {
	if len(v.rest) > 1 {
		v.run(v.rest)
	}
	return value{}, false
}

// itself is the file by which a subcommand is called.
func itself(v *invocation, _ []value) (value, bool) {
	program, file, _ := strings.Cut(v.name, " ")
	v.leave()
	return v.runFile(known(file), languageOf(program), v.operands), true
}

// wrapped runs the command that a subcommand's name begins: nyc npm test, fvm flutter test.
func wrapped(v *invocation, args []value) (value, bool) {
	_, name, _ := strings.Cut(v.name, " ")
	return v.run(append([]value{known(name)}, args...)), true
}
