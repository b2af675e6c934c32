package check

import (
	"slices"
	"strings"

	"fettle/internal/pattern"
)

// nodeCommand is one command of a script of package.json: a tool that we know, and what it is given.
type nodeCommand struct {
	tool string // "" for a command that we do not know
	env  map[string]string
	args []string
	glob bool // a shell would expand something in it
	// What starts it judges as well: that so much is covered.
	judged bool
}

// nodeManagers run the scripts of a package.json.
var nodeManagers = []string{"npm", "pnpm", "yarn", "bun"}

// nodeTools are the tools whose commands are understood.
var nodeTools = []string{"eslint", "prettier", "biome", "tsc", "vue-tsc", "jest", "vitest", "mocha", "node", "tsx", "ava", "tap", "tape", "react-scripts", "craco"}

// nodeLaunchers only start another program, and may look at what of it runs.
var nodeLaunchers = []string{"npx", "bunx", "cross-env", "env", "c8", "nyc", "pnpx"}

// coverageValues are the options of c8 and nyc that take the next word as their value.
var coverageValues = []string{"-r", "--reporter", "-n", "--include", "-x", "--exclude", "-e", "--extension", "-o", "--reports-dir", "--report-dir", "-t", "--temp-dir", "--temp-directory",
	"--src", "--lines", "--branches", "--functions", "--statements", "--clean"}

var (
	assignment = pattern.New(`^[A-Za-z_]\w*=`)
	toolFile   = pattern.New(`^(?:\./)?node_modules/(?:\.bin/([\w-]+)|([\w-]+)/bin/[\w.-]+|\.pnpm/node_modules/([\w-]+)/bin/[\w.-]+)$`)
)

// commands are the commands of a script, with those of the scripts that it runs in turn. The bool is false when it does
// anything that cannot be said by commands one after the other: a shell's doing, or one that we do not know among them.
func (p nodePackage) commands(script string) ([]nodeCommand, bool) { return p.expand(script, 0) }

func (p nodePackage) expand(script string, depth int) (all []nodeCommand, known bool) {
	const deepest = 5
	text, ok := p.scripts[script]
	if !ok || depth > deepest {
		return nil, false
	}
	known = true
	if before := "pre" + script; p.scripts[before] != "" {
		all, known = p.expand(before, depth+1)
	}
	for _, part := range splitSteps(text) {
		words, err := SplitCommand(part)
		if err != nil {
			known = false
			all = append(all, nodeCommand{})
			continue
		}
		if name, args := scriptCall(words, p.scripts); name != "" {
			more, ok := p.expand(name, depth+1)
			known = known && ok
			if len(more) > 0 && len(args) > 0 {
				last := &more[len(more)-1]
				last.args = slices.Concat(last.args, args)
			}
			all = append(all, more...)
			continue
		}
		c := readCommand(words)
		c.glob = globbed(part)
		known = known && c.tool != "" && !c.judged
		all = append(all, c)
	}
	return all, known
}

// splitSteps splits a script at its &&, outside of quotes.
func splitSteps(text string) []string {
	var parts []string
	quote, from := byte(0), 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\':
			i++
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"':
			quote = c
		case c == '&' && i+1 < len(text) && text[i+1] == '&':
			parts, from = append(parts, text[from:i]), i+2
			i++
		}
	}
	return append(parts, text[from:])
}

// globbed reports whether a shell would expand a part of the command to names of files.
func globbed(text string) bool {
	return strings.ContainsAny(quotedPart.ReplaceAllString(text, ""), "*?[")
}

var quotedPart = pattern.New(`'[^']*'|"[^"]*"|\\.`)

// scriptCall is the script that a command runs by the package manager, with the arguments that it is given, or "".
func scriptCall(words []string, scripts map[string]string) (name string, args []string) {
	if len(words) < 2 || !slices.Contains(nodeManagers, words[0]) {
		return "", nil
	}
	quiet := func(words []string) []string {
		for len(words) > 0 && slices.Contains([]string{"-s", "--silent", "--if-present"}, words[0]) {
			words = words[1:]
		}
		return words
	}
	rest := quiet(words[1:])
	explicit := len(rest) > 0 && slices.Contains([]string{"run", "run-script"}, rest[0])
	if explicit {
		rest = quiet(rest[1:])
	}
	if len(rest) == 0 || scripts[rest[0]] == "" || !explicit && words[0] == "npm" && rest[0] != "test" {
		return "", nil
	}
	name, args = rest[0], rest[1:]
	if len(args) > 0 && args[0] == "--" {
		args = args[1:]
	}
	return name, args
}

