package hook_test

import (
	"bytes"
	"strings"
	"testing"
)

// TestUnreadEvents is what a client hears of an event that cannot be read: which field it is, and not Go's words for it.
func TestUnreadEvents(t *testing.T) {
	y := newYard(t)
	for event, want := range map[string]string{
		`{"session_id": "s"`: "it is no JSON object, or only a part of one",
		`[1]`:                "it is no JSON object, or only a part of one",
		`{"session_id": 7, "hook_event_name": "PreToolUse"}`:                         "its field session_id holds a number",
		`{"session_id": "s", "hook_event_name": "PreToolUse", "tool_name": {"a":1}}`: "its field tool_name holds an object",
		`{"session_id": "s", "hook_event_name": ["PreToolUse"]}`:                     "its field hook_event_name holds a list",
		`{"session_id": "s", "hook_event_name": "Stop", "stop_hook_active": "no"}`:   "its field stop_hook_active holds a text",
	} {
		var out, errs bytes.Buffer
		y.hook.Run(strings.NewReader(event), &out, &errs)
		if said := out.String() + errs.String(); !strings.Contains(said, want) || strings.Contains(said, "unmarshal") || !strings.Contains(said, "fettle guard status") {
			t.Errorf("%s: %s", event, said)
		}
	}
}
