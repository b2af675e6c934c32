package cli_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"fettle/internal/testenv"
	"fettle/internal/testenv/fakemodel"
)

// mcpClients are the real clients of coding agents, and how a person gives fettle's tools to each, as docs/mcp.md says.
var mcpClients = []struct {
	program  string
	add      []string          // the command
	settings map[string]string // or the files, from the home; %s is where the model is
	env      []string          // %s is where the model is
	argv     []string
}{
	{
		program: "claude", add: []string{"mcp", "add", "fettle", "--", "fettle", "mcp"},
		env:  []string{"ANTHROPIC_API_KEY=sk-ant-test-000", "ANTHROPIC_BASE_URL=%s", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "DISABLE_AUTOUPDATER=1", "CLAUDE_CODE_MAX_RETRIES=0", "IS_SANDBOX=1"},
		argv: []string{"-p", "go on", "--output-format", "json", "--dangerously-skip-permissions"},
	},
	{
		program: "codex", add: []string{"mcp", "add", "fettle", "--", "fettle", "mcp"},
		env:      []string{"OPENAI_API_KEY=test"},
		settings: map[string]string{".codex/config.toml": fakemodel.CodexConfig("%s")},
		argv:     []string{"exec", "--json", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox", "go on"},
	},
	{
		program:  "gemini",
		env:      []string{"GEMINI_API_KEY=test", "GOOGLE_GEMINI_BASE_URL=%s", "GEMINI_CLI_TRUST_WORKSPACE=true"},
		settings: map[string]string{".gemini/settings.json": `{"mcpServers": {"fettle": {"command": "fettle", "args": ["mcp"]}}, "security": {"auth": {"selectedType": "gemini-api-key"}}, "privacy": {"usageStatisticsEnabled": false}}`},
		argv:     []string{"-p", "go on", "-m", "gemini-2.5-flash", "-o", "json", "--yolo"},
	},
}

// TestRealMCPClients has the agents of the real clients call fettle's tools, given to them as the documentation says: what fails is told to the model as it is, and
// what fails is not committed.
func TestRealMCPClients(t *testing.T) {
	for _, c := range mcpClients {
		t.Run(c.program, func(t *testing.T) {
			t.Parallel()
			program := testenv.NeedTool(t, c.program)
			base, err := filepath.EvalSymlinks(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			home, project := filepath.Join(base, "home"), filepath.Join(base, "home", "sum")
			tool := func(name string, input map[string]any) fakemodel.Call {
				return fakemodel.Call{Server: "fettle", Tool: name, Input: input}
			}
			model := fakemodel.Start(t, []fakemodel.Call{tool("check", map[string]any{}), tool("commit", map[string]any{"message": "say that it is done"}), tool("explain", map[string]any{"command": "git push --force"})}, nil, nil)
			files := map[string]string{
				"sum/go.mod": "module sum\n\ngo 1.26\n", "sum/sum.go": "package sum\n\n// Of adds.\nfunc Of(a, b int) int { return a + b }\n",
				"sum/sum_test.go": "package sum\n\nimport \"testing\"\n\nfunc TestOf(t *testing.T) {\n\tif got := Of(2, 3); got != 5 {\n\t\tt.Errorf(\"it comes to %d\", got)\n\t}\n}\n",
				".gitconfig":      "[user]\n\tname = Ann\n\temail = ann@example.com\n",
			}
			put := func(name, text string) {
				file := filepath.Join(home, name)
				if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(text), 0o644)); err != nil {
					t.Fatal(err)
				}
			}
			for name, text := range c.settings {
				files[name] = strings.ReplaceAll(text, "%s", model.URL)
			}
			folders, err := goFolders()
			if err != nil {
				t.Fatal(err)
			}
			for i, name := range goFolderNames { // Codex keeps the environment from its servers
				files[".config/go/env"] += name + "=" + folders[i] + "\n"
			}
			for name, text := range files {
				put(name, text)
			}
			env := []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home, "LC_ALL=C.UTF-8", "TMPDIR=" + base, "GOTOOLCHAIN=local", "GOTELEMETRY=off"}
			for _, v := range c.env {
				env = append(env, strings.ReplaceAll(v, "%s", model.URL))
			}
			ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
			defer cancel()
			run := func(program string, args ...string) string {
				t.Helper()
				cmd := exec.CommandContext(ctx, program, args...)
				cmd.Dir, cmd.Env = project, env
				out, err := cmd.CombinedOutput()
				if err != nil {
					t.Fatalf("%s %q: %v\n%s", program, args, err, out)
				}
				return string(out)
			}
			run("git", "init", "-qb", "main")
			run("git", "add", "-A")
			run("git", "commit", "-qm", "first")
			put("sum/sum.go", "package sum\n\n// Of adds.\nfunc Of(a, b int) int { return a - b }\n")
			if c.add != nil {
				run(program, c.add...)
			}
			out := run(program, c.argv...)
			requests := model.Requests()
			if len(requests) == 0 {
				t.Fatalf("the model was asked nothing:\n%s", out)
			}
			heard := string(slices.MaxFunc(requests, func(a, b []byte) int { return len(a) - len(b) }))
			for _, want := range []string{"it comes to -1", "sum_test.go", "DECLINED", "Code Quality", "git push --force"} {
				if !strings.Contains(heard, want) {
					t.Errorf("the model has not heard %q:\n%s\n%s", want, heard[max(0, len(heard)-6000):], out[max(0, len(out)-3000):])
				}
			}
			if log := run("git", "log", "--format=%s"); log != "first\n" {
				t.Errorf("it was committed: %s", log)
			}
		})
	}
}
