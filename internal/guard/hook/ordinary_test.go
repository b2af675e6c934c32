package hook_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestManifests is edits of files that say how a project is checked, and much else.
func TestManifests(t *testing.T) {
	const pack = `{
  "name": "a",
  "version": "1.0.0",
  "scripts": {"test": "jest"},
  "dependencies": {"left-pad": "^1.0.0", "x": "1"},
  "jest": {"bail": true}
}
`
	const project = "[build-system]\nrequires = [\"hatchling\"]\n\n[project]\nname = \"a\"\nversion = \"1.0.0\"\nkeywords = [\"a\"]\ndependencies = [\n  \"requests\",\n]\n\n[tool.pytest.ini_options]\naddopts = \"-q\"\nversion = 1\n"
	for _, c := range []struct{ name, file, text, old, new, want string }{
		{"a version", "package.json", pack, `"version": "1.0.0"`, `"version": "1.1.0"`, ""},
		{"a key that says what it is", "package.json", pack, `"name": "a",`, `"name": "a", "license": "MIT",`, ""},
		{"another version of what it needs", "package.json", pack, `"^1.0.0"`, `"~1.2"`, ""},
		{"less", "package.json", pack, `, "x": "1"`, ``, ""},
		{"something new", "package.json", pack, `"x": "1"`, `"x": "1", "y": "2"`, "ask"},
		{"from elsewhere", "package.json", pack, `"x": "1"`, `"x": "git+https://example.com/x"`, "ask"},
		{"a script", "package.json", pack, `"test": "jest"`, `"test": "true"`, "ask"},
		{"a script by a second key", "package.json", pack, `"version": "1.0.0"`, `"version": "1.1.0", "scripts": {"test": "true"}`, "ask"},
		{"a setting of a check", "package.json", pack, `"bail": true`, `"bail": false`, "ask"},
		{"a new key", "package.json", pack, `"jest":`, `"main": "x", "jest":`, "ask"},
		{"no JSON any more", "package.json", pack, `"version": "1.0.0",`, `"version": `, "ask"},
		{"what is not there", "package.json", pack, `"version": "3"`, `"version": "4"`, "ask"},
		{"another file", "tsconfig.json", `{"version": "1"}`, `"1"`, `"2"`, "ask"},
		{"a version", "pyproject.toml", project, `version = "1.0.0"`, `version = "1.1.0"`, ""},
		{"a list in a line", "pyproject.toml", project, `["a"]`, `["a", "b"]`, ""},
		{"dependencies", "pyproject.toml", project, `"requests"`, `"requestz"`, "ask"},
		{"a setting of a check", "pyproject.toml", project, `"-q"`, `"-q -x"`, "ask"},
		{"the same word elsewhere", "pyproject.toml", project, "version = 1\n", "version = 2\n", "ask"},
		{"another line", "pyproject.toml", project, `version = "1.0.0"`, "version = \"1.1.0\"\nscripts = 1", "ask"},
	} {
		y := newYard(t)
		if err := os.WriteFile(filepath.Join(y.project, c.file), []byte(c.text), 0o644); err != nil {
			t.Fatal(err)
		}
		y.edit(c.file, c.old, c.new).want(t, c.file+": "+c.name, c.want, "")
		whole := strings.Replace(c.text, c.old, c.new, 1)
		if whole == c.text {
			continue
		}
		y.says("again")
		y.call("Write", map[string]any{"file_path": filepath.Join(y.project, c.file), "content": whole}).want(t, c.file+", written: "+c.name, c.want, "")
	}
	y := newYard(t)
	y.call("Write", map[string]any{"file_path": filepath.Join(y.project, "package.json"), "content": pack}).want(t, "one that was not there", "ask", "")
	y.bash("sed -i s/1.0.0/2.0.0/ package.json").want(t, "by a command", "ask", "")
}
