package node

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"fettle/internal/code"
	"fettle/internal/edit"
	"fettle/internal/runner"
	"fettle/internal/runner/likely"
	"fettle/internal/syntax"
)

var _ runner.Comparer = (*Suite)(nil)

const (
	made        = 240              // inputs of a function that are made
	compareTime = 20 * time.Second // that a candidate's answers may take
)

// call is one of a function, its arguments as a JSON list.
type call struct {
	Name string `json:"name"`
	Args string `json:"args"`
}

// answered is what came of a call.
type answered struct {
	Text  string `json:"text"`
	Full  string `json:"full"`  // what it is told from others by
	Value string `json:"value"` // as JSON, if that says all
}

// bounded are the requests whose steps are counted.
type bounded struct {
	Do      string   `json:"do"`
	Changes []change `json:"changes"`
	Calls   []call   `json:"calls,omitempty"`
	Fuel    int64    `json:"fuel"`
	MS      int64    `json:"ms"`
}

// Compare implements [runner.Comparer]. It tells of functions that stand in no other function or class, and of what can be said in JSON.
func (s *Suite) Compare(ctx context.Context, patches []edit.Patch, examples []runner.Example) (runner.Comparison, error) {
	out := runner.Comparison{Answers: make([][]runner.Answer, len(patches))}
	if s.Slow() != "" {
		return out, nil
	}
	if err := s.prepare(ctx); err != nil {
		return out, err
	}
	heard := map[string]bool{}
	changes := make([][]change, len(patches))
	for _, p := range patches {
		for _, c := range p {
			names, err := s.functions(ctx, c)
			if err != nil {
				return out, err
			}
			for _, n := range names {
				heard[n] = true
			}
		}
	}
	for i, p := range patches {
		var err error
		if changes[i], err = s.listening(ctx, p, heard); err != nil {
			return out, err
		}
	}
	first := slices.IndexFunc(changes, func(c []change) bool { return c != nil })
	if first < 0 {
		return out, nil
	}
	examples = slices.DeleteFunc(slices.Clone(examples), func(e runner.Example) bool { return !heard[e.Function] })
	err := s.compare(ctx, changes, first, examples, &out)
	return out, err
}

// functions are the names of the outermost functions that a change is about; none where it is about something else as well.
func (s *Suite) functions(ctx context.Context, c edit.Change) ([]string, error) {
	f, err := s.read(ctx, c.Path)
	if err != nil || f == nil {
		return nil, err
	}
	var names []string
	for _, e := range c.Edits {
		i := slices.IndexFunc(outermost(f), func(o function) bool { return o.node.Holds(e.Start, e.End) })
		if i < 0 {
			return nil, nil
		}
		names = append(names, outermost(f)[i].name)
	}
	return names, nil
}

// read reads a source; nil where nobody can.
func (s *Suite) read(ctx context.Context, file string) (*code.File, error) {
	src := s.sources.get(ctx, file)
	if src.err != nil {
		return nil, ctx.Err()
	}
	f, err := code.Read(ctx, s.sources.language(file), file, []byte(src.text))
	if errors.Is(err, syntax.ErrNoGrammar) {
		return nil, nil
	}
	return f, err
}

// function is one that stands in no other, by the name that its file calls it.
type function struct {
	name     string
	node     *code.Node
	declared bool // by a statement; else it is a value, that a name is given
}

func outermost(f *code.File) (out []function) {
	for n := range f.Root.Walk() {
		if n.Role != code.Function || n.Function() != nil || n.Up(code.Class, code.If, code.For, code.Each, code.While, code.Switch) != nil {
			continue
		}
		switch t := n.Parent.Kid(code.Target); {
		case n.Name != "" && n.Part != code.Value:
			out = append(out, function{n.Name, n, true})
		case n.Part == code.Value && n.Parent.Is(code.Assign) && t.Is(code.Name, code.Attr):
			out = append(out, function{t.Name, n, false})
		}
	}
	return out
}

