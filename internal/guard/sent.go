package guard

import (
	"slices"
	"strings"

	"fettle/internal/policy/secret"
	"fettle/internal/policy/shell"
)

// holdsSecret reports a text in which a secret stands as it is.
func holdsSecret(text string) bool { return secret.New(nil).Find([]byte(text)) != nil }

// kept are programs to which a token is given so that they log in with it, or keep it as one.
var kept = []string{" login", " secret set"}

// sent is a command's verdict with the secrets in mind that stand in its words: what reaches another machine is sent them, what is shown to others shows them, and a
// commit keeps them for good.
func sent(p *shell.Policy, command string, v shell.Verdict) shell.Verdict {
	facts := v.Facts
	records := false
	for _, f := range v.Facts {
		text := command
		switch {
		case f.Is(shell.Local), f.Is(shell.Declared), slices.ContainsFunc(kept, func(end string) bool { return strings.HasSuffix(f.By, end) }):
			continue
		case f.Kind == shell.Fetch, f.Kind == shell.Send:
		case f.Kind == shell.Publish:
			if !strings.Contains(f.Target, "…") { // all of it is known
				text = f.Target
			}
		default:
			records = records || f.Kind == shell.Record && strings.HasSuffix(f.Target, " commit")
			continue
		}
		if holdsSecret(text) {
			facts = append(slices.Clip(facts), shell.Fact{Kind: shell.Send, Target: f.Target, Traits: []shell.Trait{shell.Secret}, By: f.By})
			break
		}
	}
	switch w := p.Decide(facts); {
	case len(facts) > len(v.Facts) && (w.Decision > v.Decision || w.Final && !v.Final):
		return w
	case records && v.Decision == shell.Allow && holdsSecret(command):
		return shell.Verdict{Decision: shell.Ask, Class: "secrets", Rule: "secret-kept", Reason: "a secret stands in the command, and git would keep it", Facts: v.Facts, Alternative: "commit without the secret"}
	}
	return v
}

// told is that a tool of a server's is given a text with a secret in it, which the server may send anywhere. One that is given a file of this machine by its whole path
// may write it there, as Write does.
func (in input) told(tool string) []shell.Fact {
	all := in.given()
	if strings.HasPrefix(tool, "mcp__fettle__") || slices.ContainsFunc(all, func(g given) bool {
		return pathName(strings.ToLower(g.name)) && strings.HasPrefix(fileOf(g.value), "/")
	}) {
		return nil
	}
	return sentBy(all, tool, "the server of "+tool)
}

// sentBy is that one of some texts has a secret in it, which would be sent to somebody.
func sentBy(all []given, tool, whom string) []shell.Fact {
	if slices.ContainsFunc(all, func(g given) bool { return holdsSecret(g.value) }) {
		return []shell.Fact{{Kind: shell.Send, Target: whom, Traits: []shell.Trait{shell.Secret}, By: tool}}
	}
	return nil
}
