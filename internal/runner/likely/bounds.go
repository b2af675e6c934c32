package likely

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
)

// bounds are what is true of all the values that stood in one place.
type bounds struct {
	least    int64 // no number was less
	ordered  bool  // lists are in order
	distinct bool  // and hold everything once
	empty    bool  // some list or text held nothing
	letters  []rune
	balanced bool // texts open and close their brackets
}

func boundsOf(values []any) bounds {
	b := bounds{least: math.MinInt64, ordered: true, distinct: true, balanced: true, empty: slices.ContainsFunc(values, isEmpty)}
	var numbers []float64
	texts, long := "", false
	within(values, func(v any) {
		switch v := v.(type) {
		case int64:
			numbers = append(numbers, float64(v))
		case float64:
			numbers = append(numbers, v)
		case string:
			texts += v
			b.balanced = b.balanced && paired(v)
		case []any:
			long = long || len(v) > 2
			b.ordered = b.ordered && inOrder(v)
			b.distinct = b.distinct && len(once(v)) == len(v)
		}
	})
	switch {
	case len(numbers) == 0, slices.Min(numbers) == 0:
		b.least = 0
	case slices.Min(numbers) > 0:
		b.least = 1
	}
	b.ordered, b.distinct = b.ordered && long, b.distinct && long
	b.letters = []rune(texts)
	slices.Sort(b.letters)
	b.letters = slices.Compact(b.letters)
	b.balanced = b.balanced && strings.ContainsAny(texts, "([{")
	return b
}

// isEmpty reports whether a value could hold something, and does not.
func isEmpty(v any) bool {
	switch v := v.(type) {
	case string:
		return v == ""
	case []any:
		return len(v) == 0
	case map[string]any:
		return len(v) == 0
	}
	return false
}

// within visits values and all that they hold.
func within(values []any, visit func(any)) {
	for _, v := range values {
		visit(v)
		switch v := v.(type) {
		case []any:
			within(v, visit)
		case map[string]any:
			for k, x := range v {
				visit(k)
				within([]any{x}, visit)
			}
		}
	}
}

func inOrder(v []any) bool { return slices.IsSortedFunc(v, compare) }

// once is a list without what it has held before.
func once(v []any) []any {
	seen := map[string]bool{}
	return slices.DeleteFunc(slices.Clone(v), func(x any) bool {
		text, _ := json.Marshal(x)
		again := seen[string(text)]
		seen[string(text)] = true
		return again
	})
}

// paired reports whether a text closes every bracket that it opens, in order.
func paired(text string) bool {
	var open []rune
	for _, r := range text {
		switch i := strings.IndexRune("([{", r); {
		case i >= 0:
			open = append(open, rune(")]}"[i]))
		case strings.ContainsRune(")]}", r):
			if len(open) == 0 || open[len(open)-1] != r {
				return false
			}
			open = open[:len(open)-1]
		}
	}
	return len(open) == 0
}
