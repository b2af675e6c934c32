package hook

import (
	"encoding/json"

	"fettle/internal/policy/shell"
)

// answer is what the client hears. The zero answer leaves everything to the client.
type answer struct {
	asks    *question      // there is no answer before this one has one
	verdict *shell.Verdict // of a tool call
	context string         // what the model is told besides
	block   string         // why an agent that would stop goes on
	end     string         // why the turn ends here
	message string         // what the person is shown
}

// output is an answer as the clients read it. Gemini CLI has a tool call refused as the others have a turn's end.
type output struct {
	Continue   *bool     `json:"continue,omitempty"`
	StopReason string    `json:"stopReason,omitempty"`
	Message    string    `json:"systemMessage,omitempty"`
	Decision   string    `json:"decision,omitempty"`
	Reason     string    `json:"reason,omitempty"`
	Specific   *specific `json:"hookSpecificOutput,omitempty"`
}

type specific struct {
	Event    string `json:"hookEventName"`
	Decision string `json:"permissionDecision,omitempty"`
	Reason   string `json:"permissionDecisionReason,omitempty"`
	Context  string `json:"additionalContext,omitempty"`
}

// encode writes the answer to an event. A call that the policy allows is left to the client's own rules: the guard forbids, it does not
// grant, so that whoever told the client to ask is still asked.
func (a answer) encode(e *Event) ([]byte, error) {
	var o output
	if a.end != "" {
		o.Continue, o.StopReason = new(bool), a.end
	}
	o.Message = a.message
	if a.block != "" {
		o.Decision, o.Reason = "block", a.block
	}
	if a.context != "" {
		o.Specific = &specific{Event: e.Name, Context: a.context}
	}
	switch v := a.verdict; {
	case v == nil || v.Decision == shell.Allow:
	case e.gemini:
		o.Decision, o.Reason = v.Decision.String(), told(v)
	default:
		o.Specific = &specific{Event: e.Name, Decision: v.Decision.String(), Reason: told(v), Context: a.context}
	}
	if o == (output{}) {
		return nil, nil
	}
	data, err := json.Marshal(o)
	return append(data, '\n'), err
}

// told is what a person or a model reads of a verdict.
func told(v *shell.Verdict) string {
	text := "fettle guard: " + v.Reason
	if v.Alternative != "" {
		text += ". Instead: " + v.Alternative
	}
	return text
}
