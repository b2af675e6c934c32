package model

import "strings"

// Spoken is what an assistant said, for a conversation to go on with: providers refuse a turn that is empty or ends in blanks.
func Spoken(text string) string {
	if text = strings.TrimSpace(text); text == "" {
		return "(nothing)"
	}
	return text
}

// Unfenced takes off one fence around a whole answer, which many models put there whatever they are told.
func Unfenced(text string) string {
	text = strings.TrimSpace(text)
	rest, ok := strings.CutPrefix(text, "```")
	if !ok {
		return text
	}
	_, body, ok := strings.Cut(rest, "\n")
	body, closed := strings.CutSuffix(body, "```")
	if !ok || !closed {
		return text
	}
	return body
}
