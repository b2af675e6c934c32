package model_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"

	"fettle/internal/model"
)

// TestOffers: a server says which models it has, and one that says something else, or nothing, is an error.
func TestOffers(t *testing.T) {
	for name, c := range map[string]struct {
		status     int
		body       string
		want       []string
		wrong      string
		configured bool
	}{
		"two":          {200, `{"object":"list","data":[{"id":"qwen2.5-coder:7b"},{"id":"hf.co/a/b"},{"id":""}]}`, []string{"ollama/hf.co/a/b", "ollama/qwen2.5-coder:7b"}, "", true},
		"none":         {200, `{"object":"list","data":null}`, nil, "", true},
		"no list":      {200, `<html>`, nil, "does not say which models", true},
		"not found":    {404, `{}`, nil, "HTTP 404", true},
		"no such host": {200, ``, nil, "set OLLAMA_HOST", false},
	} {
		base := &http.Transport{}
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method != http.MethodGet || r.URL.Path != "/v1/models" {
				t.Errorf("%s: asked was %s %s", name, r.Method, r.URL.Path)
			}
			w.WriteHeader(c.status)
			fmt.Fprint(w, c.body)
		}))
		e := env()
		if c.configured {
			e = env("OLLAMA_HOST=" + server.URL)
		}
		got, err := model.New(model.Options{Table: model.Default(), Purse: &purse{}, Getenv: e, Transport: base}).Offers(t.Context(), "ollama")
		says(t, name, err, c.wrong)
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: got %q", name, got)
		}
		base.CloseIdleConnections()
		server.Close()
	}
}
