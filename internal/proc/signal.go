package proc

import (
	"syscall"

	"golang.org/x/sys/unix"
)

// signalName is the signal's usual name: "SIGSEGV", not "segmentation fault".
func signalName(s syscall.Signal) string {
	if name := unix.SignalName(s); name != "" {
		return name
	}
	return s.String()
}
