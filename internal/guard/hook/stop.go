package hook

import (
	"slices"
	"strings"
)

// stop looks at the last message of an agent that would end its turn, and sends it on once where that message leaves the person without what
// they need. A client that says it is going on for a hook's sake already is never held up again, nor is a subagent.
func (s *session) stop(e Event) answer {
	if e.Name != "Stop" || e.StopActive || s.Spoken == 0 {
		return answer{}
	}
	last := strings.TrimSpace(e.Last)
	switch {
	case s.Failed != nil && !s.Failed.Told && claimsSuccess(last):
		s.Failed.Told = true
		return answer{block: s.Failed.What + " failed (" + s.Failed.Error + ") and has not passed since, though your last message says otherwise. Run it again, or say plainly that it fails."}
	case s.Asked && evades(last):
		return answer{block: "The person asked a question, and your last message does not answer it. Answer it."}
	case last != "" && s.Since > 0 && len(last) < 30 && !mentions(last, doneWords) && !s.Asked:
		return answer{block: "Your last message does not say what became of the task. If it is done, say what was done; if not, please explain what's blocking you."}
	}
	return answer{}
}

// doneWords are those of a message that says how a task ended, however short it is.
var doneWords = []string{"done", "completed", "complete", "finished", "ready", "fixed", "passed", "pass", "passes", "yes", "no", "ok", "created", "updated", "added", "removed", "committed", "pushed", "merged", "works", "failed", "fails", "cannot", "can't"}

// claimsSuccess reports a message that says all is well, and does not speak of anything that is not.
func claimsSuccess(text string) bool {
	low := strings.ToLower(text)
	says := slices.ContainsFunc([]string{"tests pass", "tests are passing", "all pass", "all green", "everything passes", "everything works", "build succeeds", "builds successfully", "passes now", "now passes", "all checks pass"}, func(s string) bool { return strings.Contains(low, s) })
	return says && !mentions(text, []string{"fail", "fails", "failed", "failing", "failure", "error", "errors", "except", "not", "unrelated", "flaky", "couldn", "cannot", "still"})
}

// evades reports a short announcement in the place of an answer.
func evades(text string) bool {
	return len(text) < 50 && slices.ContainsFunc([]string{"I'll", "I’ll", "Let me", "Sure", "OK", "Okay", "I will"}, func(s string) bool { return strings.HasPrefix(text, s) })
}
