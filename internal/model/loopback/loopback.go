// Package loopback answers "what would a model's server send?": it plays a [model.Script], or whatever else has an answer, over HTTP on this machine, in the wire formats that clients of models speak:
// Anthropic's Messages, OpenAI's chat completions and Responses, and Gemini's generateContent, streamed and whole. Clients of models and of agents are tried with it, and a
// recorded session is had once more, without a key and without a network.
//
// It listens on loopback and nowhere else, and answers nobody who asks for another host.
package loopback

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"fettle/internal/model"
)

// maxRequest is how many bytes a client may send.
const maxRequest = 64 << 20

// Player has an answer to each question: a [model.Script], or somebody who makes answers up. It is asked from many goroutines.
type Player interface {
	Next(q model.Question) (model.Line, error)
}

// Server plays. It is an [http.Handler].
type Server struct {
	script Player
	heard  func(path string, body []byte)
	asked  atomic.Int64 // questions until now
}

// New makes a server. If heard is given, it is told what clients ask, before they are answered; from many goroutines.
func New(script Player, heard func(path string, body []byte)) *Server {
	return &Server{script: script, heard: heard}
}

// Listen opens an address for the server: an IP address of loopback, and a port; zero is any. Names are refused, for what a name means is somebody else's word.
func Listen(addr string) (net.Listener, error) {
	ap, err := netip.ParseAddrPort(addr)
	if err != nil {
		return nil, fmt.Errorf("%q should be an address and a port, as 127.0.0.1:8931", addr)
	}
	if !ap.Addr().Unmap().IsLoopback() {
		return nil, fmt.Errorf("%s is not loopback: a script is served to this machine only, as on 127.0.0.1:%d", ap.Addr(), ap.Port())
	}
	return net.Listen("tcp", ap.String())
}

// Serve answers on a listener of loopback until the context ends.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	if at, err := netip.ParseAddrPort(l.Addr().String()); err != nil || !at.Addr().Unmap().IsLoopback() {
		return fmt.Errorf("%s is not loopback: a script is served to this machine only", l.Addr())
	}
	server := &http.Server{Handler: s, ReadHeaderTimeout: 10 * time.Second, BaseContext: func(net.Listener) context.Context { return ctx }}
	stop := context.AfterFunc(ctx, func() { _ = server.Close() }) // clients that are left hear of it by the end of their connection
	defer stop()
	if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// wire is one of the formats.
type wire struct {
	reads  func(body []byte, path string) (asked, error)
	writes func(w io.Writer, a asked, l model.Line)
}

// asked is what a client wants.
type asked struct {
	model.Question
	stream bool
	number int64 // of the server's questions: no id of an answer comes twice, as clients take for known what has an id that they know
}

func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if host, _, err := net.SplitHostPort(r.Host); err != nil && r.Host == "" || err == nil && !here(host) || err != nil && !here(r.Host) {
		http.Error(w, "this server answers loopback only", http.StatusForbidden)
		return
	}
	if r.Method == http.MethodGet && r.URL.Path == "/v1/models" {
		s.offer(w)
		return
	}
	f, ok := wireOf(r.URL.Path)
	if !ok || r.Method != http.MethodPost {
		http.NotFound(w, r)
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxRequest))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	if s.heard != nil {
		s.heard(r.URL.Path, body)
	}
	a, err := f.reads(body, r.URL.Path)
	if err != nil {
		fail(w, model.Line{Status: http.StatusBadRequest, Say: err.Error()})
		return
	}
	a.number = s.asked.Add(1)
	a.Role, a.Purpose = model.Role(r.Header.Get(model.RoleHeader)), r.Header.Get(model.PurposeHeader)
	l, err := s.script.Next(a.Question)
	if err != nil && a.Purpose == "doctor" { // nobody has written down that it was asked whether it is there
		l, err = model.Line{Say: "ready"}, nil
	}
	if err != nil {
		fail(w, model.Line{Status: http.StatusBadRequest, Say: err.Error()})
		return
	}
	s.answer(w, r, f, a, l)
}

