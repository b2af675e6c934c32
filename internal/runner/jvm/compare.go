package jvm

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"fettle/internal/edit"
	"fettle/internal/runner"
	"fettle/internal/runner/likely"
)

var _ runner.Comparer = (*suite)(nil)

// Bounds of a comparison. Its time is the processor's, so that what is known of patches does not depend on how busy the machine is.
const (
	madeInputs  = 240              // of a function
	askedFuel   = 200_000          // steps of a call
	compareTime = 5 * time.Second  // for all answers of a candidate
	allCompared = 30 * time.Second // for those of all of them
)

// question is a call that was heard, or one like it: the function's number, its class, whose method it is, and the arguments, as a machine writes them
// down.
type question struct {
	words []string
	was   string // the digest of what came of it in the tests; empty: nobody can tell
}

func (q question) function() string { return q.words[0] }

// reply is what came of a question.
type reply struct{ call, text, digest string }

// Compare implements [runner.Comparer]. It tells of methods whose arguments, and the objects whose they are, can be made again of what they hold, and of
// these only where calling them anew with what the tests gave comes to what it came to there, so that nothing else decides about it. Documented
// examples are left out, and so are constructors.
func (s *suite) Compare(ctx context.Context, patches []edit.Patch, _ []runner.Example) (runner.Comparison, error) {
	nothing := runner.Comparison{Answers: make([][]runner.Answer, len(patches))}
	if err := s.prepare(ctx); err != nil || s.slow != "" {
		return nothing, err
	}
	span := s.guard.Begin()
	out, err := s.compare(ctx, patches)
	s.guard.End(&span)
	if err != nil {
		return nothing, err
	}
	if whole, err := s.guard.Whole(ctx, span); err != nil || !whole {
		return nothing, err // what is called changes files, which may decide about what follows
	}
	return out, nil
}

func (s *suite) compare(ctx context.Context, patches []edit.Patch) (runner.Comparison, error) {
	out := runner.Comparison{Answers: make([][]runner.Answer, len(patches))}
	b, err := s.rivals(ctx, patches)
	if err != nil {
		return out, err
	}
	defer b.close()
	if len(b.members) < 2 {
		return out, nil
	}
	t := s.newTester(s.baseline.kind, s.baseline.woven)
	defer t.close()
	c := &comparison{suite: s, bundle: b, tester: t, good: map[string]bool{}, left: allCompared}
	if err := c.listen(ctx, b.members[0]); err != nil || len(c.questions) == 0 {
		return out, err
	}
	answers := make([][]reply, len(patches)) // by patch; none: it cannot be told
	for _, m := range b.members {
		if answers[m.Index], err = c.answers(ctx, m); err != nil {
			return out, err
		}
	}
	c.asHeard(answers[b.members[0].Index])
	c.tell(answers, &out)
	return out, nil
}

// rivals is a bundle of the patches that change nothing but the bodies of methods that can be asked.
func (s *suite) rivals(ctx context.Context, patches []edit.Patch) (*bundle, error) {
	b := &bundle{suite: s, schemata: map[string]*schema{}, fitted: map[int]candidate{}, asked: true}
	b.file = filepath.Join(s.dir, "compared")
	for i, p := range patches {
		c := candidate{Index: i, Patch: p}
		if s.unfit(p) != "" {
			continue
		}
		ok, err := b.add(ctx, c)
		if err != nil {
			return nil, err
		}
		if ok {
			b.fitted[i+1] = c
		}
	}
	if _, err := b.compileSchemata(ctx); err != nil {
		b.close()
		return nil, err
	}
	b.members = slices.DeleteFunc(b.fittedMembers(), func(m member) bool { return b.constructs(m) })
	return b, nil
}

// constructs reports whether a candidate changes a constructor.
func (b *bundle) constructs(m member) bool {
	for _, s := range b.schemata {
		if slices.ContainsFunc(s.funcs, func(f *function) bool { return f.constructor && slices.Contains(m.funcs, f.number) }) {
			return true
		}
	}
	return false
}

// comparison is one under way.
type comparison struct {
	suite     *suite
	bundle    *bundle
	tester    *tester
	questions []question
	good      map[string]bool // functions whose answers depend on nothing but what they are given
	left      time.Duration   // for answers
}

// listen runs the tests with a candidate, and makes the questions of the calls that they make. The machine knows them from then on.
func (c *comparison) listen(ctx context.Context, m member) error {
	base := &c.suite.baseline
	c.tester.learn(line("bundle", c.bundle.file)+"\n", base.one.line())
	if len(base.two.keys) > 0 {
		c.tester.learn(base.two.line())
	}
	var heard []question
	_, err := c.tester.ask(ctx, base.one.time+base.two.time+grace, "listened", func(w []string) {
		if w[0] == "call" && len(w) > 4 {
			heard = append(heard, question{words: w[2:], was: w[1]})
		}
	}, line(m.words("listen")...)+"\n")
	if err != nil {
		return fmt.Errorf("compare patches: %w", notGone(err))
	}
	c.questions = questions(heard)
	for _, q := range heard {
		c.good[q.function()] = true
	}
	for _, q := range c.questions {
		c.tester.learn(line(append([]string{"call"}, q.words...)...) + "\n")
	}
	return nil
}

