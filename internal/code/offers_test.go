package code_test

import (
	"fmt"
	"strings"
	"testing"

	"fettle/internal/code"
)

// What a source offers to others: HOME.NAME, for functions with how many values they take.
func TestOffers(t *testing.T) {
	for name, tc := range map[string]struct{ path, src, want string }{
		"python": {"shop/money.py", `
LOW, HIGH = 1, 2
_own = 3
def total(a, b): pass
def rest(a, b=1): pass
def _helper(): pass
class Rate:
    BASE = 5
    def __init__(self, x):
        self.value = x
        self._hidden = 1
    def of(self, amount): pass
if LOW:
    LATER = 4
`, "money.LOW money.HIGH money.total(2) money.rest(-1) money.Rate(-1) Rate.BASE Rate.value Rate.of(1) money.LATER"},
		"a package": {"shop/__init__.py", "A = 1\n", "shop.A"},
		"go": {"shop/money.go", `package shop
const Low, high = 1, 2
var Names = []string{"a"}
func Total(a, b int) int { return a }
type Rate struct { Base, Extra int; name string }
type (
	Other struct{ X float64 }
	Name string
)
func (r *Rate) Of(amount int) int { x := 1; return x }
func (Rate) Bare() {}
`, "shop.Low shop.high shop.Names shop.Total(2) Rate.Base Rate.Extra Rate.name Other.X Rate.Of(1) Rate.Bare(0)"},
		"javascript": {"lib/money.js", `
const LOW = 1, HIGH = 2;
function total(a, b) {}
const rest = (a) => a;
class Rate { base = 5; #own = 1; constructor(x) { this.value = x; } of(amount) { const local = 1; } }
module.exports = { total };
`, "money.LOW money.HIGH money.total(2) money.rest(1) money.Rate(-1) Rate.base Rate.value Rate.of(1)"},
		"typescript": {"lib/money.ts", `
export const LOW: number = 1;
export function total(a: number, b: number): number { return a; }
export enum Colour { Red, Green = 2 }
export class Rate { private own = 1; base: number = 5; private hidden() {} of(amount: number) {} }
`, "money.LOW money.total(2) money.Colour(-1) Colour.Red Colour.Green money.Rate(-1) Rate.base Rate.of(1)"},
		"java": {"shop/Money.java", `
package shop;
class Money {
    static final int LOW = 1, HIGH = 2;
    private int own;
    int total(int a, int b) { int x = 1; return a; }
    private void hidden() {}
    static int rest(int... all) { return 1; }
    enum Colour { RED, GREEN(2); }
    record Coin(String name, int cents) {}
}
`, "Money.LOW Money.HIGH Money.total(2) Money.rest(-1) Colour.RED Colour.GREEN Coin.name(0) Coin.cents(0)"},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, o := range read(t, tc.path, tc.src).Offers() {
				text := o.Home + "." + o.Name
				if o.Kind == code.Callable {
					text += fmt.Sprintf("(%d)", o.Params)
				}
				got = append(got, text)
			}
			if text := strings.Join(got, " "); text != tc.want {
				t.Errorf("it offers\n%s, want\n%s", text, tc.want)
			}
		})
	}
}
