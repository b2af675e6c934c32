package model

import (
	"errors"
	"net/http"
	"slices"
	"sync"
)

// simplifies is a form of requests that knows a simpler one: which to try when a request was refused with these words, if there is any.
type simplifies[F any] interface {
	simpler(r Request, s said) (F, bool)
}

// forms are those in which a provider's models have last taken a request. It is safe for concurrent use.
type forms[F simplifies[F]] struct {
	begin F // for a model that has taken none yet

	mu    sync.Mutex
	taken map[string]F
}

// mostForms is how many forms of one request are tried.
const mostForms = 7

// form is the one to begin with.
func (k *forms[F]) form(model string) F {
	k.mu.Lock()
	defer k.mu.Unlock()
	if f, ok := k.taken[model]; ok {
		return f
	}
	return k.begin
}

func (k *forms[F]) keep(model string, f F) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.taken == nil {
		k.taken = map[string]F{}
	}
	k.taken[model] = f
}

// insist asks once, and again in a simpler form where the form was refused, which these statuses say.
func (k *forms[F]) insist(model string, r Request, refusals []int, ask func(F) (Reply, said, error)) (Reply, error) {
	f := k.form(model)
	var first *Error
	for tries := 1; ; tries++ {
		reply, s, err := ask(f)
		if err == nil {
			k.keep(model, f)
			reply.Tries = tries
			return reply, nil
		}
		var e *Error
		if !errors.As(err, &e) {
			return Reply{}, err
		}
		if first == nil || e.Kind != Malformed {
			first = e
		}
		next, ok := f.simpler(r, s)
		if e.Kind != Malformed || !slices.Contains(refusals, e.Status) || !ok || tries == mostForms {
			first.Tries = tries
			return Reply{}, first
		}
		f = next
	}
}

// The statuses with which a form is refused.
var (
	claudeRefusals = []int{http.StatusBadRequest}
	openAIRefusals = []int{http.StatusBadRequest, http.StatusUnprocessableEntity}
)
