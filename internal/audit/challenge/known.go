package challenge

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"fettle/internal/model"
)

// Known are judgements that were paid for before. To remember saves money, and is no condition: what cannot be read or written is asked for.
type Known interface {
	// Whom is the model that is asked first about what these have made; empty: nobody can say.
	Whom(makers []string) string
	// Recall is what was answered to a question.
	Recall(ctx context.Context, question string) (reply string, known bool)
	// Keep writes that down.
	Keep(ctx context.Context, question, reply string)
}

// named identifies a question, by all that the judge is shown, by the words in which it is asked, and by whom it is shown to. Empty: it may look at what nobody can name.
func (j Judge) named(c Case, whom string) (string, error) {
	texts, turns, state := j.texts(c), j.turns(c), ""
	if turns > 0 {
		if state = c.Tree.State; state == "" {
			return "", nil
		}
	}
	rules, err := system(texts)
	if err != nil {
		return "", err
	}
	first, err := texts.Read(firstText)
	if err != nil {
		return "", err
	}
	text, err := json.Marshal(struct {
		Version                       int
		Whom, System, First, Measured string
		Turns                         int
		State                         string
		Case                          Case
	}{2, whom, rules, first, measured(c), turns, state, Case{Issues: c.Issues, Diff: c.Diff, Files: c.Files, Earlier: c.Earlier, Makers: c.Makers}})
	if err != nil {
		return "", fmt.Errorf("name what is judged: %w", err)
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), nil
}

// recall gives the marks that the judge has given to the very same before.
func (j Judge) recall(ctx context.Context, c Case) (whom, question string, marks map[string]mark, err error) {
	if j.Known == nil {
		return "", "", nil, nil
	}
	if whom = j.Known.Whom(c.Makers); whom == "" {
		return "", "", nil, nil
	}
	if question, err = j.named(c, whom); err != nil || question == "" {
		return "", "", nil, err
	}
	if reply, known := j.Known.Recall(ctx, question); known {
		if marks, err = read(model.Reply{Text: reply}, c.Issues, ""); err != nil {
			marks = nil // what was taken out of it as a secret was a part of it: it is asked once more
		}
	}
	return whom, question, marks, nil
}
