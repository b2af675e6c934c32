package audit

import (
	"fmt"
	"strings"

	"fettle/internal/audit/trees"
	"fettle/internal/lang"
	"fettle/internal/pattern"
	"fettle/internal/phrase"
)

// casts match, in each language, what tells a checker of types to believe anything of a value.
var casts = pattern.Table(func() map[lang.Language]*pattern.Pattern {
	return map[lang.Language]*pattern.Pattern{
		lang.TypeScript: pattern.Any(`\bas\s+unknown\s+as\s+\w+`, `\bas\s+(?:any|never)(?:\[\])*\s*(?:[)\]}.,;:!?|&>=+*[-]|$)`, `(?:^|[=(,:?&|\[]|\breturn)\s*<(?:any|never)>\s*[\w({\[]`),
		lang.Python:     pattern.New(`\bcast\(\s*["']?(?:typing\.|t\.)?Any["']?\s*,`),
		lang.Java:       pattern.New(`\(\s*[A-Z][\w.<>?, \[\]]*\)\s*\(\s*Object\s*\)\s*\w`),
	}
})

var (
	quotedHere = pattern.New("\"(?:[^\"\\\\]|\\\\.)*\"|'(?:[^'\\\\]|\\\\.)*'|`[^`$]*`")
	remark     = pattern.New(`(?:^|\s)(?://|#).*$|^\s*\*.*$|/\*.*?\*/`)
)

// castsIn are the places of a file at which a checker of types is told to believe anything.
func castsIn(name string, src []byte) []line {
	marks := casts()[lang.Of(name)]
	if marks == nil || strings.HasSuffix(name, ".d.ts") {
		return nil
	}
	var all []line
	for i, text := range strings.Split(string(src), "\n") {
		plain := remark.ReplaceAllString(quotedHere.ReplaceAllString(strings.TrimSuffix(text, "\r"), `""`), "")
		for _, m := range marks.FindAllString(plain, -1) {
			all = append(all, line{i + 1, strings.TrimSpace(m)})
		}
	}
	return all
}

// newCasts looks for casts that are new in code whose types were checked before. What a test only makes up may have any type.
func newCasts(v *patchView, f *fileView) []Finding {
	if !f.text() || f.test || len(f.before) == 0 {
		return nil
	}
	was, is := castsIn(f.path, f.before), castsIn(f.path, f.after)
	if len(is) <= len(was) {
		return nil
	}
	at := trees.Lacking(is, was, func(l line) string { return l.text })[0] // of more than there were, one at least is new
	return []Finding{{Line: at.number, Effect: v.unless(Healer, Tidier), Evidence: fmt.Sprintf("%q tells the check of types to believe anything: mend what it complains of", phrase.Clip(at.text))}}
}
