package audit

import (
	"bytes"
	"encoding/base64"
	"net/url"

	"fettle/internal/pattern"
	"fettle/internal/policy/secret"
)

// secrets lists the secrets that the file did not hold before. The evidence never shows one.
func secrets(v *patchView, f *fileView) []Finding {
	if !f.text() || f.after == nil {
		return nil
	}
	r := secret.New(nil)
	had := make(map[string]bool)
	for _, s := range r.Find(f.before) {
		had[string(f.before[s.Start:s.End])] = true
	}
	var all []Finding
	for _, s := range r.Find(f.after) {
		if text := string(f.after[s.Start:s.End]); !had[text] {
			had[text] = true
			found := Finding{Line: 1 + bytes.Count(f.after[:s.Start], []byte("\n")), Effect: Refuse, Evidence: "the patch brings in a secret (" + s.Rule + "): keep it outside of the repository"}
			switch {
			case made(f.after, s) && (f.test && s.Rule == "basic" || opensNothing(f.after, s)):
				found.Effect, found.Evidence = Note, "the patch brings in a password for an example ("+s.Rule+")"
			case f.test: // a person's tests have keys of their own
				found.Effect = v.unless(Healer, Tidier)
			}
			all = append(all, found)
		}
	}
	return all
}

// made reports whether a password is made of words, as people write them down for an example.
func made(text []byte, s secret.Finding) bool {
	password := text[s.Start:s.End]
	switch s.Rule {
	case "basic":
		plain, err := base64.StdEncoding.DecodeString(string(password))
		_, behind, named := bytes.Cut(plain, []byte(":"))
		return err == nil && named && !secret.Drawn(behind)
	case "url-password", "netrc":
		if plain, err := url.PathUnescape(string(password)); err == nil {
			password = []byte(plain)
		}
		return !secret.Drawn(password)
	default:
		return false
	}
}

// opensNothing reports whether the host that a password is for can be no other machine, or is kept for examples (RFC 2606, RFC 6761).
func opensNothing(text []byte, s secret.Finding) bool {
	switch s.Rule {
	case "url-password":
		return exampleHosts.Match(text[s.End:min(len(text), s.End+maxHost)])
	case "netrc":
		before := text[max(0, s.Start-maxHost):s.Start]
		if at := bytes.LastIndex(before, []byte("machine ")); at >= 0 {
			return exampleHosts.Match(append([]byte("@"), before[at+len("machine "):]...))
		}
	}
	return false
}

const maxHost = 256

var exampleHosts = pattern.New(`(?i)^@((([\w-]+\.)*(example|test|invalid|localhost|local)|([\w-]+\.)*example\.(com|org|net|edu)|[\w-]+|127\.\d+\.\d+\.\d+|0\.0\.0\.0|\[::1?\]))([^\w.%-]|$)`)
