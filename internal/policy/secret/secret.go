// Package secret answers "what must never leave this machine?". It finds keys, tokens, passwords and private keys in texts of
// any kind (logs, reports, prompts, code, tool output), and puts marks in their place.
//
// The rules are structural: they look for what issuers put into their tokens to make them recognisable, for the places
// where a format keeps its password (URLs, headers, private key blocks), for assignments to names that say what they hold,
// and for the very values of the environment's secret variables. A text without secrets comes back byte for byte. Work
// grows linearly with the text.
package secret

import (
	"bytes"
	"cmp"
	"encoding/hex"
	"sort"

	"golang.org/x/crypto/blake2s"

	"fettle/internal/fresh"
)

// Finding is where a secret stands in a text.
type Finding struct {
	Rule       string // which kind: "github", "pem", "url-password", "env" …
	Start, End int    // bytes; End is not included
}

// Redactor finds and replaces secrets. It is safe for concurrent use.
type Redactor struct {
	key   [32]byte
	exact *lookup
	home  string
}

// New makes a redactor with a key of its own. Of env (as from os.Environ) it takes the values of variables with secret
// names, which are then found wherever they stand, and HOME.
func New(env []string) *Redactor {
	return &Redactor{key: fresh.Key(), exact: newLookup(exactValues(env)), home: homeOf(env)}
}

// Keyed is New with a key that outlives the process: the same secret has the same mark wherever that key is used.
func Keyed(env []string, key []byte) *Redactor {
	return &Redactor{key: blake2s.Sum256(key), exact: newLookup(exactValues(env)), home: homeOf(env)}
}

// Find lists the secrets in a text, in order; they do not overlap.
func (r *Redactor) Find(text []byte) []Finding {
	plain, at := withoutEscapes(text)
	s := scanner{text: plain, dash: -1}
	s.scan()
	s.kubernetes()
	s.joined()
	s.findExact(r.exact)
	s.findAgain()
	found := merge(s.found)
	for i := range found {
		found[i].Start, found[i].End = at(found[i].Start), at(found[i].End-1)+1
	}
	return found
}

// Redact replaces every secret by a mark: [REDACTED:rule:h8], where h8 are the first 8 hex digits of a keyed hash of the
// secret: the same secret has the same mark as long as the redactor lives, and the mark tells nothing about it.
// Redacting what is redacted changes nothing. Without secrets the result is text itself.
func (r *Redactor) Redact(text []byte) []byte { return r.redact(text, r.Find) }

func (r *Redactor) redact(text []byte, find func([]byte) []Finding) []byte {
	for range 4 { // what stands between two marks could look like something new; one round nearly always suffices
		found := find(text)
		if len(found) == 0 {
			break
		}
		text = r.replace(text, found)
	}
	return text
}

// RedactString is Redact for strings.
func (r *Redactor) RedactString(s string) string { return string(r.Redact([]byte(s))) }

func (r *Redactor) replace(text []byte, found []Finding) []byte {
	var out bytes.Buffer
	end := 0
	for _, f := range found {
		out.Write(text[end:f.Start])
		out.WriteString(r.mark(f.Rule, text[f.Start:f.End]))
		end = f.End
	}
	out.Write(text[end:])
	return out.Bytes()
}

// Mark is what stands in the place of a secret that was found in the text, for those who have to put it back.
func (r *Redactor) Mark(text []byte, f Finding) string { return r.mark(f.Rule, text[f.Start:f.End]) }

func (r *Redactor) mark(rule string, secret []byte) string {
	plain, _ := withoutEscapes(secret)
	h, _ := blake2s.New256(r.key[:]) // a key of that size is none that it refuses
	h.Write(plain)
	return markStart + rule + ":" + hex.EncodeToString(h.Sum(nil)[:4]) + "]"
}

const markStart = "[REDACTED:"

// places sorts findings by where they stand, and of those that begin together the longest comes first. It is no function for slices.SortFunc, which the compiler would make for
// findings once more: the guard's hook is small.
type places []Finding

func (p places) Len() int      { return len(p) }
func (p places) Swap(i, j int) { p[i], p[j] = p[j], p[i] }
func (p places) Less(i, j int) bool {
	a, b := p[i], p[j]
	return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(b.End, a.End), cmp.Compare(a.Rule, b.Rule)) < 0
}

// merge sorts findings and unites those that overlap, under the rule of the widest.
func merge(found []Finding) []Finding {
	sort.Sort(places(found))
	var out []Finding
	for _, f := range found {
		if n := len(out); n > 0 && f.Start < out[n-1].End {
			last := &out[n-1]
			if f.End-f.Start > last.End-last.Start {
				last.Rule = f.Rule
			}
			last.End = max(last.End, f.End)
			continue
		}
		out = append(out, f)
	}
	return out
}
