package prompt

// Tokens estimates how many tokens a text is: one for six letters of a word, for each digit, for two signs, and for white space that is more than the blank before a word. Held against the
// tokenizer of Qwen2.5 that is from as many to a quarter more, for prose, for code, and for the lists of numbers in what tests print, of which a count of bytes sees little more than half.
func Tokens(text string) int {
	n, run, last := 0, 0, nowhere
	end := func(next byteKind) {
		switch {
		case last == letters:
			n += (run + 5) / 6
		case last == signs:
			n += (run + 1) / 2
		case last == digits:
			n += run
		case last == blanks && (run > 1 || next == digits), last == breaks: // a blank belongs to the word behind it, and to no number
			n++
		}
		run = 0
	}
	for i := range len(text) {
		k := kindOf(text[i])
		if k != last && (last != breaks || k != blanks) { // the blanks that begin a line belong to its break
			end(k)
			last = k
		}
		run++
	}
	end(nowhere)
	return n
}

type byteKind uint8

const (
	nowhere byteKind = iota
	letters
	digits
	blanks
	breaks
	signs // and the bytes of other scripts
)

func kindOf(c byte) byteKind {
	switch {
	case 'a' <= c|0x20 && c|0x20 <= 'z':
		return letters
	case '0' <= c && c <= '9':
		return digits
	case c == ' ' || c == '\t' || c == '\r':
		return blanks
	case c == '\n':
		return breaks
	}
	return signs
}
