package hook

import (
	"slices"
	"strings"
	"unicode"
)

// prompted notes what a person says: a new message ends what was counted since the last one.
func (s *session) prompted(o *occasion) {
	s.Spoken++
	s.Since, s.Denied, s.Plan = 0, nil, nil
	s.Forbids = s.redactor().RedactString(prohibition(o.Prompt))
	s.Styled = mentions(o.Prompt, styleWords)
	s.Asked = asking(o.Prompt)
	s.Changed = false
	if o.settled.Validator != nil {
		words := s.redactor().RedactString(o.Prompt)
		s.Words = append(s.Words[max(0, len(s.Words)-maxWords+1):], clip(words, maxWord))
	}
}

// asking reports a message that ends with a question, or with one and a word about the answer: "Why is it slow? Tell me."
func asking(message string) bool {
	message = strings.TrimSpace(message)
	at := strings.LastIndexByte(message, '?')
	if at < 0 {
		return false
	}
	rest := plainWords(message[at+1:])
	return len(rest) == 0 || len(rest) <= 4 && slices.Contains([]string{"tell", "explain", "answer", "thanks", "thank", "i", "be", "think", "describe", "say"}, rest[0])
}

// The bounds of what is remembered of a person's words: messages, and bytes of each.
const (
	maxWords = 3
	maxWord  = 2000
)

// prohibition is the sentence of a person's message that says to change nothing; empty if there is none. Only a sentence that says nothing else counts:
// "don't edit anything yet" forbids, "don't edit the tests" does not, and "stop" only where it is all that is said.
func prohibition(message string) string {
	if len(message) > 2000 {
		return "" // a long message is a task
	}
	all := sentences(message)
	for _, sentence := range all {
		if onlyLooks(sentence) {
			return clip(strings.TrimSpace(sentence), 100)
		}
		words := plainWords(sentence)
		if len(words) == 0 {
			continue
		}
		if stops(words) && !slices.ContainsFunc(all, func(other string) bool { w := plainWords(other); return len(w) > 0 && !stops(w) && !forbids(w) }) {
			return clip(strings.TrimSpace(sentence), 100)
		}
		if forbids(words) {
			return clip(strings.TrimSpace(sentence), 100)
		}
	}
	return ""
}

// sentences are those of a text, cut at what ends one. A comma ends none: "don't edit anything, just the parser" is one sentence.
func sentences(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(".!?\n;", r) })
}

// plainWords are a sentence's words in small letters, without those that only add courtesy or time.
func plainWords(sentence string) []string {
	sentence = strings.NewReplacer("’", "'", "don't", "do not", "dont", "do not").Replace(strings.ToLower(sentence))
	words := strings.FieldsFunc(sentence, func(r rune) bool { return !unicode.IsLetter(r) })
	return slices.DeleteFunc(words, func(w string) bool {
		return slices.Contains([]string{"please", "yet", "now", "just", "for", "ok", "okay", "hey", "no", "right", "there", "immediately", "and", "at", "all", "claude", "codex", "again"}, w)
	})
}

// onlyLooks reports a sentence that ends with the wish that nothing be changed, or says nothing else: "just explain, no edits".
func onlyLooks(sentence string) bool {
	parts := strings.FieldsFunc(strings.ToLower(sentence), func(r rune) bool { return strings.ContainsRune(",:—–()", r) })
	if len(parts) == 0 {
		return false
	}
	last := strings.NewReplacer("-", " ", " please", "", "please ", "", " yet", "", " for now", "", " now", "", " just", "", "just ", "").Replace(strings.TrimSpace(parts[len(parts)-1]))
	return slices.Contains([]string{"no edits", "no changes", "no code changes", "no code", "no code edits", "no writes", "without editing anything", "without changing anything", "read only", "this is read only", "look only", "only look", "look but do not touch",
		"look but don't touch", "nothing should be changed", "nothing should change", "nothing is to be changed", "nothing may be changed", "nothing must be changed", "leave everything as it is", "leave the code as it is", "leave the code alone", "do not make any changes",
		"don't make any changes", "do not make changes", "don't make changes", "make no changes", "change nothing", "edit nothing", "touch nothing"}, strings.TrimSpace(last))
}

// stops reports a bare word of command to stop.
func stops(words []string) bool {
	return slices.Contains([]string{"stop", "stop it", "stop that", "stop this", "stop everything", "stop editing", "halt", "wait", "hold on", "stop working", "stop wait", "wait stop", "stop stop", "hold on a second", "hold on a moment", "hold on a minute", "wait a second", "wait a moment", "wait a minute", "i said stop", "stop doing that", "i said stop doing that", "stop what you are doing"}, strings.Join(words, " "))
}

// forbids reports "do not change anything", in its many words.
func forbids(words []string) bool {
	if len(words) < 4 || words[0] != "do" || words[1] != "not" {
		return false
	}
	verbs := []string{"edit", "change", "touch", "modify", "write", "alter", "or"}
	rest := words[2:]
	for len(rest) > 0 && slices.Contains(verbs, rest[0]) {
		rest = rest[1:]
	}
	return len(rest) < len(words)-2 && slices.Contains([]string{"anything", "any file", "any files", "any code", "any of files", "files", "code", "a thing", "a single file", "a file", "the code", "the files"}, strings.Join(rest, " "))
}

// styleWords are those of a person who wants the style of code changed.
var styleWords = []string{"style", "format", "formatting", "reformat", "quote", "quotes", "semicolon", "semicolons", "comma", "commas", "indent", "indentation", "whitespace", "spaces", "tabs", "lint", "linter", "prettier", "black", "ruff", "eslint", "gofmt", "pep8", "tidy", "clean"}

// mentions reports whether a text has one of the words in it.
func mentions(text string, words []string) bool {
	for w := range strings.FieldsFuncSeq(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if slices.Contains(words, w) {
			return true
		}
	}
	return false
}
