package secret

import "bytes"

// flag finds the value of --password VALUE, of the flags of programs that take a password there, alone or bundled, and the password in curl's
// -u USER:PASSWORD; i is at the space.
func (s *scanner) flag(i int) {
	word := s.text[max(0, i-48):i]
	if n := bytes.LastIndexAny(word, " \t\r\n"); n >= 0 {
		word = word[n+1:]
	}
	if len(word) < 2 || word[0] != '-' {
		return
	}
	for n := range taking {
		if t := &taking[n]; !t.attached && t.in(word) == len(word) {
			s.take(t, i, i+1)
		}
	}
	switch {
	case string(word) == "-u", string(word) == "--user": // curl's may stand in another line of a call
		if bytes.Contains(s.text[max(0, i-4*window):i], []byte("curl")) {
			s.userPassword(i+1, ':')
		}
	case word[1] == '-' && secretName(word[2:]) != notSecret:
		s.value(i+1, secretName(word[2:]), false)
	}
}

// userPassword finds the password in USER:PASSWORD, or behind another sign than the colon, in quotes or without. Any password counts that is not
// filled in later: the place says what it is.
func (s *scanner) userPassword(from int, parted byte) {
	from = s.skipSpaces(from)
	quote := s.quoteAt(from)
	from += len(quote)
	rest := s.text[from:min(len(s.text), from+window)]
	if quote == "" {
		quote = " \t\r\n\"'`\\"
		if n := bytes.IndexAny(rest, string(parted)+quote); n > 0 && rest[n] == parted && s.quoteAt(from+n+1) != "" { // USER:"PASSWORD"
			s.value(from+n+1, password, false)
			return
		}
	}
	if n := bytes.IndexAny(rest, quote); n >= 0 {
		rest = rest[:n]
	}
	user, pw, ok := bytes.Cut(rest, []byte{parted})
	pw = bytes.TrimRight(pw, ".,;")
	switch {
	case !ok || bytes.ContainsAny(rest, " \n"):
	case len(pw) == 0 && len(user) >= 8 && kinds(user) >= 3 && !fillsIn(user): // a key in the place of the user
		s.add("url-password", from, from+len(user))
	case len(pw) > 2 && !fillsIn(pw) && !isPlaceholder(pw) && !fillsIn(user):
		s.add("url-password", from+len(user)+1, from+len(user)+1+len(pw))
	}
}
