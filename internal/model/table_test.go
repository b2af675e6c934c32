package model_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"fettle/internal/budget"
	"fettle/internal/model"

	"go.yaml.in/yaml/v3"
)

func TestEveryRoleOfTheTableCanBePlayed(t *testing.T) {
	table := model.Default()
	for _, role := range []model.Role{model.Fixer, model.Challenger, model.Approver, model.Watcher} {
		row := table.Roles[role]
		if row.Temperature == nil || row.MaxTokens == 0 || len(table.Tiers[row.Tier]) == 0 {
			t.Errorf("%s: %+v", role, row)
		}
	}
	if looks := table.Roles[model.Challenger].Turns; looks == nil || *looks != 4 {
		t.Errorf("the second reader looks around %v times", looks)
	}
	if got := *table.Roles[model.Fixer].Temperature; got != 0.1 {
		t.Errorf("the fixer's temperature is %v", got)
	}
	for tier, chain := range table.Tiers {
		for _, full := range chain {
			if _, known := table.Cost(full, model.Usage{}); !known {
				t.Errorf("%s: what %s costs is not known", tier, full)
			}
		}
	}
}

func TestCostIsExact(t *testing.T) {
	table, err := model.Default().WithOwn(model.Own{
		Providers: map[string]model.Service{"lan": {Kind: "openai", BaseURL: "https://lan.example/v1"}, "near": {Kind: "openai", BaseURL: "http://127.0.0.1:8080/v1"}},
		Models:    map[string]model.Price{"lan/*": {Input: number(0), Output: number(0)}},
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		model   string
		usage   model.Usage
		want    string
		unknown bool
	}{
		// What Claude Code itself counted for a session: 25140 tokens in, 84 out.
		"as the client counts":  {model: "anthropic/claude-opus-5-5", usage: model.Usage{Input: 25140, Output: 84}, want: "$0.10224"},
		"what was kept":         {model: "anthropic/claude-sonnet-5-5", usage: model.Usage{Input: 1_000_000, CacheRead: 500_000, CacheWrite: 100_000, Output: 1000}, want: "$1.11"},
		"a short prompt":        {model: "anthropic/claude-haiku-5-5", usage: model.Usage{Input: 100_000}, want: "$0.01"},
		"a long prompt":         {model: "anthropic/claude-haiku-5-5", usage: model.Usage{Input: 100_001}, want: "$0.0500005"},
		"kept, price not known": {model: "gemini/gemini-2.5-flash", usage: model.Usage{Input: 1_000_000, CacheRead: 1_000_000}, want: "$0.3"},
		"Codex's own choice":    {model: "openai/gpt-6.1-sol", usage: model.Usage{Input: 300_000, CacheRead: 100_000, Output: 1000}, want: "$0.835"},
		"Gemini CLI's own":      {model: "gemini/gemini-3.1-pro-preview", usage: model.Usage{Input: 100_000, Output: 1000}, want: "$0.212"},
		"not known":             {model: "openrouter/some/model", usage: model.Usage{Input: 9}, unknown: true},
		"every model of a host": {model: "lan/any", usage: model.Usage{Input: 9}, want: "$0.00"},
		"on this machine":       {model: "near/any", usage: model.Usage{Input: 9}, want: "$0.00"},
	} {
		got, known := table.Cost(c.model, c.usage)
		if known == c.unknown {
			t.Errorf("%s: known: %v", name, known)
		}
		if want := dollars(t, c.want); got != want {
			t.Errorf("%s: %d, want %d", name, got, want)
		}
	}
}

func dollars(t *testing.T, text string) budget.Money {
	t.Helper()
	if text == "" {
		return 0
	}
	whole, part, _ := strings.Cut(strings.TrimPrefix(text, "$"), ".")
	n := budget.Money(0)
	for _, c := range (whole + part + "000000000")[:len(whole)+9] {
		n = n*10 + budget.Money(c-'0')
	}
	return n
}

// TestTheRepositoryOnlyChooses has what a repository may try to say. There is no member for where a provider is, which variable it is given, or what it costs; what it says in their place, the room check refuses.
func TestTheRepositoryOnlyChooses(t *testing.T) {
	for name, c := range map[string]struct{ text, wrong string }{
		"a role":               {"roles: {fixer: {tier: deep, temperature: 0, max_tokens: 100}}", ""},
		"a tier":               {"tiers: {fast: [openai/gpt-5.5]}", ""},
		"nothing":              {"", ""},
		"an unknown provider":  {"tiers: {fast: [evil/m]}", `no provider "evil"`},
		"a misspelt provider":  {"tiers: {fast: [antropic/m]}", `did you mean "anthropic"?`},
		"no provider":          {"tiers: {fast: [gpt-5.5]}", "a provider and a model"},
		"an address as a name": {"tiers: {fast: ['https://evil.example/m']}", "no provider"},
		"a misspelt role":      {"roles: {fixr: {tier: deep}}", `did you mean "fixer"?`},
		"a misspelt tier":      {"roles: {fixer: {tier: standart}}", `did you mean "standard"?`},
		"an empty tier":        {"tiers: {fast: []}", "names no model"},
		"too hot":              {"roles: {fixer: {temperature: 3}}", "between 0 and 2"},
		"no number":            {"roles: {fixer: {temperature: .nan}}", "between 0 and 2"},
		"fewer than none":      {"roles: {fixer: {max_tokens: -1}}", "max_tokens should be"},
	} {
		var choice model.Choice
		if err := yaml.Unmarshal([]byte(c.text), &choice); err != nil {
			t.Fatal(err)
		}
		_, err := model.Default().With(choice)
		says(t, name, err, c.wrong)
	}
}

// TestTheRepositoryNeverRaisesTheBill has what a repository may ask for beside what its reader has said: less of everything, cheaper models, and nothing that costs more.
func TestTheRepositoryNeverRaisesTheBill(t *testing.T) {
	own, err := model.ReadOwn("models.yaml", []byte(`
roles: {fixer: {samples: 3, turns: 4}, watcher: {tier: fast}}
tiers: {fast: [anthropic/claude-haiku-5-5], deep: [near/large, anthropic/claude-opus-5-5]}
providers: {near: {kind: openai, base_url: "http://127.0.0.1:1/v1"}, far: {kind: openai, base_url: "https://far.example/v1"}}
`))
	if err != nil {
		t.Fatal(err)
	}
	table, err := model.Default().WithOwn(own)
	if err != nil {
		t.Fatal(err)
	}
	const fixer, tier = "{fixer: {samples: 3, turns: 4, max_tokens: 8192}}", "[anthropic/claude-haiku-5-5]"
	for name, c := range map[string]struct{ text, fixer, fast, held string }{
		"less":                     {"roles: {fixer: {samples: 1, turns: 0, max_tokens: 100}}", "{fixer: {samples: 1, turns: 0, max_tokens: 100}}", tier, ""},
		"the same":                 {"roles: " + fixer, fixer, tier, ""},
		"more samples":             {"roles: {fixer: {samples: 8}}", fixer, tier, "roles.fixer: samples: 8 is more than the 3 of your own table"},
		"more turns":               {"roles: {fixer: {turns: 20}}", fixer, tier, "turns: 20 is more than the 4"},
		"longer answers":           {"roles: {fixer: {max_tokens: 100000}}", fixer, tier, "max_tokens: 100000 is more than the 8192"},
		"another's turns":          {"roles: {challenger: {turns: 20}}", fixer, tier, "roles.challenger: turns: 20 is more than the 4"},
		"a tier of the fixer":      {"roles: {fixer: {tier: deep}}", fixer, tier, ""},
		"a tier that is the own's": {"roles: {watcher: {tier: deep}}", fixer, tier, "roles.watcher: tier: deep is more than fast"},
		"a dearer model":           {"tiers: {fast: [anthropic/claude-opus-5-5]}", fixer, tier, "tiers.fast: anthropic/claude-opus-5-5 is none of your own of this tier or a smaller one"},
		"one without a price":      {"tiers: {deep: [far/large]}", fixer, tier, "tiers.deep: far/large is none"},
		"one of two":               {"tiers: {fast: [openai/gpt-5.5, near/any]}", fixer, "[near/any]", "tiers.fast: openai/gpt-5.5"},
		"one that is as cheap":     {"tiers: {fast: [openai/gpt-6-luna]}", fixer, "[openai/gpt-6-luna]", ""},
		"a smaller tier's":         {"tiers: {deep: [anthropic/claude-haiku-5-5]}", fixer, tier, ""},
	} {
		var choice model.Choice
		if err := yaml.Unmarshal([]byte(c.text), &choice); err != nil {
			t.Fatal(err)
		}
		got, err := table.With(choice)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		row := got.Roles[model.Fixer]
		if text := fmt.Sprintf("{fixer: {samples: %d, turns: %d, max_tokens: %d}}", row.Samples, *row.Turns, row.MaxTokens); text != c.fixer {
			t.Errorf("%s: %s, want %s", name, text, c.fixer)
		}
		if text := fmt.Sprint(got.Tiers[model.Fast]); text != c.fast {
			t.Errorf("%s: the fast tier is %s, want %s", name, text, c.fast)
		}
		if held := strings.Join(model.New(model.Options{Table: got}).Held(), "\n"); c.held == "" && held != "" || !strings.Contains(held, c.held) {
			t.Errorf("%s: held back: %q, want %q", name, held, c.held)
		}
	}
}

func says(t *testing.T, name string, err error, want string) {
	t.Helper()
	switch {
	case want == "" && err != nil:
		t.Errorf("%s: %v", name, err)
	case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
		t.Errorf("%s: %v; want %q", name, err, want)
	case err != nil && strings.Contains(err.Error(), "secret"):
		t.Errorf("%s: the error holds what nobody should see: %v", name, err)
	}
}

func TestWhatAPersonSays(t *testing.T) {
	for name, c := range map[string]struct{ text, wrong string }{
		"a server":            {"providers: {local: {kind: openai, base_url: 'http://127.0.0.1:8080/v1'}}\ntiers: {fast: [local/qwen]}", ""},
		"another host":        {"providers: {openai: {base_url: 'https://proxy.example/v1', key_env: PROXY_KEY}}", ""},
		"prices":              {"models: {openai/gpt-5.5: {input: 1, output: 2, long: {above: 5, input: 2, output: 3}}}", ""},
		"plain http":          {"providers: {local: {kind: openai, base_url: 'http://lan.example/v1'}}", "insecure: true"},
		"plain http, allowed": {"providers: {local: {kind: openai, base_url: 'http://lan.example/v1', insecure: true}}", ""},
		"a name for loopback": {"providers: {local: {kind: openai, base_url: 'http://127.0.0.1.evil.example/v1'}}", "insecure: true"},
		"a password in it":    {"providers: {local: {kind: openai, base_url: 'https://me:secret@lan.example/v1'}}", "key_env"},
		"another scheme":      {"providers: {local: {kind: openai, base_url: 'file:///secret'}}", "https://host/v1"},
		"a literal key":       {"providers: {local: {kind: openai, api_key: sk-secret}}", "never written into a file"},
		"a key as a name":     {"providers: {local: {kind: openai, key_env: sk-secretsecretsecret}}", "name of a variable"},
		"a kind misspelt":     {"providers: {local: {kind: openia}}", `did you mean "openai"?`},
		"no kind":             {"providers: {local: {base_url: 'https://lan.example'}}", "kind is missing"},
		"half a price":        {"models: {openai/gpt-5.5: {input: 1}}", "is no price"},
		"a negative price":    {"models: {openai/gpt-5.5: {input: -1, output: 1}}", "a price should be"},
		"a price of nobody's": {"models: {nobody/m: {input: 1, output: 1}}", `no provider "nobody"`},
		"a wire":              {"providers: {openai: {wire: responses}}\nmodels: {openai/gpt-5.5: {wire: chat}}", ""},
		"a wire misspelt":     {"providers: {openai: {wire: response}}", `did you mean "responses"?`},
		"a wire of a model's": {"models: {openai/gpt-5.5: {wire: telex}}", `no wire "telex"`},
		"a wire of another":   {"providers: {anthropic: {wire: chat}}", "is for the kind openai"},
		"retries":             {"providers: {openai: {retries: 0}}", ""},
		"too many retries":    {"providers: {openai: {retries: 5}}", "between 0 and 4"},
		"a time":              {"providers: {openai: {timeout: soon}}", "should be a time"},
		"a script":            {"providers: {play: {kind: script}}", "name the file"},
		"a key misspelt":      {"provider: {}", `did you mean "providers"?`},
	} {
		own, err := model.ReadOwn("models.yaml", []byte(c.text))
		if err == nil {
			_, err = model.Default().WithOwn(own)
		}
		says(t, name, err, c.wrong)
	}
}

// TestAMovedProviderLosesItsKey: whoever moves a provider to another host has to say which key that is given.
func TestAMovedProviderLosesItsKey(t *testing.T) {
	table, err := model.Default().WithOwn(model.Own{Providers: map[string]model.Service{"openai": {BaseURL: "https://other.example/v1"}}})
	if err != nil {
		t.Fatal(err)
	}
	if got := table.Providers["openai"]; got.KeyEnv != "" || got.BaseURL != "https://other.example/v1" {
		t.Errorf("%+v", got)
	}
}

func TestOwnFileIsFound(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "fettle"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "fettle", "models.yaml"), []byte("tiers: {fast: [openai/x]}"), 0o600); err != nil {
		t.Fatal(err)
	}
	own, err := model.LoadOwn(env("XDG_CONFIG_HOME=" + dir))
	if err != nil || own.Tiers[model.Fast][0] != "openai/x" {
		t.Errorf("%+v, %v", own, err)
	}
	for _, e := range []func(string) string{env("HOME=" + dir), env("XDG_CONFIG_HOME=relative", "HOME=relative"), env()} {
		if own, err := model.LoadOwn(e); err != nil || own.Tiers != nil {
			t.Errorf("%+v, %v", own, err)
		}
	}
}

