package resident

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"fettle/internal/guard/hook"
)

// Post is where the guard is found.
type Post struct {
	Listen string `json:"listen"` // host:port, on loopback
	Token  string `json:"token"`  // what a client shows
	Home   string `json:"home"`   // of whoever installed it: a session that starts the guard has an environment of its project's, too
	Config string `json:"config"` // XDG_CONFIG_HOME, likewise

	Settings string `json:"settings"` // the client's, in which the token stands, too
}

// DefaultListen is the address where nothing else is said.
const DefaultListen = "127.0.0.1:21737"

const (
	nonceSize = 16 // bytes
	tokenSize = 32
)

// ErrNone is a guard that was never told to be resident.
var ErrNone = errors.New("the guard is not installed as a resident one: fettle guard install --http")

// NewPost is a post at an address, with a token of its own, for the user whose environment this is.
func NewPost(listen string, getenv func(string) string) (Post, error) {
	p := Post{Listen: listen, Token: random(tokenSize), Home: getenv("HOME"), Config: getenv("XDG_CONFIG_HOME")}
	return p, p.valid()
}

func (p Post) valid() error {
	host, port, err := net.SplitHostPort(p.Listen)
	if err != nil {
		return fmt.Errorf("%s is no address: %w", p.Listen, err)
	}
	if !loopback(host) {
		return fmt.Errorf("%s is not on loopback: the guard listens to this machine alone, for example on %s", p.Listen, DefaultListen)
	}
	// A number: what a port's name stands for is said by files that differ from machine to machine.
	if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 {
		return fmt.Errorf("%s names no port that a client could know", p.Listen)
	}
	if len(p.Token) < tokenSize {
		return errors.New("its token is too short")
	}
	return nil
}

// URL is where events are sent.
func (p Post) URL() string { return p.url(HookPath) }

func (p Post) url(path string) string {
	return (&url.URL{Scheme: "http", Host: p.Listen, Path: path}).String()
}

// Read is the post that was written in the guard's folder; ErrNone if none was.
func Read(dir string) (Post, error) {
	data, err := os.ReadFile(filepath.Join(dir, hook.PostFile))
	if errors.Is(err, fs.ErrNotExist) {
		return Post{}, ErrNone
	}
	var p Post
	if err == nil {
		err = json.Unmarshal(data, &p)
	}
	if err == nil {
		err = p.valid()
	}
	if err != nil {
		return p, fmt.Errorf("where the resident guard is cannot be read: %w; install it again: fettle guard install --http", err)
	}
	return p, nil
}

// Write keeps the post in the guard's folder, for this user alone to read.
func (p Post) Write(dir string) error {
	data, err := json.Marshal(p)
	if err != nil {
		return err
	}
	return hook.Keep(dir, hook.PostFile, append(data, '\n'))
}

// Forget removes the post from the guard's folder.
func Forget(dir string) error {
	err := os.Remove(filepath.Join(dir, hook.PostFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// Alive asks whether the guard is at the post, and which version it is of. Who answers without knowing the token is not the guard: the token is not shown
// to it.
func (p Post) Alive(ctx context.Context) (version string, err error) {
	nonce := random(nonceSize)
	a, err := p.do(ctx, http.MethodGet, alivePath, http.Header{nonceHeader: {nonce}}, nil)
	if err != nil {
		return "", err
	}
	version = a.header.Get(versionHeader)
	if !hmac.Equal([]byte(a.header.Get(proofHeader)), []byte(p.proof(nonce, version))) {
		return "", fmt.Errorf("who listens on %s is not the guard: find out who it is, or install the guard with another --listen", p.Listen)
	}
	return version, nil
}

// Prove sends a call that every policy refuses, and looks whether it is refused.
func (p Post) Prove(ctx context.Context) (version string, err error) {
	if version, err = p.Alive(ctx); err != nil {
		return "", err
	}
	a, err := p.do(ctx, http.MethodPost, HookPath, p.shown(), []byte(hook.CanaryEvent))
	switch {
	case err != nil:
		return version, err
	case a.code != http.StatusOK || !bytes.Contains(a.said, []byte(`"permissionDecision":"deny"`)):
		return version, fmt.Errorf("the canary was not refused: status %d, %.200q", a.code, a.said)
	}
	return version, nil
}

// Stop ends the guard at the post, and waits until it is gone.
func (p Post) Stop(ctx context.Context) error {
	if _, err := p.Alive(ctx); err != nil {
		return err
	}
	a, err := p.do(ctx, http.MethodPost, stopPath, p.shown(), nil)
	if err == nil && a.code != http.StatusNoContent {
		err = fmt.Errorf("status %d: %.200s", a.code, a.said)
	}
	for err == nil {
		if _, gone := p.Alive(ctx); gone != nil {
			return ctx.Err()
		}
		err = pause(ctx)
	}
	return err
}

// Await waits until a guard answers that refuses what it must.
func (p Post) Await(ctx context.Context) (version string, err error) {
	for {
		if version, err = p.Prove(ctx); err == nil {
			return version, nil
		}
		if ended := pause(ctx); ended != nil {
			return "", err
		}
	}
}

// pause lets another process go on.
func pause(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(10 * time.Millisecond):
		return nil
	}
}

func (p Post) shown() http.Header { return http.Header{"Authorization": {"Bearer " + p.Token}} }

// plainly speaks to loopback: no proxy, no redirection, no connection kept.
var plainly = &http.Client{
	Transport:     &http.Transport{DisableKeepAlives: true, MaxResponseHeaderBytes: 16 << 10},
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
}

// answer is what was said to a request.
type answer struct {
	code   int
	header http.Header
	said   []byte // the beginning
}

// do makes one request.
func (p Post) do(ctx context.Context, method, path string, header http.Header, body []byte) (a answer, err error) {
	req, err := http.NewRequestWithContext(ctx, method, p.url(path), bytes.NewReader(body))
	if err != nil {
		return a, err
	}
	req.Header = header
	resp, err := plainly.Do(req)
	if err != nil {
		var why *url.Error
		if errors.As(err, &why) {
			err = why.Err // its own words name the address once more
		}
		return a, fmt.Errorf("nobody answers on %s: %w", p.Listen, err)
	}
	defer resp.Body.Close()
	a = answer{code: resp.StatusCode, header: resp.Header}
	a.said, err = io.ReadAll(io.LimitReader(resp.Body, 64<<10))
	return a, err
}

// random is a text that nobody can guess.
func random(size int) string {
	b := make([]byte, size)
	_, _ = rand.Read(b) // it never fails
	return hex.EncodeToString(b)
}
