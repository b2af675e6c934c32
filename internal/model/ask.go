package model

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

// Retries is how often a model is told that its answer cannot be read.
const Retries = 2

// Misread says why an answer is not what was asked for, in words that can be put to the model.
type Misread struct {
	Why   error
	Tries int // how many answers could not be read; set by [Ask]
}

func (e *Misread) Error() string { return e.Why.Error() }

func (e *Misread) Unwrap() error { return e.Why }

// Form is how answers are read.
type Form[T any] struct {
	// Read takes an answer for what it is, or not at all. A [*Misread] is put to the model; any other error ends the asking.
	Read func(ctx context.Context, r Reply) (T, error)
	// Again says what the model is told of an answer that could not be read.
	Again func(why error) (string, error)
	// Purpose is that of the calls that ask again; empty: as the first.
	Purpose string
	// Look answers a reply that asks for tools, and says whether it may ask for more: one that asks when it may not counts as one that could not be read. Nil: there are no tools.
	Look func(ctx context.Context, r Reply) (m Message, may bool)
}

// freer is how much is added to the temperature when a model answers again in the words that could not be read.
const freer = 0.4

// Ask asks for an answer of a form, and again with the reason while it cannot be read, [Retries] times at most; then the error is a [*Misread]. One that comes again in the same words, or repeats
// itself, is asked for more freely. The reply is the last one that came, with what all of them have cost.
func Ask[T any](ctx context.Context, c Caller, r Request, f Form[T]) (value T, last Reply, err error) {
	r.Messages = slices.Clone(r.Messages)
	unread := "" // the answer before, which could not be read
	for tries := 1; ; {
		reply, err := c.Call(ctx, r)
		reply.Cost += last.Cost
		reply.Unpriced = reply.Unpriced || last.Unpriced
		if err != nil {
			last.Cost, last.Unpriced = reply.Cost, reply.Unpriced
			return value, last, err
		}
		last = reply
		if len(reply.Calls) > 0 && f.Look != nil {
			answer, may := f.Look(ctx, reply)
			if !may {
				if tries++; tries > Retries+1 {
					return value, last, &Misread{errors.New("it asked to see more files, and gave no answer"), tries - 1}
				}
			}
			r.Messages = append(r.Messages, Message{Speaker: Assistant, Text: reply.Text, Calls: reply.Calls, Kept: reply.Kept}, answer)
			continue
		}
		value, err := f.Read(ctx, reply)
		var misread *Misread
		switch {
		case err == nil:
			return value, last, nil
		case !errors.As(err, &misread):
			return value, last, err
		case tries > Retries:
			return value, last, &Misread{misread.Why, tries}
		}
		if unread == reply.Text || reply.Stop == Repeats {
			r.Warmer += freer
		}
		unread = reply.Text
		tries++
		again, err := f.Again(misread.Why)
		if err != nil {
			return value, last, fmt.Errorf("ask again: %w", err)
		}
		if f.Purpose != "" {
			r.Purpose = f.Purpose
		}
		r.Messages = append(r.Messages, Message{Speaker: Assistant, Text: Spoken(reply.begun())}, Message{Speaker: User, Text: again})
	}
}
