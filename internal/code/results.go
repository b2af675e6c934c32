package code

import (
	"slices"
	"strings"
)

// GoResults are the types of what a function of Go's gives, as it is declared: "error", "(int, error)", "(a, b int, err error)".
func GoResults(declared string) []string {
	list, many := strings.CutPrefix(declared, "(")
	if !many {
		return strings.Fields(declared)
	}
	var parts [][]string
	depth, from := 0, 0
	list = strings.TrimSuffix(list, ")") + ","
	for i, c := range list {
		switch c {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case ',':
			if depth == 0 {
				if words := strings.Fields(list[from:i]); len(words) > 0 {
					parts = append(parts, words)
				}
				from = i + 1
			}
		}
	}
	named := slices.ContainsFunc(parts, func(words []string) bool { return len(words) > 1 && words[0] != "chan" })
	out := make([]string, len(parts))
	typ := ""
	for i, words := range slices.Backward(parts) {
		if len(words) > 1 || !named { // else it is a name, of the type that follows
			typ = words[len(words)-1]
		}
		out[i] = typ
	}
	return out
}

var goZeros = map[string]string{"bool": "false", "string": `""`, "any": "nil", "error": "nil"}

func init() {
	for _, t := range []string{"int", "int8", "int16", "int32", "int64", "uint", "uint8", "uint16", "uint32", "uint64", "uintptr", "byte", "rune", "float32", "float64"} {
		goZeros[t] = "0"
	}
}

// GoZero is the zero value of a type of Go's, as it is written.
func GoZero(t string) string {
	if z, ok := goZeros[t]; ok {
		return z
	}
	for _, head := range []string{"*", "[", "map[", "func(", "chan ", "interface"} {
		if strings.HasPrefix(t, head) {
			return "nil"
		}
	}
	return t + "{}"
}
