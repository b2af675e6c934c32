package hook

import (
	"slices"
	"strings"
)

// The kinds of style.
const (
	spaces  = "white space"
	ends    = "semicolons"
	commas  = "trailing commas"
	quoting = "quotes"
)

var (
	// script are the languages in which quotes, semicolons at the ends of lines and trailing commas may be written in more than one way.
	script = []string{".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx"}
	// broken are those in which a line may end anywhere between two words.
	broken = []string{".java", ".rs", ".c", ".h", ".cc", ".cpp", ".hpp", ".cs"}
	// lined are the others in which a line's end may end a statement.
	lined = []string{".py", ".go", ".kt", ".swift", ".scala"}
)

// Words of JavaScript behind or before which the end of a line, or a slash, is another thing than elsewhere.
const (
	heads      = " if for while with await "
	bodies     = " else do "
	restricted = " return break continue throw yield async "
	joined     = " else catch finally while "
	objects    = " import export const let var return default case in of yield await throw "
	operators  = restricted + bodies + " typeof case in of delete void new instanceof await "
)

// tokens writes a text of code so that all of the same words are the same, however they are laid out. Texts and comments stay as they are.
type tokens struct {
	ext      string
	py       bool
	scripted bool // in one of script
	broken   bool
	but      string // the kind of style that counts all the same
	out      []byte
	last     byte   // of the last word or sign
	word     string // the last word, or sign
	gap      string // the white space behind it; a comment counts as such
	comma    bool   // one has come that may be left out
	semi     bool   // the end of a statement has
	headed   bool   // the bracket behind if, while or the like has just been closed
	open     []bracket
	levels   []int // the indentations around, in a language where these say what belongs to what
	lost     bool  // it cannot be told what is code
}

// bracket is one that is open.
type bracket struct {
	sign        byte
	head, comma bool // it stands behind if, while or the like; a comma stands in it
	object      bool // it begins no block
}

// plainCode is a text of code without its style, but for that of one kind; false: what is style in it cannot be told.
func plainCode(ext, text, but string) (string, bool) {
	t := tokens{ext: ext, py: ext == ".py", scripted: slices.Contains(script, ext), broken: slices.Contains(broken, ext), but: but}
	for i := 0; i < len(text) && !t.lost; {
		i += max(t.next(text[i:]), 1)
	}
	t.pay(0)
	return string(t.out), !t.lost
}

// next takes the next word, sign, text, comment or white space, and says how long it is.
func (t *tokens) next(rest string) int {
	n := len(rest) - len(strings.TrimLeft(rest, " \t\r\n"))
	if n > 0 {
		t.gap += rest[:n]
		return n
	}
	if n = t.aside(rest); n > 0 || t.lost {
		return n
	}
	if strings.IndexByte("\"`'", rest[0]) >= 0 {
		n = t.text(rest)
	}
	if n > 0 && !t.lost {
		t.put(t.quoted(rest[:n]))
		return n
	}
	for n < len(rest) && wordByte(rest[n]) {
		n++
	}
	if n > 0 && !t.lost {
		t.put(rest[:n])
		return n
	}
	return t.sign(rest)
}

