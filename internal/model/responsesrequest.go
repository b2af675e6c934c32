package model

import "encoding/json"

// responsesForm is how a request is put to a model by the Responses API.
type responsesForm struct {
	shape         shape
	noTemperature bool
	noThoughts    bool // the server does not give away what a model has thought, to see it again
}

// simpler is the form to try when a request in this one was refused: what the server names goes first, else what servers lack most often.
func (f responsesForm) simpler(r Request, s said) (responsesForm, bool) {
	temperature, shaped := r.Temperature != nil && !f.noTemperature, r.Schema != nil && f.shape < toldShape
	switch {
	case temperature && s.names("temperature"):
		f.noTemperature = true
	case !f.noThoughts && s.names("include", "encrypted_content", "ncrypted content"):
		f.noThoughts = true
	case shaped:
		f.shape++
	case temperature:
		f.noTemperature = true
	case !f.noThoughts:
		f.noThoughts = true
	default:
		return f, false
	}
	return f, true
}

// responsesRequest is the body of a call. Nothing of it is kept at the server: the next call says all of it again.
func responsesRequest(by, model string, r Request, f responsesForm) object {
	var input []any
	for _, m := range r.Messages {
		input = append(input, responsesItems(by, m)...)
	}
	body := object{"model": model, "input": input, "stream": true, "store": false}
	if system := f.shape.told(r); system != "" {
		body["instructions"] = system
	}
	if r.MaxTokens > 0 {
		body["max_output_tokens"] = r.MaxTokens
	}
	if r.Temperature != nil && !f.noTemperature {
		body["temperature"] = min(*r.Temperature, hottest)
	}
	if !f.noThoughts {
		body["include"] = []string{"reasoning.encrypted_content"}
	}
	var tools []object
	for _, t := range r.Tools {
		tools = append(tools, object{"type": "function", "name": t.Name, "description": t.Description, "parameters": t.Input, "strict": false})
	}
	if tools != nil {
		body["tools"] = tools
	}
	if r.Schema != nil {
		switch f.shape {
		case strictly, loosely:
			body["text"] = object{"format": object{"type": "json_schema", "name": r.Schema.Name, "strict": f.shape == strictly, "schema": r.Schema.Schema}}
		case asObject:
			body["text"] = object{"format": object{"type": "json_object"}}
		case toldShape: // the system text says it
		}
	}
	return body
}

// responsesItems are a message as the API has it: each call and each result is an item of its own, behind the thoughts that led to it.
func responsesItems(by string, m Message) []any {
	var items []any
	for _, res := range m.Results {
		items = append(items, object{"type": "function_call_output", "call_id": res.ID, "output": res.told()})
	}
	if m.Text != "" || len(m.Calls) == 0 && len(m.Results) == 0 {
		thought := responsesThought(by, m.Kept)
		item := object{"type": "message", "role": string(m.Speaker), "content": m.Text}
		if thought.Phase != "" {
			item["phase"] = thought.Phase
		}
		items = append(thought.after(items), item)
	}
	for _, c := range m.Calls {
		items = append(responsesThought(by, c.Kept).after(items), object{"type": "function_call", "call_id": c.ID, "name": c.Name, "arguments": string(c.Input)})
	}
	return items
}

// responsesKept is what a model wants to see again with a message or a call of its own.
type responsesKept struct {
	Reasoning []json.RawMessage `json:"reasoning,omitempty"` // items, as they came
	Phase     string            `json:"phase,omitempty"`     // of a message: whether it was the answer, or said on the way to it
}

// after puts the thoughts behind items.
func (k responsesKept) after(items []any) []any {
	for _, t := range k.Reasoning {
		items = append(items, t)
	}
	return items
}

func (k responsesKept) by(by string) *Kept {
	if len(k.Reasoning) == 0 && k.Phase == "" {
		return nil
	}
	what, err := json.Marshal(k)
	if err != nil {
		return nil // it has been read as JSON, and cannot fail
	}
	return &Kept{By: by, What: what}
}

// responsesThought is what was kept of this very model; nothing of another's.
func responsesThought(by string, kept *Kept) responsesKept {
	var k responsesKept
	if kept == nil || kept.By != by || json.Unmarshal(kept.What, &k) != nil {
		return responsesKept{}
	}
	return k
}
