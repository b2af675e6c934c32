package secret

import "strings"

// kind is how much a name says about its value.
type kind int

const (
	notSecret kind = iota
	password       // chosen by a person: short ones count too
	token          // made by a machine: long and random
)

// secretName judges a name by its last words: api_key, dbPassword, token2 and X-Auth-Token hold secrets; token_url, tokenizer,
// password_reset, publicKey and next_page_token do not. It is asked about every name that a value follows, and allocates nothing.
func secretName(name []byte) kind {
	for len(name) > 0 && isDigit(name[len(name)-1]) {
		name = name[:len(name)-1]
	}
	if !endsAsNames(name) {
		return notSecret
	}
	var buf [2][16]byte
	last, rest := lastWord(name, &buf[0])
	if len(rest) > 0 && among(ofForms, last) {
		last, rest = lastWord(rest, &buf[0])
	}
	before, rest := lastWord(rest, &buf[1])
	kind := notSecret
	switch string(last) {
	case "pass": // by itself it is what tests do
		switch {
		case len(before) > 0:
			kind = password
		case string(name) == "pass": // PASS: TestName
			kind = token
		}
	case "pw", "psk":
		kind = password
	case "secret", "token", "credential", "cred", "auth", "pat", "authorization":
		kind = token
	case "secrets", "credentials", "creds":
		if !among(ofHandling, before) {
			kind = token
		}
	case "key":
		if among(ofKeys, before) {
			kind = token
		}
	default:
		kind = compound(last)
	}
	if string(before) == "key" && string(last) == "token" { // publicKeyToken
		before, _ = lastWord(rest, &buf[1])
	}
	if kind != notSecret && among(ofPublic, before) {
		return notSecret
	}
	return kind
}

// The words that make a difference behind or before one that says that something is secret, between spaces.
const (
	ofKeys     = " api access secret private auth signing encryption account master license deploy app fernet hmac aes jwt cipher admin service session client server webhook preshared shared unseal recovery subscription functions storage application "
	ofForms    = " value string base hex "                                                                                                                                // how it is written down: secret_key_base, PRIVATE_KEY_HEX, token_value
	ofOwners   = " db user root remote smtp mail imap ftp sftp ssh require bind ldap admin key store trust rpc sudo become vpn wifi sql mysql pg redis proxy auth login " // whose it is, where the two are one word: not bypass, compass
	ofPublic   = " public csrf xsrf authenticity page next continuation cursor cancellation sync "                                                                        // everybody may know it, or it only counts pages
	ofHandling = " store keep load read manage scan detect find mask redact hide ignore allow rotate "                                                                    // what is done with all of them: the value is where, or whether
)

// among reports whether a word is one of a list.
func among(list string, word []byte) bool {
	for {
		n := strings.Index(list, string(word))
		if n < 1 || len(word) == 0 {
			return false
		}
		end := n + len(word)
		if list[n-1] == ' ' && list[end] == ' ' {
			return true
		}
		list = list[end:]
	}
}

// endings is a set of three letters that words end in, in whatever case.
type endings [1 << 15 / 64]uint64

func endingsOf(words string) *endings {
	e := &endings{}
	for word := range strings.FieldsSeq(words) {
		n := endingAt([]byte(word), len(word))
		e[n/64] |= 1 << (n % 64)
	}
	return e
}

// endingAt is the place of the three letters that end at i.
func endingAt(text []byte, i int) uint16 {
	return uint16(text[i-3]&31)<<10 | uint16(text[i-2]&31)<<5 | uint16(text[i-1]&31)
}

// end reports that what ends at i ends in one of them. Signs and digits may pass for letters.
func (e *endings) end(text []byte, i int) bool {
	if i < 3 {
		return false
	}
	n := endingAt(text, i)
	return e[n/64]&(1<<(n%64)) != 0
}

// What words end in that may say that something is secret, all those that secretName knows, and of those the ones that are long.
var (
	sayings  = endingsOf("token password passwd pwd secret key community pass psk auth passphrase @by") // the last is IDENTIFIED BY: a blank has the place of an @
	names    = endingsOf("token password passwd pwd secret key pass psk auth passphrase credential credentials cred creds pat secrets value string base hex")
	longEnds = endingsOf("authorization passcode passwort")
)

// endsAsNames reports a name that ends as one of those does which secretName knows: nearly every other name is told by that alone.
func endsAsNames(name []byte) bool {
	n := len(name)
	switch {
	case n < 2:
		return false
	case isSeparator(name[n-1]), name[n-2]|0x20 == 'p' && name[n-1]|0x20 == 'w':
		return true
	}
	return names.end(name, n) || n >= len("passcode") && longEnds.end(name, n)
}

// compound judges a word that people write as one: dbpassword, authtoken.
func compound(word []byte) kind {
	if !endsAsNames(word) {
		return notSecret
	}
	for _, end := range []string{"password", "passwd", "passphrase", "pwd", "passcode", "passwort", "kennwort"} {
		if endsIn(word, end) {
			return password
		}
	}
	if endsIn(word, "pass") && among(ofOwners, word[:len(word)-len("pass")]) {
		return password
	}
	for _, end := range []string{
		"apikey", "secretkey", "accesskey", "privatekey", "sharedkey", "accountkey", "authkey", "signingkey", "encryptionkey", "masterkey", "masterauth",
		"authtoken", "accesstoken", "apitoken", "refreshtoken", "sessiontoken", "bearertoken", "bottoken", "clientsecret",
	} {
		if endsIn(word, end) {
			return token
		}
	}
	return notSecret
}

func endsIn(word []byte, end string) bool {
	return len(word) >= len(end) && string(word[len(word)-len(end):]) == end
}

// lastWord is the last word of a name in lower case, and the name before it. Words end at _, - and ., and where the case changes.
// Of a word that is longer than the buffer only the end is told.
func lastWord(name []byte, buf *[16]byte) (word, before []byte) {
	for len(name) > 0 && isSeparator(name[len(name)-1]) {
		name = name[:len(name)-1]
	}
	start := len(name)
	for start > 0 && !isSeparator(name[start-1]) {
		start--
		if start == 0 || isSeparator(name[start-1]) {
			break
		}
		next := start+1 < len(name) && !isUpper(name[start+1]) && !isDigit(name[start+1])
		if isUpper(name[start]) && (!isUpper(name[start-1]) || next) {
			break
		}
	}
	end := name[max(start, len(name)-len(buf)):]
	for i, c := range end {
		if isUpper(c) {
			c |= 0x20
		}
		buf[i] = c
	}
	return buf[:len(end)], name[:start]
}

func isSeparator(c byte) bool { return c == '_' || c == '-' || c == '.' }
func isUpper(c byte) bool     { return c >= 'A' && c <= 'Z' }
