package cli

import (
	"context"
	"fmt"
	"os"
	"strings"

	"fettle/internal/fix/agent"
	"fettle/internal/model"
)

// modelTest is what is asked of a model to see whether it answers.
var modelTest = model.Request{
	Purpose: "doctor", System: "Answer with the one word that you are asked for.", MaxTokens: 64,
	Messages: []model.Message{{Speaker: model.User, Text: "Answer with the word: ready"}},
}

// minded says of each role whether a model answers for it, by one small call each, and of each agent's command line that is here whether it could work.
func (a *app) minded(ctx context.Context) []finding {
	h := &house{}
	err := h.find(ctx, a.dir)
	if err == nil {
		err = h.configure(ctx)
	}
	if err != nil {
		return []finding{{About: "models", Detail: err.Error()}}
	}
	m, err := h.minds(false, 0, nil)
	if err != nil {
		return []finding{{About: "models", Detail: err.Error()}}
	}
	if m.client == nil {
		return []finding{{About: "models", Detail: m.why}}
	}
	defer func() { _ = m.purse.Close() }() // what was spent is written down when it is spent
	var out []finding
	for _, role := range []model.Role{model.Fixer, model.Challenger, model.Approver, model.Watcher} {
		f := finding{About: "model: " + string(role)}
		_, _, err := m.client.Ready(role, "")
		switch {
		case err != nil:
			f.OK, f.Unneeded, f.Detail = true, true, err.Error()
		default:
			r := modelTest
			r.Role = role
			reply, err := m.client.Call(ctx, r)
			if err != nil {
				f.Detail = err.Error()
				break
			}
			f.OK, f.Detail = true, fmt.Sprintf("%s answers, in %.1f s, for %s", reply.Model, reply.Took.Seconds(), reply.Cost)
		}
		out = append(out, f)
	}
	for _, f := range agent.Find(ctx, os.Environ()) {
		out = append(out, finding{About: "agent: " + string(f.Kind), OK: true, Unneeded: f.Trouble != "", Detail: strings.TrimSpace(f.Path + " " + f.Version), Remedy: f.Trouble})
	}
	return out
}