// readCommand reads the words of one command: what it sets in the environment, what starts the tool, and the tool.
func readCommand(words []string) nodeCommand {
	c := nodeCommand{env: map[string]string{}}
	wrapped := false
	for i := 0; i < len(words); i++ {
		w := words[i]
		name := w
		if m := toolFile.FindStringSubmatch(w); m != nil {
			name = m[1] + m[2] + m[3]
		}
		switch {
		case assignment.MatchString(w):
			key, value, _ := strings.Cut(w, "=")
			c.env[key] = value
		case slices.Contains(nodeLaunchers, name):
			wrapped = true
		case (name == "pnpm" || name == "yarn" || name == "bun") && i+1 < len(words):
			if slices.Contains([]string{"exec", "run", "x", "dlx"}, words[i+1]) {
				i++
			}
			wrapped = true
		case wrapped && strings.HasPrefix(w, "-"):
			c.judged = c.judged || strings.Contains(w, "check-coverage") || strings.Contains(w, "100")
			if slices.Contains(coverageValues, w) && !startsTool(words[i+1:]) {
				i++
			}
		case name == "node":
			return nodeRuns(c, words[i+1:])
		case slices.Contains(nodeTools, name):
			c.tool, c.args = name, words[i+1:]
			return c.understood()
		default:
			return nodeCommand{}
		}
	}
	return nodeCommand{}
}

func startsTool(words []string) bool { return len(words) > 0 && slices.Contains(nodeTools, words[0]) }

// nodeRuns is a command of node itself: its own test runner, or a tool by the path of its program.
func nodeRuns(c nodeCommand, args []string) nodeCommand {
	if slices.Contains(args, "--test") {
		c.tool, c.args = "node", args
		return c
	}
	for i, w := range args {
		if m := toolFile.FindStringSubmatch(w); m != nil {
			c.tool, c.args = m[1]+m[2]+m[3], args[i+1:]
			if c.tool == "typescript" {
				c.tool = "tsc"
			}
			if i > 0 {
				c.env["NODE_OPTIONS"] = strings.TrimSpace(c.env["NODE_OPTIONS"] + " " + strings.Join(args[:i], " "))
			}
			if slices.Contains(nodeTools, c.tool) {
				return c.understood()
			}
			break
		}
	}
	return nodeCommand{}
}

// environment is what the command sets; nil for nothing.
func (c nodeCommand) environment() map[string]string {
	if len(c.env) == 0 {
		return nil
	}
	return c.env
}

// understood is the command, or none when the tool is asked for something else than a judgement.
func (c nodeCommand) understood() nodeCommand {
	first := ""
	if len(c.args) > 0 {
		first = c.args[0]
	}
	ok := true
	switch c.tool {
	case "tsx":
		ok = slices.Contains(c.args, "--test")
	case "react-scripts", "craco":
		ok = first == "test"
	case "vitest":
		ok = !slices.Contains([]string{"bench", "init", "list", "related", "typecheck"}, first)
	case "biome":
		ok = slices.Contains([]string{"check", "ci", "format", "lint"}, first)
	}
	if slices.ContainsFunc(c.args, func(a string) bool { return a == "--init" || a == "--help" || a == "--version" }) || !ok {
		return nodeCommand{}
	}
	return c
}

// handsOn reports whether a script only has the members of a workspace run theirs.
func handsOn(text string) bool { return handsOnMark.MatchString(text) }

var handsOnMark = pattern.New(`^(?:npx |pnpm |yarn |bunx )?(?:(?:turbo|nx|lerna|wsrun|ultra|rush|wireit|moon)\b|npm .*(?:--workspaces?\b|\s-ws?\b)|pnpm .*(?:-r\b|--recursive\b|--filter\b|\s-F\b)|` +
	`yarn (?:workspaces?|wsrun)\b|bun .*(?:--filter\b|--workspaces\b))`)

// watches reports whether a script waits for changes and never ends.
func watches(kind, text string) bool {
	return watchMark.MatchString(text) || kind == "build" && shortWatch.MatchString(text)
}

var shortWatch = pattern.New(`\s-w(?:\s|$)`)

var watchMark = pattern.New(`(?:^|\s)(?:--watch(?:All)?(?:=true)?(?:\s|$)|nodemon\b|tsc-watch\b|chokidar\b|watchexec\b|concurrently\b.*watch)`)

// noTests is what npm init writes where there are no tests.
func noTests(text string) bool { return strings.Contains(text, "Error: no test specified") }

// without drops options from a command line; "=" at the end of one says that it takes a value.
func without(args []string, options ...string) []string {
	var out []string
	for i := 0; i < len(args); i++ {
		name, _, inline := strings.Cut(args[i], "=")
		switch {
		case slices.Contains(options, name+"="):
			if !inline && i+1 < len(args) {
				i++
			}
		case slices.Contains(options, name):
		default:
			out = append(out, args[i])
		}
	}
	return out
}

// positional reports whether any word of a command line is no option and no option's value.
func positional(args []string, values ...string) bool {
	for i := 0; i < len(args); i++ {
		switch {
		case args[i] == "--":
			return i+1 < len(args)
		case !strings.HasPrefix(args[i], "-"):
			return true
		case slices.Contains(values, args[i]):
			i++
		}
	}
	return false
}
