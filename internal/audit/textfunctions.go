package audit

import (
	"fmt"
	"strings"

	"fettle/internal/audit/examples"
	"fettle/internal/audit/parts"
	"fettle/internal/audit/trees"
	"fettle/internal/lang"
	"fettle/internal/pattern"
	"fettle/internal/phrase"
)

// Functions of languages that are not read as programs are told by their heads and by how far in their lines are.

// textFunction is such a function.
type textFunction struct {
	line int // of its head
	head string
	body string // what is further in, and what stands behind the head on its line
}

// textFunctions are those of a source, by their names, in order.
func textFunctions(src []byte) map[string][]textFunction {
	all := make(map[string][]textFunction)
	lines := strings.Split(string(src), "\n")
	for i, text := range lines {
		name, head := functionHeadOf(lines, i)
		if name == "" {
			continue
		}
		_, inside, _ := strings.Cut(bodyAt(lines, i), "\n")
		all[name] = append(all[name], textFunction{i + 1, head, text[strings.Index(text, head)+len(head):] + "\n" + inside})
	}
	return all
}

// functionHeadOf is the name of the function that begins on a line, and its head up to the name; empty where none does.
func functionHeadOf(lines []string, at int) (name, head string) {
	if m := wordedFunction.FindStringSubmatch(lines[at]); m != nil {
		return m[1], m[0]
	}
	m := functionDefined.FindStringSubmatchIndex(lines[at])
	if m == nil || statement.MatchString(lines[at]) {
		return "", ""
	}
	if end := strings.TrimSpace(lines[at]); !strings.HasSuffix(end, "{") && !strings.Contains(end, "=>") && (at+1 == len(lines) || strings.TrimSpace(lines[at+1]) != "{") {
		return "", ""
	}
	return lines[at][m[2]:m[3]], lines[at][:m[3]]
}

// wordedFunction matches the head of a function in languages that have a word for it.
var wordedFunction = pattern.New(`^\s*(?:(?:pub(?:\([^)]*\))?|public|private|protected|internal|open|static|final|async|unsafe|const|override|inline|suspend|mutating)\s+)*(?:fn|func|def|defp|fun|function|sub)\s+(?:self\.)?([A-Za-z_]\w*[?!]?)`)

// readAsText reports whether functions of a file are told by their lines.
func (f *fileView) readAsText() bool {
	return !f.test && !f.formatted && f.text() && f.programBefore == nil && f.programAfter == nil && isSource(f.path) && !lang.IsVendored(f.path) && !lang.IsGenerated(f.path, f.after)
}

// changedFunctions visits the functions of a file that were there, and are another now: of equal names those that have no twin on the other side, in order.
func (f *fileView) changedFunctions(visit func(name string, was, is textFunction)) {
	had, has := textFunctions(f.before), textFunctions(f.after)
	for _, name := range sortedKeys(has) {
		body := func(fn textFunction) string { return parts.Bare(fn.body) }
		was, is := trees.Lacking(had[name], has[name], body), trees.Lacking(has[name], had[name], body)
		for i := range min(len(was), len(is)) {
			visit(name, was[i], is[i])
		}
	}
}

