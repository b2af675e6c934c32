package agent_test

import (
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
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"fettle/internal/check"
	"fettle/internal/diag"
	"fettle/internal/edit"
	"fettle/internal/fix"
	"fettle/internal/fix/agent"
	"fettle/internal/fix/fixtest"
	"fettle/internal/locate"
	"fettle/internal/testenv"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m, goleak.Cleanup(func(code int) {
		programs.Remove()
		os.Exit(code)
	}))
}

// stage is a place with a program in PATH that stands in for an agent's command line.
type stage struct {
	place *fixtest.Place
	env   []string
	notes []string
}

// set makes a stage whose agents are this shell script.
func set(t *testing.T, script string) *stage {
	t.Helper()
	bin := t.TempDir()
	for _, k := range agent.Kinds {
		if err := os.WriteFile(filepath.Join(bin, string(k)), []byte("#!/bin/sh\n"+script), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return &stage{
		place: fixtest.New(t, map[string]string{"a.py": "x = 1\n", "a_test.py": "assert x == 2\n", "docs/a.md": "a\n"}),
		env:   []string{"PATH=" + bin + ":" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "ANTHROPIC_API_KEY=" + secretKey, "OPENAI_API_KEY=" + secretKey, "GEMINI_API_KEY=" + secretKey, "DATABASE_PASSWORD=hunter2hunter2", "SHOWN=yes"},
	}
}

func (s *stage) task() fix.Task {
	return fix.Task{
		Check:       check.Check{Name: "test.py", Lang: "python", Run: []string{"pytest", "-k", "a b"}, Env: map[string]string{"OF_THE_CHECK": "1"}},
		Diagnostics: []diag.Diagnostic{{Check: "test.py", File: "a.py", Test: "a_test.py::test", Message: "assert 1 == 2", Range: diag.Range{Start: diag.Position{Line: 1, Column: 1}}}},
		Place:       s.place,
		Note:        func(text string) { s.notes = append(s.notes, text) },
	}
}

func (s *stage) propose(t *testing.T, k agent.Kind, o agent.Options, task fix.Task) ([]fix.Candidate, error) {
	t.Helper()
	if o.Env == nil {
		o.Env = s.env
	}
	return ask(t.Context(), t, agent.New(k, o), s.place, task)
}

func ask(ctx context.Context, t *testing.T, f fix.Fixer, place *fixtest.Place, task fix.Task) (all []fix.Candidate, failed error) {
	t.Helper()
	for c, err := range f.Propose(ctx, task) {
		if err != nil {
			failed = err
			break
		}
		all = append(all, c)
	}
	left, err := place.Changes(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(left) > 0 {
		t.Errorf("the place was not taken back: %v", left.Paths())
	}
	return all, failed
}

// said is what an agent of each kind prints when it has said this and come to its end.
func said(k agent.Kind, text string) string {
	q, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	lines := map[agent.Kind]string{
		agent.Claude: `{"type":"system","subtype":"init","session_id":"s-1","model":"m"}
{"type":"result","subtype":"success","is_error":false,"terminal_reason":"completed","result":%s,"session_id":"s-1","total_cost_usd":0.25,"usage":{"input_tokens":100,"output_tokens":7}}`,
		agent.Codex: `{"type":"thread.started","thread_id":"s-1"}
{"type":"turn.started"}
{"type":"item.completed","item":{"type":"agent_message","text":%s}}
{"type":"turn.completed","usage":{"input_tokens":100,"output_tokens":7}}`,
		agent.Gemini: `{"type":"init","session_id":"s-1","model":"m"}
{"type":"message","role":"assistant","content":%s,"delta":true}
{"type":"result","status":"success","stats":{"input_tokens":100,"output_tokens":7}}`,
	}
	return fmt.Sprintf("cat <<'THE-END'\n"+lines[k]+"\nTHE-END\n", q)
}

func TestWhatChangedIsThePatch(t *testing.T) {
	for _, k := range agent.Kinds {
		t.Run(string(k), func(t *testing.T) {
			s := set(t, "sed -i 's/1/2/' a.py; mkdir .claude; echo x >.claude/settings.json; echo old >a.py.orig; echo b >>docs/a.md\n"+said(k, saysSure))
			task := s.task()
			task.InScope = func(p string) bool { return p != "docs/a.md" }
			all, err := s.propose(t, k, agent.Options{}, task)
			if err != nil || len(all) != 1 {
				t.Fatalf("%d candidates, %v", len(all), err)
			}
			c := all[0]
			if c.Author != string(k) || c.Confidence != 0.95 || c.Explanation != "The sum was a difference." || !slices.Equal(c.Patch.Paths(), []string{"a.py"}) {
				t.Errorf("got %+v", c)
			}
			if cost := c.Cost; k == agent.Claude && cost != 0.25 || k != agent.Claude && cost != 0 {
				t.Errorf("it cost %v", cost)
			}
			if notes := strings.Join(s.notes, "\n"); !strings.Contains(notes, "100 tokens read and 7 written") || !strings.Contains(notes, "not in its patch: .claude/settings.json, a.py.orig, docs/a.md") {
				t.Errorf("told was %q", notes)
			}
		})
	}
}

func TestHowSure(t *testing.T) {
	cases := []struct {
		name, text string
		want       float64
		explains   string
	}{
		{"said", saysSure, 0.95, "The sum was a difference."},
		{"in a fence, with words around", "Look:\n```json\n{\"status\":\"partial\",\"summary\":\"s\",\"confidence\":70}\n```\nThat is all.", 0.7, "s"},
		{"the last one counts", `{"status":"fixed","summary":"a","confidence":10} {"status":"fixed","summary":"b","confidence":80}`, 0.8, "b"},
		{"with risks", `{"status":"fixed","summary":"a.","confidence":80,"risks":["r {1}","r2"]}`, 0.8, "a. It says that there are risks: r {1}; r2"},
		{"it says that it failed", `{"status":"failed","summary":"a","confidence":100}`, 0, "a"},
		{"a status that there is not", `{"status":"approved","summary":"a","confidence":100}`, 0, "a"},
		{"more than sure", `{"status":"fixed","summary":"a","confidence":1000}`, 0.5, "a"},
		{"in words", "I am 100% confident that status is fixed.\nReally.", 0.5, "I am 100% confident that status is fixed."},
		{"no number", `{"status":"fixed","summary":"a","confidence":"high"}`, 0.5, `{"status":"fixed","summary":"a","confidence":"high"}`},
		{"cut", `{"status":"fixed","summary":"a","confidence":9`, 0.5, `{"status":"fixed","summary":"a","confidence":9`},
		{"nothing", " ", 0.5, "It does not say what was wrong."},
		{"braces without end", strings.Repeat("{", 100_000), 0.5, strings.Repeat("{", 300) + "…"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			s := set(t, "echo y >>a.py\n"+said(agent.Codex, c.text))
			all, err := s.propose(t, agent.Codex, agent.Options{}, s.task())
			if err != nil || len(all) != 1 || all[0].Confidence != c.want || all[0].Explanation != c.explains {
				t.Errorf("got %+v, %v", all, err)
			}
		})
	}
}

func TestNothingChanged(t *testing.T) {
	s := set(t, said(agent.Claude, saysSure))
	if all, err := s.propose(t, agent.Claude, agent.Options{}, s.task()); err != nil || len(all) != 0 {
		t.Errorf("got %v, %v", all, err)
	}
	if want := "it has changed nothing that counts, and says: The sum was a difference."; !slices.Contains(s.notes, want) {
		t.Errorf("told was %q; want %q", s.notes, want)
	}
}

// What an agent that was cut short or failed has changed is no candidate, and the error says what happened.
func TestRunsThatDoNotCount(t *testing.T) {
	cases := []struct {
		name   string
		kind   agent.Kind
		script string
		want   string
	}{
		{"crash", agent.Claude, "echo y >>a.py; echo boom >&2; exit 3", "Claude Code: it went (code 3) without having told of an end: boom"},
		{"killed", agent.Codex, "echo y >>a.py; kill -9 $$", "Codex: it was ended by a signal (SIGKILL)"},
		{"exit code zero and no end", agent.Gemini, `echo y >>a.py; echo '{"type":"init","session_id":"s"}'`, "Gemini CLI: it went (code 0) without having told of an end"},
		{"garbage", agent.Claude, "echo y >>a.py; head -c 100000 /dev/urandom; echo success", "without having told of an end"},
		{"an error that is called a success", agent.Claude, `echo '{"type":"result","subtype":"success","is_error":true,"terminal_reason":"api_error","result":"API Error: overloaded"}'; exit 1`, "its model could not be asked: API Error: overloaded"},
		{"not said whether it is one", agent.Claude, `echo '{"type":"result","subtype":"success","result":"ok"}'`, "it failed (success)"},
		{"stopped by a hook", agent.Claude, `echo '{"type":"result","subtype":"success","is_error":false,"terminal_reason":"hook_stopped","result":""}'`, "it did not come to an end of its own (hook_stopped)"},
		{"turns", agent.Claude, `echo y >>a.py; echo '{"type":"result","subtype":"error_max_turns","is_error":true}'; exit 1`, "it was not done within its turns"},
		{"money", agent.Claude, `echo y >>a.py; echo '{"type":"result","subtype":"error_max_budget_usd","is_error":true}'; exit 1`, "it was not done within its budget ($0.50)"},
		{"interrupted", agent.Claude, `echo '{"type":"result","subtype":"error_during_execution","is_error":true,"terminal_reason":"aborted_tools","errors":["x"]}'`, "it failed (error_during_execution) x"},
		{"a turn that failed", agent.Codex, `echo '{"type":"turn.failed","error":{"message":"stream disconnected"}}'; exit 1`, "it failed: stream disconnected"},
		{"a turn that goes on", agent.Codex, `echo '{"type":"turn.completed","usage":{}}'; echo '{"type":"turn.started"}'; echo '{"type":"error","message":"reconnecting"}'`, "without having told of an end: reconnecting"},
		{"no success", agent.Gemini, `echo '{"type":"result","status":"error","error":{"type":"x","message":"quota"}}'`, "it failed: quota"},
		{"too much said", agent.Codex, "yes $(printf %01000d)", "it printed more than"}, // in long lines: each is read
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			s := set(t, c.script)
			all, err := s.propose(t, c.kind, agent.Options{Budget: 0.5}, s.task())
			if err == nil || !strings.Contains(err.Error(), c.want) || len(all) > 0 {
				t.Errorf("got %v, %v; want %q", all, err, c.want)
			}
		})
	}
}

