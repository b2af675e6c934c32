package shell

import "strings"

// A squeezed text is one in which signs beyond ASCII stand for two signs each, which may be such again: those that come next to one another most often in all the texts
// that were squeezed together (byte pair encoding; Gage 1994). What the guard's hook knows of programs takes half the room so, and a program that a command names is
// spelled out in microseconds.
const (
	firstPair = 0x80 // the sign of the first pair
	asItIs    = 0xff // before a byte that stands for itself, whatever it is
	mostPairs = asItIs - firstPair
	leastUse  = 4 // how often two signs come together that are worth a pair
)

// Squeeze squeezes texts. Each pair is two bytes of pairs.
func Squeeze(texts []string) (pairs string, squeezed []string) {
	for _, text := range texts {
		var b strings.Builder
		for i := range len(text) {
			if text[i] >= firstPair {
				b.WriteByte(asItIs)
			}
			b.WriteByte(text[i])
		}
		squeezed = append(squeezed, b.String())
	}
	var all strings.Builder
	for n := range mostPairs {
		pair, use := commonest(squeezed)
		if use < leastUse {
			break
		}
		all.WriteString(pair)
		for i, text := range squeezed {
			squeezed[i] = joined(text, pair, byte(firstPair+n))
		}
	}
	return all.String(), squeezed
}

// commonest is the pair of signs that comes most often, and how often.
func commonest(texts []string) (pair string, use int) {
	count := map[string]int{}
	for _, text := range texts {
		for i := 0; i+1 < len(text); i++ {
			switch {
			case text[i] == asItIs:
				i++
			case text[i+1] != asItIs:
				count[text[i:i+2]]++
			}
		}
	}
	for p, n := range count {
		if n > use || n == use && p < pair {
			pair, use = p, n
		}
	}
	return pair, use
}

// joined is a text with one sign for each pair.
func joined(text, pair string, by byte) string {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == asItIs:
			b.WriteString(text[i : i+2])
			i++
		case strings.HasPrefix(text[i:], pair):
			b.WriteByte(by)
			i++
		default:
			b.WriteByte(text[i])
		}
	}
	return b.String()
}

// loosen is what a text was before it was squeezed.
func loosen(pairs, squeezed string) string {
	out := make([]byte, 0, 3*len(squeezed))
	for i := 0; i < len(squeezed); i++ {
		if squeezed[i] == asItIs {
			i++
			out = append(out, squeezed[i])
		} else {
			out = spell(out, pairs, squeezed[i])
		}
	}
	return string(out)
}

// spell appends what a sign stands for.
func spell(out []byte, pairs string, sign byte) []byte {
	if sign < firstPair {
		return append(out, sign)
	}
	at := 2 * int(sign-firstPair)
	return spell(spell(out, pairs, pairs[at]), pairs, pairs[at+1])
}
