package secret

import (
	"bytes"
	"math"
)

// looksSecret judges a value by itself.
func looksSecret(v []byte, k kind) bool {
	likely := false
	switch k {
	case notSecret:
	case password:
		likely = len(v) >= 6 && kinds(v) >= 2 && distinct(v) >= 5 && (hasDigit(v) || kinds(v) >= 3 && len(v) >= 8)
	case token:
		likely = len(v) >= 12 && hasDigit(v) && hasLetter(v) && distinct(v) >= 7 && entropy(v) >= 2.8 && (isMixed(v) || !looksNamed(v))
	}
	return likely && !bytes.ContainsAny(v, "()[]{}<>$") && !bytes.Contains(v, []byte(`\n`)) && !isName(v) && !isPlaceholder(v)
}

// isName reports whether a value is itself the name of a secret, perhaps with a number: testRSA2048PrivateKey, apiKey2.
func isName(v []byte) bool {
	name := bytes.TrimRight(bytes.TrimLeft(v, "&*"), digits)
	for _, c := range name {
		if !dottedChars[c] {
			return false
		}
	}
	return secretName(string(name)) != notSecret
}

// looksNamed reports whether a value reads like an identifier or a path of them: tok2, cfg.token_v2, old-password-1.
func looksNamed(v []byte) bool {
	digits := 0
	for _, c := range v {
		switch {
		case !isWord(c) && c != '.' && c != '-':
			return false
		case c >= '0' && c <= '9':
			digits++
		}
	}
	return digits*6 < len(v) || len(v) < 12
}

// isPlaceholder reports whether a value only stands for a secret.
func isPlaceholder(v []byte) bool {
	if len(v) == 0 || v[0] == '$' || v[0] == '<' || v[0] == '{' || v[0] == '%' || distinct(v) <= 2 {
		return true
	}
	l := bytes.ToLower(v)
	for _, word := range []string{
		"xxxx", "****", "....", "example", "placeholder", "changeme", "change-me", "change_me", "dummy", "redacted", "your-", "your_", "insert",
	} {
		if bytes.Contains(l, []byte(word)) {
			return true
		}
	}
	switch string(l) {
	case "password", "passwd", "secret", "token", "pass", "pwd", "test", "none", "null", "nil", "true", "false", "undefined", "string", "postgres", "root", "admin", "user":
		return true
	}
	return false
}

// kinds counts which of digits, lower case, upper case and other characters a value holds.
func kinds(v []byte) int {
	var d, l, u, o int
	for _, c := range v {
		switch {
		case c >= '0' && c <= '9':
			d = 1
		case c >= 'a' && c <= 'z':
			l = 1
		case c >= 'A' && c <= 'Z':
			u = 1
		default:
			o = 1
		}
	}
	return d + l + u + o
}

func hasDigit(v []byte) bool  { return bytes.ContainsAny(v, digits) }
func hasLetter(v []byte) bool { return bytes.ContainsAny(v, lower+upper) }

// isMixed reports whether a value holds digits, lower and upper case letters.
func isMixed(v []byte) bool {
	return hasDigit(v) && bytes.ContainsAny(v, lower) && bytes.ContainsAny(v, upper)
}

// isLongHex reports whether a value is at least 32 hex digits that are not all letters.
func isLongHex(v []byte) bool {
	for _, c := range v {
		if !isHex(c) {
			return false
		}
	}
	return len(v) >= 32 && hasDigit(v)
}

func isPrintable(v []byte) bool {
	for _, c := range v {
		if c < ' ' || c > '~' {
			return false
		}
	}
	return true
}

// distinct counts the different bytes of a value.
func distinct(v []byte) int {
	var seen class
	n := 0
	for _, c := range v {
		if !seen[c] {
			seen[c] = true
			n++
		}
	}
	return n
}

// entropy is Shannon's, in bits for each byte.
func entropy(v []byte) float64 {
	var count [256]int
	for _, c := range v {
		count[c]++
	}
	e := 0.0
	for _, n := range count {
		if n > 0 {
			p := float64(n) / float64(len(v))
			e -= p * math.Log2(p)
		}
	}
	return e
}