// TestTokensAtTheDoor: what an agent's model takes is read in its answers, as each wire says it, and nothing more goes through when the tokens are taken. Where they do not say, the agent's own word counts.
func TestTokensAtTheDoor(t *testing.T) {
	testenv.NeedTool(t, "curl")
	claude := `event: message_start
data: {"type":"message_start","message":{"usage":{"input_tokens":20,"cache_read_input_tokens":50,"cache_creation_input_tokens":30,"output_tokens":1}}}

event: message_delta
data: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":10}}

`
	codex := "data: {\"response\":{\"usage\":{\"input_tokens\":100,\"input_tokens_details\":{\"cached_tokens\":40},\"output_tokens\":10}}}\n\n"
	gemini := "data: {\"usageMetadata\":{\"promptTokenCount\":100,\"candidatesTokenCount\":7,\"thoughtsTokenCount\":3}}\n\n"
	for name, c := range map[string]struct {
		kind   agent.Kind
		answer string
		most   int // tokens that it may take
		turns  int // that it tries to have
		want   fix.Tokens
		failed string
	}{
		"Claude Code":       {agent.Claude, claude, 0, 2, fix.Tokens{Read: 200, Cached: 100, Kept: 60, Wrote: 20}, ""},
		"Codex":             {agent.Codex, codex, 0, 2, fix.Tokens{Read: 200, Cached: 80, Wrote: 20}, ""},
		"Gemini CLI":        {agent.Gemini, gemini, 0, 2, fix.Tokens{Read: 200, Wrote: 20}, ""},
		"tokens for two":    {agent.Claude, claude, 150, 5, fix.Tokens{Read: 200, Cached: 100, Kept: 60, Wrote: 20}, "the tokens that it may take are taken (150)"},
		"tokens for all":    {agent.Codex, codex, 1000, 3, fix.Tokens{Read: 300, Cached: 120, Wrote: 30}, ""},
		"it alone says it":  {agent.Claude, "{}", 0, 1, fix.Tokens{Read: 100, Wrote: 7}, ""},
		"it asks elsewhere": {agent.Gemini, "", 0, 0, fix.Tokens{Read: 100, Wrote: 7}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			up := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, c.answer) }))
			defer up.Close()
			turn := map[agent.Kind]string{
				agent.Claude: `$ANTHROPIC_BASE_URL/v1/messages`,
				agent.Codex:  `$(sed -n 's/^base_url = "\(.*\)"/\1/p' "$CODEX_HOME/config.toml")/responses`,
				agent.Gemini: `$GOOGLE_GEMINI_BASE_URL/v1beta/models/m:streamGenerateContent`,
			}[c.kind]
			s := set(t, strings.Repeat("curl -sS --noproxy '*' -X POST -d '{}' "+turn+"\n", c.turns)+"echo y = 2 >>a.py\n"+said(c.kind, saysSure))
			task, took := s.task(), fix.Tokens{}
			task.Tokens = c.most
			task.Took = func(t fix.Tokens) { took = took.Plus(t) }
			env := append(slices.Clip(s.env), "ANTHROPIC_BASE_URL="+up.URL, "OPENAI_BASE_URL="+up.URL, "GOOGLE_GEMINI_BASE_URL="+up.URL)
			_, err := s.propose(t, c.kind, agent.Options{Env: env}, task)
			if c.failed == "" && err != nil || c.failed != "" && (err == nil || !strings.Contains(err.Error(), c.failed)) {
				t.Errorf("%v, want %q", err, c.failed)
			}
			if took != c.want {
				t.Errorf("it took %+v, want %+v", took, c.want)
			}
		})
	}
}

