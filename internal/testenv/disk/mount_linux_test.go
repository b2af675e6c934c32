package disk_test

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"fettle/internal/testenv/disk"
)

func TestMain(m *testing.M) {
	disk.Main()
	os.Exit(m.Run())
}

func mount(t *testing.T) (d *disk.Disk, at string) {
	t.Helper()
	at = t.TempDir()
	return disk.Mount(t, at), at
}

func must(t *testing.T, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

// save writes a file and syncs it.
func save(path, text string) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Sync(), f.Close())
}

func syncFolder(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// What is recorded of a program's work, carried out again, gives what the program left.
func TestRecording(t *testing.T) {
	d, at := mount(t)
	in := func(name string) string { return filepath.Join(at, name) }
	must(t, save(in("before"), "here already"), os.Link(in("before"), in("again")))
	r := disk.Recording{Base: d.Begin()}
	must(t,
		os.Mkdir(in("d"), 0o750),
		save(in("d/new"), "one\ntwo\n"),
		os.Rename(in("d/new"), in("moved")),
		save(in("tmp"), "better"), os.Rename(in("tmp"), in("before")),
		save(in("short"), "longer"), os.Truncate(in("short"), 4),
		save(in("gone"), ""), os.Remove(in("gone")),
		os.Mkdir(in("none"), 0o755), os.Remove(in("none")),
		os.Symlink("moved", in("link")),
		os.Chmod(in("moved"), 0o600),
		mapped(in("mapped")),
	)
	f, err := os.OpenFile(in("moved"), os.O_WRONLY|os.O_APPEND, 0)
	must(t, err)
	_, err = f.WriteString("three\n")
	must(t, err, f.Sync(), f.Close())
	short, err := os.Open(in("short"))
	must(t, err, short.Sync(), short.Close(), syncFolder(in("d")), syncFolder(at))

	r.Ops = d.Ops()
	got, want := r.After(disk.Crash{At: len(r.Ops), Rule: disk.Strict}), d.Begin()
	if !maps.Equal(got.Files(), want.Files()) {
		t.Errorf("carried out again: %q, want %q", got.Files(), want.Files())
	}
	if text := want.Files(); text["moved"] != "one\ntwo\nthree\n" || text["again"] != "here already" || text["before"] != "better" || text["short"] != "long" {
		t.Errorf("on the disk: %q", text)
	}
	for name, id := range want[disk.Root].Names {
		if was := got[got[disk.Root].Names[name]]; was == nil || was.Mode != want[id].Mode || was.Target != want[id].Target {
			t.Errorf("%s: %+v, want %+v", name, was, want[id])
		}
	}
	d.Unmount()
}

// mapped writes a file through memory, as SQLite does.
func mapped(path string) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := f.Truncate(8); err != nil {
		return err
	}
	mem, err := unix.Mmap(int(f.Fd()), 0, 8, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err != nil {
		return err
	}
	copy(mem, "mapped!\n")
	return errors.Join(unix.Msync(mem, unix.MS_SYNC), unix.Munmap(mem), f.Sync())
}

// A file that takes the place of another on the disk below is another file.
func TestEachFileIsItsOwn(t *testing.T) {
	d, at := mount(t)
	d.Begin()
	ids := map[disk.ID]bool{}
	for range 20 {
		must(t, save(filepath.Join(at, "f"), "x"), os.Remove(filepath.Join(at, "f")))
	}
	for _, o := range d.Ops() {
		if o.Kind == disk.Create {
			ids[o.ID] = true
		}
	}
	if len(ids) != 20 {
		t.Errorf("20 files have %d ids", len(ids))
	}
}

func TestFail(t *testing.T) {
	d, at := mount(t)
	f := filepath.Join(at, "f")
	d.Fail(disk.Fault{At: 3, Once: true, Error: syscall.EIO})
	if err := save(f, "x"); !errors.Is(err, syscall.EIO) { // create, write, sync
		t.Errorf("the third operation: %v", err)
	}
	if err := save(f, "y"); err != nil {
		t.Errorf("after it: %v", err)
	}
	d.Fail(disk.Fault{At: 2, Error: syscall.ENOSPC, Kinds: []disk.Kind{disk.Create, disk.Write}})
	must(t, save(filepath.Join(at, "g"), ""))
	for range 2 {
		if err := save(f, "z"); !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("writing: %v", err)
		}
	}
	must(t, os.Remove(f)) // does not count
	if got := d.Fail(disk.Fault{}); got.Counted != 3 || got.Failed != 2 || got.First.Kind != disk.Write || got.First.Path != "f" {
		t.Errorf("%+v", got)
	}
	must(t, save(f, "well again"))
	d.Mark("seen")
	kinds := []disk.Kind{}
	for _, o := range d.Ops()[len(d.Ops())-4:] {
		kinds = append(kinds, o.Kind)
	}
	if want := []disk.Kind{disk.Create, disk.Write, disk.Sync, disk.Mark}; !slices.Equal(kinds, want) {
		t.Errorf("%v, want %v", kinds, want)
	}
}
