//go:build !linux

package child

import "syscall"

// alone has a program in a group of its own, so that it can be ended with all that it starts.
func alone() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
