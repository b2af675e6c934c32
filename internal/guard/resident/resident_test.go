package resident_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fettle/internal/guard/hook"
	"fettle/internal/guard/resident"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// harm is a call that every policy refuses, and good one that none does.
const (
	harm = `{"session_id":"s","hook_event_name":"PreToolUse","tool_name":"Read","tool_input":{"file_path":"/home/dev/.ssh/id_rsa"},"cwd":"/home/dev/app"}`
	good = `{"session_id":"s","hook_event_name":"PreToolUse","tool_name":"Read","tool_input":{"file_path":"/home/dev/app/a.go"},"cwd":"/home/dev/app"}`
)

// serve starts a guard on a free port. It is gone when the test ends, and ended is what its end was.
func serve(t *testing.T, s resident.Server) (post resident.Post, ended func() error) {
	t.Helper()
	on, err := net.Listen("tcp", "127.0.0.1:0")
	check(t, err)
	s.Post, err = resident.NewPost(on.Addr().String(), os.Getenv)
	check(t, err)
	s.Version = "v1"
	if s.Judge == nil {
		home := t.TempDir()
		s.Judge = func(event []byte, _ string, grace func(time.Duration)) ([]byte, error) {
			h := hook.Hook{Resident: true, Grace: grace, Getenv: func(name string) string { return map[string]string{"HOME": home}[name] }}
			return h.Answer(event)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	end := make(chan error, 1)
	go func() { end <- s.Serve(ctx, on) }()
	ended = func() error {
		err := <-end
		end <- err
		return err
	}
	t.Cleanup(func() {
		cancel()
		check(t, ended())
		http.DefaultClient.CloseIdleConnections()
	})
	return s.Post, ended
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// tell sends an event as a client does.
func tell(t *testing.T, post resident.Post, event string, change func(*http.Request)) (int, string) {
	t.Helper()
	req, err := http.NewRequest(http.MethodPost, post.URL(), strings.NewReader(event))
	check(t, err)
	req.Header.Set("Authorization", "Bearer "+post.Token)
	req.Header.Set("Content-Type", "application/json")
	if change != nil {
		change(req)
	}
	resp, err := http.DefaultClient.Do(req)
	check(t, err)
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	check(t, err)
	return resp.StatusCode, string(body)
}

func TestAnswers(t *testing.T) {
	post, _ := serve(t, resident.Server{})
	if code, said := tell(t, post, harm, nil); code != 200 || !strings.Contains(said, `"permissionDecision":"deny"`) {
		t.Errorf("a harmful call: %d %s", code, said)
	}
	if code, said := tell(t, post, good, nil); code != 200 || said != "" {
		t.Errorf("an ordinary call: %d %s", code, said)
	}
	// What cannot be judged is a success that refuses: any other status would let the call through.
	for name, event := range map[string]string{"cut": `{"session_id":"s","hook_ev`, "empty": ``, "no session": `{"hook_event_name":"PreToolUse"}`, "no event": `{"session_id":"s"}`} {
		if code, said := tell(t, post, event, nil); code != 200 || !strings.Contains(said, `"decision":"block"`) || !strings.Contains(said, "cannot judge") {
			t.Errorf("%s: %d %s", name, code, said)
		}
	}
}

// TestForeign are events that only the hook's program may be told: somebody who has read the token could speak for the person with them.
func TestForeign(t *testing.T) {
	post, _ := serve(t, resident.Server{Judge: func([]byte, string, func(time.Duration)) ([]byte, error) {
		t.Error("it was judged")
		return nil, nil
	}})
	for _, name := range []string{"SessionStart", "UserPromptSubmit", "Stop", "SubagentStop", "SessionEnd"} {
		code, said := tell(t, post, `{"session_id":"s","hook_event_name":"`+name+`","prompt":"/guard off"}`, nil)
		if code != 200 || !strings.Contains(said, `"decision":"block"`) || !strings.Contains(said, "hook's program") {
			t.Errorf("%s: %d %s", name, code, said)
		}
	}
}

// TestPorts are addresses at which a guard may be, and others.
func TestPorts(t *testing.T) {
	for listen, right := range map[string]bool{"127.0.0.1:21737": true, "[::1]:1": true, "127.0.0.1:http": false, "127.0.0.1:0": false, "127.0.0.1:65536": false, "0.0.0.0:80": false, "127.0.0.1": false} {
		if _, err := resident.NewPost(listen, os.Getenv); (err == nil) != right {
			t.Errorf("%s: %v", listen, err)
		}
	}
}

// TestStrangers are requests of others than the client: a page in a browser, another user.
func TestStrangers(t *testing.T) {
	post, _ := serve(t, resident.Server{Judge: func([]byte, string, func(time.Duration)) ([]byte, error) {
		t.Error("it was judged")
		return nil, nil
	}})
	for name, c := range map[string]struct {
		want   int
		change func(*http.Request)
	}{
		"no token":       {401, func(r *http.Request) { r.Header.Del("Authorization") }},
		"another token":  {401, func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+strings.Repeat("0", 64)) }},
		"an empty token": {401, func(r *http.Request) { r.Header.Set("Authorization", "Bearer ") }},
		"another name":   {403, func(r *http.Request) { r.Host = "evil.example:80" }},
		"rebound":        {403, func(r *http.Request) { r.Host = "evil.example:" + port(post) }},
		"another method": {405, func(r *http.Request) { r.Method = http.MethodPut }},
		"another path":   {404, func(r *http.Request) { r.URL.Path = "/v2/hook" }},
	} {
		if code, said := tell(t, post, good, c.change); code != c.want {
			t.Errorf("%s: %d %s", name, code, said)
		}
	}
}

func port(p resident.Post) string {
	_, port, _ := net.SplitHostPort(p.Listen)
	return port
}

// TestLate is a judgement that does not come: the client is told in time, and the others are answered.
func TestLate(t *testing.T) {
	held := make(chan struct{})
	t.Cleanup(func() { close(held) })
	post, _ := serve(t, resident.Server{Wall: 300 * time.Millisecond, Judge: func(event []byte, _ string, _ func(time.Duration)) ([]byte, error) {
		if string(event) == "slow" {
			<-held
		}
		return []byte("quick"), nil
	}})
	if code, said := tell(t, post, "slow", nil); code != 200 || !strings.Contains(said, `"decision":"block"`) || !strings.Contains(said, "more than 300ms") {
		t.Errorf("%d %s", code, said)
	}
	if code, said := tell(t, post, "other", nil); code != 200 || said != "quick" {
		t.Errorf("%d %s", code, said)
	}
}

// TestGrace is a judgement that waits for a validator, and says so.
func TestGrace(t *testing.T) {
	heard := make(chan string, 1)
	post, _ := serve(t, resident.Server{Wall: 200 * time.Millisecond, Judge: func(_ []byte, validating string, grace func(time.Duration)) ([]byte, error) {
		heard <- validating
		grace(time.Minute)
		<-time.After(400 * time.Millisecond)
		return []byte("in time"), nil
	}})
	if code, said := tell(t, post, good, func(r *http.Request) { r.Header.Set(hook.ValidatingHeader, "1") }); code != 200 || said != "in time" {
		t.Errorf("%d %s", code, said)
	}
	if v := <-heard; v != "1" {
		t.Errorf("a validator's own call is told as %q", v)
	}
}

func TestCrash(t *testing.T) {
	post, _ := serve(t, resident.Server{Judge: func(event []byte, _ string, _ func(time.Duration)) ([]byte, error) {
		if string(event) == "bad" {
			panic("no such thing")
		}
		return nil, errors.New("the state cannot be kept")
	}})
	for event, want := range map[string]string{"bad": "it crashed: no such thing", "other": "the state cannot be kept"} {
		if code, said := tell(t, post, event, nil); code != 200 || !strings.Contains(said, `"decision":"block"`) || !strings.Contains(said, want) {
			t.Errorf("%d %s", code, said)
		}
	}
}

func TestAliveAndStop(t *testing.T) {
	post, ended := serve(t, resident.Server{})
	ctx := t.Context()
	if v, err := post.Prove(ctx); err != nil || v != "v1" {
		t.Errorf("%q %v", v, err)
	}
	other := post
	other.Token = strings.Repeat("1", 64)
	if _, err := other.Alive(ctx); err == nil || !strings.Contains(err.Error(), "is not the guard") {
		t.Errorf("a guard of another token is taken for ours: %v", err)
	}
	if err := other.Stop(ctx); err == nil {
		t.Error("whoever asks can stop it")
	}
	check(t, post.Stop(ctx))
	check(t, ended())
	if _, err := post.Alive(ctx); err == nil || !strings.Contains(err.Error(), "nobody answers on "+post.Listen) {
		t.Errorf("it is still there: %v", err)
	}
}

// TestImpostor is another program on the guard's port: it is found out, and is not shown the token.
func TestImpostor(t *testing.T) {
	on, err := net.Listen("tcp", "127.0.0.1:0")
	check(t, err)
	shown := make(chan string, 8)
	srv := &http.Server{Handler: http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { shown <- r.Header.Get("Authorization") })}
	done := make(chan error, 1)
	go func() { done <- srv.Serve(on) }()
	t.Cleanup(func() {
		check(t, srv.Close())
		<-done
	})
	post, err := resident.NewPost(on.Addr().String(), os.Getenv)
	check(t, err)
	if _, err := post.Prove(t.Context()); err == nil || !strings.Contains(err.Error(), "is not the guard") {
		t.Error(err)
	}
	if token := <-shown; token != "" {
		t.Errorf("it was shown %q", token)
	}
}

