package agent_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"fettle/internal/diag"
	"fettle/internal/fix"
	"fettle/internal/fix/agent"
	"fettle/internal/testenv"
	"fettle/internal/workspace"
)

// standIn is an environment whose agents are this shell script.
func standIn(t *testing.T, script string) []string {
	t.Helper()
	bin, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range agent.Kinds {
		if err := os.WriteFile(filepath.Join(bin, string(k)), []byte("#!/bin/sh\n"+script), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return []string{"PATH=" + bin + ":" + os.Getenv("PATH"), "HOME=" + os.Getenv("HOME"), "ANTHROPIC_API_KEY=" + secretKey, "OPENAI_API_KEY=" + secretKey}
}

// visit lets a fixer work in a private copy of the repository, by this method.
func (r *repository) visit(ctx context.Context, t *testing.T, m workspace.Method, f fix.Fixer, note func(string)) (fix.Candidate, error) {
	t.Helper()
	c, err := workspace.OpenCopy(t.Context(), workspace.CopyOptions{Root: r.root, State: filepath.Join(r.state, "copies", t.Name()), Network: workspace.NetworkLoopback, Mask: []string{r.state}, Method: m})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	task := fix.Task{Check: testSample, Diagnostics: []diag.Diagnostic{{Check: testSample.Name, Test: "TestSum", Message: "got -1"}}, Place: c, Note: note}
	var got fix.Candidate
	for cand, err := range f.Propose(ctx, task) {
		if err != nil {
			return fix.Candidate{}, err
		}
		got = cand
	}
	if left, err := c.Changes(t.Context()); err != nil || len(left) > 0 {
		t.Errorf("the copy was not taken back: %v, %v", left.Paths(), err)
	}
	return got, nil
}

// running reports whether a program with this argument runs on the machine.
func running(t *testing.T, arg string) bool {
	t.Helper()
	files, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	return slices.ContainsFunc(files, func(f string) bool {
		b, _ := os.ReadFile(f) // a process that is gone
		return slices.Contains(strings.Split(string(b), "\x00"), arg)
	})
}

// However a run ends, nothing that the agent has started lives on: not what has left its session, nor what does not hear signals.
func TestNobodyIsLeft(t *testing.T) {
	testenv.NeedTool(t, "setsid")
	const lives = "31536007.5" // seconds; nobody else sleeps so long
	leaves := "setsid sh -c \"trap '' TERM HUP; sleep " + lives + "\" >/dev/null 2>&1 &\n(trap '' TERM; sleep " + lives + ") & while ! pgrep -f " + lives + " >/dev/null; do :; done\n"
	for _, m := range []workspace.Method{workspace.Overlay, workspace.PlainCopy} {
		for name, end := range map[string]string{"it hangs": "trap '' TERM\n: >$HOME/hangs; while :; do sleep 0.01; done", "it comes to its end": said(agent.Codex, saysSure), "it crashes": "kill -9 $$"} {
			t.Run(string(m)+", "+name, func(t *testing.T) {
				r := newRepository(t)
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				o := agent.Options{Env: standIn(t, leaves+end)}
				if name == "it hangs" {
					o.Guard = watcher{lay: func(home string) error { // cancelled as soon as it hangs
						go func() {
							for ctx.Err() == nil {
								if _, err := os.Stat(filepath.Join(home, "hangs")); err == nil {
									cancel()
								}
								<-time.After(time.Millisecond)
							}
						}()
						return nil
					}}
				}
				_, err := r.visit(ctx, t, m, agent.New(agent.Codex, o), nil)
				if name == "it hangs" != errors.Is(err, context.Canceled) {
					t.Errorf("got %v", err)
				}
				if running(t, lives) {
					t.Error("something lives on")
				}
			})
		}
	}
}

// An agent writes where it likes, and nothing but its patch is left of it.
func TestNothingElseChanges(t *testing.T) {
	for _, m := range []workspace.Method{workspace.Overlay, workspace.PlainCopy} {
		t.Run(string(m), func(t *testing.T) {
			r := newRepository(t)
			other := t.TempDir()
			var env []string
			script := "for f in '" + other + "/made' /etc/fettle-made /usr/fettle-made /tmp/fettle-made '" + r.state + "/made' '" + r.root + "/../made' '" + os.Getenv("HOME") + "/fettle-made'; do echo x >\"$f\"; done 2>/dev/null\n" +
				"rm -f '" + other + "/mine'; echo '# more' >>sum.py; echo mine too >>notes.txt; git stash -q; git stash pop -q; echo x >>.git/config\n" + said(agent.Codex, saysSure)
			env = standIn(t, script)
			if err := os.WriteFile(filepath.Join(other, "mine"), nil, 0o600); err != nil {
				t.Fatal(err)
			}
			config := r.read(t, ".git/config")
			c, err := r.visit(t.Context(), t, m, agent.New(agent.Codex, agent.Options{Env: env}), nil)
			if err != nil || !slices.Equal(c.Patch.Paths(), []string{"notes.txt", "sum.py"}) {
				t.Errorf("its patch is %v, %v", c.Patch.Paths(), err)
			}
			for _, f := range []string{other + "/made", "/etc/fettle-made", "/usr/fettle-made", "/tmp/fettle-made", r.state + "/made", filepath.Dir(r.root) + "/made", os.Getenv("HOME") + "/fettle-made"} {
				if _, err := os.Lstat(f); err == nil {
					t.Errorf("%s was made", f)
				}
			}
			if _, err := os.Lstat(filepath.Join(other, "mine")); err != nil {
				t.Error(err)
			}
			if r.read(t, ".git/config") != config || r.read(t, "notes.txt") != "not committed\n" || r.read(t, "sum.py") != sample["sum.py"] {
				t.Error("the repository was changed")
			}
		})
	}
}

// What a patch cannot express is told; nothing of such a run is proposed.
func TestWhatIsNoPatch(t *testing.T) {
	r := newRepository(t)
	f := agent.New(agent.Codex, agent.Options{Env: standIn(t, "rm sum.py; ln -s /etc/passwd sum.py\n"+said(agent.Codex, saysSure))})
	if _, err := r.visit(t.Context(), t, workspace.Auto, f, nil); err == nil || !strings.Contains(err.Error(), "see what it changed") || !strings.Contains(err.Error(), "sum.py") {
		t.Errorf("got %v", err)
	}
}

// An agent that makes the test pass by changing the test, or is not sure of what it did, changes nothing.
func TestWhatIsNotLetThrough(t *testing.T) {
	cases := []struct{ name, script, text, want string }{
		{"the test", "sed -i 's/!= 5/!= -1/' test_sum.py", saysSure, "changed-test"},
		{"not sure", "sed -i 's/a - b/a + b/' sum.py", `{"status":"fixed","summary":"s","confidence":60}`, "Low confidence"},
		{"it does not say how sure", "sed -i 's/a - b/a + b/' sum.py", "I am sure.", "Low confidence"},
		{"it does not help", "echo '# better' >>sum.py", saysSure, "refused"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			r := newRepository(t)
			f := agent.New(agent.Codex, agent.Options{Env: standIn(t, c.script+"\n"+said(agent.Codex, c.text))})
			s, end, err := r.loop(t, f).Start(t.Context(), goal(1))
			if err != nil || end == "converged" {
				t.Fatalf("ended %s (%s), %v", end, s.Reason, err)
			}
			if r.read(t, "sum.py") != sample["sum.py"] || r.read(t, "test_sum.py") != sample["test_sum.py"] {
				t.Error("the tree was changed")
			}
			if all := fmt.Sprint(s.Failures); !strings.Contains(all, c.want) {
				t.Errorf("learnt was %q", all)
			}
		})
	}
}

// In a dry run an agent works as ever, one round after the other: what it has made is told, and in the next round is where it left it; the tree stays as it is.
func TestDryRun(t *testing.T) {
	r := newRepository(t)
	r.put(t, "twice.py", "def twice(n):\n    return n - n\n")
	r.put(t, "test_sum.py", "from sum import plus\nfrom twice import twice\n\nwrong = []\nif plus(2, 3) != 5:\n    wrong.append(\"sum.py:2: error: TestSum\")\nif twice(2) != 4:\n    wrong.append(\"twice.py:2: error: TestTwice\")\nif wrong:\n    raise SystemExit(\"\\n\".join(wrong))\n")
	script := "if grep -q 'a - b' sum.py; then sed -i 's/a - b/a + b/' sum.py; else sed -i 's/n - n/n + n/' twice.py; fi\n" + said(agent.Codex, saysSure)
	g := goal(4)
	g.DryRun = true
	s, end, err := r.loop(t, agent.New(agent.Codex, agent.Options{Env: standIn(t, script)})).Start(t.Context(), g)
	if err != nil || end != "paused" || s.Kept == nil || !slices.Equal(s.Kept.Patch.Paths(), []string{"sum.py", "twice.py"}) {
		t.Errorf("ended %s (%s, %q) with %+v, %v", end, s.Reason, s.Notes, s.Kept, err)
	}
	if r.read(t, "sum.py") != sample["sum.py"] || !strings.Contains(r.read(t, "twice.py"), "n - n") {
		t.Error("the tree was changed")
	}
}