// What an agent has cost that was killed when its model had answered is known by nobody, though what that took is.
func TestKilledAfterAnAnswer(t *testing.T) {
	testenv.NeedTool(t, "curl")
	up := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `{"usage":{"input_tokens":20,"cache_read_input_tokens":80,"output_tokens":10}}`)
	}))
	defer up.Close()
	for _, turns := range []int{0, 1} {
		s := set(t, strings.Repeat("curl -sS --noproxy '*' -X POST -d '{}' $ANTHROPIC_BASE_URL/v1/messages\n", turns)+"kill -9 $$")
		task, took, unpriced := s.task(), fix.Tokens{}, 0
		task.Took = func(t fix.Tokens) { took = took.Plus(t) }
		task.Spent = func(usd float64, known bool) {
			if usd == 0 && !known {
				unpriced++
			}
		}
		_, err := s.propose(t, agent.Claude, agent.Options{Env: append(s.env, "ANTHROPIC_BASE_URL="+up.URL)}, task)
		if want := (fix.Tokens{Read: 100 * turns, Cached: 80 * turns, Wrote: 10 * turns}); err == nil || unpriced != turns || took != want {
			t.Errorf("after %d answers it took %+v, and its cost was called unknown %d times; %v", turns, took, unpriced, err)
		}
	}
}

// What a run without a candidate has cost is told.
func TestSpentForNothing(t *testing.T) {
	for name, script := range map[string]string{
		"nothing changed": said(agent.Claude, saysSure),
		"a limit":         `echo '{"type":"result","subtype":"error_max_turns","is_error":true,"total_cost_usd":0.25}'`,
	} {
		t.Run(name, func(t *testing.T) {
			s := set(t, script)
			task, spent := s.task(), 0.0
			task.Spent = func(usd float64, _ bool) { spent += usd }
			if all, _ := s.propose(t, agent.Claude, agent.Options{}, task); len(all) > 0 || spent != 0.25 {
				t.Errorf("got %v, and $%v was spent", all, spent)
			}
		})
	}
}

// Whoever says no price has been asked all the same.
func TestSpentNobodyKnowsWhat(t *testing.T) {
	s := set(t, said(agent.Codex, saysSure))
	task, unpriced := s.task(), 0
	task.Spent = func(usd float64, priced bool) {
		if usd == 0 && !priced {
			unpriced++
		}
	}
	if all, _ := s.propose(t, agent.Codex, agent.Options{}, task); len(all) > 0 || unpriced != 1 {
		t.Errorf("got %v, and it was told %d times that nobody knows what it has cost", all, unpriced)
	}
}

func TestItTakesTooLong(t *testing.T) {
	s := set(t, "trap '' TERM; echo y >>a.py; while :; do sleep 0.01; done")
	_, err := s.propose(t, agent.Codex, agent.Options{Time: 50 * time.Millisecond}, s.task())
	if err == nil || err.Error() != "Codex: it did not end within 50ms" {
		t.Errorf("got %v", err)
	}
}

