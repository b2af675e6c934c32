package hook

import (
	"slices"
	"strings"

	"fettle/internal/guard/transcript"
)

// stop looks at the last message of an agent that would end its turn, and sends it on once where that message leaves the person without what
// they need, or where a validator has something against what was done. A client that says it is going on for a hook's sake already is never held up again.
func (h *Hook) stop(s *session, o *occasion) (a answer) {
	if !o.StopActive && s.Spoken > 0 {
		all := append(s.objections(o.Agent), h.lacking(s, o))
		a.block = strings.Join(slices.DeleteFunc(all, func(text string) bool { return text == "" }), "\n")
	}
	if a.block == "" {
		s.bequeath(o.Agent)
	}
	return a
}

// lacking says what an agent's last message leaves out; empty: nothing.
func (h *Hook) lacking(s *session, o *occasion) string {
	last, f := strings.TrimSpace(o.Last), s.untold()
	if claimsSuccess(last) {
		f = s.failing() // told of or not: it is not so
	}
	if o.Name == "SubagentStop" {
		return s.reported(o, last)
	}
	switch {
	case f != nil && (claimsSuccess(last) || s.Since > 0 && !admits(last)):
		s.tell()
		return f.What + " failed (" + f.Error + ") and has not passed since, though your last message does not say so. Run it again, or say plainly that it fails."
	case s.Asked && evades(last):
		return "The person asked a question, and your last message does not answer it. Answer it."
	case last != "" && (s.Since > 0 || s.Ordered) && len(last) < 30 && !concludes(last) && !s.Asked && !strings.HasSuffix(last, "?") && !asks(last, s.Changed):
		return "Your last message does not say what became of the task. If it is done, say what was done; if not, please explain what's blocking you."
	}
	return h.unheard(s, o, last)
}

// reported says what is missing in a subagent's last message, which is all that the agent hears that has sent it. What the person has asked, or has to be asked, is
// not its business: nobody can answer it.
func (s *session) reported(o *occasion, last string) string {
	i := slices.IndexFunc(s.Failures, func(f failure) bool { return f.Agent == o.Agent && !f.Sent })
	switch {
	case last == "":
	case i >= 0 && !admits(last):
		f := &s.Failures[i]
		f.Sent = true
		return f.What + " failed (" + f.Error + ") and has not passed since, though your report does not say so. Run it again, or say plainly that it fails."
	case asks(last, true):
		return "Nobody can answer your question. Take what fits the errand best, say what you have assumed, and go on; or report what is missing, and end."
	case len(last) < 30 && !concludes(last):
		return "Your report does not say what became of the errand. The agent that sent you hears nothing else: say what was done or found, or what is blocking you."
	}
	return ""
}

// unheard says what to do instead of ending a turn with a question that the person does not see, or is not there to see.
func (h *Hook) unheard(s *session, o *occasion, last string) string {
	alone := h.alone(s, &o.Event)
	switch {
	case o.Mode == "plan" && asksApproval(last) && !alone:
		return "Use the ExitPlanMode tool to bring the plan before the person: they approve it, or say what to change."
	case s.Asked || !asks(last, s.Changed), h.client(s, &o.Event) == nil && !transcript.Unattended(o.Transcript):
		return ""
	case alone:
		return "Nobody is here to answer your question. Take what fits the task best, say what you have assumed, and go on; or say what is missing, and end."
	}
	return "Use the AskUserQuestion tool for a question to the person, so that they see it and can choose."
}

// asks reports a message that ends with a question on which the work waits. One that only offers more of it ends well, and so does one that is asked out of courtesy, or of
// nobody. Where something was done, what sounds like an offer is one.
func asks(text string, done bool) bool {
	last := lastSentence(text)
	order, asked := strings.CutPrefix(last, "please ")
	switch {
	case holds(last, courtesies), done && holds(last, opinions):
		return false
	case strings.HasSuffix(last, "?"):
		return holds(last, leaves) || begins(last, interrogatives) || !done && mentions(last, questionWords)
	case asked && begins(order, orders):
		return true
	}
	return !done && (asked && begins(order, []string{"confirm"}) || holds(last, choices) || holds(last, "let me know if") && holds(last, goings))
}

// What is held against a message's last sentence: parts of it, with | between them.
const (
	courtesies = "also | next| else| too?| too,| as well|any other|further|deeper|more detail|more about|questions|your question|anything|something|that help|this help|it help|help you|i help|make sense|makes sense|" +
		"what you wanted|what you were|what you had|work on?|work on today|working on today|do for you|like to do?|like me to do?|who knew|who would have|how about that|go wrong?|not to like|how cool|how nice"
	opinions = "you think|that look|it look|this look|that sound|this sound"
	leaves   = "should i |shall i |may i |can i |should it |should the |should we |shall we |do you want|do you prefer|would you prefer|do you mean|do you have|do you know|is it ok|is it fine to|you tell|you clarify|you confirm|" +
		"you provide|you share|you specify|you give me|you send|you explain|which one|which option|which of |which approach"
	choices = "let me know which|let me know where|let me know whether|let me know how you|let me know what i|let me know what to|let me know when to|let me know your"
	goings  = " i should| i can| i may| we should| me to |proceed|go ahead|continue"
)

