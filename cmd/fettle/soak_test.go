package main

import (
	"bufio"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"fettle/internal/testenv"
)

// TestKilledAnywhere kills fettle with SIGKILL at random moments of its work on the sample repositories, and demands each time:
// every file holds what its owner or the journal says, all of a change or nothing; nothing is left running, mounted, locked
// or lying about; and the next fettle goes on.
//
// FETTLE_SOAK says how many times; make soak takes 500, continuous integration 24. A quarter of them meets the Go repository, whose commands
// take longest. FETTLE_SOAK_SEED repeats a run's choices.
func TestKilledAnywhere(t *testing.T) {
	kills, seed := soak(t, "FETTLE_SOAK", 6, 24)
	bin := build(t)
	times := map[string]int{"go": kills / 4, "python": kills - kills/4}
	for i, demo := range []string{"go", "python"} {
		if demo == "python" {
			testenv.NeedTool(t, "pytest")
			testenv.NeedTool(t, "ruff")
		}
		y := newYard(t, bin, folder(t), demo, sample(t, demo), rand.New(rand.NewPCG(seed, uint64(i))))
		y.patch = manyFiles(t, y)
		for n := 0; y.killed < times[demo]; n++ {
			y.round(n)
			if t.Failed() {
				t.Fatalf("%s repository, after:\n%s", demo, strings.Join(y.said, "\n"))
			}
		}
		t.Logf("%s: %d killed, by command %v; of these after files had begun to change %d: %v; %d ended by themselves", demo, y.killed, y.by, y.writing, y.at, y.ended)
		y.everywhere()
	}
}

// everywhere demands that so many kills have met what they are for: work on files, and every command.
func (y *yard) everywhere() {
	y.t.Helper()
	const some, many = 100, 250
	if y.killed >= some && y.writing == 0 {
		y.t.Errorf("of %d kills none came after files had begun to change", y.killed)
	}
	if y.killed < many {
		return
	}
	for _, args := range y.commands() {
		if y.by[args[0]] == 0 {
			y.t.Errorf("of %d kills none met fettle %s", y.killed, args[0])
		}
	}
}

// round starts one command, kills it somewhere, looks at what is there, and lets the next fettle recover.
func (y *yard) round(n int) {
	y.t.Helper()
	y.person(n)
	args := y.choose()
	switch args[0] { // there may be nothing to do all the same
	case "approve", "reject":
		y.fettle("fix", "--approve", "format")
	case "accept", "discard":
		y.fettle("fix", "--dry-run", "format")
	case "redo":
		y.fettle("undo")
	case "gc":
		y.forget()
	}
	before, killed := y.files(), y.killed
	y.kill(args)
	y.alone()
	if y.killed > killed && !maps.Equal(before, y.files()) {
		y.writing++
		y.at[args[0]]++
	}
	y.unrecorded()
	y.nothingForeign()
	y.settle()
	y.exact()
}

// unrecorded looks at the files that are written without a record, and takes them away: each is whole or was never there, and what
// a killed fettle left beside one goes when the next writes it.
func (y *yard) unrecorded() {
	y.t.Helper()
	for name, write := range map[string][]string{"fettle.yaml": {"init"}, "fettle-baseline.json": {"run", "--write-baseline"}} {
		file := filepath.Join(y.root, name)
		if _, err := os.Lstat(file); err == nil {
			if code, said := y.fettle("doctor"); code > 1 || strings.Contains(said, name+":") {
				y.t.Errorf("%s is not whole: %s", name, said)
			}
			y.must(os.Remove(file))
		}
		left, _ := filepath.Glob(filepath.Join(y.root, ".fettle-"+name+"-*"))
		if len(left) == 0 {
			continue
		}
		y.must(os.Chtimes(left[0], time.Time{}, time.Now().Add(-time.Hour)))
		if code, said := y.fettle(write...); code > 1 {
			y.t.Errorf("fettle %s: exit code %d\n%s", strings.Join(write, " "), code, said)
		}
		y.must(os.Remove(file))
	}
}

// forget makes ready for a gc that forgets every change: from now on the files are what they are.
func (y *yard) forget() {
	y.t.Helper()
	last := y.last()
	y.edits = nil
	for path, f := range y.files() {
		y.edits = append(y.edits, personal{path, f, last})
	}
}

// choose is the next command.
func (y *yard) choose() []string {
	commands := y.commands()
	return commands[y.dice.IntN(len(commands))]
}

// commands are those that write, and looking at what they run; those with more to do come more often.
func (y *yard) commands() [][]string {
	return [][]string{
		{"fix"}, {"fix"}, {"fix"}, {"fix", "--commit"}, {"fix", "--dry-run"}, {"fix", "lint", "format"},
		{"resume"}, {"resume"}, {"undo"}, {"redo"}, {"rollback"}, {"accept"}, {"discard"}, {"gc", "--older-than", "1ns"}, {"run"},
		{"apply", y.patch}, {"approve"}, {"reject"}, {"init"}, {"run", "--write-baseline"},
	}
}

// person lets a person edit something, most of the time: break again what was healed, or touch a file of their own.
func (y *yard) person(n int) {
	if n == 0 || y.dice.IntN(4) == 0 {
		return
	}
	last := y.last()
	if y.dice.IntN(4) == 0 {
		y.write("notes.txt", fmt.Sprintf("note %d\n", n), last)
		return
	}
	if e := y.first[y.dice.IntN(len(y.first))]; e.mode.IsRegular() {
		y.write(e.path, e.text, last)
	}
}

