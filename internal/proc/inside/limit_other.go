//go:build !linux

package inside

import (
	"os"
	"syscall"
)

func ownProgram() (string, error) { return os.Executable() }

// MaxRSS is the peak memory in bytes.
func MaxRSS(ru *syscall.Rusage) int64 { return ru.Maxrss }
