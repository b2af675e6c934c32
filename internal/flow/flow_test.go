package flow_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"fettle/internal/flow"

	"pgregory.net/rapid"
)

type counter struct {
	Count, Limit int
	Path         []string
}

func step(name, outcome string) flow.Node[counter] {
	return func(_ context.Context, s *counter) (string, error) {
		s.Path = append(s.Path, name)
		return outcome, nil
	}
}

// loop counts up to its limit: round → work → round … → done.
func loop() *flow.Graph[counter] {
	round := func(_ context.Context, s *counter) (string, error) {
		if s.Count >= s.Limit {
			return "limit", nil
		}
		s.Count++
		return "go", nil
	}
	return flow.New[counter]("count", "round").
		Node("round", "check the limit", round, flow.On("go", "work"), flow.On("limit", "done")).
		Node("work", "do the work", step("work", "again"), flow.On("again", "round")).
		End("done", "the limit was reached")
}

func TestRunGoesRoundExactlyLimitTimes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		limit := rapid.IntRange(0, 50).Draw(t, "limit")
		s := counter{Limit: limit}
		end, err := loop().Run(t.Context(), &s, "", flow.Hooks[counter]{})
		if err != nil || end != "done" {
			t.Fatalf("Run = %q, %v", end, err)
		}
		if len(s.Path) != limit {
			t.Fatalf("worked %d times, want %d", len(s.Path), limit)
		}
	})
}

// A run that is cut after any checkpoint and resumed from its record ends as an uncut one does.
func TestResumeAfterAnyCheckpoint(t *testing.T) {
	whole := counter{Limit: 4}
	var steps int
	count := flow.Hooks[counter]{Checkpoint: func(context.Context, *counter, flow.Step) error { steps++; return nil }}
	if _, err := loop().Run(t.Context(), &whole, "", count); err != nil {
		t.Fatal(err)
	}
	for cut := 1; cut <= steps; cut++ {
		var saved counter
		var next string
		n := 0
		dead := errors.New("killed")
		_, err := loop().Run(t.Context(), &counter{Limit: 4}, "", flow.Hooks[counter]{
			Checkpoint: func(_ context.Context, s *counter, st flow.Step) error {
				if n++; n > cut {
					return dead
				}
				saved = *s
				saved.Path = slices.Clone(s.Path)
				next = st.Next
				return nil
			},
		})
		if cut < steps && !errors.Is(err, dead) {
			t.Fatalf("cut %d: err = %v", cut, err)
		}
		end, err := loop().Run(t.Context(), &saved, next, flow.Hooks[counter]{})
		if err != nil || end != "done" || saved.Count != whole.Count || len(saved.Path) != len(whole.Path) {
			t.Fatalf("cut %d: resumed to %q, %+v, %v; want %+v", cut, end, saved, err, whole)
		}
	}
}

func TestErrorsLeadWhereTheGraphSays(t *testing.T) {
	boom := errors.New("boom")
	g := func() *flow.Graph[counter] {
		return flow.New[counter]("g", "a").
			Node("a", "fail", func(context.Context, *counter) (string, error) { return "", boom }, flow.On("ok", "done")).
			End("done", "").End("halted", "")
	}
	if _, err := g().Run(t.Context(), &counter{}, "", flow.Hooks[counter]{}); !errors.Is(err, boom) {
		t.Errorf("without OnError: %v", err)
	}
	var last flow.Step
	end, err := g().OnError(func(error) string { return "halted" }).Run(t.Context(), &counter{}, "", flow.Hooks[counter]{
		Checkpoint: func(_ context.Context, _ *counter, st flow.Step) error { last = st; return nil },
	})
	if err != nil || end != "halted" || last.Err != "boom" || last.Outcome != "error" {
		t.Errorf("with OnError: %q, %v, %+v", end, err, last)
	}
}

func TestUnknownOutcomeAndNode(t *testing.T) {
	g := flow.New[counter]("g", "a").Node("a", "", step("a", "sideways"), flow.On("ok", "done")).End("done", "")
	if _, err := g.Run(t.Context(), &counter{}, "", flow.Hooks[counter]{}); err == nil || !strings.Contains(err.Error(), `"sideways"`) {
		t.Errorf("unknown outcome: %v", err)
	}
	if _, err := g.Run(t.Context(), &counter{}, "nowhere", flow.Hooks[counter]{}); err == nil || !strings.Contains(err.Error(), `"nowhere"`) {
		t.Errorf("unknown node: %v", err)
	}
}

func TestCancelStopsBeforeTheNextNode(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	why := errors.New("terminal gone")
	s := counter{Limit: 10}
	_, err := loop().Run(ctx, &s, "", flow.Hooks[counter]{
		Checkpoint: func(ctx context.Context, s *counter, _ flow.Step) error {
			if s.Count == 3 {
				cancel(why)
			}
			return ctx.Err() // a checkpoint is not cancelled with the run
		},
	})
	if !errors.Is(err, why) || s.Count != 3 {
		t.Errorf("err = %v, count = %d", err, s.Count)
	}
}

func TestValidate(t *testing.T) {
	ok := step("x", "ok")
	for _, tc := range []struct {
		name, want string
		g          *flow.Graph[counter]
	}{
		{"good", "", loop()},
		{"unknown target", `"nope"`, flow.New[counter]("g", "a").Node("a", "", ok, flow.On("ok", "nope"))},
		{"dead end", "leads nowhere", flow.New[counter]("g", "a").Node("a", "", ok)},
		{"twice", "two nodes", flow.New[counter]("g", "a").Node("a", "", ok, flow.On("ok", "a")).End("a", "")},
		{"two edges", `two edges for "ok"`, flow.New[counter]("g", "a").Node("a", "", ok, flow.On("ok", "e"), flow.On("ok", "e")).End("e", "")},
		{"entry", `entry "b"`, flow.New[counter]("g", "b").Node("a", "", ok, flow.On("ok", "e")).End("e", "")},
		{"unreachable", `"b" cannot be reached`, flow.New[counter]("g", "a").Node("a", "", ok, flow.On("ok", "e")).Node("b", "", ok, flow.On("ok", "e")).End("e", "")},
	} {
		err := tc.g.Validate()
		if tc.want == "" && err != nil || tc.want != "" && (err == nil || !strings.Contains(err.Error(), tc.want)) {
			t.Errorf("%s: %v, want %q", tc.name, err, tc.want)
		}
	}
}

func TestMermaidDrawsEveryEdge(t *testing.T) {
	m := loop().Mermaid()
	for _, want := range []string{"flowchart TD", "round -->|go| work", "round -->|limit| done", "work -->|again| round", `done(["done: the limit was reached"])`} {
		if !strings.Contains(m, want) {
			t.Errorf("no %q in:\n%s", want, m)
		}
	}
}
