package workspace_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"fettle/internal/testenv"
	"fettle/internal/workspace"
)

// A copy by reflink shares its blocks with the tree until it is written to: the kernel says so of every file's extents, and the
// disk is not fuller than before.
func TestCopyByReflinkSharesBlocks(t *testing.T) {
	home(t)
	root := filepath.Join(xfs(t), "repo")
	const files, size = 200, 64 << 10
	for i := range files {
		write(t, filepath.Join(root, fmt.Sprintf("d%d/f%d", i%10, i)), strings.Repeat(strconv.Itoa(i%10), size))
	}
	o := options(root)
	o.Method = workspace.Reflink
	unix.Sync()
	before := free(t, root)
	c := open(t, o)
	unix.Sync()
	if used := before - free(t, root); used > files*size/10 {
		t.Errorf("a copy of %d bytes took %d on the disk", files*size, used)
	}
	if want := fmt.Sprintf("%d bytes shared by reflink", files*size); !strings.Contains(c.Describe(), want) {
		t.Errorf("%q is missing from %q", want, c.Describe())
	}
	for i := range files {
		name := fmt.Sprintf("d%d/f%d", i%10, i)
		if extents := fiemap(t, filepath.Join(c.Root(), name)); strings.Count(extents, "shared") == 0 {
			t.Fatalf("%s of the copy shares nothing:\n%s", name, extents)
		}
	}
	if got := sh(t, c, `printf changed > d1/f1; cat d1/f1`); got != "changed" {
		t.Errorf("inside: %q", got)
	}
	if b, err := os.ReadFile(filepath.Join(root, "d1/f1")); err != nil || len(b) != size {
		t.Errorf("the tree's own file has %d bytes now (%v)", len(b), err)
	}
	if p := changes(t, c); len(p) != 1 || p[0].Path != "d1/f1" {
		t.Errorf("changed: %v", p.Paths())
	}
}

// xfs makes and mounts a file system that can share blocks.
func xfs(t testing.TB) string {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("needs the right to mount")
	}
	mkfs := testenv.NeedTool(t, "mkfs.xfs")
	dir := t.TempDir()
	image, disk := filepath.Join(dir, "image"), filepath.Join(dir, "disk")
	write(t, image, "")
	if err := os.Truncate(image, 2<<30); err != nil {
		t.Fatal(err)
	}
	for _, argv := range [][]string{{mkfs, "-q", "-m", "reflink=1", image}, {"mkdir", disk}, {"mount", "-o", "loop", image, disk}} {
		if out, err := exec.Command(argv[0], argv[1:]...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", argv, err, out)
		}
	}
	t.Cleanup(func() {
		if out, err := exec.Command("umount", disk).CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
	})
	return disk
}

// free is how many bytes are free on the disk.
func free(t testing.TB, path string) int64 {
	t.Helper()
	var st unix.Statfs_t
	if err := unix.Statfs(path, &st); err != nil {
		t.Fatal(err)
	}
	return int64(st.Bfree) * st.Bsize
}

// fiemap is what the kernel says of a file's extents.
func fiemap(t testing.TB, path string) string {
	t.Helper()
	out, err := exec.Command(testenv.NeedTool(t, "filefrag"), "-v", path).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return string(out)
}

// BenchmarkCopyHuge opens, resets and closes private copies of a tree of 100,000 files, beside cp -r of it in the same run.
func BenchmarkCopyHuge(b *testing.B) {
	home(b)
	for _, m := range []struct {
		name   string
		method workspace.Method
		disk   func(testing.TB) string
	}{
		{"overlay", workspace.Overlay, func(t testing.TB) string { return t.TempDir() }},
		{"reflink", workspace.Reflink, xfs},
		{"copy", workspace.PlainCopy, func(t testing.TB) string { return t.TempDir() }},
	} {
		b.Run(m.name, func(b *testing.B) {
			disk := m.disk(b)
			root := filepath.Join(disk, "repo")
			size := huge(b, root)
			unix.Sync()
			var opened, reset, looked, closed time.Duration
			used := int64(0)
			lap := func(d *time.Duration, start time.Time) { *d += time.Since(start) }
			o := options(root)
			o.Method = m.method
			for b.Loop() {
				before := free(b, disk)
				start := time.Now()
				c, err := workspace.OpenCopy(b.Context(), o)
				if err != nil {
					b.Fatal(err)
				}
				lap(&opened, start)
				unix.Sync()
				used += before - free(b, disk)
				start = time.Now()
				if err := c.Reset(b.Context()); err != nil {
					b.Fatal(err)
				}
				lap(&reset, start)
				start = time.Now()
				if _, err := c.Changes(b.Context()); err != nil {
					b.Fatal(err)
				}
				lap(&looked, start)
				start = time.Now()
				if err := c.Close(); err != nil {
					b.Fatal(err)
				}
				lap(&closed, start)
			}
			n := float64(b.N)
			for _, f := range []struct {
				d    time.Duration
				unit string
			}{{opened, "open-ms/op"}, {reset, "reset-ms/op"}, {looked, "changes-ms/op"}, {closed, "close-ms/op"}} {
				b.ReportMetric(float64(f.d.Microseconds())/n/1000, f.unit)
			}
			b.ReportMetric(float64(used)/n/float64(size), "disk-used/size")
			b.ReportMetric(0, "ns/op")
		})
	}
	b.Run("cp", func(b *testing.B) {
		disk := b.TempDir()
		huge(b, filepath.Join(disk, "repo"))
		for b.Loop() {
			if out, err := exec.Command("cp", "-a", filepath.Join(disk, "repo"), filepath.Join(disk, "copy")).CombinedOutput(); err != nil {
				b.Fatalf("%v\n%s", err, out)
			}
			b.StopTimer()
			if err := os.RemoveAll(filepath.Join(disk, "copy")); err != nil {
				b.Fatal(err)
			}
			b.StartTimer()
		}
		b.ReportMetric(float64(b.Elapsed().Milliseconds())/float64(b.N), "ms/op")
		b.ReportMetric(0, "ns/op")
	})
}

// huge makes a tree of 100,000 files in 2,000 folders, and returns its size in bytes.
func huge(t testing.TB, root string) int64 {
	t.Helper()
	text := []byte(strings.Repeat("a line of some text\n", 200))
	for d := range 2000 {
		dir := filepath.Join(root, fmt.Sprintf("d%d/e%d", d%40, d))
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		for f := range 50 {
			if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("file%d.txt", f)), text, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	return 100_000 * int64(len(text))
}
