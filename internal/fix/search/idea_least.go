package search

import "fettle/internal/code"

// leastNumbers are what is taken for the least number that there is, and is the smallest one above 0, and the least one.
var leastNumbers = map[string]string{
	"Double.MIN_VALUE": "Double.NEGATIVE_INFINITY", "Float.MIN_VALUE": "Float.NEGATIVE_INFINITY", "Number.MIN_VALUE": "-Infinity", "sys.float_info.min": "float('-inf')",
	"math.SmallestNonzeroFloat64": "-math.MaxFloat64", "math.SmallestNonzeroFloat32": "-math.MaxFloat32",
}

// leastNumber begins with the least number where the smallest one above 0 was taken for it, as the greatest of what is below 0 is looked for, too.
func (s *site) leastNumber(try func(change)) {
	if text := leastNumbers[s.Text()]; text != "" && s.Is(code.Attr) {
		try(replace(s.Node, text, 1, "%s is above 0: %s is the least number", quote(s.Text()), quote(text)))
	}
}
