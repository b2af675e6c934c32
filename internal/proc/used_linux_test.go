package proc_test

import (
	"bufio"
	"os/exec"
	"testing"
	"time"

	"fettle/internal/proc"
)

// TestUsed: what a child's child takes counts while it runs, and once when both have ended.
func TestUsed(t *testing.T) {
	was := proc.Used()
	cmd := exec.Command("sh", "-c", `sh -c 'i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done; echo done; read x; exit 0'; exit 0`)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	running := proc.Used() - was
	if err := in.Close(); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	ended := proc.Used() - was
	if running < 50*time.Millisecond || ended < running-10*time.Millisecond || ended > running*3/2+100*time.Millisecond {
		t.Errorf("%s while it ran, %s when it had ended", running, ended)
	}
}
