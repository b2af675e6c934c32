package model

import (
	"encoding/json"
	"fmt"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/packages/param"
)

// marks is how many places the API lets a request mark as worth keeping; one is the system text with the tools.
const marks = 4

// claudeRequest is the request in the words of the API.
func claudeRequest(by string, r Request, f claudeForm) (anthropic.MessageNewParams, error) {
	p := anthropic.MessageNewParams{MaxTokens: int64(r.MaxTokens)}
	if r.Temperature != nil && !f.noTemperature {
		p.Temperature = anthropic.Float(min(*r.Temperature, 1))
	}
	if r.System != "" {
		p.System = []anthropic.TextBlockParam{{Text: r.System, CacheControl: anthropic.NewCacheControlEphemeralParam()}}
	}
	for _, t := range r.Tools {
		p.Tools = append(p.Tools, claudeTool(t))
	}
	if r.Schema != nil {
		if err := claudeShape(&p, r, f); err != nil {
			return p, err
		}
	}
	left := marks - len(p.System)
	for i := len(r.Messages) - 1; i >= 0; i-- { // the last marks count most
		m := r.Messages[i]
		blocks := claudeBlocks(by, m)
		if len(blocks) == 0 {
			continue // the API refuses messages without content
		}
		if m.Cached && left > 0 {
			if mark := blocks[len(blocks)-1].GetCacheControl(); mark != nil {
				*mark = anthropic.NewCacheControlEphemeralParam()
				left--
			}
		}
		msg := anthropic.NewUserMessage(blocks...)
		if m.Speaker == Assistant {
			msg = anthropic.NewAssistantMessage(blocks...)
		}
		p.Messages = append([]anthropic.MessageParam{msg}, p.Messages...)
	}
	return p, nil
}

// claudeShape holds the answer to a schema: by the API's own way, or as the input of a tool that has to be called.
func claudeShape(p *anthropic.MessageNewParams, r Request, f claudeForm) error {
	var schema map[string]any
	if err := json.Unmarshal(r.Schema.Schema, &schema); err != nil {
		return fmt.Errorf("the schema %s is no JSON object: %w", r.Schema.Name, err)
	}
	if !f.forced {
		p.OutputConfig.Format = anthropic.JSONOutputFormatParam{Schema: schema}
		return nil
	}
	p.Tools = append(p.Tools, claudeTool(Tool{Name: r.Schema.Name, Description: "Gives the answer.", Input: r.Schema.Schema}))
	if len(r.Tools) > 0 {
		p.ToolChoice = anthropic.ToolChoiceUnionParam{OfAny: &anthropic.ToolChoiceAnyParam{}} // it may use the others first
	} else {
		p.ToolChoice = anthropic.ToolChoiceParamOfTool(r.Schema.Name)
	}
	return nil
}

func claudeTool(t Tool) anthropic.ToolUnionParam {
	tool := anthropic.ToolParam{Name: t.Name, InputSchema: param.Override[anthropic.ToolInputSchemaParam](t.Input)}
	if t.Description != "" {
		tool.Description = anthropic.String(t.Description)
	}
	return anthropic.ToolUnionParam{OfTool: &tool}
}

func claudeBlocks(by string, m Message) []anthropic.ContentBlockParamUnion {
	var blocks []anthropic.ContentBlockParamUnion
	if m.Kept != nil && m.Kept.By == by {
		blocks = append(blocks, thoughts(m.Kept.What)...)
	}
	for _, res := range m.Results {
		blocks = append(blocks, anthropic.NewToolResultBlock(res.ID, res.Text, res.Failed))
	}
	if m.Text != "" {
		blocks = append(blocks, anthropic.NewTextBlock(m.Text))
	}
	for _, c := range m.Calls {
		var input any = c.Input
		if !json.Valid(c.Input) {
			input = map[string]string{"unreadable": string(c.Input)} // the API takes JSON only, and the model may see what it wrote
		}
		blocks = append(blocks, anthropic.NewToolUseBlock(c.ID, input, c.Name))
	}
	return blocks
}

// thought is a piece of the model's own reasoning. It is signed, and refused if it is changed.
type thought struct {
	Thinking  string `json:"thinking,omitempty"`
	Signature string `json:"signature,omitempty"`
	Redacted  string `json:"redacted,omitempty"`
}

func thoughts(kept json.RawMessage) []anthropic.ContentBlockParamUnion {
	var list []thought
	if json.Unmarshal(kept, &list) != nil {
		return nil // it is not of this program's making: the call goes without
	}
	var blocks []anthropic.ContentBlockParamUnion
	for _, t := range list {
		if t.Redacted != "" {
			blocks = append(blocks, anthropic.NewRedactedThinkingBlock(t.Redacted))
		} else {
			blocks = append(blocks, anthropic.NewThinkingBlock(t.Signature, t.Thinking))
		}
	}
	return blocks
}