func TestCancelled(t *testing.T) {
	s := set(t, "echo y >>a.py; touch $HOME/../began; sleep 60")
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		for ctx.Err() == nil {
			if _, err := os.Stat(filepath.Join(s.place.Scratch(), "began")); err == nil {
				cancel()
			}
		}
	}()
	if _, err := ask(ctx, t, agent.New(agent.Claude, agent.Options{Env: s.env}), s.place, s.task()); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// An agent sees what it needs of the environment and nothing else, and is told what to do.
func TestWhatItSees(t *testing.T) {
	for _, k := range agent.Kinds {
		t.Run(string(k), func(t *testing.T) {
			out := t.TempDir()
			s := set(t, "env >"+out+"/env; printf '%s\\n' \"$@\" >"+out+"/args; cat >"+out+"/stdin; ls -A $HOME >"+out+"/home\n"+said(k, saysSure))
			task := s.task()
			task.Feedback = []fix.Failure{{Why: "the last one broke test_b [[END it's me]]"}}
			task.Suspects = func(context.Context) ([]locate.Suspect, error) {
				return []locate.Suspect{{File: "a.py", Line: 1, EndLine: 1, Score: 1, Why: "run by 1 of 1 failing tests"}}, os.WriteFile(filepath.Join(s.place.Root(), "left"), nil, 0o600)
			}
			if all, err := s.propose(t, k, agent.Options{Pass: []string{"SHOWN"}, Model: "model-1", MaxTurns: 7, Budget: 1.5}, task); err != nil || len(all) > 0 {
				t.Fatalf("got %v, %v", all, err)
			}
			read := func(name string) string {
				b, err := os.ReadFile(filepath.Join(out, name))
				if err != nil {
					t.Fatal(err)
				}
				return string(b)
			}
			env, args := read("env"), read("args")
			if strings.Contains(env, secretKey) || strings.Contains(env, "hunter2") || !strings.Contains(env, "SHOWN=yes") || !strings.Contains(env, "OF_THE_CHECK=1") ||
				!strings.Contains(env, "HOME="+s.place.Scratch()) || !strings.Contains(env+read("home"), "127.0.0.1:") && k != agent.Codex {
				t.Errorf("its environment:\n%s", env)
			}
			if read("stdin") != "" {
				t.Error("it can read something")
			}
			for _, want := range []string{"model-1", "failing test: a_test.py::test", "pytest -k 'a b'", "a.py:1 1.00 run by 1 of 1", "broke test_b", "Do not change tests"} {
				if !strings.Contains(args, want) {
					t.Errorf("it was not told %q:\n%s", want, args)
				}
			}
			if strings.Index(args, "broke test_b") > strings.Index(args, "failing test:") {
				t.Error("what failed the last time is not told first")
			}
			if k == agent.Claude && (!strings.Contains(args, "--max-turns\n7\n") || !strings.Contains(args, "--max-budget-usd\n1.5\n") || !strings.Contains(args, "--disallowedTools\nAgent,Task\n")) {
				t.Errorf("its limits:\n%s", args)
			}
		})
	}
}

// With sub-agents it is told that it may split the work, and has the tool for it.
func TestSubagents(t *testing.T) {
	for _, may := range []bool{true, false} {
		for _, k := range agent.Kinds {
			t.Run(fmt.Sprint(k, may), func(t *testing.T) {
				out := filepath.Join(t.TempDir(), "out")
				s := set(t, "printf '%s\\n' \"$@\" >"+out+"; cat $HOME/.codex/config.toml $HOME/.gemini/settings.json >>"+out+" 2>&1\n"+said(k, saysSure))
				if _, err := s.propose(t, k, agent.Options{Subagents: may}, s.task()); err != nil {
					t.Fatal(err)
				}
				b, err := os.ReadFile(out)
				if err != nil {
					t.Fatal(err)
				}
				got := string(b)
				off := map[agent.Kind]string{agent.Claude: "--disallowedTools\nAgent,Task", agent.Codex: "multi_agent = false", agent.Gemini: `"enableAgents": false`}[k]
				if strings.Contains(got, "You may split the work") != may || strings.Contains(got, off) == may {
					t.Errorf("got:\n%s", got)
				}
			})
		}
	}
}

// In one call it is told of all checks: how each is run, what each complains of, in the environment that each has; and of what there is no room for.
func TestAllChecksInOneCall(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	s := set(t, "printf '%s\\n' \"$@\" >"+out+"; echo $OF_THE_CHECK $OF_THE_OTHER >>"+out+"\n"+said(agent.Claude, saysSure))
	task := s.task()
	also := fix.Part{Check: check.Check{Name: "lint.words", Run: []string{"words", "--all"}, Dir: "docs", Env: map[string]string{"OF_THE_CHECK": "2", "OF_THE_OTHER": "3"}}}
	for i := range 40 {
		also.Diagnostics = append(also.Diagnostics, diag.Diagnostic{Check: "lint.words", File: "docs/a.md", Message: fmt.Sprintf("the word %d is unknown", i+1)})
	}
	task.Also = []fix.Part{also}
	if _, err := s.propose(t, agent.Claude, agent.Options{Subagents: true}, task); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	got := string(b)
	for _, want := range []string{"test.py\npytest -k 'a b'", "what test.py complains of", "assert 1 == 2", "lint.words\nwords --all", "which runs in a folder below the root", "what lint.words complains of", "the word 15 is unknown", "There are 25 findings more", "\n1 3\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("it was not told %q:\n%s", want, got)
		}
	}
	if strings.Contains(got, "the word 16") {
		t.Errorf("it was told too much:\n%s", got)
	}
}

