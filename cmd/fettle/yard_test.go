package main

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"fettle/internal/testenv"

	"github.com/rogpeppe/go-internal/txtar"
)

// soak is how often a test does what it does, and the seed of its choices. The variable says how often.
func soak(t *testing.T, variable string, here, ci int) (times int, seed uint64) {
	t.Helper()
	times = here
	if testenv.CI() {
		times = ci
	}
	if n, err := strconv.Atoi(os.Getenv(variable)); err == nil {
		times = n
	}
	t.Logf("%s=%d", variable, times)
	return times, testenv.Seed(t)
}

var program = testenv.Built{Build: func(dir string) error {
	if out, err := exec.Command("go", "build", "-buildvcs=false", "-o", filepath.Join(dir, "fettle"), ".").CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	return nil
}}

// build is the program under test, as users get it.
func build(t *testing.T) string {
	t.Helper()
	return filepath.Join(program.In(t), "fettle")
}

// yard is a repository in which fettle works and is killed, and a person edits in between.
type yard struct {
	t     *testing.T
	bin   string
	root  string
	tmp   string // for temporary files
	patch string // what there is to apply
	env   []string
	mark  string // in the environment of everything that is started here
	dice  *rand.Rand
	edits []personal // of the person, in order
	first []personal // what the person began with
	head  string
	said  []string // what was done, for a failure's report

	killed, writing, ended int
	by, at                 map[string]int // kills, by command; those after files had begun to change
}

// file is what a file is: its mode, and its bytes, or where the link leads.
type file struct {
	mode fs.FileMode
	text string
}

// personal is what a person made of a file, and the last change in the journal at that time.
type personal struct {
	path string
	file
	after int64
}

// newYard makes a yard in the folder dir, whose repository holds the files of an archive. name is for the mark.
func newYard(t *testing.T, bin, dir, name string, files *txtar.Archive, dice *rand.Rand) *yard {
	t.Helper()
	home := filepath.Join(dir, "home")
	y := &yard{t: t, bin: bin, by: map[string]int{}, at: map[string]int{}, root: filepath.Join(dir, "repo"), tmp: filepath.Join(dir, "tmp"), dice: dice,
		mark: fmt.Sprintf("FETTLE_SOAK_MARK=%d-%s", os.Getpid(), name)}
	gopath, cache := goEnv(t, "GOPATH"), goEnv(t, "GOCACHE")
	y.env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home, "GIT_CONFIG_NOSYSTEM=1", "GOPATH=" + gopath, "GOCACHE=" + cache,
		"GOFLAGS=-buildvcs=false", "GOTOOLCHAIN=local", "TMPDIR=" + y.tmp, y.mark}
	y.must(os.MkdirAll(home, 0o700))
	y.must(os.MkdirAll(y.tmp, 0o700))
	y.must(os.WriteFile(filepath.Join(home, ".gitconfig"), []byte("[user]\n\tname = Ann\n\temail = ann@example.com\n"), 0o600))
	for _, f := range files.Files {
		y.write(f.Name, string(f.Data), 0)
	}
	y.must(os.MkdirAll(filepath.Join(y.root, "tools"), 0o755))
	y.must(os.WriteFile(filepath.Join(y.root, "tools", "greet"), nil, 0o755))
	y.write("tools/greet", "#!/bin/sh\necho hello\n", 0)
	y.must(os.Symlink("tools/greet", filepath.Join(y.root, "greet")))
	y.edits = append(y.edits, personal{"greet", file{fs.ModeSymlink, "tools/greet"}, 0})
	y.first = slices.Clone(y.edits)
	y.git("init", "-q")
	y.git("add", ".")
	y.git("commit", "-qm", "first")
	y.head = y.git("rev-parse", "HEAD")
	return y
}

// sample is a sample repository of demo/.
func sample(t *testing.T, name string) *txtar.Archive {
	t.Helper()
	a, err := txtar.ParseFile(filepath.Join("..", "..", "demo", name+".txtar"))
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// folder is a temporary folder, without symbolic links in its path.
func folder(t *testing.T) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return dir
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
	info, err := os.Lstat(full)
	y.must(err)
	y.edits = append(y.edits, personal{path, file{info.Mode(), text}, after})
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

// fettle runs a command to its end, and returns its exit code and all that it said.
func (y *yard) fettle(args ...string) (code int, said string) {
	y.t.Helper()
	cmd := exec.Command(y.bin, args...)
	cmd.Dir, cmd.Env = y.root, y.env
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		y.t.Fatal(err)
	}
	y.said = append(y.said, fmt.Sprintf("fettle %s: %v", strings.Join(args, " "), cmd.ProcessState))
	if strings.Contains(string(out), "panic:") || strings.Contains(string(out), "goroutine ") {
		y.t.Errorf("fettle %s:\n%s", strings.Join(args, " "), out)
	}
	return cmd.ProcessState.ExitCode(), string(out)
}
