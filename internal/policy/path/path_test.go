package path_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fettle/internal/policy/path"
)

type row struct {
	ID, Op, Path, Want, Why string
}

func rows(t *testing.T) []row {
	t.Helper()
	f, err := os.Open("testdata/names.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []row
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		var r row
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		out = append(out, r)
	}
	if len(out) == 0 {
		t.Fatal("no rows")
	}
	return out
}

// The corpus of attacks: "ask" rows are files that a person may allow, so their names pass here.
func TestCorpus(t *testing.T) {
	for _, r := range rows(t) {
		err := path.Check(r.Path)
		if denied := err != nil; denied != (r.Want == "deny") {
			t.Errorf("%s: Check(%.80q) = %v, want %s: %s", r.ID, r.Path, err, r.Want, r.Why)
		}
	}
}

func TestCheck(t *testing.T) {
	for rule, paths := range map[path.Rule][]string{
		"": {
			"a", "main.go", "src/app.py", "docs/.gitkeep", ".gitignore", ".gitattributes", ".gitmodules", ".github/workflows/ci.yml",
			".env.example", ".env.sample", "deploy/.env.template", "example.env", "src/.env_example.md", ".envoy.yaml", "env.go", ".env.local.example",
			"secrets.py", "internal/secrets/secrets.go", "credentials.go", "src/credentials/load.ts", "token.go", "key_test.go", "keys.py",
			"password_reset.tsx", "my.keyboard.ts", "x.key.d/readme.md", "CLAUDE.md", "AGENTS.md", "lefthook.yml", ".pre-commit-config.yaml",
			"a b/ü/日本.py", "src/it's.py", "src/`id`.py", "-rf", "100%.txt", "a%20b", "..a/b", "a...b", "git", "xgit~1x", "digit/config",
			"console.go", "aux_test.go", "company1.go", "com10.go", "docs/code-workspace.md", "x.code-workspace/a.md", "hg/a.py", "src/.svnignore", ".hgignore", "file~", "foo.~1~", "a.py~", "~backup", "~backup.tar", "a~", "a~/b", "src/~root/a", "~$report.docx", "50%c0", "a%c3%a9b", "100%c.txt", "%c0x", "%c0%41", "a÷b.txt", "½.txt", "a%e2%82%acb", "name~with~1word.go", ".aws/task-definition.json",
			"👩‍👩‍👧.txt", "src/.hidden", "...a", "id_rs.go",
		},
		path.Empty:    {"", "."},
		path.Absolute: {"/", "/etc/passwd", "//server/share", `\\server\share`, "C:", "C:/x", "c:x", "a::$DATA", "~", "~/x", `\x`, "~root/.profile", "~alice.b-c_1/x", "~+/x", "~-/x", "~0/x", "~DOMAIN$/x"},
		path.Traversal: {"..", "../x", `..\x`, "a/../b", "a/..", "a//../..", "...", "a/.. /b", "..%2fx", "%2e%2e/x", ".%2E/x", "%252e%252e/x", "..;/x", "‥/x", "．．/x", "…/x", ". ./x", "a/..\u200d/x",
			"..%c0%afO/x", "..%C0%AFx", "a/..%c0%af..%c0%afx", "%c0%ae%c0%ae/x", "%c0%ae%c0%ae%c0%afx", ".%c0%ae/x", "%e0%80%ae%e0%80%ae/x", "..%e0%80%afx", "..%f0%80%80%afx", "..%c1%9cx", "%25c0%25ae%25c0%25ae/x", "..%25c0%25afx",
			"..∕O/x", "..⁄x", "..⧸x", "..／x", "..⧵x", "..﹨x", "..＼x", "a/..∕..∕x", "..%e2%88%95x"},
		path.Unclean:   {"a//b", "./a", "a/./b", "a/", "a/b//"},
		path.Hidden:    {"a\x00b", "a\nb", "a\x1b[31m", "a\x7f", "a\u0085b", "a\u202egpj.exe", "a\u2066b", "a\u2028b", "a\xffb", "\xc0\xae\xc0\xae/x"},
		path.Separator: {`a\b`, "a%2fb", "a%5cb", "a／b", "a＼b", "a%00b", "a%c0%afb", "a%c1%9cb", "a%c0%80b", "a%e0%80%afb", "a∕b", "a⁄b", "a⧸b", "a⧵b", "a﹨b", "file:stream", "ab::$DATA", "src:b/c"},
		path.Device:    {"con", "NUL", "nul.txt", "src/aux.go", "COM1", "com¹", "lpt9.x", "CONIN$", "conout$.txt", "a.", "a /b", "a. . ", "progra~1/x", "CLAUDE~1", "env~12", "ABCDEF~1.TXT"},
		path.Long:      {strings.Repeat("d/", 2048) + "f", strings.Repeat("a", 256), "x/" + strings.Repeat("ü", 128)},
		path.Git: {
			".git", ".git/config", "sub/.git/hooks/pre-commit", ".GIT/config", ".Git", ".gIt/x", ".g\u200cit/x", "\ufeff.git", ".git\u200d/config",
			".ｇｉｔ/config", "．git/x", ".gıt/x", ".gİt/x", ".git./x", ".git /x", ".git...", ".git . ./x", ".git::$INDEX_ALLOCATION/config", ".git:x",
			"git~1", "GIT~2/config", "git~10/x", "a/Git~1", ".%67it/config", "%c0%aegit/x", "%e0%80%aegit", "%2egit/x", ".ⓖⓘⓣ/x", ".𝐠𝐢𝐭/x", ".g\u00adit/x", ".gi\U000E0074t",
			".hg/hgrc", "sub/.HG/hgrc", ".jj/repo/config.toml", ".sl/config", ".svn/wc.db", ".bzr/branch/branch.conf",
		},
		path.Agent:  {".claude/settings.json", ".Claude/settings.local.json", ".mcp.json", "sub/.mcp.json", ".codex/config.toml", ".cursor/mcp.json", ".cursorrules", ".gemini/settings.json", "opencode.json", ".aider.conf.yml", ".github/copilot-instructions.md"},
		path.Editor: {".vscode/tasks.json", ".vscode/settings.json", ".idea/workspace.xml", "x/.IDEA/y", ".envrc", ".dir-locals.el", "app.code-workspace", "sub/App.Code-Workspace", ".lvimrc", ".gdbinit", "src/.lldbinit", ".pdbrc", ".pryrc", ".irbrc"},
		path.Hook:   {".husky/pre-commit", ".githooks/pre-push"},
		path.Secret: {
			".env", ".ENV", "a/.env", ".env.local", ".env.production", ".env-prod", ".env_dev", ".env~", "prod.env", ".env/x",
			".netrc", "_netrc", ".npmrc", ".pypirc", ".git-credentials", ".aws/credentials", "home/.aws/config", ".ssh/config", ".ssh/authorized_keys",
			"id_rsa", "id_rsa.pub", "ID_ED25519", "deploy_rsa", "server.pem", "certs/TLS.PEM", "x.KEY", "x.p12", "x.pfx", "store.jks", "vault.kdbx",
			".credentials.json", "credentials.json", "credentials.xml", "credentials.properties", "credentials.txt", "credentials", "secrets.yaml", "secrets.yml", "secrets.json", "my.secret", "kubeconfig", ".kube/config", ".docker/config.json",
			".config/gcloud/x.db", "service-account-prod.json", "ｓecrets.json", ".ｅnv", "terraform.tfstate", "tls.crt",
		},
	} {
		for _, p := range paths {
			var denied *path.Denied
			var got path.Rule
			if errors.As(path.Check(p), &denied) {
				got = denied.Rule
			}
			if got != rule {
				t.Errorf("Check(%.60q): rule %q, want %q", p, got, rule)
			}
		}
	}
}

