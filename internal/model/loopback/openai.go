package loopback

import (
	"io"

	"fettle/internal/model"
)

// chatStop is why a choice ends, in OpenAI's words.
var chatStop = map[model.Stop]string{model.Ended: "stop", model.Asked: "tool_calls", model.Cut: "length", model.Repeats: "length", model.Refused: "content_filter"}

func writeChat(w io.Writer, a asked, l model.Line) {
	said := object{"role": "assistant", "content": l.Say}
	var calls []object
	for i, c := range l.Calls {
		calls = append(calls, object{"index": i, "id": a.part("call_script_", i), "type": "function", "function": object{"name": c.Name, "arguments": string(c.Written())}})
	}
	if calls != nil {
		said["tool_calls"] = calls
	}
	u := l.Took(a.Question)
	usage := object{"prompt_tokens": u.Input, "completion_tokens": u.Output, "total_tokens": u.Input + u.Output, "prompt_tokens_details": object{"cached_tokens": u.CacheRead, "cache_write_tokens": u.CacheWrite}}
	chunk := func(kind string, more object) object {
		more["id"], more["object"], more["model"], more["created"] = a.id("chatcmpl-script-"), kind, a.Model, 0
		return more
	}
	if !a.stream {
		whole := chunk("chat.completion", object{"choices": []object{{"index": 0, "message": said, "finish_reason": chatStop[l.Ending()]}}})
		if !l.NoUsage {
			whole["usage"] = usage
		}
		put(w, whole)
		return
	}
	part := func(delta object, finish any) {
		send(w, "", chunk("chat.completion.chunk", object{"choices": []object{{"index": 0, "delta": delta, "finish_reason": finish}}}))
	}
	part(said, nil)
	part(object{}, chatStop[l.Ending()])
	if !l.NoUsage {
		send(w, "", chunk("chat.completion.chunk", object{"choices": []object{}, "usage": usage}))
	}
	_, _ = io.WriteString(w, "data: [DONE]\n\n") // a client that has gone hears nothing
}

// responsesReason is why a response is not complete.
var responsesReason = map[model.Stop]string{model.Cut: "max_output_tokens", model.Repeats: "max_output_tokens", model.Refused: "content_filter"}

func writeResponses(w io.Writer, a asked, l model.Line) {
	var items []object
	if l.Say != "" {
		items = append(items, object{"type": "message", "role": "assistant", "id": a.id("msg_script_"), "status": "completed", "content": []object{{"type": "output_text", "text": l.Say, "annotations": []any{}}}})
	}
	for i, c := range l.Calls {
		items = append(items, object{"type": "function_call", "id": a.part("fc_script_", i), "call_id": a.part("call_script_", i), "name": c.Name, "arguments": string(c.Written()), "status": "completed"})
	}
	whole := object{"id": a.id("resp_script_"), "object": "response", "model": a.Model, "status": "completed", "output": items}
	if !l.NoUsage {
		u := l.Took(a.Question)
		whole["usage"] = object{"input_tokens": u.Input, "output_tokens": u.Output, "total_tokens": u.Input + u.Output,
			"input_tokens_details": object{"cached_tokens": u.CacheRead, "cache_write_tokens": u.CacheWrite}, "output_tokens_details": object{"reasoning_tokens": 0}}
	}
	end := "response.completed"
	if reason, ok := responsesReason[l.Ending()]; ok {
		end = "response.incomplete"
		whole["status"], whole["incomplete_details"] = "incomplete", object{"reason": reason}
	}
	if !a.stream {
		put(w, whole)
		return
	}
	event := func(name string, data object) {
		data["type"] = name
		send(w, name, data)
	}
	event("response.created", object{"response": object{"id": a.id("resp_script_"), "object": "response", "model": a.Model, "status": "in_progress", "output": []any{}}})
	for i, item := range items {
		event("response.output_item.done", object{"output_index": i, "item": item})
	}
	event(end, object{"response": whole})
}
