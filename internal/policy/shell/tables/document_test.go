package tables_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"fettle/internal/policy/shell"
	"fettle/internal/policy/shell/tables"
)

// TestRead reads a whole policy.
func TestRead(t *testing.T) {
	doc, err := tables.Read("policy.yaml", []byte(`
rules:
  - id: own-publish
    kinds: publish
    decision: allow
  - {id: no-docker, kinds: [exec], targets: [docker], decision: deny}
programs:
  deploytool: {operands: sub, subs: {status: {}, push: {operands: none, does: publish}}}
tests:
  - {command: docker ps, want: deny, why: no containers}
  - tool: Write
    input: {file_path: a.txt}
    want: allow
files: [more.yaml]
`))
	if err != nil {
		t.Fatal(err)
	}
	if len(doc.Rules) != 2 || len(doc.Programs) != 1 || len(doc.Tests) != 2 || len(doc.Files) != 1 {
		t.Fatalf("%+v", doc)
	}
	if r := doc.Rules[1]; r.Reason == "" || r.Class == "" || r.Decision != shell.Deny {
		t.Errorf("%+v", r)
	}
	if c := doc.Tests[1]; c.Tool != "Write" || string(c.Input) != `{"file_path":"a.txt"}` || c.Line != 11 || c.Want != shell.Allow {
		t.Errorf("%+v", c)
	}
	if f := doc.Files[0]; f != (tables.Place{Name: "more.yaml", File: "policy.yaml", Line: 14}) {
		t.Errorf("%+v", f)
	}
	for _, empty := range []string{"", "# nothing\n", "rules:\ntests: []\n"} {
		if doc, err := tables.Read("x", []byte(empty)); err != nil || doc.Rules != nil {
			t.Errorf("%q: %+v, %v", empty, doc, err)
		}
	}
}

// TestValidator reads who gives second opinions.
func TestValidator(t *testing.T) {
	doc, err := tables.Read("p.yaml", []byte("validator:\n  command: [judge, --fast]\n  deadline: 7s\n  mode: strict\n  stages: [tool-approve]\n"))
	if err != nil {
		t.Fatal(err)
	}
	v := doc.Validator
	if !slices.Equal(v.Command, []string{"judge", "--fast"}) || v.Deadline != 7*time.Second || !v.Strict || !slices.Equal(v.Stages, []string{"tool-approve"}) || v.Line != 2 {
		t.Errorf("%+v", v)
	}
	if doc, err := tables.Read("p.yaml", []byte("validator:\n")); err != nil || doc.Validator != nil {
		t.Errorf("%+v, %v", doc, err)
	}
}

// TestTelemetry reads where decisions are sent to.
func TestTelemetry(t *testing.T) {
	doc, err := tables.Read("p.yaml", []byte("telemetry:\n  endpoint: https://collector.example\n  headers: {X-Key: k, X-Number: 7}\n  unencrypted: collector.lan\n"))
	if err != nil {
		t.Fatal(err)
	}
	if d := doc.Telemetry; d.Endpoint != "https://collector.example" || d.Headers["X-Key"] != "k" || d.Headers["X-Number"] != "7" || d.Unencrypted != "collector.lan" || d.Line != 2 {
		t.Errorf("%+v", d)
	}
	if doc, err := tables.Read("p.yaml", []byte("telemetry:\n")); err != nil || doc.Telemetry != nil {
		t.Errorf("%+v, %v", doc, err)
	}
}

// TestSection reads the policy of a fettle.yaml, and only that.
func TestSection(t *testing.T) {
	doc, err := tables.Section("fettle.yaml", []byte("version: 1\nchecks: {nonsense: 1}\npolicy:\n  rules:\n    - {id: a, kinds: publish, decision: deny}\n"))
	if err != nil || len(doc.Rules) != 1 {
		t.Fatalf("%+v, %v", doc, err)
	}
	for _, without := range []string{"", "version: 1\n", "[a]\n", "policy:\n"} {
		if doc, err := tables.Section("fettle.yaml", []byte(without)); err != nil || doc.Rules != nil {
			t.Errorf("%q: %+v, %v", without, doc, err)
		}
	}
}

