package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"time"
)

// Call is one question to the model, and its answer.
type Call struct {
	System, User string  `json:"-"`
	Asked        string  `json:"asked,omitempty"` // what a question after an answer that could not be used says about it
	Said         string  `json:"said"`            // the whole answer
	Stop         string  `json:"stop"`            // why it ended, as the server says
	Input        int     `json:"input"`           // tokens
	Kept         int     `json:"kept"`            // of Input: those that the server had read before
	Output       int     `json:"output"`
	Seconds      float64 `json:"seconds"`
	Status       int     `json:"status"`
}

// ear stands between fettle and the model, and keeps what they say. It changes nothing.
type ear struct {
	*httptest.Server
	mu       sync.Mutex
	quiet    sync.Cond // told when nobody is speaking any more
	speaking int
	calls    []Call
}

func listen(to string) (*ear, error) {
	at, err := url.Parse(to)
	if err != nil {
		return nil, err
	}
	e := &ear{}
	e.quiet.L = &e.mu
	proxy := &httputil.ReverseProxy{
		Rewrite:       func(r *httputil.ProxyRequest) { r.SetURL(at) },
		FlushInterval: -1,
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, err error) {
			http.Error(w, err.Error(), http.StatusBadGateway)
		},
	}
	e.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		e.begin()
		defer e.end()
		asked, err := io.ReadAll(r.Body)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(asked))
		heard := &heard{ResponseWriter: w}
		began := time.Now()
		defer func() { // whoever has heard the last word may hang up, which ends the proxy in a panic
			c := read(asked, heard.all.Bytes())
			c.Seconds, c.Status = time.Since(began).Seconds(), heard.status
			e.mu.Lock()
			defer e.mu.Unlock()
			e.calls = append(e.calls, c)
		}()
		proxy.ServeHTTP(heard, r)
	}))
	return e, nil
}

func (e *ear) begin() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.speaking++
}

func (e *ear) end() {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.speaking--; e.speaking == 0 {
		e.quiet.Broadcast()
	}
}

// heardSoFar are the calls since the last time. Who asked has the whole answer before the ear is through with it: calls that are under way are waited for.
func (e *ear) heardSoFar() []Call {
	e.mu.Lock()
	defer e.mu.Unlock()
	for e.speaking > 0 {
		e.quiet.Wait()
	}
	out := e.calls
	e.calls = nil
	return out
}

// heard keeps what passes through it.
type heard struct {
	http.ResponseWriter
	all    bytes.Buffer
	status int
}

func (h *heard) WriteHeader(status int) {
	h.status = status
	h.ResponseWriter.WriteHeader(status)
}

func (h *heard) Write(b []byte) (int, error) {
	h.all.Write(b)
	return h.ResponseWriter.Write(b)
}

// Unwrap lets the answer be sent on as it comes.
func (h *heard) Unwrap() http.ResponseWriter { return h.ResponseWriter }

// read understands a question and the stream of its answer as far as the figures need it.
func read(asked, answered []byte) Call {
	var q struct {
		Messages []struct{ Role, Content string }
	}
	_ = json.Unmarshal(asked, &q) // what is not understood stays empty, and is seen to
	var c Call
	for _, m := range q.Messages {
		switch {
		case m.Role == "system":
			c.System = m.Content
		case c.User == "":
			c.User = m.Content
		case m.Role == "user":
			c.Asked = reason(m.Content)
		}
	}
	sc := bufio.NewScanner(bytes.NewReader(answered))
	sc.Buffer(nil, 1<<20)
	for sc.Scan() {
		data, ok := strings.CutPrefix(sc.Text(), "data:")
		if !ok {
			continue
		}
		var part struct {
			Choices []struct {
				Delta  struct{ Content string }
				Finish string `json:"finish_reason"`
			}
			Usage struct {
				Prompt  int `json:"prompt_tokens"`
				Written int `json:"completion_tokens"`
				Details struct {
					Cached int `json:"cached_tokens"`
				} `json:"prompt_tokens_details"`
			}
		}
		if json.Unmarshal([]byte(data), &part) != nil {
			continue
		}
		for _, choice := range part.Choices {
			c.Said += choice.Delta.Content
			if choice.Finish != "" {
				c.Stop = choice.Finish
			}
		}
		if part.Usage.Prompt > 0 {
			c.Input, c.Output, c.Kept = part.Usage.Prompt, part.Usage.Written, part.Usage.Details.Cached
		}
	}
	if c.Said == "" && c.Stop == "" {
		c.Said = strings.TrimSpace(string(answered)) // a refusal of the server's
	}
	return c
}

// reason is the data of a question after an answer that could not be used.
func reason(text string) string {
	_, rest, _ := strings.Cut(text, "<data-")
	_, rest, _ = strings.Cut(rest, "\n")
	body, _, _ := strings.Cut(rest, "\n</data-")
	return body
}
