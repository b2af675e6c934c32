package plugin

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"fettle/internal/edit"
	"fettle/internal/fix"
)

// Answer is one candidate as a plug-in prints it: one JSON object each, most promising first, one after the other. A plug-in
// that has nothing to propose prints nothing.
type Answer struct {
	Version     int             `json:"version"`     // Version
	Patch       json.RawMessage `json:"patch"`       // any form that edit.Read knows: JSON as it is, text as a JSON string
	Explanation string          `json:"explanation"` // one sentence: what was wrong and why this mends it
	Confidence  *float64        `json:"confidence"`  // 0–1
	Cost        float64         `json:"cost_usd,omitempty"`
}

// candidates reads everything that a plug-in printed. Anything that is wrong with any of it is an error.
func candidates(author string, out []byte, source edit.Source) ([]fix.Candidate, error) {
	d := json.NewDecoder(bytes.NewReader(out))
	d.DisallowUnknownFields()
	var all []fix.Candidate
	for n := 1; ; n++ {
		var a Answer
		switch err := d.Decode(&a); {
		case errors.Is(err, io.EOF):
			return all, nil
		case err != nil:
			return nil, fmt.Errorf("candidate %d is not what docs/plugins.md describes: %w", n, err)
		}
		c, err := a.candidate(author, source)
		if err != nil {
			return nil, fmt.Errorf("candidate %d: %w", n, err)
		}
		all = append(all, c)
	}
}

func (a Answer) candidate(author string, source edit.Source) (fix.Candidate, error) {
	switch {
	case a.Version != Version:
		return fix.Candidate{}, fmt.Errorf("version is %d; this fettle reads version %d", a.Version, Version)
	case strings.TrimSpace(a.Explanation) == "":
		return fix.Candidate{}, errors.New("explanation is missing: say in one sentence what was wrong")
	case a.Confidence == nil || *a.Confidence < 0 || *a.Confidence > 1:
		return fix.Candidate{}, errors.New("confidence must be a number from 0 to 1")
	case a.Cost < 0:
		return fix.Candidate{}, errors.New("cost_usd must not be below 0")
	}
	patch, notes, err := edit.Read(a.proposal(), source)
	if err != nil {
		return fix.Candidate{}, err
	}
	if len(patch) == 0 {
		return fix.Candidate{}, errors.New("the patch changes nothing; print nothing when there is nothing to propose")
	}
	c := fix.Candidate{Patch: patch, Author: author, Explanation: strings.TrimSpace(a.Explanation), Confidence: *a.Confidence, Cost: a.Cost}
	for _, n := range notes {
		c.Explanation += " (" + n.String() + ")"
	}
	return c, nil
}

// proposal is the patch in the form that edit.Read reads: the content of a JSON string, or the JSON itself.
func (a Answer) proposal() []byte {
	var text string
	if json.Unmarshal(a.Patch, &text) == nil {
		return []byte(text)
	}
	return a.Patch
}
