package agent

import (
	"encoding/json"
	"net/http"
	"strings"
)

// gemini is Gemini CLI.
type gemini struct{}

func (gemini) endpoint(e environ) (endpoint, error) {
	_, value, err := key(e, "GEMINI_API_KEY")
	if err != nil {
		return endpoint{}, err
	}
	at, err := endpointAt(e, "GOOGLE_GEMINI_BASE_URL", "Google", "https://generativelanguage.googleapis.com")
	at.headers, at.stands = map[string]string{"X-Goog-Api-Key": value}, "GEMINI_API_KEY"
	at.takes = func(method, path string) (allowed, turn bool) {
		_, does, _ := strings.Cut(path, ":")
		asks := method == http.MethodPost && strings.Contains(path, "/models/")
		turn = asks && does == "streamGenerateContent"
		return turn || asks && (does == "generateContent" || does == "countTokens"), turn
	}
	return at, err
}

// lay says how it shows who it is: with the address of its model alone, it takes another way.
func (gemini) lay(home, _ string, o Options) error {
	text, err := json.MarshalIndent(map[string]any{
		"general":      map[string]any{"enableAutoUpdate": false, "maxAttempts": 3},
		"security":     map[string]any{"auth": map[string]any{"selectedType": "gemini-api-key"}},
		"telemetry":    map[string]any{"enabled": false},
		"privacy":      map[string]any{"usageStatisticsEnabled": false},
		"experimental": map[string]any{"enableAgents": o.Subagents},
	}, "", "  ")
	if err != nil {
		return err
	}
	return write(home, ".gemini/settings.json", string(text)+"\n")
}

func (gemini) variables(_, at string) map[string]string {
	return map[string]string{
		"GOOGLE_GEMINI_BASE_URL":     at,
		"GEMINI_CLI_TRUST_WORKSPACE": "true", // else it may do nothing without asking
		"GEMINI_CLI_NO_RELAUNCH":     "true",
	}
}

func (gemini) argv(j job) []string {
	args := []string{"-p", j.prompt, "-o", "stream-json", "--yolo",
		"--allowed-mcp-server-names", "none", "--extensions", "none"} // of those that the repository sets up
	if j.Model != "" {
		args = append(args, "-m", j.Model)
	}
	if j.resume != "" {
		args = append(args, "--resume", j.resume)
	}
	return args
}

// hides its settings of the repository: an agent that does not ask must trust the folder, and then they stand above what was laid into its home. They could switch the guard's hook off.
func (gemini) hides() []string { return []string{".gemini/settings.json"} }

func (gemini) conversations() []string { return []string{".gemini/tmp", ".gemini/history"} }

// geminiLine is a line of its stream, as far as it is read.
type geminiLine struct {
	Type    string
	Session string `json:"session_id"`
	Model   string
	Role    string
	Content string
	Delta   bool
	Status  string
	Message string
	Error   struct{ Message string }
	Stats   struct {
		Input  int `json:"input_tokens"`
		Output int `json:"output_tokens"`
	}
}

func (gemini) read(line []byte, r *report) {
	var l geminiLine
	if json.Unmarshal(line, &l) != nil {
		return
	}
	switch l.Type {
	case "init":
		r.session, r.model = l.Session, l.Model
	case "message":
		switch {
		case l.Role != "assistant":
		case l.Delta && r.speaking:
			r.text += l.Content
		default:
			r.text, r.speaking = l.Content, true
		}
	case "tool_use":
		r.speaking = false // what it says after a call is said anew
	case "error":
		r.said = l.Message
	case "result":
		r.ended, r.failed = true, ""
		r.read, r.wrote = l.Stats.Input, l.Stats.Output
		if l.Status != "success" {
			r.failed = "it failed: " + l.Error.Message
		}
	}
}
