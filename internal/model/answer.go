package model

import (
	"errors"
	"strings"
)

// veiled is an error as people may see it.
func (c *Client) veiled(err error, provider, model string) *Error {
	var e *Error
	if !errors.As(err, &e) {
		e = &Error{Kind: Unreachable, Provider: provider, Model: model, Message: err.Error()}
	}
	shown := *e
	shown.Message = c.veil.message(e.Message)
	return &shown
}

// clean takes keys out of a reply: a server that sends them back would have them written into files and reports.
func (c *Client) clean(r Reply) Reply {
	r.Text = c.veil.exact(r.Text)
	for i := range r.Calls {
		if cleaned := c.veil.exact(string(r.Calls[i].Input)); cleaned != string(r.Calls[i].Input) {
			r.Calls[i].Input = []byte(cleaned)
		}
	}
	return r
}

// sum is the error of a call that no model of the chain could answer: of the kind of the first, and with what became of the others.
func sum(failures []*Error, tries int) *Error {
	e := *failures[0]
	e.Tries = tries
	others := make([]string, 0, len(failures))
	for _, f := range failures[1:] {
		if e.limit == nil {
			e.limit = f.limit
		}
		others = append(others, f.Error())
	}
	if len(others) > 0 {
		e.Message += "; then " + strings.Join(others, "; then ")
	}
	return &e
}

// bytesOf is how many bytes of text a request has.
func bytesOf(r Request) int {
	n := len(r.System)
	for _, m := range r.Messages {
		n += len(m.Text)
		for _, res := range m.Results {
			n += len(res.Text)
		}
	}
	return n
}
