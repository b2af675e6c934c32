package search

import (
	"context"
	"iter"

	"fettle/internal/code"
	"fettle/internal/locate"
	"fettle/internal/syntax"
)

// Reach is what the search would try of a source if these lines, from 1, were suspected and nothing else, in its order: the name of the idea, and the
// text of the source with the change. Nothing is known of the types that only other files or a run tell. A source that is in none of the languages
// in which the search makes changes has nothing to try.
func Reach(ctx context.Context, path string, src []byte, from, to int) (iter.Seq2[string, string], error) {
	if syntax.LangOf(path) == "" {
		return func(func(string, string) bool) {}, nil
	}
	f, err := code.Read(ctx, syntax.LangOf(path), path, src)
	if err != nil {
		return nil, err
	}
	u := newUnit(nil)
	u.add(f)
	sites := u.sites([]locate.Suspect{{File: path, Line: from, EndLine: to, Score: 1}})
	return func(yield func(idea, text string) bool) {
		for p := range propose(sites) {
			text, ok := apply(f.Source, p.edits)
			if ok && !yield(p.template.name, text) {
				return
			}
		}
	}, nil
}

// Ideas are the names of all ideas, those first that are likelier by themselves.
func Ideas() []string {
	out := make([]string, len(templates))
	for i, t := range templates {
		out[i] = t.name
	}
	return out
}
