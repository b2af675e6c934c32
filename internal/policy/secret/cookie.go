package secret

import "bytes"

// cookies finds those by which a server knows who somebody is, in a list of them that begins at from: a header, curl's -b, or a table of a program's. The list ends with its line, its quote or its brace.
func (s *scanner) cookies(from int) {
	from = s.skipSpaces(from)
	if s.has(from, "=") {
		return
	}
	end := from
	for limit := min(len(s.text), from+maxCookies); end < limit && s.text[end] != '\n' && s.text[end] != '}' && s.text[end] != ')'; end++ {
	}
	for at := from; at < end; {
		stop := end
		if n := bytes.IndexAny(s.text[at:end], ";,"); n >= 0 {
			stop = at + n
		}
		name, value, ok := bytes.Cut(s.text[at:stop], []byte("="))
		if !ok {
			name, value, ok = bytes.Cut(s.text[at:stop], []byte(":"))
		}
		if ok && namesSession(bytes.Trim(name, " \t'\"`\\{(")) {
			start := stop - len(bytes.TrimLeft(value, " '\"`\\"))
			s.sessionValue(start)
		}
		at = stop + 1
	}
}

// isCookieHeader reports the name of a header that holds cookies.
func isCookieHeader(name []byte) bool {
	return bytes.EqualFold(name, []byte("cookie")) || bytes.EqualFold(name, []byte("set-cookie"))
}

// maxCookies is more than a header may be long.
const maxCookies = 8 << 10

// sessionValue judges the value of such a cookie, which begins at from.
func (s *scanner) sessionValue(from int) {
	end := s.run(from, &cookieChars, 4*window)
	if v := s.text[from:end]; len(v) >= 16 && hasDigit(v) && hasLetter(v) && distinct(v) >= 8 && !isPlaceholder(v) && !looksNamed(v) {
		s.add("cookie", from, s.run(end, &cookieChars, 0))
	}
}

// session finds the value of a name that only such a cookie has; i is at the sign behind it. Others are cookies in a list of them alone: a program writes down the numbers of its sessions.
func (s *scanner) session(i int, name []byte) {
	for _, known := range []string{"PHPSESSID", "JSESSIONID", "ASPSESSIONID", "NET_SessionId", "laravel_session", "ci_session"} {
		if endsInFold(name, known) {
			from := s.skipSpaces(i + 1)
			s.sessionValue(from + len(s.quoteAt(from)))
			return
		}
	}
}

// namesSession reports the name of a cookie that says who somebody is, as frameworks give them.
func namesSession(name []byte) bool {
	if len(name) < 3 || len(name) > 64 {
		return false
	}
	low := bytes.ToLower(name)
	for _, word := range []string{"csrf", "xsrf", "consent", "analytics", "track"} {
		if bytes.Contains(low, []byte(word)) {
			return false
		}
	}
	for _, word := range []string{"sess", "auth", "token", "remember", "logged_in", "login", "identity", "jwt", "sso", "li_at"} {
		if bytes.Contains(low, []byte(word)) {
			return true
		}
	}
	return bytes.HasSuffix(low, []byte("sid")) || bytes.Equal(low, []byte("sid")) || bytes.Equal(low, []byte("session"))
}
