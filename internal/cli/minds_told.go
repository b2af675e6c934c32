package cli

import (
	"slices"
	"strings"

	"fettle/internal/model"
)

// asSecondReader is what the challenger is called before people.
const asSecondReader = ", as the second reader"

// told says of models what they are sent and as what, a line for each provider: every one of them, also those that are asked only when one before them cannot answer.
func (m *minds) told(models []string, as, sent string) (lines []string) {
	var providers []string
	of := map[string][]string{}
	for _, full := range models {
		provider, _, _ := strings.Cut(full, "/")
		if !slices.Contains(providers, provider) {
			providers = append(providers, provider)
		}
		if !slices.Contains(of[provider], full) {
			of[provider] = append(of[provider], full)
		}
	}
	for _, provider := range providers {
		line := strings.Join(of[provider], ", ")
		if at := m.client.Where(provider); at != "" {
			line += " at " + at
		}
		verb := ": is sent "
		if len(of[provider]) > 1 {
			verb = ": are sent "
		}
		lines = append(lines, line+as+verb+sent)
	}
	return lines
}

// code is which files of a repository are put to the fixers that are models ([prompt.Build]).
func (m *minds) code() string {
	text := "The code that models are sent: excerpts of files below the root, around the findings, of failing tests, and of what calls that code or is called by it in its folder; .fettle/prompts; " +
		"excerpts of AGENTS.md, CLAUDE.md and CONTRIBUTING.md"
	if m.client.Turns(model.Fixer) > 0 {
		text += "; other text files below the root that they ask to read"
	}
	return text + ". Never a file that is by its name one of secrets or of an agent's, an editor's or git's settings, nor a secret that is known by its looks."
}
