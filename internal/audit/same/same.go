// Package same answers "are these two versions of a file one program, in another form?".
//
// It knows what formatters of Go and Python may choose, writes both versions in one way ([Syntax]), and compares what is left. Whatever it does not know
// is not the same: who is told that a change is form alone looks at it no further.
//
// Nothing is said of what a change of meaning means, and two programs that compute the same by other words are not the same.
package same

import (
	"bytes"
	"path"
)

// Syntax reports whether two contents of a file mean the same to its language, so that only a formatter can have made
// the difference: white space, line breaks where they do not count, quote style, trailing commas, the order of imports.
// It is strict: when in doubt, when a file does not parse, and for languages it does not know, only equal bytes are the
// same. Comments are part of a file: their text may be folded, not changed; a directive (//go:build, # noqa) may not move.
//
// It knows Go and Python.
func Syntax(name string, before, after []byte) bool {
	if bytes.Equal(before, after) {
		return true
	}
	switch path.Ext(name) {
	case ".go":
		return sameGo(before, after)
	case ".py", ".pyi":
		return samePython(before, after)
	}
	return false
}
