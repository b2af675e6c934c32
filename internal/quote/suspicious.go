package quote

import (
	"fmt"
	"slices"
	"strings"

	"fettle/internal/pattern"
	"fettle/internal/phrase"
)

// Suspicion is a place in a text that talks to whoever reads it as one talks to a model. It says nothing about what the text is for: tests and documents about models hold such words
// rightly. So no text is rewritten or held back for it; what a model makes of such material is only looked at more closely.
type Suspicion struct {
	Line int    // of the text, from 1
	Kind string // what it looks like, in a few words
	Text string // the words, on one line
}

// String is the suspicion in a sentence, without the place.
func (s Suspicion) String() string { return fmt.Sprintf("%s (%q)", s.Kind, s.Text) }

// gap is what may stand between two words: blanks, the ends of lines, and the marks that begin a line of a comment.
const gap = `[\s#*/>"'` + "`" + `_~-]+`

// suspect are the forms, each with what it looks like and the words of which one stands in it, in small letters. A single word that is usual in code or in prose ("user:", "act as", "ignore") is none of them.
var suspect = []struct {
	kind  string
	words []string
	form  *pattern.Pattern
}{
	{"it takes instructions back", []string{"ignore", "disregard", "forget", "override", "bypass"}, spaced(`\b(?:ignore|disregard|forget|override|bypass) (?:(?:all|any|every|each|both|of|the|your|my|our|these|those|its|other) ){0,4}(?:previous|prior|above|earlier|preceding|foregoing|system|original|initial|safety) (?:\w+ ){0,2}(?:instructions?|prompts?|rules?|guidelines?|directives?|directions|orders|constraints|guardrails)(?:\b|_)`)},
	{"it takes instructions back", []string{"ignore", "disregard", "forget"}, spaced(`\b(?:ignore|disregard|forget) (?:(?:all|any|every|of|the|your|these|those) ){0,3}(?:instructions|prompts|guidelines|directives) (?:above|before|below|that|which|you|given|and)\b`)},
	{"it takes instructions back", []string{"ignore", "disregard", "forget"}, spaced(`\b(?:forget|disregard|ignore) (?:everything|anything|all) (?:(?:that|which) )?(?:you (?:were|have been|are|know)|(?:said|written|told|stated|mentioned) (?:above|before|earlier)|above this|before this)\b`)},
	{"it takes instructions back", []string{"ignor", "忽略"}, pattern.New(`(?i)\bignor(?:a|e|ez|er|iere|ieren)\s+(?:sie\s+)?(?:todas\s+|tutte\s+|toutes\s+|alle\s+)?(?:las\s+|les\s+|le\s+|die\s+)?(?:instrucciones|istruzioni|instructions|anweisungen)\s+(?:anteriores|precedenti|précédentes|oben|davor)|忽略.{0,12}(?:指令|指示)`)},
	{"it gives new instructions", []string{"new", "real", "actual", "updated", "true"}, spaced(`(?:\byour (?:new|real|actual|updated|true)|(?m:^)[#*/>\t\x20-]*new) (?:task|instructions?|system prompt|objective|mission|goal)(?:(?: (?:is|are|follows?|begins?))?\s*:| is to\b)`)},
	{"it gives new instructions", []string{"from now"}, spaced(`\bfrom now on,? (?:you (?:are|will|must|should|shall|have)|ignore|always answer|respond|reply)\b`)},
	{"it makes somebody else of its reader", []string{"you are"}, spaced(`\byou are (?:now )?(?:no longer (?:an?|the|bound|restricted|required)|not bound by|free (?:of|from) (?:all|any|your)|now (?:an?|the|in) (?:\w+ ){0,3}(?:assistant|agent|model|ai|mode|admin\w*|root|hacker|persona)|dan)\b`)},
	{"it makes somebody else of its reader", []string{"act as", "pretend", "behave like", "roleplay"}, spaced(`\b(?:act as|pretend (?:to be|that you are|you are)|behave like|roleplay as) (?:if (?:you|there)|though you|an? (?:\w+ ){0,2}(?:unrestricted|unfiltered|jailbroken|ai|assistant|language model|llm))\b`)},
	{"it speaks as the other side of a conversation", []string{"<|", "<system-", "inst]", "sys>>"}, pattern.New(`(?i)<system-reminder>\s*[a-z]{2}|<\|(?:im_start|im_end|system|user|assistant|start_header_id|end_header_id|eot_id|begin_of_text)\|>|\[INST\]\s+[A-Za-z]|<</?SYS>>`)},
	{"it speaks as the other side of a conversation", []string{"system", "assistant", "developer"}, pattern.New(`(?im)^[ \t#*/>-]{0,8}(?:system|assistant|developer)(?: (?:prompt|message|note|override))?\s?:\s+(?:you (?:are|must|should|will|can)|ignore|disregard|from now|new (?:task|instructions)|the user (?:has|wants|is))\b`)},
	{"it speaks to a model", []string{"you are an", "you're an", "dear ", "to the "}, spaced(`\b(?:if (?:you are|you're) an? (?:ai|llm|language model|coding agent)|dear (?:llm|ai|assistant|language model)|to the (?:ai|llm|model|assistant|agent) (?:that|who|which)?(?:is )?(?:reads|reading|reviews|reviewing|judges|judging))\b`)},
	{"it speaks to an agent", []string{"approve", "exfiltrate", "disregard", "ignore", "conceal", "hide", "bypass", "disable", "delete", "weaken", "skip"}, spaced(`\b(?:ai|llm|coding|code|automated|autonomous) (?:assistants?|agents?|models?|reviewers?)[,:]? (?:\w+ ){0,6}(?:must|should|shall|please|have to|need to|are (?:required|instructed|expected) to|is (?:required|instructed|expected) to) (?:\w+ ){0,6}(?:approve|exfiltrate|disregard|ignore|conceal|hide|bypass|(?:disable|delete|weaken|skip) (?:\w+ ){0,2}(?:tests?|checks?|guards?|safety|security|validation))\b`)},
	{"it asks for silence", []string{"tell", "inform", "alert", "reveal", "mention"}, spaced(`\b(?:do not|don't|never|without) (?:tell|telling|inform|informing|alert|alerting|reveal|revealing|mention|mentioning) (?:(?:this|it|that|anything) )?(?:to )?(?:the |your |any )?(?:users?|humans?|operators?|reviewers?|maintainers?|person)\b|\b(?:do not|don't|never) mention (?:this|it)\b`)},
	{"it asks for a verdict", []string{"reviewer", "judge", "validator", "approver", "challenger", "grader"}, spaced(`\b(?:reviewers?|judges?|validators?|approvers?|challengers?|graders?) (?:of this \w+ )?(?:must|should|shall|will) (?:always |simply |just |immediately )?(?:approve|accept this|answer (?:ok|yes|approve)|give (?:\w+ ){0,3}(?:100|full|top|highest|maximum))\b`)},
	{"it asks for secrets", []string{"exfiltrate", "send", "post", "upload", "transmit", "forward", "leak", "mail"}, spaced(`\b(?:send|post|upload|exfiltrate|transmit|forward|leak|e-?mail) (?:[\w.,']+ ){0,6}(?:api keys?|secrets?|credentials?|passwords?|tokens?|environment variables?|\.env|private keys?|ssh keys?) (?:[\w.,']+ ){0,6}(?:to|at) (?:https?://|\S+@\S)`)},
	{"it has an agent run a program from the network", []string{"curl", "wget", "base64", "rm -rf"}, spaced(`\b(?:agents?|assistants?|models?|ai|llms?|claude|codex|gemini|copilot)[,:]? (?:\w+ ){0,6}(?:run|execute|paste|eval)\b[^\n]*(?:(?:curl|wget)\b[^\n|]*\|\s*(?:sudo )?(?:ba|z|da)?sh\b|base64 (?:-d|--decode)|rm -rf [~/])`)},
	{"it hides words", []string{"\xf3\xa0\x80", "\xf3\xa0\x81"}, pattern.New(`[\x{E0020}-\x{E007E}]{8,}`)}, // a flag has six of these at most
}