// TestForbidden: what a name is called counts, however the names around it are spelled.
func TestForbidden(t *testing.T) {
	for p, want := range map[string]path.Rule{
		"aux/.git/hooks/pre-commit": path.Git, "x~1/.GIT": path.Git, "~/.git/config": path.Git, "c:/a/.git": path.Git, `a\b/git~1`: path.Git, ".vscode/x/.git": path.Git,
		"sub./.vscode/tasks.json": path.Editor, "con/.claude/x": path.Agent, "nul/.husky/a": path.Hook, "a:b/.env": path.Secret,
		strings.Repeat("a", 300) + "/.env": path.Secret, "d\x7f/.npmrc": path.Secret,
		"": "", ".": "", "aux/a.go": "", "~/x": "", "c:x": "", "a..": "", "/etc/passwd": "", "../x": "",
	} {
		var got path.Rule
		if denied := path.Forbidden(p); denied != nil {
			got = denied.Rule
		}
		if got != want {
			t.Errorf("Forbidden(%.60q): rule %q, want %q", p, got, want)
		}
	}
}

// TestConfirmed: names that pass, and that a person confirms, in whatever letters a file system would take for the same.
func TestConfirmed(t *testing.T) {
	for name, c := range map[string]struct {
		asks        func(string) bool
		these, none []string
	}{
		"instructs": {
			path.Instructs,
			[]string{"CLAUDE.md", "sub/AGENTS.md", "docs/AGENTS.md", "claude.md", "Agents.MD", "WARP.md", ".github/copilot-instructions.md", ".GitHub/instructions/go.instructions.md", ".github/prompts/a.md"},
			[]string{"README.md", "docs/agents.md", "doc/api/gemini.md", "agents.py", "x/.github/prompts.md", ".github/workflows/ci.yml"},
		},
		"steers": {path.Steers, []string{"fettle.yaml", "sub/Fettle.yml", ".claude-plugin", ".claude-plugin/plugin.json", "x/hooks/hooks.json"}, []string{"fettle.json", "hooks/hooks.ts", "x/.claude-plugins"}},
		"prepares": {path.Prepares, []string{".gitattributes", "sub/.gitmodules", ".devcontainer", ".DevContainer/x.sh", ".devcontainer.json", "mise.toml", ".mise.toml", "mise.local.toml", "sub/.mise.local.toml",
			"mise.production.toml", ".mise/config.toml", ".mise", "mise/config.toml", ".config/mise.toml", ".config/mise/conf.d/a.toml", ".config/mise", ".rtx.toml", ".miserc.toml", ".run/app.run.xml",
			"sub/Test.run.xml", ".iex.exs", ".ghci", ".ocamlinit", "sub/.Rprofile"}, []string{".gitignore", "docs/mise.md", "mise/a.go", "promise.toml", "src/mise.local.ts", "run.xml", ".config/other.toml", "a.exs", "x/.devcontainers/a", "devcontainer.md"}},
	} {
		for _, p := range c.these {
			if !c.asks(p) {
				t.Errorf("%s: not %q", name, p)
			}
		}
		for _, p := range c.none {
			if c.asks(p) {
				t.Errorf("%s: %q", name, p)
			}
		}
	}
}

