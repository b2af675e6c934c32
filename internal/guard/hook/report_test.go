package hook_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fettle/internal/guard/hook"
)

// senders counts how often fettle was started to send. A start is not waited for: it is given time to be seen, or not to be.
func (y *yard) senders(want int) {
	y.t.Helper()
	log := filepath.Join(filepath.Dir(y.home), "fettle.log")
	count := func() int {
		data, _ := os.ReadFile(log)
		return strings.Count(string(data), "guard telemetry send --after 5s\n")
	}
	for until := time.Now().Add(5 * time.Second); count() < want && time.Now().Before(until); {
		time.Sleep(5 * time.Millisecond)
	}
	if want == count() {
		time.Sleep(50 * time.Millisecond)
	}
	if got := count(); got != want {
		y.t.Fatalf("fettle was started %d times to send, want %d", got, want)
	}
}

// entries are what the log holds.
func (y *yard) entries() (all []hook.Entry) {
	y.t.Helper()
	files, err := filepath.Glob(filepath.Join(hook.LogFolder(y.hook.Dir), "*.jsonl"))
	if err != nil {
		y.t.Fatal(err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			y.t.Fatal(err)
		}
		for line := range bytes.Lines(data) {
			var e hook.Entry
			if err := json.Unmarshal(line, &e); err != nil {
				y.t.Fatal(err)
			}
			all = append(all, e)
		}
	}
	return all
}

// marks are whether each decision of the log is to be sent.
func (y *yard) marks() (all []bool) {
	y.t.Helper()
	for _, e := range y.entries() {
		all = append(all, e.Report)
	}
	return all
}

func (y *yard) looks() {
	y.t.Helper()
	if a := y.event("PreToolUse", map[string]any{"tool_name": "Read", "tool_input": map[string]any{"file_path": filepath.Join(y.project, "a.go")}}); a.Code != 0 || a.Errors != "" {
		y.t.Fatalf("%+v", a)
	}
}

// TestReport starts a sender after a decision, and no second one for a while.
func TestReport(t *testing.T) {
	y := newYard(t)
	y.settles(hook.Settled{Telemetry: true})
	now := time.Now()
	y.hook.Now = func() time.Time { return now }
	y.looks()
	y.looks()
	y.senders(1)
	now = now.Add(hook.ReportPause)
	y.looks()
	y.senders(2)
	y.event("Stop", nil) // is no decision
	y.senders(2)

	stamp := filepath.Join(hook.ReportFolder(y.hook.Dir), hook.Stamp)
	later := func(d time.Duration) {
		if err := os.Chtimes(stamp, now.Add(d), now.Add(d)); err != nil {
			t.Fatal(err)
		}
		y.looks()
	}
	later(hook.MaxReportPause - time.Minute) // a sender has failed
	y.senders(2)
	later(2 * hook.MaxReportPause) // a clock was set
	y.senders(3)
	for i, marked := range y.marks() {
		if !marked {
			t.Errorf("decision %d is not marked", i)
		}
	}
}

// TestReportOff starts nothing, and leaves nothing behind, unless the user's own policy says so and nothing forbids it.
func TestReportOff(t *testing.T) {
	for name, kill := range map[string]string{"FETTLE_TELEMETRY": "off", "TELEMETRY_ENABLED": "false", "DO_NOT_TRACK": "1", "OTEL_SDK_DISABLED": "true"} {
		t.Run(name, func(t *testing.T) {
			y := newYard(t)
			y.settles(hook.Settled{Telemetry: true})
			y.env[name] = kill
			y.looks()
			y.stays(t)
		})
	}
	t.Run("nobody asked for it", func(t *testing.T) {
		y := newYard(t)
		y.settles(hook.Settled{})
		for name, value := range map[string]string{"FETTLE_TELEMETRY": "on", "TELEMETRY_ENABLED": "true", "OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:4318"} {
			y.env[name] = value
		}
		y.looks()
		y.stays(t)
	})
	t.Run("a resident guard, whose client forbids it", func(t *testing.T) {
		y := newYard(t)
		y.settles(hook.Settled{Telemetry: true})
		y.env["DO_NOT_TRACK"] = "1"
		y.event("UserPromptSubmit", map[string]any{"prompt": "look"})
		delete(y.env, "DO_NOT_TRACK")
		y.hook.Resident = true
		y.looks()
		y.stays(t)
		y.hook.Resident = false
		y.event("UserPromptSubmit", map[string]any{"prompt": "look"})
		y.hook.Resident = true
		y.looks()
		y.senders(1)
	})
	t.Run("a resident guard, whose client nobody knows", func(t *testing.T) {
		y := newYard(t)
		y.settles(hook.Settled{Telemetry: true})
		y.hook.Resident = true
		y.looks()
		y.stays(t)
	})
	t.Run("the canary", func(t *testing.T) {
		y := newYard(t)
		y.settles(hook.Settled{Telemetry: true})
		var out, errs bytes.Buffer
		if code := y.hook.Run(strings.NewReader(hook.CanaryEvent), &out, &errs); code != 0 {
			t.Fatal(code, errs.String())
		}
		y.stays(t)
	})
}

// stays is a decision of which nobody hears.
func (y *yard) stays(t *testing.T) {
	t.Helper()
	y.senders(0)
	if _, err := os.Stat(hook.ReportFolder(y.hook.Dir)); err == nil {
		t.Error("something is kept for telemetry")
	}
	if m := y.marks(); len(m) != 1 || m[0] {
		t.Errorf("the decisions that are to be sent: %v", m)
	}
}

// TestReportTrouble answers as ever where fettle is gone, or its folder is spoilt.
func TestReportTrouble(t *testing.T) {
	for name, spoil := range map[string]func(dir string) error{
		"no fettle":       func(dir string) error { return hook.Engine{Fettle: "/nowhere/fettle"}.Write(dir) },
		"nobody knows":    func(dir string) error { return os.Remove(filepath.Join(dir, "engine.json")) },
		"a file":          func(dir string) error { return os.WriteFile(hook.ReportFolder(dir), nil, 0o600) },
		"open to others":  func(dir string) error { return os.Mkdir(hook.ReportFolder(dir), 0o700|0o077) },
		"a link as stamp": func(dir string) error { return link(hook.ReportFolder(dir), filepath.Join(dir, "elsewhere")) },
	} {
		t.Run(name, func(t *testing.T) {
			y := newYard(t)
			y.settles(hook.Settled{Telemetry: true})
			y.looks()
			y.senders(1)
			if err := os.RemoveAll(hook.ReportFolder(y.hook.Dir)); err != nil {
				t.Fatal(err)
			}
			if err := spoil(y.hook.Dir); err != nil {
				t.Fatal(err)
			}
			if name == "open to others" {
				if err := os.Chmod(hook.ReportFolder(y.hook.Dir), 0o777); err != nil {
					t.Fatal(err)
				}
			}
			y.looks()
			y.senders(1)
		})
	}
}

func link(dir, to string) error {
	if err := os.Mkdir(dir, 0o700); err != nil {
		return err
	}
	return os.Symlink(to, filepath.Join(dir, hook.Stamp))
}
