package agent

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httputil"
	"strconv"
	"strings"
	"sync"
	"time"

	"fettle/internal/policy/secret"
)

// door is the only way out of an agent's place. It leads to its model's endpoint, and takes nothing but questions to the model: it adds the key,
// counts the turns, and keeps what was answered when that was no answer.
type door struct {
	to        endpoint
	sent      secret.Outbound // what goes out goes through this
	meter     *meter
	server    *http.Server
	transport *http.Transport

	mu      sync.Mutex
	turns   int    // that are left
	others  int    // other questions that are left
	taken   int    // turns that were answered
	limited bool   // a turn was refused because of the limit
	status  int    // of the last answer, when it was none; zero: it was one
	why     string // what the endpoint said then, or why it could not be asked
}

// otherQuestions is how many other questions there may be for each turn: counting tokens, choosing a model, summaries.
const otherQuestions = 4

// openDoor serves an endpoint on a listener until it is closed.
func openDoor(l net.Listener, to endpoint, turns int, sent secret.Outbound, m *meter) *door {
	d := &door{to: to, sent: sent, meter: m, transport: &http.Transport{Proxy: http.ProxyFromEnvironment, ForceAttemptHTTP2: true, TLSHandshakeTimeout: time.Minute}, turns: turns, others: turns * otherQuestions}
	proxy := &httputil.ReverseProxy{
		Transport:      d.transport,
		Rewrite:        d.lead,
		FlushInterval:  -1, // answers come as they are made
		ModifyResponse: d.answered,
		ErrorHandler:   d.unanswered,
		ErrorLog:       log.New(io.Discard, "", 0),
	}
	d.server = &http.Server{
		ReadHeaderTimeout: time.Minute,
		ErrorLog:          log.New(io.Discard, "", 0),
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if code, why := d.refuse(r); why != "" {
				refusal(w, code, why)
				return
			}
			r, err := d.clean(w, r)
			if err != nil {
				refusal(w, http.StatusBadRequest, err.Error())
				return
			}
			proxy.ServeHTTP(w, r)
		}),
	}
	go func() { _ = d.server.Serve(l) }() // ends when the door is closed
	return d
}

// close shuts the door, and ends what is still asked through it.
func (d *door) close() {
	_ = d.server.Close() // what cannot be closed is closed already
	d.transport.CloseIdleConnections()
}

// refuse says why a request is not let through.
func (d *door) refuse(r *http.Request) (code int, why string) {
	allowed, turn := d.to.takes(r.Method, r.URL.Path)
	if !allowed {
		return http.StatusNotFound, fmt.Sprintf("there is no way to %s %s from here: only the model can be asked", r.Method, r.URL.Path)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	left := &d.others
	if turn {
		left = &d.turns
	}
	if *left <= 0 {
		d.limited = d.limited || turn
		return http.StatusBadRequest, "the limit of this run is reached"
	}
	*left--
	return 0, ""
}

// mostAsked bounds a question, in bytes: more than any model reads.
const mostAsked = 64 << 20

// clean puts marks in the place of secrets in a question. One that cannot be looked into does not go out, nor one for which there is no money.
func (d *door) clean(w http.ResponseWriter, r *http.Request) (*http.Request, error) {
	if form := r.Header.Get("Content-Encoding"); form != "" && form != "identity" {
		return r, fmt.Errorf("questions in the form %q cannot be looked into from here: send them as they are", form)
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, mostAsked))
	if err != nil {
		return r, err
	}
	body = discreet(d.sent.Source, body)
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	_, turn := d.to.takes(r.Method, r.URL.Path)
	return d.meter.admit(r, body, turn)
}

