package telemetry

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"

	collector "go.opentelemetry.io/proto/slim/otlp/collector/logs/v1"
	common "go.opentelemetry.io/proto/slim/otlp/common/v1"
	logspb "go.opentelemetry.io/proto/slim/otlp/logs/v1"
	resource "go.opentelemetry.io/proto/slim/otlp/resource/v1"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
)

// The bounds of one request.
const (
	maxRecords = 512
	maxBytes   = 1 << 20
)

// Batch is one request, and what will be true once it is accepted.
type Batch struct {
	Body      []byte // the very bytes that are sent
	Decisions int
	Records   int
	next      Position
	gaps      int64
	long      int64 // entries of the log that were too long to be read
	told      Loss
}

// wire is JSON as OTLP wants it: enumerations are numbers.
var wire = protojson.MarshalOptions{UseEnumNumbers: true}

// marshal is a message as JSON. The library varies the white space, so that nobody relies on it: here every byte is to be known.
func marshal(m proto.Message) ([]byte, error) {
	data, err := wire.Marshal(m)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err = json.Compact(&out, data)
	return out.Bytes(), err
}

// draft is a batch in the making.
type draft struct {
	maker
	version string
	records []*logspb.LogRecord
	size    int
	err     error
}

// overhead is more than what stands around the records.
const overhead = 4 << 10

// add takes a decision's records in, all or none. It reports whether there was room.
func (d *draft) add(records ...*logspb.LogRecord) bool {
	size := 0
	for _, r := range records {
		data, err := marshal(r)
		if err != nil {
			d.err = err
			return false
		}
		size += len(data) + 1
	}
	if len(d.records)+len(records) > maxRecords || d.size+size > maxBytes-overhead {
		return false
	}
	d.records = append(d.records, records...)
	d.size += size
	return true
}

// body is the request.
func (d *draft) body() ([]byte, error) {
	about := list{}
	about.text("service.name", "fettle-guard")
	about.text("service.version", d.version)
	about.text("host.id", d.id.Host)
	return marshal(&collector.ExportLogsServiceRequest{ResourceLogs: []*logspb.ResourceLogs{{Resource: &resource.Resource{Attributes: about},
		ScopeLogs: []*logspb.ScopeLogs{{Scope: &common.InstrumentationScope{Name: "fettle/guard", Version: d.version}, LogRecords: d.records}}}}})
}

// next makes the batch that begins at the cursor. It is empty where nothing waits.
func (s *Sender) next(st *State, id identity, now time.Time) (*Batch, error) {
	d := &draft{maker: maker{id, s.redactor()}, version: s.Version}
	b := &Batch{told: st.Told}
	if l := st.untold(); l != (Loss{}) && d.add(lost(l, now)) {
		b.told = Loss{st.Dropped, st.Gaps}
	}
	return b, s.fill(b, d, s.queue(), st.At)
}

// fill takes into a batch what lies behind a position, as much as there is room for.
func (s *Sender) fill(b *Batch, d *draft, q queue, at Position) (err error) {
	b.next, b.gaps, b.long, err = q.each(at, func(i item) bool {
		if !d.add(d.maker.records(i)...) {
			return false
		}
		b.Decisions++
		return true
	})
	if err == nil {
		err = d.err
	}
	if err != nil {
		return fmt.Errorf("the decision log cannot be read: %w", err)
	}
	if b.Records = len(d.records); b.Records > 0 {
		b.Body, err = d.body()
	}
	return err
}
