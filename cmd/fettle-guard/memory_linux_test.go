package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// TestMemory holds the hook to the memory that one call may take at its peak, with a session of days behind it and with telemetry, too.
func TestMemory(t *testing.T) {
	const limit = 15 << 10 // KiB
	program, event := release(t), call("cd src && go test ./... 2>&1 | tail -n 20")
	long := t.TempDir()
	script := transcript(t, long)
	for _, c := range []struct{ name, home, event string }{
		{"one call", t.TempDir(), event},
		{"a transcript of 50 MB", long, `{"session_id":"s","hook_event_name":"UserPromptSubmit","cwd":"/","transcript_path":"` + script + `","prompt":"go on"}`},
		{"a call after it", long, strings.Replace(event, `"cwd":"/"`, `"cwd":"/","transcript_path":"`+script+`"`, 1)},
		{"with telemetry", reports(t), event},
	} {
		took, err := peak(t, program, c.home, c.event)
		if err != nil {
			t.Fatal(c.name, err)
		}
		if t.Logf("%s: %d KiB", c.name, took); took > limit {
			t.Errorf("%s: %d KiB", c.name, took)
		}
	}
}

// peak is the memory, in KiB, that a program held at most until it ended, which is asked in the moment of its end. What the kernel tells afterwards will not do: that is never
// less than what this process itself holds, out of which the program was started.
func peak(t testing.TB, program, home, event string) (kib int, err error) {
	t.Helper()
	in := filepath.Join(t.TempDir(), "event")
	if err := os.WriteFile(in, []byte(event), 0o600); err != nil {
		return 0, err
	}
	stdin, err := os.Open(in)
	if err != nil {
		return 0, err
	}
	defer stdin.Close()
	runtime.LockOSThread() // who began to trace goes on with it
	defer runtime.UnlockOSThread()
	cmd := exec.Command(program)
	cmd.Env, cmd.Stdin = []string{"HOME=" + home, "CLAUDECODE=1"}, stdin
	cmd.SysProcAttr = &syscall.SysProcAttr{Ptrace: true}
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	pid := cmd.Process.Pid
	var status syscall.WaitStatus
	wait := func() error {
		_, err := syscall.Wait4(pid, &status, 0, nil)
		return err
	}
	if err := errors.Join(wait(), syscall.PtraceSetOptions(pid, syscall.PTRACE_O_TRACEEXIT), syscall.PtraceCont(pid, 0)); err != nil {
		return 0, err
	}
	for {
		if err := wait(); err != nil {
			return 0, err
		}
		signal := 0
		switch {
		case status.Exited() && status.ExitStatus() == 0 && kib > 0:
			return kib, nil
		case !status.Stopped():
			return 0, fmt.Errorf("it ended with %d and %d KiB", status.ExitStatus(), kib)
		case status.TrapCause() == syscall.PTRACE_EVENT_EXIT:
			if kib, err = highWater(pid); err != nil {
				return 0, err
			}
		default:
			signal = int(status.StopSignal())
		}
		if err := syscall.PtraceCont(pid, signal); err != nil {
			return 0, err
		}
	}
}

// highWater is the most memory that a process has held, in KiB.
func highWater(pid int) (int, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, err
	}
	_, after, _ := bytes.Cut(text, []byte("VmHWM:"))
	number, _, ok := strings.Cut(strings.TrimSpace(string(after)), " kB")
	if !ok {
		return 0, fmt.Errorf("process %d has no high-water mark", pid)
	}
	return strconv.Atoi(number)
}
