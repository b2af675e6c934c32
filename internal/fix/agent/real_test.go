package agent_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"fettle/internal/audit/challenge"
	"fettle/internal/check"
	"fettle/internal/edit"
	"fettle/internal/fix"
	"fettle/internal/fix/agent"
	"fettle/internal/git"
	"fettle/internal/guard/guest"
	"fettle/internal/guard/setup"
	"fettle/internal/heal"
	"fettle/internal/journal"
	models "fettle/internal/model"
	"fettle/internal/model/loopback"
	"fettle/internal/proc"
	"fettle/internal/store"
	"fettle/internal/testenv"
	"fettle/internal/testenv/fakemodel"
	"fettle/internal/verify"
	"fettle/internal/workspace"
)

// model is what a kind's model is called where it has to have a name: Gemini CLI else asks another one first, which to take.
func model(k agent.Kind) string {
	return map[agent.Kind]string{agent.Gemini: "gemini-2.5-flash"}[k]
}

// secretKey is the key that no agent may see.
const secretKey = "sk-ant-test-this-is-the-real-key"

// variables of each kind's endpoint.
var variables = map[agent.Kind][2]string{
	agent.Claude: {"ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL"},
	agent.Codex:  {"OPENAI_API_KEY", "OPENAI_BASE_URL"},
	agent.Gemini: {"GEMINI_API_KEY", "GOOGLE_GEMINI_BASE_URL"},
}

// environment is one in which a kind's model is at this address.
func environment(t testing.TB, k agent.Kind, url string) []string {
	t.Helper()
	if k == agent.Codex {
		url += "/v1"
	}
	return []string{"PATH=" + os.Getenv("PATH"), "HOME=" + os.Getenv("HOME"), variables[k][0] + "=" + secretKey, variables[k][1] + "=" + url, "DATABASE_PASSWORD=hunter2hunter2"}
}

// shell is the call by which an agent of a kind has a command run.
func shell(k agent.Kind, command string) fakemodel.Call {
	switch k {
	case agent.Claude:
	case agent.Codex:
		return fakemodel.Call{Tool: "exec_command", Input: map[string]any{"cmd": command}}
	case agent.Gemini:
		return fakemodel.Call{Tool: "run_shell_command", Input: map[string]any{"command": command}}
	}
	return fakemodel.Call{Tool: "Bash", Input: map[string]any{"command": command}}
}

const saysSure = `Done. {"status": "fixed", "summary": "The sum was a difference.", "confidence": 95, "risks": []}`

// repository is the user's tree, with git and with work that is not committed.
type repository struct {
	root, state string
	copies      atomic.Int64
}

// sample is a fault in a program whose test starts at once: what is tested here is what agents do. Other tests of theirs are run in TestRealAgentsHealOtherLanguages.
var sample = map[string]string{
	"sum.py":      "def plus(a, b):\n    return a - b\n",
	"test_sum.py": "from sum import plus\n\ngot = plus(2, 3)\nif got != 5:\n    raise SystemExit(f\"sum.py:2: error: TestSum: got {got}\")\n",
	"notes.txt":   "committed\n",
	".gitignore":  "*.log\n__pycache__/\n",
}

var testSample = check.Check{Name: "test", Lang: "python", Run: []string{"python3", "test_sum.py"}, Parser: "gcc"}

func newRepository(t testing.TB) *repository {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	r := &repository{root: filepath.Join(base, "sample"), state: filepath.Join(base, "state")}
	if err := os.MkdirAll(r.state, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range sample {
		r.put(t, name, text)
	}
	r.git(t, "init", "-qb", "main")
	r.git(t, "add", "-A")
	r.git(t, "-c", "user.name=A", "-c", "user.email=a@b.c", "commit", "-qm", "first")
	r.put(t, "notes.txt", "not committed\n")
	r.put(t, "untracked.txt", "mine\n")
	return r
}

func (r *repository) put(t testing.TB, name, text string) {
	t.Helper()
	file := filepath.Join(r.root, name)
	if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(text), 0o644)); err != nil {
		t.Fatal(err)
	}
}

