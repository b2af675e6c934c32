package secret

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

// telegram finds a bot's token: its number, ":A", and 34 more; i is at the colon.
func (s *scanner) telegram(i int) {
	if !s.has(i, ":A") {
		return
	}
	start := s.digitsBefore(i, 16)
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

var azureChars = classOf(digits + lower + upper + "_~.-")
