package proc_test

import (
	"bufio"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"fettle/internal/proc"
)

// A fettle that is killed takes its commands with it.
func TestCommandDiesWithUs(t *testing.T) {
	if os.Getenv("FETTLE_TEST_VICTIM") != "" {
		_, _ = proc.Run(t.Context(), proc.Cmd{Argv: []string{"sh", "-c", "echo pid $$; exec sleep 1000"}, Stdout: os.Stdout})
		return
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestCommandDiesWithUs$")
	cmd.Env = append(os.Environ(), "FETTLE_TEST_VICTIM=1")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = cmd.Process.Kill() }() // also when the test ends early
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(strings.TrimPrefix(line, "pid ")))
	if err != nil {
		t.Fatal(err)
	}
	if !alive(pid) {
		t.Fatal("the command does not run: the test proves nothing")
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	for deadline := time.Now().Add(10 * time.Second); alive(pid); {
		if time.Now().After(deadline) {
			t.Fatalf("process %d has outlived us", pid)
		}
	}
}
