package fix_test

import (
	"context"
	"iter"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"fettle/internal/check"
	"fettle/internal/diag"
	"fettle/internal/fix"
)

// fake takes findings of one file.
type fake struct {
	name string
	rung fix.Rung
	file string
}

func (f fake) Name() string                                { return f.name }
func (f fake) Rung() fix.Rung                              { return f.rung }
func (f fake) Takes(_ check.Check, d diag.Diagnostic) bool { return f.file == "" || d.File == f.file }
func (f fake) Propose(context.Context, fix.Task) iter.Seq2[fix.Candidate, error] {
	return func(func(fix.Candidate, error) bool) {}
}

func ladder(t *testing.T) fix.Ladder {
	t.Helper()
	l, err := fix.NewLadder(fake{"zeta", fix.RungPlugin, "b.go"}, fake{"search", fix.RungSearch, "a.go"}, fake{"alpha", fix.RungPlugin, ""}, fake{"tool", fix.RungTool, "c.go"})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestLadderIsInOrder(t *testing.T) {
	if got := strings.Join(ladder(t).Names(), " "); got != "tool search alpha zeta" {
		t.Errorf("got %s", got)
	}
}

func TestLadderRefusesTwoOfOneName(t *testing.T) {
	_, err := fix.NewLadder(fake{name: "x"}, fake{name: "x", rung: fix.RungModel})
	if err == nil || !strings.Contains(err.Error(), `"x"`) {
		t.Errorf("got %v", err)
	}
}

func TestOnly(t *testing.T) {
	cases := []struct {
		names     []string
		want, err string
	}{
		{nil, "tool search alpha zeta", ""},
		{[]string{"zeta", "tool"}, "tool zeta", ""},
		{[]string{"serach"}, "", `did you mean "search"?`},
		{[]string{"Tools"}, "", `did you mean "tool"?`},
		{[]string{"sea"}, "", `did you mean "search"?`},
		{[]string{"tool", "nothing-like-it"}, "", "known: tool, search, alpha, zeta"},
		{[]string{""}, "", "unknown fixer"},
	}
	for _, c := range cases {
		got, err := ladder(t).Only(c.names...)
		switch {
		case c.err == "" && (err != nil || strings.Join(got.Names(), " ") != c.want):
			t.Errorf("Only(%q) = %v, %v", c.names, got.Names(), err)
		case c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)):
			t.Errorf("Only(%q): error %v, want %s", c.names, err, c.err)
		case c.err != "" && strings.Contains(c.err, "known") && strings.Contains(err.Error(), "did you mean"):
			t.Errorf("Only(%q) guesses: %v", c.names, err)
		}
	}
}

func TestForWalksTheLadder(t *testing.T) {
	ds := []diag.Diagnostic{{File: "a.go"}, {File: "b.go"}, {File: "a.go"}}
	var got []string
	for s := range ladder(t).For(check.Check{}, ds) {
		var files []string
		for _, d := range s.Diagnostics {
			files = append(files, d.File)
		}
		got = append(got, s.Fixer.Name()+":"+strings.Join(files, "+"))
	}
	want := []string{"search:a.go+a.go", "alpha:a.go+b.go+a.go", "zeta:b.go"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	for range ladder(t).For(check.Check{}, ds) {
		break // stopping early is fine
	}
}

func TestLadderOrderDoesNotDependOnTheArguments(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var all []fix.Fixer
		for _, name := range rapid.SliceOfDistinct(rapid.StringMatching(`[a-z]{1,4}`), rapid.ID).Draw(t, "names") {
			all = append(all, fake{name: name, rung: fix.Rung(rapid.IntRange(1, 5).Draw(t, "rung"))})
		}
		a, err := fix.NewLadder(all...)
		if err != nil {
			t.Fatal(err)
		}
		slices.Reverse(all)
		b, err := fix.NewLadder(all...)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(a.Names(), b.Names()) {
			t.Fatalf("%v and %v", a.Names(), b.Names())
		}
		for i := range a[:max(0, len(a)-1)] {
			if a[i].Rung() > a[i+1].Rung() {
				t.Fatalf("%s stands before %s", a[i].Name(), a[i+1].Name())
			}
		}
	})
}

// Whom a model changes places with, and when.
func TestAdapted(t *testing.T) {
	ladder := func() []fix.Fixer {
		return []fix.Fixer{fake{"search", fix.RungSearch, ""}, fake{"mine", fix.RungPlugin, ""}, fake{"fast", fix.RungModel, ""}, fake{"standard", fix.RungModel + 1, ""}, fake{"deep", fix.RungModel + 2, ""}, fake{"claude", fix.RungAgent, ""}}
	}
	for name, c := range map[string]struct {
		known map[string]fix.Tally
		want  string
	}{
		"nothing is known":                {nil, "search mine fast standard deep claude"},
		"too few turns":                   {map[string]fix.Tally{"fast": {Turns: fix.Fruitless - 1}}, "search mine fast standard deep claude"},
		"never anything":                  {map[string]fix.Tally{"fast": {Turns: fix.Fruitless}}, "search mine standard deep fast claude"},
		"once is enough":                  {map[string]fix.Tally{"fast": {Turns: 100, Healed: 1}}, "search mine fast standard deep claude"},
		"two keep their order":            {map[string]fix.Tally{"fast": {Turns: 8}, "standard": {Turns: 9}}, "search mine deep fast standard claude"},
		"all of them":                     {map[string]fix.Tally{"fast": {Turns: 8}, "standard": {Turns: 8}, "deep": {Turns: 8}}, "search mine fast standard deep claude"},
		"nobody but models changes place": {map[string]fix.Tally{"search": {Turns: 8}, "mine": {Turns: 8}, "claude": {Turns: 8}}, "search mine fast standard deep claude"},
	} {
		t.Run(name, func(t *testing.T) {
			l, err := fix.NewLadder(fix.Adapted(ladder(), c.known)...)
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Join(l.Names(), " "); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}
