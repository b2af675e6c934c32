package secret

import (
	"bytes"
	"slices"
	"strings"
)

// assignment finds the value of NAME=value, name: "value", "name": "value" and the like, where the name says that it is a
// secret; i is at the sign. A value in quotes is a literal; without quotes it may as well be an expression of a program, and
// has to look like nothing a person would call a variable.
func (s *scanner) assignment(i int) {
	name, spaced := s.nameBefore(i)
	kind := secretName(name)
	if kind == notSecret {
		return
	}
	from := i + 1
	if s.has(i, ":=") || s.has(i, "==") || s.has(i, "=>") {
		from++
	}
	for from < len(s.text) && s.text[from] == ' ' && from < i+8 {
		from++
		spaced = true
	}
	s.value(from, kind, spaced)
}

// flag finds the value of --password VALUE, and of -p after the programs that take a password there; i is at the space.
func (s *scanner) flag(i int) {
	if s.text[max(0, i-1)] == ' ' {
		return
	}
	word := s.text[max(0, i-48):i]
	if n := bytes.LastIndexAny(word, " \t\r\n"); n >= 0 {
		word = word[n+1:]
	}
	switch {
	case bytes.HasPrefix(word, []byte("--")) && secretName(string(word[2:])) != notSecret:
		s.value(i+1, secretName(string(word[2:])), false)
	case string(word) == "-p":
		if before := s.text[max(0, i-64):i]; bytes.Contains(before, []byte("sshpass ")) || bytes.Contains(before, []byte("login ")) {
			s.value(i+1, password, false)
		}
	}
}

// value judges what stands at from as the value of a secret name.
func (s *scanner) value(from int, kind kind, spaced bool) {
	quote := ""
	for _, q := range []string{`\"`, `"""`, `'''`, `"`, `'`, "`"} {
		if s.has(from, q) {
			quote = q
			break
		}
	}
	from += len(quote)
	if quote == "" {
		end := s.run(from, valueChars, window)
		v := bytes.TrimRight(s.text[from:end], ".,:;")
		if end < len(s.text) && bytes.IndexByte([]byte("([{<$"), s.text[end]) >= 0 || !looksSecret(v, kind) || spaced && looksNamed(v) || bytes.Contains(v, []byte("://")) {
			return
		}
		if end-from == window {
			s.add("assigned", from, s.run(end, valueChars, 0))
			return
		}
		s.add("assigned", from, from+len(v))
		return
	}
	rest := s.text[from:min(len(s.text), from+2*window)]
	n := bytes.Index(rest, []byte(quote))
	if n < 0 || bytes.ContainsAny(rest[:n], " \t\r\n") || bytes.Contains(rest[:n], []byte("://")) {
		return
	}
	if looksSecret(rest[:n], kind) {
		s.add("assigned", from, from+n)
	}
}

// nameBefore is the name that stands before a sign, without quotes; and whether there is a space between.
func (s *scanner) nameBefore(i int) (name string, spaced bool) {
	end := i
	if end > 0 && (s.text[end-1] == ':' || s.text[end-1] == '=') {
		return "", false
	}
	for end > 0 && s.text[end-1] == ' ' && end > i-16 {
		end--
		spaced = true
	}
	for end > 0 && (s.text[end-1] == '"' || s.text[end-1] == '\'' || s.text[end-1] == ']' || s.text[end-1] == '\\') && end > i-20 {
		end--
	}
	start := end
	for start > 0 && tokenChars[s.text[start-1]] && end-start < 64 {
		start--
	}
	return string(s.text[start:end]), spaced
}

// kind is how much a name says about its value.
type kind int

const (
	notSecret kind = iota
	password       // chosen by a person: short ones count too
	token          // made by a machine: long and random
)

// secretName judges a name by its last words: api_key, dbPassword and X-Auth-Token hold secrets; token_url, tokenizer and
// password_reset do not.
func secretName(name string) kind {
	words := nameWords(name)
	if len(words) == 0 {
		return notSecret
	}
	last := words[len(words)-1]
	switch last {
	case "password", "passwd", "passphrase", "pwd", "pw":
		return password
	case "pass": // by itself it is what tests do
		if len(words) > 1 {
			return password
		}
	case "secret", "secrets", "token", "apikey", "credential", "credentials", "secretkey", "accesskey", "privatekey", "authtoken", "pat":
		return token
	case "key":
		if len(words) > 1 && slices.Contains([]string{"api", "access", "secret", "private", "auth", "signing", "encryption", "account", "master", "license", "deploy"}, words[len(words)-2]) {
			return token
		}
	}
	return notSecret
}

// nameWords splits a name at _ and -, and where the case changes, into words in lower case.
func nameWords(name string) []string {
	var words []string
	for part := range strings.FieldsFuncSeq(name, func(c rune) bool { return c == '_' || c == '-' || c == '.' }) {
		start := 0
		for i := 1; i < len(part); i++ {
			before, here := isUpper(part[i-1]), isUpper(part[i])
			next := i+1 < len(part) && !isUpper(part[i+1])
			if here && (!before || next) {
				words = append(words, strings.ToLower(part[start:i]))
				start = i
			}
		}
		words = append(words, strings.ToLower(part[start:]))
	}
	return words
}

func isUpper(c byte) bool { return c >= 'A' && c <= 'Z' }
