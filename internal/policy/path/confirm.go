package path

import (
	slashpath "path"
	"slices"
	"strings"
)

// instructions are files in which people and agents write down how to work in a project, wherever they lie; folded.
var instructions = []string{"claude.md", "claude.local.md", "agents.md", "agents.override.md", "agent.md", "gemini.md", "qwen.md", "crush.md", "warp.md"}

// instructionFolders hold such files, of one name each.
var instructionFolders = []string{".github/instructions/", ".github/prompts/", ".github/chatmodes/", ".github/agents/"}

// Instructs reports whether a file of a project tells agents how to work in it. Such files switch nothing: a person confirms their change. A page
// of the documentation may be called agents.md.
func Instructs(p string) bool {
	if dir, _, below := strings.Cut(p, "/"); below && (dir == "docs" || dir == "doc") && slashpath.Base(p) == strings.ToLower(slashpath.Base(p)) {
		return false
	}
	p = fold(p)
	return slices.Contains(instructions, slashpath.Base(p)) || p == ".github/copilot-instructions.md" ||
		slices.ContainsFunc(instructionFolders, func(dir string) bool { return strings.HasPrefix(p, dir) })
}

// Steers reports whether a file of a project decides what fettle itself does, or what an agent's extension runs.
func Steers(p string) bool {
	p = fold(p)
	switch slashpath.Base(p) {
	case "fettle.yaml", "fettle.yml":
		return true
	}
	return strings.HasPrefix(p+"/", ".claude-plugin/") || strings.HasSuffix(p, "hooks/hooks.json")
}

// Prepares reports whether a file says what somebody's container, editor, shell or interpreter runs when a project is opened, what git takes from where, or
// what package managers and builders load before all else.
func Prepares(p string) bool {
	p = fold(p)
	name := slashpath.Base(p)
	switch name {
	case ".devcontainer.json", ".gitmodules", ".gitattributes", ".pnpmfile.cjs", ".bazelrc", ".ghci", ".iex.exs", ".ocamlinit", ".rprofile":
		return true
	}
	return strings.HasPrefix(p+"/", ".devcontainer/") || strings.HasSuffix(name, ".run.xml") || mise("/"+p, name)
}

// mise reports a file of mise's, which sets variables and runs what it says when a shell enters the folder: mise.toml, .mise.local.toml,
// mise/config.toml, .config/mise/conf.d/tools.toml. It was called rtx before.
func mise(p, name string) bool {
	if strings.Contains(p+"/", "/.mise/") || strings.Contains(p+"/", "/.config/mise/") {
		return true
	}
	return strings.HasSuffix(name, ".toml") && (strings.Contains(p, "/mise/config.") || slices.ContainsFunc([]string{"mise.", ".mise.", ".miserc.", ".rtx."}, func(start string) bool { return strings.HasPrefix(name, start) }))
}
