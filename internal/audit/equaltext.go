package audit

import (
	"slices"
	"strings"

	"fettle/internal/lang"
	"fettle/internal/pattern"
)

// idleText is what may stand in the body of a function and does nothing: blanks, comments, a parameter that is set aside.
const idleText = `(?:\s|//[^\n]*\n|/\*[^*]*\*/|#[^\n]*\n|let _ = &?\w+;|_ = \w+;?)*`

// alwaysYes match, in languages that are not read as programs, comparisons that give one answer whatever they are asked: that two values are equal. The group is their name.
var alwaysYes = pattern.Table(func() map[lang.Language]*pattern.Pattern {
	braces := func(says string) string { return `\{` + idleText + `(?:return\s+)?` + says + `\s*;?` + idleText + `\}` }
	operators := pattern.Any(
		`\b(operator\s*==)\s*\([^)]*\)[^;{}]*`+braces("true"), `\b(operator\s*!=)\s*\([^)]*\)[^;{}]*`+braces("false"),
		`\b(operator\s*(?:==|<=>))\s*\([^)]*\)[^;{}=]*=>\s*true\b`, `\b(operator\s*!=)\s*\([^)]*\)[^;{}=]*=>\s*false\b`,
		`\b(Equals|IsEqual\w*)\s*\([^)]*\)[^;{}=]*(?:=>\s*true\s*;|`+braces("true")+`)`, `\b(CompareTo|Compare)\s*\([^)]*\)[^;{}=]*(?:=>\s*0\s*;|`+braces("0")+`)`,
	)
	return map[lang.Language]*pattern.Pattern{
		lang.Rust: pattern.Any(`\bfn\s+(eq)\s*\([^)]*\)\s*->\s*bool\s*`+braces("true"), `\bfn\s+(ne)\s*\([^)]*\)\s*->\s*bool\s*`+braces("false"),
			`\bfn\s+((?:partial_)?cmp)\s*\([^)]*\)\s*->[^{;]*`+braces(`(?:Some\()?(?:[\w:]+::)?Equal\)?`)),
		lang.C: operators, lang.CPP: operators, lang.CSharp: operators,
		lang.Kotlin: pattern.Any(`\bfun\s+(equals|contentEquals)\s*\([^)]*\)[^={}\n]*(?:=\s*true\b|`+braces("true")+`)`, `\bfun\s+(compareTo|compare)\s*\([^)]*\)[^={}\n]*(?:=\s*0\b|`+braces("0")+`)`),
		lang.Scala:  pattern.Any(`\bdef\s+(equals|==|sameElements|eqv)\s*\([^)]*\)[^={}\n]*=\s*(?:true\b|`+braces("true")+`)`, `\bdef\s+(compareTo?)\s*\([^)]*\)[^={}\n]*=\s*(?:0\b|`+braces("0")+`)`),
		lang.Swift:  pattern.Any(`\bfunc\s+(==|isEqual)\s*\([^)]*\)[^{}]*`+braces("true"), `\bfunc\s+(!=)\s*\([^)]*\)[^{}]*`+braces("false")),
		lang.Ruby:   pattern.Any(`\bdef\s+(==|===|eql\?|equal\?)\s*\(?\s*\w*\s*\)?[;\n]`+idleText+`(?:return\s+)?true\s*;?`+idleText+`end\b`, `\bdef\s+(==|eql\?|equal\?)\s*\(\s*\w*\s*\)\s*=\s*true\b`, `\bdef\s+(<=>)\s*\(?\s*\w*\s*\)?[;\n]`+idleText+`0\s*;?`+idleText+`end\b`),
		lang.PHP:    pattern.Any(`(?i)\bfunction\s+(equals|isEqual\w*|eq|sameValueAs)\s*\([^)]*\)[^;{}]*` + braces("true")),
	}
})

// agreeingText lists such comparisons of a text. A value of a type without fields is equal to every other of it.
func agreeingText(name string, src []byte) []agrees {
	re := alwaysYes()[lang.Of(name)]
	if re == nil || len(src) == 0 {
		return nil
	}
	text := string(src)
	var all []agrees
	for _, m := range re.FindAllStringSubmatchIndex(text, -1) {
		called := ""
		for i := 2; i+1 < len(m); i += 2 {
			if m[i] >= 0 {
				called = text[m[i]:m[i+1]]
			}
		}
		of := implemented.FindAllStringSubmatch(text[:m[0]], -1)
		if lang.Of(name) == lang.Rust && len(of) > 0 {
			holder := of[len(of)-1][1]
			if slices.ContainsFunc(fieldless.FindAllStringSubmatch(text, -1), func(m []string) bool { return m[1] == holder }) {
				continue
			}
			called = holder + "." + called
		}
		all = append(all, agrees{called, 1 + strings.Count(text[:m[0]], "\n")})
	}
	return all
}

// fieldless matches types of Rust's that have no fields.
var fieldless = pattern.New(`\bstruct\s+(\w+)\s*(?:;|\{\s*\}|\(\s*\)\s*;)`)

// implemented matches for which type of Rust's something is implemented.
var implemented = pattern.New(`\bimpl\b[^{;]*?\bfor\s+(?:\w+::)*(\w+)`)
