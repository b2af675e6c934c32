package inside

import "syscall"

func ownProgram() (string, error) { return "/proc/self/exe", nil }

// MaxRSS is the peak memory in bytes. Linux counts kilobytes.
func MaxRSS(ru *syscall.Rusage) int64 { return ru.Maxrss << 10 }
