package agent

import (
	"fmt"

	"fettle/internal/fix"
	"fettle/internal/fix/custom"
	"fettle/internal/quote"
)

// mostSuspect bounds how many places are named of one run.
const mostSuspect = 5

// addressed are files that agents read by themselves, whatever they are told, as people write them for agents.
var addressed = []string{"AGENTS.md", "CLAUDE.md", "GEMINI.md"}

// suspicious are the places in what an agent is told, and reads by itself, that talk to it as one talks to a model, each with what stands there.
func suspicious(t fix.Task, said []saying) (out []string) {
	look := func(where, text string) {
		for _, s := range quote.Suspicious(text) {
			out = append(out, fmt.Sprintf("%s:%d: %s", where, s.Line, s))
		}
	}
	for _, name := range addressed {
		if text, err := custom.Read(t.Place, name); err == nil {
			look(name, string(text))
		}
	}
	for _, s := range said {
		if s.kind == "notes" {
			look(s.note, s.text)
		}
	}
	for _, p := range t.Parts() {
		for _, d := range p.Diagnostics {
			look("what "+p.Check.Name+" says of "+d.File, d.Message+"\n"+d.Excerpt+"\n"+d.Detail)
		}
	}
	return out[:min(len(out), mostSuspect)]
}
