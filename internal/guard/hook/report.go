package hook

import (
	"os"
	"path/filepath"
	"strings"
	"time"

	"fettle/internal/guard/child"
)

// ReportFolder is where the sender of telemetry keeps what it must not forget, below the guard's folder.
func ReportFolder(dir string) string { return filepath.Join(dir, "telemetry") }

// ReportPause is how long the sender, once started, waits for more to send, and how long no other is started meanwhile. What is decided in that time
// is in the log before the sender looks, so nothing is left behind.
const ReportPause = 5 * time.Second

// MaxReportPause is how long a sender that has failed may put off the next one. A stamp from farther in the future is that of a clock which was set.
const MaxReportPause = time.Hour

// Stamp is the file in the sender's folder whose time says when the last sender began, or, in the future, until when none is to begin.
const Stamp = "started"

// Unreported is the variable of the environment that forbids telemetry; empty: none does. No variable switches it on: a repository has a say in
// what the environment of its agents is.
func Unreported(getenv func(string) string) string {
	for _, name := range []string{"FETTLE_TELEMETRY", "TELEMETRY_ENABLED"} {
		switch strings.ToLower(getenv(name)) {
		case "off", "false", "0", "no":
			return name
		}
	}
	for _, name := range []string{"DO_NOT_TRACK", "OTEL_SDK_DISABLED"} {
		switch strings.ToLower(getenv(name)) {
		case "", "0", "false", "no", "off":
		default:
			return name
		}
	}
	return ""
}

// reports says that what is decided now is to be sent: the person has named an endpoint, and nothing forbids it. The environment of a resident guard
// is not that of the client: what the client's forbids is known since its turn began, and of a client that nobody knows nothing is sent.
func (h *Hook) reports(s *session, o *occasion) bool {
	if !o.settled.Telemetry || o.Session == CanarySession || Unreported(h.env) != "" {
		return false
	}
	return !h.Resident || s.Client != nil && !s.Client.Private
}

// report starts what sends the log's new decisions, and does not wait for it. Telemetry is never a reason to refuse, and nobody hears of its
// failures but who asks `fettle guard telemetry`: they are dropped here.
func (h *Hook) report(s *session, o *occasion) {
	if !h.reports(s, o) {
		return
	}
	dir := filepath.Dir(s.dir)
	stamp, now := filepath.Join(ReportFolder(dir), Stamp), h.now()
	if info, err := os.Stat(stamp); err == nil {
		if age := now.Sub(info.ModTime()); age < ReportPause && age > -MaxReportPause {
			return
		}
	}
	engine, err := readEngine(dir)
	if err != nil || private(filepath.Dir(stamp)) != nil || appendTo(stamp, nil) != nil || os.Chtimes(stamp, now, now) != nil {
		return
	}
	_ = child.Leave([]string{engine.Fettle, "guard", "telemetry", "send", "--after", ReportPause.String()}, h.Environ, nil) // see above
}
