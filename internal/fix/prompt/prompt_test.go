package prompt_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"go.uber.org/goleak"
	"gotest.tools/v3/golden"

	"fettle/internal/budget"
	"fettle/internal/check"
	"fettle/internal/diag"
	"fettle/internal/edit"
	"fettle/internal/fix"
	"fettle/internal/fix/fixtest"
	"fettle/internal/fix/prompt"
	"fettle/internal/learn"
	"fettle/internal/locate"
	"fettle/internal/model"
	"fettle/internal/policy/secret"
	"fettle/internal/store"
	"fettle/internal/verdict"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const (
	shop = `import math

RATE = 0.2


def tax(price):
    """What the state takes."""
    return round_up(price * RATE)


def total(price):
    return price - tax(price)


def round_up(x):
    return math.ceil(x * 100) / 100
`
	shopTest = "from shop import total\n\n\ndef test_total():\n    assert total(10) == 12\n"
)

func task(t *testing.T, files map[string]string) (fix.Task, *fixtest.Place) {
	all := map[string]string{"shop.py": shop, "test_shop.py": shopTest, "CONTRIBUTING.md": "# How\n\nFunctions must have plain names.\n\nThank you for coming.\n"}
	for name, text := range files {
		all[name] = text
	}
	p := fixtest.New(t, all)
	return fix.Task{
		Check:       check.Check{Name: "test.pytest", Lang: "python", Run: []string{"pytest"}},
		Diagnostics: []diag.Diagnostic{{Check: "test.pytest", File: "test_shop.py", Range: diag.Range{Start: diag.Position{Line: 5}}, Test: "test_shop.py::test_total", Message: "assert 7.8 == 12", Detail: "E   assert 8.0 == 12"}},
		Place:       p,
		Suspects: func(context.Context) ([]locate.Suspect, error) {
			return []locate.Suspect{{File: "shop.py", Line: 12, EndLine: 12, Score: 0.9}, {File: "shop.py", Line: 8, EndLine: 8, Score: 0.5}}, nil
		},
	}, p
}

// fake is a model that is a function.
type fake func(r model.Request) (model.Reply, error)

func (f fake) Call(_ context.Context, r model.Request) (model.Reply, error) { return f(r) }

// says is a model that says these texts, one after the other, and the last again and again.
func says(asked *[]model.Request, texts ...string) model.Caller {
	n := 0
	return fake(func(r model.Request) (model.Reply, error) {
		*asked = append(*asked, r)
		text := texts[min(n, len(texts)-1)]
		n++
		return model.Reply{Text: text, Stop: model.Ended, Cost: budget.Cent}, nil
	})
}

func answer(old, fresh string, sure float64) string {
	b, _ := json.Marshal(map[string]any{"explanation": "it took the tax away", "confidence": sure, "edits": []any{map[string]any{"path": "shop.py", "line": nil, "old": old, "new": fresh, "content": nil, "delete": nil}}})
	return string(b)
}

var right = answer("    return price - tax(price)", "    return price + tax(price)", 0.9)

func propose(t *testing.T, f fix.Fixer, k fix.Task) (all []fix.Candidate, notes []string, failed error) {
	t.Helper()
	k.Note = func(s string) { notes = append(notes, s) }
	for c, err := range f.Propose(t.Context(), k) {
		if err != nil {
			return all, notes, err
		}
		all = append(all, c)
	}
	return all, notes, nil
}

func TestPropose(t *testing.T) {
	k, p := task(t, nil)
	var asked []model.Request
	all, notes, err := propose(t, prompt.New(says(&asked, right), prompt.Options{}), k)
	if err != nil || len(all) != 1 {
		t.Fatalf("%v, %v, %v", all, notes, err)
	}
	c := all[0]
	if c.Author != "model-standard" || c.Confidence != 0.9 || c.Cost != 0.01 || c.Explanation != "it took the tax away" {
		t.Errorf("got %+v", c)
	}
	after, err := c.Patch.Apply(p.Source)
	if got := string(after["shop.py"].Data); err != nil || !strings.Contains(got, "price + tax") {
		t.Errorf("got %q, %v", got, err)
	}
	r := asked[0]
	if r.Role != model.Fixer || r.Tier != model.Standard || r.Schema == nil || len(r.Tools) > 0 || len(r.Messages) != 1 || r.Messages[0].Cached || !json.Valid(r.Schema.Schema) {
		t.Errorf("asked %+v", r)
	}
	for range prompt.New(says(&asked, right), prompt.Options{Samples: 9}).Propose(t.Context(), k) {
		break // the consumer may stop
	}
	if len(asked) != 2 {
		t.Errorf("%d answers were asked for, though the first was enough", len(asked)-1)
	}
}

