package agent

import (
	"encoding/json"
	"strings"

	"fettle/internal/fix"
)

// answer is what an agent says of its work at its end, as it was asked to.
type answer struct {
	Status     string   `json:"status"` // fixed, partial or failed
	Summary    string   `json:"summary"`
	Confidence *float64 `json:"confidence"` // 0–100
	Risks      []string `json:"risks"`
}

// What is looked through for an answer.
const (
	answerBytes = 64 << 10
	answerTries = 100
)

// readAnswer finds the last JSON object in a text that is an answer. Nothing is made of words that stand around it.
func readAnswer(text string) (answer, bool) {
	text = text[max(0, len(text)-answerBytes):]
	for at, tries := len(text), 0; tries < answerTries; tries++ {
		if at = strings.LastIndexByte(text[:at], '{'); at < 0 {
			break
		}
		var a answer
		if json.NewDecoder(strings.NewReader(text[at:])).Decode(&a) == nil && a.Confidence != nil && a.Status != "" {
			return a, true
		}
	}
	return answer{}, false
}

// unsaid is how sure an agent is taken to be that does not say it, or not so that it can be read. By default that is less than what is tried without a person:
// a reply that cannot be read is no yes. The patch is kept, and a person may take it.
const unsaid = 0.5

// sure is how sure it is, from 0 to 1. That is no evidence, and only decides whether the patch is tried: what counts is measured afterwards. One that
// says itself that it has failed is not sure at all.
func (a answer) sure() float64 {
	switch {
	case a.Status != "fixed" && a.Status != "partial":
		return 0
	case *a.Confidence < 0 || *a.Confidence > 100:
		return unsaid
	}
	return *a.Confidence / 100
}

// candidate is the patch with what the agent said of it.
func (f *fixer) candidate(text string) fix.Candidate {
	c := fix.Candidate{Author: f.Name(), Confidence: unsaid, Explanation: sentence(text)}
	a, ok := readAnswer(text)
	if !ok {
		return c
	}
	c.Confidence = a.sure()
	c.Explanation = sentence(a.Summary)
	if len(a.Risks) > 0 {
		c.Explanation += " It says that there are risks: " + sentence(strings.Join(a.Risks, "; "))
	}
	return c
}

// maxSentence bounds what people are told of what an agent said, in characters.
const maxSentence = 300

// sentence is the first line of a text, and not more of it than one reads.
func sentence(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	line = strings.ToValidUTF8(strings.Join(strings.Fields(line), " "), "\uFFFD")
	if r := []rune(line); len(r) > maxSentence {
		line = string(r[:maxSentence]) + "…"
	}
	if line == "" {
		return "It does not say what was wrong."
	}
	return line
}