func TestDeniedSaysWhatAndWhy(t *testing.T) {
	for p, want := range map[string]string{
		".env.local":   "File matches forbidden pattern '.env*': .env.local",
		"k/server.pem": "File matches forbidden pattern '*.pem': k/server.pem",
		".git/config":  "File matches forbidden pattern '.git/*': .git/config",
		"../x":         "File path outside project directory: ../x",
		"a\x1b[2Jb":    `File path contains control characters: "a\x1b[2Jb"`,
		"":             `File path is empty: ""`,
	} {
		if got := path.Check(p).Error(); got != want {
			t.Errorf("Check(%q): %s\nwant %s", p, got, want)
		}
	}
	if got := path.Check(strings.Repeat("a/", 3000)).Error(); len(got) > 400 {
		t.Errorf("an error of %d bytes is not one a person reads", len(got))
	}
}

// Whatever passes stays inside, and no spelling of .git that a file system may take for it passes.
func FuzzCheck(f *testing.F) {
	for _, s := range []string{"a/b.go", "../x", ".git/config", ".GIT", "a/.g\u200cit/x", ".ｇｉｔ", "git~1", ".git::$INDEX_ALLOCATION", "..%2f", "C:\\x", "a//b", "\xff", ".env"} {
		f.Add(s, uint64(0x5a5a))
	}
	ignorable := []rune{0x200c, 0x200d, 0x200e, 0x202a, 0x206f, 0xfeff}
	f.Fuzz(func(t *testing.T, p string, choices uint64) {
		if path.Check(p) == nil {
			if !filepath.IsLocal(p) || filepath.ToSlash(filepath.Clean(p)) != p {
				t.Errorf("%q passes and is not local and clean", p)
			}
			for name := range strings.SplitSeq(p, "/") {
				if strings.EqualFold(name, ".git") {
					t.Errorf("%q passes", p)
				}
			}
		}
		spelled := disguise(".git", choices, ignorable)
		for _, attack := range []string{spelled, spelled + "/" + p, p + "/" + spelled, p + "/" + spelled + "/config"} {
			if path.Check(attack) == nil {
				t.Errorf("%q passes", attack)
			}
		}
	})
}

// disguise spells a name in another case and width, with ignorable code points in between, as the bits of choices say.
func disguise(name string, choices uint64, ignorable []rune) string {
	var b strings.Builder
	for _, r := range name {
		switch choices & 3 {
		case 1:
			r = []rune(strings.ToUpper(string(r)))[0]
		case 2:
			r += 0xfee0 // full width
		case 3:
			b.WriteRune(ignorable[choices>>2%uint64(len(ignorable))])
		}
		b.WriteRune(r)
		choices >>= 4
	}
	return b.String() + []string{"", ".", " ", ". .", "::$INDEX_ALLOCATION", ":x"}[choices%6]
}

func BenchmarkCheck(b *testing.B) {
	for b.Loop() {
		if err := path.Check("internal/policy/path/path_test.go"); err != nil {
			b.Fatal(err)
		}
	}
}
