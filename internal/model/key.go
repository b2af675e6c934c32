package model

import (
	"fmt"
	"net/url"
	"strings"

	"fettle/internal/policy/secret"
)

// shortestKey is how long the keys of the issuers that are known are at least.
const shortestKey = 20

// issuers are the hosts whose keys are known by their looks. Other servers take whatever they like.
var issuers = map[string]struct{ name, prefix string }{
	"api.anthropic.com": {"Anthropic", "sk-ant-"},
	"api.openai.com":    {"OpenAI", "sk-"},
	"openrouter.ai":     {"OpenRouter", "sk-or-"},
}

// checkKey says what is wrong with a key before it is sent anywhere. No message holds any part of the key.
func checkKey(env, key, base string) error {
	wrong := func(format string, args ...any) error {
		return fmt.Errorf("%s: %s", env, fmt.Sprintf(format, args...))
	}
	trimmed := strings.TrimSpace(key)
	switch {
	case trimmed == "":
		return wrong("is blank")
	case strings.HasPrefix(trimmed, "export "):
		return wrong("begins with the word export: it holds a line of a shell, not the key")
	case strings.HasPrefix(strings.ToLower(trimmed), "bearer "):
		return wrong("begins with the word Bearer: only what follows is the key")
	case strings.HasPrefix(trimmed, env+"="):
		return wrong("begins with its own name: only what follows = is the key")
	case strings.ContainsAny(trimmed[:1]+trimmed[len(trimmed)-1:], "\"'`"):
		return wrong("has quotes around the key, which do not belong to it")
	case strings.ContainsAny(key, "\r\n"):
		return wrong("has a line break in it: set it again without one")
	case strings.ContainsAny(key, " \t"):
		return wrong("has a blank in it: set it again without one")
	}
	for _, c := range []byte(key) {
		if c <= ' ' || c >= 0x7f {
			return wrong("has a character in it that no key has")
		}
	}
	host := ""
	if u, err := url.Parse(base); err == nil {
		host = u.Hostname()
	}
	if is, ok := issuers[host]; ok {
		switch {
		case !strings.HasPrefix(key, is.prefix):
			return wrong("is no key of %s: those begin with %s", is.name, is.prefix)
		case len(key) < shortestKey:
			return wrong("is too short for a key of %s (%d characters; they have at least %d): was it cut?", is.name, len(key), shortestKey)
		}
	}
	return nil
}

// looksLikeKey says whether something that should be a name looks like a secret.
func looksLikeKey(s string) bool {
	if strings.HasPrefix(s, "sk-") || len(s) >= 40 {
		return true
	}
	return len(secret.New(nil).Find([]byte(s))) > 0
}

// veil takes the keys in use, and whatever else looks like a secret, out of what people are told.
type veil struct {
	redactor *secret.Redactor
	keys     []string
}

func newVeil(keys []string) *veil {
	v := &veil{redactor: secret.New(nil)}
	for _, k := range keys {
		if len(k) >= 6 { // what is shorter ("none", as local servers take) is no secret, and would tear words apart
			v.keys = append(v.keys, k)
		}
	}
	return v
}

// exact takes out the keys in use, and leaves all else as it is.
func (v *veil) exact(s string) string {
	for _, k := range v.keys {
		s = strings.ReplaceAll(s, k, "[REDACTED:key]")
	}
	return s
}

func (v *veil) message(s string) string { return v.redactor.RedactString(v.exact(s)) }
