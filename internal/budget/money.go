package budget

import (
	"fmt"
	"math"
	"strings"
)

// Money is an amount in billionths of a US dollar. A token of a model that costs $0.25 a million is 250 of them, so that sums of tokens are exact, and an int64
// holds nine thousand million dollars.
type Money int64

// Units of money.
const (
	Dollar Money = 1_000_000_000
	Cent         = Dollar / 100
)

// Dollars is an amount given as a number of dollars, rounded to the nearest billionth.
func Dollars(n float64) Money { return Money(math.Round(n * float64(Dollar))) }

// Float is the amount in dollars, for people's JSON.
func (m Money) Float() float64 { return float64(m) / float64(Dollar) }

// String is the amount as people read it: two decimals from a cent on ("$1.20"), as many as tell something below ("$0.00034").
func (m Money) String() string {
	sign, n := "", m
	if n < 0 {
		sign, n = "-", -n
	}
	if n == 0 || n >= Cent {
		return fmt.Sprintf("%s$%.2f", sign, n.Float())
	}
	text := strings.TrimRight(fmt.Sprintf("%.9f", n.Float()), "0")
	whole, digits, _ := strings.Cut(text, ".")
	first := len(digits) - len(strings.TrimLeft(digits, "0"))
	if first+2 < len(digits) {
		digits = digits[:first+2]
	}
	return sign + "$" + whole + "." + digits
}
