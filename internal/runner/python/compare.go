package python

import (
	"context"

	"fettle/internal/edit"
	"fettle/internal/runner"
)

var _ runner.Comparer = (*suite)(nil)

type compareRequest struct {
	Do       string      `json:"do"`
	Items    []item      `json:"items"`
	Examples [][3]string `json:"examples"` // the function, its arguments, what comes of it
}

// Compare implements [runner.Comparer].
func (s *suite) Compare(ctx context.Context, patches []edit.Patch, examples []runner.Example) (runner.Comparison, error) {
	out := runner.Comparison{Answers: make([][]runner.Answer, len(patches))}
	if s.Slow() != "" {
		return out, nil
	}
	v, err := s.take(ctx)
	if err != nil {
		return out, err
	}
	if err := s.compare(ctx, v, patches, examples, &out); err != nil {
		v.close()
		return out, err
	}
	s.give(v)
	return out, nil
}

func (s *suite) compare(ctx context.Context, v *server, patches []edit.Patch, examples []runner.Example, out *runner.Comparison) error {
	p, err := s.prepare(ctx, v)
	if err != nil {
		return err
	}
	if err := v.ask(ctx, p, func(reply) error { return nil }); err != nil {
		return err
	}
	w := &worker{pipeline: &pipeline{suite: s}, sources: map[string][]byte{}}
	request := compareRequest{Do: "compare", Items: []item{}, Examples: [][3]string{}}
	for _, e := range examples {
		request.Examples = append(request.Examples, [3]string{e.Function, e.Args, e.Want})
	}
	for i, p := range patches {
		files, err := w.files(p)
		if err != nil {
			return err
		}
		request.Items = append(request.Items, item{i, files})
	}
	return v.ask(ctx, request, func(r reply) error {
		switch {
		case r.Inputs != nil:
			out.Inputs = r.Inputs
		case r.Compared != nil && *r.Compared >= 0 && *r.Compared < len(patches):
			for _, a := range r.Answers {
				out.Answers[*r.Compared] = append(out.Answers[*r.Compared], runner.Answer{Text: a.Text, Digest: a.Digest, Said: runner.Said(a.Said)})
			}
		}
		return nil
	})
}
