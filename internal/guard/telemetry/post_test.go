package telemetry_test

import (
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fettle/internal/guard/hook"
	"fettle/internal/guard/telemetry"
)

// TestAnswers are endpoints of every temper: what is not accepted waits, and nothing is lost without being counted.
func TestAnswers(t *testing.T) {
	hang := func(w http.ResponseWriter, r *http.Request) {
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	}
	half := func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "1000")
		_, _ = io.WriteString(w, `{"partial`)
	}
	slam := func(w http.ResponseWriter, _ *http.Request) {
		c, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		_ = c.(*net.TCPConn).SetLinger(0)
		c.Close()
	}
	for name, c := range map[string]struct {
		script    []http.HandlerFunc
		requests  int
		sent, bad int64
		fails     string
		rests     time.Duration // at least
	}{
		"accepted":              {script: []http.HandlerFunc{accepts}, requests: 1, sent: 1},
		"accepted, no body":     {script: []http.HandlerFunc{answers(200, "")}, requests: 1, sent: 1},
		"busy, then not":        {script: []http.HandlerFunc{answers(503, ""), accepts}, requests: 2, sent: 1},
		"too many, then not":    {script: []http.HandlerFunc{answers(429, "", "Retry-After", "7"), accepts}, requests: 2, sent: 1},
		"wait long":             {script: []http.HandlerFunc{answers(429, "", "Retry-After", "600")}, requests: 1, fails: "429 Too Many Requests", rests: 10 * time.Minute},
		"wait till a time":      {script: []http.HandlerFunc{answers(503, "", "Retry-After", "Fri, 01 May 2026 12:05:00 GMT")}, requests: 1, fails: "503", rests: 5 * time.Minute},
		"wait for ever":         {script: []http.HandlerFunc{answers(429, "", "Retry-After", "2000000000")}, requests: 1, fails: "429", rests: 30 * time.Minute},
		"nonsense to wait":      {script: []http.HandlerFunc{answers(503, "", "Retry-After", "soon")}, requests: 3, fails: "503", rests: 30 * time.Second},
		"always busy":           {script: []http.HandlerFunc{answers(503, "")}, requests: 3, fails: "503 Service Unavailable", rests: 30 * time.Second},
		"hangs, then not":       {script: []http.HandlerFunc{hang, accepts}, requests: 2, sent: 1},
		"slams, then not":       {script: []http.HandlerFunc{slam, slam, accepts}, requests: 3, sent: 1},
		"half an answer":        {script: []http.HandlerFunc{half, accepts}, requests: 2, sent: 1},
		"garbage":               {script: []http.HandlerFunc{answers(200, "<html>sign in</html>")}, requests: 1, fails: "is it the right one?", rests: 30 * time.Second},
		"not allowed":           {script: []http.HandlerFunc{answers(401, "")}, requests: 1, fails: "401 Unauthorized", rests: 30 * time.Second},
		"leads elsewhere":       {script: []http.HandlerFunc{answers(307, "", "Location", "https://elsewhere.invalid/")}, requests: 1, fails: "307", rests: 30 * time.Second},
		"bad for good":          {script: []http.HandlerFunc{answers(400, "")}, requests: 1, bad: 1},
		"rejected":              {script: []http.HandlerFunc{answers(200, `{"partialSuccess":{"rejectedLogRecords":"1","errorMessage":"too old\u001b[2J"}}`)}, requests: 1, bad: 1},
		"rejects more than all": {script: []http.HandlerFunc{answers(200, `{"partialSuccess":{"rejectedLogRecords":"99"},"new":1}`)}, requests: 1, bad: 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := newEndpoint(t, c.script...)
			y := newYard(t, e.url)
			patience := time.Minute
			if strings.HasPrefix(name, "hangs") {
				patience = 300 * time.Millisecond
			}
			own := new(http.Transport) // as the end of any test server closes the connections of the default one
			t.Cleanup(own.CloseIdleConnections)
			y.Client = &http.Client{Transport: own, Timeout: patience, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
			y.decisions("2026-05-01", "A")
			n, why := y.send()
			s := y.status()
			if n != c.sent || len(e.bodies) != c.requests || s.Rejected != c.bad || c.fails == "" != (why == "") || !strings.Contains(why, c.fails) {
				t.Fatalf("sent %d, %d requests, %q: %+v", n, len(e.bodies), why, s)
			}
			if waits := c.fails != ""; waits != (s.Waiting == 1) || waits != (s.LastError == why && why != "") || strings.Contains(s.LastError, "\x1b") {
				t.Errorf("%+v", s)
			}
			if rests := s.NotBefore.Sub(y.now); c.rests > 0 && (rests < c.rests || rests > hook.MaxReportPause) {
				t.Errorf("it rests for %v, want at least %v", rests, c.rests)
			}
			for i, body := range e.bodies {
				if string(body) != string(e.bodies[0]) {
					t.Errorf("try %d sends something else", i)
				}
			}
		})
	}
}

// TestNobodyThere is an endpoint that is down, for longer and longer, and comes back.
func TestNobodyThere(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	url := "http://" + l.Addr().String()
	l.Close()
	y := newYard(t, url)
	y.decisions("2026-05-01", "A")
	var last time.Duration
	for range 12 {
		if _, why := y.send(); !strings.Contains(why, "cannot be reached") || !strings.Contains(why, "refused") {
			t.Fatal(why)
		}
		rest := y.status().NotBefore.Sub(y.now)
		if rest < last || rest > 30*time.Minute {
			t.Errorf("after %v it rests for %v", last, rest)
		}
		last = rest
	}
	e := newEndpoint(t, accepts)
	y.Setting.Endpoint = e.url
	if n, why := y.send(); n != 1 || why != "" || !y.status().NotBefore.IsZero() {
		t.Errorf("%d %s", n, why)
	}
}

// TestKilled is a sender that ended between the endpoint's answer and its own note of it: the batch comes once more, and its records say that they are the same.
func TestKilled(t *testing.T) {
	e := newEndpoint(t, accepts)
	y := newYard(t, e.url)
	y.decisions("2026-05-01", "A", "B")
	if _, why := y.send(); why != "" {
		t.Fatal(why)
	}
	if err := os.Remove(filepath.Join(hook.ReportFolder(y.Dir), "cursor.json")); err != nil {
		t.Fatal(err)
	}
	y.decisions("2026-05-01", "C")
	if _, why := y.send(); why != "" {
		t.Fatal(why)
	}
	seen := map[any]int{}
	for _, body := range e.bodies {
		for _, r := range records(t, body) {
			seen[attributes(r)["fettle.record.id"]]++
		}
	}
	if len(seen) != 3 || e.tools() != "A B A B C" {
		t.Errorf("%v: %s", seen, e.tools())
	}
}

// TestTwo are two senders at once: one works, the other says so and goes.
func TestTwo(t *testing.T) {
	inside, leave := make(chan bool), make(chan bool)
	e := newEndpoint(t, func(w http.ResponseWriter, r *http.Request) {
		inside <- true
		<-leave
		accepts(w, r)
	})
	y := newYard(t, e.url)
	y.decisions("2026-05-01", "A")
	done := make(chan error)
	go func() {
		_, err := y.Send(t.Context())
		done <- err
	}()
	<-inside
	other := *y.Sender
	if _, err := other.Send(t.Context()); !errors.Is(err, telemetry.ErrBusy) {
		t.Error(err)
	}
	y.decisions("2026-05-01", "B") // comes while the first is at work, and goes with it
	leave <- true
	<-inside
	leave <- true
	if err := <-done; err != nil || e.tools() != "A B" {
		t.Error(err, e.tools())
	}
}
