package confine

import (
	"fmt"
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Landlock does not see what a file system does for itself: an overlay that is put together by the newer calls (fsopen) makes and removes files in the folders that it stands on. Nor
// does it see what is typed into the terminal of the shell outside (TIOCSTI, TIOCLINUX). A filter of system calls (seccomp) refuses both.
var refused = []uint32{
	unix.SYS_FSOPEN, unix.SYS_FSCONFIG, unix.SYS_FSMOUNT, unix.SYS_FSPICK, unix.SYS_OPEN_TREE, unix.SYS_MOVE_MOUNT, unix.SYS_MOUNT_SETATTR, unix.SYS_MOUNT,
}

// typing are the requests to a terminal that put letters into it.
var typing = []uint32{unix.TIOCSTI, 0x541C}

// processors are those whose system calls the filter knows, as the kernel names them.
var processors = map[string]uint32{"amd64": unix.AUDIT_ARCH_X86_64, "arm64": unix.AUDIT_ARCH_AARCH64}

// Where the kernel tells a filter of the call (struct seccomp_data), and the first number of x86-64's other kind of calls (x32).
const (
	atNumber    = 0
	atProcessor = 4
	atRequest   = 24 // the lower half of the second argument
	x32         = 0x40000000
)

// filter refuses the calls above to this thread and what it starts, on a processor that is known. It needs NoNewPrivileges.
func filter() error {
	load := func(at uint32) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: at}
	}
	skip := func(code uint16, k uint32, yes, no uint8) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_K | code, K: k, Jt: yes, Jf: no}
	}
	end := func(result uint32) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: result}
	}
	deny := end(unix.SECCOMP_RET_ERRNO | uint32(unix.EPERM))
	program := []unix.SockFilter{load(atProcessor), skip(unix.BPF_JEQ, processors[runtime.GOARCH], 1, 0), deny, load(atNumber)}
	if runtime.GOARCH == "amd64" {
		program = append(program, skip(unix.BPF_JGE, x32, 0, 1), deny)
	}
	for _, call := range refused {
		program = append(program, skip(unix.BPF_JEQ, call, 0, 1), deny)
	}
	program = append(program, skip(unix.BPF_JEQ, unix.SYS_IOCTL, 1, 0), end(unix.SECCOMP_RET_ALLOW), load(atRequest))
	for _, request := range typing {
		program = append(program, skip(unix.BPF_JEQ, request, 0, 1), deny)
	}
	program = append(program, end(unix.SECCOMP_RET_ALLOW))
	all := unix.SockFprog{Len: uint16(len(program)), Filter: &program[0]}
	if err := unix.Prctl(unix.PR_SET_SECCOMP, unix.SECCOMP_MODE_FILTER, uintptr(unsafe.Pointer(&all)), 0, 0); err != nil { //nolint:gosec // the system call takes a pointer
		return fmt.Errorf("refuse mounts and typing into the terminal: %w", err)
	}
	return nil
}
