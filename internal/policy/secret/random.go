package secret

// random is how much of a value looks as if it had been drawn and not written, from 0 to 1: the share of its neighbouring
// characters that hardly ever stand side by side in names and words, or where letters and digits take turns. What people
// write has less than a quarter of these, what machines draw from letters and digits has more than a third.
func random(v []byte) float64 {
	odd, pairs := 0, 0
	for i := 1; i < len(v); i++ {
		a, b := v[i-1], v[i]
		switch {
		case isLetter(a) && isLetter(b):
			pairs++
			if usual[a&31]&(1<<(b&31)) == 0 {
				odd++
			}
		case isLetter(a) && isDigit(b), isDigit(a) && isLetter(b):
			pairs++
			odd++
		case isWord(a) && isWord(b):
			pairs++
		}
	}
	if pairs == 0 {
		return 0
	}
	return float64(odd) / float64(pairs)
}

// Drawn reports whether a value looks as if a machine had made it: what people write down for an example has words in it.
func Drawn(v []byte) bool { return looksDrawn(v) || random(v) >= 0.3 }

// usual says, for each letter, which may follow it: the pairs that make up 95 of 100 in the words of names in source code.
var usual = func() (t [32]uint32) {
	for _, row := range []string{
		"abcdfgiklmnpqrstuvwxy", "baceijlorsuy", "cacdeghiklmorstuy", "dacdefilorsuvy", "eabcdefgilmnopqrstuvwxy", "facefilorstuy",
		"gaceghilnorsu", "haeiortu", "iabcdefglmnoprstvxz", "joe", "kaeis", "labcdeilopstuy", "mabdeilmopstu", "nacdefgiklmnostuv",
		"oabcdfgiklmnoprstuvw", "pacehiloprstu", "qu", "racdefgiklmnoprstuvy", "sacefhiklmnopstuwy", "tacdefhilmoprstuwy",
		"uabcdefgilmnoprst", "vaeio", "waehinors", "xceipt", "yemnps", "ze",
	} {
		for i := 1; i < len(row); i++ {
			t[row[0]&31] |= 1 << (row[i] & 31)
		}
	}
	return t
}()

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
func isDigit(c byte) bool  { return '0' <= c && c <= '9' }
