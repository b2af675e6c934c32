package guard

import (
	"slices"
	"strings"

	"fettle/internal/policy/secret"
	"fettle/internal/policy/shell"
)

// holdsSecret reports a text in which a secret stands as it is.
func holdsSecret(text string) bool { return text != "" && secret.New(nil).Find([]byte(text)) != nil }

// sent makes a command's verdict stricter for the secrets that stand in its words: what reaches another machine is sent them, what is shown to others shows them, and a
// commit keeps them for good.
func sent(p *shell.Policy, command string, v *shell.Verdict) {
	if strings.Contains(command, "commit") && v.Decision == shell.Allow && slices.ContainsFunc(v.Facts, commits) && holdsSecret(command) {
		v.Decision, v.Class, v.Rule = shell.Ask, "secrets", "secret-kept"
		v.Reason, v.Alternative = "a secret stands in the command, and git would keep it", "commit without the secret"
	}
	for i := range v.Facts {
		if f := &v.Facts[i]; holdsSecret(carried(f, command)) {
			if w := p.Decide(append(slices.Clip(v.Facts), sending(f.Target, f.By))); w.Decision > v.Decision || w.Final {
				*v = w
			}
			return
		}
	}
}

func commits(f shell.Fact) bool {
	return f.Kind == shell.Record && strings.HasSuffix(f.Target, " commit")
}

// carried is what of a command somebody else hears by what it does. What is logged in to with a token, or is told to keep it as one, is given it for that.
func carried(f *shell.Fact, command string) string {
	switch {
	case f.Kind != shell.Fetch && f.Kind != shell.Send && f.Kind != shell.Publish, slices.Contains(f.Traits, shell.Local), slices.Contains(f.Traits, shell.Declared),
		strings.HasSuffix(f.By, " login"), strings.HasSuffix(f.By, " secret set"):
		return ""
	case f.Kind == shell.Publish && !strings.Contains(f.Target, "…"): // all of it is known
		return f.Target
	}
	return command
}

// sending is that something sends a secret somewhere.
func sending(where, by string) shell.Fact {
	return shell.Fact{Kind: shell.Send, Target: where, Traits: []shell.Trait{shell.Secret}, By: by}
}

// told is that a tool of a server's is given a text with a secret in it, which the server may send anywhere. One that is given a file of this machine by its whole path
// may write it there, as Write does.
func (in input) told(tool string) []shell.Fact {
	all, _ := in.given() // what is too much is asked about by itself
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
		return []shell.Fact{sending(whom, tool)}
	}
	return nil
}
