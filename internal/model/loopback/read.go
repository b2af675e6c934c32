package loopback

import (
	"encoding/json"
	"fmt"
	"strings"
)

// turn is a message of any wire, as far as a script goes by it.
type turn struct {
	role string
	text string
}

// question makes one of the turns. What the system says is part of the whole, and never the last word; nor are the turns of a model.
func question(model, system string, turns []turn, stream bool) asked {
	a := asked{stream: stream}
	a.Model = model
	parts := []string{system}
	for _, t := range turns {
		if t.role == "user" || t.role == "tool" {
			a.Last = t.text
		}
		parts = append(parts, t.text)
	}
	a.Whole = strings.Join(parts, "\n")
	return a
}

// texts gathers what is said anywhere in a part of a request: a text, or the texts, inputs and results of a list of blocks. Formats differ in where they put them, and a script only
// asks whether something was said.
func texts(raw json.RawMessage) string {
	var v any
	if json.Unmarshal(raw, &v) != nil {
		return ""
	}
	var out []string
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case string:
			out = append(out, v)
		case []any:
			for _, e := range v {
				walk(e)
			}
		case map[string]any:
			for _, key := range []string{"text", "content", "parts", "output", "thinking"} {
				walk(v[key])
			}
			for _, key := range []string{"function", "name", "arguments"} {
				walk(v[key])
			}
			for _, key := range []string{"input", "functionCall", "functionResponse", "args", "response"} {
				if in, ok := v[key].(map[string]any); ok {
					text, err := json.Marshal(in)
					if err == nil {
						out = append(out, string(text))
					}
				}
			}
		}
	}
	walk(v)
	return strings.Trim(strings.Join(out, "\n"), "\n")
}

func readClaude(body []byte, _ string) (asked, error) {
	var in struct {
		Model    string
		System   json.RawMessage
		Messages []struct {
			Role    string
			Content json.RawMessage
		}
		Stream bool
	}
	if err := json.Unmarshal(body, &in); err != nil {
		return asked{}, fmt.Errorf("the request cannot be read: %w", err)
	}
	var turns []turn
	for _, m := range in.Messages {
		turns = append(turns, turn{m.Role, texts(m.Content)})
	}
	return question(in.Model, texts(in.System), turns, in.Stream), nil
}

func readChat(body []byte, _ string) (asked, error) {
	var in struct {
		Model    string
		Messages []struct {
			Role      string
			Content   json.RawMessage
			ToolCalls json.RawMessage `json:"tool_calls"`
		}
		Stream bool
	}
	if err := json.Unmarshal(body, &in); err != nil {
		return asked{}, fmt.Errorf("the request cannot be read: %w", err)
	}
	var turns []turn
	for _, m := range in.Messages {
		turns = append(turns, turn{m.Role, strings.Trim(texts(m.Content)+"\n"+texts(m.ToolCalls), "\n")})
	}
	return question(in.Model, "", turns, in.Stream), nil
}

func readResponses(body []byte, _ string) (asked, error) {
	var in struct {
		Model        string
		Instructions string
		Input        json.RawMessage
		Stream       bool
	}
	if err := json.Unmarshal(body, &in); err != nil {
		return asked{}, fmt.Errorf("the request cannot be read: %w", err)
	}
	var items []struct{ Role, Type string }
	var raw []json.RawMessage
	var turns []turn
	if json.Unmarshal(in.Input, &items) != nil || json.Unmarshal(in.Input, &raw) != nil {
		items, turns = nil, []turn{{"user", texts(in.Input)}} // a text alone
	}
	for i, item := range items {
		role := item.Role
		if strings.HasSuffix(item.Type, "_call_output") {
			role = "tool"
		}
		turns = append(turns, turn{role, texts(raw[i])})
	}
	return question(in.Model, in.Instructions, turns, in.Stream), nil
}

func readGemini(body []byte, path string) (asked, error) {
	var in struct {
		System   json.RawMessage `json:"systemInstruction"`
		Contents []struct {
			Role  string
			Parts json.RawMessage
		}
	}
	if err := json.Unmarshal(body, &in); err != nil {
		return asked{}, fmt.Errorf("the request cannot be read: %w", err)
	}
	var turns []turn
	for _, c := range in.Contents {
		role := c.Role
		if role == "" {
			role = "user"
		}
		turns = append(turns, turn{role, texts(c.Parts)})
	}
	name := path[strings.LastIndex(path, "/")+1:]
	name, _, _ = strings.Cut(name, ":")
	return question(name, texts(in.System), turns, strings.HasSuffix(path, ":streamGenerateContent")), nil
}
