package audit

import (
	"slices"
	"strings"
	"unicode"

	"fettle/internal/lang"
	"fettle/internal/pattern"
)

// comparesLess looks for equality that leaves out a part of what it compared: a field that is still there is marked as none of its, or is asked for no more where it is written out.
func comparesLess(v *patchView, f *fileView) []Finding {
	if f.formatted || f.test || !f.text() || !isSource(f.path) || len(f.before) == 0 {
		return nil
	}
	var all []Finding
	add := func(line int, field string) {
		all = append(all, Finding{Line: line, Effect: v.unless(Healer, Tidier), Evidence: field + " is compared no more when it is asked whether things are equal: compare all that they hold"})
	}
	was := leftOutOfEquality(f.before)
	for field, line := range leftOutOfEquality(f.after) {
		if _, had := was[field]; !had && namesField(f.before, field) {
			add(line, field)
		}
	}
	had, has := writtenEqualities(f.before), writtenEqualities(f.after)
	for i := 0; len(had) == len(has) && i < len(has); i++ {
		if field := fieldLeftOut(had[i].fields, has[i].fields); field != "" && had[i].head == has[i].head && namesField(f.after, field) {
			add(has[i].line, field)
		}
	}
	slices.SortFunc(all, func(a, b Finding) int { return a.Line - b.Line })
	if lang.Of(f.path) == lang.Java && madeEquality.Match(f.before) {
		all = append(all, f.introduced(someFields, v.unless(Healer, Tidier), "compares some fields only when it is asked whether things are equal")...)
	}
	return all
}

// namesField reports whether a source names a field, however short its name is.
func namesField(src []byte, field string) bool {
	words := strings.FieldsFunc(string(src), func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	return slices.Contains(words, field)
}

var (
	// unlikeField matches fields of Python's data classes that their equality leaves out.
	unlikeField = pattern.New(`(?m)^[ \t]+(\w+)[ \t]*(?::[^\n=]*)?=[ \t]*(?:\w+\.)?(?:field|Field|ib|attrib)\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\b(?:compare|eq)[ \t]*=[ \t]*False\b`)
	// unlikeMark matches marks by which an equality that is made of a type leaves out the field below, of Lombok's and of derives for Rust.
	unlikeMark = pattern.New(`(?:@(?:\w+\.)*EqualsAndHashCode\.Exclude|#\[(?:derivative|educe)\([^\]\n]*\b(?:PartialEq|Eq)\b[^\]\n]*\bignore\b[^\]\n]*\])\s*(?:(?:@\w+(?:\([^)\n]*\))?|#\[[^\]\n]*\])\s*)*(?:(?:private|public|protected|final|transient|pub)\s+)*(?:[\w.<>\[\],]+\s+(\w+)\s*[;=]|(\w+)\s*:)`)
	// madeEquality matches where Lombok makes an equality of all fields.
	madeEquality = pattern.New(`@(?:EqualsAndHashCode|Data|Value)\b`)
	someFields   = pattern.New(`@EqualsAndHashCode\([^)\n]*\b(?:exclude|of|onlyExplicitlyIncluded)\b`)
	// askedField matches what is read of a value: its last name.
	askedField = pattern.New(`[\w)\]](?:\.|->)([A-Za-z_]\w*)`)
	// noField matches what an equality asks of values that is no part of what they hold.
	noField = pattern.New(`(?i)^(?:__\w+__|\w*equals?\w*|getClass|class|is_a|hash\w*|compare\w*|as_any|type_id)$`)
)

// leftOutOfEquality are the fields that marks leave out, with their lines.
func leftOutOfEquality(src []byte) map[string]int {
	all := make(map[string]int)
	text := string(src)
	for _, re := range []*pattern.Pattern{unlikeField, unlikeMark} {
		for _, m := range re.FindAllStringSubmatchIndex(text, -1) {
			all[firstGroup(text, m)] = strings.Count(text[:m[1]], "\n") + 1
		}
	}
	return all
}

// writtenEquality is a function that says whether two values are equal, with what it reads of them.
type writtenEquality struct {
	head   string
	fields map[string]bool
	line   int
}

// writtenEqualities are those of a source, in order.
func writtenEqualities(src []byte) []writtenEquality {
	lines := strings.Split(string(src), "\n")
	var all []writtenEquality
	for i, text := range lines {
		if !equalityHead.MatchString(text) {
			continue
		}
		e := writtenEquality{equalityHead.FindString(text), make(map[string]bool), i + 1}
		for _, m := range askedField.FindAllStringSubmatch(bodyAt(lines, i), -1) {
			if !noField.MatchString(m[1]) {
				e.fields[m[1]] = true
			}
		}
		all = append(all, e)
	}
	return all
}

// fieldLeftOut is a field that was read and is not, where nothing else is read in its place; empty, if there is none.
func fieldLeftOut(was, is map[string]bool) string {
	for name := range is {
		if !was[name] {
			return ""
		}
	}
	for _, name := range sortedKeys(was) {
		if !is[name] && len(is) > 0 {
			return name
		}
	}
	return ""
}