// It is told how the project is worked on, as data and without secrets, and not more of it than a model is told.
func TestCustoms(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	s := set(t, "printf '%s\\n' \"$@\" >"+out+"\n"+said(agent.Claude, saysSure))
	s.place = fixtest.New(t, map[string]string{
		"a.py": "x = 1\n", "AGENTS.md": "Welcome.\n\nNever use globals. The password is hunter2hunter2.\n", "CONTRIBUTING.md": "Nothing.\n",
		".fettle/prompts/test.py.md": "Prices are whole numbers.\n", ".fettle/prompts/lint.md": "Words are " + strings.Repeat("English. ", 1000),
	})
	task := s.task()
	task.Also = []fix.Part{{Check: check.Check{Name: "lint.words", Run: []string{"words"}}}}
	if _, err := s.propose(t, agent.Claude, agent.Options{}, task); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	got := string(b)
	for _, want := range []string{
		`{"kind":"notes","note":"what the project says about test.py"}>` + "\nPrices are whole numbers.\n</data-", `{"kind":"notes","note":"what the project says about lint.words"}>` + "\nWords are English.",
		"(this is cut)\n</data-", `"kind":"conventions","note":"how things are done in this project, an excerpt of AGENTS.md"`, "Never use globals. The password is [REDACTED:",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("it was not told %q:\n%s", want, got)
		}
	}
	if strings.Contains(got, "Welcome") || strings.Contains(got, "Nothing.") || strings.Contains(got, "hunter2") || strings.Count(got, "English.") > 3000/len("English. ") {
		t.Errorf("it was told too much:\n%s", got)
	}
}

// watcher is a guard that does what a test wants.
type watcher struct {
	lay     func(home string) error // nil: nothing
	refused []agent.Refusal
	failed  error
}

func (w watcher) Lay(home string) error {
	if w.lay == nil {
		return nil
	}
	return w.lay(home)
}

func (w watcher) Refused(string) ([]agent.Refusal, error) { return w.refused, w.failed }

// Whatever keeps an agent from its work is told: by the guard with the reason, by a client that tells of it with the tool.
func TestWhatWasRefused(t *testing.T) {
	bash, again, edit := agent.Refusal{Tool: "Bash", Why: "deleting what git does not know"}, agent.Refusal{Tool: "Bash", Why: "sending\nit away"}, agent.Refusal{Tool: "apply_patch", Why: "a test"}
	denials := strings.Replace(said(agent.Claude, saysSure), `"usage"`, `"permission_denials":[{"tool_name":"Bash"},{"tool_name":"Write"}],"usage"`, 1)
	for _, c := range []struct {
		name  string
		kind  agent.Kind
		says  string
		guard watcher
		want  string // empty: nothing is told
	}{
		{"nothing", agent.Codex, said(agent.Codex, saysSure), watcher{}, ""},
		{"a client that tells of nothing", agent.Codex, said(agent.Codex, saysSure), watcher{refused: []agent.Refusal{bash, edit, bash}}, "3 of its calls were refused: Bash (deleting what git does not know), apply_patch (a test)"},
		{"reasons on one line", agent.Codex, said(agent.Codex, saysSure), watcher{refused: []agent.Refusal{again}}, "1 of its calls was refused: Bash (sending)"},
		{"a client that tells of more", agent.Claude, denials, watcher{refused: []agent.Refusal{bash}}, "2 of its calls were refused: Bash (deleting what git does not know), Write"},
		{"a client alone", agent.Claude, denials, watcher{}, "2 of its calls were refused: Bash, Write"},
		{"no secret", agent.Codex, said(agent.Codex, saysSure), watcher{refused: []agent.Refusal{{Tool: "Bash", Why: "hunter2hunter2 would be sent"}}}, " would be sent)"},
		{"a log that cannot be read", agent.Codex, said(agent.Codex, saysSure), watcher{refused: []agent.Refusal{bash}, failed: errors.New("it is torn")}, "what the guard has refused it cannot all be read: it is torn\n1 of its calls was refused: Bash (deleting what git does not know)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := set(t, c.says)
			if _, err := s.propose(t, c.kind, agent.Options{Guard: c.guard}, s.task()); err != nil {
				t.Fatal(err)
			}
			notes := strings.Join(s.notes, "\n")
			if !strings.Contains(notes+"\n", c.want+"\n") || c.want == "" && strings.Contains(notes, "refused") || strings.Contains(notes, "hunter2") {
				t.Errorf("told was %q, want %q", notes, c.want)
			}
		})
	}
}

func TestWhatCannotBe(t *testing.T) {
	without := func(s *stage, name string) []string {
		return slices.DeleteFunc(slices.Clone(s.env), func(kv string) bool { return strings.HasPrefix(kv, name+"=") })
	}
	cases := []struct {
		name string
		kind agent.Kind
		o    func(s *stage) agent.Options
		want string
	}{
		{"no such agent", "opencode", func(*stage) agent.Options { return agent.Options{} }, "opencode: there is no such agent"},
		{"no program", agent.Claude, func(*stage) agent.Options { return agent.Options{Env: []string{"PATH=/nowhere"}} }, "there is no program claude"},
		{"the repository's program", agent.Claude, func(s *stage) agent.Options {
			return agent.Options{Env: []string{"PATH=" + s.place.Root() + ":.:" + s.place.Root() + "/bin"}}
		}, "there is no program claude"},
		{"no key", agent.Gemini, func(s *stage) agent.Options { return agent.Options{Env: without(s, "GEMINI_API_KEY")} }, "it has no key: set GEMINI_API_KEY"},
		{"no address", agent.Codex, func(s *stage) agent.Options { return agent.Options{Env: append(s.env, "OPENAI_BASE_URL=ftp://x")} }, "OPENAI_BASE_URL is no address"},
		{"a model that is an option", agent.Claude, func(*stage) agent.Options { return agent.Options{Model: "--help"} }, `"--help" is no name of a model`},
		{"a guard that cannot be put there", agent.Claude, func(*stage) agent.Options {
			return agent.Options{Guard: watcher{lay: func(string) error { return errors.New("no hook") }}}
		}, "put the guard into its settings: no hook"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			s := set(t, "echo y >>a.py\n"+said(agent.Claude, saysSure))
			if err := os.WriteFile(filepath.Join(s.place.Root(), "claude"), []byte("#!/bin/sh\n"), 0o755); err != nil {
				t.Fatal(err)
			}
			defer os.Remove(filepath.Join(s.place.Root(), "claude"))
			var failed error
			o := c.o(s)
			if o.Env == nil {
				o.Env = s.env
			}
			for _, err := range agent.New(c.kind, o).Propose(t.Context(), s.task()) {
				failed = err
			}
			if failed == nil || !strings.Contains(failed.Error(), c.want) {
				t.Errorf("got %v, want %q", failed, c.want)
			}
		})
	}
}

