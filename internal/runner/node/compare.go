package node

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode"

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
	Self string `json:"self,omitempty"` // what the object holds whose method it is, as JSON
}

// shown is a call as people write it.
func (c call) shown() string {
	name := c.Name
	if class, method, ok := strings.Cut(name, "."); ok && c.Self != "" {
		name = class + c.Self + "." + method
	}
	return name + "(" + strings.TrimSuffix(strings.TrimPrefix(c.Args, "["), "]") + ")"
}

// told is a call that was heard, and what it is told from others by that came of it; empty: nobody can tell.
type told struct {
	call
	Full string `json:"full"`
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

// Compare implements [runner.Comparer]. It tells of functions that stand in no other function and of methods of such classes, of what can be said in
// JSON, and only of what answers as it did in the tests, in whatever order it is asked: nothing else decides about it.
func (s *Suite) Compare(ctx context.Context, patches []edit.Patch, examples []runner.Example) (runner.Comparison, error) {
	out := runner.Comparison{Answers: make([][]runner.Answer, len(patches))}
	if s.Slow() != "" {
		return out, nil
	}
	if err := s.prepare(ctx); err != nil {
		return out, err
	}
	heard := map[string]bool{}
	rivals := make([]rival, len(patches))
	for i, p := range patches {
		for _, c := range p {
			names, err := s.functions(ctx, c)
			if err != nil {
				return out, err
			}
			rivals[i].functions = append(rivals[i].functions, names...)
			for _, n := range names {
				heard[n] = true
			}
		}
	}
	for i, p := range patches {
		var err error
		if rivals[i].changes, err = s.listening(ctx, p, heard); err != nil {
			return out, err
		}
	}
	first := slices.IndexFunc(rivals, func(r rival) bool { return r.changes != nil })
	if first < 0 {
		return out, nil
	}
	examples = slices.DeleteFunc(slices.Clone(examples), func(e runner.Example) bool { return !heard[e.Function] })
	err := s.compare(ctx, rivals, first, examples, &out)
	return out, err
}

// rival is a patch that is held against others.
type rival struct {
	functions []string // that it changes
	changes   []change // with what makes functions tell what they are called with; nil: it cannot be asked
	answers   []answered
}

// functions are the names of the outermost functions and methods that a change is about; none where it is about something else as well.
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
	declared bool       // by a statement; else it is a value, that a name is given
	class    *code.Node // whose method it is
}

func outermost(f *code.File) (out []function) {
	for n := range f.Root.Walk() {
		if n.Role != code.Function || n.Function() != nil || n.Up(code.If, code.For, code.Each, code.While, code.Switch) != nil {
			continue
		}
		t, class := n.Parent.Kid(code.Target), n.Up(code.Class)
		switch {
		case class != nil:
			if name := method(n, class); name != "" {
				out = append(out, function{name: name, node: n, class: class})
			}
		case n.Name != "" && n.Part != code.Value:
			out = append(out, function{name: n.Name, node: n, declared: true})
		case n.Part == code.Value && n.Parent.Is(code.Assign) && t.Is(code.Name, code.Attr):
			out = append(out, function{name: t.Name, node: n})
		}
	}
	return out
}

// method is what a method of an outermost class is called, behind the class; empty: it has no name by which it could be had from outside.
func method(n, class *code.Node) string {
	name := class.Name
	if t := class.Parent.Kid(code.Target); name == "" && class.Parent.Is(code.Assign) && t.Is(code.Name, code.Attr) {
		name = t.Name
	}
	if name == "" || !identifier(n.Name) || n.Name == "constructor" || n.Parent != class.Kid(code.Body) || class.Up(code.Class) != nil {
		return ""
	}
	return name + "." + n.Name
}

