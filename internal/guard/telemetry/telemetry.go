// Package telemetry sends what the guard has decided to an endpoint of the person's own choice, as OTLP logs over HTTP in JSON.
//
//	the hook → the decision log → Sender: from the cursor on, redacted, in batches → POST …/v1/logs → accepted? the cursor moves
//
// The log that the guard keeps anyway is the queue. The hook itself speaks to no network: it starts the sender, which goes on beside the work. What is
// sent are words of fixed vocabularies, numbers, and hashes; no command, no text, no path (docs/telemetry.md has every field). A decision is sent at
// least once: its id tells a repetition. What waits is bounded, and what is dropped is counted, sent as a record of its own, and shown.
//
// It is off until the person's own policy names an endpoint, and only what was decided while it was on is ever sent.
package telemetry

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/textproto"
	"net/url"
	"slices"
	"strings"
)

// Setting says where to send to.
type Setting struct {
	Endpoint    string            // the collector's base URL, as OTEL_EXPORTER_OTLP_ENDPOINT has it, or its whole URL for logs
	Headers     map[string]string // sent with every request
	Unencrypted string            // the host that may be spoken to without TLS; loopback may always
}

// ours are headers that a setting may not name.
var ours = []string{"Content-Type", "Content-Length", "Content-Encoding", "Host", "Transfer-Encoding", "Connection", "User-Agent"}

// logs is the path of OTLP's logs below a base URL.
const logs = "/v1/logs"

// URL is where logs are posted to, or the first thing in the setting that cannot be used.
func (s *Setting) URL() (string, error) {
	u, err := url.Parse(s.Endpoint)
	switch {
	case err != nil:
		return "", errors.New("the endpoint is no URL") // the error would quote it, and with it what may be a password
	case u.Scheme != "https" && u.Scheme != "http" || u.Hostname() == "":
		return "", errors.New("the endpoint is a URL like https://collector.example:4318")
	case u.User != nil:
		return "", errors.New("the endpoint holds no name or password: headers are the place for them")
	case u.RawQuery != "" || u.Fragment != "":
		return "", errors.New("the endpoint ends with its path: it has no ? and no #")
	case u.Scheme == "http" && !loopback(u.Hostname()) && s.Unencrypted != u.Hostname():
		return "", fmt.Errorf("http is readable on the way: use https, or allow it by name with `unencrypted: %s`", u.Hostname())
	}
	for name, value := range s.Headers {
		if err := usable(name, value); err != nil {
			return "", err
		}
	}
	if u.Path = strings.TrimRight(u.Path, "/"); !strings.HasSuffix(u.Path, logs) {
		u.Path += logs
	}
	return u.String(), nil
}

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// usable reports a header that cannot be sent. Its value is not told: it is often a key.
func usable(name, value string) error {
	if name == "" || strings.ContainsFunc(name, func(r rune) bool { return r <= ' ' || r >= 0x7f || strings.ContainsRune("()<>@,;:\\\"/[]?={}", r) }) {
		return fmt.Errorf("%q is no name of a header", name)
	}
	if slices.Contains(ours, textproto.CanonicalMIMEHeaderKey(name)) {
		return fmt.Errorf("the header %s is not yours to set", name)
	}
	if strings.ContainsFunc(value, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }) {
		return fmt.Errorf("the value of the header %s has characters that cannot be sent", name)
	}
	return nil
}

// header are the headers of a request.
func (s *Setting) header() http.Header {
	h := http.Header{"Content-Type": {"application/json"}, "User-Agent": {"fettle-guard"}}
	for name, value := range s.Headers {
		h.Set(name, value)
	}
	return h
}
