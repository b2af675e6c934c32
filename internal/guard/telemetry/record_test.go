package telemetry_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"fettle/internal/guard/hook"
	"fettle/internal/guard/telemetry"
)

// next are the records of one decision, which has these fields besides those that all have.
func (y *yard) next(fields string) []map[string]any {
	y.t.Helper()
	y.text("2026-05-01", entry("Bash", fields))
	b, err := y.Preview()
	if err != nil {
		y.t.Fatal(err)
	}
	var out []map[string]any
	for _, r := range records(y.t, b.Body) {
		out = append(out, attributes(r))
	}
	return out
}

// TestRecord says of each kind of decision what is sent.
func TestRecord(t *testing.T) {
	for name, c := range map[string]struct {
		fields string
		want   []string // of each record: agent, event, decision, mode, rule
	}{
		"allowed":         {``, []string{"tool-approve hook_decision APPROVE direct"}},
		"denied":          {`,"decision":"deny","rule":"secrets-read","class":"exfiltration"`, []string{"tool-approve hook_decision DENY direct secrets-read"}},
		"asked about":     {`,"decision":"ask","rule":"installs"`, []string{"tool-approve hook_decision DENY direct installs"}},
		"told not to":     {`,"decision":"deny","rule":"told-not-to"`, []string{"intent-validate hook_decision DENY direct told-not-to"}},
		"plan mode":       {`,"decision":"deny","rule":"plan-mode"`, []string{"plan-validate hook_decision DENY direct plan-mode"}},
		"plan drift":      {`,"decision":"deny","rule":"plan-drift"`, []string{"plan-validate hook_decision DENY direct plan-drift"}},
		"failed check":    {`,"decision":"deny","rule":"failed-check"`, []string{"error-acknowledge hook_decision DENY direct failed-check"}},
		"style":           {`,"decision":"deny","rule":"style-drift"`, []string{"style-drift hook_decision DENY direct style-drift"}},
		"tried again":     {`,"decision":"deny","rule":"installs","tried":3`, []string{"tool-approve escalation DENY direct installs"}},
		"a check passed":  {`,"tool":"","outcome":{"what":"check","tool":"Bash","passed":true}`, []string{"check agent_execution CONFIRM direct"}},
		"a check failed":  {`,"tool":"","outcome":{"what":"check","tool":"Bash"}`, []string{"check agent_execution DENY direct"}},
		"healed":          {`,"tool":"","outcome":{"what":"fix","tool":"Bash","passed":true}`, []string{"fix agent_execution SUCCESS direct"}},
		"not healed":      {`,"tool":"","outcome":{"what":"fix","tool":"Bash"}`, []string{"fix agent_execution ERROR direct"}},
		"audited":         {`,"tool":"","outcome":{"what":"confirm","tool":"Bash","passed":true}`, []string{"confirm agent_execution CONFIRM direct"}},
		"committed":       {`,"tool":"","outcome":{"what":"commit","tool":"Bash","passed":true}`, []string{"commit commit CONFIRM direct"}},
		"not committed":   {`,"tool":"","outcome":{"what":"commit","tool":"Bash"}`, []string{"commit commit ERROR direct"}},
		"unusable policy": {`,"decision":"ask","rule":"policy-unusable"`, []string{"tool-approve error ERROR direct policy-unusable"}},
		"asked elsewhere": {`,"second":{"mode":"lazy","stages":["intent-validate"]}`, []string{"tool-approve hook_decision APPROVE lazy"}},
		"known already": {`,"decision":"deny","rule":"intent-validate","second":{"mode":"cached","stages":["intent-validate"],"failed":"intent-validate"}`,
			[]string{"intent-validate hook_decision DENY lazy intent-validate"}},
		"a validator agrees": {`,"second":{"mode":"direct","stages":["intent-validate","claude-md-validate"],"opinions":[{"stage":"intent-validate","decision":"ok"},{"stage":"claude-md-validate","decision":"ok"}]}`,
			[]string{"tool-approve hook_decision APPROVE direct", "intent-validate agent_execution APPROVE direct", "claude-md-validate agent_execution APPROVE direct"}},
		"a validator objects": {`,"decision":"deny","rule":"response-align","second":{"mode":"direct","stages":["intent-validate","response-align"],"failed":"response-align","reason":"x","opinions":[{"stage":"intent-validate","decision":"ok"},{"stage":"response-align","decision":"fail"}]}`,
			[]string{"response-align hook_decision DENY direct response-align", "intent-validate agent_execution APPROVE direct", "response-align agent_execution DENY direct"}},
		"overturned": {`,"rule":"tool-approve","second":{"mode":"direct","stages":["tool-approve"],"opinions":[{"stage":"tool-approve","decision":"ok","appeal":"overturn"}]}`,
			[]string{"tool-approve hook_decision APPROVE direct tool-approve", "tool-approve agent_execution DENY direct", "tool-appeal agent_execution APPROVE direct OVERTURN"}},
		"upheld": {`,"decision":"deny","rule":"tool-approve","second":{"mode":"direct","stages":["tool-approve"],"failed":"tool-approve","reason":"x","opinions":[{"stage":"tool-approve","decision":"fail","appeal":"uphold"}]}`,
			[]string{"tool-approve hook_decision DENY direct tool-approve", "tool-approve agent_execution DENY direct", "tool-appeal agent_execution DENY direct UPHOLD"}},
		"a validator is silent": {`,"decision":"ask","rule":"no-second-opinion","second":{"mode":"direct","stages":["error-acknowledge"],"error":"late"}`,
			[]string{"tool-approve error ERROR direct no-second-opinion", "error-acknowledge error ERROR direct"}},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, a := range newYard(t, "http://127.0.0.1:1").next(c.fields) {
				line := strings.Join([]string{a["fettle.agent.name"].(string), a["fettle.event.type"].(string), a["fettle.decision"].(string), a["fettle.mode"].(string)}, " ")
				if rule, ok := a["fettle.reason.rule"]; ok {
					line += " " + rule.(string)
				}
				if said, ok := a["fettle.appeal"]; ok {
					line += " " + said.(string)
				}
				got = append(got, line)
				if failed := a["fettle.decision"] == "ERROR"; a["fettle.success"] == failed || (a["fettle.error.count"] == 1) != failed {
					t.Errorf("%v", a)
				}
			}
			if strings.Join(got, "\n") != strings.Join(c.want, "\n") {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

// TestFields are all that is sent of a decision: docs/telemetry.md speaks of each of them, and of no other.
func TestFields(t *testing.T) {
	a := newYard(t, "http://127.0.0.1:1").next(`,"decision":"deny","rule":"r","class":"c","mode":"plan","agent":"sub","facts":[{"kind":"read","target":"/x"},{"kind":"exec","target":"cat"},{"kind":"read"},{"kind":"new"}]`)[0]
	for name, want := range map[string]any{"session.id": "s", "fettle.hook.name": "PreToolUse", "gen_ai.tool.name": "Bash", "fettle.latency.ms": 1.5, "fettle.ruling": "deny", "fettle.client.mode": "plan",
		"fettle.subagent": true, "fettle.reason.class": "c", "fettle.facts.kinds": "exec read", "fettle.attempt": 0} {
		if a[name] != want {
			t.Errorf("%s is %v, want %v", name, a[name], want)
		}
	}
	judged := newYard(t, "http://127.0.0.1:1").next(`,"second":{"mode":"direct","stages":["tool-approve"],"opinions":[{"stage":"tool-approve","decision":"fail","appeal":"uphold",` +
		`"asked":[{"provider":"lan","model":"small-1","tier":"fast","ms":12},{"provider":"lan","model":"/models/large","tier":"standard","ms":34}]}]}`)
	for name, want := range map[string]any{"gen_ai.provider.name": "lan", "gen_ai.request.model": "small-1", "fettle.model.tier": "fast", "fettle.latency.ms": 12.0} {
		if judged[1][name] != want {
			t.Errorf("%s is %v, want %v", name, judged[1][name], want)
		}
	}
	if m := judged[2]["gen_ai.request.model"].(string); judged[2]["fettle.model.tier"] != "standard" || judged[2]["fettle.latency.ms"] != 34.0 || !strings.HasPrefix(m, "model-") {
		t.Errorf("%v", judged[2])
	}
	for name, value := range judged[2] {
		a[name] = value
	}
	doc, err := os.ReadFile(filepath.FromSlash("../../../docs/telemetry.md"))
	if err != nil {
		t.Fatal(err)
	}
	fields, _, _ := strings.Cut(string(doc), "\n## Which questions")
	for name := range a {
		if !strings.Contains(fields, "\n| `"+name+"` |") {
			t.Errorf("docs/telemetry.md does not speak of %s", name)
		}
	}
	if n := strings.Count(fields, "\n| `"); n != len(a)+5 { // the resource has three, the record of what was dropped two
		t.Errorf("docs/telemetry.md speaks of %d fields, and there are %d", n, len(a)+5)
	}
}

// TestAppealsAndHealingArrive has a collector hear of an appeal and of what was healed, in records of their own, each with an id of its own.
func TestAppealsAndHealingArrive(t *testing.T) {
	e := newEndpoint(t, accepts)
	y := newYard(t, e.url)
	y.text("2026-05-01", entry("Bash", `,"second":{"mode":"direct","stages":["tool-approve"],"opinions":[{"stage":"tool-approve","decision":"ok","appeal":"overturn"}]}`))
	y.text("2026-05-01", entry("", `,"outcome":{"what":"fix","tool":"Bash","passed":true}`))
	if n, why := y.send(); n != 4 || why != "" || len(e.bodies) != 1 {
		t.Fatalf("%d records in %d requests, %s", n, len(e.bodies), why)
	}
	var got []string
	ids := map[any]bool{}
	for _, r := range records(t, e.bodies[0]) {
		a := attributes(r)
		got = append(got, r.Body.GetStringValue())
		ids[a["fettle.record.id"]] = true
	}
	if want := []string{"tool-approve APPROVE", "tool-approve DENY", "tool-appeal APPROVE", "fix SUCCESS"}; strings.Join(got, ", ") != strings.Join(want, ", ") || len(ids) != len(want) {
		t.Errorf("%q, want %q, with %d ids", got, want, len(ids))
	}
}

// TestNothingLeaves plants texts, paths and secrets wherever an entry of the log may hold one: none of it is in a request. What names a thing may hold
// anything, too.
func TestNothingLeaves(t *testing.T) {
	y := newYard(t, "http://127.0.0.1:1")
	y.Environ = []string{"DEPLOY_TOKEN=Zq8-planted-in-the-environment", "HOME=/home/me"}
	rapid.Check(t, func(t *rapid.T) {
		var planted []string
		free := func() string { // what is nobody's business as a whole
			s := "zq" + rapid.StringMatching(`[a-z0-9/ ._-]{6,20}`).Draw(t, "text") + "qz"
			planted = append(planted, s)
			return s
		}
		name := func() string { // what may be sent if it is a name, and is none
			s := rapid.SampledFrom([]string{"/home/me/secret.go", "src/zqplanted.go", "~/.zqplanted", "zq planted words", "ghp_" + "x7Kd92mQpL4vNzR8sTbW1yJc6HfGa3EuXoDi", "Zq8-planted-in-the-environment",
				`C:\zqplanted`, "zq\nplanted", "zqplantedü", "AKIA" + "X4QZ7RWT2MNB5KLP", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJlc2lnbmF0dXJl"}).Draw(t, "name")
			planted = append(planted, s)
			return s
		}
		e := map[string]any{"version": 1, "time": "2026-05-01T10:00:00Z", "telemetry": true, "decision": rapid.SampledFrom([]string{"allow", "ask", "deny"}).Draw(t, "decision"), "final": false,
			"session": name(), "tool": name(), "rule": name(), "class": name(), "mode": name(), "agent": free(), "use": free(), "cwd": "/" + free(), "reason": free(), "alternative": free(), "loosened": []string{free()},
			"input": map[string]any{"command": "git commit -m " + free(), "file_path": "/" + free(), free(): free()}, "strict": []string{free()},
			"trail":   map[string]any{"root": "/" + free(), "home": "/" + free(), "links": map[string]string{free(): free()}, "scripts": map[string]string{free(): free()}, "guarded": []string{free()}},
			"facts":   []map[string]any{{"kind": "exec", "target": "git"}, {"kind": name(), "target": free(), "by": free(), "zone": name(), "traits": []string{name()}}},
			"policy":  map[string]any{"decision": "deny", "rule": name()},
			"outcome": rapid.SampledFrom([]any{nil, map[string]any{"what": name(), "tool": name(), "passed": true}}).Draw(t, "outcome"), "second": map[string]any{"mode": rapid.SampledFrom([]string{"direct", "lazy", name()}).Draw(t, "mode"), "stages": []string{name(), "intent-validate"}, "failed": rapid.SampledFrom([]string{"", name()}).Draw(t, "failed"), "reason": free(), "opinions": []map[string]any{{"stage": name(), "decision": name(), "appeal": name(), "reason": free(), "asked": []map[string]any{{"provider": name(), "model": name(), "tier": name()}}}}, "error": rapid.SampledFrom([]string{"", free()}).Draw(t, "error")}}
		line, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(hook.LogFolder(y.Dir), "2026-05-01.jsonl"), append(line, '\n'), 0o600); err != nil {
			t.Fatal(err)
		}
		b, err := y.Preview()
		if err != nil || b.Decisions != 1 {
			t.Fatalf("%+v %v", b, err)
		}
		for _, p := range planted {
			quoted, _ := json.Marshal(p)
			if strings.Contains(string(b.Body), p) || strings.Contains(string(b.Body), strings.Trim(string(quoted), `"`)) {
				t.Fatalf("%q is sent: %s", p, b.Body)
			}
		}
		for _, piece := range []string{"planted", "/home", "git commit"} {
			if strings.Contains(string(b.Body), piece) {
				t.Fatalf("%q is sent: %s", piece, b.Body)
			}
		}
	})
}

// TestSetting are endpoints that are spoken to, and those that are not.
func TestSetting(t *testing.T) {
	for _, c := range []struct {
		setting telemetry.Setting
		url     string
		wrong   string
	}{
		{telemetry.Setting{Endpoint: "https://collector.example"}, "https://collector.example/v1/logs", ""},
		{telemetry.Setting{Endpoint: "https://collector.example:4318/"}, "https://collector.example:4318/v1/logs", ""},
		{telemetry.Setting{Endpoint: "https://collector.example/otlp"}, "https://collector.example/otlp/v1/logs", ""},
		{telemetry.Setting{Endpoint: "https://collector.example/v1/logs"}, "https://collector.example/v1/logs", ""},
		{telemetry.Setting{Endpoint: "http://localhost:4318"}, "http://localhost:4318/v1/logs", ""},
		{telemetry.Setting{Endpoint: "http://127.9.9.9"}, "http://127.9.9.9/v1/logs", ""},
		{telemetry.Setting{Endpoint: "http://[::1]:4318"}, "http://[::1]:4318/v1/logs", ""},
		{telemetry.Setting{Endpoint: "http://collector.lan", Unencrypted: "collector.lan"}, "http://collector.lan/v1/logs", ""},
		{telemetry.Setting{Endpoint: "http://collector.lan"}, "", "unencrypted: collector.lan"},
		{telemetry.Setting{Endpoint: "http://other.lan", Unencrypted: "collector.lan"}, "", "unencrypted: other.lan"},
		{telemetry.Setting{Endpoint: "http://localhost.evil.example"}, "", "http is readable"},
		{telemetry.Setting{Endpoint: "https://me:pass@collector.example"}, "", "no name or password"},
		{telemetry.Setting{Endpoint: "https://collector.example?key=x"}, "", "no ?"},
		{telemetry.Setting{Endpoint: "ftp://collector.example"}, "", "a URL like"},
		{telemetry.Setting{Endpoint: "collector.example:4318"}, "", "a URL like"},
		{telemetry.Setting{Endpoint: "https://"}, "", "a URL like"},
		{telemetry.Setting{Endpoint: "https://a\x00b"}, "", "no URL"},
		{telemetry.Setting{Endpoint: "https://a", Headers: map[string]string{"host": "b"}}, "", "not yours to set"},
		{telemetry.Setting{Endpoint: "https://a", Headers: map[string]string{"a b": "b"}}, "", "no name of a header"},
		{telemetry.Setting{Endpoint: "https://a", Headers: map[string]string{"X-Key": "b\nHost: c"}}, "", "cannot be sent"},
	} {
		url, err := c.setting.URL()
		if url != c.url || (err != nil) != (c.wrong != "") || err != nil && !strings.Contains(err.Error(), c.wrong) {
			t.Errorf("%+v: %q, %v", c.setting, url, err)
		}
		if err != nil && strings.Contains(err.Error(), "pass@") {
			t.Errorf("a password is told: %v", err)
		}
	}
}