func (r *repository) read(t testing.TB, name string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(r.root, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func (r *repository) git(t testing.TB, args ...string) string {
	t.Helper()
	res, err := proc.Run(t.Context(), proc.Cmd{Argv: append([]string{"git"}, args...), Dir: r.root})
	if err != nil || !res.OK() {
		t.Fatalf("git %q: %v %s", args, err, res.Stderr.String())
	}
	return res.Stdout.String()
}

// open opens a private copy, as candidates have it.
func (r *repository) open(ctx context.Context, network workspace.Network) (*workspace.Copy, error) {
	return workspace.OpenCopy(ctx, workspace.CopyOptions{Root: r.root, State: filepath.Join(r.state, "copies", strconv.FormatInt(r.copies.Add(1), 10)), Network: network, Mask: []string{r.state},
		Ignored: func(ctx context.Context, paths []string) ([]string, error) {
			repo, err := git.Open(ctx, r.root)
			if err != nil {
				return nil, err
			}
			return repo.Ignored(ctx, paths)
		}})
}

// loop is the loop over the repository, with one fixer. Without checks named it is over the sample's.
func (r *repository) loop(t testing.TB, f fix.Fixer, checks ...check.Check) *heal.Loop {
	t.Helper()
	db, err := store.Open(t.Context(), filepath.Join(r.state, "db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	j, err := journal.Open(db, filepath.Join(r.state, "db"))
	if err != nil {
		t.Fatal(err)
	}
	tree, err := workspace.OpenTree(r.root, j, workspace.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { tree.Close() })
	ladder, err := fix.NewLadder(f)
	if err != nil {
		t.Fatal(err)
	}
	config := check.Default()
	if config.Checks = checks; len(checks) == 0 {
		config.Checks = []check.Check{testSample}
	}
	stock := workspace.OpenStock(r.root, filepath.Join(r.state, "stock"))
	lab := &verify.Lab{
		Open: func(ctx context.Context, online bool) (verify.Copy, error) {
			if online {
				return r.open(ctx, workspace.NetworkHost)
			}
			return r.open(ctx, workspace.NetworkLoopback)
		},
		Digest: func(ctx context.Context) (edit.Hash, error) {
			m, err := stock.Take(ctx)
			if err != nil {
				return "", err
			}
			return m.Digest(), nil
		},
		Part:  func(digest edit.Hash, c check.Check) (edit.Hash, bool) { return stock.Part(digest, c) },
		Setup: stock.Setup, Reconfigured: stock.Reconfigured, Between: stock.Between, Changed: stock.Changed,
		Checks: config.Checks, Memory: &verify.Memory{DB: db},
	}
	t.Cleanup(lab.Close)
	return &heal.Loop{Config: config, Tree: tree, Journal: j, Lab: lab, Ladder: ladder, Sessions: &heal.Sessions{DB: db}, Tell: func(e heal.Event) { t.Log(e.Kind, e.Text) }}
}

// goal is to heal the sample within this many rounds.
func goal(rounds int) heal.Goal {
	return heal.Goal{Checks: []string{testSample.Name}, Iterations: rounds, Budget: 100}
}

// Each of the real agents heals a repository through the real loop. Work that is not committed is in its copy, and is unharmed afterwards; what the agent commits stays in its copy;
// neither the key nor any other secret is seen by it.
func TestRealAgentsHeal(t *testing.T) {
	for _, k := range agent.Kinds {
		t.Run(string(k), func(t *testing.T) {
			t.Parallel()
			heals(t, newRepository(t), k, nil, []string{"cat notes.txt untracked.txt; env; cat /proc/self/environ /proc/$PPID/environ",
				"sed -i 's/a - b/a + b/' sum.py && echo x > out.log && " + commits + " && git config core.bare true"})
		})
	}
}

// So it does under the guard, whatever the repository says of itself: what heals is nothing that the guard has anything against.
func TestRealAgentsHealGuarded(t *testing.T) {
	guard := guards(t)
	for _, k := range agent.Kinds {
		for _, name := range []string{"fettle.yaml, no policy", "fettle.yaml, its policy"} {
			t.Run(string(k)+", "+name, func(t *testing.T) {
				t.Parallel()
				r := newRepository(t)
				r.put(t, "fettle.yaml", policies[name])
				heals(t, r, k, guard(k), []string{"cat notes.txt untracked.txt", "sed -i 's/a - b/a + b/' sum.py", "echo x > out.log", commits})
			})
		}
	}
}

// heals has an agent run these commands, and looks whether that heals the sample, and leaves everything else as it was.
func heals(t *testing.T, r *repository, k agent.Kind, guard agent.Guard, commands []string) {
	t.Helper()
	testenv.NeedTool(t, string(k))
	testenv.NeedTool(t, "python3")
	var calls []fakemodel.Call
	for _, c := range commands {
		calls = append(calls, shell(k, c))
	}
	m := fakemodel.Start(t, calls, nil, nil)
	m.Ends(saysSure)
	f := agent.New(k, agent.Options{Env: environment(t, k, m.URL), Model: model(k), Guard: guard})
	head := r.git(t, "rev-parse", "HEAD")
	s, end, err := r.loop(t, f).Start(t.Context(), goal(3))
	if err != nil || end != "converged" {
		t.Fatalf("ended %s (%s, %q), %v\n%s", end, s.Reason, s.Notes, err, bytes.Join(m.Requests(), []byte("\n")))
	}
	if !strings.Contains(r.read(t, "sum.py"), "a + b") || r.read(t, "notes.txt") != "not committed\n" || r.read(t, "untracked.txt") != "mine\n" {
		t.Error("the tree is not what it should be")
	}
	if status := r.git(t, "status", "--porcelain"); head != r.git(t, "rev-parse", "HEAD") || strings.Contains(status, "out.log") || !strings.Contains(status, " M sum.py") {
		t.Errorf("git was changed: %s", status)
	}
	heard := string(bytes.Join(m.Requests(), nil))
	if !strings.Contains(heard, "not committed") || !strings.Contains(heard, "TestSum") {
		t.Error("the agent has not seen the work that is not committed, or was not told what fails")
	}
	for _, secret := range []string{secretKey, "hunter2hunter2"} {
		if strings.Contains(heard, secret) {
			t.Errorf("the agent saw %s", secret)
		}
	}
}

// A script can be each real agent's model, by the wires that fettle itself speaks to models (fettle play).
func TestRealAgentsPlayed(t *testing.T) {
	for _, k := range agent.Kinds {
		t.Run(string(k), func(t *testing.T) {
			t.Parallel()
			testenv.NeedTool(t, string(k))
			mends := shell(k, "sed -i 's/a - b/a + b/' sum.py")
			var text bytes.Buffer
			lines := json.NewEncoder(&text)
			err := errors.Join(lines.Encode(map[string]any{"whole": "TestSum", "calls": []any{map[string]any{"name": mends.Tool, "input": mends.Input}}}),
				lines.Encode(map[string]any{"say": saysSure, "repeat": true}))
			if err != nil {
				t.Fatal(err)
			}
			script, err := models.ReadScript("script.jsonl", text.Bytes())
			if err != nil {
				t.Fatal(err)
			}
			server := httptest.NewServer(loopback.New(script, nil))
			defer server.Close()
			r := newRepository(t)
			f := agent.New(k, agent.Options{Env: environment(t, k, server.URL), Model: model(k)})
			s, end, err := r.loop(t, f).Start(t.Context(), goal(3))
			if err != nil || end != "converged" || !strings.Contains(r.read(t, "sum.py"), "a + b") {
				t.Errorf("ended %s (%s, %q), %v", end, s.Reason, s.Notes, err)
			}
		})
	}
}

// others are samples in other languages, in one repository.
var others = map[string]string{
	"go.mod": "module sums\n\ngo 1.26\n", "sums.go": "// Package sums adds.\npackage sums\n\n// Total adds two.\nfunc Total(a, b int) int { return a - b }\n",
	"sums_test.go": "package sums\n\nimport \"testing\"\n\nfunc TestTotal(t *testing.T) {\n\tif got := Total(2, 3); got != 5 {\n\t\tt.Errorf(\"got %d\", got)\n\t}\n}\n",
	"sums.py":      "def total(prices):\n    return sum(prices[1:])\n", "test_sums.py": "from sums import total\n\n\ndef test_total():\n    assert total([1, 2]) == 3\n",
	"sums.js": "exports.total = (prices) => prices.slice(1).reduce((a, b) => a + b, 0);\n", "sums.test.js": "const test = require('node:test');\nconst assert = require('node:assert');\nconst { total } = require('./sums.js');\n\ntest('total', () => assert.equal(total([1, 2]), 3));\n",
}

// The real agents heal what the test runners of Go, Python and JavaScript complain of: what is said of each goes to every agent by the same way, so the one that starts
// soonest is asked about all of them, which are three visits, and each of the others about one.
func TestRealAgentsHealOtherLanguages(t *testing.T) {
	goes := language{check.Check{Name: "test.go", Lang: "go", Run: []string{"go", "test", "-json", "./..."}, Parser: "gotest"}, "sums.go", "s/a - b/a + b/", "a - b"}
	python := language{check.Check{Name: "test.py", Lang: "python", Run: []string{"pytest", "-q", "test_sums.py"}, Parser: "pytest"}, "sums.py", "s/\\[1:\\]//", "[1:]"}
	javascript := language{check.Check{Name: "test.js", Lang: "javascript", Run: []string{"node", "--test", "--test-reporter=tap"}, Parser: "tap"}, "sums.js", "s/.slice(1)//", "slice"}
	for k, languages := range map[agent.Kind][]language{agent.Codex: {goes, python, javascript}, agent.Claude: {python}, agent.Gemini: {javascript}} {
		t.Run(string(k), func(t *testing.T) {
			t.Parallel()
			for _, tool := range []string{string(k), "go", "pytest", "node"} {
				testenv.NeedTool(t, tool)
			}
			r := newRepository(t)
			for name, text := range others {
				r.put(t, name, text)
			}
			var checks []check.Check
			var names, commands []string
			for _, l := range languages {
				checks, names, commands = append(checks, l.check), append(names, l.check.Name), append(commands, "sed -i '"+l.mend+"' "+l.file)
			}
			m := fakemodel.Start(t, []fakemodel.Call{shell(k, strings.Join(commands, "; "))}, nil, nil)
			m.Ends(saysSure)
			s, end, err := r.loop(t, agent.New(k, agent.Options{Env: environment(t, k, m.URL), Model: model(k)}), checks...).Start(t.Context(), heal.Goal{Checks: names, Iterations: 2})
			if err != nil || end != "converged" {
				t.Errorf("ended %s (%s), %v", end, s.Reason, err)
			}
			for _, l := range languages {
				if strings.Contains(r.read(t, l.file), l.wrong) {
					t.Errorf("%s is as it was", l.file)
				}
			}
		})
	}
}

// language is one of the others: its check, the source in which something is wrong, the sed that mends it, and what is wrong.
type language struct {
	check             check.Check
	file, mend, wrong string
}

// talkTo lets a real agent work once, in a private copy of the repository.
func talkTo(t *testing.T, r *repository, k agent.Kind, m *fakemodel.Model, o agent.Options) (c fix.Candidate, notes string, err error) {
	t.Helper()
	o.Env, o.Model = environment(t, k, m.URL), model(k)
	var all []string
	c, err = r.visit(t.Context(), t, workspace.Auto, agent.New(k, o), func(text string) { all = append(all, text) })
	return c, strings.Join(all, "\n"), err
}

// What the second reader sends back comes to a real agent in the conversation in which it was made: in another copy, with another home, it hears again what was said before. What both
// runs cost is counted once. The conversation stands in the store with the session, and is gone when that has ended.
func TestRealAgentsGoOn(t *testing.T) {
	for _, k := range agent.Kinds {
		t.Run(string(k), func(t *testing.T) {
			t.Parallel()
			testenv.NeedTool(t, string(k))
			r := newRepository(t)
			m := fakemodel.Start(t, []fakemodel.Call{shell(k, "echo first-time; sed -i 's/a - b/b + a/' sum.py"), {}, shell(k, "sed -i 's/a - b/a + b/' sum.py")}, nil, nil)
			m.Ends(saysSure)
			talks := filepath.Join(r.state, "talks")
			l := r.loop(t, agent.New(k, agent.Options{Env: environment(t, k, m.URL), Model: model(k), Conversations: talks}))
			first, asked, cost := 0, 0, 0.0
			l.Challenger = func(ctx context.Context, c challenge.Case) (challenge.Opinion, error) {
				asked++
				rec, err := l.Sessions.Load(ctx, "")
				if err != nil {
					t.Error(err)
					return challenge.Opinion{}, err
				}
				o := challenge.Opinion{Threshold: 95, Score: 99, Approved: true}
				if asked == 1 {
					first, cost = len(m.Requests()), rec.Cost
					o = challenge.Opinion{Threshold: 95, Score: 60, Scores: []challenge.Score{{Code: c.Issues[0].Code, Score: 60, Feedback: "the-order-is-odd"}}}
				} else if open, err := l.Sessions.Conversations(ctx); err != nil || len(open) != 1 {
					t.Errorf("while the session runs, the store has the conversations %q, %v", open, err)
				}
				return o, nil
			}
			s, end, err := l.Start(t.Context(), goal(3))
			if err != nil || end != "converged" || asked != 2 || !strings.Contains(r.read(t, "sum.py"), "return a + b") {
				t.Fatalf("ended %s (%s) after %d opinions, %v\n%s", end, s.Reason, asked, err, bytes.Join(m.Requests(), []byte("\n")))
			}
			again := string(m.Requests()[first])
			for _, said := range []string{"echo first-time", "the-order-is-odd", "This goes on with an earlier attempt"} {
				if !strings.Contains(again, said) {
					t.Errorf("the second run began without %q:\n%s", said, again)
				}
			}
			if k == agent.Claude && (cost <= 0 || s.Cost <= cost || s.Cost > 2.5*cost) {
				t.Errorf("the first run has cost %v, both %v", cost, s.Cost)
			}
			open, err := l.Sessions.Conversations(t.Context())
			if err := errors.Join(err, agent.Forget(talks, open)); err != nil {
				t.Fatal(err)
			}
			if left, err := filepath.Glob(filepath.Join(talks, "*", "*")); err != nil || len(left) > 0 || len(s.Talks) != 1 {
				t.Errorf("of %v is left: %q, %v", s.Talks, left, err)
			}
		})
	}
}

// A subscription's token is a way to ask as a key is: the real Claude Code asks with it as it asks with its own login, and the token is added outside, in the place of what it shows.
func TestRealSubscription(t *testing.T) {
	testenv.NeedTool(t, "claude")
	r := newRepository(t)
	m := fakemodel.Start(t, []fakemodel.Call{shell(agent.Claude, "env; echo '# 1' >>sum.py")}, nil, nil)
	m.Ends(saysSure)
	token := "sk-ant-oat01-" + strings.Repeat("subscribed", 8)
	var shown []string
	var mu sync.Mutex
	m.Refuse = func(_ http.ResponseWriter, q *http.Request) bool {
		mu.Lock()
		defer mu.Unlock()
		shown = append(shown, q.Header.Get("Authorization")+q.Header.Get("X-Api-Key"), q.Header.Get("Anthropic-Beta"))
		return false
	}
	env := []string{"PATH=" + os.Getenv("PATH"), "HOME=" + os.Getenv("HOME"), "CLAUDE_CODE_OAUTH_TOKEN=" + token, "ANTHROPIC_BASE_URL=" + m.URL}
	if err := agent.Ready(agent.Claude, env, r.root); err != nil {
		t.Errorf("it could not be asked: %v", err)
	}
	c, err := r.visit(t.Context(), t, workspace.Auto, agent.New(agent.Claude, agent.Options{Env: env}), func(text string) {
		if strings.Contains(text, token) {
			t.Errorf("told was %q", text)
		}
	})
	if err != nil || !slices.Equal(c.Patch.Paths(), []string{"sum.py"}) {
		t.Fatalf("its patch is %v, %v", c.Patch.Paths(), err)
	}
	if len(shown) < 4 || shown[0] != "Bearer "+token || !strings.Contains(shown[1], "oauth") {
		t.Errorf("the endpoint was shown %q", shown)
	}
	if heard := bytes.Join(m.Requests(), nil); bytes.Contains(heard, []byte("subscribedsubscribed")) || !bytes.Contains(heard, []byte("ANTHROPIC_BASE_URL=")) {
		t.Error("the agent saw the token, or not its environment")
	}
}

// Limits and failures of real agents are told in the same words, and what they have changed by then is no candidate.
func TestRealAgentsThatFail(t *testing.T) {
	for _, k := range agent.Kinds {
		t.Run(string(k), func(t *testing.T) {
			t.Parallel()
			testenv.NeedTool(t, string(k))
			r := newRepository(t)
			script := []fakemodel.Call{shell(k, "echo '# 1' >>sum.py"), shell(k, "echo '# 2' >>sum.py")}
			m := fakemodel.Start(t, script, nil, nil)
			if c, _, err := talkTo(t, r, k, m, agent.Options{MaxTurns: 1}); err == nil || !strings.HasSuffix(err.Error(), "it was not done within its 1 turns") {
				t.Errorf("got %v, %v", c, err)
			}
			m = fakemodel.Start(t, script, nil, nil)
			m.Refuse = func(w http.ResponseWriter, _ *http.Request) bool {
				w.Header().Set("Content-Type", "application/json")
				w.WriteHeader(http.StatusForbidden)
				_, err := io.WriteString(w, `{"type":"error","error":{"type":"permission_error","message":"this key may not"}}`)
				return err == nil
			}
			if c, _, err := talkTo(t, r, k, m, agent.Options{}); err == nil || !strings.Contains(err.Error(), "the endpoint does not accept the key: look whether it is right and may use this model (403: this key may not)") {
				t.Errorf("got %v, %v", c, err)
			}
		})
	}
}

// commits is a command that commits all there is.
const commits = "git -c user.name=A -c user.email=a@b.c commit -qam mine"

// policies are what a repository may say of itself, by name: nothing, something but no policy, and a policy.
var policies = map[string]string{
	"no fettle.yaml":          "",
	"fettle.yaml, no policy":  "version: 1\n",
	"fettle.yaml, its policy": "version: 1\npolicy:\n  rules:\n    - {id: no-commits, kinds: [record], decision: deny, reason: people commit here}\n",
}

var programs = testenv.Built{Build: func(dir string) error {
	if out, err := exec.Command("go", "build", "-o", dir, "../../../cmd/fettle", "../../../cmd/fettle-guard").CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	return nil
}}

// guards are guards for each client, whose programs are built from here.
func guards(t *testing.T) func(k agent.Kind) agent.Guard {
	t.Helper()
	bin := programs.In(t)
	return func(k agent.Kind) agent.Guard {
		return guest.Guard{Client: setup.Client(k), Program: filepath.Join(bin, "fettle-guard"), Fettle: filepath.Join(bin, "fettle")}
	}
}

// The guard's own hook judges the calls of each agent, by the repository's policy: what it refuses does not happen, even in the copy, and is told with the reason. What it has
// nothing against happens, whatever the repository says of itself. No settings of the repository's switch the hook off.
func TestRealAgentsAreGuarded(t *testing.T) {
	guard := guards(t)
	for _, k := range agent.Kinds {
		for name, policy := range policies {
			t.Run(string(k)+", "+name, func(t *testing.T) {
				t.Parallel()
				testenv.NeedTool(t, string(k))
				r := newRepository(t)
				r.put(t, ".gemini/settings.json", `{"hooksConfig": {"enabled": false}}`)
				r.put(t, ".claude/settings.json", `{"disableAllHooks": true}`)
				if policy != "" {
					r.put(t, "fettle.yaml", policy)
				}
				m := fakemodel.Start(t, []fakemodel.Call{shell(k, "git checkout -- notes.txt"), shell(k, commits+" && echo '# 0' >>sum.py"), shell(k, "echo '# 1' >>sum.py")}, nil, nil)
				c, notes, err := talkTo(t, r, k, m, agent.Options{Guard: guard(k)})
				if err != nil || !slices.Equal(c.Patch.Paths(), []string{"sum.py"}) {
					t.Errorf("its patch is %v, %v", c.Patch.Paths(), err)
				}
				if heard := string(bytes.Join(m.Requests(), nil)); !strings.Contains(heard, "fettle guard") {
					t.Errorf("the agent was not told of the refusal:\n%s", heard)
				}
				count, forbids := "1 of its calls was", strings.Contains(policy, "people commit here")
				if forbids {
					count = "2 of its calls were"
				}
				if strings.Contains(notes, "settings.json") {
					t.Errorf("told was what was only hidden: %q", notes)
				}
				if !strings.Contains(notes, count+" refused: Bash (") || strings.Contains(notes, "Bash (people commit here") != forbids || strings.Contains(notes, "cannot be read") {
					t.Errorf("told was %q", notes)
				}
			})
		}
	}
}

// Only with sub-agents has a real agent somebody to send on an errand.
func TestRealSubagents(t *testing.T) {
	testenv.NeedTool(t, "claude")
	send := fakemodel.Call{Tool: "Agent", Input: map[string]any{"description": "an errand", "prompt": "Run the " + fakemodel.Errand, "subagent_type": "general-purpose"}}
	for _, may := range []bool{true, false} {
		t.Run(strconv.FormatBool(may), func(t *testing.T) {
			t.Parallel()
			r := newRepository(t)
			m := fakemodel.Start(t, []fakemodel.Call{send}, []fakemodel.Call{shell(agent.Claude, "echo '# 1' >>sum.py")}, nil)
			c, _, err := talkTo(t, r, agent.Claude, m, agent.Options{Subagents: may})
			if err != nil || (len(c.Patch) == 1) != may {
				t.Errorf("its patch is %v, %v", c.Patch.Paths(), err)
			}
		})
	}
}