// The words with which a question begins that only the person can answer, or a request for what only they have, and those by which an English question is known.
var (
	interrogatives = []string{"what", "what's", "which", "where", "when", "who", "whose", "how"}
	orders         = []string{"tell", "specify", "clarify", "choose", "pick", "select", "provide", "decide", "advise", "answer"}
	questionWords  = strings.Fields("what which where when who whose how should shall may can could would will do does did is are was were has have you your ok okay sure ready proceed continue preference confirm")
	leading        = strings.Fields("and or so but then now ok okay in for to on from at with of by under into -")
)

// begins reports a sentence of which some part begins with one of the words, behind others that only lead to it.
func begins(sentence string, words []string) bool {
	for _, part := range strings.FieldsFunc(sentence, func(r rune) bool { return strings.ContainsRune(",:;(—–", r) }) {
		for _, word := range strings.Fields(part) {
			if word = strings.Trim(word, "*_?."); slices.Contains(words, word) {
				return true
			} else if !slices.Contains(leading, word) {
				break
			}
		}
	}
	return false
}

// holds reports a text that has one of these parts in it.
func holds(text, parts string) bool {
	for _, part := range strings.Split(parts, "|") {
		if strings.Contains(text, part) {
			return true
		}
	}
	return false
}

// asksApproval reports a message that asks for a plan to be approved.
func asksApproval(text string) bool {
	last := lastSentence(text)
	return strings.HasPrefix(last, "please confirm") || strings.HasPrefix(last, "please approve") || strings.HasSuffix(last, "?") && holds(last, "plan|proceed|approach|go ahead|look good|looks good|implement")
}

// lastSentence is the last sentence of a text, in small letters: a question, where only the choices are named behind it that it leaves. A dot within a name ends none.
func lastSentence(text string) string {
	text = strings.ToLower(strings.TrimSpace(text))
	if q := beforeList(text); strings.HasSuffix(q, "?") && mentions(q[strings.LastIndexByte(q, '\n')+1:], []string{"you", "your", "should", "shall"}) {
		text = q
	}
	body := strings.TrimRight(text, ".?!*_) ")
	begin := strings.LastIndexByte(body, '\n') + 1
	for _, end := range []string{". ", "? ", "! ", ".* ", ".** ", ".) "} {
		if i := strings.LastIndex(body, end); i >= begin {
			begin = i + len(end)
		}
	}
	return strings.TrimRight(strings.TrimSpace(text[begin:]), "*_) ")
}

// beforeList is what stands before the list with which a text ends.
func beforeList(text string) string {
	for {
		i := strings.LastIndexByte(text, '\n')
		mark, _, item := strings.Cut(strings.TrimSpace(text[i+1:]), " ")
		if i < 0 || !item || strings.Trim(mark, "0123456789.)-*•") != "" {
			return strings.TrimRight(text, "*_ ")
		}
		text = strings.TrimSpace(text[:i])
	}
}

// troubleWords are those of a message that does not hide what went wrong.
var troubleWords = []string{"fail", "fails", "failed", "failing", "failure", "failures", "error", "errors", "except", "unrelated", "flaky", "still", "broken", "breaks", "unable", "unfinished"}

// admits reports a message that does not hide what went wrong: it names it, or says of a check or of the work that it does not.
func admits(text string) bool {
	if mentions(text, troubleWords) {
		return true
	}
	return slices.ContainsFunc(sentences(text), func(sentence string) bool {
		return mentions(sentence, []string{"not", "cannot", "t", "never"}) && // "t" is the end of can't and its like
			mentions(sentence, []string{"test", "tests", "check", "checks", "suite", "pass", "passes", "passing", "work", "works", "working", "build", "builds", "compile", "compiles", "run", "runs", "green", "succeed", "succeeds", "fixed", "mended", "solved", "fix", "finish", "complete"})
	})
}

// doneWords are those of a message that says how a task ended, however short it is.
var doneWords = []string{"done", "completed", "complete", "finished", "ready", "fixed", "passed", "pass", "passes", "yes", "no", "created", "updated", "added", "removed", "committed", "pushed", "merged", "works", "good", "green", "set", "failed", "fails", "cannot", "can't"}

// concludes reports a message that says how a task ended, by a word for it or by what was done: "Renamed x to y." What is not English is not known.
func concludes(text string) bool {
	if mentions(text, doneWords) || strings.ContainsFunc(text, func(r rune) bool { return r >= 0x80 }) {
		return true
	}
	first, _, _ := strings.Cut(strings.ToLower(text), " ")
	first = strings.Trim(first, ".!,:;")
	return len(first) > 4 && (strings.HasSuffix(first, "ed") || slices.Contains([]string{"wrote", "rewrote", "built", "rebuilt", "undone", "split", "erledigt", "fertig", "listo", "hecho", "pronto", "gotowe", "klaar"}, first))
}

// claimsSuccess reports a message that says all is well, and does not speak of anything that is not.
func claimsSuccess(text string) bool {
	says := holds(strings.ToLower(text), "tests pass|tests are passing|all pass|all green|everything passes|everything works|build succeeds|builds successfully|passes now|now passes|all checks pass")
	return says && !admits(text)
}

// evades reports a short announcement in the place of an answer.
func evades(text string) bool {
	return len(text) < 50 && slices.ContainsFunc([]string{"I'll", "I’ll", "Let me", "Sure", "OK", "Okay", "I will"}, func(s string) bool { return strings.HasPrefix(text, s) })
}