// An answer that cannot be read is asked for again with the reason, twice at most.
func TestAskedAgain(t *testing.T) {
	k, _ := task(t, nil)
	var asked []model.Request
	all, _, err := propose(t, prompt.New(says(&asked, "No idea.", answer("return nothing", "x", 1), right), prompt.Options{}), k)
	if err != nil || len(all) != 1 || all[0].Cost != 0.03 {
		t.Fatalf("%v, %v", all, err)
	}
	if len(asked) != 3 || asked[1].Purpose != "retry" || !strings.Contains(asked[1].Messages[2].Text, "there is no answer in the reply") || !strings.Contains(asked[2].Messages[4].Text, "not in the file") {
		t.Errorf("asked %+v", asked)
	}
	asked = nil
	all, notes, err := propose(t, prompt.New(says(&asked, "No idea."), prompt.Options{}), k)
	if err != nil || len(all) != 0 || len(asked) != 3 || !strings.Contains(fmt.Sprint(notes), "no answer of the model could be used, of 3") {
		t.Errorf("%v, %v, %v, %d", all, notes, err, len(asked))
	}
	all, notes, err = propose(t, prompt.New(says(&asked, `{"explanation": "the test is wrong", "confidence": 0.9, "edits": []}`), prompt.Options{}), k)
	if err != nil || len(all) != 0 || !strings.Contains(fmt.Sprint(notes), "nothing to propose: the test is wrong") {
		t.Errorf("%v, %v, %v", all, notes, err)
	}
}

func TestWhenTheModelFails(t *testing.T) {
	k, _ := task(t, nil)
	var asked []model.Request
	fails := func(at int, kind model.Kind) model.Caller {
		n := 0
		good := says(&asked, right)
		return fake(func(r model.Request) (model.Reply, error) {
			if n++; n == at {
				asked = append(asked, r)
				return model.Reply{}, &model.Error{Kind: kind, Message: "no"}
			}
			return good.Call(t.Context(), r)
		})
	}
	var failed *model.Error
	if all, _, err := propose(t, prompt.New(fails(1, model.Spent), prompt.Options{}), k); !errors.As(err, &failed) || len(all) > 0 || !strings.Contains(err.Error(), "ask a model") {
		t.Errorf("%v, %v", all, err)
	}
	all, notes, err := propose(t, prompt.New(fails(2, model.Spent), prompt.Options{Samples: 3}), k)
	if err != nil || len(all) != 1 || !strings.Contains(fmt.Sprint(notes), "no further answer was asked for") {
		t.Errorf("%v, %v, %v", all, notes, err)
	}
	asked = nil
	all, notes, err = propose(t, prompt.New(fails(1, model.TooLong), prompt.Options{}), k)
	if err != nil || len(all) != 1 || !strings.Contains(fmt.Sprint(notes), "too long for the model") || len(asked[1].Messages[0].Text) >= len(asked[0].Messages[0].Text) {
		t.Errorf("%v, %v, %v", all, notes, err)
	}
	if _, _, err := propose(t, prompt.New(fake(func(model.Request) (model.Reply, error) { return model.Reply{Stop: model.Refused}, nil }), prompt.Options{}), k); err == nil || !strings.Contains(err.Error(), "refused to answer") {
		t.Errorf("%v", err)
	}
	if all, notes, err := propose(t, prompt.New(fake(func(model.Request) (model.Reply, error) { return model.Reply{Stop: model.Cut, Text: right}, nil }), prompt.Options{}), k); err != nil || len(all) > 0 || !strings.Contains(fmt.Sprint(notes), "cut off") {
		t.Errorf("%v, %v, %v", all, notes, err)
	}
}

// A check of tests that says neither where nor which is taken, as a run may tell; where nothing does, nobody is asked, as there would be no code to show.
func TestNothingSaysWhere(t *testing.T) {
	k, _ := task(t, nil)
	k.Diagnostics = []diag.Diagnostic{{Check: "test.pytest", Message: "it did not end within 8s"}}
	var asked []model.Request
	f := prompt.New(says(&asked, right), prompt.Options{})
	if !f.Takes(k.Check, k.Diagnostics[0]) || f.Takes(check.Check{Name: "lint"}, k.Diagnostics[0]) {
		t.Error("of checks that name no place, those of tests are taken, and no others")
	}
	if all, notes, err := propose(t, f, k); err != nil || len(all) != 1 || len(asked) != 1 || !strings.Contains(asked[0].Messages[0].Text, "return price - tax(price)") {
		t.Errorf("%v, %v, %v", all, notes, err)
	}
	k.Suspects = nil
	asked = nil
	if all, notes, err := propose(t, f, k); err != nil || len(all)+len(asked) > 0 || !strings.Contains(fmt.Sprint(notes), "no code could be shown") {
		t.Errorf("%v, %v, %v", all, notes, err)
	}
}

