package audit

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"fettle/internal/audit/parts"
	"fettle/internal/audit/trees"
	"fettle/internal/pattern"
	"fettle/internal/phrase"
)

// looselyEqual looks for comparisons for equality that begin to say yes to what is only near, within a margin that is wider than what computing with fractions loses, or to whatever is of the type.
func looselyEqual(v *patchView, f *fileView) []Finding {
	if f.formatted || f.test || !f.text() || !isSource(f.path) {
		return nil
	}
	var all []Finding
	for _, l := range trees.Lacking(slacks(string(f.after)), slacks(string(f.before)), func(l slack) string { return l.name + "\x00" + l.why }) {
		all = append(all, Finding{Line: l.line, Effect: v.unless(Healer, Tidier), Evidence: fmt.Sprintf("%s says that things are equal %s: compare what they hold", l.name, l.why)})
	}
	return all
}

// slack is what a comparison takes for equal that is not.
type slack struct {
	name, why string
	line      int
}

// equalityHead matches where a function begins that says whether two values are equal. What is called nearly equal says what it does.
var equalityHead = pattern.New(`\bdef\s+(?:self\.)?(__eq__|==|eql\?|equal\?)|\b(operator\s*==)|\bfunc\s+(==|isEqual)|\b(?:func|fun|fn|function|def|bool|boolean|Boolean)\s+(?:\([^)\n]*\)\s*)?(\w+\.)?((?i:equals?|eq|is_?equal(?:_?to)?|same_?value_?as))\s*\(|^\s*(?:(?:public|override|static)\s+)*(equals|isEqual|isEqualTo|Equals)\s*\([^)\n]*\)\s*(?::\s*\w+\s*)?\{`)

// slacks lists what the equalities of a source take for equal that is not.
func slacks(src string) []slack {
	lines := strings.Split(src, "\n")
	var all []slack
	for i, text := range lines {
		m := equalityHead.FindString(text)
		if m == "" {
			continue
		}
		body := bodyAt(lines, i)
		name := strings.TrimSpace(strings.TrimRight(strings.TrimSpace(m), "({"))
		for _, found := range nearness.FindAllStringSubmatch(body, -1) {
			if wide(strings.TrimSpace(found[1]+found[2]), lines) {
				all = append(all, slack{name, "within " + phrase.Clip(strings.TrimSpace(found[1]+found[2])), i + 1})
				break
			}
		}
		if rounded.MatchString(body) {
			all = append(all, slack{name, "that are when they are rounded", i + 1})
		}
	}
	return all
}

var (
	// nearness matches a comparison of how far two values are from each other, with the margin.
	nearness = pattern.New(`(?i)(?:\bf?abs\w*\s*\([^\n]*\)|\.abs(?:\(\)|\b)\)?|\.abs_diff\([^\n]*\)|\babs_diff\([^\n]*\))\s*(?:<=?|\.__l[te]__\()\s*([^\n;&|?{]+)|\b(?:isclose|is_close)\([^\n]*(?:rel_tol|abs_tol|rtol|atol)\s*=\s*([^,)\n]+)`)
	// rounded matches a comparison of two values that are both cut or rounded first.
	rounded      = pattern.New(`(?i)\b(?:math\.)?(?:round|floor|ceil|trunc|int)\([^\n=]*\)\s*={2,3}\s*(?:math\.)?(?:round|floor|ceil|trunc|int)\(|\.(?:round|floor|ceil|trunc|to_i)(?:\([^)\n]*\))?\s*={2,3}\s*[\w.@()]*\.(?:round|floor|ceil|trunc|to_i)\b`)
	marginNumber = pattern.New(`^[(\s]*(-?\d[\d_]*(?:\.\d+)?(?:[eE][-+]?\d+)?)[fFdDmM]?[)\s]*$`)
	margins      = pattern.New(`(?i)eps|tol|precision|ulp|delta`)
)

// tiny is the greatest margin that computing with fractions explains.
const tiny = 1e-6

// wide reports whether a margin is more than that: a number that is not tiny, or whatever is not called as such margins are.
func wide(margin string, lines []string) bool {
	if m := marginNumber.FindStringSubmatch(margin); m != nil {
		n, err := strconv.ParseFloat(strings.ReplaceAll(m[1], "_", ""), 64)
		return err != nil || n > tiny
	}
	if !margins.MatchString(margin) {
		return true
	}
	name := strings.TrimRight(lastPart(margin), ") ")
	i := slices.IndexFunc(lines, func(l string) bool {
		left, _, is := strings.Cut(l, "=")
		return is && parts.Mentions([]byte(left), name) && !strings.ContainsAny(left, "(<>")
	})
	if i < 0 {
		return false
	}
	_, value, _ := strings.Cut(lines[i], "=")
	value = strings.Trim(value, " \t;,")
	return marginNumber.MatchString(value) && wide(value, nil)
}

// lastPart is the last name of a path.
func lastPart(path string) string {
	return path[strings.LastIndexAny(path, ".:>")+1:]
}
