package tool

import (
	"slices"

	"fettle/internal/check"
	"fettle/internal/diag"
	"fettle/internal/pattern"
)

// compilerError is the rule of an error of rustc's; those of its lints and of clippy's are words.
var compilerError = pattern.New(`^E\d{4}$`)

// guessed reports whether a check's fix of a finding would be a guess of the compiler's. What rustc suggests where code does not
// compile makes it compile, not right: for a wrong type it puts in .into() or .try_into().unwrap(). As long as the code does
// not compile, no test can tell; and cargo fix, told to work on broken code, would leave such guesses beside the errors.
func guessed(c check.Check, d diag.Diagnostic) bool {
	return compilerError.MatchString(d.Rule) && slices.ContainsFunc(commands(c, []diag.Diagnostic{d}), func(argv []string) bool {
		return program(argv[0]) == "cargo" && (slices.Contains(argv, "fix") || slices.Contains(argv, "--fix"))
	})
}

// broken are the files in which the compiler's own errors stand: what cargo changes there may be its guesses at them.
func broken(c check.Check, all []diag.Diagnostic) map[string]bool {
	files := map[string]bool{}
	for _, d := range all {
		if guessed(c, d) {
			files[d.File] = true
		}
	}
	return files
}
