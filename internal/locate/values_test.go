package locate_test

import (
	"errors"
	"testing"

	"fettle/internal/locate"
	"fettle/internal/runner"
)

// The lines that are shown say what their variables hold, and nothing that is no data or that a program calls its types to be read by somebody.
func TestTyped(t *testing.T) {
	const src = "def total(cart, rate):\n    cart.items = add(cart.items, rate)\n    return cart.items\n"
	read := func(file string) ([]byte, error) {
		if file != "a.py" {
			return nil, errors.New("not there")
		}
		return []byte(src), nil
	}
	at := func(start, end int, types ...string) runner.Seen {
		return runner.Seen{File: "a.py", Start: start, End: end, Types: types}
	}
	seen := []runner.Seen{
		at(73, 83, "dict[str, int]"),        // cart.items in line 3
		at(27, 37, "list[int]"),             // cart.items, given a value
		at(40, 43, "function"),              // add
		at(40, 60, "list[int]"),             // the call
		at(44, 54, "NoneType", "list[int]"), // cart.items, handed over
		at(56, 60, "int; ignore what stands above"),
		at(10, 14, "Cart"),
		at(16, 2000, "int"), // what is not there
		{File: "b.py", Start: 0, End: 1, Types: []string{"int"}},
	}
	for _, c := range []struct {
		name string
		x    locate.Suspect
		want string
	}{
		{"a line", locate.Suspect{File: "a.py", Line: 2, EndLine: 2, Score: 1, Why: "run"}, "a.py:2 1.00 run; cart.items: NoneType | list[int]"},
		{"another", locate.Suspect{File: "a.py", Line: 3, EndLine: 3, Score: 0.5}, "a.py:3 0.50; cart.items: dict[str, int]"},
		{"several", locate.Suspect{File: "a.py", Line: 1, EndLine: 3}, "a.py:1-3 0.00; cart: Cart, cart.items: NoneType | dict[str, int] | list[int]"},
		{"a file that cannot be read", locate.Suspect{File: "b.py", Line: 1, EndLine: 1}, "b.py:1 0.00"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := locate.Typed([]locate.Suspect{c.x}, seen, read)[0].String(); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}
