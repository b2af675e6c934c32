package budget_test

import (
	"testing"

	"pgregory.net/rapid"

	"fettle/internal/budget"
)

func TestMoneyIsShownAsPeopleReadIt(t *testing.T) {
	for m, want := range map[budget.Money]string{
		0: "$0.00", budget.Dollar: "$1.00", 12 * budget.Cent: "$0.12", -5 * budget.Dollar: "-$5.00", 1: "$0.000000001",
		budget.Dollars(0.0099): "$0.0099", budget.Dollars(0.000341): "$0.00034", budget.Dollars(1234.567): "$1234.57", budget.Cent: "$0.01",
	} {
		if got := m.String(); got != want {
			t.Errorf("%d: %s, want %s", m, got, want)
		}
	}
}

func TestSumsOfTokensAreExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		price := budget.Dollars(float64(rapid.IntRange(1, 100_000).Draw(t, "price in thousandths of a dollar a million")) / 1000)
		if price%1_000_000 != 0 {
			t.Fatalf("a price of %v a million is not a whole number of billionths a token", price)
		}
		var sum budget.Money
		n := rapid.IntRange(0, 300).Draw(t, "tokens")
		for range n {
			sum += price / 1_000_000
		}
		if sum != price*budget.Money(n)/1_000_000 {
			t.Fatalf("%d tokens cost %v", n, sum)
		}
	})
}