// silentTexts match, in such languages, where every error comes to nothing, or is called success.
var silentTexts = pattern.Table(func() map[lang.Language]*pattern.Pattern {
	const plain = `(?:return\s+(?:true|null|nil|0|Ok\(\(\)\)|Unit|\[\]|default|"")\s*;?|true|null|nil)?`
	in := func(caught string) string {
		return `\bcatch\s*` + caught + `\s*\{` + idleText + plain + idleText + `\}`
	}
	ruby := `\brescue(?:[ \t]+(?:StandardError|Exception))?(?:[ \t]*=>[ \t]*\w+)?[ \t]*(?:\n|;|then)` + idleText + `(?:(?:return[ \t]+)?(?:true|nil|\[\]|\{\}|0|""|''))?` + idleText + `(?:\b(?:end|ensure|else)\b|\z)`
	return map[lang.Language]*pattern.Pattern{
		lang.CSharp: pattern.Any(in(`(?:\(\s*(?:System\.)?Exception(?:\s+\w+)?\s*\))?`)),
		lang.PHP:    pattern.Any(in(`\(\s*\\?(?:Throwable|Exception)(?:\s+\$\w+)?\s*\)`), `(?:^|[\s=(!])@\$?\w+(?:(?:->|::)\w+)*\(`),
		lang.Kotlin: pattern.Any(in(`\(\s*\w+\s*:\s*(?:Exception|Throwable)\s*\)`), `\brunCatching\s*\{[^}]*\}\s*(?:$|\n\s*(?:return|\}))`),
		lang.Scala:  pattern.Any(`\bcase\s+(?:NonFatal\(\w+\)|_|\w+\s*:\s*(?:Exception|Throwable))\s*=>\s*(?:\(\)|true|null|None|Nil)?\s*\n?\s*\}`),
		lang.Swift:  pattern.Any(in(`(?:let\s+\w+)?`), `(?m)^\s*(?:_\s*=\s*)?try\?\s`),
		lang.CPP:    pattern.Any(in(`\(\s*(?:\.\.\.|(?:const\s+)?std::exception\s*(?:const)?\s*&?\s*\w*)\s*\)`)),
		lang.Ruby:   pattern.Any(ruby, `\srescue[ \t]+(?:nil|true|\[\]|\{\}|0|''|"")[ \t]*(?:$|\n)`),
		lang.Rust:   pattern.Any(`\blet\s+_\s*=\s*[\w.:]+\([^;\n]*\)\s*;`, `(?m)^\s*[\w.:]+\([^;\n]*\)\.ok\(\)\s*;`, `\bif\s+let\s+Err\(_\w*\)\s*=\s*[^{\n]*\{\s*\}`, `\bunwrap_or_default\(\)`),
	}
})

// endsThings matches functions that put away what was used: that it was put away before is no error.
var endsThings = pattern.New(`(?i)^(?:~|__destruct|finalize|deinit|drop)|close|dispose|clean_?up|shut_?down|tear_?down|stop|cancel|release|remove|delete_?temp|unlink`)

// textSilences looks for functions that were there, and begin to catch every error and say nothing.
func textSilences(f *fileView) []Finding {
	re := silentTexts()[lang.Of(f.path)]
	if re == nil || !f.readAsText() {
		return nil
	}
	var all []Finding
	f.changedFunctions(func(name string, was, is textFunction) {
		places := re.FindAllStringIndex(is.body, -1)
		if endsThings.MatchString(name) || len(places) <= len(re.FindAllStringIndex(was.body, -1)) || lang.Of(f.path) == lang.Rust && raisedIn(is.body) >= raisedIn(was.body) {
			return
		}
		at := places[len(places)-1]
		all = append(all, Finding{Line: is.line + strings.Count(is.body[:at[0]], "\n"), Effect: Ask, Evidence: fmt.Sprintf("%s makes nothing of an error (%q): that hides a fault", name, phrase.Clip(strings.Join(strings.Fields(is.body[at[0]:at[1]]), " ")))})
	})
	return all
}

// raisedIn counts where a function of Rust's hands an error on, or ends for it.
func raisedIn(body string) int {
	return strings.Count(body, "?;") + strings.Count(body, ")?") + strings.Count(body, ".unwrap()") + strings.Count(body, ".expect(") + strings.Count(body, "Err(")
}

// constantBody matches, without white space, a function that gives one value, which is written out, whatever it is given.
var constantBody = pattern.New(`^(?:[^{=]*?[{=]>?|\([^()]*\)|)(?:return)?(?:true|false|-?\d+(?:\.\d+)?|nil|null|None|Ok\(\(\)\)|Ok\(true\)|Some\(\w+\)|\[\]|vec!\[\]|"[^"]*"(?:\.to_string\(\)|\.into\(\))?)[;,]?\}?$`)

// constantSymbol matches one of Ruby's that gives a symbol. Elsewhere a colon stands before a type.
var constantSymbol = pattern.New(`^(?:\([^()]*\))?(?:return)?:\w+$`)

// openWork matches what says that a function is not written yet, or for others to write.
var openWork = pattern.New(`(?i)todo|not.?implemented|unimplemented|fixme|abstract`)

