package model

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/anthropics/anthropic-sdk-go"
)

// claudeAnswer puts an answer together from the events of its stream.
type claudeAnswer struct {
	begun, ended bool
	blocks       []*claudeBlock
	stop         string
	usage        Usage
}

type claudeBlock struct {
	kind, id, name string
	text, input    strings.Builder
	thought        thought
}

func (a *claudeAnswer) take(ev anthropic.MessageStreamEventUnion) error {
	a.begun = true
	switch ev.Type {
	case "message_start":
		a.count(ev.Message.Usage.InputTokens, ev.Message.Usage.CacheReadInputTokens, ev.Message.Usage.CacheCreationInputTokens, ev.Message.Usage.OutputTokens)
	case "content_block_start":
		if int(ev.Index) != len(a.blocks) {
			return errors.New("its parts are out of order")
		}
		b := &claudeBlock{kind: ev.ContentBlock.Type, id: ev.ContentBlock.ID, name: ev.ContentBlock.Name, thought: thought{Redacted: ev.ContentBlock.Data,
			Thinking: ev.ContentBlock.Thinking, Signature: ev.ContentBlock.Signature}}
		a.blocks = append(a.blocks, b)
		a.blocks[len(a.blocks)-1].text.WriteString(ev.ContentBlock.Text)
	case "content_block_delta":
		if int(ev.Index) >= len(a.blocks) || ev.Index < 0 {
			return errors.New("a part goes on that has not begun")
		}
		b := a.blocks[ev.Index]
		b.text.WriteString(ev.Delta.Text)
		b.input.WriteString(ev.Delta.PartialJSON)
		b.thought.Thinking += ev.Delta.Thinking
		b.thought.Signature += ev.Delta.Signature
	case "message_delta":
		a.stop = string(ev.Delta.StopReason)
		a.count(ev.Usage.InputTokens, ev.Usage.CacheReadInputTokens, ev.Usage.CacheCreationInputTokens, ev.Usage.OutputTokens)
	case "message_stop":
		a.ended = true
	}
	return nil
}

// count takes the usage as far as an event has it: the beginning says what was read, the end what was written, and newer ends say both.
func (a *claudeAnswer) count(in, read, written, out int64) {
	if total := int(in + read + written); total > 0 {
		a.usage.Input, a.usage.CacheRead, a.usage.CacheWrite = total, int(read), int(written)
	}
	a.usage.Output = max(a.usage.Output, int(out))
}

func (a *claudeAnswer) reply(by string, r Request, f claudeForm) (Reply, error) {
	reply := Reply{Usage: a.usage, Stop: Ended}
	var kept []thought
	for i := range a.blocks {
		b := a.blocks[i]
		switch b.kind {
		case "text":
			reply.Text += b.text.String()
		case "thinking", "redacted_thinking":
			kept = append(kept, b.thought)
		case "tool_use":
			input := b.input.String()
			if input == "" {
				input = "{}"
			}
			if f.forced && r.Schema != nil && b.name == r.Schema.Name {
				reply.Text = input // what was said beside it is none of the answer
				reply.Calls, reply.Stop = nil, Ended
				return a.finish(reply, kept, by, true)
			}
			reply.Calls = append(reply.Calls, ToolCall{ID: b.id, Name: b.name, Input: json.RawMessage(input)})
		}
	}
	return a.finish(reply, kept, by, false)
}

func (a *claudeAnswer) finish(reply Reply, kept []thought, by string, shaped bool) (Reply, error) {
	switch a.stop {
	case "max_tokens", "model_context_window_exceeded":
		reply.Stop = Cut
	case "refusal":
		reply.Stop = Refused
	case "tool_use":
		if !shaped {
			reply.Stop = Asked
		}
	case "end_turn", "stop_sequence", "pause_turn":
		if len(reply.Calls) > 0 {
			reply.Stop = Asked
		}
	default:
		return Reply{}, fmt.Errorf("it does not say why it ended (%q)", a.stop)
	}
	if kept != nil {
		what, err := json.Marshal(kept)
		if err != nil {
			return Reply{}, err
		}
		reply.Kept = &Kept{By: by, What: what}
	}
	return reply, nil
}
