// Package oracle answers "what if a model knew the right answer?": it plays one. It says it in many forms, breaks it as models have been seen to, or says something else first: a cheat, another file,
// half of an answer, nothing. What the loop makes of that shows whether a right answer gets through, and a wrong one does not.
//
// It speaks over the real wires (model/loopback), and is asked by the real client.
package oracle

import (
	"fmt"
	"strings"
	"sync"

	"fettle/internal/model"
)

// Answer is what is said to one question, with its name.
type Answer struct {
	Name string
	Line model.Line
}

// Oracle gives its answers one after the other, whichever of its models is asked; the last of them to all further questions.
type Oracle struct {
	answers []Answer

	mu    sync.Mutex
	asked []model.Question
	given []string
}

// New makes an oracle that has at least one answer.
func New(answers ...Answer) *Oracle { return &Oracle{answers: answers} }

// Next implements loopback's Player.
func (o *Oracle) Next(q model.Question) (model.Line, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	a := o.answers[min(len(o.asked), len(o.answers)-1)]
	o.asked, o.given = append(o.asked, q), append(o.given, a.Name)
	return a.Line, nil
}

// Asked are the questions so far.
func (o *Oracle) Asked() []model.Question {
	o.mu.Lock()
	defer o.mu.Unlock()
	return append([]model.Question(nil), o.asked...)
}

// Given are the names of the answers so far.
func (o *Oracle) Given() []string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return append([]string(nil), o.given...)
}

// House is many oracles behind one door. Whom a question is for is told from the name of its model, which is anything, a hyphen, and the oracle's name: "fast-gcd".
type House struct {
	mu  sync.Mutex
	all map[string]*Oracle
}

// Put lets an oracle in, or takes it out: nil.
func (h *House) Put(name string, o *Oracle) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.all == nil {
		h.all = map[string]*Oracle{}
	}
	h.all[name] = o
}

// Next implements loopback's Player.
func (h *House) Next(q model.Question) (model.Line, error) {
	_, name, _ := strings.Cut(q.Model, "-")
	h.mu.Lock()
	o := h.all[name]
	h.mu.Unlock()
	if o == nil {
		return model.Line{}, fmt.Errorf("there is no oracle %q", name)
	}
	return o.Next(q)
}

// Config is the part of fettle.yaml that has an oracle asked: three models of one provider, of which the larger are asked after the smaller. Nobody reads what they made but the
// evidence and the audit.
func Config(provider, name string) string {
	return fmt.Sprintf("models:\n  challenge: {off: true}\n  tiers: {fast: [%[1]s/fast-%[2]s], standard: [%[1]s/standard-%[2]s], deep: [%[1]s/deep-%[2]s]}\n", provider, name)
}

// Own is a person's models.yaml that knows a house at an address. What hangs is given up soon.
func Own(provider, address string) string {
	return fmt.Sprintf("providers:\n  %s: {kind: openai, base_url: %q, idle: 3s, timeout: 20s}\n", provider, address+"/v1")
}