// refusal is an error in a form that every client reads.
func refusal(w http.ResponseWriter, code int, why string) {
	body, err := json.Marshal(map[string]any{"type": "error", "error": map[string]any{"type": "invalid_request_error", "message": why, "code": code}})
	if err != nil {
		panic(err) // it is made here
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	_, _ = w.Write(body) // a client that has gone hears nothing
}

// lead turns a request to the endpoint, with the key in the place of whatever the agent has shown.
func (d *door) lead(r *httputil.ProxyRequest) {
	r.SetURL(d.to.base)
	for _, name := range []string{"X-Api-Key", "Authorization", "X-Goog-Api-Key", "Cookie", "Proxy-Authorization"} {
		r.Out.Header.Del(name)
	}
	q := r.Out.URL.Query()
	q.Del("key")
	r.Out.URL.RawQuery = q.Encode()
	r.Out.Header.Set("Accept-Encoding", "identity") // what is no answer is read here
	for name, value := range d.to.headers {
		r.Out.Header.Set(name, value)
	}
}

// maxComplaint bounds what is kept of an answer that is none.
const maxComplaint = 4 << 10

func (d *door) answered(r *http.Response) error {
	_, turn := d.to.takes(r.Request.Method, d.path(r.Request))
	if r.StatusCode < http.StatusBadRequest {
		d.meter.watch(r, turn)
		d.note(0, "", turn)
		return nil
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, 1<<20))
	_ = r.Body.Close()
	if err != nil {
		return err
	}
	body = []byte(d.hide(string(body)))
	d.note(r.StatusCode, complaint(body), turn)
	r.Body, r.ContentLength = io.NopCloser(strings.NewReader(string(body))), int64(len(body))
	r.Header.Set("Content-Length", strconv.Itoa(len(body)))
	r.Header.Del("Content-Encoding")
	return nil
}

// path is that of a request without what the endpoint's address has before it.
func (d *door) path(r *http.Request) string { return strings.TrimPrefix(r.URL.Path, d.to.base.Path) }

func (d *door) unanswered(w http.ResponseWriter, r *http.Request, err error) {
	_, turn := d.to.takes(r.Method, d.path(r))
	why := fmt.Sprintf("%s cannot be reached: %v", d.to.base.Host, err)
	if r.Context().Err() != nil {
		why = ""
	}
	d.note(http.StatusBadGateway, d.hide(why), turn)
	refusal(w, http.StatusBadGateway, d.hide(why))
}

// note keeps how a request ended. One that was not answered is no turn.
func (d *door) note(status int, why string, turn bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	switch {
	case !turn:
		return // a model that cannot be asked something else may still do the work
	case status == 0:
		d.taken++
	default:
		d.turns++
	}
	d.status, d.why = status, why
}

// hide takes the key out of what an endpoint says.
func (d *door) hide(text string) string {
	for _, value := range d.to.headers {
		text = strings.ReplaceAll(text, strings.TrimPrefix(value, "Bearer "), "…")
	}
	return text
}

// complaint is the message in an answer that is none, in any of the forms that endpoints have.
func complaint(body []byte) string {
	var said struct {
		Error   json.RawMessage
		Message string
	}
	text := string(body[:min(len(body), maxComplaint)])
	if json.Unmarshal(body, &said) == nil {
		var e struct{ Message string }
		switch {
		case json.Unmarshal(said.Error, &e) == nil && e.Message != "":
			text = e.Message
		case said.Message != "":
			text = said.Message
		}
	}
	return sentence(text)
}

// trouble is what an answer that was none means for a person; empty when the last one was one.
func (d *door) trouble(k Kind) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	var what string
	switch d.status {
	case 0:
		return ""
	case http.StatusUnauthorized, http.StatusForbidden:
		what = "the endpoint does not accept the key: look whether it is right and may use this model"
	case http.StatusPaymentRequired:
		what = "the account at the endpoint has no money left"
	case http.StatusTooManyRequests:
		what = "the endpoint has had too many questions, or the account has none left: try again later"
	case http.StatusNotFound:
		what = "the endpoint does not know the model or the address: look at the model's name"
	case http.StatusRequestEntityTooLarge:
		what = "the conversation is longer than the model reads"
	case http.StatusBadGateway:
		return d.why
	default:
		what = "the endpoint does not take what " + k.Title() + " asks"
		if d.status >= http.StatusInternalServerError {
			what = "the endpoint cannot answer now: try again later"
		}
	}
	return fmt.Sprintf("%s (%d: %s)", what, d.status, d.why)
}

// count is how many turns were answered, and whether one was refused because of the limit.
func (d *door) count() (turns int, limited bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.taken, d.limited
}