func TestKeysAreJudgedBeforeTheyAreSent(t *testing.T) {
	const good = "sk-ant-api03-secretsecretsecret"
	gemini := "AIza" + strings.Repeat("s", 35)
	for name, c := range map[string]struct {
		env   []string
		wrong string
	}{
		"a key":            {[]string{"ANTHROPIC_API_KEY=" + good}, ""},
		"a token":          {[]string{"ANTHROPIC_AUTH_TOKEN=secret-token"}, ""},
		"another issuer's": {[]string{"ANTHROPIC_API_KEY=sk-proj-secretsecretsecret"}, "begin with sk-ant-"},
		"short":            {[]string{"ANTHROPIC_API_KEY=sk-ant-secret"}, "too short"},
		"a line":           {[]string{"ANTHROPIC_API_KEY=" + good + "\n"}, "line break"},
		"a blank":          {[]string{"ANTHROPIC_API_KEY= " + good}, "blank"},
		"only blanks":      {[]string{"ANTHROPIC_API_KEY=  "}, "is blank"},
		"quotes":           {[]string{`ANTHROPIC_API_KEY="` + good + `"`}, "quotes"},
		"a shell's line":   {[]string{"ANTHROPIC_API_KEY=export ANTHROPIC_API_KEY=" + good}, "the word export"},
		"its own name":     {[]string{"ANTHROPIC_API_KEY=ANTHROPIC_API_KEY=" + good}, "its own name"},
		"Bearer":           {[]string{"ANTHROPIC_AUTH_TOKEN=Bearer secret"}, "the word Bearer"},
		"not ASCII":        {[]string{"ANTHROPIC_API_KEY=sk-ant-secretsecretsecrét"}, "a character"},
		"OpenAI's":         {[]string{"OPENAI_API_KEY=secretsecretsecretsecret"}, "begin with sk-"},
		"Gemini's":         {[]string{"GEMINI_API_KEY=" + gemini}, ""},
		"… with its signs": {[]string{"GEMINI_API_KEY=AIza" + "Sy_0-" + strings.Repeat("s", 30)}, ""},
		"… cut":            {[]string{"GEMINI_API_KEY=" + gemini[:38]}, "those that begin with AIza have 39 characters, and it has 38"},
		"… with more":      {[]string{"GEMINI_API_KEY=" + gemini + "s"}, "and it has 40"},
		"… of today":       {[]string{"GEMINI_API_KEY=AQ." + "Ab8" + strings.Repeat("s", 47)}, ""},
		"… of tomorrow":    {[]string{"GEMINI_API_KEY=IQ." + strings.Repeat("s", 47)}, ""},
		"… another's":      {[]string{"GEMINI_API_KEY=sk-" + strings.Repeat("s", 36)}, "those begin with AIza or AQ."},
		"… of a login":     {[]string{"GEMINI_API_KEY=ya29." + strings.Repeat("s", 36)}, "is no key of Google"},
		"… elsewhere":      {[]string{"GEMINI_API_KEY=sk-anything", "GOOGLE_GEMINI_BASE_URL=https://proxy.example"}, ""},
		"a proxy's":        {[]string{"ANTHROPIC_API_KEY=anything", "ANTHROPIC_BASE_URL=https://proxy.example"}, ""},
		"a bare proxy":     {[]string{"ANTHROPIC_API_KEY=" + good, "ANTHROPIC_BASE_URL=http://proxy.example"}, "plain http"},
		"Gemini's proxy":   {[]string{"GEMINI_API_KEY=anything", "GOOGLE_GEMINI_BASE_URL=http://proxy.example"}, "GOOGLE_GEMINI_BASE_URL"},
		"loopback":         {[]string{"ANTHROPIC_API_KEY=sk-ant-test-000", "ANTHROPIC_BASE_URL=http://127.0.0.1:8931"}, ""},
		"Ollama":           {[]string{"OLLAMA_HOST=0.0.0.0"}, ""},
		"Ollama elsewhere": {[]string{"OLLAMA_HOST=lan.example:11434"}, "plain http"},
	} {
		var err error
		if wrong := model.New(model.Options{Table: model.Default(), Purse: &purse{}, Getenv: env(c.env...)}).Wrong(); len(wrong) > 0 {
			err = errors.New(strings.Join(wrong, "; "))
		}
		says(t, name, err, c.wrong)
		if err != nil && strings.Contains(err.Error(), "sss") {
			t.Errorf("%s: a part of the key is told: %v", name, err)
		}
	}
}

