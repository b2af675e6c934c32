package model

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"fettle/internal/phrase"
	"fettle/internal/policy/secret"
)

// shortestKey is how long the keys of the issuers that are known are at least.
const shortestKey = 20

// issuer is who gives out keys, and what is known of their looks.
type issuer struct {
	name  string
	forms []keyForm
	more  bool // it has begun to give out others, too: all but what others are known to give out may be its own
}

// keyForm is how keys begin, and how long they are; zero: at least shortestKey.
type keyForm struct {
	prefix string
	length int
}

// issuers are the hosts whose keys are known by their looks. Other servers take whatever they like.
var issuers = map[string]issuer{
	"api.anthropic.com":                 {name: "Anthropic", forms: []keyForm{{prefix: "sk-ant-"}}},
	"api.openai.com":                    {name: "OpenAI", forms: []keyForm{{prefix: "sk-"}}},
	"openrouter.ai":                     {name: "OpenRouter", forms: []keyForm{{prefix: "sk-or-"}}},
	"generativelanguage.googleapis.com": {name: "Google", forms: []keyForm{{prefix: "AIza", length: 39}, {prefix: "AQ."}}, more: true},
}

// foreign is how what is no key of Google's begins: other issuers' keys, and the tokens of a login.
var foreign = []string{"sk-", "ya29.", "eyJ"}

// wrong says why a key cannot be one of this issuer's; empty: it may be.
func (is issuer) wrong(key string) string {
	begins := func(prefix string) bool { return strings.HasPrefix(key, prefix) }
	at := slices.IndexFunc(is.forms, func(f keyForm) bool { return begins(f.prefix) })
	switch {
	case at < 0 && (!is.more || slices.ContainsFunc(foreign, begins)):
		var known []string
		for _, f := range is.forms {
			known = append(known, f.prefix)
		}
		return fmt.Sprintf("is no key of %s: those begin with %s", is.name, phrase.Or(known))
	case len(key) < shortestKey:
		return fmt.Sprintf("is too short for a key of %s (%d characters; they have at least %d): was it cut?", is.name, len(key), shortestKey)
	case at >= 0 && is.forms[at].length > 0 && len(key) != is.forms[at].length:
		return fmt.Sprintf("is no whole key of %s: those that begin with %s have %d characters, and it has %d", is.name, is.forms[at].prefix, is.forms[at].length, len(key))
	}
	return ""
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
	if is, known := issuers[host]; known {
		if why := is.wrong(key); why != "" {
			return wrong("%s", why)
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
