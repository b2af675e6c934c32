package hook

import (
	"slices"
	"strings"
)

// stop looks at the last message of an agent that would end its turn, and sends it on once where that message leaves the person without what
// they need. A client that says it is going on for a hook's sake already is never held up again, nor is a subagent.
func (h *Hook) stop(s *session, o *occasion) answer {
	if o.Name != "Stop" || o.StopActive || s.Spoken == 0 {
		return answer{}
	}
	last := strings.TrimSpace(o.Last)
	switch {
	case s.Failed != nil && !s.Failed.Told && (claimsSuccess(last) || s.Since > 0 && !mentions(last, troubleWords)):
		s.Failed.Told = true
		return answer{block: s.Failed.What + " failed (" + s.Failed.Error + ") and has not passed since, though your last message does not say so. Run it again, or say plainly that it fails."}
	case s.Asked && evades(last):
		return answer{block: "The person asked a question, and your last message does not answer it. Answer it."}
	case last != "" && s.Since > 0 && len(last) < 30 && !mentions(last, doneWords) && !s.Asked:
		return answer{block: "Your last message does not say what became of the task. If it is done, say what was done; if not, please explain what's blocking you."}
	}
	return answer{block: h.unheard(s, o, last)}
}

// unheard says what to do instead of ending a turn with a question that the person does not see, or is not there to see.
func (h *Hook) unheard(s *session, o *occasion, last string) string {
	alone := h.alone(s, o.Event)
	switch {
	case o.Mode == "plan" && asksApproval(last) && !alone:
		return "Use the ExitPlanMode tool to bring the plan before the person: they approve it, or say what to change."
	case s.Asked || h.client(s) == nil || !asks(last):
		return ""
	case alone:
		return "Nobody is here to answer your question. Take what fits the task best, say what you have assumed, and go on; or say what is missing, and end."
	}
	return "Use the AskUserQuestion tool for a question to the person, so that they see it and can choose."
}

// asks reports a message that ends with a question on which the work waits. One that only offers more of it ends well.
func asks(text string) bool {
	last := lastSentence(text)
	return strings.HasSuffix(last, "?") && slices.ContainsFunc([]string{"should i ", "shall i ", "do you want", "do you prefer", "would you prefer", "what would you prefer", "which one ", "which option", "which of ", "which approach", "may i ", "can i proceed", "how should i", "what should i"},
		func(s string) bool { return strings.Contains(last, s) }) && !slices.ContainsFunc([]string{" also ", " next", " else", " too", " as well", " any other", " further"}, func(s string) bool { return strings.Contains(last, s) })
}

// asksApproval reports a message that asks for a plan to be approved.
func asksApproval(text string) bool {
	last := lastSentence(text)
	return strings.HasSuffix(last, "?") && slices.ContainsFunc([]string{"plan", "proceed", "approach", "go ahead", "look good", "looks good", "start implementing", "implement"}, func(s string) bool { return strings.Contains(last, s) })
}

// lastSentence is the last sentence of a text, in small letters.
func lastSentence(text string) string {
	text = strings.ToLower(strings.TrimSpace(text))
	if text == "" {
		return ""
	}
	body := strings.TrimRight(text, ".?!*_) ")
	begin := strings.LastIndexAny(body, ".?!\n") + 1
	return strings.TrimRight(strings.TrimSpace(text[begin:]), "*_) ")
}

// troubleWords are those of a message that does not hide what went wrong.
var troubleWords = []string{"fail", "fails", "failed", "failing", "failure", "failures", "error", "errors", "except", "not", "unrelated", "flaky", "cannot", "t", "still", "broken", "breaks", "unable", "unfinished"} // "t" is the end of can't and its like

// doneWords are those of a message that says how a task ended, however short it is.
var doneWords = []string{"done", "completed", "complete", "finished", "ready", "fixed", "passed", "pass", "passes", "yes", "no", "ok", "created", "updated", "added", "removed", "committed", "pushed", "merged", "works", "failed", "fails", "cannot", "can't"}

// claimsSuccess reports a message that says all is well, and does not speak of anything that is not.
func claimsSuccess(text string) bool {
	low := strings.ToLower(text)
	says := slices.ContainsFunc([]string{"tests pass", "tests are passing", "all pass", "all green", "everything passes", "everything works", "build succeeds", "builds successfully", "passes now", "now passes", "all checks pass"}, func(s string) bool { return strings.Contains(low, s) })
	return says && !mentions(text, troubleWords)
}

// evades reports a short announcement in the place of an answer.
func evades(text string) bool {
	return len(text) < 50 && slices.ContainsFunc([]string{"I'll", "I’ll", "Let me", "Sure", "OK", "Okay", "I will"}, func(s string) bool { return strings.HasPrefix(text, s) })
}
