package secret

import (
	"bytes"
	"encoding/base64"
)

// azure finds a client secret of Microsoft Entra: three characters, a digit, "Q~", and 31 to 34 more; i is at the tilde.
func (s *scanner) azure(i int) {
	if i < 5 || s.text[i-1] != 'Q' || !isDigit(s.text[i-2]) {
		return
	}
	start := i - 5
	end := s.run(i+1, &azureChars, 35)
	if n := end - i - 1; n >= 31 && n <= 34 && s.run(start, &azureChars, 3) == start+3 && (start == 0 || !isWord(s.text[start-1])) && distinct(s.text[i:end]) >= 10 {
		s.add("azure", start, end)
	}
}

// numbered tries the rules for what stands behind a colon and a number, or has one behind it; i is at the colon.
func (s *scanner) numbered(i int) {
	if i == 0 || i+1 >= len(s.text) {
		return
	}
	if c := s.text[i+1]; isDigit(c) || c == '*' {
		s.pgpass(i)
	}
	if isDigit(s.text[i-1]) {
		s.telegram(i)
		s.asana(i)
	}
}

// asana finds a personal token: 1/, a number, and 32 hex digits behind a colon, or a longer one with two numbers; i is at the colon.
func (s *scanner) asana(i int) {
	end := s.run(i+1, &hexDigits, 33)
	if end != i+33 || end < len(s.text) && isWord(s.text[end]) || distinct(s.text[i+1:end]) < 6 {
		return
	}
	start := i
	for start > 0 && i-start < 48 && (isDigit(s.text[start-1]) || s.text[start-1] == '/') {
		start--
	}
	if v := s.text[start:i]; len(v) > 14 && (v[0] == '1' || v[0] == '2') && v[1] == '/' {
		s.add("asana", start, end)
	}
}

// telegram finds a bot's token: its number, ":A", and 34 more, also in an address of its calls; i is at the colon.
func (s *scanner) telegram(i int) {
	if !s.has(i, ":A") {
		return
	}
	start := i
	for start > 0 && isDigit(s.text[start-1]) && i-start <= 16 {
		start--
	}
	if start > 0 && isWord(s.text[start-1]) && !s.endsWith(start, "/bot") {
		return
	}
	if n := i - start; n < 5 || n > 16 || s.run(i+1, &tokenChars, 36) != i+36 || random(s.text[i+1:i+36]) < 0.25 {
		return
	}
	s.add("telegram", start, i+36)
}

// facebook finds an app's access token: its number, "|", and 27 more; i is at the bar.
func (s *scanner) facebook(i int) {
	start := s.digitsBefore(i, 16)
	if n := i - start; n < 15 || n > 16 || i+28 > len(s.text) || s.run(i+1, &tokenChars, 28) != i+28 || random(s.text[i+1:i+28]) < 0.25 {
		return
	}
	s.add("facebook", start, i+28)
}

// digitsBefore is where the digits begin that end before i, at most limit of them; i where there are more, or they are the end of a word.
func (s *scanner) digitsBefore(i, limit int) int {
	start := i
	for start > 0 && isDigit(s.text[start-1]) && i-start <= limit {
		start--
	}
	if start > 0 && isWord(s.text[start-1]) {
		return i
	}
	return start
}

// mailchimp finds a key: 32 hex digits, and where its account is kept behind a hyphen, at which i is.
func (s *scanner) mailchimp(i int) {
	start := i - 32
	if start < 0 || !s.has(i, "-us") || i+3 >= len(s.text) || !isDigit(s.text[i+3]) || s.run(start, &hexDigits, 32) != i || start > 0 && isWord(s.text[start-1]) || distinct(s.text[start:i]) < 6 {
		return
	}
	s.add("mailchimp", start, s.run(i+3, &numberChars, 2))
}

var azureChars = classOf(digits + lower + upper + "_~.-")

// discordNumbers are what the number of an account begins with in base64: that of its bot begins the bot's token.
var discordNumbers = []string{"MD", "MT", "Mj", "Mz", "ND", "NT", "Nj", "Nz", "OD", "OT"}

// discord finds a bot's token: the number of its account in base64, a time, and a signature, with dots between; i is where a word begins.
func (s *scanner) discord(i int) {
	number := s.run(i, &tokenChars, 32)
	if !s.has(number, ".") || s.run(number+1, &tokenChars, 7) != number+7 || !s.has(number+7, ".") {
		return
	}
	end := s.run(number+8, &tokenChars, 48)
	plain, err := base64.RawURLEncoding.DecodeString(string(s.text[i:number]))
	if err == nil && len(plain) >= 15 && len(bytes.Trim(plain, digits)) == 0 && end-number-8 >= 27 {
		s.add("discord", i, end)
	}
}

// putty finds the lines of a private key of PuTTY's, which say how many they are; i is at the colon.
func (s *scanner) putty(i int) {
	if !s.endsWith(i, "private-lines") {
		return
	}
	lines, end := 0, s.skipSpaces(i+1)
	for ; end < len(s.text) && isDigit(s.text[end]) && lines < maxPEM; end++ {
		lines = lines*10 + int(s.text[end]-'0')
	}
	begin := s.skipBreak(end)
	for ; lines > 0 && s.skipBreak(end) > end; lines-- {
		end = s.run(s.skipBreak(end), &base64Chars, window)
	}
	if end-begin >= 32 {
		s.add("putty", begin, end)
	}
}

// skipBreak is where the line begins behind the one that ends at i; i if none ends there.
func (s *scanner) skipBreak(i int) int {
	switch {
	case s.has(i, "\r\n"):
		return i + 2
	case s.has(i, "\n"):
		return i + 1
	}
	return i
}

// account reports a literal that names an account of Twilio's, behind which a program writes its password.
func account(name []byte) bool {
	return len(name) == len("AC")+32 && bytes.HasPrefix(name, []byte("AC")) && isLongHex(name[len("AC"):])
}
