package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"gotest.tools/v3/assert"
	"gotest.tools/v3/golden"

	"fettle/scripts/benchrepair/likeness"
	"fettle/scripts/benchrepair/rows"
	"fettle/scripts/figures"
	"fettle/scripts/localmodel/serve"
	"fettle/scripts/session"
)

// Rows come by turns, those that the search leaves before those that it mends wrongly, and the same ones each time.
func TestChoose(t *testing.T) {
	all, err := rows.All()
	assert.NilError(t, err)
	beliefs, err := figures.Beliefs(filepath.Join("..", "..", figures.Repair))
	assert.NilError(t, err)
	right := map[string]bool{}
	for _, b := range beliefs {
		right[b.Row] = b.Right
	}
	chosen := choose(all, beliefs, 30, 30)
	assert.Equal(t, len(chosen), 60)
	seen := map[string]bool{}
	for i, c := range chosen {
		assert.Equal(t, c.healed, i%2 == 1, c.row.ID)
		assert.Equal(t, right[c.row.ID], c.healed, c.row.ID)
		assert.Assert(t, !seen[c.row.ID], c.row.ID)
		seen[c.row.ID] = true
	}
	for i, c := range choose(all, beliefs, 30, 30) {
		assert.Equal(t, c.row.ID, chosen[i].row.ID)
	}

	few := []rows.Row{{ID: "none"}, {ID: "wrong"}, {ID: "good"}}
	said := []figures.Belief{{Row: "wrong"}, {Row: "good", Right: true}}
	for _, c := range []struct {
		left, healed int
		want         string
	}{{1, 1, "none good"}, {2, 0, "none wrong"}, {9, 9, "none good wrong"}, {0, 1, "good"}} {
		var ids []string
		for _, x := range choose(few, said, c.left, c.healed) {
			ids = append(ids, x.row.ID)
		}
		assert.Equal(t, strings.Join(ids, " "), c.want)
	}
}

// What passes is heard, and passes as it is.
func TestListen(t *testing.T) {
	const stream = "data: {\"choices\":[{\"delta\":{\"content\":\"yes\"}}]}\n\ndata: {\"choices\":[{\"delta\":{\"content\":\" sir\"},\"finish_reason\":\"stop\"}]}\n\n" +
		"data: {\"choices\":[],\"usage\":{\"prompt_tokens\":12,\"completion_tokens\":3,\"prompt_tokens_details\":{\"cached_tokens\":5}}}\n\ndata: [DONE]\n\n"
	model := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if b, _ := io.ReadAll(r.Body); strings.Contains(string(b), "no room") {
			http.Error(w, "the request exceeds the available context size", http.StatusBadRequest)
			return
		}
		_, _ = io.WriteString(w, stream) // the test sees what came
	}))
	defer model.Close()
	e, err := listen(model.URL)
	assert.NilError(t, err)
	defer e.Close()
	ask := func(body string) string {
		resp, err := http.Post(e.URL+"/v1/chat/completions", "application/json", strings.NewReader(body))
		assert.NilError(t, err)
		defer resp.Body.Close()
		b, err := io.ReadAll(resp.Body)
		assert.NilError(t, err)
		return string(b)
	}
	assert.Equal(t, ask(`{"messages":[{"role":"system","content":"s"},{"role":"user","content":"u"},{"role":"assistant","content":"a"},{"role":"user","content":"Why:\n<data-1 {}>\nno JSON\nat all\n</data-1>\n"}]}`), stream)
	ask(`{"messages":[{"role":"user","content":"no room"}]}`)
	calls := e.heardSoFar()
	assert.Equal(t, len(calls), 2)
	for i := range calls {
		calls[i].Seconds = 0
	}
	assert.DeepEqual(t, calls[0], Call{System: "s", User: "u", Asked: "no JSON\nat all", Said: "yes sir", Stop: "stop", Input: 12, Kept: 5, Output: 3, Status: 200})
	assert.DeepEqual(t, calls[1], Call{User: "no room", Said: "the request exceeds the available context size", Status: 400})
	assert.Equal(t, len(e.heardSoFar()), 0)
}

func TestKind(t *testing.T) {
	for _, c := range []struct{ a, b string }{
		{"edits[0]: shop.py line 12: \"old\" stands nowhere", "edits[3]: lib/tax.go line 4: \"new\" stands nowhere"},
		{"`x = 1` stands in 2 places\nmore of it", "`y` stands in 3 places"},
	} {
		assert.Equal(t, kind(c.a), kind(c.b))
	}
	assert.Assert(t, kind("no JSON") != kind("two answers"))
}

func TestMindless(t *testing.T) {
	assert.DeepEqual(t, session.Mindless([]string{"A=1", "OPENAI_API_KEY=x", "FETTLE_MODELS=off", "OLLAMA_HOST=h", "ANTHROPIC_AUTH_TOKEN=y"}), []string{"A=1"})
}

func TestTable(t *testing.T) {
	calls := func(again ...string) (out []Call) {
		for _, a := range append([]string{""}, again...) {
			out = append(out, Call{Asked: a, Input: 100, Output: 20, Seconds: 3})
		}
		return out
	}
	golden.Assert(t, table([]Result{
		{Row: "a", Plausible: true, Likeness: likeness.SameText, Calls: calls(), Wall: 5},
		{Row: "b", BySearch: true, Plausible: true, Likeness: likeness.Otherwise, Calls: calls("`x` stands nowhere"), Wall: 50},
		{Row: "c", Calls: calls("`y` stands nowhere", "no JSON"), Notes: []string{"no answer of the model could be used, of 3; the last: no JSON"}},
		{Row: "d", BySearch: true, Calls: calls(), Notes: []string{"the model has nothing to propose: it is well"}},
		{Row: "e", Calls: calls(), Refused: []string{"a test that passed fails"}},
		{Row: "f", Error: "fettle fix wrote no report"},
	}, 60, serve.How{Context: 8192, Threads: 2, Nice: 10}), "table.md")
}
