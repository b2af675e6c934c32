package check

import (
	"path"
	"slices"
	"strings"
)

// launchers are programs and words that say nothing of the tool that they start.
var launchers = []string{"go", "cargo", "python", "python3", "npx", "npm", "yarn", "pnpm", "bun", "bunx", "node", "uv", "uvx", "poetry", "pipx", "pdm", "hatch",
	"run", "exec", "tool", "env", "sh", "bash", "make", "just", "task", "mvn", "mvnw", "gradle", "gradlew"}

// scripts are programs that run what the repository calls by a name of its own.
var scripts = []string{"npm", "yarn", "pnpm", "bun", "make", "just", "task"}

// twoWays are tools that lint and format, each by a check of its own.
var twoWays = []string{"ruff", "biome", "golangci", "golangci-lint"}

// otherNames are names of hooks whose tool the checks call otherwise.
var otherNames = map[string]string{
	"fmt": "rustfmt", "cargo-fmt": "rustfmt", "rust-fmt": "rustfmt", "go-fmt": "gofmt", "typescript": "tsc",
	"go-unit-tests": "go test", "go-test": "go test", "go-test-mod": "go test", "go-test-repo-mod": "go test", "cargo-test": "cargo test", "cargo-check": "cargo check",
	"go-vet-mod": "go vet", "go-vet-repo-mod": "go vet", "go-build": "go vet", "go-build-mod": "go vet", "go-build-repo-mod": "go vet",
}

func notWord(r rune) bool { return strings.ContainsRune("-_. /", r) }

// standsFor is the index of the check that judges what a hook judges, by the same tool.
func standsFor(h hook, found []Check) (int, bool) {
	if kind := h.script(); kind != "" {
		i := slices.IndexFunc(found, func(c Check) bool { return c.Kind() == kind })
		return i, i >= 0
	}
	tools := h.tools()
	formats := slices.ContainsFunc(append(h.tool, h.words...), func(w string) bool { return w == "format" || w == "fmt" || w == "formatter" })
	i := slices.IndexFunc(found, func(c Check) bool {
		for _, tool := range c.tools() {
			both := slices.Contains(twoWays, tool)
			if slices.Contains(tools, tool) && (!both || formats == (c.Kind() == "format")) {
				return true
			}
		}
		return false
	})
	return i, i >= 0
}

// tools are the names of the tools that a hook may run.
func (h hook) tools() []string {
	id := strings.Join(h.tool, "-")
	out := append(commandTools(h.words), strings.Join(h.tool, ""))
	if other := otherNames[id]; other != "" {
		out = append(out, other)
	}
	for _, w := range append(h.tool, id) {
		if !slices.Contains(launchers, w) && !plainWord(w) {
			out = append(out, w)
		}
	}
	return out
}

// tools are the names of the tools that a check runs.
func (c Check) tools() []string {
	out := commandTools(c.Run)
	for _, w := range strings.Split(c.Name, ".")[1:] {
		if !plainWord(w) {
			out = append(out, w)
		}
	}
	return out
}

// plainWord reports whether a word says what is done, and not by which tool.
func plainWord(w string) bool {
	for _, t := range targets {
		if w == t.kind || slices.Contains(t.names, w) || slices.Contains(t.fixes, w) {
			return true
		}
	}
	return slices.Contains([]string{"", "ci", "rust", "js", "javascript", "hook", "hooks", "files", "file", "src"}, w)
}

// commandTools are the program of a command, past what starts it, and what starts it with the word behind it: "go test".
func commandTools(words []string) []string {
	const most = 4
	var out []string
	last := ""
	for _, w := range words[:min(most, len(words))] {
		if strings.HasPrefix(w, "-") || strings.Contains(w, "=") {
			continue
		}
		if strings.ContainsAny(w, "{}$&|;") {
			break
		}
		name := strings.TrimSuffix(path.Base(w), ".exe")
		if last != "" {
			out = append(out, last+" "+name)
		}
		if !slices.Contains(launchers, name) {
			if !plainWord(name) {
				out = append(out, name)
			}
			break
		}
		last = name
	}
	return out
}

// script is the kind of check that the hook's command runs by a name of the repository's own, as `npm run lint` and
// `make test` do; empty: it runs none.
func (h hook) script() string {
	if len(h.words) < 2 || !slices.Contains(scripts, path.Base(h.words[0])) {
		return ""
	}
	for _, w := range h.words[1:] {
		if w == "run" || w == "exec" || strings.HasPrefix(w, "-") {
			continue
		}
		for _, t := range targets {
			if slices.Contains(t.names, plainTarget(w)) {
				return t.kind
			}
		}
		return ""
	}
	return ""
}
