package search

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"fettle/internal/code"
	"fettle/internal/pattern"
)

// textLiteral varies a string: another one of the file, another case, parts of it, and puts one between two texts. Nothing comes from the tests.
func textLiteral(s *site, try func(change)) {
	if s.Role == code.Arith {
		s.separate(try)
	}
	s.withTwoDigits(try)
	if s.Role != code.Str || docString(s.Node) {
		return
	}
	lit := s.Text()
	if len(s.Kids) > 0 {
		if s.fact().Family == "Python" {
			s.tryLiterals(otherForms(lit), try)
		}
		return
	}
	i := strings.IndexAny(lit, "\"'`")
	if i < 0 || len(lit) < i+2 || strings.HasPrefix(lit[i:], `"""`) || strings.HasPrefix(lit[i:], "'''") {
		return
	}
	s.tryLiterals(s.otherClock(lit), try)
	s.paddings(lit, try)
	if strings.Contains(lit, `\`) { // no letter that stands for another one is changed
		s.tryLiterals(otherForms(lit), try)
		return
	}
	if s.Parent.Is(code.Case) && strings.Count(s.File.Source, lit) > 1 {
		all := try
		try = func(c change) { c.weight *= writtenTwice; all(c) }
	}
	prefix, mark, text := lit[:i], lit[i:i+1], lit[i+1:len(lit)-1]
	var pool []string
	for _, t := range textVariants(text) {
		pool = append(pool, prefix+mark+t+mark)
	}
	pool = append(pool, s.unit.pool(s.File).literals[code.Str]...)
	if len(text) == 1 { // a separator, most often; nothing at all is another one less often
		pool = append(pool, mark+" "+mark, mark+","+mark, mark+mark)
		slices.SortStableFunc(pool, func(a, b string) int { return cmp.Compare(abs(len(a)-len(lit)), abs(len(b)-len(lit))) })
	} else {
		pool = append(pool, mark+mark, mark+" "+mark, mark+","+mark)
	}
	s.tryLiterals(pool, try)
}

// padded are how Python's format has a number written with zeros before it, by what it is written in.
var padded = map[string][]string{"b": {"08b", "04b", "016b"}, "x": {"02x", "04x", "08x"}, "X": {"02X", "04X", "08X"}, "d": {"02d", "03d", "04d"}, "o": {"03o"}, ".2f": {"05.2f"}}

// paddings write a number with zeros before it, as long as is usual.
func (s *site) paddings(lit string, try func(change)) {
	if s.fact().Family == "Python" && s.Part == code.Arg && s.Parent.Calls() == "format" && s.Prev() != nil {
		for i, form := range padded[lit[1:len(lit)-1]] {
			text := lit[:1] + form + lit[:1]
			try(replace(s.Node, text, 0.9-0.1*float64(i), "%s should be %s: zeros belong before it", quote(lit), quote(text)))
		}
	}
}

// writtenTwice is how likely a case is for another text than the one that the source has elsewhere, too.
const writtenTwice = 0.15

// withTwoDigits shows a whole number with two digits in a text of Python's, as minutes are.
func (s *site) withTwoDigits(try func(change)) {
	if s.fact().Family != "Python" || !s.Is(code.Name, code.Arith, code.Attr) || s.Op == "/" || !s.Parent.Is(code.Str) || s.File.Source[s.End] != '}' || s.of(s.Node).kind&^kInt != 0 {
		return
	}
	if ahead := s.File.Source[s.Parent.Start:s.Start]; strings.Count(ahead, "{")-strings.Count(ahead, "}") == 1 { // and not a width
		try(insert(s.End, ":02d", 0.6, "%s has to be shown with two digits", quote(s.Text())))
	}
}

func abs(n int) int { return max(n, -n) }

func textVariants(text string) []string {
	var out []string
	add := func(t string) {
		if t != text && !slices.Contains(out, t) && !strings.ContainsAny(t, "\"'`\n") {
			out = append(out, t)
		}
	}
	r := []rune(text)
	if n, err := strconv.Atoi(text); err == nil {
		add(strconv.Itoa(n + 1))
		add(strconv.Itoa(n - 1))
	}
	n := len(r)
	if n == 0 {
		return nil
	}
	add(string(unicode.ToUpper(r[0])) + string(r[1:]))
	add(strings.ToUpper(text))
	add(strings.ToLower(text))
	if n > 1 {
		add(string(r[1:]))
		add(string(r[:n-1]))
	}
	if n > 1 && n <= 4 {
		rev := slices.Clone(r)
		slices.Reverse(rev)
		add(string(rev))
	}
	if up := strings.ToUpper(text); up != text && strings.ToLower(text) == text && n <= 32 {
		add(text + up)
	}
	for _, t := range otherForms(text) {
		add(t)
	}
	add(text + " ")
	for _, c := range r[:min(n, 8)] {
		add(text + string(c))
	}
	add(strings.TrimSpace(text))
	return out
}

var (
	shownWhole    = pattern.New(`%(\d*)[dxX]|\{[^{}]*:(\d*)[dxX]\}`)
	shownFraction = pattern.New(`%[\d,+ -]*\.(\d)f|\{[^{}]*:[\d,+ -]*\.(\d)f\}`)
)

// inner is the part of a match that one of its groups found.
func inner(at []int) (from, to int) {
	for i := 2; i < len(at); i += 2 {
		if at[i] >= 0 {
			return at[i], at[i+1]
		}
	}
	return at[0], at[1]
}

// otherForms are a format with one of its numbers shown otherwise: with two or three digits, as minutes, thousandths and bytes are, or with one decimal more or less.
func otherForms(text string) (out []string) {
	for _, at := range shownWhole.FindAllStringSubmatchIndex(text, -1) {
		from, to := inner(at)
		for _, width := range []string{"02", "03", "04", ""} {
			if width != text[from:to] {
				out = append(out, text[:from]+width+text[to:])
			}
		}
	}
	for _, at := range shownFraction.FindAllStringSubmatchIndex(text, -1) {
		from, to := inner(at)
		digits := text[from] - '0'
		for _, n := range []byte{digits + 1, digits - 1} {
			if n <= 9 {
				out = append(out, text[:from]+string('0'+n)+text[to:])
			}
		}
	}
	return out
}

// missing is how likely a text is missing, against one that is wrong.
const missing = 0.38

// mark is the quotation mark of the file's first text.
func (s *site) mark() string {
	if lits := s.unit.pool(s.File).literals[code.Str]; len(lits) > 0 && strings.HasPrefix(lits[0], "'") {
		return "'"
	}
	return `"`
}

// separate puts something between two texts.
func (s *site) separate(try func(change)) {
	if s.Op != "+" || s.of(s.Node).known() && !s.of(s.Node).is(kText) {
		return
	}
	mark := s.mark()
	w := missing * fits(s.of(s.Node), typ{kind: kText})
	for i, t := range []string{" ", ".", ",", "-", ", ", "_", ":", "/"} {
		try(insert(s.Kid(code.Right).Start, mark+t+mark+" + ", w*(1-0.05*float64(i)), "%s was missing between the two", quote(mark+t+mark)))
	}
}
