package telemetry_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	collector "go.opentelemetry.io/proto/slim/otlp/collector/logs/v1"
	common "go.opentelemetry.io/proto/slim/otlp/common/v1"
	logspb "go.opentelemetry.io/proto/slim/otlp/logs/v1"
	"google.golang.org/protobuf/encoding/protojson"

	"fettle/internal/guard/hook"
	"fettle/internal/guard/telemetry"
)

// endpoint is a collector on loopback that answers by a script, the last step again and again.
type endpoint struct {
	t       *testing.T
	url     string
	mu      sync.Mutex
	script  []http.HandlerFunc
	bodies  [][]byte // of every request
	headers []http.Header
}

func newEndpoint(t *testing.T, script ...http.HandlerFunc) *endpoint {
	t.Helper()
	e := &endpoint{t: t, script: script}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil || r.Method != http.MethodPost || r.URL.Path != "/v1/logs" {
			t.Errorf("%s %s: %v", r.Method, r.URL, err)
		}
		e.mu.Lock()
		e.bodies, e.headers = append(e.bodies, body), append(e.headers, r.Header)
		step := e.script[min(len(e.bodies), len(e.script))-1]
		e.mu.Unlock()
		step(w, r)
	}))
	t.Cleanup(s.Close)
	e.url = s.URL
	return e
}

func answers(code int, body string, header ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		for i := 0; i+1 < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(code)
		_, _ = io.WriteString(w, body)
	}
}

var accepts = answers(200, `{"partialSuccess":{}}`)

// records are those of a request. It is read as strictly as the official types are.
func records(t *testing.T, body []byte) []*logspb.LogRecord {
	t.Helper()
	var r collector.ExportLogsServiceRequest
	if err := protojson.Unmarshal(body, &r); err != nil {
		t.Fatalf("%v: %s", err, body)
	}
	if len(r.ResourceLogs) != 1 || len(r.ResourceLogs[0].ScopeLogs) != 1 {
		t.Fatalf("%s", body)
	}
	return r.ResourceLogs[0].ScopeLogs[0].LogRecords
}

// attributes are those of a record, as JSON has them.
func attributes(r *logspb.LogRecord) map[string]any {
	out := map[string]any{}
	for _, a := range r.Attributes {
		switch v := a.Value.Value.(type) {
		case *common.AnyValue_StringValue:
			out[a.Key] = v.StringValue
		case *common.AnyValue_IntValue:
			out[a.Key] = int(v.IntValue)
		case *common.AnyValue_BoolValue:
			out[a.Key] = v.BoolValue
		case *common.AnyValue_DoubleValue:
			out[a.Key] = v.DoubleValue
		case *common.AnyValue_ArrayValue:
			var all []string
			for _, one := range v.ArrayValue.Values {
				all = append(all, one.GetStringValue())
			}
			out[a.Key] = strings.Join(all, " ")
		}
	}
	return out
}

// yard is a guard's folder with a log in it, and a sender whose clock moves only while it sleeps.
type yard struct {
	*telemetry.Sender
	t     *testing.T
	now   time.Time
	slept []time.Duration
}

func newYard(t *testing.T, url string) *yard {
	t.Helper()
	y := &yard{t: t, now: time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)}
	y.Sender = &telemetry.Sender{Dir: filepath.Join(t.TempDir(), "guard"), Setting: &telemetry.Setting{Endpoint: url, Headers: map[string]string{"X-Key": "k"}}, Version: "v1",
		Now: func() time.Time { return y.now },
		Sleep: func(_ context.Context, d time.Duration) error {
			y.slept, y.now = append(y.slept, d), y.now.Add(d)
			return nil
		}}
	if err := os.MkdirAll(hook.LogFolder(y.Dir), 0o700); err != nil {
		t.Fatal(err)
	}
	return y
}

// text adds to a day's log.
func (y *yard) text(day, text string) {
	y.t.Helper()
	f, err := os.OpenFile(filepath.Join(hook.LogFolder(y.Dir), day+".jsonl"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		y.t.Fatal(err)
	}
	_, err = f.WriteString(text)
	if err = errors.Join(err, f.Close()); err != nil {
		y.t.Fatal(err)
	}
}

// entry is a decision as it stands in the log.
func entry(tool string, more string) string {
	return `{"version":1,"time":"2026-05-01T10:00:00Z","session":"s","tool":"` + tool + `","input":{},"cwd":"/home/me/app","trail":{"root":"/home/me/app","home":"/home/me"},"micros":1500,` +
		`"policy":{"decision":"allow"},"telemetry":true,"decision":"allow","final":false,"facts":[]` + more + "}\n"
}

func (y *yard) decisions(day string, tools ...string) {
	y.t.Helper()
	for _, tool := range tools {
		y.text(day, entry(tool, ""))
	}
}

// send sends, and says what failed.
func (y *yard) send() (int64, string) {
	y.t.Helper()
	n, err := y.Send(y.t.Context())
	if err != nil {
		return n, err.Error()
	}
	return n, ""
}

func (y *yard) status() telemetry.Status {
	y.t.Helper()
	s, err := y.Status(func(string) string { return "" })
	if err != nil {
		y.t.Fatal(err)
	}
	return s
}

// tools are those that all requests speak of, in order; what was dropped stands as "dropped".
func (e *endpoint) tools() string {
	e.t.Helper()
	e.mu.Lock()
	defer e.mu.Unlock()
	var all []string
	for _, body := range e.bodies {
		for _, r := range records(e.t, body) {
			if r.EventName == "fettle.telemetry.dropped" {
				a := attributes(r)
				all = append(all, fmt.Sprintf("dropped:%v,%v", a["fettle.dropped.decisions"], a["fettle.dropped.gaps"]))
				continue
			}
			all = append(all, fmt.Sprint(attributes(r)["gen_ai.tool.name"]))
		}
	}
	return strings.Join(all, " ")
}