// offer says which models there are, as OpenAI does: those that the player names, or else one.
func (s *Server) offer(w http.ResponseWriter) {
	names := []string{"played"}
	if p, ok := s.script.(interface{ Models() []string }); ok && len(p.Models()) > 0 {
		names = p.Models()
	}
	data := []object{}
	for _, name := range names {
		data = append(data, object{"id": name, "object": "model", "owned_by": "fettle"})
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(object{"object": "list", "data": data}) // a client that has gone hears nothing
}

func here(host string) bool {
	ip, err := netip.ParseAddr(strings.Trim(host, "[]"))
	return host == "localhost" || err == nil && ip.Unmap().IsLoopback()
}

func (s *Server) answer(w http.ResponseWriter, r *http.Request, f wire, a asked, l model.Line) {
	if d, err := time.ParseDuration(l.Delay); err == nil && d > 0 {
		t := time.NewTimer(d)
		defer t.Stop()
		select {
		case <-r.Context().Done():
			return
		case <-t.C:
		}
	}
	if l.Status != 0 {
		fail(w, l)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	if a.stream {
		w.Header().Set("Content-Type", "text/event-stream")
	}
	if l.Malformed != "" {
		_, _ = io.WriteString(w, l.Malformed) // a client that has gone hears nothing
		return
	}
	if l.Truncate > 0 {
		cut := &truncated{w: w, after: l.Truncate, of: l.Say}
		f.writes(cut, a, l)
		if f, ok := w.(http.Flusher); ok {
			f.Flush()
		}
		panic(http.ErrAbortHandler) // the connection ends in the middle
	}
	f.writes(w, a, l)
}

func fail(w http.ResponseWriter, l model.Line) {
	w.Header().Set("Content-Type", "application/json")
	if l.RetryAfter > 0 {
		w.Header().Set("Retry-After", strconv.FormatFloat(l.RetryAfter, 'f', -1, 64))
	}
	w.WriteHeader(l.Status)
	_, _ = w.Write(l.Failure()) // a client that has gone hears nothing
}

// id is that of an answer, as a client of this wire knows ids.
func (a asked) id(kind string) string { return kind + strconv.FormatInt(a.number, 10) }

// part is the id of a part of one.
func (a asked) part(kind string, n int) string { return fmt.Sprintf("%s%d_%d", kind, a.number, n) }

// wireOf is the format that a path asks for. Clients put what they like in front of it.
func wireOf(path string) (wire, bool) {
	switch {
	case strings.HasSuffix(path, "/v1/messages"):
		return wire{readClaude, writeClaude}, true
	case strings.HasSuffix(path, "/chat/completions"):
		return wire{readChat, writeChat}, true
	case strings.HasSuffix(path, "/responses"):
		return wire{readResponses, writeResponses}, true
	case strings.HasSuffix(path, ":generateContent"), strings.HasSuffix(path, ":streamGenerateContent"):
		return wire{readGemini, writeGemini}, true
	}
	return wire{}, false
}

type object = map[string]any

// send writes one event of a stream.
func send(w io.Writer, name string, data object) {
	text, err := json.Marshal(data)
	if err != nil {
		panic(err) // what is sent is made here
	}
	if name != "" {
		fmt.Fprintf(w, "event: %s\n", name)
	}
	fmt.Fprintf(w, "data: %s\n\n", text)
}

// put writes one document.
func put(w io.Writer, data object) {
	text, err := json.Marshal(data)
	if err != nil {
		panic(err) // what is sent is made here
	}
	_, _ = w.Write(text) // a client that has gone hears nothing
}

// truncated lets through the beginning of an answer: as much of it as there is before the given number of bytes of the text has been sent.
type truncated struct {
	w     io.Writer
	after int
	of    string
	over  bool
}

func (t *truncated) Write(p []byte) (int, error) {
	if t.over {
		return len(p), nil
	}
	quoted, err := json.Marshal(t.of)
	if err != nil {
		return 0, err
	}
	said := strings.Trim(string(quoted), `"`)
	at := strings.Index(string(p), said)
	if t.of == "" || at < 0 {
		return t.w.Write(p)
	}
	t.over = true
	if _, err := t.w.Write(p[:at+min(t.after, len(said))]); err != nil {
		return 0, err
	}
	return len(p), nil
}
