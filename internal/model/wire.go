package model

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"time"
)

// maxReply is how many bytes a provider may send for one call. The longest replies of today's models are a hundredth of it.
const maxReply = 32 << 20

// What a server on this machine is told of who asks: a script may be played there, which goes by it. Nobody else is told.
const (
	RoleHeader    = "Fettle-Role"
	PurposeHeader = "Fettle-Purpose"
)

// asks are these headers for a request to an address; none where it is another machine's.
func asks(base string, r Request) map[string]string {
	if u, err := url.Parse(base); err != nil || !loopbackHost(u.Hostname()) {
		return nil
	}
	return map[string]string{RoleHeader: string(r.Role), PurposeHeader: r.Purpose}
}

var (
	errIdle = errors.New("nothing came for too long")
	errLong = fmt.Errorf("more than %d MiB came", maxReply>>20)
	errMove = errors.New("the server wants the request sent to another address, which is not done: keys go where the configuration says")
)

// transport is how providers are reached: in one pool of connections for the process.
var transport = &http.Transport{
	Proxy:                 http.ProxyFromEnvironment,
	DialContext:           (&net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second}).DialContext,
	TLSHandshakeTimeout:   10 * time.Second,
	ExpectContinueTimeout: time.Second,
	MaxIdleConnsPerHost:   8,
	IdleConnTimeout:       30 * time.Second,
	ForceAttemptHTTP2:     true,
}

// watched lets a call end when nothing comes for too long, and when too much comes.
type watched struct {
	base http.RoundTripper
	idle time.Duration
}

func webClient(base http.RoundTripper, idle time.Duration) *http.Client {
	return &http.Client{
		Transport:     &watched{base: base, idle: idle},
		CheckRedirect: func(*http.Request, []*http.Request) error { return errMove },
	}
}

func (w *watched) RoundTrip(req *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithCancelCause(req.Context())
	timer := time.AfterFunc(w.idle, func() { cancel(errIdle) })
	resp, err := w.base.RoundTrip(req.WithContext(ctx))
	if err != nil {
		timer.Stop()
		cause := context.Cause(ctx)
		cancel(nil)
		if errors.Is(cause, errIdle) {
			return nil, errIdle
		}
		return nil, err
	}
	resp.Body = &watchedBody{ctx: ctx, body: resp.Body, cancel: cancel, timer: timer, idle: w.idle, left: maxReply}
	return resp, nil
}

type watchedBody struct {
	ctx    context.Context //nolint:containedctx // it is that of the body's own life
	body   io.ReadCloser
	cancel context.CancelCauseFunc
	timer  *time.Timer
	idle   time.Duration
	left   int64
}

func (b *watchedBody) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, errLong
	}
	n, err := b.body.Read(p[:min(int64(len(p)), b.left)])
	b.left -= int64(n)
	b.timer.Reset(b.idle)
	if err != nil && !errors.Is(err, io.EOF) && errors.Is(context.Cause(b.ctx), errIdle) {
		err = errIdle
	}
	return n, err
}

func (b *watchedBody) Close() error {
	b.timer.Stop()
	err := b.body.Close()
	b.cancel(nil)
	return err
}
