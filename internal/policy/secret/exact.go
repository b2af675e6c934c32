package secret

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
)

// exact is a value that is a secret wherever it stands.
type exact struct {
	rule  string
	value []byte
}

// minExact is the shortest value of a variable that is looked for everywhere: a shorter one is part of too many words.
const minExact = 8

// exactValues are the values of an environment's secret variables, and the forms in which they travel.
func exactValues(env []string) []exact {
	var out []exact
	seen := map[string]bool{}
	for _, kv := range env {
		name, value, _ := strings.Cut(kv, "=")
		if secretName(name) == notSecret || len(value) < minExact || isPlaceholder([]byte(value)) || filepath.IsAbs(value) {
			continue
		}
		for _, form := range forms(value) {
			if !seen[form] {
				seen[form] = true
				out = append(out, exact{"env", []byte(form)})
			}
		}
	}
	return out
}

// forms are a value as it is, in base64, in a URL, and in a JSON string.
func forms(value string) []string {
	quoted, err := json.Marshal(value)
	all := append(encodings(value), value, url.QueryEscape(value), url.PathEscape(value))
	if err == nil {
		all = append(all, string(quoted[1:len(quoted)-1]))
	}
	return all
}

func encodings(value string) []string {
	return []string{
		base64.RawStdEncoding.EncodeToString([]byte(value)), base64.RawURLEncoding.EncodeToString([]byte(value)),
	}
}

// findExact finds values wherever they stand. Padding that follows base64 belongs to it.
func (s *scanner) findExact(values []exact) {
	for _, v := range values {
		for at := 0; ; {
			n := bytes.Index(s.text[at:], v.value)
			if n < 0 {
				break
			}
			start := at + n
			at = start + len(v.value)
			for at < len(s.text) && s.text[at] == '=' && at < start+len(v.value)+2 {
				at++
			}
			s.add(v.rule, start, at)
		}
	}
}

// maxEncoded bounds for how many of the found secrets their base64 is looked for too.
const maxEncoded = 32

// findEncoded finds the secrets of this text once more where they stand in base64.
func (s *scanner) findEncoded() {
	var values []exact
	for _, f := range s.found {
		if v := s.text[f.Start:f.End]; len(v) >= minExact && len(v) <= window && len(values) < 2*maxEncoded {
			for _, form := range encodings(string(v)) {
				if !slices.ContainsFunc(values, func(e exact) bool { return string(e.value) == form }) {
					values = append(values, exact{"base64", []byte(form)})
				}
			}
		}
	}
	s.findExact(values)
}
