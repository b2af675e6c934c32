package main

import (
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"fettle/internal/testenv/disk"
	"fettle/internal/verdict"

	"github.com/rogpeppe/go-internal/txtar"
)

// failures are the ways in which a disk fails.
var failures = []struct {
	name  string
	fault disk.Fault
	todo  string // what fettle advises
}{
	{"full", disk.Fault{Error: syscall.ENOSPC, Kinds: []disk.Kind{disk.Create, disk.Mkdir, disk.Symlink, disk.Link, disk.Rename, disk.Write, disk.Truncate}},
		"free some space"},
	{"one error", disk.Fault{Error: syscall.EIO, Once: true}, "see what the system's log says"},
	{"broken", disk.Fault{Error: syscall.EIO}, "see what the system's log says"},
	{"read-only from then on", disk.Fault{Error: syscall.EROFS}, "make the file system writable"},
	{"one read", disk.Fault{Error: syscall.EIO, Once: true, Kinds: []disk.Kind{disk.Read}}, "see what the system's log says"},
	{"every read", disk.Fault{Error: syscall.EIO, Kinds: []disk.Kind{disk.Read}}, "see what the system's log says"},
}

// TestDiskFails lets the disk fail at an operation of fettle's: full, with an error once or for good, read-only from then on, or not to be read. It
// demands that fettle ends with a documented code and, if it could not do its work, says in one line why and what to do; that it
// did all of its work or left the files as they were; and that the next fettle, on a disk that works again, finds or makes
// everything as TestKilledAnywhere wants it.
//
// FETTLE_FAILS says at how many operations of each command: 1 of some commands, in continuous integration 2 of all; when there are not so many, all of
// them fail in each of the ways, as in make soak.
func TestDiskFails(t *testing.T) {
	times, seed := soak(t, "FETTLE_FAILS", 1, 2)
	f := &failing{dice: rand.New(rand.NewPCG(seed, 0)), at: folder(t), ready: map[string]disk.Image{}}
	f.prepare(t, build(t))
	for _, command := range slices.Sorted(maps.Keys(f.ready)) {
		if times == 1 && !slices.Contains([]string{"apply ../more.diff", "fix", "run", "undo"}, command) {
			continue
		}
		t.Run(command, func(t *testing.T) { f.all(t, command, times) })
	}
}

// failing is a repository on a disk that will fail.
type failing struct {
	dice  *rand.Rand
	at    string
	yard  yard
	ready map[string]disk.Image // by command: a disk on which it has something to do
	count int                   // of the failures

	before map[string]file // the files before the command under way
}

