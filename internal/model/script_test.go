package model_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fettle/internal/model"
	"fettle/internal/policy/secret"
)

func TestWhichLineAnswers(t *testing.T) {
	const text = `
otherwise: Nothing.
replies:
  - {role: challenger, say: judged}
  - {role: fixer, purpose: retry, say: again}
  - {last: one, say: first one}
  - {last: one, say: second one}
  - {match: '^t(w|v)o$', say: two, repeat: true}
  - {whole: Mend, last: three, say: three}
  - {model: big, say: from the big one}
`
	s, err := model.ReadScript("s.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range []struct {
		q    model.Question
		want string
	}{
		{model.Question{Role: model.Fixer, Purpose: "fix", Last: "one"}, "first one"},
		{model.Question{Role: model.Fixer, Purpose: "fix", Last: "one"}, "second one"},
		{model.Question{Role: model.Fixer, Purpose: "fix", Last: "one"}, "Nothing."},
		{model.Question{Role: model.Fixer, Purpose: "fix", Last: "two"}, "two"},
		{model.Question{Role: model.Fixer, Purpose: "fix", Last: "two"}, "two"},
		{model.Question{Role: model.Fixer, Purpose: "fix", Last: "two two"}, "Nothing."},
		{model.Question{Role: model.Fixer, Purpose: "retry", Last: "x"}, "again"},
		{model.Question{Last: "x"}, "Nothing."}, // who asks is not known
		{model.Question{Role: model.Challenger, Last: "x"}, "judged"},
		{model.Question{Role: model.Watcher, Last: "three", Whole: "Break it. three"}, "Nothing."},
		{model.Question{Role: model.Watcher, Last: "three", Whole: "Mend it. three"}, "three"},
		{model.Question{Role: model.Watcher, Model: "big"}, "from the big one"},
	} {
		if got, err := s.Next(c.q); err != nil || got.Say != c.want {
			t.Errorf("%d: %q, %v; want %q", i, got.Say, err, c.want)
		}
	}
	if s.Left() != 0 {
		t.Errorf("%d are left", s.Left())
	}
}

func TestAStrictScriptShowsWhatWasAsked(t *testing.T) {
	s, err := model.ReadScript("s.yaml", []byte("strict: true\nreplies: [{last: a, say: b}]"))
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.Next(model.Question{Role: model.Fixer, Purpose: "fix", Last: "something else"})
	var u *model.Unmatched
	if !errors.As(err, &u) || !strings.Contains(err.Error(), "something else") || !strings.Contains(err.Error(), `"fix"`) || s.Left() != 1 {
		t.Errorf("%v", err)
	}
	if _, err := s.Next(model.Question{Last: "something else"}); err == nil || !strings.Contains(err.Error(), "who asks is not known") {
		t.Errorf("%v", err)
	}
}

func TestScriptsThatAreWrong(t *testing.T) {
	for name, c := range map[string]struct{ text, wrong string }{
		"a key":         {"replies: [{sya: a}]", `did you mean "say"?`},
		"a status":      {"replies: [{status: 200}]", "between 400 and 599"},
		"a stop":        {"replies: [{stop: ended}]", `did you mean "end"?`},
		"an expression": {"replies: [{match: '('}]", "match"},
		"a delay":       {"replies: [{delay: soon}]", "a time as 50ms"},
		"a cut":         {"replies: [{truncate: -1}]", "a number of bytes"},
		"JSON":          {"{\"say\":\"a\"}\n{\"sya\":\"b\"}", "s.yaml:2"},
	} {
		_, err := model.ReadScript("s.yaml", []byte(c.text))
		says(t, name, err, c.wrong)
	}
}

