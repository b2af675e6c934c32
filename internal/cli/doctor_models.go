package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
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
	m, err := h.minds(ctx, false, bound{}, nil)
	if err != nil {
		return []finding{{About: "models", Detail: err.Error()}}
	}
	out := m.unknownAgents()
	if m.client == nil {
		return append(out, finding{About: "models", Detail: m.why})
	}
	defer func() { _ = m.purse.Close() }() // what was spent is written down when it is spent
	roles, ready, answers := a.roles(ctx, m)
	agents := agentsHere(ctx)
	if !ready {
		roles = m.nothingSetUp()
	}
	for _, text := range m.client.Wrong() {
		out = append(out, finding{About: "models", Detail: text})
	}
	out = append(out, roles...)
	for _, f := range agents {
		out = append(out, finding{About: "agent: " + string(f.Kind), OK: true, Unneeded: f.Trouble != "", Detail: strings.TrimSpace(f.Path + " " + f.Version), Remedy: f.Trouble})
	}
	b, err := h.bound(nil)
	if err != nil {
		return append(out, finding{About: "models", Detail: err.Error()})
	}
	return append(out, next(m, answers, agents, b)...)
}

// inquiry asks models whether they answer, each once. A provider that does not answer is not asked about its other models.
type inquiry struct {
	client  *model.Client
	silent  map[string]string // who did not answer for a provider, and so was the last to be asked
	asked   map[string]bool
	ready   bool // there is one that can be asked
	answers bool // … and one that has answered
}

// roles are what each role's model says, and after them those of the tiers' other models: the ones that are asked where a tier is, or when one before them cannot answer.
func (a *app) roles(ctx context.Context, m *minds) (out []finding, ready, answers bool) {
	q := &inquiry{client: m.client, silent: map[string]string{}, asked: map[string]bool{}}
	for _, role := range model.Roles {
		provider, name, err := m.client.Ready(role, "")
		if err != nil {
			out = append(out, finding{About: "model: " + string(role), OK: true, Unneeded: true, Detail: err.Error()})
			continue
		}
		f := q.ask(ctx, role, string(role), provider+"/"+name)
		if role == model.Challenger && f.OK {
			f.Detail += m.dependent()
		}
		out = append(out, f)
	}
	for _, tier := range model.Tiers {
		for _, full := range m.client.Models(tier) {
			if !q.asked[full] {
				out = append(out, q.ask(ctx, model.Fixer, string(tier), full))
			}
		}
	}
	return out, q.ready, q.answers
}

// ask has one model say one word, in a role, for whoever would ask it.
func (q *inquiry) ask(ctx context.Context, role model.Role, whom, full string) finding {
	f := finding{About: "model: " + whom}
	q.ready, q.asked[full] = true, true
	provider, _, _ := strings.Cut(full, "/")
	if before, known := q.silent[provider]; known {
		f.Detail = fmt.Sprintf("%s: not asked, as %s did not answer for the %s", full, provider, before)
		return f
	}
	r := modelTest
	r.Role, r.Only = role, full
	reply, err := q.client.Call(ctx, r)
	var failed *model.Error
	if errors.As(err, &failed) && failed.Kind == model.Unreachable {
		q.silent[provider] = whom
	}
	if err != nil {
		f.Detail = err.Error()
		return f
	}
	q.answers = true
	f.OK, f.Detail = true, fmt.Sprintf("%s answers, in %.1f s, for %s", reply.Model, reply.Took.Seconds(), reply.Cost)
	return f
}

// dependent says that the second reader is nobody else, where that is so.
func (m *minds) dependent() string {
	worst := model.Apart
	for _, tier := range m.client.Asks(model.Fixer) {
		provider, name, err := m.client.Ready(model.Fixer, tier)
		if err != nil {
			continue
		}
		if near, err := m.client.Nearest(model.Challenger, []string{provider + "/" + name}); err == nil {
			worst = max(worst, near)
		}
	}
	switch worst {
	case model.Same:
		return "; it would read what it has made itself: it can refuse that, and its approval counts for nothing"
	case model.Related:
		return "; it would read what its own family has made: it can refuse that, and its approval counts for nothing"
	case model.Apart:
	}
	return ""
}

// nothingSetUp says what to do where there is no model at all.
func (m *minds) nothingSetUp() []finding {
	server := finding{About: "  a local server", OK: true, Unneeded: true, Detail: "set OLLAMA_HOST=127.0.0.1:11434; of several models that it has, name one in " + ownModels(), Remedy: tiersOf(ollama+"/NAME") + "; other servers: docs/models.md"}
	if m.unnamed != "" {
		server.Detail, server.Remedy = m.unnamed, ""
	}
	return []finding{
		{About: "models", OK: true, Unneeded: true, Detail: "none is set up: fettle heals by tools and by search. Any one of these would give it more:"},
		{About: "  a key", OK: true, Unneeded: true, Detail: "set ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY in the environment: export ANTHROPIC_API_KEY=sk-ant-…"},
		server,
		{About: "  an agent", OK: true, Unneeded: true, Detail: "install Claude Code, Codex or Gemini CLI, set the key of its provider, and name it: fettle fix --fixer claude"},
	}
}

// ownModels is the person's own file, as they would write its name.
func ownModels() string {
	if os.Getenv("XDG_CONFIG_HOME") == "" {
		return "~/.config/fettle/" + model.FileName
	}
	return filepath.Join(model.Folder(os.Getenv), model.FileName)
}

// next says what somebody who sees this for the first time can do with it.
func next(m *minds, answers bool, agents []agent.Found, b bound) (out []finding) {
	if answers {
		out = append(out, finding{About: "next", OK: true, Detail: "fettle fix asks these models where neither a tool nor the search heals. " + b.said(nil)})
	}
	for _, f := range agents {
		if f.Trouble == "" && !slices.ContainsFunc(m.own.Agents, func(a model.Agent) bool { return a.Name == string(f.Kind) }) {
			return append(out, finding{About: "next", OK: true, Detail: fmt.Sprintf("fettle fix --fixer %s asks this agent; agents: [%[1]s] in %s has fettle fix ask it last, always", f.Kind, ownModels())})
		}
	}
	return out
}
