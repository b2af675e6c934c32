package cli_test

import (
	"bytes"
	"errors"
	"io/fs"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"fettle/internal/model"
	"fettle/internal/model/loopback"
	"fettle/internal/testenv"
	"fettle/internal/testenv/fakemodel"
)

// plantedSecrets are secrets, by where they are planted.
var plantedSecrets = map[string]string{
	"environment": "swordfish-9f8e7d6c5b", "environment, a model's key": "sk-ant-api03-Zt5wQx8vLm2nRb7kPj4h", ".env": "Qm7xVt93kLpZ", "source": "ghp_86C7e42F292c6912E7710c838347Ae178B4a", "git's configuration": "Wn4tRb82yHcD",
	"~/.aws": "wJalrXUtnFEMI0K7MDENG1bPxRfiCYzKq8Lm3Nv2", "~/.netrc": "Jk5sPd61fGhM", "test output": "ghp_26C7e42F292c6912E7710c838347Ae178B4a", "tool call": "glpat-Xy7Kq2Lm9Nv4Rt6Ws1Zb",
}

// held is a house with secrets everywhere, and everything that was heard of it outside.
type held struct {
	t    *testing.T
	repo string
	env  []string

	mu    sync.Mutex
	heard map[string][][]byte
}

func (h *held) hear(who string, text []byte) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.heard[who] = append(h.heard[who], bytes.Clone(text))
}

// fettle runs a command, and keeps what it prints.
func (h *held) fettle(env []string, stdin string, args ...string) string {
	h.t.Helper()
	cmd := exec.Command("fettle", args...)
	cmd.Dir, cmd.Env, cmd.Stdin = h.repo, slices.Concat(h.env, env), strings.NewReader(stdin)
	out, err := cmd.CombinedOutput()
	h.hear("fettle "+args[0], out)
	if err != nil {
		h.t.Fatalf("fettle %q: %v\n%s", args, err, out)
	}
	return string(out)
}

const secretWord = `package word

const demo = "ghp_86C7e42F292c6912E7710c838347Ae178B4a"

// Of is the word.
func Of(n int) string {
	if n == 2 {
		return "the moon"
	}
	return "another"
}
`

// newHeld makes the house, whose models are asked at an address.
func newHeld(t *testing.T, models string) *held {
	t.Helper()
	base := t.TempDir()
	home, repo := filepath.Join(base, "home"), filepath.Join(base, "word")
	s := plantedSecrets
	for name, text := range map[string]string{
		"word/go.mod": "module word\n\ngo 1.24\n", "word/word.go": secretWord, "word/.env": "DB_PASSWORD=" + s[".env"] + "\n", "word/.gitignore": ".env\n", "word/fettle.yaml": "version: 1\n",
		"word/word_test.go": "package word\n\nimport (\n\t\"os\"\n\t\"testing\"\n)\n\nfunc TestOf(t *testing.T) {\n\tenv, _ := os.ReadFile(\".env\")\n" +
			"\tif got := Of(2); len(got) != 21 || got[4] != 'w' {\n\t\tt.Errorf(\"%s with %s, %s and token=%s\", got, env, os.Getenv(\"DEPLOY_TOKEN\"), \"ghp_\"+\"26C7e42F292c6912E7710c838347Ae178B4a\")\n\t}\n}\n",
		"home/.aws/credentials": "[default]\naws_secret_access_key = " + s["~/.aws"] + "\n", "home/.netrc": "machine example.com login ann password " + s["~/.netrc"] + "\n",
		"home/.config/fettle/models.yaml": "providers: {play: {kind: openai, base_url: \"" + models + "/v1\"}}\ntiers: {fast: [play/small], standard: [play/small], deep: [play/large]}\nagents: [claude, codex, {name: gemini, model: gemini-2.5-flash}]\n",
		"home/.gitconfig":                 "[user]\n\tname = Ann\n\temail = ann@example.com\n",
	} {
		file := filepath.Join(base, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	h := &held{t: t, repo: repo, heard: map[string][][]byte{}, env: []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + home, "LC_ALL=C.UTF-8", "GOFLAGS=-mod=mod -buildvcs=false", "GOTOOLCHAIN=local", "GOTELEMETRY=off",
		"DEPLOY_TOKEN=" + s["environment"], "ANTHROPIC_API_KEY=" + s["environment, a model's key"], "OPENAI_API_KEY=sk-" + s["environment"],
		"GEMINI_API_KEY=AQ." + s["environment"],
	}}
	folders, err := goFolders()
	if err != nil {
		t.Fatal(err)
	}
	for i, name := range goFolderNames {
		h.env = append(h.env, name+"="+folders[i])
	}
	for _, args := range [][]string{{"init", "-q"}, {"remote", "add", "origin", "https://ann:" + s["git's configuration"] + "@example.com/x.git"}, {"add", "-A"}, {"commit", "-qm", "first"}} {
		cmd := exec.Command("git", args...)
		cmd.Dir, cmd.Env = repo, h.env
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %q: %v %s", args, err, out)
		}
	}
	return h
}

