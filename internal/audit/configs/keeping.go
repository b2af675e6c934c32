package configs

import (
	"strings"

	"fettle/internal/pattern"
)

var (
	keeping     = pattern.New(`^(actions/upload-artifact|github/codeql-action/upload-sarif)@v\d[\w.\-]*$`)
	onlyEnded   = pattern.New(`^(\$\{\{)?\s*!?\s*(always|failure|success|cancelled)\(\)\s*(\}\})?$`)
	keptPattern = pattern.New(`^(\*\*/|[\w-])[\w*./-]*$`)
)

// Keeps reports whether an action of the host's own, by a version, keeps files that others have written, and does nothing else: a commit that is named may be that of anybody's copy.
func Keeps(action string) bool { return keeping.MatchString(action) }

// Whenever reports whether a condition asks for nothing but how what was before has ended.
func Whenever(condition string) bool { return onlyEnded.MatchString(strings.TrimSpace(condition)) }

// MayBeKept reports whether paths, with white space between, are the project's, no secret and not all of it.
func MayBeKept(paths string) bool {
	for path := range strings.FieldsSeq(paths) {
		if !keptPattern.MatchString(path) || strings.Contains(path, "..") || path == "**/*" || path == "**" {
			return false
		}
	}
	return true
}
