package agent

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fettle/internal/check"
	"fettle/internal/diag"
	"fettle/internal/fix"
	"fettle/internal/fix/fixtest"
	"fettle/internal/locate"
	"fettle/internal/policy/secret"
	"fettle/internal/testenv"
)

// recorded is what the real agents have printed, a run each, shortened where it is long.
var recorded = map[Kind]struct {
	lines string
	want  report
}{
	Claude: {`{"type":"system","subtype":"init","cwd":"/p","session_id":"15d06d8f-f7d8-4eab-acfd-54012d5c8ce8","model":"claude-opus-5-5","tools":["Task","Bash"],"permissionMode":"bypassPermissions"}
{"type":"system","subtype":"hook_started","session_id":"15d06d8f-f7d8-4eab-acfd-54012d5c8ce8"}
{"type":"assistant","message":{"role":"assistant","content":[{"type":"text","text":"Let me look."}]},"parent_tool_use_id":null}
{"type":"assistant","message":{"role":"assistant","content":[{"type":"tool_use","name":"Bash","input":{"command":"rm x"}}]},"parent_tool_use_id":null}
{"type":"assistant","message":{"role":"assistant","content":[{"type":"text","text":"of a sub-agent"}]},"parent_tool_use_id":"toolu_1"}
{"type":"user","message":{"role":"user","content":"a text"},"parent_tool_use_id":null}
{"type":"system","subtype":"api_retry","attempt":1}
{"duration_api_ms":169,"stop_reason":"end_turn","session_id":"15d06d8f-f7d8-4eab-acfd-54012d5c8ce8","total_cost_usd":0.10224,"usage":{"input_tokens":25140,"cache_creation_input_tokens":10,"cache_read_input_tokens":100,"output_tokens":84,"output_tokens_details":{"thinking_tokens":0},"service_tier":"standard"},"modelUsage":{"claude-opus-5-5":{"inputTokens":25140,"outputTokens":84,"costUSD":0.10224}},"permission_denials":[{"tool_name":"Bash","tool_use_id":"toolu_1","tool_input":{"command":"rm x"}}],"terminal_reason":"completed","is_error":false,"num_turns":2,"subtype":"success","api_error_status":null,"result":"All done","type":"result","duration_ms":953}
`, report{session: "15d06d8f-f7d8-4eab-acfd-54012d5c8ce8", model: "claude-opus-5-5", text: "All done", ended: true, read: 25250, wrote: 84, total: 0.10224, priced: true, denied: []string{"Bash"}}},
	Codex: {`{"type":"thread.started","thread_id":"01a1fda9-861e-7430-88c9-6581002a9dd8"}
{"type":"turn.started"}
{"type":"item.completed","item":{"id":"item_0","type":"agent_message","text":"Let me look."}}
{"type":"item.started","item":{"id":"item_1","type":"command_execution","command":"/bin/bash -lc 'echo hi; exit 3'","aggregated_output":"","exit_code":null,"status":"in_progress"}}
{"type":"item.completed","item":{"id":"item_1","type":"command_execution","command":"/bin/bash -lc 'echo hi; exit 3'","aggregated_output":"hi\n","exit_code":3,"status":"failed"}}
{"type":"error","message":"Reconnecting... 1/5"}
{"type":"item.completed","item":{"id":"item_2","type":"file_change","changes":[{"path":"a","kind":"add"}],"status":"completed"}}
{"type":"item.completed","item":{"id":"item_3","type":"agent_message","text":"All done"}}
{"type":"turn.completed","usage":{"input_tokens":30590,"cached_input_tokens":0,"cache_write_input_tokens":0,"output_tokens":126,"reasoning_output_tokens":0}}
`, report{session: "01a1fda9-861e-7430-88c9-6581002a9dd8", text: "All done", said: "Reconnecting... 1/5", ended: true, read: 30590, wrote: 126}},
	Gemini: {`{"type":"init","timestamp":"2026-11-21T10:31:42.919Z","session_id":"0bd18df9-7d56-48df-9792-dd3536894b7d","model":"gemini-2.5-flash"}
{"type":"message","timestamp":"2026-11-21T10:31:43.081Z","role":"user","content":"do it"}
{"type":"message","timestamp":"2026-11-21T10:31:43.230Z","role":"assistant","content":"Let me look.","delta":true}
{"type":"tool_use","timestamp":"2026-11-21T10:31:43.257Z","tool_name":"run_shell_command","tool_id":"run_shell_command__call_1","parameters":{"command":"echo hi"}}
{"type":"tool_result","timestamp":"2026-11-21T10:31:44.009Z","tool_id":"run_shell_command__call_1","status":"success","output":"hi"}
{"type":"message","timestamp":"2026-11-21T10:31:44.218Z","role":"assistant","content":"All ","delta":true}
{"type":"message","timestamp":"2026-11-21T10:31:44.219Z","role":"assistant","content":"done","delta":true}
{"type":"result","timestamp":"2026-11-21T10:31:44.484Z","status":"success","stats":{"total_tokens":24654,"input_tokens":24570,"output_tokens":84,"cached":0,"input":24570,"duration_ms":1565,"tool_calls":1}}
`, report{session: "0bd18df9-7d56-48df-9792-dd3536894b7d", model: "gemini-2.5-flash", text: "All done", ended: true, read: 24570, wrote: 84, speaking: true}},
}

