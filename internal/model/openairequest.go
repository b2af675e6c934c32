package model

import (
	"encoding/json"
	"strings"
)

type object = map[string]any

// hottest is the highest temperature that the API takes.
const hottest = 2

// openAIRequest is the body of a call. Long conversations are kept by these providers by themselves: there is nothing to tell them.
func openAIRequest(provider, model string, r Request, f form) object {
	var messages []object
	if system := f.shape.told(r); system != "" {
		messages = append(messages, object{"role": "system", "content": system})
	}
	for _, m := range r.Messages {
		messages = append(messages, openAIMessages(provider, model, m)...)
	}
	body := object{"model": model, "messages": messages, "stream": true}
	limit := "max_tokens"
	if f.newLimit {
		limit = "max_completion_tokens"
	}
	if r.MaxTokens > 0 {
		body[limit] = r.MaxTokens
	}
	if r.Temperature != nil && !f.noTemperature {
		body["temperature"] = min(*r.Temperature, hottest)
	}
	if !f.noUsage {
		body["stream_options"] = object{"include_usage": true}
	}
	var tools []object
	for _, t := range r.Tools {
		tools = append(tools, object{"type": "function", "function": object{"name": t.Name, "description": t.Description, "parameters": t.Input}})
	}
	if tools != nil {
		body["tools"] = tools
		if f.noThought {
			body["reasoning_effort"] = "none"
		}
	}
	if r.Schema != nil {
		switch f.shape {
		case strictly, loosely:
			body["response_format"] = object{"type": "json_schema", "json_schema": object{"name": r.Schema.Name, "strict": f.shape == strictly, "schema": r.Schema.Schema}}
		case asObject:
			body["response_format"] = object{"type": "json_object"}
		case toldShape: // the system text says it
		}
	}
	return body
}

// told is the system text, with the schema in it where the model is not held to that.
func (s shape) told(r Request) string {
	if r.Schema == nil || s < asObject {
		return r.System
	}
	system := r.System
	if system != "" {
		system += "\n\n"
	}
	return system + "Answer with one JSON object and nothing else. It follows this JSON schema:\n" + string(r.Schema.Schema)
}

func openAIMessages(provider, model string, m Message) []object {
	if m.Speaker == Assistant {
		msg := object{"role": "assistant", "content": m.Text}
		var calls []object
		for _, c := range m.Calls {
			call := object{"id": c.ID, "type": "function", "function": object{"name": c.Name, "arguments": string(c.Input)}}
			if c.Kept != nil && c.Kept.By == provider+"/"+model {
				call["extra_content"] = c.Kept.What // Gemini signs its thoughts, and wants to see the signature again
			}
			calls = append(calls, call)
		}
		if calls != nil {
			msg["tool_calls"] = calls
			if m.Text == "" {
				msg["content"] = nil
			}
		}
		return []object{msg}
	}
	var out []object
	for _, res := range m.Results {
		out = append(out, object{"role": "tool", "tool_call_id": res.ID, "content": res.told()})
	}
	if m.Text != "" || len(m.Results) == 0 {
		out = append(out, object{"role": "user", "content": m.Text})
	}
	return out
}

// told is the result in words, for an API that has no other sign of a failure.
func (r ToolResult) told() string {
	if r.Failed {
		return "This failed.\n" + r.Text
	}
	return r.Text
}

// openAIChunk is a part of a streamed answer, or a whole one.
type openAIChunk struct {
	Error   json.RawMessage
	Choices []struct {
		Index        int
		Delta        *openAISaid
		Message      *openAISaid
		FinishReason string `json:"finish_reason"`
	}
	Usage *struct {
		Prompt     int          `json:"prompt_tokens"`
		Completion int          `json:"completion_tokens"`
		Total      int          `json:"total_tokens"`
		Details    openAICached `json:"prompt_tokens_details"`
	}
}

// openAICached is how much of a prompt the provider had kept, and keeps.
type openAICached struct {
	Read    int `json:"cached_tokens"`
	Written int `json:"cache_write_tokens"`
}

// usage is what a call took. What a model has thought is not in the output of every server, but always in the total.
func (c openAICached) usage(input, output, total int) Usage {
	u := Usage{Input: input, CacheRead: min(c.Read, input), Output: max(output, total-input)}
	u.CacheWrite = min(c.Written, input-u.CacheRead)
	return u
}

type openAISaid struct {
	Content   json.RawMessage
	Refusal   string
	ToolCalls []struct {
		Index    *int
		ID       string
		Function struct {
			Name      string
			Arguments json.RawMessage
		}
		Extra json.RawMessage `json:"extra_content"`
	} `json:"tool_calls"`
}

// text is a content, which may be a text, nothing, or a list of parts. Parts that are not text (reasoning, as some servers put it) are none of the answer.
func text(content json.RawMessage) (string, bool) {
	var s *string
	if len(content) == 0 || json.Unmarshal(content, &s) == nil {
		if s == nil {
			return "", true
		}
		return *s, true
	}
	var parts []struct{ Type, Text string }
	if json.Unmarshal(content, &parts) != nil {
		return "", false
	}
	var all strings.Builder
	for _, p := range parts {
		if p.Type == "text" || p.Type == "output_text" || p.Type == "" {
			all.WriteString(p.Text)
		}
	}
	return all.String(), true
}
