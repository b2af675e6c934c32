package agent

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

// codex is Codex.
type codex struct{}

func (codex) endpoint(e environ) (endpoint, error) {
	_, value, err := key(e, "CODEX_API_KEY", "OPENAI_API_KEY")
	if err != nil {
		return endpoint{}, err
	}
	at, err := endpointAt(e, "OPENAI_BASE_URL", "OpenAI", "https://api.openai.com/v1")
	at.headers, at.stands = map[string]string{"Authorization": "Bearer " + value}, "OPENAI_API_KEY"
	at.takes = func(method, path string) (allowed, turn bool) {
		turn = method == http.MethodPost && path == "/responses"
		return turn || method == http.MethodGet && path == "/models", turn
	}
	return at, err
}

// lay says where the model is, and takes away what asks elsewhere.
func (codex) lay(home, at string, o Options) error {
	return write(home, ".codex/config.toml", fmt.Sprintf(`model_provider = "fettle"
check_for_update_on_startup = false
[model_providers.fettle]
name = "fettle"
base_url = %q
env_key = "OPENAI_API_KEY"
wire_api = "responses"
request_max_retries = 2
stream_max_retries = 2
[analytics]
enabled = false
[features]
plugins = false
apps = false
multi_agent = %t
`, at, o.Subagents))
}

func (codex) variables(home, _ string) map[string]string {
	return map[string]string{"CODEX_HOME": home + "/.codex"}
}

func (codex) argv(j job) []string {
	args := []string{"exec", "--json", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox"}
	if j.Guard != nil {
		args = append(args, "--dangerously-bypass-hook-trust") // those that were put into its home by us
	}
	if j.Model != "" {
		args = append(args, "-m", j.Model)
	}
	if j.resume != "" {
		args = append(args, "resume", j.resume)
	}
	return append(args, j.prompt)
}

// hides nothing: it trusts no repository of which its home does not say so.
func (codex) hides() []string { return nil }

func (codex) conversations() []string { return []string{".codex/sessions"} }

// codexLine is an event, as far as it is read.
type codexLine struct {
	Type    string
	Thread  string `json:"thread_id"`
	Message string
	Item    struct{ Type, Text string }
	Error   struct{ Message string }
	Usage   struct {
		Input  int `json:"input_tokens"`
		Output int `json:"output_tokens"`
	}
}

func (codex) read(line []byte, r *report) {
	var l codexLine
	if json.Unmarshal(line, &l) != nil {
		return
	}
	switch l.Type {
	case "thread.started":
		r.session = l.Thread
	case "turn.started":
		r.ended, r.failed = false, ""
	case "item.completed":
		if l.Item.Type == "agent_message" && strings.TrimSpace(l.Item.Text) != "" {
			r.text = l.Item.Text
		}
	case "error":
		r.said = l.Message // it may try again, and go on
	case "turn.failed":
		r.ended, r.failed = true, "it failed: "+l.Error.Message
	case "turn.completed":
		r.ended, r.failed = true, ""
		r.read, r.wrote = r.read+l.Usage.Input, r.wrote+l.Usage.Output
	}
}