// aside takes a comment, or a line that stays as it is: one for a preprocessor, or what follows the beginning of a pattern.
func (t *tokens) aside(rest string) (n int) {
	c := rest[0]
	switch {
	case t.py && c == '#', !t.py && strings.HasPrefix(rest, "//"):
		line, _, _ := strings.Cut(rest, "\n")
		t.comment(strings.TrimRight(line, " \t\r") + "\n")
		return len(line)
	case t.py:
	case strings.HasPrefix(rest, "/*"):
		if n = strings.Index(rest, "*/") + 2; n < 4 {
			t.lost = true
			return n
		}
		t.comment(rest[:n])
		return n
	case c == '\\':
		t.lost = true
	case c == '#' && t.broken && t.ext != ".rs", c == '/' && t.scripted && !t.divides():
		line, _, _ := strings.Cut(rest, "\n")
		t.lost = strings.Contains(line, "/*") || strings.HasSuffix(line, `\`) || strings.Contains(line, "`")
		t.put("\n" + line + "\n")
		return len(line)
	}
	return 0
}

// top is the innermost bracket that is open.
func (t *tokens) top() (in bracket) {
	if len(t.open) > 0 {
		in = t.open[len(t.open)-1]
	}
	return in
}

// sign takes a sign.
func (t *tokens) sign(rest string) int {
	c, top := rest[0], t.top()
	for _, two := range []string{"++", "--", "=>"} {
		if strings.HasPrefix(rest, two) {
			t.put(two)
			return 2
		}
	}
	if t.later(c, top) {
		return 1
	}
	object := t.last != 0 && strings.IndexByte("=(,:?[&|.", t.last) >= 0 || among(objects, t.word)
	head := t.scripted && c == '(' && among(heads, t.word)
	t.put(rest[:1])
	if strings.IndexByte("([{", c) >= 0 {
		t.open = append(t.open, bracket{sign: c, head: head, object: object})
	} else if strings.IndexByte(")]}", c) >= 0 {
		t.open, t.headed = t.open[:max(len(t.open)-1, 0)], top.head
	}
	return 1
}

// later reports a sign of which only what follows says whether it counts.
func (t *tokens) later(c byte, top bracket) bool {
	switch {
	case t.semi || t.comma:
		return false
	case c == ';':
		t.semi = t.scripted && t.but != ends && top.sign != '(' && !top.object
	case c == ',':
		t.comma = t.but != commas && (t.ext != ".go" || !strings.Contains(t.gap, "\n"))
	}
	return t.semi || t.comma
}

// divides reports that a slash behind what came last divides, and begins no pattern.
func (t *tokens) divides() bool {
	return wordByte(t.last) && !among(operators, t.word) || (t.last == ')' || t.last == ']') && !t.headed
}

// comment writes a comment, which stands for white space.
func (t *tokens) comment(text string) {
	switch {
	case t.but == spaces:
		t.write(t.gap)
		t.gap = ""
	case strings.Contains(t.gap, "\n"):
		t.write("\n") // what it is about is another thing then
	}
	t.write(text)
	if strings.Contains(text, "\n") {
		t.gap += "\n"
	} else {
		t.gap += " "
	}
}

// among reports one of the words of a list.
func among(list, word string) bool { return strings.Contains(list, " "+word+" ") }

// put writes a word, a sign or a text, and before it what the white space there means.
func (t *tokens) put(token string) {
	c := token[0]
	t.pay(c)
	if t.but == spaces {
		t.write(t.gap)
	} else {
		t.space(token)
	}
	t.write(token)
	if i := len(t.open) - 1; i >= 0 && t.py && among(" lambda for ", token) {
		t.open[i].head = true // a comma in it may be another's
	}
	t.last, t.word, t.gap, t.semi, t.headed = token[len(token)-1], token, "", false, false
}

// pay writes a comma that has come, unless it is one that may be left out before what closes its bracket.
func (t *tokens) pay(next byte) {
	if !t.comma {
		return
	}
	t.comma = false
	i := len(t.open) - 1
	if i >= 0 && strings.IndexByte(")]}", next) >= 0 {
		below := strings.Contains(t.gap, "\n")
		switch {
		case t.scripted && below && (next != '}' || t.open[i].object) && !t.open[i].head && strings.IndexByte(",([{", t.last) < 0, t.ext == ".go" && below,
			(t.py || t.ext == ".rs") && below && t.open[i].comma && !t.open[i].head: // one alone makes a tuple
			if t.ext == ".go" && t.but != spaces {
				t.gap = "" // it was there for the comma alone
			}
			return
		}
	}
	if i >= 0 {
		t.open[i].comma = true
	}
	t.write(",")
	t.last, t.word = ',', ","
}

// space writes what the white space before a token means: the end of a line or of a statement, another indentation, or that two words are two.
func (t *tokens) space(token string) {
	c, below, top := token[0], strings.Contains(t.gap, "\n"), t.top().sign
	line := false
	switch {
	case t.scripted:
		line = t.statement(token, below)
	case t.py && t.last == '\\': // the line goes on, if the next one is not empty
		t.write(t.gap[:strings.LastIndexByte(t.gap, '\n')+1])
	case t.py && top == 0 && (below || len(t.levels) == 0):
		t.indent()
	case t.ext == ".go":
		line = below && t.whole()
	case !t.py && !t.broken:
		line = below && strings.IndexByte("([", top) < 0 && strings.IndexByte("{,", t.last) < 0 && c != '}'
	}
	switch {
	case line:
		t.write("\n")
		if t.ext == ".scala" {
			t.write(t.gap[strings.LastIndexByte(t.gap, '\n')+1:])
		}
	case t.gap != "" && t.last != 0 && apart(t.last, c):
		t.write(" ")
	}
}

// whole reports that a statement may end with the last word.
func (t *tokens) whole() bool {
	return wordByte(t.last) || t.last != 0 && strings.IndexByte("\"'`)]}", t.last) >= 0 || t.word == "++" || t.word == "--"
}

// statement reports that another statement of JavaScript begins with a token, or may: the end of a line is none where the line goes on.
func (t *tokens) statement(token string, below bool) bool {
	c := token[0]
	body := t.headed || among(bodies, t.word)
	switch {
	case t.semi && body:
		t.write(";") // an empty one
		return false
	case t.semi:
		return c != '}'
	case !below:
		return false
	case among(restricted, t.word), token == "++", token == "--", token == "=>":
		return true
	}
	return t.whole() && !body && (wordByte(c) || strings.IndexByte("\"'!~@#", c) >= 0) && (t.last != '}' || !among(joined, token))
}

// write adds to what is written.
func (t *tokens) write(text string) { t.out = append(t.out, text...) }

// indent writes the end of a line of Python's, and how much deeper the next one is.
func (t *tokens) indent() {
	width, in := 0, t.gap[strings.LastIndexByte(t.gap, '\n')+1:]
	t.lost = t.lost || strings.Contains(in, " ") && strings.Contains(in, "\t")
	for _, c := range in {
		if c == '\t' {
			width |= 7
		}
		width++
	}
	t.write("\n")
	n := len(t.levels)
	switch {
	case n == 0:
		t.levels = []int{width}
		t.write(strings.Repeat(" ", width))
	case width > t.levels[n-1]:
		t.levels = append(t.levels, width)
		t.write(">")
	default:
		for ; n > 0 && width < t.levels[n-1]; n-- {
			t.write("<")
		}
		t.levels = t.levels[:n]
		t.lost = t.lost || n == 0 || width != t.levels[n-1]
	}
}

// apart reports that white space between two letters or signs means something: these would be one word, another sign, another number or another kind of text without it.
func apart(last, next byte) bool {
	const single = "(){}[],;" // nothing becomes another sign beside one of these
	word := func(c byte) bool { return wordByte(c) || strings.IndexByte("\"'`", c) >= 0 }
	digit := func(c byte) bool { return c >= '0' && c <= '9' }
	switch {
	case word(last) || word(next):
		return word(last) && word(next) || last == '.' && digit(next) || next == '.' && digit(last)
	case strings.IndexByte(single, last) >= 0, strings.IndexByte(single, next) >= 0:
		return last == ':' || next == ':'
	}
	return true
}

func wordByte(c byte) bool {
	return c == '_' || c == '$' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

// text is how long the text is with which this begins; none: it is a sign alone, as in a lifetime of Rust's.
func (t *tokens) text(rest string) int {
	quote := rest[:1]
	chars := quote == "'" && !t.scripted && !t.py
	if t.gap == "" && !chars && (strings.IndexByte("@#", t.last) >= 0 || t.last|0x20 == 'r' && t.broken) {
		t.lost = true // a raw text
		return 0
	}
	if long := strings.Repeat(quote, 3); !t.scripted && !chars && strings.HasPrefix(rest, long) {
		quote = long
	}
	n := closing(rest, quote, t.ext != ".go" || quote != "`")
	switch {
	case chars && (n < 3 || n > 3 && rest[1] != '\\' && rest[1] < 0x80):
		return 0
	case n == 0 || t.holds(rest[len(quote):n-len(quote)]):
		t.lost = true
		return 0
	}
	return n
}

// closing is where a text ends that begins with a quote; none: it does not.
func closing(rest, quote string, escapes bool) int {
	for n := len(quote); n < len(rest); n++ {
		switch {
		case escapes && rest[n] == '\\':
			n++
		case strings.HasPrefix(rest[n:], quote):
			return n + len(quote)
		case rest[n] == '\n' && len(quote) == 1 && quote != "`":
			return 0
		}
	}
	return 0
}

// holds reports a text in which code may stand that has texts itself: where it ends cannot be told.
func (t *tokens) holds(body string) bool {
	uneven := func(pair string) bool { return strings.Count(body, pair[:1]) != strings.Count(body, pair[1:]) }
	switch {
	case t.scripted:
		return strings.Contains(body, "${") && uneven("{}")
	case t.py:
		return t.gap == "" && len(t.word) <= 2 && strings.ContainsAny(t.word, "fFtT") && uneven("{}")
	}
	return among(" .kt .swift .scala .cs ", t.ext) && (uneven("{}") || uneven("()"))
}

// quoted is a text with the quotes that are written for both kinds, where both may stand.
func (t *tokens) quoted(text string) string {
	n := 1
	if len(text) >= 6 && text[1] == text[0] {
		n = 3
	}
	body := text[n : len(text)-n]
	if t.but == quoting || text[0] == '`' || !t.py && !t.scripted || strings.ContainsAny(body, `"'\`) {
		return text
	}
	return strings.Repeat(`"`, n) + body + strings.Repeat(`"`, n)
}
