package parse

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"

	"fettle/internal/diag"
)

// Bounds of the fixes that findings carry, in bytes of JSON.
const (
	maxCarried    = 8        // fixes of one finding
	maxSuggestion = 64 << 10 // bytes of one
	maxSuggested  = 4 << 20  // bytes of all: a session keeps its findings, and stores them after every step
)

// carried reads the fixes that a finding carries, up to one that has another shape or is more than is kept. None is passed
// over: whoever takes the first is never given the second in its place.
func carried[T any](c *collector, raw []json.RawMessage) []T {
	var all []T
	for _, b := range raw[:min(len(raw), maxCarried)] {
		var v T
		if c.fixes += len(b); len(b) > maxSuggestion || c.fixes > maxSuggested || json.Unmarshal(b, &v) != nil {
			break
		}
		all = append(all, v)
	}
	return all
}

// sound are the fixes up to one that nobody could apply: it names no file of the repository or no place in it.
func sound(fixes []diag.Suggestion) []diag.Suggestion {
	bad := slices.IndexFunc(fixes, func(s diag.Suggestion) bool {
		return len(s.Replacements) == 0 || slices.ContainsFunc(s.Replacements, func(r diag.Replacement) bool { return !applicable(r) })
	})
	if bad >= 0 {
		return fixes[:bad:bad]
	}
	return fixes
}

// applicable reports whether a replacement could be one of some file. A text with U+FFFD was no UTF-8 in the report.
func applicable(r diag.Replacement) bool {
	if r.File == "" || strings.ContainsRune(r.Text, utf8.RuneError) {
		return false
	}
	if r.Span != nil {
		return r.Span.Offset >= 0 && r.Span.Length >= 0
	}
	from, to := r.Range.Start, r.Range.End
	if from.Line < 1 || from.Column < 0 || to.Column < 0 || to.Line < from.Line {
		return false
	}
	return to.Line > from.Line || to.Column == 0 || to.Column >= from.Column
}