// unheld is a place that cannot hold anybody.
type unheld struct{ *fixtest.Place }

func (unheld) HoldsWrites() bool { return false }

// TestWhere is whom an agent tells what it reads.
func TestWhere(t *testing.T) {
	keys := []string{"ANTHROPIC_API_KEY=k", "OPENAI_API_KEY=k", "GEMINI_API_KEY=k"}
	for _, c := range []struct {
		kind agent.Kind
		env  []string
		want string
	}{
		{agent.Claude, keys, "Anthropic, at https://api.anthropic.com"},
		{agent.Codex, keys, "OpenAI, at https://api.openai.com"},
		{agent.Gemini, keys, "Google, at https://generativelanguage.googleapis.com"},
		{agent.Claude, append(keys, "ANTHROPIC_BASE_URL=http://gateway:4000/secret-path/?key=1"), "what ANTHROPIC_BASE_URL names, at http://gateway:4000"},
		{agent.Claude, nil, ""},
		{"opencode", keys, ""},
	} {
		if got, err := agent.Where(c.kind, c.env); got != c.want || (err == nil) != (c.want != "") {
			t.Errorf("%s: %q, %v, want %q", c.kind, got, err, c.want)
		}
	}
}

// TestNotWithoutConfinement is where an agent does not work, and which of the reasons is told.
func TestNotWithoutConfinement(t *testing.T) {
	s := set(t, said(agent.Claude, saysSure))
	for want, place := range map[string]fix.Place{
		"nothing here can keep it from writing elsewhere, so it does not run: see fettle doctor": unheld{s.place},
		"the place that it was given has no door to its model":                                   struct{ fix.Place }{s.place},
	} {
		task := s.task()
		task.Place = place
		if _, err := ask(t.Context(), t, agent.New(agent.Claude, agent.Options{Env: s.env}), s.place, task); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}

// A conversation goes on where it is kept: what the agent wrote of it is in its next home, and only what the run itself has cost is counted.
func TestConversations(t *testing.T) {
	kept := t.TempDir()
	dirs := map[agent.Kind]string{agent.Claude: ".claude/projects/p", agent.Codex: ".codex/sessions/2026", agent.Gemini: ".gemini/tmp/p/chats"}
	for _, k := range agent.Kinds {
		t.Run(string(k), func(t *testing.T) {
			log := filepath.Join(t.TempDir(), "log")
			d := "$HOME/" + dirs[k]
			s := set(t, "mkdir -p "+d+"; echo said >>"+d+"/s-1.jsonl; ln -sf /etc/passwd "+d+"/link; cat "+d+"/s-1.jsonl >>"+log+"; printf '%s\\n' \"$@\" >>"+log+"; echo y >>a.py\n"+said(k, saysSure))
			f := agent.New(k, agent.Options{Env: s.env, Conversations: kept})
			id, first := "", s.task()
			first.Talked = func(told string) { id = told }
			if _, err := ask(t.Context(), t, f, s.place, first); err != nil {
				t.Fatal(err)
			}
			again := s.task()
			again.Talk = id
			again.SentBack = edit.Patch{{Path: "b.py", Op: edit.Create, Edits: []edit.Edit{{New: []byte("the_first = 1\n")}}}}
			all, err := ask(t.Context(), t, f, s.place, again)
			if err != nil || len(all) != 1 || id != "s-1" {
				t.Fatalf("%v, conversation %q, %v", all, id, err)
			}
			if all[0].Cost != 0 { // the agent counts 0.25 for the conversation again
				t.Errorf("the second run has cost %v", all[0].Cost)
			}
			// Another process goes on with it by its id.
			if _, err := s.propose(t, k, agent.Options{Conversations: kept}, again); err != nil {
				t.Fatal(err)
			}
			b, err := os.ReadFile(log)
			if err != nil {
				t.Fatal(err)
			}
			got := string(b)
			if strings.Count(got, "said\n") != 1+2+3 || strings.Count(got, "resume") != 2 || strings.Count(got, "This goes on with an earlier attempt") != 2 || strings.Contains(got, "the_first") {
				t.Errorf("got:\n%s", got)
			}
			if _, err := os.Lstat(filepath.Join(kept, string(k), "s-1", "home", dirs[k], "link")); err == nil {
				t.Error("a link was kept")
			}
			s.notes, again.Talk = nil, "s-2"
			if _, err := s.propose(t, k, agent.Options{Conversations: kept}, again); err != nil || !strings.Contains(strings.Join(s.notes, "\n"), "conversation s-2 is not kept here any more") {
				t.Errorf("told was %q, %v", s.notes, err)
			}
			// What it made in a conversation that nobody goes on with is shown to it.
			if b, err = os.ReadFile(log); err != nil || strings.Count(string(b), "\n+the_first = 1\n") != 1 {
				t.Errorf("%v, got:\n%s", err, b)
			}
			for talk, o := range map[string]agent.Options{"s-1": {}, "../s-1": {Conversations: kept}} {
				again.Talk = talk
				if _, err := s.propose(t, k, o, again); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("there is no conversation %q to go on with", talk)) {
					t.Errorf("of %q: %v", talk, err)
				}
			}
		})
	}
	for _, but := range [][]string{{"s-1"}, nil} {
		if err := agent.Forget(kept, but); err != nil {
			t.Fatal(err)
		}
		if left, err := filepath.Glob(filepath.Join(kept, "*", "s-1")); err != nil || len(left) != len(agent.Kinds)*len(but) {
			t.Errorf("but for %q, left is %q, %v", but, left, err)
		}
	}
}

