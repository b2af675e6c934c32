package search

import (
	"context"
	"iter"
	"slices"
	"strings"

	"fettle/internal/code"
	"fettle/internal/fix/complaint"
	"fettle/internal/learn"
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

// Sureness is how many of an idea's repairs are right, as it was thought before anything was learnt, and as it is by what was; false: there is no such idea any more.
func Sureness(c learn.Count) (before, now float64, known bool) {
	_, name, _ := strings.Cut(c.Idea, "/")
	before, known = complaint.Precision(name)
	for _, t := range slices.Concat(templates, wideTemplates) {
		if t.name == name {
			before, known = t.precision, true
		}
	}
	if !known {
		return 0, 0, false
	}
	return before, c.Precision(before), true
}

// Ideas are the names of all ideas, those first that are likelier by themselves.
func Ideas() []string {
	out := make([]string, len(templates))
	for i, t := range templates {
		out[i] = t.name
	}
	return out
}
