package cli

import (
	"context"
	"time"

	"fettle/internal/learn"
	"fettle/internal/model"
)

// judgedFor is how long a judgement counts: the models behind a name become others, and so does what is known of a change that waits.
const judgedFor = 24 * time.Hour

// judgements are the judgements of second readers that were paid for in this working tree.
type judgements struct {
	book   *learn.Book
	client *model.Client
	fresh  bool // the person wants each asked anew
	say    func(string)
}

// Whom implements [challenge.Known].
func (j judgements) Whom(makers []string) string {
	full, err := j.client.Farthest(model.Challenger, makers)
	if err != nil {
		return "" // the call says why
	}
	return full
}

// Recall implements [challenge.Known].
func (j judgements) Recall(ctx context.Context, question string) (string, bool) {
	if j.fresh {
		return "", false
	}
	a, known, err := j.book.RecallYounger(ctx, question, judgedFor)
	if err != nil {
		j.say(err.Error())
	}
	return a.Reply, known && err == nil
}

// Keep implements [challenge.Known].
func (j judgements) Keep(ctx context.Context, question, reply string) {
	if err := j.book.Answered(ctx, question, learn.Answer{Fixer: string(model.Challenger), Reply: redactor().RedactString(reply)}); err != nil {
		j.say(err.Error())
	}
}