// listening are the changes of a patch, with what makes the wanted functions tell what they are called with; nil where that cannot be done.
func (s *Suite) listening(ctx context.Context, p edit.Patch, wanted map[string]bool) ([]change, error) {
	var out []change
	for _, c := range p {
		f, err := s.read(ctx, c.Path)
		if err != nil || f == nil {
			return nil, err
		}
		names, err := s.functions(ctx, c)
		if err != nil || len(names) == 0 {
			return nil, err
		}
		c.Edits = slices.Clone(c.Edits)
		for _, o := range outermost(f) {
			if !wanted[o.name] {
				continue
			}
			if o.declared {
				at := statements(f)
				c.Edits = append(c.Edits, edit.Edit{Start: at, End: at, New: fmt.Appendf(nil, "%s = __fettle.heard(%q, %s);", o.name, o.name, o.name)})
				continue
			}
			c.Edits = append(c.Edits, edit.Edit{Start: o.node.Start, End: o.node.Start, New: fmt.Appendf(nil, "__fettle.heard(%q, ", o.name)}, edit.Edit{Start: o.node.End, End: o.node.End, New: []byte(")")})
		}
		slices.SortStableFunc(c.Edits, func(a, b edit.Edit) int { return a.Start - b.Start })
		changed, _, err := s.sources.change(ctx, c)
		var untried *untriedError
		if errors.As(err, &untried) {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		out = append(out, changed)
	}
	return out, nil
}

// statements is where a file's statements begin, behind its directives.
func statements(f *code.File) int {
	for _, n := range f.Root.Kids {
		if !n.Is(code.Eval) || !n.Kid(code.Value).Is(code.Str) {
			return n.Start
		}
	}
	return f.Root.End
}

func (s *Suite) compare(ctx context.Context, changes [][]change, first int, examples []runner.Example, out *runner.Comparison) error {
	w, err := s.warm(ctx)
	if err != nil {
		return err
	}
	defer w.close()
	ask := func(b bounded) (answer, error) {
		b.Fuel, b.MS = s.base.plan.Fuel, s.base.limit.Milliseconds()+slowSteps
		a, err := w.call(ctx, b, s.base.limit+slack+compareTime)
		if err == nil && a.Unfit != "" {
			err = errors.New(firstLine(a.Unfit))
		}
		return a, err
	}
	a, err := ask(bounded{Do: "listen", Changes: changes[first]})
	if err != nil {
		return err
	}
	calls, wants, err := inputs(ctx, a.Calls, examples)
	if err != nil || len(calls) == 0 {
		return err
	}
	for _, c := range calls {
		out.Inputs = append(out.Inputs, c.Name+"("+strings.TrimSuffix(strings.TrimPrefix(c.Args, "["), "]")+")")
	}
	for i := range changes {
		if changes[i] == nil {
			continue
		}
		a, err := ask(bounded{Do: "answer", Changes: changes[i], Calls: calls})
		if err != nil {
			return err
		}
		if len(a.Answers) != len(calls) {
			continue
		}
		for k, said := range a.Answers {
			sum := sha256.Sum256([]byte(said.Full))
			one := runner.Answer{Text: said.Text, Digest: hex.EncodeToString(sum[:8])}
			if want, known := wants[calls[k]]; known {
				one.Said = runner.Otherwise
				if value, err := likely.Decode([]byte("[" + said.Value + "]")); said.Value != "" && err == nil && likely.Agree(value[0], want) {
					one.Said = runner.AsSaid
				}
			}
			out.Answers[i] = append(out.Answers[i], one)
		}
	}
	return nil
}

// inputs are the calls to be made: those that documentation shows, with what it says of them, those of the tests, and others like these.
func inputs(ctx context.Context, heard []call, examples []runner.Example) (calls []call, wants map[call]any, err error) {
	wants = map[call]any{}
	var all []likely.Call
	for _, e := range examples {
		args, ok := literals(ctx, e.Args)
		if !ok {
			continue
		}
		want, ok := beginning(ctx, e.Want)
		if !ok {
			continue
		}
		text, err := json.Marshal(args)
		if err != nil {
			return nil, nil, err
		}
		c := call{e.Function, string(text)}
		if _, known := wants[c]; !known {
			wants[c] = want
			calls = append(calls, c)
		}
	}
	for _, h := range heard {
		args, err := likely.Decode([]byte(h.Args))
		if err != nil {
			return nil, nil, err
		}
		all = append(all, likely.Call{Function: h.Name, Args: args})
	}
	for _, m := range likely.More(all, made) {
		text, err := json.Marshal(m.Args)
		if err != nil {
			return nil, nil, err
		}
		if c := (call{m.Function, string(text)}); !slices.Contains(calls, c) {
			calls = append(calls, c)
		}
	}
	return calls, wants, nil
}
