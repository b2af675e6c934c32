package accounts

import (
	"strconv"
	"strings"

	"fettle/internal/audit/assertions"
	"fettle/internal/audit/parts"
	"fettle/internal/code"
)

// near tells unittest's assertion that two numbers are so close: to so many places, or by a difference.
func (r *teller) near(args []*code.Node) []fact {
	tolerance := 5e-8
	for _, a := range args[2:] {
		value, err := strconv.ParseFloat(a.Kid(code.Value).Text(), 64)
		switch {
		case a.Role != code.Keyword || err != nil:
			return []fact{r.matcher("assertAlmostEqual", args)}
		case a.Name == "places":
			tolerance, _ = strconv.ParseFloat("5e-"+strconv.Itoa(int(value)+1), 64)
		case a.Name == "delta":
			tolerance = value
		}
	}
	return []fact{closeTo(r.canon(args[0]), r.canon(args[1]), tolerance)}
}

// approximate tells a comparison with pytest.approx(1.5, abs=0.01); nil for any other.
func (r *teller) approximate(op string, left, right *code.Node) []fact {
	if op != "==" || !right.Is(code.Call) || parts.LastName(right) != "approx" {
		return nil
	}
	args := right.All(code.Arg)
	if len(args) != 2 || args[1].Role != code.Keyword || args[1].Name != "abs" {
		return nil
	}
	tolerance, err := strconv.ParseFloat(args[1].Kid(code.Value).Text(), 64)
	if err != nil {
		return nil
	}
	return []fact{closeTo(r.canon(left), r.canon(args[0]), tolerance)}
}

// closeTo is the demand that a number is another one, give or take a difference.
func closeTo(about, want string, tolerance float64) fact {
	f := fact{about: about, op: "close", want: want + "±" + strconv.FormatFloat(tolerance, 'g', -1, 64), says: assertions.Ordered, demand: true}
	f.text = about + " close " + f.want
	return f
}

// closer reports whether a number has to be the same one as before, and no farther from it.
func (f fact) closer(now fact) bool {
	was, far, _ := strings.Cut(f.want, "±")
	is, near, _ := strings.Cut(now.want, "±")
	a, err1 := strconv.ParseFloat(far, 64)
	b, err2 := strconv.ParseFloat(near, 64)
	return f.op == "close" && now.op == "close" && f.about == now.about && was == is && err1 == nil && err2 == nil && b <= a
}
