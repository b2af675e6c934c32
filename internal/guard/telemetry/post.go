package telemetry

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	collector "go.opentelemetry.io/proto/slim/otlp/collector/logs/v1"
	"google.golang.org/protobuf/encoding/protojson"
)

// The bounds of one request's answer.
const (
	postFor   = 10 * time.Second
	maxAnswer = 64 << 10
	maxTold   = 200 // bytes of what an endpoint says about an error
)

// refusal is an endpoint's answer that is not the one hoped for.
type refusal struct {
	text  string
	later bool          // it may go well the next time
	bad   bool          // these records will never be accepted
	after time.Duration // how long the endpoint wants to be left alone; zero: it does not say
}

func (r *refusal) Error() string { return r.text }

// client speaks to the endpoint alone: no proxy, as the environment that names one is not the person's alone; no redirect, as it would lead elsewhere;
// and no second connection.
func client() *http.Client {
	return &http.Client{
		Timeout:       postFor,
		Transport:     &http.Transport{Proxy: nil, TLSHandshakeTimeout: postFor / 2, MaxConnsPerHost: 1, MaxResponseHeaderBytes: maxAnswer, ForceAttemptHTTP2: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// post sends one batch, and returns how many of its records the endpoint would not have. Without an error, the others are the endpoint's.
func post(ctx context.Context, c *http.Client, to string, header http.Header, body []byte, now time.Time) (rejected int64, said string, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, to, bytes.NewReader(body))
	if err != nil {
		return 0, "", err
	}
	req.Header = header
	resp, err := c.Do(req)
	if err != nil {
		return 0, "", &refusal{text: reachFailure(err), later: true}
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer))
	if resp.StatusCode/100 != 2 {
		return 0, "", refused(resp, now)
	}
	if err != nil {
		return 0, "", &refusal{text: "the endpoint's answer broke off", later: true}
	}
	var answer collector.ExportLogsServiceResponse
	if len(bytes.TrimSpace(data)) > 0 {
		if err := (protojson.UnmarshalOptions{DiscardUnknown: true}).Unmarshal(data, &answer); err != nil {
			return 0, "", &refusal{text: "the endpoint answers with something that is not OTLP: is it the right one?"}
		}
	}
	return max(answer.GetPartialSuccess().GetRejectedLogRecords(), 0), plain(answer.GetPartialSuccess().GetErrorMessage()), nil
}

// refused says what an answer's status means for what was sent.
func refused(resp *http.Response, now time.Time) *refusal {
	r := &refusal{text: fmt.Sprintf("the endpoint answers %d %s", resp.StatusCode, http.StatusText(resp.StatusCode))}
	switch resp.StatusCode {
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		r.later = true
		r.after = retryAfter(resp.Header.Get("Retry-After"), now)
	case http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnprocessableEntity:
		r.bad = true
	}
	return r
}

// retryAfter reads the header of that name: seconds, or a time.
func retryAfter(value string, now time.Time) time.Duration {
	if n, err := strconv.ParseInt(value, 10, 32); err == nil {
		return time.Duration(max(n, 0)) * time.Second
	}
	if at, err := http.ParseTime(value); err == nil {
		return max(at.Sub(now), 0)
	}
	return 0
}

// reachFailure says why there was no answer, without the address that stands in the library's error.
func reachFailure(err error) string {
	var u *url.Error
	if errors.As(err, &u) {
		if u.Timeout() {
			return fmt.Sprintf("the endpoint did not answer within %v", postFor)
		}
		err = u.Err
	}
	return "the endpoint cannot be reached: " + plain(err.Error())
}

// plain is a text of others without what a terminal would take for more than text, and not long.
func plain(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < ' ' || r >= 0x7f && r < 0xa0 {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, ""))
	if len(s) > maxTold {
		s = strings.ToValidUTF8(s[:maxTold], "") + "…"
	}
	return s
}
