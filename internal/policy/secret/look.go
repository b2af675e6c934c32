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
		likely = len(v) >= 6 && v[0] != '/' && kinds(v) >= 2 && distinct(v) >= 5 && (hasDigit(v) || kinds(v) >= 3 && len(v) >= 8)
	case token:
		likely = looksDrawn(v)
	}
	return likely && (!fillsIn(v) || hasSigns(v)) && !bytes.Contains(v, []byte(`\n`)) && !isName(v) && !isPlaceholder(v)
}

// looksDrawn reports whether a value can be one that a machine has made: long, without a pattern, and no name that a person would give.
func looksDrawn(v []byte) bool {
	switch {
	case len(v) < 12 || distinct(v) < 5:
		return false
	case !hasLetter(v): // a number, as some issuers count
		return len(v) >= 15 && isWord(v[0])
	case !hasDigit(v):
		return len(v) >= 20 && random(v) >= 0.4
	}
	return distinct(v) >= 7 && entropy(v) >= 2.8 && !looksNamed(v)
}

// fillsIn reports whether a value is an expression, or something in it is filled in later: ${NAME}, {{ name }}, <name>, f(x).
func fillsIn(v []byte) bool {
	if bytes.ContainsAny(v, "()[]{}<>") {
		return true
	}
	n := bytes.IndexByte(v, '$')
	return n >= 0 && n+1 < len(v) && (isLetter(v[n+1]) || v[n+1] == '_')
}

// hasSigns reports a value that is drawn from letters, digits and all the signs of a keyboard, as WordPress and Django draw theirs: what looks like a part that is filled in is none. An expression
// over characters has names of classes.
func hasSigns(v []byte) bool {
	if len(v) < 32 || len(v) > window || random(v) < 0.25 || distinct(v) < 20 || !isPrintable(v) || bytes.Contains(v, []byte(markStart)) {
		return false
	}
	for _, name := range []string{"a-z", "A-Z", "0-9", "(?", `\w`, `\d`, `\s`, `\b`, ".*", "://", "${", "{{"} {
		if bytes.Contains(v, []byte(name)) {
			return false
		}
	}
	signs := 0
	var seen class
	for _, c := range v {
		if !alnumChars[c] && !seen[c] {
			seen[c] = true
			signs++
		}
	}
	return signs >= 6
}

// isName reports whether a value is itself the name of a secret, perhaps with a number: testRSA2048PrivateKey, apiKey2.
func isName(v []byte) bool {
	name := bytes.TrimLeft(v, "&*!")
	for _, c := range name {
		if !dottedChars[c] {
			return false
		}
	}
	return secretName(name) != notSecret && random(name) < 0.3
}

// looksNamed reports whether a value reads like an identifier or a path of them: tok2, cfg.token_v2, old-password-1.
func looksNamed(v []byte) bool {
	digits := 0
	for _, c := range v {
		switch {
		case isDigit(c):
			digits++
		case !isWord(c) && c != '.' && c != '-' && c != ':':
			return false
		}
	}
	return len(v) < 12 || random(v) < 0.25 && digits*4 < len(v)
}

// isPlaceholder reports whether a value only stands for a secret.
func isPlaceholder(v []byte) bool {
	if len(v) == 0 || v[0] == '$' || v[0] == '<' || v[0] == '{' || v[0] == '%' || distinct(v) <= 2 || isSequence(v) {
		return true
	}
	l := bytes.ToLower(v)
	for _, word := range []string{
		"xxxx", "****", "####", "....", "tokenhere", "keyhere", "stringhere", "example", "placeholder", "changeme", "change-me", "change_me", "dummy", "redacted", "your-", "your_", "insert",
	} {
		if bytes.Contains(l, []byte(word)) {
			return true
		}
	}
	switch string(l) {
	case "password", "passwd", "secret", "token", "pass", "pwd", "test", "asdf", "qwerty", "public", "private", "none", "null", "nil", "true", "false", "undefined", "string", "postgres", "root", "admin", "user":
		return true
	}
	return false
}

// isSequence reports whether a value is made of the alphabet or the digits in their order.
func isSequence(v []byte) bool {
	run, most := 1, 1
	for i := 1; i < len(v); i++ {
		if v[i] == v[i-1]+1 || v[i] == '0' && v[i-1] == '9' {
			run++
		} else {
			run = 1
		}
		most = max(most, run)
	}
	return most >= 16
}

// isTyped reports whether half of a value are letters that stand four times and more behind one another: a person has leant on the keys.
func isTyped(v []byte) bool {
	held := 0
	for i := 0; i < len(v); {
		from := i
		for i < len(v) && v[i] == v[from] {
			i++
		}
		if i-from >= 4 {
			held += i - from
		}
	}
	return held*2 >= len(v)
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