// An author whose patch was sent back says what it makes of that, and may let it stand without writing it again.
func TestSentBack(t *testing.T) {
	k, _ := task(t, nil)
	var asked []model.Request
	first, _, err := propose(t, prompt.New(says(&asked, right), prompt.Options{}), k)
	if err != nil || len(first) != 1 || strings.Contains(fmt.Sprint(asked[0]), "second reader") {
		t.Fatalf("%v, %v", first, err)
	}
	k.Feedback, k.SentBack = []fix.Failure{{Own: true, Why: "the challenger is not satisfied: the second line is not needed"}}, first[0].Patch
	for _, c := range []struct {
		says, decision string
		same           bool
	}{
		{`{"decision": "DISAGREE", "explanation": "it is needed", "confidence": 0.9, "edits": []}`, "DISAGREE", true},
		{`{"decision": "keep", "explanation": "it is needed", "confidence": 0.9, "edits": []}`, "KEEP", true},
		{strings.Replace(answer("    return price - tax(price)", "    return tax(price) + price", 0.9), "{", `{"decision": "Partially agree", `, 1), "PARTIALLY_AGREE", false},
		{answer("    return price - tax(price)", "    return tax(price) + price", 0.9), "", false},
		{`{"decision": "AGREE", "explanation": "you are right", "confidence": 0.9, "edits": []}`, "none", false},
	} {
		asked = nil
		all, _, err := propose(t, prompt.New(says(&asked, c.says), prompt.Options{}), k)
		if said := asked[0]; err != nil || !strings.Contains(said.Messages[0].Text, "A second reader was not satisfied") || !strings.Contains(string(said.Schema.Schema), `"decision", "explanation"`) {
			t.Errorf("%s: asked %v, %v", c.says, said, err)
		}
		if c.decision == "none" {
			if len(all) != 0 {
				t.Errorf("%s: %v", c.says, all)
			}
			continue
		}
		decision := ""
		if len(all) == 1 && all[0].Stance != nil {
			decision = all[0].Stance.Decision
		}
		if len(all) != 1 || decision != c.decision || (all[0].Patch.Digest() == first[0].Patch.Digest()) != c.same {
			t.Errorf("%s: %+v", c.says, all)
		}
	}
}

// Of several answers those that pass come first to last by their size, each once.
func TestTheSmallestThatPasses(t *testing.T) {
	k, _ := task(t, nil)
	large := answer("def total(price):\n    return price - tax(price)", "def total(price):\n    added = tax(price)\n    return price + added", 0.9)
	bad := answer("    return price - tax(price)", "    return price * tax(price)", 0.9)
	tried := 0
	k.TryAll = func(_ context.Context, all iter.Seq[edit.Patch]) iter.Seq2[verdict.Trial, error] {
		return func(yield func(verdict.Trial, error) bool) {
			i := 0
			for p := range all {
				tried++
				if !yield(verdict.Trial{Index: i, Patch: p, Plausible: !strings.Contains(string(p[0].Edits[0].New), "*"), Healed: []string{"x"}, Note: "it fails"}, nil) {
					return
				}
				i++
			}
		}
	}
	var asked []model.Request
	all, _, err := propose(t, prompt.New(says(&asked, bad, large, right, right), prompt.Options{Samples: 4, Tier: model.Deep}), k)
	if err != nil || len(all) != 2 || tried != 3 || all[0].Cost != 0.04 || all[1].Cost != 0 || all[0].Alternatives != 1 || len(all[0].Heals) != 1 || strings.Contains(string(all[0].Patch[0].Edits[0].New), "added") {
		t.Errorf("%+v, %d tried, %v", all, tried, err)
	}
	if all[0].Author != "model-deep" {
		t.Errorf("made by %s", all[0].Author)
	}
	for i, r := range asked {
		if r.Temperature != nil || i == 0 && r.Warmer != 0 || i > 0 && r.Warmer <= asked[i-1].Warmer || !r.Messages[0].Cached {
			t.Errorf("sample %d is asked for with %v more than %v, kept: %v", i, r.Warmer, r.Temperature, r.Messages[0].Cached)
		}
	}
}

