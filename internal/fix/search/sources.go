package search

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"path"

	"fettle/internal/check"
	"fettle/internal/code"
	"fettle/internal/fix/complaint"
	"fettle/internal/fix/nearby"
	"fettle/internal/lang"
	"fettle/internal/runner"
	"fettle/internal/syntax"
)

// readSource reads a source for the search; nil: it is none that can be changed, or that can be read.
func readSource(ctx context.Context, place check.Place, file string) (*code.File, error) {
	l := syntax.LangOf(file)
	if l == "" {
		return nil, nil
	}
	data, err := place.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrInvalid) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", file, err)
	}
	if generated(string(data)) {
		return nil, nil
	}
	f, err := code.Read(ctx, l, file, data)
	if errors.Is(err, syntax.ErrNoGrammar) || errors.Is(err, syntax.ErrTooLarge) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", file, err)
	}
	return f, nil
}

// sources are a private copy's, of which remedies take names and types.
type sources struct {
	place check.Place
	types func(file string) map[complaint.Span]string
}

// Types implements [complaint.Project].
func (s sources) Types(file string) map[complaint.Span]string { return s.types(file) }

// typing is what a compiler knows of a source.
type typing struct {
	seen    []runner.Seen
	checker runner.Checker // nil: it cannot tell which edits it would accept
}

// spans are the types of the source's expressions.
func (t typing) spans() map[complaint.Span]string {
	out := map[complaint.Span]string{}
	for _, e := range t.seen {
		out[complaint.Span{Start: e.Start, End: e.End}] = e.Types[0]
	}
	return out
}

// typingOf asks a source's compiler, if its language has one that can be asked.
func (s *Search) typingOf(ctx context.Context, place check.Place, file string) typing {
	for _, h := range s.Harnesses {
		t, ok := h.(runner.Typist)
		if !ok || h.Language() != lang.Of(file) {
			continue
		}
		if seen, checker, err := t.Types(ctx, place, file); err == nil { // else nobody knows
			return typing{seen, checker}
		}
	}
	return typing{}
}

// mostOfSource is how large a source may be that is looked through for names, in bytes.
const mostOfSource = 200 << 10

// Sources implements [complaint.Project]: those of the file's own folder first.
func (s sources) Sources(file string) iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		all := s.place.FS()
		hand := func(p string) bool {
			data, err := fs.ReadFile(all, p)
			return err != nil || len(data) > mostOfSource || yield(p, string(data))
		}
		for _, p := range nearby.Beside(all, file) {
			if !hand(p) {
				return
			}
		}
		for p := range nearby.All(all, 0) {
			if syntax.LangOf(p) == syntax.LangOf(file) && path.Dir(p) != path.Dir(file) && !hand(p) {
				return
			}
		}
	}
}
