package secret

import (
	"bytes"
	"encoding/base64"
)

// pem finds private key blocks (RFC 7468, OpenPGP armor), with real line ends or with \n in a string. A block without an end,
// as in a log that was cut, ends where its base64 does.
func (s *scanner) pem(i int) {
	const begin = "-----BEGIN "
	if !s.has(i, begin) || i > 0 && s.text[i-1] == '-' {
		return
	}
	label := s.text[i+len(begin) : min(len(s.text), i+len(begin)+48)]
	n := bytes.Index(label, []byte("-----"))
	if n < 0 || !bytes.Contains(label[:n], []byte("PRIVATE KEY")) && !bytes.HasPrefix(label[:n], []byte("OpenVPN Static key")) {
		return
	}
	body := i + len(begin) + n + len("-----")
	block := s.text[body:min(len(s.text), body+maxPEM)]
	if n := bytes.Index(block, []byte("-----")); n >= 0 {
		block = block[:n]
	}
	stop := body + len(block)
	if s.has(stop, "-----END ") {
		if !s.drawnRun(body, stop) { // "-----BEGIN PRIVATE KEY-----...-----END" in a test or a parser holds nothing
			return
		}
		stop += len("-----END ")
		if n := bytes.Index(s.text[stop:min(len(s.text), stop+64)], []byte("-----")); n >= 0 {
			stop += n + len("-----")
		}
		s.add("pem", i, stop)
		return
	}
	if end := s.run(body, &armorChars, 0); end-body > 32 {
		s.add("pem", i, end)
	}
}

// maxPEM is how far the end of a block may be from its beginning: more than the largest keys need.
const maxPEM = 32 << 10

// drawnRun reports whether there is base64 in a range, and not only names.
func (s *scanner) drawnRun(from, to int) bool {
	for from < to {
		end := min(s.run(from, &base64Chars, 0), to)
		if end-from >= 16 && distinct(s.text[from:end]) >= 6 && random(s.text[from:end]) >= 0.25 {
			return true
		}
		from = end + 1
	}
	return false
}

var armorChars = classOf(digits + lower + upper + "+/=\\ \r\n\t")

// jwt finds JSON Web Tokens (RFC 7519): two JSON objects and a signature, in base64url, with dots between. A run of token
// characters is searched once.
func (s *scanner) jwt(i int) {
	if i < s.jwtUntil || !s.has(i, "eyJ") {
		return
	}
	s.jwtUntil = s.run(i, &dottedChars, 0)
	at := i
	parts := bytes.Split(s.text[i:s.jwtUntil], []byte("."))
	for k := 0; k+2 < len(parts); k++ {
		head, payload, signature := parts[k], parts[k+1], parts[k+2]
		from := bytes.Index(head, []byte("eyJ"))
		if from >= 0 && len(head)-from >= 10 && bytes.HasPrefix(payload, []byte("eyJ")) && len(payload) >= 10 && distinct(payload) >= 6 {
			s.add("jwt", at+from, at+len(head)+len(payload)+len(signature)+2)
			at += len(head) + len(payload) + 2
			k++
			continue
		}
		at += len(head) + 1
	}
}

// urlPassword finds the password in scheme://user:password@host (RFC 3986, section 3.2.1); i is at the first colon.
func (s *scanner) urlPassword(i int) {
	if !s.has(i, "://") {
		return
	}
	from := i + len("://")
	authority := s.text[from:min(len(s.text), from+2*window)]
	if n := bytes.IndexAny(authority, "/ \t\r\n\"'`<>|\\"); n >= 0 {
		authority = authority[:n]
	}
	at := bytes.LastIndexByte(authority, '@')
	colon := bytes.IndexByte(authority, ':')
	if at >= 0 && (colon < 0 || colon > at) {
		s.urlToken(from, from+at)
	}
	if at < 0 || colon < 0 || colon+1 >= at {
		return
	}
	if password := authority[colon+1 : at]; !isPlaceholder(password) {
		s.add("url-password", from+colon+1, from+at)
	}
}

