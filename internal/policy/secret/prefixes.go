package secret

import "bytes"

// prefix is a kind of token whose issuer begins all of them in the same way.
type prefix struct {
	rule  string
	text  string
	chars *class
	form  form  // instead of chars and min: what follows has parts
	min   uint8 // characters after the prefix; exactly so many when fixed
	fixed bool
	sure  bool // prefix and length leave no doubt, whatever follows
	mixed bool // the prefix is weak: the rest must hold digits, lower and upper case, or be long hex
}

// issuers are the kinds of tokens by what they begin with: chains of those that share a place, in the order in which they are tried. It is made whenever the program
// starts, and so of two pieces of memory.
type issuers struct {
	first [1 << 10]uint16 // the first link of a place; 0: none
	links []link          // the first one is none
}

type link struct {
	kind *prefix
	next uint16
}

func issuersAt(three [3]byte) uint16 { return tripleAt(three[0], three[1], three[2]) * 0x9e37 >> 6 }

var (
	// byBeginning are the kinds of tokens by the three bytes that they begin with; behind one of two stands any of its class. Others may share a place with them.
	byBeginning issuers
	// beginnings holds what the words begin with that a rule looks at. Nearly every word of a text is told by that alone.
	beginnings triples
)

func init() {
	byBeginning.links = make([]link, 1, 4*(len(prefixes)+len(morePrefixes)))
	for _, list := range [][]prefix{morePrefixes, prefixes} { // from the end, as each goes before what is there
		for i := len(list) - 1; i >= 0; i-- {
			eachBeginning(list[i].text, list[i].chars, func(three [3]byte) {
				byBeginning.add(three, &list[i])
				beginnings.add(three)
			})
		}
	}
	for _, h := range hooks {
		eachBeginning(h.before, nil, beginnings.add)
	}
	for _, number := range discordNumbers {
		eachBeginning(number, &tokenChars, beginnings.add)
	}
	eachBeginning("eyJ", nil, beginnings.add)
	eachBeginning("0x", &hexChars, beginnings.add)
}

// add puts a kind before what shares its place.
func (k *issuers) add(three [3]byte, kind *prefix) {
	at := issuersAt(three)
	k.links = append(k.links, link{kind, k.first[at]})
	k.first[at] = uint16(len(k.links) - 1)
}

// eachBeginning gives the three bytes that a text begins with; behind one of two bytes any of a class.
func eachBeginning(text string, then *class, give func([3]byte)) {
	if len(text) > 2 {
		give([3]byte{text[0], text[1], text[2]})
		return
	}
	for c, in := range then {
		if in {
			give([3]byte{text[0], text[1], byte(c)})
		}
	}
}

// triples is a set of three bytes, or nearly: a few others share a place with one that is in it.
type triples [1 << 16 / 64]uint64

func tripleAt(a, b, c byte) uint16 { return (uint16(a)<<8 | uint16(b)) ^ uint16(c)*0x9e5 }

func (t *triples) add(three [3]byte) {
	n := tripleAt(three[0], three[1], three[2])
	t[n/64] |= 1 << (n % 64)
}

func (t *triples) has(a, b, c byte) bool {
	n := tripleAt(a, b, c)
	return t[n/64]&(1<<(n%64)) != 0
}

// glued are the kinds of tokens that are found behind other letters of the same word, too: their beginning, that many characters and none between them but letters and digits
// make a name of a program's improbable, and what comes after must look drawn. Those with a hyphen are no word.
var glued = func() (t []prefix) {
	for _, p := range prefixes {
		switch p.text {
		case "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "npm_":
			p.chars, p.min, p.mixed = &alnumChars, 36, true
		case "github_pat_":
			p.mixed = true
		default:
			continue
		}
		t = append(t, p)
	}
	return t
}()

// shortestGlued is how long a word is in which one of them stands behind another letter, at the least.
const shortestGlued = len("ghp_") + 36

// window is how many bytes a rule looks at to decide. What is longer is taken whole once it is decided. It keeps the work
// linear where a text repeats a prefix for ever.
const window = 128

// prefixed is the end of a token of that kind that begins at i, or 0.
func (s *scanner) prefixed(i int, p *prefix) int {
	if !s.has(i, p.text) {
		return 0
	}
	from := i + len(p.text)
	if p.form != "" {
		if end := s.formed(from, p.form); end > 0 && hasDigit(s.text[from:end]) && !s.unlikely(i, end, p) {
			return end
		}
		return 0
	}
	least := int(p.min)
	end := s.run(from, p.chars, window)
	rest := s.text[from:end]
	if len(rest) < least || p.fixed && len(rest) != least || !p.sure && s.unlikely(i, end, p) {
		return 0
	}
	end = s.run(end, p.chars, 0)
	for end > from+least && s.text[end-1] == '.' { // the end of a sentence
		end--
	}
	return end
}

// unlikely reports whether what has the form of a token of that kind, from i to end, is none.
func (s *scanner) unlikely(i, end int, p *prefix) bool {
	rest := s.text[i+len(p.text) : end]
	switch {
	case distinct(rest) < 6, isPlaceholder(rest), isTyped(rest):
		return true
	case !hasDigit(rest) && random(rest) < 0.25: // words: sk-proj-put_your_own_key_here
		return true
	case !hasLetter(rest): // who draws from letters and digits draws some of each: these are numbers before a part that is masked or cut off
		return true
	case i > 0 && s.text[i-1] == '.' && end < len(s.text) && s.text[end] == '.': // within a file's name: favicon.ico-CHECKSUM.png
		return true
	case !p.mixed:
		return false
	case i > 0 && (s.text[i-1] == '+' || s.text[i-1] == '/'), s.goesOn(i): // the middle of base64
		return true
	}
	if isLongHex(rest) {
		return len(bytes.Trim([]byte(p.text), "0123456789abcdefABCDEF")) == 0 // all of it is hex
	}
	return !isMixed(rest) || random(rest) < 0.1
}

// goesOn reports a line at i before which one stands that is full of base64.
func (s *scanner) goesOn(i int) bool {
	const full = 60
	return i > full && s.text[i-1] == '\n' && s.run(i-1-full, &base64Chars, full) == i-1
}
