package examples

import (
	"math"
	"math/bits"
	"strconv"
	"strings"

	"fettle/internal/audit/parts"
	"fettle/internal/code"
	"fettle/internal/pattern"
)

// Empty stands for a constant without a literal in it: an empty list.
const Empty = "[]"

// Literals are the literals in a node, each in one spelling for all languages. A sign belongs to its number.
func Literals(n *code.Node) []string {
	var out []string
	for k := range n.Walk() {
		if !parts.Literal(k) {
			continue
		}
		text := Normal(k.Text())
		if p := k.Parent; p.Is(code.Unary) && p.Op == "-" && k != n {
			text = "-" + text
		}
		out = append(out, text)
	}
	return out
}

// Normal is a literal in one spelling: texts in double quotes, numbers without what says their type.
func Normal(text string) string {
	switch text {
	case "True", "true":
		return "true"
	case "False", "false":
		return "false"
	case "None", "nil", "null", "undefined":
		return "null"
	}
	if i := strings.IndexAny(text, "'\"`"); i >= 0 && i <= 2 {
		return `"` + strings.Trim(text[i:], "'\"`") + `"`
	}
	number := strings.ReplaceAll(strings.TrimRight(text, "lLfFdDn"), "_", "")
	if f, err := strconv.ParseFloat(number, 64); err == nil {
		return strconv.FormatFloat(f, 'g', -1, 64)
	}
	return text
}

// Weight is how much values say: nothing where every program has them (0, 1, "", true), much where few have.
func Weight(all []string) int {
	sum := 0
	for _, text := range all {
		sum += weigh(text)
	}
	return sum
}

func weigh(text string) int {
	if strings.HasPrefix(text, `"`) {
		return min(max(len(text)-2, 0), 3)
	}
	n, err := strconv.ParseFloat(text, 64)
	switch {
	case err != nil, n == 0, n == 1, n == -1: // true, false, null, an empty list
		return 0
	case n == 2:
		return 1
	case n > 2 && n < 10 && n == float64(int(n)):
		return 2
	}
	return 3
}

// IsDatum reports whether a literal is data: a text of letters and digits, or of several parts; a number that is neither small nor round. Words, names and units are none.
func IsDatum(literal string) bool {
	if text, is := strings.CutPrefix(literal, `"`); is {
		text = strings.TrimSuffix(text, `"`)
		return len(text) > 3 && (lettersAndDigits.MatchString(text) && !wellKnown.MatchString(text) || parted.MatchString(text))
	}
	n, err := strconv.ParseFloat(literal, 64)
	n = math.Abs(n)
	if err != nil || n < 13 || n != math.Trunc(n) || n > math.MaxInt32 {
		return false
	}
	digits := strings.TrimRight(strconv.FormatFloat(n, 'f', -1, 64), "0")
	return len(digits) > 2 && bits.OnesCount(uint(n)) > 1 && bits.OnesCount(uint(n)+1) > 1
}

var (
	lettersAndDigits = pattern.New(`[A-Za-z].*\d.*[A-Za-z]|\d.*[A-Za-z].*\d`)
	parted           = pattern.New(`^[^\s]+(\s[^\s]+){2,}$|\d\s*[-+*/,;:|]\s*\d|[\[({].*[\])}]`)
	// wellKnown matches names with digits in them: of encodings, algorithms, formats, versions.
	wellKnown = pattern.New(`(?i)^(utf|iso|sha|md|base|rs|es|hs|ps|int|uint|float|h\.?|mp|x|v|ipv|http|tls|ssl|ed|aes|rgb|win|cp|latin|gb|big|euc)[-_/. ]?\d|^\d[\d.]*[a-z]*$`)
)
