package shell

import "strings"

// A squeezed text is one in which signs beyond ASCII stand for several bytes each: for two signs that come next to one another most often in all the texts that were
// squeezed together, which may be such again (byte pair encoding; Gage 1994). What the guard's hook knows of programs takes half the room so, and a program that a
// command names is spelled out in microseconds.
const (
	firstSign = 0x80 // the sign of the first pair
	asItIs    = 0xff // before a byte that stands for itself, whatever it is
	mostSigns = asItIs - firstSign
	leastUse  = 4 // how often two signs come together that are worth one of their own
)

// Squeeze squeezes texts, and says what each sign stands for, in their order.
func Squeeze(texts []string) (signs, squeezed []string) {
	for _, text := range texts {
		var b strings.Builder
		for i := range len(text) {
			if text[i] >= firstSign {
				b.WriteByte(asItIs)
			}
			b.WriteByte(text[i])
		}
		squeezed = append(squeezed, b.String())
	}
	for n := range mostSigns {
		pair, use := commonest(squeezed)
		if use < leastUse {
			break
		}
		signs = append(signs, spelled(signs, pair[0])+spelled(signs, pair[1]))
		for i, text := range squeezed {
			squeezed[i] = joined(text, pair, byte(firstSign+n))
		}
	}
	return signs, squeezed
}

// spelled is what a sign stands for.
func spelled(signs []string, sign byte) string {
	if sign < firstSign {
		return string(rune(sign))
	}
	return signs[sign-firstSign]
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

// loosen is what a text was before it was squeezed. What the signs stand for is one text, with where each begins and the last one ends.
func loosen(signs string, at []uint16, squeezed string) string {
	out := make([]byte, 0, 3*len(squeezed))
	for i := 0; i < len(squeezed); i++ {
		switch c := squeezed[i]; {
		case c < firstSign:
			out = append(out, c)
		case c == asItIs:
			i++
			out = append(out, squeezed[i])
		default:
			c -= firstSign
			out = append(out, signs[at[c]:at[c+1]]...)
		}
	}
	return string(out)
}
