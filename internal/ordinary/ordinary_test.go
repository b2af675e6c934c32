package ordinary_test

import (
	"strings"
	"testing"

	"fettle/internal/ordinary"
)

// TestSame is edits of files that say how a project is checked, as a person makes them, who may have it need something new.
func TestSame(t *testing.T) {
	const (
		pack    = `{"version": "1.0.0", "scripts": {"test": "jest", "docs": "typedoc src"}, "dependencies": {"x": "1"}, "jest": {"bail": true}}`
		project = "[project]\nname = \"a\"\nversion = \"1.0.0\"\ndependencies = [\n  \"requests\",\n]\n\n[project.optional-dependencies]\ndev = [\"pytest\"]\n\n[tool.ruff.lint]\nselect = [\"E\", \"F\"]\n"
		cargo   = "[package]\nname = \"a\"\nversion = \"0.1.0\"\n\n[dependencies]\nserde = \"1.0\"\n\n[lints.rust]\nunsafe_code = \"forbid\"\n"
		rules   = ".PHONY: test\n\ntest:\n\tgo test ./...\n\ndocs:\n\tmkdocs build\n"
		types   = `{"compilerOptions": {"target": "ES2020", "strict": true}, "include": ["src"]}`
	)
	for _, c := range []struct {
		name, file, text, old, new string
		want                       bool
	}{
		{"a version", "package.json", pack, `"1.0.0"`, `"1.0.1"`, true},
		{"a script", "app/package.json", pack, `"test": "jest"`, `"test": "jest", "serve": "vite"`, true},
		{"another script", "package.json", pack, `typedoc src`, `typedoc src --json`, true},
		{"a dependency", "package.json", pack, `"x": "1"`, `"x": "1", "y": "^2.0.0"`, true},
		{"a key twice", "package.json", pack, `"version": "1.0.0"`, `"version": "1.0.0", "scripts": {"test": "true"}`, false},
		{"a check", "package.json", pack, `"test": "jest"`, `"test": "true"`, false},
		{"what runs by itself", "package.json", pack, `"docs"`, `"postinstall": "node x.js", "docs"`, false},
		{"what runs before a check", "package.json", pack, `"docs"`, `"pretest": "rm a.test.js", "docs"`, false},
		{"a setting of a check", "package.json", pack, `true`, `false`, false},
		{"a version of a package of Python", "pyproject.toml", project, `"1.0.0"`, `"1.0.1"`, true},
		{"one more in a list", "pyproject.toml", project, "  \"requests\",\n", "  \"requests[socks]>=2\",\n  \"httpx\",\n", true},
		{"one more that is optional", "pyproject.toml", project, `["pytest"]`, `["pytest", "mypy"]`, true},
		{"a group", "pyproject.toml", project, "[tool.ruff", "[dependency-groups]\nlint = [\n  \"ruff\",\n]\n\n[tool.ruff", true},
		{"a rule less", "pyproject.toml", project, `"E", "F"`, `"E"`, false},
		{"a rule less, behind a section that says something", "pyproject.toml", project, "[tool.ruff.lint]\nselect = [\"E\", \"F\"]", "[tool.ruff.lint] # rules\nselect = [\"E\"]", false},
		{"a section of a tool", "pyproject.toml", project, "[tool.ruff", "[tool.mypy]\nignore_errors = true\n\n[tool.ruff", false},
		{"a crate", "Cargo.toml", cargo, "serde = \"1.0\"\n", "serde = { version = \"1.1\", features = [\"derive\"] }\nlog = \"0.4\"\n", true},
		{"a lint", "Cargo.toml", cargo, `"forbid"`, `"allow"`, false},
		{"a crate without tests", "Cargo.toml", cargo, "version =", "autotests = false\nversion =", false},
		{"a target", "Makefile", rules, "docs:\n", "serve:\n\tnpx vite\n\ndocs:\n", true},
		{"a target that checks, and more", "Makefile", rules, "\tgo test ./...\n", "\tgo test ./...\n\tgo vet ./...\n", true},
		{"a target that checks", "Makefile", rules, "go test ./...", "go test ./a", false},
		{"a target that checks, once more", "Makefile", rules, "docs:\n", "test:\n\ttrue\n\ndocs:\n", false},
		{"what any target runs with", "Makefile", rules, "docs:\n", "%: SHELL = /bin/true\n\ndocs:\n", false},
		{"what some targets run with", "Makefile", rules, "docs:\n", "t%: SHELL=/bin/true\n\ndocs:\n", false},
		{"what a target runs with", "Makefile", rules, "docs:\n", "test: export SHELL := /bin/true\n\ndocs:\n", false},
		{"a variable by a name that is put together", "Makefile", rules, "docs:\n", "S = SH\n$(S)ELL = /bin/true\n\ndocs:\n", false},
		{"a variable that is read as a makefile", "Makefile", rules, "docs:\n", "X := $(eval SHELL = /bin/true)\n\ndocs:\n", false},
		{"a line that becomes a rule", "Makefile", rules, "docs:\n", "R = test: ; true\n$(R)\n\ndocs:\n", false},
		{"a target by a variable", "Makefile", rules, "docs:\n", "T = test\n$(T):\n\ttrue\n\ndocs:\n", false},
		{"a variable that looks like a recipe", "Makefile", rules, "docs:\n", "X = 1\n\tSHELL = /bin/true\n\ndocs:\n", false},
		{"a target that checks, in a comment that goes on", "Makefile", rules, "\ntest:\n", "\n# the tests \\\ntest:\n", false},
		{"a target that checks, if there is no such file", "Makefile", rules, ".PHONY: test\n", "", false},
		{"what is made by itself", "Makefile", rules, ".PHONY", ".DEFAULT_GOAL := docs\n.PHONY", false},
		{"another target first", "Makefile", rules, "\ntest:\n", "\nhelp:\n\t@echo test docs\n\ntest:\n", false},
		{"another pattern", "Makefile", rules, "docs:\n", "t%:\n\ttrue\n\ndocs:\n", false},
		{"a pattern for files", "Makefile", rules, "docs:\n", "%.o: %.c\n\t$(CC) -c $<\n\ndocs:\n", true},
		{"a target that checks, by another name", "Makefile", rules, "docs:\n", "./test:\n\ttrue\n\ndocs:\n", false},
		{"a condition", "Makefile", rules, "\tgo test ./...\n", "ifdef CI\n\tgo test ./...\nendif\n", false},
		{"a variable, a comment and a target of several lines", "Makefile", rules, "docs:\n", "# where pages go: out=site\nOUT ?= site\n  # and more\n\nserve: \\\n  docs # x=y\n\tA=1 npx vite --out $(OUT) \\\n\t  --port 1\n\nfmt: ; X=1 gofmt -w .\n\ndocs:\n", true},
		{"more that is made whatever there is", "Makefile", rules, ".PHONY: test\n", ".PHONY: test docs\n", true},
		{"how recipes run", "Makefile", rules, ".PHONY", ".IGNORE:\n.PHONY", false},
		{"what is made", "tsconfig.json", types, "ES2020", "ES2022", true},
		{"not strict", "tsconfig.build.json", types, "true", "false", false},
		{"libraries are not looked at", "tsconfig.json", types, `"strict": true`, `"strict": true, "skipLibCheck": true`, false},
		{"a file of which nothing is known", "tox.ini", "[testenv]\ndescription = a\n", "= a", "= b", false},
	} {
		if strings.Count(c.text, c.old) != 1 {
			t.Fatalf("%s: %q does not stand once", c.name, c.old)
		}
		before, after := ordinary.WithoutNeeds(c.file, c.text), ordinary.WithoutNeeds(c.file, strings.Replace(c.text, c.old, c.new, 1))
		if got := (ordinary.Reader{}).Same(c.file, before, after); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}