// last is the number of the last change in the journal.
func (y *yard) last() int64 {
	y.t.Helper()
	last := int64(0)
	sets, _ := y.journal()
	for _, s := range sets {
		last = max(last, s.ID)
	}
	return last
}

// manyFiles writes a diff of twenty new files, every other one to be run, beside the repository, and returns its path.
func manyFiles(t *testing.T, y *yard) string {
	t.Helper()
	var diff strings.Builder
	for n := range 20 {
		name, mode := fmt.Sprintf("made/%d/%02d.txt", n%3, n), []string{"100644", "100755"}[n%2]
		fmt.Fprintf(&diff, "diff --git a/%s b/%[1]s\nnew file mode %s\n--- /dev/null\n+++ b/%[1]s\n@@ -0,0 +1 @@\n+number %[3]d\n", name, mode, n)
	}
	path := filepath.Join(filepath.Dir(y.root), "many.diff")
	y.must(os.WriteFile(path, []byte(diff.String()), 0o600))
	return path
}

// moment is when to kill: a while after a line of the story that says something, or after so many lines of it; after none of
// them, when it says neither.
type moment struct {
	says  string
	line  int
	pause time.Duration
}

func (m moment) at(n int, line string) bool {
	return m.says != "" && strings.Contains(line, m.says) || m.says == "" && n == m.line
}

// when picks a moment for a command. Half of those of the long commands lie where files are written.
func (y *yard) when(args []string) moment {
	pause := time.Duration(y.dice.IntN(200)) * 100 * time.Microsecond
	switch args[0] {
	case "fix", "resume", "approve", "run":
		at := []moment{{says: ": apply:"}, {says: ": apply:"}, {says: ": confirm:"}, {says: ": commit:"}, {line: y.dice.IntN(12)}, {line: y.dice.IntN(12)}, {line: y.dice.IntN(24)}}
		m := at[y.dice.IntN(len(at))]
		m.pause = pause
		return m
	}
	return moment{pause: 2 * pause} // these tell no story, and take a few dozen milliseconds
}

// kill starts fettle and kills it at some moment. It may have ended before.
func (y *yard) kill(args []string) {
	y.t.Helper()
	y.killAt(y.when(args), args)
}

// killAt starts fettle and kills it at that moment, or finds that it has ended before.
func (y *yard) killAt(m moment, args []string) {
	y.t.Helper()
	cmd := exec.Command(y.bin, append(slices.Clone(args), "--verbose")...)
	cmd.Dir, cmd.Env = y.root, y.env
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	out, err := cmd.StderrPipe()
	y.must(err)
	y.must(cmd.Start())
	reached, story := make(chan struct{}), make(chan string, 1)
	go func() {
		var heard strings.Builder
		in, n := bufio.NewScanner(out), 0
		if m == (moment{pause: m.pause}) {
			close(reached)
			n = 1 << 30
		}
		for ; in.Scan(); n++ {
			heard.WriteString(in.Text() + "\n")
			if m.at(n, in.Text()) && n < 1<<20 {
				close(reached)
				n = 1 << 30
			}
		}
		story <- heard.String()
	}()
	ended := make(chan struct{})
	heard := ""
	go func() { heard = <-story; close(ended) }()
	select {
	case <-reached:
		<-time.After(m.pause)
	case <-ended:
	}
	_ = cmd.Process.Kill()
	select {
	case <-ended:
	case <-time.After(20 * time.Second):
		y.t.Errorf("something keeps the output of fettle %s open", strings.Join(args, " "))
	}
	err = cmd.Wait()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.Sys().(syscall.WaitStatus).Signaled() {
		y.killed++
		y.by[args[0]]++
	} else {
		y.ended++
	}
	if strings.Contains(heard, "panic:") {
		y.t.Errorf("fettle %s\n%s", strings.Join(args, " "), heard)
	}
	y.said = append(y.said, fmt.Sprintf("fettle %s: %v", strings.Join(args, " "), cmd.ProcessState))
}

// alone demands that everything that was started has ended within some seconds, and that nothing is mounted.
func (y *yard) alone() {
	y.t.Helper()
	y.gone()
	mounts, err := os.ReadFile("/proc/self/mountinfo")
	y.must(err)
	if strings.Contains(string(mounts), filepath.Dir(y.root)) {
		y.t.Errorf("still mounted:\n%s", mounts)
	}
}

// processes are those that carry our mark, or run our program under any name.
func (y *yard) processes() []string {
	dirs, _ := filepath.Glob("/proc/[0-9]*")
	var out []string
	for _, d := range dirs {
		env, _ := os.ReadFile(d + "/environ")
		exe, _ := os.Readlink(d + "/exe")
		if strings.HasPrefix(exe, y.bin) || slices.Contains(strings.Split(string(env), "\x00"), y.mark) {
			line, _ := os.ReadFile(d + "/cmdline")
			if len(line) > 0 { // else it has ended and waits for its parent
				out = append(out, strings.ReplaceAll(string(line), "\x00", " "))
			}
		}
	}
	return out
}
