package loopback

import (
	"encoding/json"
	"io"

	"fettle/internal/model"
)

// geminiStop is why a candidate ends, in Gemini's words.
var geminiStop = map[model.Stop]string{model.Ended: "STOP", model.Asked: "STOP", model.Cut: "MAX_TOKENS", model.Repeats: "MAX_TOKENS", model.Refused: "SAFETY"}

func writeGemini(w io.Writer, a asked, l model.Line) {
	var parts []object
	if l.Say != "" {
		parts = append(parts, object{"text": l.Say})
	}
	for _, c := range l.Calls {
		var args any
		if json.Unmarshal(c.Written(), &args) != nil {
			args = object{}
		}
		parts = append(parts, object{"functionCall": object{"name": c.Name, "args": args}})
	}
	u := l.Took(a.Question)
	whole := object{"modelVersion": a.Model,
		"candidates":    []object{{"index": 0, "content": object{"role": "model", "parts": parts}, "finishReason": geminiStop[l.Ending()]}},
		"usageMetadata": object{"promptTokenCount": u.Input, "cachedContentTokenCount": u.CacheRead, "candidatesTokenCount": u.Output, "totalTokenCount": u.Input + u.Output}}
	if a.stream {
		send(w, "", whole)
		return
	}
	put(w, whole)
}
