package secret

import "bytes"

// assignment finds the value of NAME=value, name: "value", "name": "value", name string = "value", <name>value</name>,
// set("name", "value") and the like, where the name says that it is a secret; i is at the sign. A value in quotes is a literal;
// without quotes it may as well be an expression of a program, and has to look like nothing a person would call a variable.
func (s *scanner) assignment(i int) {
	if s.has(i+1, ":") || s.text[i] == ':' && (s.has(i+1, "=") || i > 0 && s.text[i-1] == ':') {
		return // the last sign of several has the value after it, and two colons assign nothing
	}
	name, spaced := s.nameBefore(i)
	if s.placed(i, name, spaced) {
		return
	}
	kind := s.kindAt(i, name)
	if kind == notSecret {
		s.list(i, name)
		return
	}
	from := i + 1
	if s.has(i, "==") || s.has(i, "=>") {
		from++
	}
	if s.has(from, "=") { // === compares
		return
	}
	if after := s.skipSpaces(from); after > from {
		from, spaced = after, true
	}
	from = s.literalBelow(from)
	if isAuthorization(name) {
		if from = s.credentials(from); from < 0 {
			return
		}
	}
	if s.asked(i - len(name)) {
		s.queried(from, kind)
		return
	}
	if !s.resource(i, name) {
		s.value(from, kind, spaced)
	}
}

// kindAt is how much the name before the sign at i says about its value.
func (s *scanner) kindAt(i int, name []byte) kind {
	if kind := secretName(name); kind != notSecret {
		return kind
	}
	switch len(name) {
	case 1, 2, len("key"):
		return s.spoken(i, name)
	case len("value"):
		return s.named(i, name)
	}
	return notSecret
}

// spoken is the kind of a name that is written in words, with a number perhaps: API key, Unseal Key 1.
func (s *scanner) spoken(i int, name []byte) kind {
	isKey := len(name) == len("key") && bytes.EqualFold(name, []byte("key"))
	if !isKey && (len(name) == 0 || len(name) > 2 || !isDigit(name[0])) {
		return notSecret
	}
	name, end, _ := s.nameAt(i)
	if !isKey { // the number
		if start := end - len(name); start == 0 || s.text[start-1] != ' ' {
			return notSecret
		}
		name, end, _ = s.nameAt(end - len(name))
	}
	if start := end - len(name); !bytes.EqualFold(name, []byte("key")) || start == 0 || s.text[start-1] != ' ' {
		return notSecret
	}
	before, _, _ := s.nameAt(end - len(name))
	var buf [16]byte
	if last, rest := lastWord(before, &buf); len(rest) == 0 && among(ofKeys, last) {
		return token
	}
	return notSecret
}

// resource reports a name at which an address of parts between colons goes on, as clouds give to what they keep: arn:aws:secretsmanager:…:secret:NAME.
func (s *scanner) resource(i int, name []byte) bool {
	start := i - len(name)
	if start == 0 || s.text[start-1] != ':' || s.text[i] != ':' {
		return false
	}
	before := s.text[max(0, start-window):start]
	if n := bytes.LastIndexAny(before, " \t\r\n\"'`=,"); n >= 0 {
		before = before[n+1:]
	}
	return bytes.HasPrefix(before, []byte("arn:")) || bytes.HasPrefix(before, []byte("urn:"))
}

// asked reports a name at i that stands in the query of an address, or in a form that is sent: & ends its value.
func (s *scanner) asked(i int) bool {
	return i > 0 && (s.text[i-1] == '?' || s.text[i-1] == '&' || s.text[i-1] == ';' && s.endsWith(i, "&amp;"))
}

// queried judges the value of a name in a query.
func (s *scanner) queried(from int, kind kind) {
	end := s.run(from, &queryChars, window)
	if v := s.text[from:end]; from < s.taken || !looksSecret(v, kind) || bytes.Contains(v, []byte("://")) {
		return
	}
	if end-from == window {
		end = s.run(end, &queryChars, 0)
		s.taken = end
	}
	s.add("assigned", from, end)
}

var queryChars = classOf(digits + lower + upper + "_-./+=~!@%^*?:,")

