package shell

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// compiledVersion is that of the form in which a policy is handed on.
const compiledVersion = 1

// compiled is a policy as it is handed on.
type compiled struct {
	Version int `json:"version"`
	Policy
}

// Valid reports the first thing in the policy that cannot be used.
func (p *Policy) Valid() error {
	for i := range p.Programs {
		if err := p.Programs[i].Valid(); err != nil {
			return err
		}
	}
	for _, list := range [][]Rule{p.Rules, p.Stricter} {
		seen := map[string]bool{}
		for i := range list {
			if err := list[i].Valid(); err != nil {
				return err
			}
			if seen[list[i].ID] {
				return fmt.Errorf("there are two rules %s", list[i].ID)
			}
			seen[list[i].ID] = true
		}
	}
	return nil
}

// Compiled is the policy in one line of JSON, for those who read no YAML: the hook that starts for every call.
func (p *Policy) Compiled() ([]byte, error) {
	if err := p.orDefault().Valid(); err != nil {
		return nil, err
	}
	return json.Marshal(compiled{compiledVersion, *p.orDefault()})
}

// Decompiled reads what [Policy.Compiled] wrote. What it cannot use it refuses: whoever is refused goes on with no policy of their own, or asks,
// but never with a part of one.
func Decompiled(data []byte) (*Policy, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	var c compiled
	if err := d.Decode(&c); err != nil {
		return nil, fmt.Errorf("the compiled policy cannot be read: %w", err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("the compiled policy cannot be read: more stands behind it")
	}
	if c.Version != compiledVersion {
		return nil, fmt.Errorf("the compiled policy has version %d, and this fettle reads %d: compile it again", c.Version, compiledVersion)
	}
	if err := c.Valid(); err != nil {
		return nil, fmt.Errorf("the compiled policy cannot be used: %w", err)
	}
	return &c.Policy, nil
}
