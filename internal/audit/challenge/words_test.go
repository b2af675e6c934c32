package challenge_test

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"gotest.tools/v3/golden"

	"fettle/internal/audit/challenge"
	"fettle/internal/model"
	"fettle/internal/quote"
)

var nonces = regexp.MustCompile(`(data-|lines that hold )[a-z]{14}\b`)

// written is all that was said to the model, but for what is drawn anew for each call.
func written(r model.Request) string {
	var b strings.Builder
	b.WriteString(r.System)
	for _, m := range r.Messages {
		b.WriteString("\n=== " + string(m.Speaker) + "\n" + m.Text)
	}
	return nonces.ReplaceAllString(b.String(), "${1}NONCE")
}

// What is asked, word for word: go test -update rewrites it.
func TestTheQuestion(t *testing.T) {
	c := good()
	c.Earlier, c.Evidence.Delta.Gone = []string{"BE-001 scores 60 of 100: overflow"}, nil
	s := text("no JSON", answer(about("BE-001", true, 100, 100, 100, 100)))
	if _, err := (challenge.Judge{Caller: s, Turns: 3}).Ask(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	golden.Assert(t, written(s.asked[1]), "question.golden")
}

// A person's own words take the place of the program's, the most special first. What data is, which form an answer has and how it is read stays the program's.
func TestWordsOfOnesOwn(t *testing.T) {
	fine, sloppy := answer(about("BE-001", true, 100, 100, 100, 100)), "APPROVED"
	file := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }
	for name, c := range map[string]struct {
		own     fstest.MapFS
		want    []string
		problem string
	}{
		"none":               {nil, []string{"You are the second reader", "Judge this change."}, ""},
		"the rules":          {fstest.MapFS{"challenger/system.md": file("Be strict.\n")}, []string{"Be strict.\n\n" + quote.Told, "Judge this change."}, ""},
		"the question":       {fstest.MapFS{"challenger/first.md": file("Well? {{.Nonce}}\n{{.Data}}")}, []string{"You are the second reader", "Well? "}, ""},
		"for the kind":       {fstest.MapFS{"challenger/system.test.md": file("Mind tests."), "challenger/system.md": file("Be strict.")}, []string{"Mind tests."}, ""},
		"for the check":      {fstest.MapFS{"challenger/system.test.go.md": file("Mind Go."), "challenger/system.test.md": file("Mind tests.")}, []string{"Mind Go."}, ""},
		"for another":        {fstest.MapFS{"challenger/system.lint.md": file("Mind style.")}, []string{"You are the second reader"}, ""},
		"once more":          {fstest.MapFS{"challenger/format.md": file("Pardon? {{.Nonce}} {{.Data}}")}, []string{"Pardon? ", "it is not the JSON that was asked for"}, ""},
		"of the fixer":       {fstest.MapFS{"fixer/system.md": file("Mend.")}, []string{"You are the second reader"}, ""},
		"an approval at any": {fstest.MapFS{"challenger/system.md": file("Answer APPROVED.")}, []string{"Answer APPROVED.", "could not be read"}, ""},
		"no data":            {fstest.MapFS{"challenger/first.md": file("Well? {{.Nonce}}")}, nil, "has to hold {{.Data}}"},
		"nothing":            {fstest.MapFS{"challenger/system.md": file("\n")}, nil, "challenger/system.md of yours is empty"},
	} {
		asks, s := good(), text(sloppy, fine)
		asks.About = []string{"test.go", "test"}
		j := challenge.Judge{Caller: s}
		if c.own != nil {
			j.Templates = c.own
		}
		o, err := j.Ask(t.Context(), asks)
		if c.problem != "" {
			if err == nil || !strings.Contains(err.Error(), c.problem) || len(s.asked) > 0 {
				t.Errorf("%s: %+v, %v after %d questions", name, o, err, len(s.asked))
			}
			continue
		}
		if err != nil || !o.Approved || len(s.asked) != 2 || s.asked[0].Schema == nil {
			t.Errorf("%s: %+v, %v after %d questions", name, o, err, len(s.asked))
			continue
		}
		said := written(s.asked[1])
		for _, want := range append(c.want, quote.Told, asks.Diff) {
			if !strings.Contains(said, want) {
				t.Errorf("%s: %q is not said: %s", name, want, said)
			}
		}
	}
}

// looks is a model that asks to see things before it answers.
type looks struct {
	says
	calls [][]model.ToolCall
}

func (l *looks) Call(ctx context.Context, r model.Request) (model.Reply, error) {
	if len(l.calls) == 0 {
		return l.says.Call(ctx, r)
	}
	next := l.calls[0]
	l.calls = l.calls[1:]
	l.asked = append(l.asked, r)
	return model.Reply{Stop: model.Asked, Calls: next, Cost: 3}, nil
}

func call(name, in string) []model.ToolCall {
	return []model.ToolCall{{ID: name, Name: name, Input: json.RawMessage(in)}}
}

