// Package likely answers "what else might somebody call this with?": inputs of functions, made from those that tests give, so that patches which
// pass every test can be told apart by what they do where no test looks.
//
// What is made keeps to what is true of all the inputs that tests gave (numbers that are never negative, lists that are always in order, letters
// that texts are made of, and so on), because a function is only meant for such. The same calls always make the same ones.
package likely

import (
	"cmp"
	"encoding/json"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
)

// Call is what a function was called with: nil, bool, int64, float64, string, []any, map[string]any. A value of another kind stays what it is.
type Call struct {
	Function string
	Args     []any
}

// Decode reads the arguments of a call from a JSON list. A number without a fraction is an integer.
func Decode(text []byte) ([]any, error) {
	d := json.NewDecoder(strings.NewReader(string(text)))
	d.UseNumber()
	var args []any
	if err := d.Decode(&args); err != nil {
		return nil, err
	}
	for i := range args {
		args[i] = plain(args[i])
	}
	return args, nil
}

// plain puts numbers in the place of their texts.
func plain(v any) any {
	switch v := v.(type) {
	case json.Number:
		if n, err := strconv.ParseInt(v.String(), 10, 64); err == nil {
			return n
		}
		f, _ := v.Float64()
		return f
	case []any:
		for i := range v {
			v[i] = plain(v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = plain(v[k])
		}
	}
	return v
}

// More are the given calls, each once, and then up to made others like them for each function.
func More(calls []Call, made int) []Call {
	var out []Call
	seen := map[string]bool{}
	keep := func(c Call) {
		text, err := json.Marshal(c.Args)
		if key := c.Function + "\x00" + string(text); err == nil && !seen[key] {
			seen[key] = true
			out = append(out, c)
		}
	}
	by := map[string][]Call{}
	for _, c := range calls {
		keep(c)
		by[c.Function] = append(by[c.Function], c)
	}
	for _, name := range slices.Sorted(maps.Keys(by)) {
		m := newMaker(by[name])
		for i := range made {
			if args, ok := m.vary(by[name][i%len(by[name])].Args); ok {
				keep(Call{name, args})
			}
		}
	}
	return out
}

// maker makes the arguments of one function.
type maker struct {
	dice    *rand.Rand
	places  []bounds // by argument
	numbers []int64  // one that stands in a list is often looked for in it
}

func newMaker(calls []Call) *maker {
	m := &maker{dice: rand.New(rand.NewPCG(1, 2))} //nolint:gosec // the same ones each time are wanted
	most := 0
	for _, c := range calls {
		most = max(most, len(c.Args))
	}
	for i := range most {
		var values []any
		for _, c := range calls {
			if i < len(c.Args) {
				values = append(values, c.Args[i])
			}
		}
		m.places = append(m.places, boundsOf(values))
	}
	for _, c := range calls {
		within(c.Args, func(v any) {
			if n, ok := v.(int64); ok && !slices.Contains(m.numbers, n) {
				m.numbers = append(m.numbers, n)
			}
		})
	}
	slices.Sort(m.numbers)
	return m
}

// vary changes one or two of the arguments; false where none can be changed.
func (m *maker) vary(args []any) ([]any, bool) {
	out := clone(args).([]any)
	var can []int
	for i, v := range out {
		switch v.(type) {
		case int64, float64, string, []any, map[string]any:
			can = append(can, i)
		}
	}
	if len(can) == 0 {
		return nil, false
	}
	for range 1 + m.dice.IntN(3)/2 {
		i := pick(m, can)
		out[i] = m.value(out[i], m.places[i], 0)
	}
	if len(out) > 1 && m.dice.IntN(meeting) == 0 {
		m.meet(out)
	}
	return out, true
}

// meeting is how many inputs there are for each in which one argument meets another one.
const meeting = 4

// meet makes a number or a text the same as another argument, or as one of its elements, the first and the last ones above all: patches that differ in
// whether they let the equal case in part ways there alone.
func (m *maker) meet(args []any) {
	type place struct {
		at int
		is any
	}
	var can []place
	for i, v := range args {
		for j, w := range args {
			if i == j {
				continue
			}
			if list, ok := w.([]any); ok && len(list) > 0 {
				for _, x := range []any{list[0], list[len(list)-1], pick(m, list)} {
					can = append(can, place{i, x})
				}
				continue
			}
			can = append(can, place{i, w})
		}
		can = slices.DeleteFunc(can, func(p place) bool { return p.at == i && !m.mayBe(v, p.is, m.places[i]) })
	}
	if len(can) > 0 {
		p := pick(m, can)
		args[p.at] = p.is
	}
}

// mayBe reports whether a value can stand where another one does: numbers or texts both, and true of it what was true of all that stood there.
func (m *maker) mayBe(was, is any, b bounds) bool {
	switch is := is.(type) {
	case int64:
		_, ok := was.(int64)
		return ok && is >= b.least
	case float64:
		_, ok := was.(float64)
		return ok && is >= float64(b.least)
	case string:
		_, ok := was.(string)
		return ok && (is != "" || b.empty) && (!b.balanced || paired(is)) && !strings.ContainsFunc(is, func(r rune) bool { return !slices.Contains(b.letters, r) })
	}
	return false
}

func pick[T any](m *maker, from []T) T { return from[m.dice.IntN(len(from))] }

// mostDepth is how deep in lists elements are changed.
const mostDepth = 3

func (m *maker) value(v any, b bounds, depth int) any {
	switch v := v.(type) {
	case int64:
		n := pick(m, []int64{v + 1, v - 1, v * 2, v / 2, 0, 1, -v, m.dice.Int64N(20), pick(m, m.numbers), pick(m, m.numbers)})
		return max(n, b.least)
	case float64:
		return max(pick(m, []float64{v + 0.5, v - 1, v * 2, 0, -v}), float64(b.least))
	case string:
		return m.text(v, b)
	case []any:
		out := m.elements(v, b, depth)
		if b.ordered && !inOrder(out) {
			slices.SortStableFunc(out, compare)
		}
		if b.distinct {
			out = once(out)
		}
		if len(out) == 0 && !b.empty {
			return v
		}
		return out
	case map[string]any:
		return m.entries(v, b, depth)
	}
	return v
}

func (m *maker) text(v string, b bounds) string {
	if len(b.letters) == 0 {
		return v
	}
	r := []rune(v)
	at := m.dice.IntN(len(r) + 1)
	letter := string(pick(m, b.letters))
	before, after := string(r[:at]), string(r[at:])
	rest := after
	if at < len(r) {
		rest = string(r[at+1:])
	}
	back := slices.Clone(r)
	slices.Reverse(back)
	out := pick(m, []string{before + letter + after, before + rest, v + v, string(back), before + letter + rest, ""})
	if out == "" && !b.empty || b.balanced && !paired(out) {
		return v
	}
	return out
}

func (m *maker) elements(v []any, b bounds, depth int) []any {
	if len(v) == 0 {
		return v
	}
	i, j := m.dice.IntN(len(v)), m.dice.IntN(len(v))
	switch m.dice.IntN(6) {
	case 0:
		return slices.Delete(v, i, i+1)
	case 1:
		return slices.Insert(v, i, clone(v[j]))
	case 2:
		v[i], v[j] = v[j], v[i]
	case 3:
		slices.Reverse(v)
	case 4:
		if b.empty {
			return []any{}
		}
	case 5:
		if depth < mostDepth {
			v[i] = m.value(v[i], b, depth+1)
		}
	}
	return v
}

func (m *maker) entries(v map[string]any, b bounds, depth int) map[string]any {
	if len(v) == 0 {
		return v
	}
	key := pick(m, slices.Sorted(maps.Keys(v)))
	if m.dice.IntN(2) == 0 && (len(v) > 1 || b.empty) {
		delete(v, key)
		return v
	}
	v[key] = m.value(v[key], b, depth+1)
	return v
}

// clone is a copy that shares nothing.
func clone(v any) any {
	switch v := v.(type) {
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = clone(v[i])
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(v))
		for k, x := range v {
			out[k] = clone(x)
		}
		return out
	}
	return v
}