// credentials is where those of an Authorization header begin, whose value stands at from: after the scheme, if there is one; -1 if
// that is one which has a rule of its own.
func (s *scanner) credentials(from int) int {
	end := s.run(from, &tokenChars, 32)
	switch {
	case !s.has(end, " "):
		return from
	case s.endsWith(end, "basic"), s.endsWith(end, "bearer"):
		return -1
	}
	return end + 1
}

func isAuthorization(name []byte) bool { return bytes.EqualFold(name, []byte("authorization")) }

// element finds the value of <name>value</name>; i is at the ">".
func (s *scanner) element(i int) {
	name, spaced := s.nameBefore(i)
	if spaced || len(name) == 0 || i <= len(name) || s.text[i-len(name)-1] != '<' {
		return
	}
	if kind := secretName(name); kind != notSecret {
		from := i + 1
		for from < len(s.text) && from < i+window && isSpace(s.text[from]) {
			from++
		}
		s.value(from, kind, false)
	}
}

// argument finds the second literal of a call, the first of which is a secret's name: set("name", "value"); i is at the comma.
func (s *scanner) argument(i int) {
	if i == 0 || !isQuote(s.text[i-1]) {
		return
	}
	from := s.skipSpaces(i + 1)
	if from == len(s.text) || s.text[from] != s.text[i-1] {
		return
	}
	name, _ := s.nameBefore(i)
	open := i - len(name) - 3
	for open > 0 && s.text[open] == ' ' && open > i-len(name)-16 {
		open--
	}
	if open < 0 || s.text[open] != '(' {
		return
	}
	kind := secretName(name)
	if account(name) || s.endsWith(open, "define") && (endsIn(name, "_KEY") || endsIn(name, "_SALT")) { // as WordPress names what it signs with
		kind = token
	}
	if kind != notSecret {
		s.value(from, kind, true)
	}
}

// named is the kind of name="NAME" value="…", "name": "NAME", "value": "…" and - name: NAME, value: …, where value is the name that
// stands before the sign at i.
func (s *scanner) named(i int, name []byte) kind {
	if len(name) != len("value") || !bytes.EqualFold(name, []byte("value")) {
		return notSecret
	}
	before := s.text[max(0, i-window):i]
	if n := bytes.LastIndexAny(before, "<{}"); n >= 0 {
		before = before[n:]
	}
	for _, key := range []string{"name", "key"} {
		n := bytes.LastIndex(bytes.ToLower(before), []byte(key))
		if n < 0 {
			continue
		}
		rest := bytes.TrimLeft(before[n+len(key):], `"'=: `)
		end := 0
		for end < len(rest) && dottedChars[rest[end]] {
			end++
		}
		if kind := secretName(rest[:end]); kind != notSecret {
			return kind
		}
		if isCookieHeader(rest[:end]) { // as archives of HTTP (HAR) have it
			from := s.skipSpaces(i + 1)
			s.cookies(from + len(s.quoteAt(from)))
		}
	}
	return notSecret
}

// value judges what stands at from as the value of a secret name.
func (s *scanner) value(from int, kind kind, spaced bool) {
	quote := s.quoteAt(from)
	from += len(quote)
	if quote == "" {
		s.bare(from, kind, spaced)
		return
	}
	rest := s.text[from:min(len(s.text), from+4*window)]
	n := bytes.Index(rest, []byte(quote))
	if n < 0 || bytes.ContainsAny(rest[:n], " \t\r\n") && !hasSigns(rest[:n]) || bytes.Contains(rest[:n], []byte("://")) {
		return
	}
	if looksSecret(rest[:n], kind) {
		s.add("assigned", from, from+n)
	}
}

// bare judges a value without quotes.
func (s *scanner) bare(from int, kind kind, spaced bool) {
	end := s.run(from, &valueChars, window)
	if kind == token {
		end = s.bareEnd(from, window)
	}
	if n := nextPair(s.text[from:end]); n >= 0 {
		end = from + n
	}
	v := s.text[from:end]
	switch {
	case bytes.HasSuffix(v, []byte("...")) && end-from < window: // what is left of it
		return
	case end < len(s.text) && bytes.IndexByte([]byte("([{<$"), s.text[end]) >= 0 && !s.has(end, "</"):
		return
	}
	v = bytes.TrimRight(v, ".,:;")
	if !looksSecret(v, kind) || spaced && looksNamed(v) || bytes.Contains(v, []byte("://")) {
		return
	}
	if end-from == window {
		if from >= s.taken {
			s.taken = s.bareEnd(end, 0)
			s.add("assigned", from, s.taken)
		}
		return
	}
	s.add("assigned", from, from+len(v))
}

