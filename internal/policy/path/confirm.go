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

// Prepares reports whether a file says what somebody's container runs when it is opened, what git takes from where, or what package managers and
// builders load before all else.
func Prepares(p string) bool {
	p = fold(p)
	switch slashpath.Base(p) {
	case ".devcontainer.json", ".gitmodules", ".gitattributes", ".pnpmfile.cjs", ".bazelrc", "mise.toml", ".mise.toml":
		return true
	}
	return strings.HasPrefix(p+"/", ".devcontainer/")
}