// constantTexts looks for functions that computed what they give, and give one value now, whatever they are given.
func constantTexts(v *patchView, f *fileView) []Finding {
	if !f.readAsText() {
		return nil
	}
	constant := func(body string) bool {
		return constantBody.MatchString(body) || lang.Of(f.path) == lang.Ruby && constantSymbol.MatchString(body)
	}
	var all []Finding
	f.changedFunctions(func(name string, was, is textFunction) {
		old, now := withoutComments(f.path, was.body), withoutComments(f.path, is.body)
		if constant(now) && !constant(old) && len(old) > len(now)+tellingBody && !openWork.MatchString(old) {
			all = append(all, Finding{Line: is.line, Effect: v.unless(Healer, Tidier), Evidence: name + " computed what it gives, and gives the same now whatever it is given: compute it"})
		}
	})
	return all
}

// withoutComments is a text without lines of comments and white space.
func withoutComments(name, text string) string {
	var b strings.Builder
	for l := range strings.Lines(text) {
		if !commentLine(name, l) {
			b.WriteString(l)
		}
	}
	return parts.Bare(b.String())
}

// literalText is a value that is written out, in any of these languages.
const literalText = `("[^"\n]*"|'[^'\n]*'|-?\d[\d_.]*)`

// specialText matches where such a function gives what is written out for an input that is written out; the groups are what is asked and what is given, and the other way round.
var specialText = pattern.New(
	`\b(?:if|elsif|elif|elseif)\b[^\n{;]*?(?:===?|\.equals\(|\.eql\?\(?)\s*` + literalText + `[^\n{;=]*?[{:]?(?:\s*then)?\s*return\s+(?:new\s+\w+\(|Some\(|Ok\()?` + literalText +
		`|\breturn\s+` + literalText + `\s+(?:if|when)\b[^\n]*==\s*` + literalText +
		`|(?:^|\n)\s*(?:when|case)?\s*` + literalText + `\s*(?:=>|->|:|then|\n)\s*(?:return\s+|Some\(|Ok\()?` + literalText)

// specialTexts looks for functions that go through what they are given, and begin to have the answer for some input ready.
func specialTexts(_ *patchView, f *fileView) []Finding {
	if !f.readAsText() {
		return nil
	}
	var all []Finding
	f.changedFunctions(func(name string, was, is textFunction) {
		if !loops.MatchString(was.body) {
			return
		}
		fresh := trees.Lacking(specialsIn(is.body), specialsIn(was.body), func(p examples.Pair) string { return p.Asked[0] + "\x00" + p.Given[0] })
		says, data, answers := 0, -1, make(map[string]bool)
		for i, p := range fresh {
			says += examples.Weight(p.Given)
			answers[p.Given[0]] = true
			if data < 0 && examples.IsDatum(p.Asked[0]) {
				data = i
			}
		}
		if data < 0 || says < telling || len(fresh) > 1 && len(answers) < 2 {
			return
		}
		all = append(all, Finding{Line: is.line, Effect: Ask, Evidence: fmt.Sprintf("%s has the answer for one input (%s) ready (%s), which it computes for others: compute it", name, phrase.Clip(fresh[data].Asked[0]), phrase.Clip(fresh[data].Given[0]))})
	})
	return all
}

// loops matches that something is gone through.
var loops = pattern.New(`\b(?:for|foreach|while|loop|until)\b|\.(?:each\w*|map|flat_?map|fold|reduce|inject|times|step|iter|chars|bytes|sum|forEach|Select|Aggregate|filter)\b`)

// specialsIn are the pairs of inputs and answers that a body has ready.
func specialsIn(body string) []examples.Pair {
	var all []examples.Pair
	for _, m := range specialText.FindAllStringSubmatch(body, -1) {
		switch {
		case m[1] != "":
			all = append(all, examples.Pair{Asked: []string{asLiteral(m[1])}, Given: []string{asLiteral(m[2])}})
		case m[3] != "":
			all = append(all, examples.Pair{Asked: []string{asLiteral(m[4])}, Given: []string{asLiteral(m[3])}})
		default:
			all = append(all, examples.Pair{Asked: []string{asLiteral(m[5])}, Given: []string{asLiteral(m[6])}})
		}
	}
	return all
}

// asLiteral is a written value as rules compare it.
func asLiteral(text string) string {
	if strings.HasPrefix(text, "'") {
		return `"` + strings.Trim(text, "'") + `"`
	}
	return strings.ReplaceAll(text, "_", "")
}