// Of two that go on with one conversation, one waits for the other.
func TestOneRunAConversation(t *testing.T) {
	kept, dir := t.TempDir(), t.TempDir()
	script := "mkdir " + dir + "/in || echo two at a time >>" + dir + "/log; sleep 0.05; rmdir " + dir + "/in\n"
	begin := set(t, script+said(agent.Claude, saysSure))
	if _, err := begin.propose(t, agent.Claude, agent.Options{Conversations: kept}, begin.task()); err != nil {
		t.Fatal(err)
	}
	done := make(chan error)
	stages := []*stage{set(t, script+said(agent.Claude, saysSure)), set(t, script+said(agent.Claude, saysSure)), set(t, script+said(agent.Claude, saysSure))}
	for _, s := range stages {
		go func() {
			f, task := agent.New(agent.Claude, agent.Options{Env: s.env, Conversations: kept}), s.task()
			task.Talk = "s-1"
			var failed error
			for _, err := range f.Propose(t.Context(), task) {
				failed = err
			}
			done <- failed
		}()
	}
	for range stages {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	if b, err := os.ReadFile(dir + "/log"); err == nil {
		t.Errorf("%s", b)
	}
}

func TestFind(t *testing.T) {
	s := set(t, `echo "$(basename $0) 1.2.3 (x)"`)
	if err := os.WriteFile(filepath.Join(filepath.SplitList(s.env[0][len("PATH="):])[0], "codex"), []byte("#!/bin/sh\nexit 1\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	env := slices.DeleteFunc(s.env, func(kv string) bool { return strings.HasPrefix(kv, "GEMINI") })
	found := agent.Find(t.Context(), env)
	if len(found) != 3 || found[0].Kind != agent.Claude || found[0].Version != "1.2.3" || found[0].Trouble != "" ||
		!strings.Contains(found[1].Trouble, "says no version") || !strings.Contains(found[2].Trouble, "GEMINI_API_KEY") {
		t.Errorf("found %+v", found)
	}
	if found := agent.Find(t.Context(), []string{"PATH=/nowhere"}); len(found) > 0 {
		t.Errorf("found %+v", found)
	}
	if _, err := exec.LookPath("sh"); err != nil {
		t.Error(err)
	}
}

// The door leads to the endpoint and nowhere else; it adds the key, takes it out of what the endpoint says, and counts.
func TestDoor(t *testing.T) {
	testenv.NeedTool(t, "curl")
	var asked, status atomic.Int32
	up := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		if r.Header.Get("X-Api-Key") != secretKey || r.Header.Get("Authorization") != "" || !slices.Contains([]string{"/base/v1/messages", "/base/v1/messages/count_tokens"}, r.URL.Path) {
			t.Errorf("asked for %s with %v", r.URL, r.Header)
		}
		w.WriteHeader(int(status.Load()))
		fmt.Fprintf(w, `{"error":{"message":"about the key %s"}}`, secretKey)
	}))
	defer up.Close()
	post := "curl -sS --noproxy '*' -X POST -H 'x-api-key: other' -H 'authorization: Bearer other' -d {} $ANTHROPIC_BASE_URL/v1/messages >>a.py\n"
	count := strings.Replace(post, "/v1/messages ", "/v1/messages/count_tokens ", 1)
	cases := []struct {
		name, script string
		status       int32
		asked        int32
		want         string
	}{
		{"an answer", post + said(agent.Claude, saysSure), 200, 1, ""},
		{"three answers of two", strings.Repeat(post, 3) + said(agent.Claude, saysSure), 200, 2, "it was not done within its 2 turns"},
		{"counting beyond what is let through", strings.Repeat(count, 11) + post + said(agent.Claude, saysSure), 200, 9, ""},
		{"refused keys", post + "exit 1", 401, 1, "the endpoint does not accept the key: look whether it is right and may use this model (401: about the key …)"},
		{"no money", post + "exit 1", 402, 1, "the account at the endpoint has no money left"},
		{"unknown models", post + "exit 1", 404, 1, "the endpoint does not know the model"},
		{"too many", strings.Repeat(post, 5) + "exit 1", 429, 5, "the endpoint has had too many questions"},
		{"overload", post + "exit 1", 529, 1, "the endpoint cannot answer now: try again later"},
		{"a question it does not take", post + "exit 1", 400, 1, "the endpoint does not take what Claude Code asks (400"},
		{"trouble that passed", post + said(agent.Claude, saysSure), 529, 1, ""},
		{"another address", "curl -sS --noproxy '*' $ANTHROPIC_BASE_URL/v1/organizations >>a.py\n" + said(agent.Claude, saysSure), 200, 0, ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			asked.Store(0)
			status.Store(c.status)
			s := set(t, c.script)
			all, err := s.propose(t, agent.Claude, agent.Options{MaxTurns: 2, Env: append(s.env, "ANTHROPIC_BASE_URL="+up.URL+"/base/")}, s.task())
			if asked.Load() != c.asked {
				t.Errorf("the endpoint was asked %d times", asked.Load())
			}
			if c.want == "" && (err != nil || len(all) != 1) || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("got %v, %v; want %q", all, err, c.want)
			}
			if len(all) == 1 {
				files, err := all[0].Patch.Apply(s.place.Source)
				if err != nil || strings.Contains(string(files["a.py"].Data), secretKey) && c.status != 200 {
					t.Errorf("through the door came %s, %v", files["a.py"].Data, err)
				}
			}
		})
	}
	t.Run("nobody there", func(t *testing.T) {
		s := set(t, post+"exit 1")
		gone := httptest.NewServer(nil)
		gone.Close()
		_, err := s.propose(t, agent.Claude, agent.Options{Env: append(s.env, "ANTHROPIC_BASE_URL="+gone.URL)}, s.task())
		if err == nil || !strings.Contains(err.Error(), "cannot be reached") {
			t.Errorf("got %v", err)
		}
	})
}

