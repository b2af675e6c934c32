package secret

import "bytes"

// list finds the secrets in a list behind the name of several of them: unseal_keys: ["…", "…"], or one below the other, as YAML has them; i is at the sign behind the name. A wallet's accounts are
// listed by their private keys.
func (s *scanner) list(i int, name []byte) {
	if len(name) < 4 || bytes.IndexByte([]byte("sSxX4"), name[len(name)-1]) < 0 {
		return
	}
	from := s.skipSpaces(i + 1)
	if from >= len(s.text) || s.text[from] != '[' && s.text[from] != '\n' {
		return
	}
	accounts := bytes.EqualFold(name, []byte("accounts"))
	if !accounts && !namesMany(name) {
		return
	}
	if s.text[from] == '\n' {
		s.lines(from, accounts)
		return
	}
	for at, limit := from+1, min(len(s.text), from+maxList); at < limit && s.text[at] != ']'; {
		if !isQuote(s.text[at]) {
			at++
			continue
		}
		n := bytes.IndexByte(s.text[at+1:limit], s.text[at])
		if n < 0 {
			return
		}
		s.item(at+1, at+1+n, accounts)
		at += n + 2
	}
}

// maxList bounds how far a list is read.
const maxList = 4 << 10

// lines finds the secrets of a list whose items stand behind hyphens, each in a line, of which the first begins at from.
func (s *scanner) lines(from int, accounts bool) {
	for limit := min(len(s.text), from+maxList); from < limit && s.text[from] == '\n'; {
		at := s.run(from+1, &blanks, longestSeam)
		if !s.has(at, "- ") {
			return
		}
		at = s.skipSpaces(at + 1)
		at += len(s.quoteAt(at))
		end := s.run(at, &valueChars, window)
		s.item(at, end, accounts)
		if n := bytes.IndexByte(s.text[end:limit], '\n'); n >= 0 {
			from = end + n
			continue
		}
		return
	}
}

// item judges one of a list: of accounts only a private key is a secret.
func (s *scanner) item(from, end int, accounts bool) {
	v := bytes.TrimRight(s.text[from:end], `\`)
	hex := bytes.TrimPrefix(v, []byte("0x"))
	switch isKey := len(hex) == 64 && isLongHex(hex); {
	case isKey && distinct(hex) >= 6, !accounts && len(v) >= 20 && looksSecret(v, token) && random(v) >= 0.3:
		s.add("listed", from, from+len(v))
	}
}

// namesMany reports the name of several secrets, perhaps with how they are written down: api_keys, unseal_keys_b64.
func namesMany(name []byte) bool {
	var buf [16]byte
	if last, before := lastWord(name, &buf); among(" b64 base64 hex ", last) {
		name = before
	}
	last, _ := lastWord(name, &buf)
	return among(" keys tokens secrets passwords passphrases ", last) && secretName(bytes.TrimRight(name, "sS_")) != notSecret
}
