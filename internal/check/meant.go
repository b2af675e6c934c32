package check

import "fettle/internal/near"

// didYouMean is "; did you mean "x"?" or nothing.
func didYouMean(name string, names []string) string {
	if n := near.Name(name, names); n != "" {
		return `; did you mean "` + n + `"?`
	}
	return ""
}
