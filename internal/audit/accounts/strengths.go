package accounts

import (
	"slices"
	"strings"

	"fettle/internal/audit/assertions"
	"fettle/internal/code"
)

// Strengths are how much each demand of a test says, in all of its rows and in the helpers that it calls.
func Strengths(test *code.Node) []assertions.Strength {
	var all []assertions.Strength
	var visit func(facts []fact)
	visit = func(facts []fact) {
		for _, f := range facts {
			if f.demand && f.says > assertions.Nothing {
				all = append(all, slices.Repeat([]assertions.Strength{f.says}, valuesIn(f.want))...)
			}
			if strings.HasPrefix(f.text, "for ") { // what stands in another block need not be reached
				visit(f.inner)
			}
		}
	}
	for _, a := range tell(test, apart) {
		visit(a.facts)
	}
	return all
}

// valuesIn is how many values a list holds that is expected as a whole; one for what is no list.
func valuesIn(want string) int {
	if !strings.HasPrefix(want, "[") || !constantText(want) {
		return 1
	}
	return max(1, len(strings.FieldsFunc(quotedText.ReplaceAllString(want, "x"), func(c rune) bool { return strings.ContainsRune("[](){}, ", c) })))
}
