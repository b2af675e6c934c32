//go:build !linux

package proc

import "time"

// Used is the processor time that this process has taken so far, with what it has started and what has ended. What still runs is not in it.
func Used() time.Duration { return own() }