// Where no answer passes the most promising one is offered, so that the model can be told what is wrong with it; and none that did not pass is had again.
func TestNoneOfSeveralPasses(t *testing.T) {
	db, err := store.Open(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	k, _ := task(t, nil)
	signs := []string{"*", "/", "%", "//"}
	k.TryAll = func(_ context.Context, all iter.Seq[edit.Patch]) iter.Seq2[verdict.Trial, error] {
		return func(yield func(verdict.Trial, error) bool) {
			i := 0
			for p := range all {
				trial := verdict.Trial{Index: i, Patch: p, Note: "it fails", Broken: []string{"a", "b"}}
				switch text := string(p[0].Edits[0].New); {
				case strings.Contains(text, "%"):
					trial.Healed = []string{"x"}
				case strings.Contains(text, "+"):
					trial.Plausible = true
				}
				if i++; !yield(trial, nil) {
					return
				}
			}
		}
	}
	var wrong []string
	for _, sign := range append(signs, signs[2]) {
		wrong = append(wrong, answer("    return price - tax(price)", "    return price "+sign+" tax(price)", 0.9))
	}
	o := prompt.Options{Samples: len(wrong), Book: &learn.Book{DB: db}}
	var asked []model.Request
	all, notes, err := propose(t, prompt.New(says(&asked, wrong...), o), k)
	if err != nil || len(all) != 1 || !strings.Contains(string(all[0].Patch[0].Edits[0].New), "%") || all[0].Alternatives != 0 || all[0].Cost != 0.05 {
		t.Fatalf("%+v, %v, %v", all, notes, err)
	}
	if !strings.Contains(fmt.Sprint(notes), "none of the model's answers passes, of 4 different ones: it fails") {
		t.Errorf("told was %v", notes)
	}
	all, notes, err = propose(t, prompt.New(says(&asked, "nobody"), o), k)
	if told := fmt.Sprint(notes); err != nil || len(all) != 1 || len(asked) != len(wrong) || strings.Count(told, "of no use (it was tried, and did not pass: it fails)") != 4 {
		t.Errorf("the second time it brought %+v after %d questions: %s, %v", all, len(asked), told, err)
	}
	if err := o.Book.Answered(t.Context(), all[0].Question, learn.Answer{Useless: "it broke a"}); err != nil { // the loop has judged it
		t.Fatal(err)
	}
	k.Feedback = []fix.Failure{failed}
	if all, _, err := propose(t, prompt.New(says(&asked, right), o), k); err != nil || len(all) != 1 || !strings.Contains(asked[len(wrong)].Messages[0].Text, failed.Why) {
		t.Errorf("it was not told what failed: %+v, %v", all, err)
	}
}

func TestRungs(t *testing.T) {
	last := fix.RungPlugin
	for _, tier := range []model.Tier{model.Fast, model.Standard, model.Deep} {
		f := prompt.New(nil, prompt.Options{Tier: tier})
		if f.Rung() <= last || f.Rung() >= fix.RungAgent || f.Name() != "model-"+string(tier) {
			t.Errorf("%s is on rung %d", f.Name(), f.Rung())
		}
		last = f.Rung()
		if !f.Takes(check.Check{}, diag.Diagnostic{File: "a"}) || f.Takes(check.Check{}, diag.Diagnostic{}) {
			t.Error("it takes what names no place, or not what does")
		}
	}
}

var nonces = regexp.MustCompile(`(data-|lines that hold )[a-z]{14}\b`)

// failed is an attempt of the fixer's own, as the loop tells it.
var failed = fix.Failure{
	Own: true, Why: "a patch by model-standard (the tax comes off) was refused: it did not pass verification: nothing of what was to be healed is gone",
	Patch:  "--- a/shop.py\n+++ b/shop.py\n@@ -9 +9 @@\n-    return price - tax(price)\n+    return price - RATE\n",
	Report: "test_shop.py:5: test_total: assert 9.8 == 12\n",
}

// What is asked, word for word: go test -update rewrites it.
func TestRequest(t *testing.T) {
	first, _ := task(t, nil)
	again, _ := task(t, map[string]string{".fettle/prompts/test.md": "Prices are floats here.\n"})
	again.Feedback = []fix.Failure{{Why: "a patch by model-fast (the tax is counted twice) was refused: it broke test_other"}, failed}
	another, _ := task(t, nil)
	another.Feedback = []fix.Failure{failed}
	another.Feedback[0].Own = false
	for name, k := range map[string]fix.Task{"first": first, "again": again, "another": another} {
		r, err := prompt.Build(t.Context(), k, prompt.Options{})
		if err != nil {
			t.Fatal(err)
		}
		golden.Assert(t, r.System+"\n=== user\n"+nonces.ReplaceAllString(r.User, "${1}NONCE"), name+".golden")
		other, err := prompt.Build(t.Context(), k, prompt.Options{})
		if err != nil || other.System != r.System || other.User == r.User {
			t.Errorf("%s: the system text is not the same twice, or the boundary is", name)
		}
	}
}

// What a suspect calls, and what calls it, is shown from the files around, too; tests, other languages and folders that it has nothing to do with are not looked through.
func TestCallsInOtherFiles(t *testing.T) {
	other := "def helper(x):\n    return x  # %s\n\n\ndef idle():\n    return 1\n"
	tk, _ := task(t, map[string]string{
		"shop.py": "from money import helper\nfrom stock.goods import stocked\n\n\ndef total(price):\n    return helper(price) + stocked(price)\n", "stock/goods.py": "def stocked(x):\n    return 0  # what is imported\n", "money.py": fmt.Sprintf(other, "the callee"),
		"till.py": "import shop\n\n\ndef pay(p):\n    return shop.total(p)  # the caller\n\n\ndef rest():\n    return 2\n", "money_test.py": fmt.Sprintf(other, "of a test"), "sub/money.py": fmt.Sprintf(other, "of another folder"),
		"money.js": "function helper(x) { return x /* another language */ }\n", "broken.py": "def helper(:\n total(",
	})
	tk.Suspects = func(context.Context) ([]locate.Suspect, error) {
		return []locate.Suspect{{File: "shop.py", Line: 6, EndLine: 6, Score: 1}}, nil
	}
	r, err := prompt.Build(t.Context(), tk, prompt.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"the callee", "the caller", "what is imported", `"path":"money.py"`, `"lines":"1-2 of`} {
		if !strings.Contains(r.User, want) {
			t.Errorf("it is not shown %q:\n%s", want, r.User)
		}
	}
	for _, not := range []string{"of a test", "of another folder", "another language", "def idle", "def rest"} {
		if strings.Contains(r.User, not) {
			t.Errorf("it is shown %q:\n%s", not, r.User)
		}
	}
}

// What must be left out is left out in order, and told.
func TestBudget(t *testing.T) {
	long := strings.Repeat("# a comment of a long file, which says nothing that anybody needs\n", 120)
	k, _ := task(t, map[string]string{"shop.py": shop + "\n\n" + long, "AGENTS.md": strings.Repeat("You must test. ", 40)})
	k.Baseline.Tail = strings.Repeat("noise\n", 1000)
	r, err := prompt.Build(t.Context(), k, prompt.Options{Tokens: 2500})
	if err != nil {
		t.Fatal(err)
	}
	if r.Tokens > 2500 || !strings.Contains(r.User, "12|     return price - tax(price)") || strings.Contains(r.User, "a comment of a long file") {
		t.Errorf("%d tokens: %s", r.Tokens, r.User)
	}
	if said := fmt.Sprint(r.Notes); !strings.Contains(said, "left out of the request for lack of room: rests of files (1)") {
		t.Errorf("notes: %s", said)
	}
	// A model that reads little is asked with less than it reads.
	if small, err := prompt.Build(t.Context(), k, prompt.Options{Context: 3400}); err != nil || small.Tokens > 1700 || small.Tokens >= r.Tokens || !strings.Contains(small.User, "12|     return price - tax(price)") {
		t.Errorf("%v, %v", small, err)
	}
	if large, err := prompt.Build(t.Context(), k, prompt.Options{Tokens: 2500, Context: 200_000}); err != nil || strings.Count(large.User, "\n") != strings.Count(r.User, "\n") { // the boundaries differ
		t.Errorf("%v, %v", large, err)
	}
	// Only a part of the file was shown, so it cannot be given anew.
	var asked []model.Request
	whole, _ := json.Marshal(map[string]any{"path": "shop.py", "content": shop, "explanation": "x", "confidence": 1})
	if all, notes, err := propose(t, prompt.New(says(&asked, string(whole)), prompt.Options{Tokens: 2500}), k); err != nil || len(all) > 0 || !strings.Contains(fmt.Sprint(notes), "only a part of the file was shown") {
		t.Errorf("%v, %v, %v", all, notes, err)
	}
}

// No secret is in what is asked, and one that is a part of what changes comes back as it was.
func TestSecrets(t *testing.T) {
	token := "gh" + "p_" + "q7Xv2LmK9tRz4WbN8cYd5HsJ1fGp6Qa3Ue0o"
	key := "-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEAtu1rzz9xpoQ8\nZm9vYmFyYmF6\n-----END RSA PRIVATE KEY-----"
	src := "TOKEN = \"" + token + "\"\nKEY = \"\"\"" + key + "\"\"\"\n\n\ndef f():\n    return 1 # " + token + "\n"
	k, p := task(t, map[string]string{"shop.py": src, "CONTRIBUTING.md": "You must use " + token + "\n"})
	k.Diagnostics[0].Message += " " + token
	k.Feedback = []fix.Failure{{Why: "it said " + token}}
	k.Suspects = func(context.Context) ([]locate.Suspect, error) {
		return []locate.Suspect{{File: "shop.py", Line: 9, EndLine: 9}}, nil
	}
	mark := regexp.MustCompile(`\[REDACTED:[^\]]+\]`)
	all, notes, err := propose(t, prompt.New(fake(func(r model.Request) (model.Reply, error) {
		said := fmt.Sprint(r)
		if strings.Contains(said, token) || strings.Contains(said, "MIIEow") {
			t.Errorf("it is told: %s", said)
		}
		if !strings.Contains(said, "9|     return 1") {
			t.Errorf("the lines are not numbered as the file is: %s", said)
		}
		i := strings.Index(said, "return 1 # ")
		return model.Reply{Text: answer("    return 1 # "+mark.FindString(said[i:]), "    return 2 # "+mark.FindString(said[i:]), 1)}, nil
	}), prompt.Options{}), k)
	if err != nil || len(all) != 1 {
		t.Fatalf("%v, %v, %v", all, notes, err)
	}
	after, err := all[0].Patch.Apply(p.Source)
	if got := string(after["shop.py"].Data); err != nil || got != strings.Replace(src, "return 1", "return 2", 1) {
		t.Errorf("got %q, %v", got, err)
	}
}

// Nobody is told where on this machine the repository lies, nor whose home that is; but a source stays byte for byte what it is.
func TestFoldersOfThisMachine(t *testing.T) {
	home, own := "/srv/people/ada", "/srv/people/ada/work/shop"
	line := `CACHE = "` + own + `/cache"  # as ` + home + `/.cache`
	k, p := task(t, map[string]string{
		"shop.py": shop + "\n\n" + line + "\n", ".fettle/prompts/test.md": "It must run in " + own + " of " + home + ".\n", "CONTRIBUTING.md": "You must never touch " + home + "/.config or " + own + "/data.\n",
	})
	planted := func(what string) string {
		return what + ": " + own + "/shop.py:12, " + p.Root() + "/shop.py:12, in " + own + ", with " + home + "/.local/lib, of " + p.Root() + "."
	}
	d := &k.Diagnostics[0]
	d.Message, d.Detail, d.Tool = planted("message"), planted("detail"), home+"/bin/pytest"
	k.Baseline.Tail = planted("output")
	k.Feedback = []fix.Failure{{Why: planted("earlier")}, {Why: "it failed", Patch: planted("failure")}}
	var asked []model.Request
	o := prompt.Options{Redactor: secret.New([]string{"HOME=" + home}), Root: own, Tokens: 8000, Turns: 1}
	calls := []model.ToolCall{{ID: "1", Name: "Read", Input: json.RawMessage(`{"path": "` + own + `/shop.py"}`)}}
	caller := fake(func(r model.Request) (model.Reply, error) {
		asked = append(asked, r)
		switch len(asked) {
		case 1:
			return model.Reply{Stop: model.Asked, Calls: calls}, nil
		case 2:
			return model.Reply{Text: answer(`CACHE = "`+own+`"`, "", 1), Stop: model.Ended}, nil // stands nowhere: the reason is put to it
		}
		return model.Reply{Text: answer(line, line+"  # so", 1), Stop: model.Ended}, nil
	})
	all, notes, err := propose(t, prompt.New(caller, o), k)
	if err != nil || len(all) != 1 || len(asked) != 3 {
		t.Fatalf("%v, %v, %v after %d questions", all, notes, err, len(asked))
	}
	for i, r := range asked {
		var said strings.Builder
		for _, m := range r.Messages {
			if m.Speaker == model.User {
				fmt.Fprintln(&said, m.Text, m.Results)
			}
		}
		told := r.System + strings.ReplaceAll(said.String(), line, "")
		if strings.Contains(told, home) || strings.Contains(told, p.Root()) {
			t.Errorf("question %d: %s", i, told)
		}
		for _, what := range []string{"message", "detail", "output", "earlier", "failure"} {
			if want := what + ": shop.py:12, shop.py:12, in ., with ~/.local/lib, of .."; !strings.Contains(told, want) {
				t.Errorf("question %d does not hold %q: %s", i, want, told)
			}
		}
		if !strings.Contains(said.String(), line) {
			t.Errorf("question %d does not show the source as it is", i)
		}
	}
}

// Findings name whatever files they like: what holds secrets or settings by its name is not shown for that, and a module that speaks of secrets is.
func TestWithheld(t *testing.T) {
	for name, shown := range map[string]bool{".env": false, "deploy/prod.pem": false, ".vscode/settings.json": false, "secrets.yaml": false, "credentials.py": true, "secrets/shop.py": true} {
		k, _ := task(t, map[string]string{name: "hush = 1\n"})
		k.Suspects, k.Diagnostics[0].File, k.Diagnostics[0].Range.Start.Line = nil, name, 1
		r, err := prompt.Build(t.Context(), k, prompt.Options{})
		if err != nil || strings.Contains(r.User, "hush") != shown {
			t.Errorf("%s: shown %t, %v", name, !shown, err)
		}
	}
}

// A passphrase of the sources is shown as a mark, which comes back as what it stands for.
func TestSecretsThatAreWords(t *testing.T) {
	src := "PASSWORD = \"correct-horse-battery\"\n\n\ndef f():\n    return login(password=\"mysupersecretvalue\", n=1)\n"
	k, p := task(t, map[string]string{"shop.py": src})
	k.Suspects = func(context.Context) ([]locate.Suspect, error) {
		return []locate.Suspect{{File: "shop.py", Line: 5, EndLine: 5}}, nil
	}
	all, notes, err := propose(t, prompt.New(fake(func(r model.Request) (model.Reply, error) {
		said := fmt.Sprint(r)
		if strings.Contains(said, "correct-horse") || strings.Contains(said, "supersecret") {
			t.Errorf("it is told: %s", said)
		}
		was := regexp.MustCompile(`    return login\(password="[^"]+", n=1\)`).FindString(said)
		return model.Reply{Text: answer(was, strings.Replace(was, "n=1", "n=2", 1), 1), Stop: model.Ended}, nil
	}), prompt.Options{}), k)
	if err != nil || len(all) != 1 {
		t.Fatalf("%v, %v, %v", all, notes, err)
	}
	after, err := all[0].Patch.Apply(p.Source)
	if got := string(after["shop.py"].Data); err != nil || got != strings.Replace(src, "n=1", "n=2", 1) {
		t.Errorf("got %q, %v", got, err)
	}
}

// A file that is missing may be made, where one that is there could be changed; what may not is put to the model with the reason.
func TestCreates(t *testing.T) {
	for name, refused := range map[string]string{
		"rates.py": "", "lib/rates.py": "", "test_rates.py": "it would be evidence", "conftest.py": "it would be evidence", ".github/workflows/ci.yml": "it would be evidence",
		".env": "forbidden pattern", ".claude/settings.json": "forbidden pattern", "apart/rates.py": "outside of what may be changed",
	} {
		k, p := task(t, nil)
		k.InScope = func(path string) bool { return !strings.HasPrefix(path, "apart/") }
		said, err := json.Marshal(map[string]any{"explanation": "it is missing", "confidence": 0.9, "edits": []any{map[string]any{"path": name, "content": "RATE = 0.2\n"}}})
		if err != nil {
			t.Fatal(err)
		}
		var asked []model.Request
		all, notes, err := propose(t, prompt.New(says(&asked, string(said)), prompt.Options{}), k)
		if refused != "" {
			if err != nil || len(all) != 0 || len(asked) != 3 || !strings.Contains(fmt.Sprint(asked[1].Messages), refused) {
				t.Errorf("%s: %v, %q, %v, asked %d times", name, all, notes, err, len(asked))
			}
			continue
		}
		if err != nil || len(all) != 1 {
			t.Errorf("%s: %v, %q, %v", name, all, notes, err)
			continue
		}
		after, err := all[0].Patch.Apply(p.Source)
		if err != nil || string(after[name].Data) != "RATE = 0.2\n" {
			t.Errorf("%s: made was %q, %v", name, after[name].Data, err)
		}
	}
}

// The person's own prompts count, for a check, its kind or all; what would blur the boundary is refused.
func TestOwnTemplates(t *testing.T) {
	k, _ := task(t, nil)
	own := fstest.MapFS{
		"fixer/system.md":           {Data: []byte("Be kind.")},
		"fixer/first.test.md":       {Data: []byte("For tests {{.Nonce}}\n{{.Data}}")},
		"fixer/again.test.other.md": {Data: []byte("never {{.Nonce}} {{.Data}}")},
	}
	r, err := prompt.Build(t.Context(), k, prompt.Options{Templates: own})
	if err != nil || r.System != "Be kind." || !strings.HasPrefix(r.User, "For tests ") {
		t.Errorf("%v, %v", r, err)
	}
	for text, says := range map[string]string{"{{.Data}}": "has to hold", "{{.Nonce}}": "has to hold", "{{.Secret}}": "cannot be filled", "{{": "cannot be read"} {
		own["fixer/first.test.md"] = &fstest.MapFile{Data: []byte(text)}
		if _, err := prompt.Build(t.Context(), k, prompt.Options{Templates: own}); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// A model that may look around reads, lists and searches, and nothing else; what it has read it may change.
func TestLooksAround(t *testing.T) {
	k, p := task(t, map[string]string{"lib/money.py": "def cents(x):\n    return x * 10\n", ".env": "A=b\n", "secret.pem": "x\n"})
	call := func(name, in string) model.ToolCall {
		return model.ToolCall{ID: name + in, Name: name, Input: json.RawMessage(in)}
	}
	var results []model.ToolResult
	turn := 0
	caller := fake(func(r model.Request) (model.Reply, error) {
		if len(r.Tools) != 3 || !r.Messages[0].Cached {
			t.Errorf("the tools are %v, kept: %v", r.Tools, r.Messages[0].Cached)
		}
		results = append(results, r.Messages[len(r.Messages)-1].Results...)
		turn++
		switch turn {
		case 1:
			if err := os.Symlink("/etc/hostname", filepath.Join(p.Root(), "link.py")); err != nil {
				t.Error(err)
			}
			return model.Reply{Stop: model.Asked, Calls: []model.ToolCall{call("Glob", `{"pattern": "**/*.py"}`), call("Grep", `{"pattern": "def c\\w+"}`), call("Read", `{"path": "lib/money.py"}`), call("Read", `{"path": ".env"}`), call("Read", `{"path": "link.py"}`), call("Read", `{"path": "../x"}`), call("Bash", `{"command": "ls"}`), call("Read", `{`)}}, nil
		case 2:
			return model.Reply{Stop: model.Asked, Calls: []model.ToolCall{call("Read", `{"path": "secret.pem"}`)}}, nil
		}
		return model.Reply{Text: `{"explanation": "x", "confidence": 0.5, "edits": [{"path": "lib/money.py", "old": "    return x * 10", "new": "    return x * 100"}]}`}, nil
	})
	all, notes, err := propose(t, prompt.New(caller, prompt.Options{Turns: 1}), k)
	if err != nil || len(all) != 1 || all[0].Patch[0].Path != "lib/money.py" {
		t.Fatalf("%v, %v, %v", all, notes, err)
	}
	for i, want := range []string{"lib/money.py\nshop.py\ntest_shop.py", "lib/money.py:1: def cents(x):", "2|     return x * 10", "is not shown", "link.py is a link", "no name of a file", "there is no tool Bash", "cannot be read", "looked often enough"} {
		if got := results[i]; !strings.Contains(got.Text, want) || got.Failed != (i > 2) || strings.Contains(got.Text, "link.py\n") || strings.Contains(got.Text, "pem\n") {
			t.Errorf("result %d: %v %s", i, got.Failed, got.Text)
		}
	}
	caller = fake(func(model.Request) (model.Reply, error) {
		return model.Reply{Stop: model.Asked, Calls: []model.ToolCall{call("Glob", `{"pattern": "*"}`)}}, nil
	})
	if all, notes, err := propose(t, prompt.New(caller, prompt.Options{Turns: 2}), k); err != nil || len(all) > 0 || !strings.Contains(fmt.Sprint(notes), "asked to see more files") {
		t.Errorf("%v, %v, %v", all, notes, err)
	}
}