// TestARecordedSessionIsHadOnceMore records calls with every kind of end, and plays what was recorded: the same answers and the same kinds of failure come, and no secret.
func TestARecordedSessionIsHadOnceMore(t *testing.T) {
	const token = "ghp_0123456789abcdefghijABCDEFGHIJ012345"
	answers := []struct {
		reply model.Reply
		err   error
	}{
		{reply: model.Reply{Text: "Use " + token + " here.\n", Stop: model.Ended, Usage: model.Usage{Input: 100, CacheRead: 3, Output: 5}}},
		{reply: model.Reply{Stop: model.Asked, Usage: model.Usage{Input: 9, Output: 1}, Calls: []model.ToolCall{{Name: "Read", Input: json.RawMessage(`{"path":"a.go"}`)}, {Name: "Read", Input: json.RawMessage(`{broken`)}}}},
		{reply: model.Reply{Text: "half", Stop: model.Cut}},
		{err: &model.Error{Kind: model.Overloaded, Status: 529, Message: "busy with " + token}},
		{err: &model.Error{Kind: model.Unreachable, Message: "gone"}},
		{err: &model.Error{Kind: model.TooLong, Status: 400, Message: "long"}},
		{err: &model.Error{Kind: model.Spent, Message: "no money"}},
		{err: context.Canceled},
	}
	n := 0
	asked := callerFunc(func(context.Context, model.Request) (model.Reply, error) {
		n++
		return answers[n-1].reply, answers[n-1].err
	})
	var file bytes.Buffer
	recorder := model.Record(asked, &file, secret.New([]string{"MY_TOKEN=" + planted}))
	r := ask()
	r.Messages[0].Text = "The key is " + planted + ", and " + token + "."
	for range answers {
		_, _ = recorder.Call(t.Context(), r)
	}
	if text := file.String(); strings.Contains(text, token) || strings.Contains(text, planted) || strings.Count(text, "\n") != len(answers)-1 {
		t.Fatalf("recorded:\n%s", text)
	}
	script, err := model.ReadScript("recorded.jsonl", file.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	player := model.Scripted("play", script)
	for i, a := range answers[:len(answers)-1] {
		got, err := player.Call(t.Context(), "m", r)
		if a.err != nil {
			var want *model.Error
			errors.As(a.err, &want)
			kind(t, err, want.Kind)
			continue
		}
		a.reply.Text = strings.ReplaceAll(a.reply.Text, token, "")
		if err != nil || got.Stop != a.reply.Stop || got.Usage != a.reply.Usage || len(got.Calls) != len(a.reply.Calls) || !strings.HasPrefix(got.Text, strings.TrimSuffix(a.reply.Text, " here.\n")) {
			t.Errorf("%d: %+v, %v; want %+v", i, got, err, a.reply)
		}
		for j := range got.Calls {
			if diff := cmp.Diff(string(a.reply.Calls[j].Input), string(got.Calls[j].Input)); diff != "" {
				t.Error(diff)
			}
		}
	}
	if script.Left() != 0 {
		t.Errorf("%d lines are left", script.Left())
	}
	if _, err := player.Call(t.Context(), "m", r); err == nil {
		t.Error("a recording answers more than was recorded")
	}
}

// Whatever boundaries are drawn, the same question is known again, by the file that it is about; another one is not taken for it.
func TestARecordingKnowsTheQuestionAgain(t *testing.T) {
	question := func(boundary, path string) model.Request {
		r := ask()
		r.Messages[0].Text = "A check complains. The data stands between lines that hold " + boundary + ".\n\n<data-" + boundary + ` {"kind":"finding"}>` + "\nsum.go:3 is wrong, at " + boundary[:3] + "\n</data-" + boundary + ">\n<data-" +
			boundary + ` {"kind":"source","path":"` + path + `"}>` + "\n1| x\n</data-" + boundary + ">\n"
		return r
	}
	without := ask()
	without.Messages[0].Text = "Your answer could not be used. The reason stands between lines that hold abcdefghijklmn:\n<data-abcdefghijklmn {\"kind\":\"reason\"}>\nx\n</data-abcdefghijklmn>\n"
	var file bytes.Buffer
	n := 0
	recorder := model.Record(callerFunc(func(context.Context, model.Request) (model.Reply, error) {
		n++
		return model.Reply{Text: []string{"about a", "about b", "again"}[n-1], Stop: model.Ended}, nil
	}), &file, secret.New(nil))
	for _, r := range []model.Request{question("abcdefghijklmn", "a.go"), question("bcdefghijklmno", "b.go"), without} {
		if _, err := recorder.Call(t.Context(), r); err != nil {
			t.Fatal(err)
		}
	}
	script, err := model.ReadScript("recorded.jsonl", file.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	player := model.Scripted("play", script)
	without.Messages[0].Text = strings.ReplaceAll(without.Messages[0].Text, "abcdefghijklmn", "zzzzzzzzzzzzzz")
	for _, c := range []struct {
		r    model.Request
		want string
	}{{without, "again"}, {question("yyyyyyyyyyyyyy", "b.go"), "about b"}, {question("xxxxxxxxxxxxxx", "a.go"), "about a"}} {
		if got, err := player.Call(t.Context(), "m", c.r); err != nil || got.Text != c.want {
			t.Errorf("%q, %v, want %q", got.Text, err, c.want)
		}
	}
	if _, err := player.Call(t.Context(), "m", question("wwwwwwwwwwwwww", "c.go")); err == nil {
		t.Error("what was never asked has an answer")
	}
}

type callerFunc func(context.Context, model.Request) (model.Reply, error)

func (f callerFunc) Call(ctx context.Context, r model.Request) (model.Reply, error) { return f(ctx, r) }