func identifier(name string) bool {
	return name != "" && strings.IndexFunc(name, func(r rune) bool { return r != '_' && r != '$' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }) < 0
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
			if wanted[o.name] {
				c.Edits = append(c.Edits, o.telling()...)
			}
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

// telling are the edits that make a function tell what it is called with.
func (o function) telling() []edit.Edit {
	at := func(place int, format string, args ...any) edit.Edit {
		return edit.Edit{Start: place, End: place, New: fmt.Appendf(nil, format, args...)}
	}
	switch {
	case o.class != nil: // behind the brace: by then the class has its methods
		return []edit.Edit{at(o.class.Kid(code.Body).Start+1, "static { __fettle.method(this, %q, %q); }", o.name, o.node.Name)}
	case o.declared:
		return []edit.Edit{at(statements(o.node.File), "%s = __fettle.heard(%q, %s);", o.name, o.name, o.name)}
	}
	return []edit.Edit{at(o.node.Start, "__fettle.heard(%q, ", o.name), at(o.node.End, ")")}
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

func (s *Suite) compare(ctx context.Context, rivals []rival, first int, examples []runner.Example, out *runner.Comparison) error {
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
	a, err := ask(bounded{Do: "listen", Changes: rivals[first].changes})
	if err != nil {
		return err
	}
	calls, wants, err := inputs(ctx, a.Calls, examples)
	if err != nil || len(calls) == 0 {
		return err
	}
	back := slices.Clone(calls)
	slices.Reverse(back)
	moody := map[string]bool{} // functions that answer otherwise when they are asked in another order
	for i := range rivals {
		r := &rivals[i]
		if r.changes == nil {
			continue
		}
		one, err := ask(bounded{Do: "answer", Changes: r.changes, Calls: calls})
		if err != nil {
			return err
		}
		two, err := ask(bounded{Do: "answer", Changes: r.changes, Calls: back})
		if err != nil {
			return err
		}
		if len(one.Answers) != len(calls) || len(two.Answers) != len(calls) {
			continue
		}
		r.answers = one.Answers
		for k, c := range calls {
			moody[c.Name] = moody[c.Name] || one.Answers[k].Full != two.Answers[len(calls)-1-k].Full
		}
	}
	good := known(a.Calls, calls, rivals[first].answers)
	maps.DeleteFunc(good, func(name string, _ bool) bool { return moody[name] })
	tell(rivals, calls, wants, good, out)
	return nil
}

// known are the functions that answer as they did in the tests, with the rival with which these ran; of the methods of objects, which may hold what
// nobody sees, those that were seen to.
func known(heard []told, calls []call, answers []answered) map[string]bool {
	out := map[string]bool{}
	for _, c := range calls {
		out[c.Name] = c.Self == ""
	}
	differs := map[string]bool{}
	for _, h := range heard {
		k := slices.Index(calls, h.call)
		if h.Full == "" || k < 0 || answers == nil {
			continue
		}
		differs[h.Name] = differs[h.Name] || answers[k].Full != h.Full
	}
	for name, does := range differs {
		out[name] = !does
	}
	return out
}

// tell tells what came of the calls of the functions that are known. A rival that changes another one is not told of: others may do the same but for
// that.
func tell(rivals []rival, calls []call, wants map[call]any, known map[string]bool, out *runner.Comparison) {
	for k, c := range calls {
		if !known[c.Name] {
			continue
		}
		out.Inputs = append(out.Inputs, c.shown())
		for i, r := range rivals {
			if r.answers == nil || slices.ContainsFunc(r.functions, func(name string) bool { return !known[name] }) {
				continue
			}
			said := r.answers[k]
			sum := sha256.Sum256([]byte(said.Full))
			one := runner.Answer{Text: said.Text, Digest: hex.EncodeToString(sum[:8])}
			if want, documented := wants[c]; documented {
				one.Said = runner.Otherwise
				if value, err := likely.Decode([]byte("[" + said.Value + "]")); said.Value != "" && err == nil && likely.Agree(value[0], want) {
					one.Said = runner.AsSaid
				}
			}
			out.Answers[i] = append(out.Answers[i], one)
		}
	}
}

// holding is what an object holds whose method is called, as JSON. It stays as it is: what an object holds fits together.
type holding string

// MarshalJSON is that.
func (h holding) MarshalJSON() ([]byte, error) { return []byte(h), nil }

// jsonOf is a value as JSON, as JavaScript writes it.
func jsonOf(v any) (string, error) {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return strings.TrimSuffix(b.String(), "\n"), err
}

// inputs are the calls to be made: those that documentation shows, with what it says of them, those of the tests, and others like these.
func inputs(ctx context.Context, heard []told, examples []runner.Example) (calls []call, wants map[call]any, err error) {
	wants = map[call]any{}
	for _, e := range examples {
		args, ok := literals(ctx, e.Args)
		if !ok {
			continue
		}
		want, ok := beginning(ctx, e.Want)
		if !ok {
			continue
		}
		text, err := jsonOf(args)
		if err != nil {
			return nil, nil, err
		}
		c := call{Name: e.Function, Args: text}
		if _, known := wants[c]; !known {
			wants[c] = want
			calls = append(calls, c)
		}
	}
	var all []likely.Call
	for _, h := range heard {
		args, err := likely.Decode([]byte(h.Args))
		if err != nil {
			return nil, nil, err
		}
		if h.Self != "" {
			args = append([]any{holding(h.Self)}, args...)
		}
		all = append(all, likely.Call{Function: h.Name, Args: args})
		if !slices.Contains(calls, h.call) {
			calls = append(calls, h.call)
		}
	}
	for _, m := range likely.More(all, made) {
		c := call{Name: m.Function}
		if len(m.Args) > 0 {
			if self, ok := m.Args[0].(holding); ok {
				c.Self, m.Args = string(self), m.Args[1:]
			}
		}
		text, err := jsonOf(m.Args)
		if err != nil {
			return nil, nil, err
		}
		c.Args = text
		if !slices.Contains(calls, c) {
			calls = append(calls, c)
		}
	}
	return calls, wants, nil
}
