package secret

import "bytes"

// placed tries the rules for names that say by themselves what their place holds, whose sign is at i; it reports whether there is nothing more to look for.
func (s *scanner) placed(i int, name []byte, spaced bool) bool {
	if len(name) < 3 {
		if string(name) == "P" && i > 1 && s.text[i-2] == ';' {
			s.wifi(i)
		}
		return false
	}
	if !placeEnds.end(name, len(name)) {
		return false
	}
	return s.placedName(i, name, spaced) || s.placedEnd(i, name)
}

// placeEnds are what these names end in.
var placeEnds = endingsOf("sig kty pass thin cookies signature cookie sessionid sessid session mnemonic phrase")

// placedName tries those that are a whole name.
func (s *scanner) placedName(i int, name []byte, spaced bool) bool {
	switch string(name) {
	case "sig":
		if !spaced {
			s.signature(i, name)
		}
	case "kty":
		s.jwk(i)
	case "pass":
		return s.text[i] == ':' && !spaced && s.passArgument(i)
	case "thin":
		s.thin(i)
	case "cookies", "Cookies", "COOKIES":
		s.cookies(i + 1)
	default:
		return false
	}
	return true
}

// placedEnd tries those that names end in.
func (s *scanner) placedEnd(i int, name []byte) bool {
	switch {
	case endsInFold(name, "signature"):
		s.signedURL(i, name)
	case isCookieHeader(name):
		s.cookies(i + 1)
	case endsInFold(name, "sessionid"), endsInFold(name, "sessid"), endsInFold(name, "_session"):
		s.session(i, name)
	case endsInFold(name, "mnemonic"):
		s.mnemonic(i + 1)
	case endsInFold(name, "phrase"): // a passphrase is a password, too
		s.mnemonic(i + 1)
		return false
	default:
		return false
	}
	return true
}

func endsInFold(name []byte, end string) bool {
	return len(name) >= len(end) && bytes.EqualFold(name[len(name)-len(end):], []byte(end))
}

// signature finds that of an address which Azure lets whoever has it use (a shared access signature): it stands among names that say what for, and until when; i is at the sign behind its name.
func (s *scanner) signature(i int, name []byte) {
	if s.text[i] != '=' || string(name) != "sig" || !s.asked(i-len(name)) {
		return
	}
	query := func(c byte) bool { return queryChars[c] || c == '&' }
	start, end := i, i
	for start > 0 && start > i-4*window && query(s.text[start-1]) {
		start--
	}
	for end < len(s.text) && end < i+4*window && query(s.text[end]) {
		end++
	}
	all := s.text[start:end]
	if !bytes.Contains(all, []byte("sv=")) || !bytes.Contains(all, []byte("sp=")) && !bytes.Contains(all, []byte("se=")) {
		return
	}
	until := s.run(i+1, &queryChars, 4*window)
	if v := s.text[i+1 : until]; len(v) >= 32 && isMixed(v) && !isPlaceholder(v) {
		s.add("azure", i+1, until)
	}
}

// signedURL finds the signature of an address that is signed for whoever has it, as clouds do for what they keep: it stands in its query; i is at the sign behind its name.
func (s *scanner) signedURL(i int, name []byte) {
	if s.text[i] != '=' || !s.asked(i-len(name)) {
		return
	}
	end := s.run(i+1, &queryChars, 8*window)
	if v := s.text[i+1 : end]; len(v) >= 26 && hasDigit(v) && (isMixed(v) || isLongHex(v)) && !isPlaceholder(v) {
		s.add("signed-url", i+1, end)
	}
}

// passArgument finds the password in pass:PASSWORD, as openssl and Windows take it; i is at the colon. It reports whether this is one.
func (s *scanner) passArgument(i int) bool {
	start := i - len("pass")
	if start == 0 || !isSpace(s.text[start-1]) && !isQuote(s.text[start-1]) && s.text[start-1] != '/' {
		return false
	}
	before := s.text[max(0, start-4*window):start]
	if n := bytes.LastIndexByte(before, '\n'); n >= 0 {
		before = before[n+1:]
	}
	option := s.text[start-1] == '/' && bytes.Contains(before, []byte("cmdkey")) || bytes.Contains(before, []byte("-pass")) && bytes.Contains(before, []byte("openssl"))
	if !option {
		return false
	}
	end := i + 1
	for end < len(s.text) && end < i+window && !isSpace(s.text[end]) && !isQuote(s.text[end]) {
		end++
	}
	if v := s.text[i+1 : end]; len(v) > 3 && !fillsIn(v) && !isPlaceholder(v) {
		s.add("flag", i+1, end)
	}
	return true
}

// jwk finds the private members of a key that is written as JSON (RFC 7517, RFC 7518); i is at the sign behind the name of its type.
func (s *scanner) jwk(i int) {
	start, end := max(0, i-maxManifest), min(len(s.text), i+maxManifest)
	start += bytes.LastIndexByte(s.text[start:i], '{') + 1
	if n := bytes.IndexByte(s.text[i:end], '}'); n >= 0 {
		end = i + n
	}
	if start <= s.keyed { // it names its type twice
		return
	}
	s.keyed = i
	symmetric := bytes.HasPrefix(bytes.TrimLeft(s.text[i+1:end], ` \"`), []byte("oct"))
	for at := start; at < end; at++ {
		if s.text[at] != ':' {
			continue
		}
		name, _, _ := s.nameAt(at)
		switch string(name) {
		case "d", "p", "q", "dp", "dq", "qi":
		case "k":
			if !symmetric {
				continue
			}
		default:
			continue
		}
		from := s.skipSpaces(at + 1)
		from += len(s.quoteAt(from))
		if until := s.run(from, &base64Chars, 0); until-from >= 16 && looksDrawn(s.text[from:min(until, from+window)]) {
			s.add("jwk", from, until)
		}
	}
}