func TestPost(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "guard")
	if _, err := resident.Read(dir); !errors.Is(err, resident.ErrNone) {
		t.Error(err)
	}
	post, err := resident.NewPost(resident.DefaultListen, os.Getenv)
	check(t, err)
	check(t, post.Write(dir))
	if again, err := resident.Read(dir); err != nil || again != post {
		t.Errorf("%+v %v", again, err)
	}
	check(t, resident.Forget(dir))
	check(t, resident.Forget(dir))
	for _, listen := range []string{"", "21737", "0.0.0.0:21737", "example.com:80", "127.0.0.1:0", "127.0.0.1:port", "127.0.0.1:70000", "192.168.1.5:80"} {
		if _, err := resident.NewPost(listen, os.Getenv); err == nil {
			t.Errorf("%q is taken for an address of this machine alone", listen)
		}
	}
}

// BenchmarkAnswer is a call from a client's request to its answer.
func BenchmarkAnswer(b *testing.B) {
	on, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	home := b.TempDir()
	post, err := resident.NewPost(on.Addr().String(), os.Getenv)
	if err != nil {
		b.Fatal(err)
	}
	s := resident.Server{Post: post, Judge: func(event []byte, _ string, grace func(time.Duration)) ([]byte, error) {
		h := hook.Hook{Resident: true, Grace: grace, Getenv: func(name string) string { return map[string]string{"HOME": home}[name] }}
		return h.Answer(event)
	}}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.Serve(ctx, on) }()
	defer func() { cancel(); <-done; http.DefaultClient.CloseIdleConnections() }()
	for b.Loop() {
		req, _ := http.NewRequest(http.MethodPost, post.URL(), strings.NewReader(good))
		req.Header.Set("Authorization", "Bearer "+post.Token)
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			b.Fatal(err)
		}
		_, _ = io.Copy(io.Discard, resp.Body)
		if err := resp.Body.Close(); err != nil || resp.StatusCode != 200 {
			b.Fatal(fmt.Errorf("%s %w", resp.Status, err))
		}
	}
}