// alike are calls of a function whose values are of the same forms.
type alike struct {
	function, class string
	forms           []*form
	calls           []likely.Call
}

// questions are the calls that were heard, and others like them.
func questions(heard []question) []question {
	out := slices.Clone(heard)
	var groups []*alike
	of := map[string]int{} // functions, and how many groups of theirs there are
	for _, h := range heard {
		values, forms, err := readValues(h.words[2:])
		if err != nil {
			continue
		}
		call := likely.Call{Function: h.function(), Args: values}
		if !slices.ContainsFunc(groups, func(g *alike) bool { return g.add(h, forms, call) }) {
			groups = append(groups, &alike{h.function(), h.words[1], forms, []likely.Call{call}})
			of[h.function()]++
		}
	}
	for _, g := range groups {
		out = append(out, g.others(madeInputs/of[g.function])...)
	}
	return out
}

// add takes a call in, if it is of these forms.
func (g *alike) add(h question, forms []*form, call likely.Call) bool {
	if g.function != h.function() || g.class != h.words[1] {
		return false
	}
	all, ok := both(&form{parts: g.forms, kind: "call"}, &form{parts: forms, kind: "call"})
	if ok {
		g.forms, g.calls = all.parts, append(g.calls, call)
	}
	return ok
}

// others are calls like these, which are none of them.
func (g *alike) others(most int) (out []question) {
	had := map[string]bool{}
	for _, c := range g.calls {
		had[textOf(c)] = true
	}
	for _, c := range likely.More(g.calls, most) {
		words := []string{g.function, g.class}
		if !had[textOf(c)] && g.write(c.Args, &words) {
			out = append(out, question{words: words})
		}
	}
	return out
}

func (g *alike) write(args []any, words *[]string) bool {
	for i, a := range args {
		if !g.forms[i].write(a, words) {
			return false
		}
	}
	return true
}

func textOf(c likely.Call) string {
	text, _ := json.Marshal(c.Args) // what is no JSON has none
	return string(text)
}

// answers are a candidate's to all questions; nil: it cannot be told. A function that answers otherwise when it is asked in another order goes by more
// than what it is given.
func (c *comparison) answers(ctx context.Context, m member) ([]reply, error) {
	one, err := c.ask(ctx, m, "on")
	if err != nil || one == nil {
		return nil, err
	}
	two, err := c.ask(ctx, m, "back")
	if err != nil || two == nil {
		return nil, err
	}
	for k, q := range c.questions {
		if one[k].digest != two[k].digest {
			c.good[q.function()] = false
		}
	}
	return one, nil
}

func (c *comparison) ask(ctx context.Context, m member, order string) ([]reply, error) {
	limit := min(compareTime, c.left)
	if limit <= 0 {
		return nil, nil
	}
	var out []reply
	w, err := c.tester.ask(ctx, limit+grace, "answered", func(w []string) {
		if w[0] == "answer" && len(w) == 4 {
			out = append(out, reply{w[1], w[2], w[3]})
		}
	}, line(m.words("answer", itoa(askedFuel), millis(limit), order)...)+"\n")
	if gone(ctx, err) {
		c.left -= limit
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("compare patches: %w", err)
	}
	micros, _ := strconv.ParseInt(w[1], 10, 64)
	c.left -= time.Duration(micros) * time.Microsecond
	if len(out) != len(c.questions) {
		return nil, nil
	}
	return out, nil
}

// asHeard takes out the functions that do not answer as they did in the tests, with the candidate with which these ran.
func (c *comparison) asHeard(answers []reply) {
	for k, q := range c.questions {
		if q.was != "" && (answers == nil || answers[k].digest != q.was) {
			c.good[q.function()] = false
		}
	}
}

// tell tells of the questions that every candidate can answer. One that changes a function of which nothing can be told is not told of: others may
// do the same but for that.
func (c *comparison) tell(answers [][]reply, out *runner.Comparison) {
	for _, m := range c.bundle.members {
		if slices.ContainsFunc(m.funcs, func(f int) bool { return !c.good[itoa(f)] }) {
			answers[m.Index] = nil
		}
	}
	for k, q := range c.questions {
		if !c.good[q.function()] || slices.ContainsFunc(answers, func(a []reply) bool { return a != nil && a[k].digest == "" }) {
			continue
		}
		shown := ""
		for i, a := range answers {
			if a != nil {
				shown = a[k].call
				out.Answers[i] = append(out.Answers[i], runner.Answer{Text: a[k].text, Digest: a[k].digest})
			}
		}
		if shown != "" {
			out.Inputs = append(out.Inputs, strings.TrimSpace(shown))
		}
	}
}
