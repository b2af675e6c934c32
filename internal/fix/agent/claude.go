package agent

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
)

// claude is Claude Code.
type claude struct{}

func (claude) endpoint(e environ) (endpoint, error) {
	const subscribed = "CLAUDE_CODE_OAUTH_TOKEN" // what `claude setup-token` gives to whoever has a subscription
	name, value, err := key(e, "ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", subscribed)
	if err != nil {
		return endpoint{}, err
	}
	at, err := endpointAt(e, "ANTHROPIC_BASE_URL", "Anthropic", "https://api.anthropic.com")
	at.headers, at.stands = map[string]string{"X-Api-Key": value}, "ANTHROPIC_API_KEY"
	if name != "ANTHROPIC_API_KEY" {
		at.headers = map[string]string{"Authorization": "Bearer " + value}
	}
	if name == subscribed {
		at.stands = subscribed // with it the client asks otherwise than with a key
	}
	at.takes = func(method, path string) (allowed, turn bool) {
		turn = method == http.MethodPost && path == "/v1/messages"
		return turn || method == http.MethodPost && path == "/v1/messages/count_tokens", turn
	}
	return at, err
}

// lay puts nothing into the home: everything is said in the arguments.
func (claude) lay(string, string, Options) error { return nil }

func (claude) variables(_, at string) map[string]string {
	return map[string]string{
		"ANTHROPIC_BASE_URL": at,
		"IS_SANDBOX":         "1", // without it, it does not let root skip its questions
		"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "DISABLE_AUTOUPDATER": "1", "DISABLE_TELEMETRY": "1", "DISABLE_ERROR_REPORTING": "1",
		"CLAUDE_CODE_MAX_RETRIES": "2", // of ten, the last come after minutes
	}
}

func (claude) argv(j job) []string {
	args := []string{
		"-p", j.prompt, "--output-format", "stream-json", "--verbose", "--dangerously-skip-permissions",
		// What the repository sets up runs programs without asking, and could send the model's questions elsewhere.
		"--setting-sources", "user", "--strict-mcp-config",
		"--max-turns", strconv.Itoa(j.MaxTurns),
	}
	if !j.Subagents {
		args = append(args, "--disallowedTools", "Agent,Task")
	}
	if j.Model != "" {
		args = append(args, "--model", j.Model)
	}
	if j.Budget > 0 {
		args = append(args, "--max-budget-usd", strconv.FormatFloat(j.Budget, 'f', -1, 64))
	}
	if j.resume != "" {
		args = append(args, "--resume", j.resume)
	}
	return args
}

// hides nothing: it is told not to heed what the repository sets.
func (claude) hides() []string { return nil }

func (claude) conversations() []string { return []string{".claude/projects"} }

// claudeLine is a line of its stream, as far as it is read.
type claudeLine struct {
	Type    string
	Subtype string
	Session string `json:"session_id"`
	Model   string
	Parent  string `json:"parent_tool_use_id"`
	Message struct {
		Content json.RawMessage
	}
	IsError *bool  `json:"is_error"`
	Reason  string `json:"terminal_reason"`
	Result  string
	Errors  []any
	Cost    float64 `json:"total_cost_usd"`
	Usage   struct {
		Input      int `json:"input_tokens"`
		CacheWrite int `json:"cache_creation_input_tokens"`
		CacheRead  int `json:"cache_read_input_tokens"`
		Output     int `json:"output_tokens"`
	}
	Denials []struct {
		Tool string `json:"tool_name"`
	} `json:"permission_denials"`
}

func (claude) read(line []byte, r *report) {
	var l claudeLine
	if json.Unmarshal(line, &l) != nil {
		return
	}
	switch {
	case l.Type == "system" && l.Subtype == "init":
		r.session, r.model = l.Session, l.Model
	case l.Type == "assistant" && l.Parent == "":
		var blocks []struct{ Type, Text string }
		if json.Unmarshal(l.Message.Content, &blocks) != nil {
			return
		}
		for _, b := range blocks {
			if b.Type == "text" && strings.TrimSpace(b.Text) != "" {
				r.text = b.Text
			}
		}
	case l.Type == "result":
		l.result(r)
	}
}

// result takes in the last line of a run. Its cost is that of the whole conversation, earlier runs included; the tokens are this run's.
func (l claudeLine) result(r *report) {
	r.ended, r.failed, r.limited = true, "", false
	if l.Session != "" {
		r.session = l.Session
	}
	r.total, r.priced = l.Cost, true
	r.read, r.wrote = l.Usage.Input+l.Usage.CacheRead+l.Usage.CacheWrite, l.Usage.Output
	r.denied = nil
	for _, d := range l.Denials {
		r.denied = append(r.denied, d.Tool)
	}
	if l.Result != "" {
		r.text = l.Result
	}
	switch {
	case l.Subtype == "error_max_turns":
		r.failed, r.limited = "it was not done within its turns", true
	case l.Subtype == "error_max_budget_usd":
		r.failed, r.limited = "it was not done within its budget", true
	case l.Reason == "api_error":
		r.failed = "its model could not be asked: " + l.Result
	case l.IsError == nil || *l.IsError || l.Subtype != "success":
		r.failed = fmt.Sprintf("it failed (%s) %s", l.Subtype, l.Result)
		for _, e := range l.Errors {
			r.failed += fmt.Sprintf(" %v", e)
		}
	case l.Reason != "" && l.Reason != "completed": // a version without reasons says nothing
		r.failed = fmt.Sprintf("it did not come to an end of its own (%s)", l.Reason)
	}
}