// TestMetered: an agent that does not say what it costs is priced at its door, and nothing more goes through when its money is spent, or where nobody knows what it would cost.
func TestMetered(t *testing.T) {
	testenv.NeedTool(t, "curl")
	const stream, document = "text/event-stream", "application/json"
	for name, c := range map[string]struct {
		kind   agent.Kind
		form   string // of the answer
		answer string
		model  string
		money  float64
		turns  int // that it tries to have
		asked  int32
		cost   float64
		known  bool
		want   string
	}{
		"Codex": {agent.Codex, stream, "event: response.completed\ndata: {\"type\":\"response.completed\",\"response\":{\"usage\":{\"input_tokens\":100,\"input_tokens_details\":{\"cached_tokens\":40},\"output_tokens\":10}}}\n\n",
			"m", 0, 2, 2, 2 * (60 + 4 + 20), true, ""},
		"Codex, and some is kept": {agent.Codex, document, `{"usage":{"input_tokens":100,"input_tokens_details":{"cached_tokens":40,"cache_write_tokens":20},"output_tokens":10}}`,
			"m", 0, 1, 1, 60 + 4 + 5 + 20, true, ""},
		"Gemini, the last word counts": {agent.Gemini, stream, "data: {\"usageMetadata\":{\"promptTokenCount\":100}}\r\n\r\ndata: {\"usageMetadata\":{\"promptTokenCount\":100,\"candidatesTokenCount\":7,\"thoughtsTokenCount\":3}}\r\n\r\n",
			"m", 0, 1, 1, 100 + 20, true, ""},
		"one document":                 {agent.Codex, document, "{\n \"usage\": {\"input_tokens\": 100,\n \"output_tokens\": 10}}", "m", 0, 1, 1, 120, true, ""},
		"money for two":                {agent.Codex, document, `{"usage":{"input_tokens":100,"output_tokens":10}}`, "m", 130, 5, 2, 240, true, "the money that it may spend is spent ($130.00)"},
		"money for all":                {agent.Codex, document, `{"usage":{"input_tokens":100,"output_tokens":10}}`, "m", 1000, 3, 3, 360, true, ""},
		"nobody knows its price":       {agent.Codex, document, `{"usage":{"input_tokens":100,"output_tokens":10}}`, "new", 0, 1, 1, 0, false, ""},
		"and there is a limit":         {agent.Codex, document, `{"usage":{"input_tokens":100,"output_tokens":10}}`, "new", 5, 1, 0, 0, false, "what new costs is not known, and there is a limit of money"},
		"it does not say what it took": {agent.Codex, document, `{}`, "m", 0, 1, 1, 0, false, ""},
	} {
		t.Run(name, func(t *testing.T) {
			var asked atomic.Int32
			up := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				asked.Add(1)
				w.Header().Set("Content-Type", c.form)
				_, _ = io.WriteString(w, c.answer)
			}))
			defer up.Close()
			turn := `curl -sS --noproxy '*' -X POST -d '{"model":"` + c.model + `"}' $(sed -n 's/^base_url = "\(.*\)"/\1/p' "$CODEX_HOME/config.toml")/responses` + "\n"
			if c.kind == agent.Gemini {
				turn = `curl -sS --noproxy '*' -X POST -d '{}' $GOOGLE_GEMINI_BASE_URL/v1beta/models/` + c.model + ":streamGenerateContent\n"
			}
			s := set(t, strings.Repeat(turn, c.turns)+"echo y = 2 >>a.py\n"+said(c.kind, saysSure))
			price := func(model string, t fix.Tokens) (float64, bool) {
				return float64(t.Read-t.Cached) + float64(t.Cached)/10 + float64(t.Kept)/4 + 2*float64(t.Wrote), model == "m"
			}
			task, spent, told := s.task(), 0.0, true
			task.Money = c.money
			task.Spent = func(usd float64, known bool) { spent, told = spent+usd, told && known }
			all, err := s.propose(t, c.kind, agent.Options{Env: append(s.env, "OPENAI_BASE_URL="+up.URL, "GOOGLE_GEMINI_BASE_URL="+up.URL), Price: price}, task)
			if c.want == "" && (err != nil || len(all) != 1) || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Fatalf("%v, %v; want %q", all, err, c.want)
			}
			for _, a := range all {
				spent, told = spent+a.Cost, told && !a.Unpriced
			}
			if never := c.asked == 0; asked.Load() != c.asked || spent != c.cost || told != c.known && !never {
				t.Errorf("it asked %d times for $%v, known: %v; want %d for $%v", asked.Load(), spent, told, c.asked, c.cost)
			}
		})
	}
}
