package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"fettle/internal/edit"
	"fettle/internal/journal"
	"fettle/internal/store"
	"fettle/internal/testenv"

	"github.com/rogpeppe/go-internal/txtar"
)

// TestKilledAnywhere kills fettle with SIGKILL at random moments of its work on the sample repositories, and demands each time:
// every file holds what its owner or the journal says, all of a change or nothing; nothing is left running, mounted, locked
// or lying about; and the next fettle goes on.
//
// FETTLE_SOAK says how many times; make soak takes 500, continuous integration 50. FETTLE_SOAK_SEED repeats a run's choices.
func TestKilledAnywhere(t *testing.T) {
	kills := 6
	if testenv.CI() {
		kills = 50
	}
	if n, err := strconv.Atoi(os.Getenv("FETTLE_SOAK")); err == nil {
		kills = n
	}
	seed := uint64(time.Now().UnixNano())
	if n, err := strconv.ParseUint(os.Getenv("FETTLE_SOAK_SEED"), 10, 64); err == nil {
		seed = n
	}
	t.Logf("FETTLE_SOAK=%d FETTLE_SOAK_SEED=%d", kills, seed)
	bin := build(t)
	for i, demo := range []string{"go", "python"} {
		if demo == "python" {
			testenv.NeedTool(t, "pytest")
			testenv.NeedTool(t, "ruff")
		}
		y := newYard(t, bin, demo, rand.New(rand.NewPCG(seed, uint64(i))))
		for n := 0; y.killed < kills/2; n++ {
			y.round(n)
			if t.Failed() {
				t.Fatalf("%s repository, after:\n%s", demo, strings.Join(y.said, "\n"))
			}
		}
		t.Logf("%s: %d killed, of these at work on files %d; %d ended by themselves", demo, y.killed, y.writing, y.ended)
	}
}

// build builds the program under test, as users get it.
func build(t *testing.T) string {
	t.Helper()
	bin := filepath.Join(t.TempDir(), "fettle")
	if out, err := exec.Command("go", "build", "-buildvcs=false", "-o", bin, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return bin
}

// yard is a repository in which fettle works and is killed, and a person edits in between.
type yard struct {
	t     *testing.T
	bin   string
	root  string
	env   []string
	mark  string // in the environment of everything that is started here
	dice  *rand.Rand
	edits []personal // of the person, in order
	head  string
	said  []string // what was done, for a failure's report

	killed, writing, ended int
}

// personal is what a person wrote to a file, and the last change in the journal at that time.
type personal struct {
	path  string
	text  string
	after int64
}

func newYard(t *testing.T, bin, demo string, dice *rand.Rand) *yard {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	home := filepath.Join(dir, "home")
	y := &yard{t: t, bin: bin, root: filepath.Join(dir, "repo"), dice: dice, mark: fmt.Sprintf("FETTLE_SOAK_MARK=%d-%s", os.Getpid(), demo)}
	gopath, cache := goEnv(t, "GOPATH"), goEnv(t, "GOCACHE")
	y.env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home, "GIT_CONFIG_NOSYSTEM=1", "GOPATH=" + gopath, "GOCACHE=" + cache,
		"GOFLAGS=-buildvcs=false", "GOTOOLCHAIN=local", y.mark}
	y.must(os.MkdirAll(home, 0o700))
	y.must(os.WriteFile(filepath.Join(home, ".gitconfig"), []byte("[user]\n\tname = Ann\n\temail = ann@example.com\n"), 0o600))
	a, err := txtar.ParseFile(filepath.Join("..", "..", "demo", demo+".txtar"))
	y.must(err)
	for _, f := range a.Files {
		y.write(f.Name, string(f.Data), 0)
	}
	y.git("init", "-q")
	y.git("add", ".")
	y.git("commit", "-qm", "first")
	y.head = y.git("rev-parse", "HEAD")
	return y
}

