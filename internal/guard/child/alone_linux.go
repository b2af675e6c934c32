package child

import "syscall"

// alone has a program in a group of its own, so that it can be ended with all that it starts, and ends it with the process that asked, however that ends: a
// client kills a hook that it does not want to wait for.
func alone() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
