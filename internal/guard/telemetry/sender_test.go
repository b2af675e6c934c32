package telemetry_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fettle/internal/guard/hook"
	"fettle/internal/guard/telemetry"
)

// TestSend sends what is marked, once, over the ends of days; what is torn or still being written is left.
func TestSend(t *testing.T) {
	e := newEndpoint(t, accepts)
	y := newYard(t, e.url)
	y.text("2026-04-30", strings.Replace(entry("Before", ""), `"telemetry":true,`, "", 1))
	y.decisions("2026-04-30", "A", "B")
	y.text("2026-04-30", `{"version":1,"tool":"Torn","telem`)
	y.decisions("2026-05-01", "C")
	y.text("2026-05-01", `{"torn":"telemetry":true}`+"\n")
	y.text("2026-05-01", strings.Replace(entry("Nested", ""), `"telemetry":true,`, "", 1)[:20]+"\n")
	y.text("2026-05-01", strings.Replace(strings.Replace(entry("Nested", ""), `"telemetry":true,`, "", 1), `"input":{}`, `"input":{"telemetry":true}`, 1))
	half := entry("D", "")
	y.text("2026-05-01", half[:50])
	if n, why := y.send(); n != 3 || why != "" || e.tools() != "A B C" {
		t.Fatalf("%d %s: %s", n, why, e.tools())
	}
	y.text("2026-05-01", half[50:])
	if n, why := y.send(); n != 1 || why != "" || e.tools() != "A B C D" {
		t.Fatalf("%d %s: %s", n, why, e.tools())
	}
	if n, why := y.send(); n != 0 || why != "" || len(e.bodies) != 2 {
		t.Fatalf("nothing waits: %d %s, %d requests", n, why, len(e.bodies))
	}
	if h := e.headers[0]; h.Get("X-Key") != "k" || h.Get("Content-Type") != "application/json" {
		t.Errorf("%v", h)
	}
	if s := y.status(); !s.On || s.Sent != 4 || s.Waiting != 0 || s.Dropped+s.Gaps+s.Rejected != 0 || s.Endpoint != e.url+"/v1/logs" || len(s.Host) != 32 {
		t.Errorf("%+v", s)
	}
	for _, name := range []string{"cursor.json", "identity.json", "lock"} {
		if info, err := os.Stat(filepath.Join(hook.ReportFolder(y.Dir), name)); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v %v", name, info, err)
		}
	}
}

// TestRotated are logs that were swept away, or begun anew, before they were read to their end: it goes on with the next, and says that something is missing.
func TestRotated(t *testing.T) {
	e := newEndpoint(t, accepts)
	y := newYard(t, e.url)
	file := filepath.Join(hook.LogFolder(y.Dir), "2026-04-30.jsonl")
	y.decisions("2026-04-30", "A", "B")
	y.send()
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if n, why := y.send(); n != 0 || why != "" {
			t.Fatal(n, why)
		}
	}
	y.decisions("2026-05-01", "C", "D")
	y.send()
	if err := os.WriteFile(filepath.Join(filepath.Dir(file), "2026-05-01.jsonl"), []byte(entry("E", "")), 0o600); err != nil {
		t.Fatal(err)
	}
	y.send()
	y.send()
	if want := "A B C D dropped:0,1 E dropped:0,1"; e.tools() != want {
		t.Errorf("%s, want %s", e.tools(), want)
	}
	if s := y.status(); s.Gaps != 2 || s.Sent != 7 {
		t.Errorf("%+v", s)
	}
}

