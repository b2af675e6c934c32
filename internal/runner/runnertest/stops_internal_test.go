package runnertest

import (
	"os"
	"os/exec"
	"testing"

	"fettle/internal/testenv"
)

// A process of the run is seen as long as it lives, and no other one is.
func TestNoneLeft(t *testing.T) {
	if _, err := os.Stat("/proc/self/environ"); err != nil {
		t.Skip("this system does not tell of processes' environments")
	}
	ours, others := &stopping{mark: mark(t)}, &stopping{mark: mark(t)}
	c := exec.Command(testenv.NeedTool(t, "sleep"), "60")
	c.Env = append(os.Environ(), ours.mark)
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	if ours.noneLeft(t).Done() || !others.noneLeft(t).Done() {
		t.Error("it is not seen, or as somebody else's")
	}
	if err := c.Process.Kill(); err != nil {
		t.Error(err)
	}
	_ = c.Wait() // it was killed
	if r := ours.noneLeft(t); !r.Done() || r.Error() != nil {
		t.Error("it is seen although it is gone")
	}
}