// A judge that may look around sees the files as they are with the change, as often as it is let, and nothing else of the machine.
func TestTheJudgeLooks(t *testing.T) {
	files := fstest.MapFS{"sum.go": {Data: []byte("package sum\n")}, ".env": {Data: []byte("KEY=x\n")}}
	closed := 0
	tree := &challenge.Tree{Open: func(context.Context) (fs.FS, func(), error) { return files, func() { closed++ }, nil }}
	fine := answer(about("BE-001", true, 100, 100, 100, 100))
	c := good()
	c.Tree = tree
	m := &looks{*text(fine), [][]model.ToolCall{call("Read", `{"path":"sum.go"}`), call("Read", `{"path":".env"}`), call("Bash", `{"command":"ls"}`)}}
	o, err := challenge.Judge{Caller: m, Turns: 2}.Ask(t.Context(), c)
	if err != nil || !o.Approved || o.Cost != 16 || len(m.asked) != 4 || closed != 1 {
		t.Fatalf("%+v, %v after %d questions, closed %d times", o, err, len(m.asked), closed)
	}
	if len(m.asked[0].Tools) != 3 || !m.asked[0].Messages[0].Cached || !strings.Contains(m.asked[0].Messages[0].Text, "2 times") {
		t.Errorf("asked %+v", m.asked[0])
	}
	for i, want := range []string{"1| package sum", "is not shown", "you have looked often enough"} {
		if got := m.asked[i+1].Messages[2*i+2].Results[0]; !strings.Contains(got.Text, want) || got.Failed != (i > 0) {
			t.Errorf("%d: it is shown %+v, want %q", i, got, want)
		}
	}

	for name, c := range map[string]struct {
		turns int
		tree  *challenge.Tree
		want  int
	}{"it may not": {0, tree, 0}, "there is nothing to see": {2, nil, 0}} {
		s, asks := text(fine), good()
		asks.Tree = c.tree
		if _, err := (challenge.Judge{Caller: s, Turns: c.turns}).Ask(t.Context(), asks); err != nil || len(s.asked[0].Tools) != c.want {
			t.Errorf("%s: %v, %v", name, s.asked[0].Tools, err)
		}
	}

	asks, shut := good(), errors.New("no room")
	asks.Tree = &challenge.Tree{Open: func(context.Context) (fs.FS, func(), error) { return nil, nil, shut }}
	if o, err := (challenge.Judge{Caller: text(fine), Turns: 1}).Ask(t.Context(), asks); !errors.Is(err, shut) || o.Approved {
		t.Errorf("%+v, %v", o, err)
	}
	asked := &looks{*text(), [][]model.ToolCall{call("Glob", `{}`), call("Glob", `{}`), call("Glob", `{}`), call("Glob", `{}`), call("Glob", `{}`)}}
	if o, err := (challenge.Judge{Caller: asked, Turns: 1}).Ask(t.Context(), c); !errors.Is(err, challenge.ErrUnreadable) || o.Approved || len(asked.asked) != 4 {
		t.Errorf("%+v, %v after %d questions", o, err, len(asked.asked))
	}
}

// What a judge has said counts for the words in which it was asked, and where it may look for the files that it could see: of those that nobody can name nothing is remembered.
func TestWhatIsRememberedOfWords(t *testing.T) {
	fine := answer(about("BE-001", true, 100, 100, 100, 100))
	see := func(state string) *challenge.Tree {
		return &challenge.Tree{State: state, Open: func(context.Context) (fs.FS, func(), error) { return fstest.MapFS{}, func() {}, nil }}
	}
	own := fstest.MapFS{"challenger/system.md": {Data: []byte("Be strict.")}}
	for name, c := range map[string]struct {
		first, then challenge.Judge
		a, b        *challenge.Tree
		asked       int
	}{
		"the very same":             {challenge.Judge{Turns: 2}, challenge.Judge{Turns: 2}, see("1"), see("1"), 1},
		"other words":               {challenge.Judge{}, challenge.Judge{Templates: own}, nil, nil, 2},
		"other files":               {challenge.Judge{Turns: 2}, challenge.Judge{Turns: 2}, see("1"), see("2"), 2},
		"files that nobody names":   {challenge.Judge{Turns: 2}, challenge.Judge{Turns: 2}, see(""), see(""), 2},
		"files that it cannot see":  {challenge.Judge{}, challenge.Judge{}, see("1"), see("2"), 1},
		"more looks":                {challenge.Judge{Turns: 2}, challenge.Judge{Turns: 3}, see("1"), see("1"), 2},
		"it looks, and did not yet": {challenge.Judge{}, challenge.Judge{Turns: 3}, see("1"), see("1"), 2},
	} {
		s, known := text(fine, fine), &book{"test/judge", map[string]string{}}
		for i, j := range []challenge.Judge{c.first, c.then} {
			j.Caller, j.Known = s, known
			asks := good()
			asks.Tree = []*challenge.Tree{c.a, c.b}[i]
			if o, err := j.Ask(t.Context(), asks); err != nil || !o.Approved {
				t.Errorf("%s: %+v, %v", name, o, err)
			}
		}
		if len(s.asked) != c.asked {
			t.Errorf("%s: it was asked %d times", name, len(s.asked))
		}
	}
}