// TestBounds holds requests to their bounds, and drops the oldest of what is too much: counted, told, and shown.
func TestBounds(t *testing.T) {
	e := newEndpoint(t, accepts)
	y := newYard(t, e.url)
	y.Most = 1000
	long := strings.Repeat("n", 127)
	var facts []string
	for _, kind := range strings.Fields("exec run unknown code remote decoded opaque bomb read write format empty delete chmod chown link mount print protects fetch send listen shell discard rewrite") {
		facts = append(facts, `{"kind":"`+kind+`"}`)
	}
	var log strings.Builder
	for i := range 1900 {
		more := `,"tried":3`
		if i >= 1200 { // so long that a request is full of bytes before it is full of records
			more = `,"session":"` + long + `","rule":"` + long + `","class":"` + long + `","facts":[` + strings.Join(facts, ",") + `]`
		}
		log.WriteString(entry(fmt.Sprint("T", i), more))
	}
	y.text("2026-05-01", log.String())
	if n, why := y.send(); n != 1000+1 || why != "" {
		t.Fatal(n, why)
	}
	if s := y.status(); s.Dropped != 900 || s.Waiting != 0 {
		t.Errorf("%+v", s)
	}
	all := e.tools()
	if !strings.HasPrefix(all, "dropped:900,0 T900 T901 ") || !strings.HasSuffix(all, " T1899") || strings.Count(all, "dropped") != 1 {
		t.Errorf("%.100s", all)
	}
	byBytes := 0
	for _, body := range e.bodies {
		n := len(records(t, body))
		if n > 512 || len(body) > 1<<20 {
			t.Errorf("a request has %d records and %d bytes", n, len(body))
		}
		if n < 512 && len(body) > 1<<20-8<<10 {
			byBytes++
		}
	}
	if byBytes == 0 {
		t.Error("no request was full of bytes: the test has lost its point")
	}
	e.bodies = nil
	y.text("2026-05-01", `{"tool":"`+strings.Repeat("x", 9<<20)+"\"}\n")
	y.decisions("2026-05-01", "Z")
	if n, why := y.send(); n != 2 || why != "" || e.tools() != "Z dropped:1,0" {
		t.Error(n, why, e.tools())
	}
}

// TestSpoilt are states that cannot be read: the person is told what to do, and nothing is sent by guessing.
func TestSpoilt(t *testing.T) {
	for name, data := range map[string]string{"cursor.json": `{"version":1,"at":{"file":"../x","offset":0}}`, "identity.json": `{"host":"x"}`} {
		e := newEndpoint(t, accepts)
		y := newYard(t, e.url)
		y.decisions("2026-05-01", "A")
		if err := errors.Join(os.MkdirAll(hook.ReportFolder(y.Dir), 0o700), os.WriteFile(filepath.Join(hook.ReportFolder(y.Dir), name), []byte(data), 0o600)); err != nil {
			t.Fatal(err)
		}
		if _, why := y.send(); !strings.Contains(why, "remove") || len(e.bodies) != 0 {
			t.Errorf("%s: %s", name, why)
		}
	}
}

// TestPreview is the next request to the byte, and sends nothing.
func TestPreview(t *testing.T) {
	e := newEndpoint(t, accepts)
	y := newYard(t, e.url)
	y.decisions("2026-05-01", "A", "B")
	b, err := y.Preview()
	if err != nil || b.Records != 2 || b.Decisions != 2 || !json.Valid(b.Body) || len(e.bodies) != 0 {
		t.Fatalf("%+v %v", b, err)
	}
	y.send()
	if len(e.bodies) != 1 || string(e.bodies[0]) != string(b.Body) {
		t.Errorf("%s\nis not\n%s", e.bodies, b.Body)
	}
	if b, err = y.Preview(); err != nil || b.Records != 0 || b.Body != nil {
		t.Errorf("%+v %v", b, err)
	}
}

// TestSample shows the last decisions, whether they are to be sent or not, and moves nothing.
func TestSample(t *testing.T) {
	y := newYard(t, "http://127.0.0.1:1")
	if b, err := y.Sample(3); err != nil || b.Body != nil || b.Records != 0 {
		t.Errorf("an empty log: %+v %v", b, err)
	}
	y.text("2026-04-30", strings.Replace(entry("A", "")+entry("B", ""), `"telemetry":true,`, "", 2))
	y.decisions("2026-05-01", "C", "D")
	for n, want := range map[int]string{1: "D", 2: "C D", 3: "B C D", 4: "A B C D", 9: "A B C D"} {
		b, err := y.Sample(n)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, r := range records(t, b.Body) {
			got = append(got, fmt.Sprint(attributes(r)["gen_ai.tool.name"]))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("the last %d are %v, want %s", n, got, want)
		}
	}
	if s := y.status(); s.Waiting != 2 {
		t.Errorf("%+v", s)
	}
}

// TestIdentity is made once, however many need it at the same moment.
func TestIdentity(t *testing.T) {
	y := newYard(t, "http://127.0.0.1:1")
	y.decisions("2026-05-01", "A")
	bodies := make(chan string, 8)
	for range cap(bodies) {
		go func() {
			b, err := y.Preview()
			if err != nil {
				t.Error(err)
				b = &telemetry.Batch{}
			}
			bodies <- string(b.Body)
		}()
	}
	first := <-bodies
	for range cap(bodies) - 1 {
		if other := <-bodies; other != first {
			t.Errorf("%s\nis not\n%s", other, first)
		}
	}
	if left, err := filepath.Glob(filepath.Join(hook.ReportFolder(y.Dir), "*.new-*")); err != nil || left != nil {
		t.Error(left, err)
	}
}
