package workspace_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fettle/internal/testenv"
	"fettle/internal/workspace"
)

// planted are secrets below a home, and plain is what has to stay to be seen there.
var planted, plain = []string{
	".ssh/id_ed25519", ".aws/credentials", ".config/gcloud/access_tokens.db", ".netrc", ".gnupg/private-keys-v1.d/a.key", ".docker/config.json", ".kube/config", ".npmrc", ".pypirc", ".claude/.credentials.json",
	".claude/projects/p/s.jsonl", ".claude.json", ".codex/auth.json", ".gemini/oauth_creds.json", ".bash_history", ".zsh_history", ".python_history", ".mozilla/firefox/a.default/logins.json", ".config/google-chrome/Default/Login Data",
	".config/fettle/models.yaml", ".local/state/fettle/spending/spending.db", ".git-credentials", ".config/gh/hosts.yml", ".cargo/credentials.toml", "elsewhere/kube",
}, []string{".gitconfig", ".docker/daemon.json", ".claude/local/claude", ".cargo/config.toml", ".config/other/settings", "go/pkg/mod/m.go", "elsewhere/more"}

// homeOf makes a home with all that, and tells what is hidden of it.
func homeOf(t testing.TB) (dir string, hide []string) {
	t.Helper()
	dir = home(t)
	for _, name := range slices.Concat(planted, plain) {
		write(t, filepath.Join(dir, name), "planted in "+name+"\n")
	}
	if err := os.Rename(filepath.Join(dir, ".ssh"), filepath.Join(dir, "dotfiles")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("dotfiles", filepath.Join(dir, ".ssh")); err != nil {
		t.Fatal(err)
	}
	env := map[string]string{"HOME": dir, "KUBECONFIG": "/nowhere:" + filepath.Join(dir, "elsewhere/kube"), "HISTFILE": "/dev/null", "DOCKER_CONFIG": dir}
	return dir, workspace.Personal(func(name string) string { return env[name] })
}

// A program in a copy reads nothing of what is personal in HOME, whatever way it takes, and all of the rest; nor can it write there. That is so after a reset, too, and the person's own
// files are as they were.
func TestCopyHidesWhatIsPersonal(t *testing.T) {
	dir, hide := homeOf(t)
	root := repo(t)
	o := options(root)
	o.Hide = slices.Concat(hide, []string{filepath.Join(root, "docs"), filepath.Dir(root)}) // what is of the work, or around it, stays
	for _, m := range []workspace.Method{workspace.Overlay, workspace.PlainCopy} {
		t.Run(string(m), func(t *testing.T) {
			o := o
			o.Method = m
			c := open(t, o)
			if !c.HoldsWrites() {
				testenv.Missing(t, "needs a kernel with Landlock")
			}
			look := `cd "$1"; grep -rhs planted . dotfiles/ || true
{ for f in .ssh/id_ed25519 dotfiles/id_ed25519 .netrc; do cat "$f"; echo more >>"$f"; done; cat "/proc/self/root$1/.netrc"; echo changed >.gitconfig; } 2>/dev/null || true
test -f "$2"/docs/one.md`
			for range 2 {
				got := sh(t, c, look, dir, c.Root())
				for _, name := range planted {
					if strings.Contains(got, "planted in "+name+"\n") {
						t.Errorf("%s was read", name)
					}
				}
				for _, name := range plain {
					if !strings.Contains(got, "planted in "+name+"\n") {
						t.Errorf("%s was not seen:\n%s", name, got)
					}
				}
				if err := c.Reset(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			for _, name := range planted {
				if b, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(b) != "planted in "+name+"\n" {
					t.Errorf("%s is %q now, %v", name, b, err)
				}
			}
		})
	}
}
