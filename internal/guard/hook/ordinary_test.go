package hook_test

import (
	"encoding/json"
	"fmt"
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
	const types = "{\n  // what is made\n  \"compilerOptions\": {\"target\": \"ES2020\", \"strict\": true, /* kept */ \"outDir\": \"dist//x\",},\n  \"include\": [\"src\"],\n}\n"
	const makefile = "FLAGS = -race\n\n.PHONY: test\n\ntest:\n\tgo test ./...\n\ncheck: lint\n\tgo vet $(FLAGS) ./...\n\nlint:\n\tgolangci-lint run\n\ndocs:\n\tmkdocs build\n"
	const cargo = "[package]\nname = \"a\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\n[dependencies]\nserde = \"1.0\"\n\n[lints.rust]\nunsafe_code = \"forbid\"\n"
	for _, c := range []struct{ name, file, text, old, new, want string }{
		{"a version", "package.json", pack, `"version": "1.0.0"`, `"version": "1.1.0"`, ""},
		{"a key that says what it is", "package.json", pack, `"name": "a",`, `"name": "a", "license": "MIT",`, ""},
		{"another version of what it needs", "package.json", pack, `"^1.0.0"`, `"~1.2"`, ""},
		{"less", "package.json", pack, `, "x": "1"`, ``, ""},
		{"something new", "package.json", pack, `"x": "1"`, `"x": "1", "y": "2"`, "ask"},
		{"from elsewhere", "package.json", pack, `"x": "1"`, `"x": "git+https://example.com/x"`, "ask"},
		{"a check", "package.json", pack, `"test": "jest"`, `"test": "true"`, "ask"},
		{"a check less", "package.json", pack, `"test": "jest"`, ``, "ask"},
		{"a script", "package.json", pack, `"test": "jest"`, `"test": "jest", "docs": "typedoc src"`, ""},
		{"a check more", "package.json", pack, `"test": "jest"`, `"test": "jest", "lint": "eslint . && tsc --noEmit"`, ""},
		{"a script of which nothing is known", "package.json", pack, `"test": "jest"`, `"test": "jest", "x": "frobnicate"`, "ask"},
		{"a script that does harm", "package.json", pack, `"test": "jest"`, `"test": "jest", "clean": "rm -rf ~"`, "ask"},
		{"what runs by itself", "package.json", pack, `"test": "jest"`, `"test": "jest", "postinstall": "node x.js"`, "ask"},
		{"what runs before another", "package.json", pack, `"test": "jest"`, `"test": "jest", "pretest": "tsc"`, "ask"},
		{"a script by a second key", "package.json", pack, `"version": "1.0.0"`, `"version": "1.1.0", "scripts": {"test": "true"}`, "ask"},
		{"a setting of a check", "package.json", pack, `"bail": true`, `"bail": false`, "ask"},
		{"a new key", "package.json", pack, `"jest":`, `"main": "x", "jest":`, "ask"},
		{"no JSON any more", "package.json", pack, `"version": "1.0.0",`, `"version": `, "ask"},
		{"what is not there", "package.json", pack, `"version": "3"`, `"version": "4"`, "ask"},
		{"no setting of its own", "tsconfig.json", `{"version": "1"}`, `"1"`, `"2"`, "ask"},
		{"a target", "tsconfig.json", types, `"ES2020"`, `"ES2022"`, ""},
		{"stricter", "tsconfig.json", types, `"strict": true,`, `"strict": true, "noUnusedLocals": true,`, ""},
		{"paths", "tsconfig.base.json", types, `"strict": true,`, `"strict": true, "paths": {"@/*": ["src/*"]},`, ""},
		{"less strict", "tsconfig.json", types, `"strict": true`, `"strict": false`, "ask"},
		{"not strict", "tsconfig.json", types, `"strict": true,`, ``, "ask"},
		{"a part less strict", "tsconfig.json", types, `"strict": true,`, `"strict": true, "strictNullChecks": false,`, "ask"},
		{"less looked at", "tsconfig.json", types, `["src"]`, `["src/a"]`, "ask"},
		{"something left out", "tsconfig.json", types, `"include"`, `"exclude": ["src/b"], "include"`, "ask"},
		{"other settings", "tsconfig.json", types, `"include"`, `"extends": "./loose.json", "include"`, "ask"},
		{"a key twice", "tsconfig.json", types, `"include"`, `"compilerOptions": {}, "include"`, "ask"},
		{"how lines look", ".editorconfig", "[*]\nindent_size = 4\n", "4", "2", ""},
		{"a target more", "Makefile", makefile, "docs:\n", "serve:\n\tnpx vite\n\ndocs:\n", ""},
		{"a check that does more", "Makefile", makefile, "\tgo test ./...\n", "\tgo test ./...\n\tgo vet ./...\n", ""},
		{"a check that needs more", "Makefile", makefile, "check: lint", "check: lint docs", ""},
		{"what is no check", "Makefile", makefile, "mkdocs build", "mkdocs build --strict", ""},
		{"a check that does less", "Makefile", makefile, "\tgo test ./...\n", "\t-go test ./...\n", "ask"},
		{"a check that needs less", "Makefile", makefile, "check: lint", "check:", "ask"},
		{"a check that is made otherwise", "Makefile", makefile, "docs:\n", "test:\n\ttrue\n\ndocs:\n", "ask"},
		{"a variable", "Makefile", makefile, "FLAGS = -race", "FLAGS = -run none", "ask"},
		{"another shell", "Makefile", makefile, "docs:\n", "SHELL = /bin/true\n\ndocs:\n", "ask"},
		{"under a condition", "Makefile", makefile, "test:\n", "ifdef X\ntest:\n", "ask"},
		{"harm", "Makefile", makefile, "docs:\n", "clean:\n\trm -rf ~\n\ndocs:\n", "ask"},
		{"a version", "pyproject.toml", project, `version = "1.0.0"`, `version = "1.1.0"`, ""},
		{"a list in a line", "pyproject.toml", project, `["a"]`, `["a", "b"]`, ""},
		{"dependencies", "pyproject.toml", project, `"requests"`, `"requestz"`, "ask"},
		{"a setting of a check", "pyproject.toml", project, `"-q"`, `"-q -x"`, "ask"},
		{"the same word elsewhere", "pyproject.toml", project, "version = 1\n", "version = 2\n", "ask"},
		{"a version", "Cargo.toml", cargo, `version = "0.1.0"`, `version = "0.2.0"`, ""},
		{"another version of what it needs", "Cargo.toml", cargo, `serde = "1.0"`, `serde = "1.2"`, ""},
		{"the same from elsewhere", "Cargo.toml", cargo, `serde = "1.0"`, `serde = { git = "https://evil.io/x" }`, "ask"},
		{"something new", "Cargo.toml", cargo, `serde = "1.0"`, "serde = \"1.0\"\nx = \"1\"", "ask"},
		{"what prepares the build", "Cargo.toml", cargo, `edition = "2021"`, `build = "x.rs"`, "ask"},
		{"lints", "Cargo.toml", cargo, `unsafe_code = "forbid"`, `unsafe_code = "allow"`, "ask"},
		{"another line", "pyproject.toml", project, `version = "1.0.0"`, "version = \"1.1.0\"\nscripts = 1", "ask"},
	} {
		y := newYard(t)
		if err := os.WriteFile(filepath.Join(y.project, c.file), []byte(c.text), 0o644); err != nil {
			t.Fatal(err)
		}
		y.edit(c.file, c.old, c.new).want(t, c.file+": "+c.name, c.want, "")
		y.says("again")
		if lines, patched := patchOf(c.text, c.old, c.new); patched {
			y.call("apply_patch", map[string]any{"command": "*** Begin Patch\n*** Update File: " + c.file + "\n@@\n" + lines + "*** End Patch\n"}).want(t, c.file+", by a patch: "+c.name, c.want, "")
		}
		whole := strings.Replace(c.text, c.old, c.new, 1)
		if whole == c.text {
			continue
		}
		y.says("again")
		y.call("Write", map[string]any{"file_path": filepath.Join(y.project, c.file), "content": whole}).want(t, c.file+", written: "+c.name, c.want, "")
		// No client heeds a name in other letters.
		for tool, input := range map[string]string{"Write": fmt.Sprintf(`{"file_path": %q, "content": %q, "Content": %q}`, filepath.Join(y.project, c.file), whole, c.text+"\n"),
			"Edit": fmt.Sprintf(`{"file_path": %q, "old_string": %q, "new_string": %q, "New_String": %q}`, filepath.Join(y.project, c.file), c.old, c.new, c.old)} {
			y.says("again")
			y.event("PreToolUse", map[string]any{"tool_name": tool, "tool_input": json.RawMessage(input)}).want(t, c.file+", and another text that nobody reads: "+c.name, c.want, "")
		}
	}
	y := newYard(t)
	y.call("apply_patch", map[string]any{"command": "*** Begin Patch\n*** Add File: Makefile\n+docs:\n+\tmkdocs build\n*** End Patch\n"}).want(t, "the first makefile, by a patch", "", "")
	y = newYard(t)
	if err := os.WriteFile(filepath.Join(y.project, "Makefile"), []byte(makefile), 0o644); err != nil {
		t.Fatal(err)
	}
	y.call("apply_patch", map[string]any{"command": "*** Begin Patch\n*** Update File: Makefile\n*** Move to: old.txt\n@@\n docs:\n-\tmkdocs build\n+\tmkdocs build --strict\n*** End Patch\n"}).want(t, "a makefile that goes", "ask", "")
	y.says("again")
	y.call("apply_patch", map[string]any{"command": "*** Begin Patch\n*** Delete File: Makefile\n*** End Patch\n"}).want(t, "a makefile that is deleted", "ask", "")
	y = newYard(t)
	y.call("Write", map[string]any{"file_path": filepath.Join(y.project, "package.json"), "content": pack}).want(t, "one that was not there", "ask", "")
	y.says("again")
	y.call("Write", map[string]any{"file_path": filepath.Join(y.project, "tsconfig.json"), "content": types}).want(t, "the first settings of a compiler", "", "")
	y.call("Write", map[string]any{"file_path": filepath.Join(y.project, "Makefile"), "content": makefile}).want(t, "the first makefile", "", "")
	y.bash("sed -i s/1.0.0/2.0.0/ package.json").want(t, "by a command", "ask", "")
}

// patchOf is a change as the lines of a patch, each of the lines that it is about once.
func patchOf(text, before, after string) (lines string, ok bool) {
	i := strings.Index(text, before)
	if i < 0 {
		return "", false
	}
	begin := strings.LastIndexByte(text[:i], '\n') + 1
	end := i + len(before)
	if !strings.HasSuffix(before, "\n") {
		end += strings.IndexByte(text[end:]+"\n", '\n') + 1
	}
	if end > len(text) {
		return "", false
	}
	old := text[begin:end]
	var b strings.Builder
	for line := range strings.Lines(old) {
		b.WriteString("-" + line)
	}
	for line := range strings.Lines(strings.Replace(old, before, after, 1)) {
		b.WriteString("+" + line)
	}
	return b.String(), strings.Count(text, old) == 1
}
