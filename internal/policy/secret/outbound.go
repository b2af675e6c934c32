package secret

import (
	"bytes"
	"path/filepath"
	"sync"
)

// Outbound is what texts go through before they leave the machine. More is taken out of them than of what stays here: literals behind secret names that are words, and where things lie on this machine.
// The zero value knows nothing of the environment, and of no folder.
type Outbound struct {
	redactor *Redactor
	roots    []string
	name     string
}

// Outbound is for texts about what lies in one of these folders, which are absolute.
func (r *Redactor) Outbound(roots ...string) Outbound {
	o := Outbound{redactor: r}
	for _, root := range roots {
		if root = filepath.Clean(root); filepath.IsAbs(root) && filepath.Dir(root) != root {
			o.roots = append(o.roots, root)
		}
	}
	return o
}

// Naming has paths keep a word for their folder instead of becoming relative, for texts that speak of other folders too.
func (o Outbound) Naming(name string) Outbound {
	o.name = name
	return o
}

// Text is a text that nobody has to put back: without secrets, with names from the root for what lies in it, and with ~ for home folders, which tell who works here.
func (o Outbound) Text(s string) string {
	text := []byte(o.Source(s))
	for _, root := range o.roots {
		text = replacePaths(text, root, nothingMore, o.fromRoot)
	}
	return string(o.known().stripHome(text))
}

// Source is a text that has to stay what it is, but for its secrets.
func (o Outbound) Source(s string) string { return string(o.known().redact([]byte(s), o.Find)) }

// Find lists what must not leave the machine of a text that has to stay what it is.
func (o Outbound) Find(text []byte) []Finding {
	plain, at := withoutEscapes(text)
	s := scanner{text: plain}
	s.chosen()
	found := o.known().Find(text)
	for _, f := range s.found {
		found = append(found, Finding{f.Rule, at(f.Start), at(f.End-1) + 1})
	}
	return merge(found)
}

// Mark is [Redactor.Mark].
func (o Outbound) Mark(text []byte, f Finding) string { return o.known().Mark(text, f) }

// bare stands in for a redactor where there is none.
var bare = sync.OnceValue(func() *Redactor { return New(nil) })

func (o Outbound) known() *Redactor {
	if o.redactor == nil {
		return bare()
	}
	return o.redactor
}

// fromRoot is what stands for a root, and how much of what follows it is left out.
func (o Outbound) fromRoot(rest []byte) (by string, gone int) {
	switch {
	case o.name != "":
		return o.name, 0
	case len(rest) > 1 && rest[0] == '/' && (dottedChars[rest[1]] || rest[1] >= 0x80):
		return "", 1
	}
	return ".", 0
}

// The shortest literals that count as chosen: behind a name that says what it is, and behind a token's. That is also what programs call the words that they read: kinds of these have
// dots in their names, and are compared with.
const (
	leastChosen = 8
	leastToken  = 12
)

// chosen finds literals behind secret names that could be passphrases. They look like any other word, so that this is no rule for texts that stay here.
func (s *scanner) chosen() {
	for i, c := range s.text {
		switch c {
		case '=', ':':
			if s.has(i+1, ":") || c == ':' && (s.has(i+1, "=") || i > 0 && s.text[i-1] == ':') {
				continue // the last sign of several has the value after it, and two colons assign nothing
			}
			name, _ := s.nameBefore(i)
			from, compares := afterSign(s, i)
			s.literal(name, s.skipSpaces(from), compares)
		case ',':
			if i > 0 && isQuote(s.text[i-1]) {
				name, _ := s.nameBefore(i)
				if open := i - len(name) - 3; open >= 0 && s.text[open] == '(' {
					s.literal(name, s.skipSpaces(i+1), false)
				}
			}
		case '>':
			name, spaced := s.nameBefore(i)
			if end := s.run(i+1, &valueChars, window); !spaced && len(name) > 0 && i > len(name) && s.text[i-len(name)-1] == '<' && s.has(end, "</") {
				s.judge(name, i+1, end, false)
			}
		}
	}
}

// afterSign is where what an = or : assigns, or what == and === compare with, may begin.
func afterSign(s *scanner, i int) (from int, compares bool) {
	from = i + 1
	if s.has(i, "=>") {
		return from + 1, false
	}
	for s.has(from, "=") && from < i+3 {
		from, compares = from+1, true
	}
	return from, compares
}

// literal judges what stands in quotes at from; and without, if it is a line of a file of variables: NAME=value.
func (s *scanner) literal(name []byte, from int, compares bool) {
	quote := s.quoteAt(from)
	from += len(quote)
	if quote == "" {
		end := s.run(from, &valueChars, window)
		if start := from - 1 - len(name); start >= 0 && isVariable(name) && s.beginsLine(start) && (end == len(s.text) || s.text[end] == '\n' || s.text[end] == '\r') {
			s.judge(name, from, end, false)
		}
		return
	}
	if n := bytes.Index(s.text[from:min(len(s.text), from+window)], []byte(quote)); n >= 0 {
		s.judge(name, from, from+n, compares)
	}
}

// isVariable reports a name as variables of the environment have it.
func isVariable(name []byte) bool {
	return len(name) > 0 && len(bytes.Trim(name, upper+digits+"_")) == 0
}

// beginsLine reports whether a line begins at i, but for an export.
func (s *scanner) beginsLine(i int) bool {
	line := s.text[bytes.LastIndexByte(s.text[:i], '\n')+1 : i]
	return len(line) == 0 || string(line) == "export "
}

// judge adds a value behind a name, if it may be a secret that somebody has chosen.
func (s *scanner) judge(name []byte, from, end int, compares bool) {
	v, least := s.text[from:end], leastChosen
	kind := secretName(name)
	var buf [16]byte
	last, before := lastWord(bytes.TrimRight(name, digits), &buf)
	if among(ofForms, last) {
		last, _ = lastWord(before, &buf)
	}
	switch string(last) {
	case "auth", "authorization", "pat", "credential", "credentials", "cred", "creds": // modes and settings, more often than not
		return
	case "token":
		least = leastToken
		if compares || len(v) > 0 && !isWord(v[0]) || bytes.IndexByte(v, '.') >= 0 {
			return
		}
	}
	if kind == notSecret || len(v) < least || v[0] == '/' || bytes.ContainsAny(v, " \t\r\n\\|") || bytes.Contains(v, []byte("://")) || !hasLetter(v) {
		return
	}
	if !fillsIn(v) && !isName(v) && !isPlaceholder(v) && !tells(v) {
		s.add("assigned", from, end)
	}
}

// tells reports whether a value says something about a secret instead of being one.
func tells(v []byte) bool {
	l := bytes.ToLower(v)
	for _, word := range []string{"required", "optional", "confirmed", "invalid", "incorrect", "disabled", "enabled", "missing", "undefined", "sensitive"} {
		if bytes.Contains(l, []byte(word)) {
			return true
		}
	}
	return false
}
