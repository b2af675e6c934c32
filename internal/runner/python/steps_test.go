package python_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"fettle/internal/testenv"
)

// Counting steps changes no line's number and nothing of what a source does, wherever it stands.
func TestSteps(t *testing.T) {
	cmd := exec.Command(testenv.NeedTool(t, "python3"), filepath.Join("testdata", "count_steps.py"))
	serve, err := filepath.Abs("serve")
	if err != nil {
		t.Fatal(err)
	}
	cmd.Env = append(os.Environ(), "PYTHONPATH="+serve, "PYTHONDONTWRITEBYTECODE=1")
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.HasPrefix(string(out), "done on ") {
		t.Errorf("%v\n%s", err, out)
	}
}
