package opinion

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"fettle/internal/loose"
	"fettle/internal/model"
)

// others are words that models, too, use for the two of a question, by its purpose; empty: none.
var others = map[string]struct{ yes, no string }{
	"response-align":     {"", "block"},
	"error-acknowledge":  {"", "block"},
	"plan-validate":      {"", "drift"},
	"claude-md-validate": {"", "drift"},
	"intent-validate":    {"", "intervene"},
	"style-drift":        {"approve", "deny"},
	"tool-appeal":        {"overturn: approve", ""},
}

// read takes an answer for one of the two words, or not at all: the verdict of the one object in what the model says, or its only word, or a no with its reason. What stands around an
// object must not say anything else; and a yes counts among other words only where it was not there to be quoted in what the model was shown.
func (q question) read(reply model.Reply, shown string) (word, reason string, err error) {
	if reply.Stop.Begun() || reply.Stop == model.Refused {
		return "", "", errors.New("it is no whole answer")
	}
	text := model.Unfenced(reply.Text)
	if !strings.ContainsAny(text, "{}") {
		return q.plain(text)
	}
	found, around, err := loose.One(text)
	if err != nil {
		return "", "", err
	}
	if word, reason, err = q.verdict(found.JSON); err != nil {
		return "", "", err
	}
	if q.contradicts(around, word) {
		return "", "", errBoth
	}
	if word == q.yes && around != "" && loose.Holds(shown, text[found.Start:found.End]) {
		return "", "", errors.New("its JSON object stands in what it was shown, and may be a quotation")
	}
	return word, reason, nil
}

// verdict is that of the object.
func (q question) verdict(object json.RawMessage) (word, reason string, err error) {
	var answer struct {
		Verdict string `json:"verdict"`
		Reason  string `json:"reason"`
	}
	folded, err := loose.Folded(object)
	if err != nil {
		return "", "", err
	}
	if json.Unmarshal(folded, &answer) != nil {
		return "", "", errors.New("its verdict or its reason is no text")
	}
	if word = q.word(answer.Verdict); word == "" {
		return "", "", fmt.Errorf("the verdict is %q or %q", q.yes, q.no)
	}
	return word, strings.TrimSpace(answer.Reason), nil
}

// plain is a verdict without an object: a yes alone, or a no with its reason behind it, which may go on over more lines.
func (q question) plain(text string) (word, reason string, err error) {
	first, rest, more := strings.Cut(strings.TrimSpace(text), "\n")
	word, reason = q.line(first)
	if word == "" || word == q.yes && more {
		return "", "", errors.New("it is neither the JSON object nor one of the words alone")
	}
	if q.contradicts(rest, word) {
		return "", "", errBoth
	}
	return word, strings.Join(strings.Fields(reason+" "+rest), " "), nil
}

var errBoth = errors.New("it says both")

// contradicts reports whether a line of a text is the other verdict.
func (q question) contradicts(text, word string) bool {
	for line := range strings.Lines(text) {
		if said, _ := q.line(line); said != "" && said != word {
			return true
		}
	}
	return false
}

// line is the verdict of a line that is one: a word alone or, of a no, with a reason behind it. Empty: it is none.
func (q question) line(line string) (word, reason string) {
	line = strings.Trim(strings.TrimSpace(line), "*_`\"'.# ")
	if word = q.word(line); word != "" {
		return word, ""
	}
	head, reason, ok := strings.Cut(line, ":")
	if word = q.word(head); !ok || word != q.no {
		return "", ""
	}
	return word, strings.Trim(reason, "* ")
}

// word is that of the question's two which a text means; empty: it means none.
func (q question) word(text string) string {
	text = strings.ToLower(strings.Trim(strings.TrimSpace(text), "*_`\"'. "))
	also := others[q.purpose]
	switch text {
	case "":
	case q.yes, also.yes:
		return q.yes
	case q.no, also.no:
		return q.no
	}
	return ""
}