// nextPair is where a value ends in which another one is assigned: in a form that is sent, abc&user=me. -1: it is none.
func nextPair(v []byte) int {
	n := bytes.IndexByte(v, '&')
	if n < 0 {
		return -1
	}
	end := n + 1
	for end < len(v) && tokenChars[v[end]] {
		end++
	}
	if end-n < 3 || end == len(v) || v[end] != '=' || end+1 == len(v) {
		return -1
	}
	return n
}

// bareEnd is the end of a value without quotes: a colon belongs to it where something follows.
func (s *scanner) bareEnd(from, limit int) int {
	end := s.run(from, &valueChars, limit)
	for s.has(end, ":") && end+1 < len(s.text) && tokenChars[s.text[end+1]] && (limit == 0 || end-from+1 < limit) {
		left := 0
		if limit > 0 {
			left = limit - (end + 1 - from)
		}
		end = s.run(end+1, &valueChars, left)
	}
	return end
}

// quoteAt is the quote that opens a literal at from; empty if there is none.
func (s *scanner) quoteAt(from int) string {
	if from >= len(s.text) {
		return ""
	}
	switch s.text[from] {
	case '\\', '"', '\'', '`':
		for _, q := range []string{`\"`, `"""`, `'''`, `"`, `'`, "`"} {
			if s.has(from, q) {
				return q
			}
		}
	}
	return ""
}

// nameBefore is the name that stands before a sign, without quotes; and whether there is a space between. What some languages
// write before the sign (.=, ?=, ||=) and a type between it and the name do not hide the name.
func (s *scanner) nameBefore(i int) (name []byte, spaced bool) {
	end := i
	if end > 0 && s.text[end-1] == '=' {
		return nil, false
	}
	for end > 0 && end > i-4 && bytes.IndexByte([]byte(":?.|+"), s.text[end-1]) >= 0 {
		end--
	}
	name, end, spaced = s.nameAt(end)
	if spaced && isType(name) {
		start := end - len(name)
		for start > 0 && start > end-32 && bytes.IndexByte([]byte(":?*& "), s.text[start-1]) >= 0 {
			start--
		}
		if start < end-len(name) {
			name, _, _ = s.nameAt(start)
		}
	}
	return name, spaced
}

// nameAt is the name that ends before i, but for spaces and quotes, and where it ends.
func (s *scanner) nameAt(i int) (name []byte, end int, spaced bool) {
	end = i
	for end > 0 && s.text[end-1] == ' ' && end > i-16 {
		end--
		spaced = true
	}
	for end > 0 && end > i-20 && (isQuote(s.text[end-1]) || s.text[end-1] == ']' || s.text[end-1] == '\\') {
		end--
	}
	start := end
	for start > 0 && tokenChars[s.text[start-1]] && end-start < 64 {
		start--
	}
	return s.text[start:end], end, spaced
}

func isType(name []byte) bool {
	switch string(name) {
	case "string", "String", "str", "text", "bytes", "char":
		return true
	}
	return false
}

// skipSpaces is where a few spaces from i on end.
func (s *scanner) skipSpaces(i int) int {
	end := i
	for end < len(s.text) && (s.text[end] == ' ' || s.text[end] == '\t') && end < i+8 {
		end++
	}
	return end
}

// literalBelow is where the literal begins for which there was no more room in the line that ends at i, perhaps behind a parenthesis; i where there is none.
func (s *scanner) literalBelow(i int) int {
	from := i
	if s.has(from, "(") {
		from++
	}
	end := from
	for end < len(s.text) && isSpace(s.text[end]) && end < from+longestSeam {
		end++
	}
	if from < len(s.text) && (s.text[from] == '\n' || s.text[from] == '\r') && end < len(s.text) && isQuote(s.text[end]) {
		return end
	}
	return i
}

func isQuote(c byte) bool { return c == '"' || c == '\'' || c == '`' }
func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }
