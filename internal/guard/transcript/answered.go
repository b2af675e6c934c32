package transcript

import (
	"bytes"
	"encoding/json"
)

// maxAnswer is how far back the answer to a call is looked for.
const maxAnswer = 256 << 10

// Answered reports that a call has a result, be it that the person has not let it run. What cannot be read says nothing.
func Answered(path, use string) bool {
	f, size, err := open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	result, call := []byte(`"tool_result"`), []byte(use)
	for line := range lines(f, size, maxAnswer) {
		if bytes.Contains(line, result) && bytes.Contains(line, call) {
			return true
		}
	}
	return false
}

// Exit is the exit code of a command that has ended, as Codex writes it down before it asks a hook about the end. Claude Code does not: it has another event for failures.
func Exit(path, use string) (code int, ok bool) {
	f, size, err := open(path)
	if err != nil {
		return 0, false
	}
	defer f.Close()
	kind, call := []byte(`"CommandExecution"`), []byte(use)
	for line := range lines(f, size, maxAnswer) {
		if use == "" || !bytes.Contains(line, kind) || !bytes.Contains(line, call) {
			continue
		}
		var l struct {
			Payload struct {
				Item struct {
					Type string `json:"type"`
					ID   string `json:"id"`
					Code *int   `json:"exit_code"`
				} `json:"item"`
			} `json:"payload"`
		}
		if item := &l.Payload.Item; json.Unmarshal(line, &l) == nil && item.Type == "CommandExecution" && item.ID == use && item.Code != nil {
			return *item.Code, true
		}
	}
	return 0, false
}