// prepare makes a repository, and keeps it as it is before each of the commands.
func (f *failing) prepare(t *testing.T, bin string) {
	small, err := txtar.ParseFile(filepath.Join("testdata", "small.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	d := disk.Mount(t, f.at)
	y := newYard(t, bin, f.at, "failing", small, f.dice)
	diff, err := os.ReadFile(filepath.Join("testdata", "more.diff"))
	y.must(err)
	y.must(os.WriteFile(filepath.Join(f.at, "more.diff"), diff, 0o600))
	keep := func(commands ...string) {
		im := d.Begin()
		for _, c := range commands {
			f.ready[c] = im
		}
	}
	do := func(command string) {
		if code, said := y.fettle(strings.Fields(command)...); code != 0 && code != 7 {
			t.Fatalf("fettle %s: exit code %d\n%s", command, code, said)
		}
	}
	keep("fix", "fix --commit", "run", "apply ../more.diff")
	y.interrupted()
	keep("resume")
	do("resume")
	do("undo")
	do("apply ../more.diff")
	do("fix")
	keep("undo", "gc --older-than 1ns", "rollback")
	do("undo")
	keep("redo")
	do("fix --dry-run")
	keep("accept", "discard")
	do("discard")
	do("fix --approve format")
	keep("approve", "reject")
	f.yard = *y
	d.Unmount()
}

// outcome is what a command leaves on a disk that works.
type outcome struct {
	code          int
	before, after map[string]file
}

// all lets the disk fail at so many operations of one command, each time in another way; or, when there are not so many, at every
// operation in every way.
func (f *failing) all(t *testing.T, command string, times int) {
	var well outcome
	done := f.one(t, command, disk.Fault{}, func(y *yard, code int, _ string, _ disk.Tally) { well = outcome{code, f.before, y.files()} })
	most := make([]int, len(failures)) // operations that can fail, by the way of failing
	for way, f := range failures {
		most[way] = done.Concerned(f.fault)
	}
	n := slices.Max(most)
	t.Logf("operations that can fail, by the way: %v", most)
	fail := func(way int, at int) {
		fault := failures[way].fault
		fault.At = at
		f.one(t, command, fault, func(y *yard, code int, said string, tally disk.Tally) {
			y.clear(code, said, failures[way].todo, tally)
			y.whole(well, code, tally)
		})
		if t.Failed() {
			t.Fatalf("%s: at operation %d", failures[way].name, at)
		}
	}
	for ; times < n && times > 0; times-- {
		f.count++
		way := f.count % len(failures)
		fail(way, 1+f.dice.IntN(most[way]))
	}
	for at := 1; at <= n && times > 0; at++ {
		for way := range failures {
			if at <= most[way] {
				fail(way, at)
			}
		}
	}
}

// one does a command on a disk that fails, and looks at what it said and what is left.
func (f *failing) one(t *testing.T, command string, fault disk.Fault, look func(y *yard, code int, said string, tally disk.Tally)) disk.Tally {
	y := f.yard
	y.t, y.edits, y.said = t, slices.Clone(f.yard.edits), nil
	d := disk.Mount(t, f.at)
	y.must(f.ready[command].Store(f.at))
	if strings.HasPrefix(command, "gc") {
		y.forget()
	}
	f.before = y.files()
	d.Begin()
	d.Fail(fault)
	code, said := y.fettle(strings.Fields(command)...)
	tally, done := d.Fail(disk.Fault{}), d.Ops()
	y.nothingForeign()
	y.settle()
	y.exact()
	y.gone()
	look(&y, code, said, tally)
	if t.Failed() {
		t.Logf("fettle %s: exit code %d\n%s\nfailed first: %s %s; the last operations:", command, code, said, tally.First.Kind, tally.First.Path)
		for _, o := range done[max(0, len(done)-20):] {
			t.Logf("  %s %s %s", o.Kind, o.Path, o.To)
		}
	}
	d.Unmount()
	return tally
}

// clear demands that what fettle said is of use: an exit code that its help explains, and one line with the cause and what to do.
func (y *yard) clear(code int, said, todo string, tally disk.Tally) {
	y.t.Helper()
	documented := slices.ContainsFunc(verdict.Ends, func(e verdict.End) bool { return e.ExitCode() == code })
	if !documented && code != verdict.ExitUsage {
		y.t.Errorf("exit code %d", code)
	}
	_, last, found := strings.Cut("\n"+said, "\nfettle: ")
	if code != verdict.Halted.ExitCode() && !found {
		return // the fault did not matter
	}
	if tally.Failed == 0 || found && strings.Count(last, "\n") != 1 || !strings.Contains(said, todo) {
		y.t.Errorf("%d operations failed (%s), and fettle says %q", tally.Failed, todo, last)
	}
}

// whole demands that the files are as before or as the command leaves them on a disk that works; the latter if it says that it
// did its work. It cannot have, when something that it had to know to be on the disk was not synced.
func (y *yard) whole(well outcome, code int, tally disk.Tally) {
	y.t.Helper()
	files := y.files()
	done := maps.Equal(files, well.after)
	if code == well.code && !done || !done && !maps.Equal(files, well.before) {
		y.t.Errorf("exit code %d, and the files are %v", code, files)
	}
	path := tally.First.Path
	synced := tally.First.Kind == disk.Sync || tally.First.Kind == disk.SyncFolder
	// git's files are git's matter; and the database itself takes no notice when its folder cannot be synced.
	ours := !strings.HasPrefix(path, "repo/.git/") || strings.HasPrefix(path, "repo/.git/fettle/main/") && !strings.Contains(path, "/state.db")
	if synced && ours && code == well.code {
		y.t.Errorf("%s could not be synced, and fettle says nothing", path)
	}
}

// A file system that is read-only from the beginning: fettle says so, whatever it is asked, and looking works where there is
// nothing to be written down.
func TestReadOnlyDisk(t *testing.T) {
	bin := build(t)
	small, err := txtar.ParseFile(filepath.Join("testdata", "small.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	for _, used := range []bool{false, true} {
		t.Run(map[bool]string{false: "new", true: "used"}[used], func(t *testing.T) {
			at, elsewhere := folder(t), folder(t)
			disk.Memory(t, at)
			y := newYard(t, bin, at, "readonly", small, nil)
			y.env = append(y.env, "HOME="+elsewhere, "TMPDIR="+elsewhere)
			if used {
				if code, said := y.fettle("fix"); code != 0 {
					t.Fatal(said)
				}
			}
			before := y.files()
			disk.Freeze(t, at)
			for _, command := range []string{"run", "fix", "undo", "gc", "apply fettle.yaml", "init --force"} {
				code, said := y.fettle(strings.Fields(command)...)
				if code != verdict.Halted.ExitCode() || strings.Count(said, "\n") != 1 || !strings.Contains(said, "read-only file system; make the file system writable") || strings.Contains(said, "; remove ") {
					t.Errorf("fettle %s: exit code %d, %q", command, code, said)
				}
			}
			for _, command := range []string{"config", "doctor", "graph", "version"} {
				if code, said := y.fettle(command); code > 1 {
					t.Errorf("fettle %s: exit code %d, %q", command, code, said)
				}
			}
			if !maps.Equal(y.files(), before) {
				t.Errorf("the files are %v", y.files())
			}
		})
	}
}
