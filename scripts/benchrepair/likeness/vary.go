package likeness

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"fettle/internal/code"
)

// vary makes calls with other arguments, always the same ones, the tests' own first.
func vary(calls []call) []string {
	rnd := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // the same inputs each time
	var out []string
	seen := map[string]bool{}
	add := func(s string) {
		if !seen[s] && len(out) < Most {
			seen[s] = true
			out = append(out, s)
		}
	}
	for _, c := range calls {
		add(c.before + c.args + c.after)
	}
	for range variants {
		for _, c := range calls {
			add(c.before + c.vary(rnd) + c.after)
		}
	}
	return out
}

// vary changes one to three of the literals.
func (c call) vary(rnd *rand.Rand) string {
	if len(c.literals) == 0 {
		return c.args
	}
	var chosen []span
	for range 1 + rnd.IntN(3) {
		s := c.literals[rnd.IntN(len(c.literals))]
		if !slices.ContainsFunc(chosen, func(o span) bool { return s.start < o.end && o.start < s.end }) {
			chosen = append(chosen, s)
		}
	}
	slices.SortFunc(chosen, func(a, b span) int { return b.start - a.start })
	text := c.args
	for _, s := range chosen {
		text = text[:s.start] + another(rnd, s.role, text[s.start:s.end]) + text[s.end:]
	}
	return text
}

// another is a literal of the same kind; of a list's element nothing, or the same once more.
func another(rnd *rand.Rand, role code.Role, text string) string {
	pick := func(options ...string) string { return options[rnd.IntN(len(options))] }
	switch role {
	case code.Int:
		n, err := strconv.Atoi(strings.TrimSuffix(text, "L"))
		if err != nil {
			return text
		}
		suffix := strings.TrimPrefix(text, strings.TrimSuffix(text, "L"))
		return pick(strconv.Itoa(n+1), strconv.Itoa(max(n-1, 0)), strconv.Itoa(2*n), strconv.Itoa(n/2), strconv.Itoa(rnd.IntN(20)), "1", "0") + suffix
	case code.Float:
		n, err := strconv.ParseFloat(strings.TrimRight(text, "fdFD"), 64)
		if err != nil {
			return text
		}
		return pick(strconv.FormatFloat(n+0.5, 'f', 2, 64), strconv.FormatFloat(n*2, 'f', 2, 64), "0.0", "1.5")
	case code.Bool:
		return map[string]string{"true": "false", "false": "true", "True": "False", "False": "True"}[text]
	case code.Str:
		return anotherText(rnd, text)
	case code.Char:
		return pick("'a'", "'b'", "'z'", "'1'")
	case code.List:
		return pick("", text+text)
	default:
		return text
	}
}

// anotherText changes what stands between the quotes, where no escapes are.
func anotherText(rnd *rand.Rand, text string) string {
	if len(text) < 2 || strings.ContainsAny(text, `\`) || text[0] != text[len(text)-1] {
		return text
	}
	q, in := text[:1], text[1:len(text)-1]
	at := 0
	if in != "" {
		at = rnd.IntN(len(in))
	}
	if strings.ContainsFunc(in, func(r rune) bool { return r > 127 }) || strings.Contains(in, q) {
		return text
	}
	letters := "abcxyzAB 012aei.,()"
	c := string(letters[rnd.IntN(len(letters))])
	switch rnd.IntN(5) {
	case 0:
		return q + in[:at] + c + in[at:] + q
	case 1:
		return q + in[:at] + in[min(at+1, len(in)):] + q
	case 2:
		return q + in + in + q
	case 3:
		return q + in + " " + in[:at] + q
	}
	return q + in[:at] + c + in[min(at+1, len(in)):] + q
}
