package secret

import "bytes"

// told finds a value that stands behind its name without a sign, as in the settings of servers, in SQL and in what people write: requirepass VALUE, PASSWORD 'VALUE', the token is VALUE; the name ends
// at i, where a blank stands. A name is also a word like others. So what is no literal has to look drawn, and a password that a person has chosen counts only where it is all that its line sets.
func (s *scanner) told(i int) {
	from := s.run(i, &blanks, longestSeam)
	if from >= len(s.text) || !wordChars[s.text[from]] && !opensValue[s.text[from]] {
		return
	}
	says := s.has(from, "is ")
	if says {
		from += len("is ")
	}
	quote := s.quoteAt(from)
	from += len(quote)
	end, closed := s.tellsUntil(from, quote)
	v := s.text[from:end]
	if !closed || len(v) < 6 || len(v) >= window || v[0] == ':' || !hasDigit(v) {
		return
	}
	start := i
	for start > 0 && i-start < 64 && dottedChars[s.text[start-1]] {
		start--
	}
	name := s.text[start:i]
	if s.identified(i, name) {
		if quote != "" && looksSecret(v, password) {
			s.add("assigned", from, end)
		}
		return
	}
	kind := s.toldKind(i, name)
	if kind == notSecret || !looksSecret(v, kind) || !s.sets(span{start, i}, span{from, end}, quote, says, kind) {
		return
	}
	s.add("assigned", from, end)
}

// toldKind is the kind of a name that ends at i.
func (s *scanner) toldKind(i int, name []byte) kind {
	switch kind := secretName(name); {
	case kind != notSecret:
		return kind
	case isCommunity(name):
		return password
	}
	return s.spoken(i, name)
}

// opensValue are the signs that a value may begin with.
var opensValue = classOf("\"'`+/^@!#")

// sets reports whether a name and what stands behind it are more than two words of a text.
func (s *scanner) sets(name, value span, quote string, says bool, kind kind) bool {
	n, v := s.text[name.start:name.end], s.text[value.start:value.end]
	drawn := looksDrawn(v) && random(v) >= 0.25 || isUUID(v)
	line := s.beginsSetting(name.start) && s.endsLine(value.end+len(quote))
	if kind == password {
		return s.setsPassword(name, v, quote, line, says, drawn)
	}
	compound := bytes.IndexAny(n, "_-.") > 0 || isOneWord(n)
	return drawn && (line || says || compound && (len(v) >= 20 || quote != ""))
}

// setsPassword is sets for a password, which need not look drawn.
func (s *scanner) setsPassword(name span, v []byte, quote string, line, says, drawn bool) bool {
	n := s.text[name.start:name.end]
	strong := len(v) >= 8 && kinds(v) > 2
	switch {
	case says:
		return quote != "" && drawn || strong && kinds(v) > 3
	case quote != "": // SQL's, and those of programs' settings
		return string(n) == "PASSWORD" || strong || line
	case line && (drawn || isOneWord(n)):
		return true
	}
	called, _ := s.programOf(name.start, []string{"nmcli"})
	return called || drawn && isOneWord(n) && len(v) >= 20
}

// tellsUntil is where a value ends that is told: with its quote, or where a word ends; closed reports that it does.
func (s *scanner) tellsUntil(from int, quote string) (end int, closed bool) {
	if quote != "" {
		n := bytes.Index(s.text[from:min(len(s.text), from+window)], []byte(quote))
		return from + max(n, 0), n > 0 && bytes.IndexByte(s.text[from:from+n], ' ') < 0
	}
	end = s.bareEnd(from, window)
	for end > from && bytes.IndexByte([]byte(".,:"), s.text[end-1]) >= 0 {
		end--
	}
	return end, end == len(s.text) || isSpace(s.text[end]) || bytes.IndexByte([]byte(";.,\"'`\\|"), s.text[end]) >= 0
}

// identified reports SQL's IDENTIFIED BY before i, where name ends.
func (s *scanner) identified(i int, name []byte) bool {
	return bytes.EqualFold(name, []byte("by")) && s.endsWith(i, "identified by")
}

// isCommunity reports the names of what SNMP has for a password.
func isCommunity(name []byte) bool {
	return endsInFold(name, "rocommunity") || endsInFold(name, "rwcommunity") || bytes.EqualFold(name, []byte("community"))
}

// isOneWord reports a name that is two words in one, which nobody writes in a sentence: requirepass, but not password.
func isOneWord(name []byte) bool {
	for _, word := range []string{"password", "passphrase", "passwd", "token", "secret", "pass", "key", "pwd", "psk", "auth", "passcode"} {
		if bytes.EqualFold(name, []byte(word)) {
			return false
		}
	}
	return true
}

// beginsSetting reports whether nothing but blanks, and what a difference puts before a line, stands before i in its line.
func (s *scanner) beginsSetting(i int) bool {
	for i > 0 && bytes.IndexByte([]byte(" \t+-"), s.text[i-1]) >= 0 {
		i--
	}
	return i == 0 || s.text[i-1] == '\n' || s.endsWith(i, `\n`)
}

// endsLine reports whether a line ends at i, but for blanks and a semicolon.
func (s *scanner) endsLine(i int) bool {
	for i < len(s.text) && bytes.IndexByte([]byte(" \t;\r"), s.text[i]) >= 0 {
		i++
	}
	return i >= len(s.text) || s.text[i] == '\n' || s.has(i, `\n`)
}

// isUUID reports a value of that form, which some draw their tokens as.
func isUUID(v []byte) bool {
	s := scanner{text: v}
	return len(v) == 36 && s.formed(0, uuid) == 36
}