// urlToken finds a token that stands alone before the host: https://TOKEN@github.com. Where the host counts errors it is a name that everybody may know.
func (s *scanner) urlToken(from, at int) {
	host := s.text[at+1 : s.run(at+1, &dottedChars, window)]
	if v := s.text[from:at]; len(v) >= 20 && s.run(from, &dottedChars, 0) == at && looksDrawn(v) && !isPlaceholder(v) && bytes.IndexByte(host, '.') > 0 && !bytes.Contains(host, []byte("sentry")) {
		s.add("url-password", from, at)
	}
}

// basic finds the credentials of an Authorization header (RFC 7617) wherever its scheme and they stand; i is at the space between.
func (s *scanner) basic(i int) {
	if !s.endsWith(i, "basic") {
		return
	}
	from := i + 1
	end := s.run(from, &base64Chars, 2*window)
	plain, err := base64.StdEncoding.DecodeString(string(s.text[from:end]))
	if user, password, ok := bytes.Cut(plain, []byte(":")); err == nil && ok && isPrintable(user) && len(password) > 0 && isPrintable(password) ||
		end-from >= 24 && isMixed(s.text[from:end]) && random(s.text[from:end]) >= 0.3 { // damaged, or without a user
		s.add("basic", from, end)
	}
}

// bearer finds the token of an Authorization header (RFC 6750) wherever its scheme and it stand; i is at the space between.
func (s *scanner) bearer(i int) {
	if !s.endsWith(i, "bearer") {
		return
	}
	end := s.run(i+1, &bearerChars, window)
	if v := s.text[i+1 : end]; len(v) >= 16 && hasDigit(v) && !isPlaceholder(v) && distinct(v) >= 8 {
		s.add("bearer", i+1, s.run(end, &bearerChars, 0))
	}
}

// spacedWords are the last letters of the words behind which a space says what follows: the schemes of Authorization headers, netrc's password, and PowerShell's SecureString.
var spacedWords = classOf("cCrRdgG")

// endsWith reports whether the text before i ends with a word, in whatever case.
func (s *scanner) endsWith(i int, word string) bool {
	return i >= len(word) && bytes.EqualFold(s.text[i-len(word):i], []byte(word))
}

// hexKey finds a private key of 32 bytes in hex; it looks like many a hash, so something before it must say what it is.
func (s *scanner) hexKey(i int) {
	if !s.has(i, "0x") || s.run(i+2, &hexChars, 65) != i+66 || distinct(s.text[i+2:i+66]) < 6 {
		return
	}
	before := lettersOf(s.text[max(0, i-48):i])
	for _, says := range []string{"fromkey", "privatekey", "privkey", "secretkey", "signingkey", "signerkey", "deployerkey", "walletkey", "newwallet", "etherswallet", "startbroadcast"} {
		if bytes.Contains(before, []byte(says)) {
			s.add("hex-key", i, i+66)
			return
		}
	}
}

// lettersOf are the letters of a text, in lower case: its words without what parts them.
func lettersOf(text []byte) []byte {
	var out []byte
	for _, c := range text {
		if isLetter(c) {
			out = append(out, c|0x20)
		}
	}
	return out
}

// hooks are the addresses that whoever knows them may post to, up to the part that only the owner knows.
var hooks = []struct{ rule, before string }{
	{"slack", "hooks.slack.com/services/"},
	{"slack", "hooks.slack.com/workflows/"},
	{"slack", "hooks.slack.com/triggers/"},
	{"teams", "webhook.office.com/webhookb2/"},
	{"discord", "discord.com/api/webhooks/"},
	{"discord", "discordapp.com/api/webhooks/"},
}

// webhook finds the secret part of such an address.
func (s *scanner) webhook(i int) {
	for _, h := range hooks {
		if !s.has(i, h.before) {
			continue
		}
		from := i + len(h.before)
		end := s.run(from, &hookChars, 2*window)
		if end-from >= 30 && hasDigit(s.text[from:end]) && !isPlaceholder(s.text[from:end]) {
			s.add(h.rule, from, end)
		}
		return
	}
}

var hookChars = classOf(digits + lower + upper + "+/=_-@")
