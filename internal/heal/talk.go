package heal

import (
	"context"
	"maps"
	"slices"

	"fettle/internal/diag"
	"fettle/internal/verdict"
)

// about is the name under which a fixer's conversation about a finding is kept.
func about(fixer string, id diag.Fingerprint) string { return fixer + " " + string(id) }

// talk is the conversation in which a fixer was asked about a step's findings before: the one about the first of them that there was one about.
func (s *State) talk(step Step) string {
	for _, share := range step.shares() {
		for _, target := range share.Targets {
			if id := s.Talks[about(step.Fixer, target)]; id != "" {
				return id
			}
		}
	}
	return ""
}

// talked remembers in which conversation a fixer was asked about a step's findings. It is stored with the session, so whoever goes on with that, after a crash or a pause, goes on with
// the conversation.
func (s *State) talked(step Step, id string) {
	if id == "" {
		return
	}
	if s.Talks == nil {
		s.Talks = map[string]string{}
	}
	for _, share := range step.shares() {
		for _, target := range share.Targets {
			s.Talks[about(step.Fixer, target)] = id
		}
	}
}

// Conversations are the ids of the conversations that sessions may go on with.
func (st *Sessions) Conversations(ctx context.Context) ([]string, error) {
	recs, err := st.query(ctx, `SELECT `+columns+` FROM sessions WHERE ending IN ('', ?, ?)`, string(verdict.Paused), string(verdict.Interrupted))
	if err != nil {
		return nil, err
	}
	all := map[string]bool{}
	for _, r := range recs {
		for _, id := range r.Talks {
			all[id] = true
		}
	}
	return slices.Sorted(maps.Keys(all)), nil
}
