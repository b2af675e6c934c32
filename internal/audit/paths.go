package audit

import (
	"bytes"
	slashpath "path"
	"strings"

	"fettle/internal/edit"
	policy "fettle/internal/policy/path"
)

// pathRules look at what a file is called.
var pathRules = []Rule{
	{"name", "a name that is never written: git's own folder, another version control's, or what means something else on another system or on the screen", each(forbiddenName)},
}

// forbiddenName refuses the names that no change needs. Of those that were there before a person may do what they like, but for git's own.
func forbiddenName(v *patchView, f *fileView) []Finding {
	denied := policy.Denial(f.path)
	if denied == nil || kinds[denied.Rule] != "" || denied.Rule != policy.Git && f.change.Op != edit.Create && v.goal.By == Person {
		return nil
	}
	return []Finding{{Effect: Refuse, Evidence: "a file of this name is never written: " + denied.Reason}}
}

// steering is said of what a change could make its own judge with.
const steering = "what steers an agent or fettle itself"

// kinds are the rules about names that a person may confirm, and what is said of a file of such a name.
var kinds = map[policy.Rule]string{
	policy.Agent:  steering,
	policy.Editor: "the settings of an editor, which can make it run commands",
	policy.Hook:   "a hook that git runs",
	policy.Secret: "a file that holds secrets, by its name",
}

// named is what the names of fettle's policy say that a file is, where a person has to confirm its change.
func named(name string) (what string, kept bool) {
	if policy.Instructs(name) || policy.Steers(name) {
		return steering, true
	}
	if denied := policy.Denial(name); denied != nil {
		what = kinds[denied.Rule]
	}
	return what, what != ""
}

// harmless reports what a person does to a file that is kept by its name, and that needs no second look: to take one away that ran or held
// something, to add what others are meant to see or keys that only tests use, and to say how git is to take lines.
func (v *patchView) harmless(f *fileView, what string) bool {
	if v.goal.Protected != nil && v.goal.Protected(f.path) {
		return false
	}
	switch what {
	case delivering:
		return slashpath.Base(f.path) == ".gitattributes"
	case kinds[policy.Secret]:
		return f.change.Op == edit.Delete || f.test || public(f.path, f.after)
	case kinds[policy.Editor]:
		return f.change.Op == edit.Delete
	default:
		return false
	}
}

// public reports certificates and public keys: they are called as secrets are, and made to be shown.
func public(name string, text []byte) bool {
	ext := strings.ToLower(slashpath.Ext(name))
	return (ext == ".crt" || ext == ".pub" || ext == ".pem" && bytes.Contains(text, []byte("-----BEGIN "))) && !bytes.Contains(text, []byte("PRIVATE KEY"))
}