// look looks through everything that was heard and kept for the secrets. What undoing needs, the bytes of files before and after a change, is as the files were; and what the tools of a check
// keep in caches of their own is the tools'.
func (h *held) look() {
	h.t.Helper()
	for _, dir := range []string{filepath.Join(h.repo, ".git", "fettle"), filepath.Join(filepath.Dir(h.repo), "home", ".local"), filepath.Join(filepath.Dir(h.repo), "home", ".cache")} {
		err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
			switch {
			case errors.Is(err, fs.ErrNotExist):
				return nil
			case err != nil:
				return err
			case d.IsDir() && (d.Name() == "blobs" || d.Name() == "cache"):
				return fs.SkipDir
			case !d.Type().IsRegular():
				return nil
			}
			text, err := os.ReadFile(name)
			h.hear(name, text)
			return err
		})
		if err != nil {
			h.t.Fatal(err)
		}
	}
	for who, texts := range h.heard {
		all := bytes.Join(texts, []byte("\n"))
		for where, secret := range plantedSecrets {
			if at := bytes.Index(all, []byte(secret)); at >= 0 {
				h.t.Errorf("the secret of %s is in %s: …%s…", where, who, all[max(0, at-200):min(len(all), at+100)])
			}
		}
	}
}

const secretScript = `
replies:
  - {model: large, say: '{"issues": [{"code": "test", "solved": true, "quality": {"correctness": 100, "safety": 100, "minimality": 100, "style": 100}, "feedback": "", "missing": []}]}', repeat: true}
  - {last: A check complains, say: '{"explanation": "The word of two was another one.", "confidence": 0.9, "edits": [{"path": "word.go", "old": "\"the moon\"", "new": "\"the whole word of two\""}]}', repeat: true}
  - {say: '{"verdict": "approve", "reason": ""}', repeat: true}
`

// secretQuestion is one that the guard puts to its validator, about a call with secrets in it.
const secretQuestion = `{"version":1,"id":"q1","stages":["tool-approve"],"deadline":"2999-01-01T00:00:00Z","session":"s","root":"/r","cwd":"/r","tool":"Bash",
"input":{"command":"curl -H 'PRIVATE-TOKEN: glpat-Xy7Kq2Lm9Nv4Rt6Ws1Zb' https://ann:Wn4tRb82yHcD@example.com/?t=swordfish-9f8e7d6c5b"},"verdict":{"decision":"ask","facts":[]},"words":["deploy with swordfish-9f8e7d6c5b"]}`

// Secrets that are planted wherever text comes from are in no request that leaves the machine, whoever asks, nor in anything that fettle prints or keeps.
func TestNoSecretLeaves(t *testing.T) {
	script, err := model.ReadScript("script.yaml", []byte(secretScript))
	if err != nil {
		t.Fatal(err)
	}
	var hears atomic.Pointer[held]
	models := httptest.NewServer(loopback.New(script, func(_ string, body []byte) { hears.Load().hear("a model", body) }))
	defer models.Close()
	var home string
	tools := map[string]struct{ tool, arg string }{"claude": {"Bash", "command"}, "codex": {"exec_command", "cmd"}, "gemini": {"run_shell_command", "command"}}
	calls := func(kind string) []fakemodel.Call {
		call := func(command string) fakemodel.Call {
			return fakemodel.Call{Tool: tools[kind].tool, Input: map[string]any{tools[kind].arg: command}}
		}
		return []fakemodel.Call{
			call("cat .env word.go .git/config '" + home + "/.netrc' '" + home + "/.aws/credentials'; env; cat /proc/[0-9]*/environ"), // the guard refuses some of it
			call("cat word.go; go test ./..."), call("git remote -v"),
			call("sed -i 's/the moon/the whole word of two/' word.go"),
		}
	}
	h := newHeld(t, models.URL)
	hears.Store(h)
	home = filepath.Join(filepath.Dir(h.repo), "home")
	h.fettle(nil, "", "doctor", "--models")
	for _, fixer := range []string{"model-fast", "claude", "codex", "gemini"} {
		var env []string
		var m *fakemodel.Model
		if fixer != "model-fast" {
			testenv.NeedTool(t, fixer)
			m = fakemodel.Start(t, calls(fixer), nil, nil)
			m.Ends(`Done. {"status": "fixed", "summary": "The word was another one.", "confidence": 95, "risks": []}`)
			env = []string{"ANTHROPIC_BASE_URL=" + m.URL, "OPENAI_BASE_URL=" + m.URL + "/v1", "GOOGLE_GEMINI_BASE_URL=" + m.URL}
		}
		h.fettle(env, "", "fix", "--fixer", fixer, "-v", "--explain")
		if m != nil {
			for _, body := range m.Requests() {
				h.hear(fixer, body)
			}
			if said := bytes.Join(h.heard[fixer], nil); !bytes.Contains(said, []byte("const demo")) || !bytes.Contains(said, []byte("DB_PASSWORD=[REDACTED")) {
				t.Errorf("%s has not seen the source and what the test prints:\n%s", fixer, said)
			}
		}
		if got, err := os.ReadFile(filepath.Join(h.repo, "word.go")); err != nil || string(got) != strings.Replace(secretWord, "the moon", "the whole word of two", 1) {
			t.Fatalf("%s left %s, %v", fixer, got, err)
		}
		for _, args := range [][]string{{"show", "--json"}, {"stats"}, {"undo"}} {
			h.fettle(env, "", args...)
		}
	}
	if got := h.fettle(nil, secretQuestion, "guard", "validate"); !strings.Contains(got, `"decision":"ok"`) {
		t.Errorf("the guard's validator said %s", got)
	}
	h.look()
}