func goEnv(t *testing.T, name string) string {
	t.Helper()
	out, err := exec.Command("go", "env", name).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

func (y *yard) must(err error) {
	y.t.Helper()
	if err != nil {
		y.t.Fatal(err)
	}
}

// write is a person's edit.
func (y *yard) write(path, text string, after int64) {
	full := filepath.Join(y.root, filepath.FromSlash(path))
	y.must(os.MkdirAll(filepath.Dir(full), 0o755))
	y.must(os.WriteFile(full, []byte(text), 0o644))
	y.edits = append(y.edits, personal{path, text, after})
}

func (y *yard) git(args ...string) string {
	y.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env = y.root, y.env
	out, err := cmd.CombinedOutput()
	if err != nil {
		y.t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

// round starts one command, kills it somewhere, looks at what is there, and lets the next fettle recover.
func (y *yard) round(n int) {
	y.t.Helper()
	y.person(n)
	args := y.choose()
	y.kill(args)
	y.alone()
	y.nothingForeign()
	y.settle()
	y.exact()
}

// choose is the next command.
func (y *yard) choose() []string {
	commands := [][]string{
		{"fix"}, {"fix"}, {"fix"}, {"fix", "--commit"}, {"fix", "--dry-run"}, {"fix", "lint", "format"},
		{"resume"}, {"resume"}, {"undo"}, {"redo"}, {"rollback"}, {"accept"}, {"gc"}, {"run"},
	}
	return commands[y.dice.IntN(len(commands))]
}

// person lets a person edit something now and then: break again what was healed, or touch a file of their own.
func (y *yard) person(n int) {
	if n == 0 || y.dice.IntN(2) > 0 {
		return
	}
	last := int64(0)
	sets, _ := y.journal()
	for _, s := range sets {
		last = max(last, s.ID)
	}
	if y.dice.IntN(4) == 0 {
		y.write("notes.txt", fmt.Sprintf("note %d\n", n), last)
		return
	}
	i := y.dice.IntN(len(y.edits))
	y.write(y.edits[i].path, y.edits[i].text, last)
}

// moment is when to kill: a while after a line of the story that says something, or after so many lines of it.
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
	case "fix", "resume", "run":
		at := []moment{{says: ": apply:"}, {says: ": apply:"}, {says: ": confirm:"}, {says: ": commit:"}, {line: y.dice.IntN(12)}, {line: y.dice.IntN(12)}, {line: y.dice.IntN(40)}}
		m := at[y.dice.IntN(len(at))]
		m.pause = pause
		return m
	}
	return moment{pause: pause} // these tell no story, and take a few dozen milliseconds
}

// kill starts fettle and kills it at some moment. It may have ended before.
func (y *yard) kill(args []string) {
	y.t.Helper()
	m := y.when(args)
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
		if args[0] != "fix" && args[0] != "resume" && args[0] != "run" {
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
		if strings.Contains(heard, ": apply:") {
			y.writing++
		}
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
	deadline := time.Now().Add(15 * time.Second)
	left := y.processes()
	for len(left) > 0 && time.Now().Before(deadline) {
		<-time.After(5 * time.Millisecond)
		left = y.processes()
	}
	if len(left) > 0 {
		y.t.Errorf("still running: %q", left)
	}
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

// files are the files of the tree but git's own.
func (y *yard) files() map[string]string {
	out := map[string]string{}
	y.must(filepath.WalkDir(y.root, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == ".git" || d.Name() == "__pycache__" || strings.HasSuffix(d.Name(), "_cache")) {
			return fs.SkipDir
		}
		if d.Type().IsRegular() {
			data, err := os.ReadFile(p)
			if err != nil {
				return err
			}
			rel, _ := filepath.Rel(y.root, p)
			out[filepath.ToSlash(rel)] = string(data)
		}
		return nil
	}))
	return out
}

// journal reads what fettle wrote down, with the content of images.
func (y *yard) journal() (sets []journal.Set, image func(journal.Image) string) {
	found, _ := filepath.Glob(filepath.Join(y.root, ".git", "fettle", "*", store.File))
	if len(found) == 0 {
		return nil, nil
	}
	ctx, dir := context.Background(), filepath.Dir(found[0])
	db, err := store.Open(ctx, dir)
	y.must(err)
	defer db.Close()
	j, err := journal.Open(db, dir)
	y.must(err)
	sets, err = j.List(ctx, journal.Filter{})
	y.must(err)
	slices.Reverse(sets)
	images := map[edit.Hash]string{}
	for _, s := range sets {
		for _, e := range s.Entries {
			for _, i := range []journal.Image{e.Before, e.After} {
				if !i.Exists {
					continue
				}
				data, err := j.Blob(i.Hash)
				if errors.Is(err, journal.ErrNotFound) && s.State != journal.Done {
					continue // it was killed before its images were safe, and so before its first effect
				}
				y.must(err)
				images[i.Hash] = string(data)
			}
		}
	}
	return sets, func(i journal.Image) string { return images[i.Hash] }
}

// nothingForeign demands, right after the kill, that every file holds something that its owner wrote, or that the journal
// knows: no file is torn or lost.
func (y *yard) nothingForeign() {
	y.t.Helper()
	known := map[string]bool{}
	for _, e := range y.edits {
		known[e.path+"\x00"+e.text] = true
	}
	sets, image := y.journal()
	deleted := map[string]bool{}
	for _, s := range sets {
		for _, e := range s.Entries {
			for _, i := range []journal.Image{e.Before, e.After} {
				if i.Exists {
					known[e.Path+"\x00"+image(i)] = true
				} else {
					deleted[e.Path] = true
				}
			}
		}
	}
	files := y.files()
	for path, text := range files {
		if temporary := strings.HasPrefix(filepath.Base(path), ".fettle-"); !known[path+"\x00"+text] && !temporary {
			y.t.Errorf("%s holds what nobody wrote: %q", path, text)
		}
	}
	for _, e := range y.edits {
		if _, ok := files[e.path]; !ok && !deleted[e.path] {
			y.t.Errorf("%s is gone", e.path)
		}
	}
}

// settle lets the next fettle recover, and demands that it can. The lock of a copy is let go a moment after its last process
// can be seen no more, so its folder may be left for the next fettle but one.
func (y *yard) settle() {
	y.t.Helper()
	for deadline := time.Now().Add(10 * time.Second); ; {
		cmd := exec.Command(y.bin, "gc")
		cmd.Dir, cmd.Env = y.root, y.env
		if out, err := cmd.CombinedOutput(); err != nil {
			y.t.Errorf("fettle gc after the kill: %v\n%s", err, out)
			return
		}
		if len(y.copies()) == 0 || time.Now().After(deadline) {
			return
		}
	}
}

func (y *yard) copies() []string {
	copies, _ := filepath.Glob(filepath.Join(y.root, ".git", "fettle", "*", "copies", "*"))
	return copies
}

// exact demands that the tree is what the journal says, change by change, with the person's edits in between; that no
// change is half-way; and that nothing lies about.
func (y *yard) exact() {
	y.t.Helper()
	want := map[string]string{}
	edits := slices.Clone(y.edits)
	catchUp := func(id int64) {
		for len(edits) > 0 && edits[0].after < id {
			want[edits[0].path] = edits[0].text
			edits = edits[1:]
		}
	}
	sets, image := y.journal()
	for _, s := range sets {
		catchUp(s.ID)
		if s.State == journal.Intent {
			y.t.Errorf("change %d is still under way", s.ID)
		}
		if s.State != journal.Done {
			continue
		}
		for _, e := range s.Entries {
			if e.After.Exists {
				want[e.Path] = image(e.After)
			} else {
				delete(want, e.Path)
			}
		}
	}
	catchUp(1 << 62)
	if have := y.files(); !maps.Equal(have, want) {
		for _, path := range slices.Sorted(maps.Keys(have)) {
			if have[path] != want[path] {
				y.t.Errorf("%s holds %q, want %q", path, have[path], want[path])
			}
		}
		for path := range want {
			if _, ok := have[path]; !ok {
				y.t.Errorf("%s is gone", path)
			}
		}
	}
	if copies := y.copies(); len(copies) > 0 {
		y.t.Errorf("left: %v", copies)
	}
	if locks, _ := filepath.Glob(filepath.Join(y.root, ".git", "*.lock")); len(locks) > 0 {
		y.t.Errorf("left: %v", locks)
	}
	if head, staged := y.git("rev-parse", "HEAD"), y.git("diff", "--cached", "--name-only"); head != y.head || staged != "" {
		y.t.Errorf("HEAD was %s and is %s; staged: %q", y.head, head, staged)
	}
	if trees := y.git("worktree", "list"); strings.Count(trees, "\n") > 0 {
		y.t.Errorf("left: worktrees\n%s", trees)
	}
	y.git("fsck", "--strict")
}