// mnemonic finds the words from which a wallet's keys are made: twelve to twenty-four, as BIP 39 writes them, in quotes or at the end of a line. Those that everybody tests with are none.
func (s *scanner) mnemonic(from int) {
	from = s.skipSpaces(from)
	if s.has(from, "=") || s.has(from, ">") {
		from = s.skipSpaces(from + 1)
	}
	from += len(s.quoteAt(from))
	end := s.run(from, &phraseChars, 4*window)
	v := bytes.TrimRight(s.text[from:end], " ")
	words := bytes.Fields(v)
	if len(words) < 12 || len(words) > 24 || len(words)%3 != 0 {
		return
	}
	different := map[string]bool{}
	for _, word := range words {
		if len(word) < 3 || len(word) > 8 {
			return
		}
		different[string(word)] = true
	}
	if len(different) > len(words)*2/3 && !bytes.HasPrefix(v, []byte("candy maple cake")) && !bytes.HasPrefix(v, []byte("myth like bonus")) {
		s.add("mnemonic", from, from+len(v))
	}
}

var phraseChars = classOf(lower + " ")

// wifi finds the password in the text of a picture that phones read to join a network: WIFI:T:WPA;S:NAME;P:PASSWORD;; i is at the colon.
func (s *scanner) wifi(i int) {
	if !bytes.Contains(s.text[max(0, i-window):i], []byte("WIFI:")) {
		return
	}
	if n := bytes.IndexAny(s.text[i+1:min(len(s.text), i+window)], ";\n"); n >= 8 && s.text[i+1+n] == ';' && !fillsIn(s.text[i+1:i+1+n]) && !isPlaceholder(s.text[i+1:i+1+n]) {
		s.add("wifi", i+1, i+1+n)
	}
}

// thin finds the password in an address of Oracle's: jdbc:oracle:thin:USER/PASSWORD@HOST; i is at the colon.
func (s *scanner) thin(i int) {
	rest := s.text[i+1 : min(len(s.text), i+window)]
	if n := bytes.IndexAny(rest, " \n\"'@"); n > 0 && rest[n] == '@' {
		if user, v, ok := bytes.Cut(rest[:n], []byte("/")); ok && len(user) > 0 && len(v) > 3 && !fillsIn(v) && !isPlaceholder(v) {
			s.add("url-password", i+1+len(user)+1, i+1+n)
		}
	}
}

// ppp finds the password in a line of the files in which pppd keeps them: CLIENT * PASSWORD *; i is at the first star.
func (s *scanner) ppp(i int) {
	if i == 0 || i+2 >= len(s.text) || !blanks[s.text[i-1]] || !blanks[s.text[i+1]] {
		return
	}
	line := s.text[max(0, i-window):i]
	line = bytes.TrimSpace(line[bytes.LastIndexByte(line, '\n')+1:])
	if len(line) == 0 || bytes.ContainsAny(line, " \t/*(") {
		return
	}
	from := s.run(i+1, &blanks, longestSeam)
	from += len(s.quoteAt(from))
	end := from
	for end < len(s.text) && end < from+window && !isSpace(s.text[end]) && !isQuote(s.text[end]) {
		end++
	}
	rest := end
	for rest < len(s.text) && (isQuote(s.text[rest]) || blanks[s.text[rest]]) {
		rest++
	}
	if v := s.text[from:end]; s.has(rest, "*") && s.endsLine(rest+1) && len(v) > 3 && !fillsIn(v) && !isPlaceholder(v) {
		s.add("ppp", from, end)
	}
}

// pgpass finds the password in a line of the file in which PostgreSQL's programs keep them: HOST:PORT:DATABASE:USER:PASSWORD; i is at the first colon.
func (s *scanner) pgpass(i int) {
	port := s.run(i+1, &portChars, 6)
	if n := port - i - 1; !s.has(port, ":") || n < 4 && s.text[i+1] != '*' || i == 0 || isSpace(s.text[i-1]) {
		return
	}
	if s.longAddress(i) {
		return
	}
	rest := s.text[port+1 : min(len(s.text), port+2*window)]
	if n := bytes.IndexAny(rest, " \t\r\n\"'`\\"); n >= 0 {
		rest = rest[:n]
	}
	fields := bytes.SplitN(rest, []byte(":"), 3)
	if len(fields) < 3 || len(fields[0]) == 0 || len(fields[1]) == 0 || len(bytes.Trim(fields[0], digits)) == 0 && fields[0][0] != '*' || len(bytes.Trim(fields[1], digits)) == 0 {
		return
	}
	if v := fields[2]; len(v) >= 6 && looksSecret(v, password) && bytes.IndexByte(v, '/') < 0 {
		end := port + 1 + len(rest)
		s.add("pgpass", end-len(v), end)
	}
}

// longAddress reports one of IPv6, or a name of parts between colons, in which a colon stands at i and is not the first.
func (s *scanner) longAddress(i int) bool {
	start := i
	for start > 0 && i-start < window && dottedChars[s.text[start-1]] {
		start--
	}
	return start > 0 && s.text[start-1] == ':'
}

var portChars = classOf(digits + "*")
