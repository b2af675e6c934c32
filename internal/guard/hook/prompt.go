package hook

import (
	"slices"
	"strings"
	"unicode"
)

// prompted notes what a person says: a new message ends what was counted since the last one.
func (s *session) prompted(o *occasion) {
	s.Spoken++
	s.Since, s.Acted, s.Broken, s.Denied, s.Plan = 0, false, false, nil, nil
	s.Forbids = s.redactor().RedactString(prohibition(o.Prompt))
	s.Styled = mentions(o.Prompt, styleWords)
	s.Asked = asking(o.Prompt)
	s.Ordered = !s.Asked && s.Forbids == "" && ordering(o.Prompt)
	s.Changed = false
	if o.settled.Validator != nil {
		words := clip(s.redactor().RedactString(o.Prompt), maxWord)
		if s.Spoken == 1 {
			s.First = words
		}
		s.Words = append(s.Words[max(0, len(s.Words)-maxWords+1):], words)
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

// tasks are the words with which people begin to say what is to be done.
const tasks = " fix mend add remove delete rename change write rewrite implement make create update refactor build run test move replace use put set install document commit clean convert port upgrade split " +
	"merge extract revert undo improve optimise optimize speed debug check review look find search investigate explain finish solve repair correct bump migrate generate "

// ordering reports a message of which some sentence is an order.
func ordering(message string) bool {
	return slices.ContainsFunc(sentences(message), func(sentence string) bool {
		words := plainWords(sentence)
		for len(words) > 0 && among(" go ahead so then also let's lets ", words[0]) {
			words = words[1:]
		}
		return len(words) > 1 && (among(tasks, words[0]) || words[0] == "do" && among(" it this that so both ", words[1]))
	})
}

// first is what the person said first, where it is not among what they said last. "Yes, go on" says nothing without it.
func (s *session) first() string {
	if s.Spoken > len(s.Words) {
		return s.First
	}
	return ""
}

// The bounds of what is remembered of a person's words: messages beside the first, and bytes of each.
const (
	maxWords = 9
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
		if onlyLooks(sentence) || forbidsWork(sentence) {
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
	bare := strings.NewReplacer("-", " ", " please", "", "please ", "", " yet", "", " for now", "", " now", "", " just", "", "just ", "")
	first := strings.TrimSpace(bare.Replace(strings.TrimSpace(parts[0])))
	if slices.Contains([]string{"read only", "look only", "only look", "explain only", "analyse only", "analyze only", "review only", "no edits", "no changes", "no code changes", "without changing anything", "without editing anything", "without touching anything", "without making changes", "without making any changes"}, first) {
		return true
	}
	for i, part := range parts {
		if whole(strings.TrimSpace(bare.Replace(strings.TrimSpace(part)))) && (i == len(parts)-1 || slices.Contains(instead, firstWord(parts[i+1]))) {
			return true
		}
	}
	return asksFirst(parts)
}

// whole reports a part of a sentence that is nothing but the wish that nothing be changed.
func whole(part string) bool {
	return slices.Contains([]string{"no changes to the repo", "no changes to the repository", "no changes to the code", "no changes to the files", "no changes to files", "no changes to anything", "hold off on edits", "hold off on editing", "hold off on changes", "hold off on any edits", "hold off on any changes", "no edits", "no changes", "no code changes", "no code", "no code edits", "no writes", "without editing anything", "without changing anything", "read only", "this is read only", "look only", "only look", "look but do not touch",
		"look but don't touch", "nothing should be changed", "nothing should change", "nothing is to be changed", "nothing may be changed", "nothing must be changed", "leave everything as it is", "leave the code as it is", "leave the code alone", "do not make any changes",
		"don't make any changes", "do not make changes", "don't make changes", "make no changes", "change nothing", "edit nothing", "touch nothing"}, part)
}

// asksFirst reports a sentence that wants to hear something before anything is changed: "before you change anything, tell me your plan".
func asksFirst(parts []string) bool {
	const telling = " tell show explain describe outline propose ask give present what how why "
	for i, part := range parts {
		wish, rest, ok := strings.Cut(part, "before you ")
		if !ok || !nothingAtAll(plainWords(rest)) {
			continue
		}
		words := plainWords(wish)
		if len(words) == 0 && i+1 < len(parts) {
			words = plainWords(parts[i+1])
		}
		if len(words) > 0 && among(telling, words[0]) {
			return true
		}
	}
	return false
}

// stops reports a bare word of command to stop.
func stops(words []string) bool {
	return slices.Contains([]string{"stop", "stop it", "stop that", "stop this", "stop everything", "stop editing", "stop editing files", "stop editing the files", "stop editing the code", "stop editing anything", "stop making changes", "stop making any changes", "stop changing things", "stop changing anything", "stop changing the code", "stop coding", "halt", "wait", "hold on", "stop working", "stop wait", "wait stop", "stop stop", "hold on a second", "hold on a moment", "hold on a minute", "wait a second", "wait a moment", "wait a minute", "i said stop", "stop doing that", "i said stop doing that", "stop what you are doing"}, strings.Join(words, " "))
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

// prohibitions are how people begin to say that something is not to be done; all of them mean "do not".
var prohibitions = strings.NewReplacer("’", "'", "don't", "do not", "dont", "do not", "i do not want you to", "do not", "i don't want you to", "do not", "i don’t want you to", "do not", "i do not want", "do not want", "i don't want", "do not want", "i don’t want", "do not want", "you must not", "do not", "you mustn't", "do not",
	"you should not", "do not", "you shouldn't", "do not", "you may not", "do not", "you are not to", "do not", "you're not to", "do not", "never", "do not")

// forbidsWork reports a part of a sentence that says to change nothing, behind a comma or a conjunction too: "explain it, but do not edit". What follows
// behind a comma may take it back: "don't edit anything, just the parser".
func forbidsWork(sentence string) bool {
	text := prohibitions.Replace(strings.ToLower(sentence))
	for {
		i := strings.Index(text, "do not ")
		if i < 0 {
			return false
		}
		before := strings.TrimSpace(text[:i])
		text = text[i+len("do not "):]
		part, rest, more := strings.Cut(text, ",")
		if j := strings.IndexAny(part, ":—–("); j >= 0 {
			part, rest, more = part[:j], part[j+1:], true
		}
		if fields := strings.Fields(before); len(fields) > 0 && !strings.HasSuffix(before, ",") && !slices.Contains([]string{"and", "but", "so", "please", "just", "now", "also", "ok", "okay", "then", "still"}, strings.TrimRight(fields[len(fields)-1], ":—–")) {
			continue // "tests that do not change anything"
		}
		if more && !slices.Contains(instead, firstWord(rest)) {
			continue
		}
		if nothingAtAll(plainWords(part)) {
			return true
		}
	}
}

// instead are the words with which people go on to say what is wanted instead, where that is no change.
var instead = []string{"just", "only", "tell", "explain", "answer", "describe", "show", "what", "why", "how", "i", "first", "please", "let", "but", "and"}

// firstWord is the first word of a text; of "just" and "only", which say nothing, the next as well, if that is a thing.
func firstWord(text string) string {
	words := strings.Fields(text)
	if len(words) == 0 {
		return "just"
	}
	if len(words) > 1 && slices.Contains([]string{"just", "only", "but", "and", "please"}, words[0]) && !slices.Contains([]string{"tell", "explain", "answer", "describe", "show", "say", "look", "review", "analyse", "analyze", "give", "want", "read", "think", "list", "summarize", "summarise", "plan", "propose", "suggest", "i", "let", "do"}, words[1]) {
		return ""
	}
	return words[0]
}

// nothingAtAll reports "edit anything", "implement it", or a bare "edit": what follows "do not" where nothing is to be done.
func nothingAtAll(words []string) bool {
	edits := []string{"want", "edit", "change", "modify", "touch", "write", "alter", "fix", "implement", "make", "refactor", "create", "delete", "or"}
	rest := words
	for len(rest) > 0 && slices.Contains(edits, rest[0]) {
		rest = rest[1:]
	}
	if len(rest) == len(words) {
		return false
	}
	object := strings.Join(rest, " ")
	work := slices.Contains([]string{"fix", "implement"}, words[0])
	return object == "" && words[0] != "want" && words[0] != "make" && words[0] != "create" && words[0] != "delete" ||
		work && slices.Contains([]string{"it", "this", "that", "anything"}, object) ||
		slices.Contains([]string{"anything", "any file", "any files", "any code", "any of files", "files", "code", "a thing", "a single file", "a file", "the code", "the files", "any changes", "changes", "any change", "any edits", "edits", "a change", "any code changes", "code changes", "any changes to code", "any changes to the code", "any changes to files"}, object)
}

// styleWords are those of a person who wants the style of code changed.
var styleWords = []string{"style", "format", "formats", "formatter", "formatters", "formatted", "formatting", "reformat", "prettify", "beautify", "crlf", "eol", "endings", "trailing", "imports", "quote", "quotes", "semicolon", "semicolons", "comma", "commas", "indent", "indentation", "whitespace", "spaces", "tabs", "lint", "linter", "prettier", "black", "ruff", "eslint", "gofmt", "rustfmt", "goimports", "isort", "stylua", "pep8", "tidy", "clean"}

// mentions reports whether a text has one of the words in it.
func mentions(text string, words []string) bool {
	for w := range strings.FieldsFuncSeq(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if slices.Contains(words, w) {
			return true
		}
	}
	return false
}
