package loopback

import (
	"encoding/json"
	"io"

	"fettle/internal/model"
)

// claudeStop is why a message ends, in Anthropic's words.
var claudeStop = map[model.Stop]string{model.Ended: "end_turn", model.Asked: "tool_use", model.Cut: "max_tokens", model.Repeats: "max_tokens", model.Refused: "refusal"}

func claudeUsage(u model.Usage) object {
	return object{"input_tokens": u.Input - u.CacheRead - u.CacheWrite, "cache_read_input_tokens": u.CacheRead, "cache_creation_input_tokens": u.CacheWrite, "output_tokens": u.Output}
}

func writeClaude(w io.Writer, a asked, l model.Line) {
	usage := claudeUsage(l.Took(a.Question))
	head := object{"id": a.id("msg_script_"), "type": "message", "role": "assistant", "model": a.Model, "content": []any{}, "stop_reason": nil, "stop_sequence": nil, "usage": usage}
	var blocks []object
	if l.Say != "" {
		blocks = append(blocks, object{"type": "text", "text": l.Say})
	}
	for i, c := range l.Calls {
		var input any
		if json.Unmarshal(c.Written(), &input) != nil {
			input = object{}
		}
		blocks = append(blocks, object{"type": "tool_use", "id": a.part("toolu_script_", i), "name": c.Name, "input": input})
	}
	if !a.stream {
		head["content"], head["stop_reason"] = blocks, claudeStop[l.Ending()]
		put(w, head)
		return
	}
	event := func(name string, data object) {
		data["type"] = name
		send(w, name, data)
	}
	event("message_start", object{"message": head})
	calls := 0
	for i, b := range blocks {
		delta := object{"type": "text_delta", "text": l.Say}
		start := object{"type": "text", "text": ""}
		if b["type"] == "tool_use" {
			start = object{"type": "tool_use", "id": b["id"], "name": b["name"], "input": object{}}
			delta = object{"type": "input_json_delta", "partial_json": string(l.Calls[calls].Written())}
			calls++
		}
		event("content_block_start", object{"index": i, "content_block": start})
		event("content_block_delta", object{"index": i, "delta": delta})
		event("content_block_stop", object{"index": i})
	}
	event("message_delta", object{"delta": object{"stop_reason": claudeStop[l.Ending()], "stop_sequence": nil}, "usage": usage})
	event("message_stop", object{})
}
