//go:build unix

package testenv

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// AsOrdinaryUser runs tests of this package again as a user without privileges, of which one must pass. They find the files, which are named
// from the package's folder, where they find them anywhere: what a checkout holds may be readable by root alone. The user's HOME is
// made ready first. Without root there is nothing to do: the tests run as an ordinary user already.
func AsOrdinaryUser(t *testing.T, passes, pattern string, files []string, ready func(home string)) {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("runs already as an ordinary user")
	}
	home, err := os.MkdirTemp("", "fettle-user") //nolint:usetesting // t.TempDir lies in a folder that only root may enter
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(home) })
	const nobody = 65534
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	binary, here, tmp := filepath.Join(home, "test"), filepath.Join(home, "here"), filepath.Join(home, "tmp")
	if err := errors.Join(os.Chmod(home, 0o755), lend(program, binary), os.Mkdir(here, 0o755), os.Mkdir(tmp, 0o777), os.Chown(tmp, nobody, nobody)); err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if err := lend(file, filepath.Join(here, file)); err != nil {
			t.Fatal(err)
		}
	}
	if ready != nil {
		ready(home)
	}
	cmd := exec.Command(binary, "-test.v", "-test.run="+pattern)
	cmd.Dir = here
	cmd.Env = []string{"PATH=/usr/local/bin:/usr/bin:/bin", "HOME=" + home, "TMPDIR=" + tmp, "FETTLE_CI=" + os.Getenv("FETTLE_CI"), "GORACE=" + os.Getenv("GORACE")}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "--- PASS: "+passes) {
		t.Errorf("%v\n%s", err, out)
	}
}

// lend copies a file to where anybody may read and run it.
func lend(from, to string) error {
	text, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return errors.Join(os.MkdirAll(filepath.Dir(to), 0o755), os.WriteFile(to, text, 0o755))
}
