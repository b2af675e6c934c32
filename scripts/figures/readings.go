package figures

import (
	"encoding/json"
	"fmt"
)

// Reading is what a person found about a patch that passes every test and is not the text that was meant.
type Reading struct {
	Row     string `json:"row"`
	Digest  string `json:"digest"` // of the patch
	Verdict string `json:"verdict"`
	Why     string `json:"why"`
}

// What a person may find.
const (
	ReadEqual = "equal" // it does the same
	ReadWrong = "wrong"
)

// Readings are those of a readings.json.
type Readings struct{ by map[[2]string]Reading }

// NewReadings reads a readings.json.
func NewReadings(data []byte) (Readings, error) {
	var all []Reading
	if err := json.Unmarshal(data, &all); err != nil {
		return Readings{}, fmt.Errorf("readings.json: %w", err)
	}
	out := Readings{map[[2]string]Reading{}}
	for _, r := range all {
		if r.Verdict != ReadEqual && r.Verdict != ReadWrong {
			return Readings{}, fmt.Errorf("readings.json: %s: the verdict is %q or %q", r.Row, ReadEqual, ReadWrong)
		}
		out.by[[2]string{r.Row, r.Digest}] = r
	}
	return out, nil
}

// Of is what a person has found about the patch of a row, if anybody has read it.
func (r Readings) Of(row, digest string) (Reading, bool) {
	x, ok := r.by[[2]string{row, digest}]
	return x, ok
}
