package secret

import "bytes"

// flag finds the value of --password VALUE, of the flags of programs that take a password there, and the password in curl's
// -u USER:PASSWORD; i is at the space.
func (s *scanner) flag(i int) {
	word := s.text[max(0, i-48):i]
	if n := bytes.LastIndexAny(word, " \t\r\n"); n >= 0 {
		word = word[n+1:]
	}
	if len(word) < 2 || word[0] != '-' {
		return
	}
	for _, t := range taking {
		if !t.attached && string(word) == t.flag {
			s.behind(i, i+1, t.programs)
		}
	}
	switch {
	case string(word) == "-u", string(word) == "--user":
		if bytes.Contains(s.text[max(0, i-4*window):i], []byte("curl")) {
			s.userPassword(i + 1)
		}
	case word[1] == '-' && secretName(word[2:]) != notSecret:
		s.value(i+1, secretName(word[2:]), false)
	}
}

// userPassword finds the password in USER:PASSWORD, in quotes or without. Any password counts that is not filled in later:
// the place says what it is.
func (s *scanner) userPassword(from int) {
	from = s.skipSpaces(from)
	quote := s.quoteAt(from)
	from += len(quote)
	rest := s.text[from:min(len(s.text), from+window)]
	if quote == "" {
		quote = " \t\r\n\"'`\\"
		if n := bytes.IndexAny(rest, ":"+quote); n > 0 && rest[n] == ':' && s.quoteAt(from+n+1) != "" { // USER:"PASSWORD"
			s.value(from+n+1, password, false)
			return
		}
	}
	if n := bytes.IndexAny(rest, quote); n >= 0 {
		rest = rest[:n]
	}
	user, pw, ok := bytes.Cut(rest, []byte(":"))
	pw = bytes.TrimRight(pw, ".,;")
	switch {
	case !ok || bytes.ContainsAny(rest, " \n"):
	case len(pw) == 0 && len(user) >= 8 && kinds(user) >= 3 && !fillsIn(user): // a key in the place of the user
		s.add("url-password", from, from+len(user))
	case len(pw) > 2 && !fillsIn(pw) && !isPlaceholder(pw) && !fillsIn(user):
		s.add("url-password", from+len(user)+1, from+len(user)+1+len(pw))
	}
}
