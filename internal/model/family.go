package model

import "strings"

// families are the makers of models, by how the names of their models and of the agents that use these begin.
var families = []struct{ begins, family string }{
	{"claude", "anthropic"}, {"anthropic", "anthropic"}, {"gpt", "openai"}, {"chatgpt", "openai"}, {"codex", "openai"}, {"openai", "openai"}, {"o1", "openai"}, {"o3", "openai"}, {"o4", "openai"},
	{"gemini", "google"}, {"gemma", "google"}, {"google", "google"}, {"qwen", "qwen"}, {"qwq", "qwen"}, {"llama", "meta"}, {"meta", "meta"}, {"codellama", "meta"}, {"mistral", "mistral"}, {"mixtral", "mistral"},
	{"codestral", "mistral"}, {"devstral", "mistral"}, {"magistral", "mistral"}, {"deepseek", "deepseek"}, {"grok", "xai"}, {"x-ai", "xai"}, {"phi", "microsoft"}, {"glm", "zhipu"}, {"kimi", "moonshot"}, {"granite", "ibm"},
}

// Family is who has made a model, which is given by its full name, or an agent. Models of one family err alike, whoever serves them. Of a model whose name says nothing it is the provider.
func Family(full string) string {
	parts := strings.Split(strings.ToLower(full), "/")
	for i := len(parts) - 1; i >= 0; i-- { // the model's own name says more than who serves it
		for _, f := range families {
			if strings.HasPrefix(parts[i], f.begins) {
				return f.family
			}
		}
	}
	return parts[0]
}

// apart is a chain with the models of other families first, each part in its order.
func apart(chain, from []string) []string {
	var others, same []string
	for _, full := range chain {
		near := false
		for _, maker := range from {
			near = near || Family(maker) == Family(full)
		}
		if near {
			same = append(same, full)
		} else {
			others = append(others, full)
		}
	}
	return append(others, same...)
}
