package secret

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"

	"fettle/internal/percent"
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
		if secretName([]byte(name)) == notSecret || len(value) < minExact || isPlaceholder([]byte(value)) || filepath.IsAbs(value) {
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
	all := append(encodings(value), value, percent.Query(value), percent.Path(value))
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

// pairs is a set of two bytes.
type pairs [1 << 16 / 64]uint64

func (p *pairs) add(text string) {
	two := uint16(text[0])<<8 | uint16(text[1])
	p[two/64] |= 1 << (two % 64)
}

func (p *pairs) has(a, b byte) bool {
	two := uint16(a)<<8 | uint16(b)
	return p[two/64]&(1<<(two%64)) != 0
}

// lookup finds many values in one pass over a text.
type lookup struct {
	first  pairs // what they begin with
	values []exact
}

func newLookup(values []exact) *lookup {
	if len(values) == 0 {
		return nil
	}
	l := &lookup{values: values}
	for _, v := range values {
		l.first.add(string(v.value))
	}
	return l
}

// at is the value that begins a text; nil if none does.
func (l *lookup) at(text []byte) *exact {
	for i := range l.values {
		if bytes.HasPrefix(text, l.values[i].value) {
			return &l.values[i]
		}
	}
	return nil
}

// findExact finds values wherever they stand. Padding that follows base64 belongs to it.
func (s *scanner) findExact(l *lookup) {
	if l == nil {
		return
	}
	text := s.text
	for i := 0; i+1 < len(text); i++ {
		if !l.first.has(text[i], text[i+1]) {
			continue
		}
		v := l.at(text[i:])
		if v == nil {
			continue
		}
		end := i + len(v.value)
		most := end + 2
		for end < len(s.text) && s.text[end] == '=' && end < most {
			end++
		}
		s.add(v.rule, i, end)
		i = end - 1
	}
}

// maxEncoded bounds how many of the found secrets are looked for again.
const maxEncoded = 32

// findAgain finds the secrets of this text once more, where they stand in longer words and in base64.
func (s *scanner) findAgain() {
	var values []exact
	for _, f := range s.found {
		if v := s.text[f.Start:f.End]; len(v) >= minExact && len(v) <= window && len(values) < 3*maxEncoded {
			values = append(values, exact{f.Rule, v})
			for _, form := range encodings(string(v)) {
				if !slices.ContainsFunc(values, func(e exact) bool { return string(e.value) == form }) {
					values = append(values, exact{"base64", []byte(form)})
				}
			}
		}
	}
	s.findExact(newLookup(values))
}
