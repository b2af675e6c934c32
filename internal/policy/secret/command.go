package secret

import "bytes"

// flag finds the value of --password VALUE, of the flags of programs that take a password there, alone or bundled, and the password in curl's
// -u USER:PASSWORD; i is at the space.
func (s *scanner) flag(i int) {
	word := s.text[max(0, i-48):i]
	if n := bytes.LastIndexAny(word, " \t\r\n"); n >= 0 {
		word = word[n+1:]
	}
	if !isOption(word) {
		return
	}
	for n := range taking {
		if t := &taking[n]; !t.attached && t.in(word) == len(word) {
			s.take(t, i, i+1)
		}
	}
	switch {
	case s.curls(i, word):
	case word[1] == '-' && secretName(word[2:]) != notSecret:
		s.value(i+1, secretName(word[2:]), false)
	case len(word) > 4 && bytes.IndexByte(word, '=') < 0 && secretName(word[1:]) != notSecret: // PowerShell's and Java's: -Password, -storepass
		s.value(i+1, secretName(word[1:]), false)
	case bytes.EqualFold(word, []byte("-string")), bytes.EqualFold(word, []byte("-asplaintext")):
		if bytes.Contains(s.text[max(0, i-window):i], []byte(secureString)) {
			s.plainText(i + 1)
		}
	}
}

// isOption reports a word that begins as options do: with one hyphen or two, and a letter, a digit or curl's # behind them.
func isOption(word []byte) bool {
	if len(word) < 2 || word[0] != '-' {
		return false
	}
	if word[1] == '-' {
		return len(word) > 2 && isLetter(word[2])
	}
	return alnumChars[word[1]] || word[1] == '#'
}

// curls finds the password and the cookies that curl is given behind an option, which may stand in another line of a call; it reports whether this is one.
func (s *scanner) curls(i int, word []byte) bool {
	user := string(word) == "-u" || string(word) == "--user"
	if !user && string(word) != "-b" && string(word) != "--cookie" {
		return false
	}
	switch called := bytes.Contains(s.text[max(0, i-4*window):i], []byte("curl")); {
	case called && user:
		s.userPassword(i+1, ':')
	case called:
		s.cookies(i + 1 + len(s.quoteAt(i+1)))
	}
	return true
}

// secureString is the command of PowerShell's that a password is given to as it is: behind it, behind an option of its, or before it.
const secureString = "ConvertTo-SecureString"

// secureString finds the password in ConvertTo-SecureString 'PASSWORD'; i is at the space.
func (s *scanner) secureString(i int) {
	if s.endsWith(i, secureString) {
		s.plainText(i + 1)
	}
}

// bar tries what stands beside a bar at i: the cells of a table, and commands.
func (s *scanner) bar(i int) {
	if i < 3 || i+1 >= len(s.text) || s.text[i-1] != ' ' {
		return
	}
	if s.has(i+1, " "+secureString) && isQuote(s.text[i-2]) {
		if n := bytes.LastIndexByte(s.text[max(0, i-window):i-2], s.text[i-2]); n >= 0 {
			s.plainText(max(0, i-window) + n)
		}
		return
	}
	if !isSpace(s.text[i+1]) {
		return
	}
	s.piped(i)
	s.namedCell(i)
	s.table(i, '|')
}

// piped finds the password that a shell writes to a program which takes one from there: echo PASSWORD | sudo -S; i is at the bar.
func (s *scanner) piped(i int) {
	command := s.text[i+1 : min(len(s.text), i+window)]
	if n := bytes.IndexAny(command, "\n|;&"); n >= 0 {
		command = command[:n]
	}
	takes := false
	for _, option := range []string{"--password-stdin", "sudo -S", "--with-token", "--passphrase-fd 0", "--pinentry-mode", "chpasswd", "passwd --stdin", "smbpasswd", "cryptsetup"} {
		takes = takes || bytes.Contains(command, []byte(option))
	}
	if !takes {
		return
	}
	before := s.text[max(0, i-window):i]
	n := max(bytes.LastIndex(before, []byte("echo ")), bytes.LastIndex(before, []byte("printf ")))
	if n < 0 || bytes.IndexByte(before[n:], '\n') >= 0 {
		return
	}
	word := bytes.TrimRight(before[n:], " ")
	from := max(0, i-window) + n + bytes.LastIndexByte(word, ' ') + 1
	if bytes.Contains(command, []byte("chpasswd")) {
		s.userPassword(from, ':')
		return
	}
	from += len(s.quoteAt(from))
	v := bytes.TrimRight(s.text[from:max(from, max(0, i-window)+n+len(word))], "\"'`")
	if len(v) > 3 && !fillsIn(v) && !isPlaceholder(v) && v[0] != '-' && v[0] != '%' {
		s.add("flag", from, from+len(v))
	}
}

// plainText judges a literal at from as a password that somebody has chosen.
func (s *scanner) plainText(from int) {
	from = s.skipSpaces(from)
	quote := s.quoteAt(from)
	from += len(quote)
	rest := s.text[from:min(len(s.text), from+window)]
	if n := bytes.Index(rest, []byte(quote)); quote != "" && n > 3 {
		if v := rest[:n]; !fillsIn(v) && !isPlaceholder(v) && bytes.IndexByte(v, '\n') < 0 {
			s.add("flag", from, from+n)
		}
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
