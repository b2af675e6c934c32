package cli_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// mountExFAT makes a small exFAT file system and mounts it on a new folder until the story ends: exfat FOLDER.
func mountExFAT(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: exfat FOLDER")
	}
	image, dir := filepath.Join(ts.Getenv("WORK"), ".exfat"), ts.MkAbs(args[0])
	ts.Check(os.Mkdir(dir, 0o755))
	ts.Check(os.WriteFile(image, nil, 0o600))
	ts.Check(os.Truncate(image, 32<<20))
	out, err := exec.Command("losetup", "--find", "--show", image).Output()
	ts.Check(err)
	device := strings.TrimSpace(string(out))
	ts.Defer(func() { _ = exec.Command("losetup", "--detach", device).Run() })
	ts.Check(exec.Command("mkfs.exfat", device).Run())
	ts.Check(exec.Command("mount.exfat-fuse", device, dir).Run())
	ts.Defer(func() { _ = exec.Command("umount", dir).Run() })
}
