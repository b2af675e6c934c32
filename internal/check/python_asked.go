package check

import (
	"slices"
	"strings"

	"fettle/internal/pattern"
)

// pythonScripts are where a Python project says which tools its people and CI run, and how.
var pythonScripts = []string{
	"tox.ini", "Makefile", "makefile", "GNUmakefile", "justfile", "Justfile", ".justfile", "noxfile.py", "tasks.py", "Taskfile.yml",
	".github/workflows/*.yml", ".github/workflows/*.yaml", ".gitlab-ci.yml", ".circleci/config.yml", ".travis.yml", "azure-pipelines.yml",
	"*.sh", "ci/*.sh", "scripts/*", "script/*", "tools/*.sh",
}

// pythonLine is a command of a tool at the beginning of a line of a script, or of a step in it, whatever starts it.
var pythonLine = pattern.New(`(?m)(?:^|&&|;|\|\|)[ \t]*(?:- +)?(?:run: *|commands? *= *|[\w-]+: )?["'@]?[ \t]*(?:(?:poetry|pipenv|pdm|hatch|uv|rye) run +(?:--?[\w-]+ +)*|uvx +|\{envbindir\}/)?` +
	`(?:(?:python3?|\{envpython\}|\$\(?\{?PYTHON\}?\)?) +-m +)?(mypy|flake8|ruff|black|isort|pytest|pylint|stubtest|pyright|pycodestyle|unittest)\b(?:[ \t]+|["']?$)([^\n]*)`)

// pythonAsked are the arguments with which the project's scripts run a tool, in the order in which they stand.
type pythonAsked map[string][][]string

// asksPython reads the project's scripts.
func (t *tree) asksPython() pythonAsked {
	asked := pythonAsked{}
	for _, glob := range pythonScripts {
		for _, f := range t.glob(glob) {
			text := strings.ReplaceAll(string(t.read(f)), "\\\n", " ")
			for _, m := range pythonLine.FindAllStringSubmatch(text, -1) {
				asked[m[1]] = append(asked[m[1]], commandWords(m[2]))
			}
		}
	}
	return asked
}

// commandWords are the words of a command up to whatever ends it.
func commandWords(text string) []string {
	if i := strings.IndexAny(text, "&|;#`"); i >= 0 {
		text = text[:i]
	}
	words := strings.Fields(text)
	for i, w := range words {
		words[i] = strings.Trim(w, `"'`)
	}
	return words
}

// passedOver reports whether the project says what it runs and this tool is not among it, in a script or as a hook: a tool that
// is only required may be another's, as mypy is stubtest's.
func (a pythonAsked) passedOver(tool string) bool {
	judges := 0 // what runs the tests says nothing about linters
	for name := range a {
		if name != "pytest" && name != "unittest" {
			judges++
		}
	}
	return judges > 0 && len(a[tool]) == 0 && tool != "pytest"
}

// instead reports whether another tool stands in for this one: stubtest reads mypy's configuration for itself.
func (a pythonAsked) instead(tool string) bool {
	return tool == "mypy" && len(a["stubtest"]) > 0 && len(a["mypy"]) == 0
}

// pythonOptions are a tool's options that say what it judges. Those with a value end in "=".
var pythonOptions = map[string][]string{
	"flake8": {"--ignore=", "--extend-ignore=", "--select=", "--extend-select=", "--exclude=", "--extend-exclude=", "--per-file-ignores=", "--max-line-length=",
		"--max-complexity=", "--max-doc-length=", "--config=", "--builtins=", "--doctests"},
	"mypy": {"--strict", "--ignore-missing-imports", "--config-file=", "--exclude=", "--namespace-packages", "--explicit-package-bases", "--disallow-untyped-defs",
		"--no-implicit-optional", "--check-untyped-defs", "--implicit-reexport", "--no-strict-optional", "--disable-error-code=", "--enable-error-code=", "--follow-imports=",
		"--disallow-any-generics", "--warn-unused-ignores", "--warn-redundant-casts", "--warn-unreachable", "-p=", "--package=", "-m=", "--module="},
}

// pythonIdle are options that change nothing about what is judged.
var pythonIdle = []string{"--count", "--statistics", "--show-source", "--show-error-codes", "--pretty", "--no-error-summary", "--color-output", "--install-types",
	"--non-interactive", "--verbose", "-v", "--quiet", "-q", "--jobs=", "-j=", "--format="}

// how are the arguments with which the project runs a tool: of its commands that are understood, the one that says most. A
// command that is told never to fail judges nothing.
func (p *pythonProject) how(tool string) (args []string) {
	for _, words := range p.asked[tool] {
		if a, ok := p.understood(tool, words); ok && len(a) > len(args) {
			args = a
		}
	}
	return args
}

// understood reads the words behind a tool's name: options that are known, and paths that are there.
func (p *pythonProject) understood(tool string, words []string) (args []string, ok bool) {
	for i := 0; i < len(words); i++ {
		w := words[i]
		if w == "{posargs}" {
			continue
		}
		if def, isDefault := strings.CutPrefix(w, "{posargs:"); isDefault {
			w = strings.TrimSuffix(def, "}")
		}
		name, value, valued := strings.Cut(w, "=")
		takes := slices.Contains(pythonOptions[tool], name+"=") || slices.Contains(pythonIdle, name+"=")
		if takes && !valued {
			if i++; i == len(words) {
				return nil, false
			}
			value = words[i]
		}
		switch {
		case strings.ContainsAny(value, "{}$"):
			return nil, false
		case slices.Contains(pythonOptions[tool], name+"=") && len(name) == 2:
			args = append(args, name, value)
		case slices.Contains(pythonOptions[tool], name+"="):
			args = append(args, name+"="+value)
		case slices.Contains(pythonIdle, w), slices.Contains(pythonIdle, name+"="):
		case slices.Contains(pythonOptions[tool], w), w == ".", !strings.HasPrefix(w, "-") && p.has(strings.TrimSuffix(strings.TrimPrefix(w, "./"), "/")):
			args = append(args, w)
		default:
			return nil, false
		}
	}
	return args, true
}
