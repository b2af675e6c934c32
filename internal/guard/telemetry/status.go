package telemetry

import (
	"os"
	"path/filepath"
	"time"

	"fettle/internal/guard/hook"
)

// Status is what a person wants to know of the telemetry.
type Status struct {
	On        bool      `json:"on"`
	Why       string    `json:"why,omitempty"` // it is off
	Endpoint  string    `json:"endpoint,omitempty"`
	Host      string    `json:"host,omitempty"` // what stands for this machine
	Waiting   int64     `json:"waiting"`        // decisions
	Sent      int64     `json:"sent"`           // records
	Rejected  int64     `json:"rejected"`
	Dropped   int64     `json:"dropped"` // decisions
	Gaps      int64     `json:"gaps"`
	LastSent  time.Time `json:"last_sent"`
	LastError string    `json:"last_error,omitempty"`
	NotBefore time.Time `json:"not_before"`
}

// Off is why nothing is sent; empty: it is.
func (s *Sender) Off(getenv func(string) string) string {
	if name := hook.Unreported(getenv); name != "" {
		return "the variable " + name + " forbids it"
	}
	if s.Setting == nil {
		return "no endpoint is set in your policy.yaml"
	}
	return ""
}

// Status looks, and changes nothing.
func (s *Sender) Status(getenv func(string) string) (Status, error) {
	st, err := readState(s.folder())
	if err != nil {
		return Status{}, err
	}
	out := Status{Why: s.Off(getenv), Sent: st.Sent, Rejected: st.Rejected, Dropped: st.Dropped, Gaps: st.Gaps, LastSent: st.LastSent, LastError: st.LastError, NotBefore: st.NotBefore}
	out.On = out.Why == ""
	if s.Setting != nil {
		if out.Endpoint, err = s.Setting.URL(); err != nil {
			return out, err
		}
	}
	if _, err := os.Stat(filepath.Join(s.folder(), "identity.json")); err == nil {
		id, err := readIdentity(s.folder())
		if err != nil {
			return out, err
		}
		out.Host = id.Host
	}
	out.Waiting, err = s.waiting(st)
	return out, err
}

// Preview is the next request, byte for byte as it would be sent; empty if nothing waits. It speaks to nobody, and leaves the cursor where it is.
func (s *Sender) Preview() (*Batch, error) {
	st, id, err := s.look()
	if err != nil {
		return nil, err
	}
	return s.next(st, id, s.now())
}

// Sample is a request that holds the last decisions of the log, as many as are wanted and fit in, whether they are to be sent or not: what telemetry
// would send can be seen before it is on.
func (s *Sender) Sample(last int) (*Batch, error) {
	_, id, err := s.look()
	if err != nil {
		return nil, err
	}
	q := s.queue()
	q.all = true
	last = min(last, maxRecords)
	begins := make([]Position, 0, last) // a ring, whose oldest is at n % last
	n := 0
	_, _, _, err = q.each(Position{}, func(i item) bool {
		if n < last {
			begins = append(begins, i.from)
		} else {
			begins[n%last] = i.from
		}
		n++
		return true
	})
	if err != nil || n == 0 {
		return &Batch{}, err
	}
	at := begins[0]
	if n > last {
		at = begins[n%last]
	}
	b := &Batch{}
	return b, s.fill(b, &draft{maker: maker{id, s.redactor()}, version: s.Version}, q, at)
}

// look reads what the sender keeps.
func (s *Sender) look() (*State, identity, error) {
	if err := os.MkdirAll(s.folder(), 0o700); err != nil {
		return nil, identity{}, err
	}
	st, err := readState(s.folder())
	if err != nil {
		return nil, identity{}, err
	}
	id, err := readIdentity(s.folder())
	return st, id, err
}
