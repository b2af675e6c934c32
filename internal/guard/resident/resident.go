// Package resident answers "what does the client hear?" for a client that asks over HTTP: the guard as a process that stays, on this machine's loopback,
// so that a tool call costs a request instead of a process.
//
//	POST /v1/hook   an event; the answer is the one that the hook's program would have written
//	GET  /v1/alive  proves that the guard is here, to whoever knows the token
//	POST /v1/stop   ends it
//
// The events of tool calls come here. Those that begin a session or a turn still go to the hook's program, whose environment says who the client is.
//
// It fails closed as far as HTTP lets it: a client takes a status that is no success, or no answer, as "no opinion", unless its settings say
// "onFailure": "block". So an event of the client's that the guard cannot judge is answered with success and a refusal (a stranger, who does not know the token, with an error); and the guard is installed in this way only
// for clients that know that setting. What it cannot know is who else might take its port when it is gone: see docs/guard.md.
package resident

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"

	"fettle/internal/guard/hook"
	"fettle/internal/policy/secret"
)

// Paths of the guard's address.
const (
	HookPath  = "/v1/hook"
	alivePath = "/v1/alive"
	stopPath  = "/v1/stop"
)

// Events are what a client sends over HTTP: those of tool calls.
var Events = []string{"PreToolUse", "PostToolUse", "PostToolUseFailure"}

// Headers that are the guard's own.
const (
	nonceHeader   = "Fettle-Guard-Nonce"
	proofHeader   = "Fettle-Guard-Proof"
	versionHeader = "Fettle-Guard-Version"
)

// Limits of one event. Beyond them the guard refuses, as the hook's program does.
const (
	maxRead   = 8 * time.Second // until the whole event has come
	maxWall   = time.Second
	maxLost   = 10 * time.Second // how long a judgement may go on after it was refused for being late: then something is wrong with the process
	maxEnding = 2 * time.Second
)

// Server is the guard as a process that stays.
type Server struct {
	Post    Post
	Version string
	Judge   func(event []byte, validating string, grace func(time.Duration)) ([]byte, error) // the answer to one event
	Wall    time.Duration                                                                    // how long an answer may take; 0: one second
}

// Serve answers until the context ends, until it is told to stop, or until a judgement does not come to an end.
func (s *Server) Serve(ctx context.Context, on net.Listener) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	srv := &http.Server{Handler: s.handler(stop), ReadHeaderTimeout: maxRead, ReadTimeout: maxRead, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 16 << 10}
	failed := make(chan error, 1)
	go func() { failed <- srv.Serve(on) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), maxEnding)
	defer cancel()
	err := srv.Shutdown(ending)
	if errors.Is(err, context.DeadlineExceeded) {
		err = srv.Close()
	}
	if served := <-failed; !errors.Is(served, http.ErrServerClosed) {
		err = errors.Join(err, served)
	}
	if cause := context.Cause(ctx); !errors.Is(cause, errStopped) && !errors.Is(cause, context.Canceled) {
		err = errors.Join(cause, err)
	}
	return err
}

// errStopped is the end that somebody asked for.
var errStopped = errors.New("it was told to stop")

func (s *Server) handler(stop context.CancelCauseFunc) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST "+HookPath, s.known(func(w http.ResponseWriter, r *http.Request) { s.hook(w, r, stop) }))
	mux.HandleFunc("POST "+stopPath, s.known(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusNoContent)
		stop(errStopped)
	}))
	mux.HandleFunc("GET "+alivePath, func(w http.ResponseWriter, r *http.Request) {
		nonce := r.Header.Get(nonceHeader)
		if len(nonce) < 2*nonceSize {
			http.Error(w, "fettle guard: a nonce is needed", http.StatusBadRequest)
			return
		}
		w.Header().Set(proofHeader, s.Post.proof(nonce, s.Version))
		w.Header().Set(versionHeader, s.Version)
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// A page in a browser can be made to send requests here under a name of its own. It may not.
		if host, _, err := net.SplitHostPort(r.Host); err != nil || host != "localhost" && !loopback(host) {
			http.Error(w, "fettle guard answers on loopback alone", http.StatusForbidden)
			return
		}
		mux.ServeHTTP(w, r)
	})
}

// known lets only those through who know the token.
func (s *Server) known(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		token, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		if subtle.ConstantTimeCompare([]byte(token), []byte(s.Post.Token)) != 1 {
			http.Error(w, "fettle guard: the token is another one; install the guard again", http.StatusUnauthorized)
			return
		}
		next(w, r)
	}
}

// hook answers one event.
func (s *Server) hook(w http.ResponseWriter, r *http.Request, stop context.CancelCauseFunc) {
	event, err := hook.ReadEvent(r.Body)
	var answer []byte
	if err == nil {
		err = comes(event)
	}
	if err == nil {
		answer, err = s.within(event, r.Header.Get(hook.ValidatingHeader), stop)
	}
	if err != nil {
		answer = refusal(err)
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(answer) // a client that has gone hears nothing, and has gone without the call
}

// comes reports why an event is none that a client sends here. The others, which begin and end a turn and say who is there, go to the hook's program: who
// sends one here has found the token, and pretends.
func comes(event []byte) error {
	var e struct {
		Name string `json:"hook_event_name"`
	}
	if err := json.Unmarshal(event, &e); err != nil || e.Name == "" {
		return nil //nolint:nilerr // the judge tells what is wrong with it
	}
	if !slices.Contains(Events, e.Name) {
		return fmt.Errorf("%s is for the hook's program, not for the resident guard", e.Name)
	}
	return nil
}

// within is the answer, if it comes in time.
func (s *Server) within(event []byte, validating string, stop context.CancelCauseFunc) ([]byte, error) {
	type said struct {
		answer []byte
		err    error
	}
	heard, more := make(chan said, 1), make(chan time.Duration, 4)
	go func() {
		var it said
		defer func() {
			if p := recover(); p != nil {
				it.err = fmt.Errorf("it crashed: %v", p)
			}
			heard <- it
		}()
		it.answer, it.err = s.Judge(event, validating, func(d time.Duration) {
			select {
			case more <- d:
			default: // nobody waits any more
			}
		})
	}()
	wall := s.Wall
	if wall == 0 {
		wall = maxWall
	}
	wall *= time.Duration(1 + len(event)>>20)
	late := time.NewTimer(wall)
	defer late.Stop()
	began := time.Now()
	for {
		select {
		case it := <-heard:
			return it.answer, it.err
		case d := <-more:
			wall += d
			late.Reset(time.Until(began.Add(wall)))
		case <-late.C:
			go func() {
				select {
				case <-heard:
				case <-time.After(maxLost):
					stop(fmt.Errorf("a judgement that was refused for being late went on for %v: the process is ended", maxLost))
				}
			}()
			return nil, fmt.Errorf("judging this took more than %v: try once more, the machine may be busy", wall.Round(time.Millisecond))
		}
	}
}

// refusal is an answer that every event takes as one.
func refusal(err error) []byte {
	data, _ := json.Marshal(map[string]string{ // two texts: it cannot fail
		"decision": "block",
		"reason":   secret.New(os.Environ()).RedactString(hook.Refusal(err)),
	})
	return append(data, '\n')
}

// proof is what only one who knows the token can say of a nonce.
func (p Post) proof(nonce, version string) string {
	mac := hmac.New(sha256.New, []byte(p.Token))
	mac.Write([]byte(nonce + "\n" + version))
	return hex.EncodeToString(mac.Sum(nil))
}

// loopback reports an address of this machine alone.
func loopback(host string) bool {
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}
