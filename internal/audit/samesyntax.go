package audit

import (
	"bytes"
	"path"
)

// SameSyntax reports whether two contents of a file mean the same to its language, so that only a formatter can have made
// the difference: white space, line breaks where they do not count, quote style, trailing commas, the order of imports.
// It is strict: when in doubt, when a file does not parse, and for languages it does not know, only equal bytes are the
// same. Comments are part of a file: their text may be folded, not changed; a directive (//go:build, # noqa) may not move.
//
// It knows Go and Python.
func SameSyntax(name string, before, after []byte) bool {
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