func TestNoProviderAtAllSaysWhatToSet(t *testing.T) {
	c := model.New(model.Options{Table: model.Default(), Purse: &purse{}})
	_, err := c.Call(t.Context(), ask())
	kind(t, err, model.Unconfigured)
	says(t, "what to set", err, "set ANTHROPIC_API_KEY for anthropic, or set OPENAI_API_KEY for openai, or set GEMINI_API_KEY for gemini")
}

// TestOneWrongKey: who is configured wrongly is missed, with the reason, and nobody else is.
func TestOneWrongKey(t *testing.T) {
	c := model.New(model.Options{Table: model.Default(), Purse: &purse{}, Getenv: env("ANTHROPIC_API_KEY=sk-ant-secretsecretsecret", "OPENAI_API_KEY=abc")})
	if got := c.Asked(model.Challenger, ""); !slices.Equal(got, []string{"anthropic/claude-opus-5-5"}) || len(c.Wrong()) != 1 {
		t.Errorf("asked are %v, wrong is %v", got, c.Wrong())
	}
	c = model.New(model.Options{Table: model.Default(), Purse: &purse{}, Getenv: env("OPENAI_API_KEY=abc")})
	_, err := c.Call(t.Context(), ask())
	kind(t, err, model.Unconfigured)
	says(t, "what to mend", err, "set ANTHROPIC_API_KEY for anthropic, or mend OPENAI_API_KEY: is no key of OpenAI: those begin with sk-, or set GEMINI_API_KEY")
}

// TestAgents: an agent is its name, or its name with how it is asked.
func TestAgents(t *testing.T) {
	own, err := model.ReadOwn("models.yaml", []byte("agents: [claude, {name: codex, model: m, turns: 9, time: 90s, subagents: true}]"))
	if want := []model.Agent{{Name: "claude"}, {Name: "codex", Model: "m", Turns: 9, Time: 90 * time.Second, Subagents: true}}; err != nil || !slices.Equal(own.Agents, want) {
		t.Errorf("got %+v, %v", own.Agents, err)
	}
	for text, want := range map[string]string{
		"agents: [{name: codex, turn: 9}]":    `agents.1 has no key "turn"; did you mean "turns"?`,
		"agents: [claude, {turns: 9}]":        "agents.2 should have a name",
		"agents: [{name: claude, turns: -1}]": "agents.1 should have a name, and no turns or time below zero",
	} {
		if _, err := model.ReadOwn("models.yaml", []byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}