// compare orders values of one kind; others are equal.
func compare(a, b any) int {
	switch a := a.(type) {
	case int64:
		switch b := b.(type) {
		case int64:
			return cmp.Compare(a, b)
		case float64:
			return cmp.Compare(float64(a), b)
		}
	case float64:
		switch b := b.(type) {
		case int64:
			return cmp.Compare(a, float64(b))
		case float64:
			return cmp.Compare(a, b)
		}
	case string:
		if b, ok := b.(string); ok {
			return cmp.Compare(a, b)
		}
	}
	return 0
}

// nearly is how far a number may be from the one that was written down, of which people leave the last digits out: a part of it.
const nearly = 5e-3

// Agree reports whether a value is what somebody has written down.
func Agree(value, said any) bool {
	switch v := value.(type) {
	case int64, float64:
		a, ok := float(v)
		b, ok2 := float(said)
		if _, whole := v.(int64); whole {
			return ok && ok2 && a == b
		}
		return ok && ok2 && math.Abs(a-b) <= nearly*math.Abs(b)
	case []any:
		s, ok := said.([]any)
		return ok && slices.EqualFunc(v, s, Agree)
	case map[string]any:
		s, ok := said.(map[string]any)
		return ok && maps.EqualFunc(v, s, Agree)
	}
	return value == said
}

func float(v any) (float64, bool) {
	switch v := v.(type) {
	case int64:
		return float64(v), true
	case float64:
		return v, true
	}
	return 0, false
}
