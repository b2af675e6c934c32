package model_test

import (
	"testing"

	"fettle/internal/model"
)

func TestFamily(t *testing.T) {
	for full, want := range map[string]string{
		"anthropic/claude-opus-5-5": "anthropic", "openrouter/anthropic/claude-opus-5-5": "anthropic", "claude": "anthropic", "openai/gpt-5.5": "openai", "codex": "openai", "proxy/gpt-5.5": "openai",
		"openrouter/openai/o3": "openai", "gemini/gemini-2.5-pro": "google", "gemini": "google", "ollama/qwen2.5-coder:7b": "qwen", "mine/Qwen2.5-Coder": "qwen", "ollama/llama3": "meta",
		"openrouter/deepseek/deepseek-chat": "deepseek", "mine/ours": "mine", "openrouter/acme/best": "openrouter",
	} {
		if got := model.Family(full); got != want {
			t.Errorf("%s is of %s, not of %s", full, got, want)
		}
	}
}

// A name that says nothing is no family: whoever it is given as a maker would be another's.
func TestKnownFamily(t *testing.T) {
	for full, want := range map[string]bool{
		"claude": true, "openrouter/anthropic/claude-opus-5-5": true, "gemini": true, "mine/Qwen2.5-Coder": true, "cluade": false, "openrouter/acme/best": false, "mine/ours": false, "": false, model.Unknown: false,
	} {
		if got := model.KnownFamily(full); got != want {
			t.Errorf("%q: %v", full, got)
		}
	}
	for _, name := range model.Beginnings() {
		if !model.KnownFamily(name) {
			t.Errorf("%s begins the names of nobody's models", name)
		}
	}
}

// The very model that has made something is nearest to it, by whoever it is served; then those of its family.
func TestNearness(t *testing.T) {
	makers := []string{"openrouter/anthropic/claude-opus-5-5", "codex"}
	for full, want := range map[string]model.Kin{
		"anthropic/claude-opus-5-5": model.Same, "anthropic/claude-haiku-5-5": model.Related, "claude": model.Related, "openai/gpt-5.5": model.Related, "codex": model.Same, "gemini/gemini-2.5-pro": model.Apart,
		"mine/ours": model.Apart,
	} {
		if got := model.Nearness(full, makers); got != want {
			t.Errorf("%s: %d, want %d", full, got, want)
		}
	}
	if got := model.Nearness("anthropic/claude-opus-5-5", nil); got != model.Apart {
		t.Errorf("nobody has made it: %d", got)
	}
}

// Whoever should be unlike somebody is of another family where one can be asked, and of the same where none can.
func TestAnotherFamilyIsAskedFirst(t *testing.T) {
	fine := func(int) error { return nil }
	for _, c := range []struct {
		unlike []string
		broken bool // the other one cannot be asked
		want   string
	}{
		{nil, false, "a"}, {[]string{"a/other"}, false, "b"}, {[]string{"b/m"}, false, "a"}, {[]string{"a/m", "b/m"}, false, "a"}, {[]string{"a/m"}, true, "a"},
	} {
		b := fine
		if c.broken {
			b = func(int) error { return &model.Error{Kind: model.Denied, Status: 401, Message: "no"} }
		}
		client, _, _ := chain(t, model.Own{}, model.Options{}, fine, b)
		r := ask()
		r.Unlike = c.unlike
		if got, err := client.Call(t.Context(), r); err != nil || got.Text != c.want {
			t.Errorf("%+v: %s, %v", c, got.Text, err)
		}
	}
}
