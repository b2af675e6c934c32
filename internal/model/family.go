package model

import (
	"cmp"
	"slices"
	"strings"
)

// families are the makers of models, by how the names of their models and of the agents that use these begin.
var families = []struct{ begins, family string }{
	{"claude", "anthropic"}, {"anthropic", "anthropic"}, {"gpt", "openai"}, {"chatgpt", "openai"}, {"codex", "openai"}, {"openai", "openai"}, {"o1", "openai"}, {"o3", "openai"}, {"o4", "openai"},
	{"gemini", "google"}, {"gemma", "google"}, {"google", "google"}, {"qwen", "qwen"}, {"qwq", "qwen"}, {"llama", "meta"}, {"meta", "meta"}, {"codellama", "meta"}, {"mistral", "mistral"}, {"mixtral", "mistral"},
	{"codestral", "mistral"}, {"devstral", "mistral"}, {"magistral", "mistral"}, {"deepseek", "deepseek"}, {"grok", "xai"}, {"x-ai", "xai"}, {"phi", "microsoft"}, {"glm", "zhipu"}, {"kimi", "moonshot"}, {"granite", "ibm"},
}

// Family is who has made a model, which is given by its full name, or an agent. Models of one family err alike, whoever serves them. Of a model whose name says nothing it is the provider.
func Family(full string) string {
	if made, known := maker(full); known {
		return made
	}
	first, _, _ := strings.Cut(strings.ToLower(full), "/")
	return first
}

// KnownFamily reports whether the name of a model, or of an agent, says who has made it.
func KnownFamily(full string) bool {
	_, known := maker(full)
	return known
}

// Beginnings are how names begin that say who has made a model.
func Beginnings() (out []string) {
	for _, f := range families {
		out = append(out, f.begins)
	}
	return out
}

func maker(full string) (family string, known bool) {
	parts := strings.Split(strings.ToLower(full), "/")
	for i := len(parts) - 1; i >= 0; i-- { // the model's own name says more than who serves it
		for _, f := range families {
			if strings.HasPrefix(parts[i], f.begins) {
				return f.family, true
			}
		}
	}
	return "", false
}

// Unknown stands among those that have made something for a model of which nobody knows any more which one it was. Whoever judges what it has made could be of its family.
const Unknown = "an unknown model"

// Kin is how near a model is to those that have made something.
type Kin int

// How near a model can be, the farthest first.
const (
	Apart   Kin = iota // of another family than all of them
	Related            // another model of the same family as one of them
	Same               // one of them itself, whoever serves it
)

// Nearness is how near a model is to those that have made something; models are given by their full names, agents by theirs.
func Nearness(full string, makers []string) (near Kin) {
	for _, maker := range makers {
		switch {
		case own(maker) == own(full):
			return Same
		case Family(maker) == Family(full):
			near = Related
		}
	}
	return near
}

// own is a model's name without those of who serves it.
func own(full string) string { return full[strings.LastIndexByte(full, '/')+1:] }

// apart is a chain with the models of other families first, and the very models that are to be kept away from last; each part in its order.
func apart(chain, from []string) []string {
	out := slices.Clone(chain)
	slices.SortStableFunc(out, func(a, b string) int { return cmp.Compare(Nearness(a, from), Nearness(b, from)) })
	return out
}
