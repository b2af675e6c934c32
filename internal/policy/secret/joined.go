package secret

import "bytes"

// joined finds the secrets that a text holds in pieces: in literals that a program puts together ("ghp_abc" + "def", or one below the other), and in lines that go on behind a
// backslash. Each such line, with those that it goes on in, is looked at as what it comes to.
func (s *scanner) joined() {
	for k := 0; k < len(s.seams); {
		line := joint{begin: s.lineOf(s.seams[k].start)}
		from := line.begin
		for ; k < len(s.seams); k++ {
			gap := s.seams[k]
			if gap.start < from { // it is in another one
				continue
			}
			if len(line.pieces) > 0 && bytes.IndexByte(s.text[from:gap.start], '\n') >= 0 {
				break
			}
			line.text = append(line.text, s.text[from:gap.start]...)
			line.pieces = append(line.pieces, piece{len(line.text), gap.end})
			from = gap.end
		}
		end := len(s.text)
		if n := bytes.IndexByte(s.text[from:], '\n'); n >= 0 {
			end = from + n
		}
		line.text = append(line.text, s.text[from:end]...)
		s.look(&line)
	}
}

// lineOf is where the line begins that i is in, or the one above it that says what it is: NAME = (
func (s *scanner) lineOf(i int) int {
	begin := bytes.LastIndexByte(s.text[:i], '\n') + 1
	above := bytes.TrimRight(s.text[max(0, begin-4*window):begin], " \r\n")
	if len(above) > 0 && bytes.IndexByte([]byte("=:("), above[len(above)-1]) >= 0 {
		return max(0, begin-4*window) + bytes.LastIndexByte(above, '\n') + 1
	}
	return begin
}

// joint is a line without what stood between its pieces.
type joint struct {
	text   []byte
	begin  int // where it begins in the text
	pieces []piece
}

// piece is where all pieces but the first begin: in the line, and in the text.
type piece struct{ at, text int }

// place is where a byte of the line stood in the text.
func (j *joint) place(i int) int {
	for k := len(j.pieces) - 1; k >= 0; k-- {
		if p := j.pieces[k]; i >= p.at {
			return p.text + i - p.at
		}
	}
	return j.begin + i
}

// look finds the secrets of a line.
func (s *scanner) look(line *joint) {
	whole := scanner{text: line.text, dash: -1}
	whole.scan()
	for _, f := range whole.found {
		s.add(f.Rule, line.place(f.Start), line.place(f.End-1)+1)
	}
}

// longestSeam is more than programs indent by.
const longestSeam = 64

// seam notes what stands between a piece that ends at i, where a literal ends or a backslash stands, and the next one.
func (s *scanner) seam(i int) {
	if end := s.nextPiece(i); end > 0 {
		s.seams = append(s.seams, span{i, end})
	}
}

// nextPiece is where the next piece begins behind the one that ends at i; 0 if nothing goes on there.
func (s *scanner) nextPiece(i int) int {
	if s.text[i] != '\\' {
		return s.nextLiteral(i + 1)
	}
	if i == 0 || !valueChars[s.text[i-1]] || s.skipBreak(i+1) == i+1 {
		return 0 // what is behind a space and a backslash is another word
	}
	end := s.run(s.skipBreak(i+1), &blanks, longestSeam)
	if end < len(s.text) && valueChars[s.text[end]] {
		return end
	}
	return 0
}

var blanks = classOf(" \t")

// nextLiteral is where the literal's text begins that is put to the one before from: behind a sign that joins them, or in a line below it; 0 if none is.
func (s *scanner) nextLiteral(from int) int {
	joins := false
	for end := from; end < min(len(s.text), from+longestSeam); end++ {
		switch c := s.text[end]; {
		case c == '\n' || c == '+' || c == '.':
			joins = true
		case isSpace(c) || c == '\\' && s.skipBreak(end+1) > end+1:
		case joins && isQuote(c):
			return end + 1
		case joins && isLetter(c) && end+1 < len(s.text) && isQuote(s.text[end+1]): // b"…", f"…"
			return end + 2
		default:
			return 0
		}
	}
	return 0
}