// TestSectionWrong are files whose policy would be passed over.
func TestSectionWrong(t *testing.T) {
	for text, want := range map[string]string{
		"version: 2\npolicy: {}\n":            "fettle.yaml:1: version should be 1: the only one that this fettle knows",
		"policy: {}\nversion: one\n":          "fettle.yaml:2: version should be 1: the only one that this fettle knows",
		"version: 1\npolices:\n  rules: []\n": `fettle.yaml:2: unknown key "polices" in the file; did you mean "policy"?`,
		"version: 1\npolicy: {rulez: []}\n":   `fettle.yaml:2: unknown key "rulez" in a policy; did you mean "rules"?`,
	} {
		if _, err := tables.Section("fettle.yaml", []byte(text)); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// TestWrong are policies that cannot be used: each is told of in one line, with its place.
func TestWrong(t *testing.T) {
	for text, want := range map[string]string{
		"rulez: []":                            `p.yaml:1: unknown key "rulez" in a policy; did you mean "rules"?`,
		"rules: {a: b}":                        "p.yaml:1: rules should be a list",
		"rules:\n  - {id: a, decisin: ask}":    `p.yaml:2: unknown key "decisin" in a rule; did you mean "decision"?`,
		"rules:\n  - {id: a}":                  "p.yaml:2: rule a: it has no decision: allow, ask or deny",
		"rules:\n  - {decision: ask}":          "p.yaml:2: a rule has no id",
		"rules:\n  - {id: a, decision: maybe}": `p.yaml:2: rule a: unknown decision "maybe": one of allow, ask, deny`,
		"rules:\n- {id: a, decision: ask}\n\n- {id: a, decision: deny}": "p.yaml:4: there is a rule a already, on line 2",
		"rules:\n  - {id: a, decision: ask, final: x}":                  "p.yaml:2: this is not YAML as a policy has it: cannot unmarshal",
		"rules:\n  - {id: a, decision: ask, kinds: [delet]}":            `p.yaml:2: rule a: unknown kind "delet"`,
		"rules:\n  - {id: a, decision: ask, targets: '['}":              `p.yaml:2: rule a: the pattern "[": syntax error`,
		"programs:\n  x: {operand: read}":                               `p.yaml:2: unknown key "operand" in the program x; did you mean "operands"?`,
		"programs:\n  x:\n    subs:\n      y: {operand: read}":          `p.yaml:4: unknown key "operand" in the program x y`,
		"programs:\n  x: {operands: reed}":                              `p.yaml:2: x: unknown role "reed"`,
		"programs:\n  x: {options: {-f: [reed]}}":                       `p.yaml:2: x: -f: unknown role "reed"`,
		"tests:\n  - {command: ls}":                                     "p.yaml:2: a test says what it wants",
		"tests:\n  - {want: ask}":                                       "p.yaml:2: a test has a command, or a tool and its input",
		"tests:\n  - {command: ls, input: {a: 1}, want: ask}":           "p.yaml:2: a test with a command has no input",
		"tests:\n  - {command: ls, want: never}":                        `p.yaml:2: unknown decision "never"`,
		"validator: x":                                                  "p.yaml:1: a validator should hold keys and values",
		"validator: {mode: lazy}":                                       "p.yaml:1: a validator has a command",
		"validator:\n  command: [a]\n  deadline: soon":                  "p.yaml:3: a deadline is a time like 20s",
		"validator:\n  command: [a]\n  mode: often":                     "p.yaml:3: the mode is lazy or strict",
		"validator:\n  command: fettle guard":                           "p.yaml:2: command should be a list",
		"validator:\n  command: [a, '']":                                "p.yaml:2: command is a list of texts",
		"validator:\n  comand: [a]":                                     `p.yaml:2: unknown key "comand" in a validator; did you mean "command"?`,
		"telemetry: https://collector.example":                          "p.yaml:1: telemetry should hold keys and values",
		"telemetry: {headers: {a: b}}":                                  "p.yaml:1: telemetry has an endpoint",
		"telemetry:\n  endpoint: [a]":                                   "p.yaml:2: endpoint is one text",
		"telemetry:\n  endpoint:":                                       "p.yaml:2: endpoint is one text",
		"telemetry:\n  endpont: a":                                      `p.yaml:2: unknown key "endpont" in telemetry; did you mean "endpoint"?`,
		"telemetry:\n  endpoint: a\n  headers: [a]":                     "p.yaml:3: headers should hold names and values",
		"telemetry:\n  endpoint: a\n  headers:\n    a: [b]":             "p.yaml:4: the header a is one text",
		"telemetry:\n  endpoint: a\n  headers: {a: b, a: c}":            `p.yaml:3: key "a" stands in headers twice`,
		"a: [":            "p.yaml:1: this is not YAML",
		"a: 1\n---\nb: 2": "p.yaml:2: a second document begins here",
	} {
		_, err := tables.Read("p.yaml", []byte(text))
		if err == nil || !strings.HasPrefix(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q:\n\t%v\n\twant %s", text, err, want)
		}
	}
}
