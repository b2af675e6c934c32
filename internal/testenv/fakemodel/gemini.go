package fakemodel

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
)

// contents answers as Gemini's generateContent does: in one piece, or as server-sent events without names.
func (m *Model) contents(w http.ResponseWriter, body []byte, stream bool) {
	var in struct {
		Contents []struct {
			Role string
		}
		Tools []any
	}
	_ = json.Unmarshal(body, &in) // what cannot be read has no turns
	n := 0
	for _, c := range in.Contents {
		if c.Role == "model" {
			n++
		}
	}
	part := map[string]any{"text": m.last()}
	if call, more := turn(m.script, n); more && in.Tools != nil {
		part = map[string]any{"functionCall": map[string]any{"name": named(call, "mcp_", "_"), "args": call.Input, "id": fmt.Sprintf("call_%020d", n)}}
	}
	text, err := json.Marshal(map[string]any{
		"candidates":    []any{map[string]any{"content": map[string]any{"role": "model", "parts": []any{part}}, "finishReason": "STOP", "index": 0}},
		"usageMetadata": map[string]any{"promptTokenCount": 10, "candidatesTokenCount": 10, "totalTokenCount": 20},
		"modelVersion":  "gemini-test", "responseId": fmt.Sprintf("resp_%d", n),
	})
	if err != nil {
		panic(err) // scripts are made of what can be written
	}
	if stream {
		text = bytes.Join([][]byte{[]byte("data: "), text, []byte("\r\n\r\n")}, nil)
	} else {
		w.Header().Set("Content-Type", "application/json")
	}
	_, _ = io.Copy(w, bytes.NewReader(text)) // a client that has gone hears nothing
}