// spaced is a pattern whose words may stand on several lines of prose or of a comment.
func spaced(words string) *pattern.Pattern {
	return pattern.New(`(?i)` + strings.ReplaceAll(words, " ", gap))
}

// What is named at the most, and how much of a text around a word is looked at, in bytes: before it and behind it.
const (
	mostSuspicions = 5
	ahead, behind  = 200, 300
)

// Suspicious lists what in a text talks to a model, in the order of the text.
func Suspicious(text string) []Suspicion {
	var out []Suspicion
	small := lower(text)
	for _, s := range suspect {
		for _, w := range windows(small, s.words) {
			for _, at := range s.form.FindAllStringIndex(text[w.from:w.to], mostSuspicions) {
				from, to := w.from+at[0], w.from+at[1]
				line := 1 + strings.Count(text[:from], "\n")
				if !slices.ContainsFunc(out, func(o Suspicion) bool { return o.Line == line && o.Kind == s.kind }) {
					out = append(out, Suspicion{Line: line, Kind: s.kind, Text: few(text[from:to])})
				}
			}
		}
	}
	slices.SortStableFunc(out, func(a, b Suspicion) int { return a.Line - b.Line })
	return out[:min(len(out), mostSuspicions)]
}

// SuspiciousAdded lists what in the lines that a unified diff adds talks to a model. The lines are counted without the others.
func SuspiciousAdded(diff string) []Suspicion {
	var b strings.Builder
	inside := false // of a hunk: only where a line stands tells a file's header from an added line that begins with two signs
	for line := range strings.Lines(diff) {
		switch {
		case strings.HasPrefix(line, "@@"):
			inside = true
		case strings.HasPrefix(line, "diff "):
			inside = false
		case inside && strings.HasPrefix(line, "+"):
			b.WriteString(line[1:])
		}
	}
	return Suspicious(b.String())
}

// window is a part of a text.
type window struct{ from, to int }

// windows are the parts of a text in which one of these words stands, with what is around it, whole lines. A pattern takes far longer than to look for a word.
func windows(small string, words []string) (out []window) {
	var at []int
	for _, word := range words {
		for i := strings.Index(small, word); i >= 0; {
			at = append(at, i)
			next := strings.Index(small[i+len(word):], word)
			if next < 0 {
				break
			}
			i += len(word) + next
		}
	}
	slices.Sort(at)
	for _, i := range at {
		from := strings.LastIndexByte(small[:max(0, i-ahead)], '\n') + 1
		if n := len(out); n > 0 && from <= out[n-1].to {
			out[n-1].to = min(len(small), i+behind)
			continue
		}
		out = append(out, window{from, min(len(small), i+behind)})
	}
	return out
}

// lower is a text in small letters, as far as these are ASCII's, so that every byte stays in its place.
func lower(text string) string {
	b := []byte(text)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

// few is the beginning of words, on one line.
func few(text string) string {
	return phrase.Clip(strings.Join(strings.Fields(text), " "))
}