// told is what a driver makes of output that comes in pieces of these sizes, over and over.
func told(k Kind, output string, sizes ...int) report {
	var r report
	l := &lines{read: func(line []byte) { drivers[k].read(line, &r) }}
	for i := 0; len(output) > 0; i++ {
		n := len(output)
		if len(sizes) > 0 {
			n = min(n, sizes[i%len(sizes)])
		}
		_, _ = l.Write([]byte(output[:n])) // never fails
		output = output[n:]
	}
	l.end()
	return r
}

func TestRecorded(t *testing.T) {
	dice := rand.New(rand.NewPCG(testenv.Seed(t), 0))
	for k, c := range recorded {
		for name, output := range map[string]string{
			"as it was":             c.lines,
			"without its last end":  strings.TrimSuffix(c.lines, "\n"),
			"with other lines":      "Warning: no terminal\n" + strings.ReplaceAll(c.lines, "\n", "\n\n{broken\n[1]\nnull\n") + "{}\n",
			"with CRLF":             strings.ReplaceAll(c.lines, "\n", "\r\n"),
			"with a line too long":  strings.Repeat("x", maxLine+1) + "\n" + c.lines,
			"with a long last line": c.lines + `{"type":"` + strings.Repeat("x", maxLine),
		} {
			if diff := cmp.Diff(c.want, told(k, output), cmp.AllowUnexported(report{})); diff != "" {
				t.Errorf("%s, %s: %s", k, name, diff)
			}
		}
		for range 20 {
			if diff := cmp.Diff(c.want, told(k, c.lines, 1+dice.IntN(5), 1+dice.IntN(500)), cmp.AllowUnexported(report{})); diff != "" {
				t.Fatalf("%s, in pieces: %s", k, diff)
			}
		}
	}
}

// Whatever an agent prints, it is read the same in any pieces; and it has come to its end only with a line that says so.
func FuzzStream(f *testing.F) {
	for _, c := range recorded {
		f.Add(c.lines, 7)
	}
	f.Add("{\"type\":\"result\"}\n{\"type\":\"turn.completed\"}", 1)
	f.Fuzz(func(t *testing.T, output string, size int) {
		for _, k := range Kinds {
			whole := told(k, output)
			if diff := cmp.Diff(whole, told(k, output, max(1, size%100)), cmp.AllowUnexported(report{})); diff != "" {
				t.Errorf("%s: %s", k, diff)
			}
			if whole.ended && !strings.Contains(strings.ToLower(output), "type") {
				t.Errorf("%s has come to an end: %+v", k, whole)
			}
		}
	})
}

// No answer makes an agent surer than it says, and none is found where there is none.
func FuzzAnswer(f *testing.F) {
	f.Add(`Done. {"status": "fixed", "summary": "s", "confidence": 90, "risks": []}`)
	f.Add(`{"status":"fixed","confidence":1e999}{`)
	f.Fuzz(func(t *testing.T, text string) {
		a, ok := readAnswer(text)
		if ok && (!strings.Contains(text, "{") || a.sure() < 0 || a.sure() > 1) {
			t.Errorf("%+v is %v sure", a, a.sure())
		}
	})
}

// An agent is told what lies where in its copy, and not where on this machine that is.
func TestFoldersOfThisMachine(t *testing.T) {
	p := fixtest.New(t, nil)
	home, root := "/srv/people/ada", "/srv/people/ada/shop"
	planted := func(what string) string { return what + " " + p.Root() + "/a.go " + root + "/a.go " + home + "/.cache" }
	k := fix.Task{Check: check.Check{Name: "test", Run: []string{root + "/run"}}, Feedback: []fix.Failure{{Report: planted("failure")}}, Diagnostics: []diag.Diagnostic{{Message: planted("message"), Detail: planted("detail")}}}
	text, err := prompt(k, briefing{texts: Options{}.texts(k), suspects: []locate.Suspect{{File: "a.go", Line: 1, Why: planted("suspect")}}, out: secret.New([]string{"HOME=" + home}).Outbound(p.Root(), root)})
	for _, what := range []string{"failure", "message", "detail", "suspect"} {
		if want := what + " a.go a.go ~/.cache"; !strings.Contains(text, want) {
			t.Errorf("it is not told %q: %s", want, text)
		}
	}
	if err != nil || strings.Contains(text, home) || strings.Contains(text, p.Root()) || !strings.Contains(text, "test\n./run") {
		t.Errorf("%v: it is told %s", err, text)
	}
}

// Nothing in the data of a prompt can look like their end, and all of it is bounded.
func FuzzPrompt(f *testing.F) {
	f.Add("plain", "</data-abcdefghijklmn>\x00")
	f.Fuzz(func(t *testing.T, a, b string) {
		text, err := prompt(fix.Task{Check: check.Check{Name: "check"}, Feedback: []fix.Failure{{Why: a}}, Diagnostics: []diag.Diagnostic{{Detail: b}}}, briefing{texts: Options{}.texts(fix.Task{}), customs: []saying{{"notes", "what the project says", b}}})
		if err != nil {
			t.Fatal(err)
		}
		_, rest, _ := strings.Cut(text, "\n\n<data-")
		nonce, _, _ := strings.Cut(rest, " ")
		if len(nonce) != 14 || strings.Count(text, "<data-"+nonce+" {") != 4 || strings.Count(text, "\n</data-"+nonce+">\n") != 4 || strings.Contains(text, "\x00") || len(text) > 20*mostText {
			t.Errorf("got %q", text)
		}
	})
}
