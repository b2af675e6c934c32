package cli_test

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"fettle/internal/cli"
	"fettle/internal/guard/confine"
	"fettle/internal/guard/hook"
	"fettle/internal/testenv"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/rogpeppe/go-internal/txtar"
)

var update = flag.Bool("update", false, "rewrite golden parts of the scripts")

// programs are those that stories run beside the machine's own.
var programs = map[string]func(){
	"fettle": func() { os.Exit(cli.Main(os.Args[1:], cli.Stdio())) },
	"fettle-guard": func() {
		h := hook.Hook{Getenv: os.Getenv, Environ: os.Environ()}
		os.Exit(h.Run(os.Stdin, os.Stdout, os.Stderr))
	},
	"mcp-client": mcpClient,
}

func TestMain(m *testing.M) { testscript.Main(m, programs) }

// TestScripts runs the stories in testdata/script: each is one file, readable by anybody, told with the real program, the
// real git and the real tools. Under the race detector fettle takes three times as long, and only those are told that it is for.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Files:               stories(t),
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		Setup:               setup,
		Condition:           condition,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"demo":    layOutDemo,
			"sha":     sha,
			"bytes":   writeBytes,
			"commit":  commitAll,
			"ends":    ends,
			"json":    oneDocument,
			"running": running,
			"release": release,
			"until":   until,
			"exfat":   mountExFAT,
			"port":    freePort,
			"post":    postEvent,
		},
	})
}

// company is what a story says in which fettle is not alone: it waits until fettle is in the middle of its work, or talks to it there.
var company = regexp.MustCompile(`(?m)^(running|until|(! )?exec mcp-client|post) `)

// stories are all of them, or under the race detector those in which fettle has company. What happens side by side where it is alone
// happens in its rooms, and they are tested under the race detector themselves. Where both are run (make test), each story is told once.
func stories(t *testing.T) []string {
	t.Helper()
	all, err := filepath.Glob("testdata/script/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	if !testenv.Race() && !testenv.CI() {
		return all
	}
	return slices.DeleteFunc(all, func(file string) bool {
		story, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		return company.Match(story) != testenv.Race()
	})
}

func setup(env *testscript.Env) error {
	home := filepath.Join(env.WorkDir, ".home")
	if err := os.MkdirAll(home, 0o700); err != nil {
		return err
	}
	env.Setenv("HOME", home)
	env.Setenv("XDG_STATE_HOME", filepath.Join(home, "state"))
	env.Setenv("GIT_CONFIG_GLOBAL", filepath.Join(home, "gitconfig"))
	env.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	env.Setenv("LC_ALL", "C.UTF-8")
	env.Setenv("GOFLAGS", "-mod=mod -buildvcs=false")
	env.Setenv("GOTOOLCHAIN", "local")
	env.Setenv("GOTELEMETRY", "off")
	env.Vars = append(env.Vars, testenv.JVM...)
	folders, err := goFolders()
	if err != nil {
		return err
	}
	for i, name := range goFolderNames {
		env.Setenv(name, folders[i])
	}
	if err := standIn(env); err != nil {
		return err
	}
	env.Setenv("RUSTUP_HOME", rustupHome())
	env.Setenv("DEMO", filepath.Join(sources(), "demo"))
	env.Values[shaKey{}] = map[string]string{}
	return os.WriteFile(filepath.Join(home, "gitconfig"), []byte("[user]\n\tname = Ann\n\temail = ann@example.com\n[init]\n\tdefaultBranch = main\n"), 0o600)
}

// standIn puts a program in the place of Gemini CLI's, which takes a second of the processor whenever the doctor asks for its version. No story
// has it work; that its answer is understood is tested where it does (fix/agent).
func standIn(env *testscript.Env) error {
	dir := filepath.Join(env.WorkDir, ".clients")
	if err := os.Mkdir(dir, 0o755); err != nil {
		return err
	}
	env.Setenv("PATH", dir+string(filepath.ListSeparator)+env.Getenv("PATH"))
	return os.WriteFile(filepath.Join(dir, "gemini"), []byte("#!/bin/sh\necho 0.61.0\n"), 0o755)
}

// rustupHome is where rustup keeps its toolchains, which it would otherwise look for in a story's own home. It need not be there.
func rustupHome() string {
	if dir := os.Getenv("RUSTUP_HOME"); dir != "" {
		return dir
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return ""
	}
	return filepath.Join(home, ".rustup")
}

var goFolderNames = []string{"GOCACHE", "GOMODCACHE", "GOPATH"}

// goFolders are the folders of the go command outside of the stories: no story needs to compile the standard library again.
var goFolders = sync.OnceValues(func() ([]string, error) {
	out, err := exec.Command("go", append([]string{"env"}, goFolderNames...)...).Output()
	return strings.Split(strings.TrimSpace(string(out)), "\n"), err
})

// condition knows [root]: we may become any user; [ci]: this is continuous integration, and takes its time; and [tool:NAME]: the program is on PATH. In continuous integration a missing
// one fails the story.
func condition(cond string) (bool, error) {
	switch cond {
	case "root":
		return os.Geteuid() == 0, nil
	case "ci":
		return testenv.CI(), nil
	case "landlock":
		return confine.Supported() == nil, nil
	}
	name, ok := strings.CutPrefix(cond, "tool:")
	if !ok {
		return false, nil
	}
	_, err := exec.LookPath(name)
	if err != nil && testenv.CI() {
		return false, fmt.Errorf("%s is not on PATH; run make deps", name)
	}
	return err == nil, nil
}

// layOutDemo lays out one of the sample repositories of make demo: demo go FOLDER.
func layOutDemo(ts *testscript.TestScript, _ bool, args []string) {
	a, err := txtar.ParseFile(filepath.Join(sources(), "demo", args[0]+".txtar"))
	ts.Check(err)
	for _, f := range a.Files {
		to := filepath.Join(ts.MkAbs(args[1]), f.Name)
		ts.Check(os.MkdirAll(filepath.Dir(to), 0o755))
		ts.Check(os.WriteFile(to, f.Data, 0o644))
	}
}

// sources is the root of the module. It is looked for by who needs it: the program under test may be started in a folder that is gone.
var sources = sync.OnceValue(func() string {
	wd, err := os.Getwd()
	if err != nil {
		panic(err)
	}
	return filepath.Dir(filepath.Dir(wd))
})

// sha remembers the content of files the first time, and demands afterwards that it is still the same, or with ! that it is
// not: sha FILE….
func sha(ts *testscript.TestScript, neg bool, files []string) {
	seen := ts.Value(shaKey{}).(map[string]string)
	for _, f := range files {
		data, err := os.ReadFile(ts.MkAbs(f))
		ts.Check(err)
		was, known := seen[f]
		switch {
		case !known:
			seen[f] = string(data)
		case neg && was == string(data):
			ts.Fatalf("%s has not changed", f)
		case !neg && was != string(data):
			ts.Fatalf("%s has changed", f)
		}
	}
}

type shaKey struct{}

// writeBytes writes a file with escapes: bytes FILE 'a\r\nb'.
func writeBytes(ts *testscript.TestScript, _ bool, args []string) {
	text := strings.NewReplacer(`\r`, "\r", `\n`, "\n", `\t`, "\t", `\xff`, "\xff", `\x00`, "\x00", `\bom`, "\ufeff").Replace(args[1])
	ts.Check(os.MkdirAll(filepath.Dir(ts.MkAbs(args[0])), 0o755))
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text), 0o644))
}

// ends runs a program and demands the exit code it ends with: ends CODE PROGRAM ARGS….
func ends(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: ends CODE PROGRAM ARGS…")
	}
	err := ts.Exec(args[1], args[2:]...)
	code := 0
	var exited *exec.ExitError
	if errors.As(err, &exited) {
		code = exited.ExitCode()
	} else {
		ts.Check(err)
	}
	if strconv.Itoa(code) != args[0] {
		ts.Fatalf("it ended with exit code %d, not %s", code, args[0])
	}
}

// oneDocument runs a program and demands that it writes exactly one JSON object to standard output, which says its version and
// kind: json PROGRAM ARGS….
func oneDocument(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: json PROGRAM ARGS…")
	}
	var exited *exec.ExitError
	if err := ts.Exec(args[0], args[1:]...); !errors.As(err, &exited) {
		ts.Check(err)
	}
	dec := json.NewDecoder(strings.NewReader(ts.ReadFile("stdout")))
	var doc struct {
		Version int
		Kind    string
	}
	if err := dec.Decode(&doc); err != nil {
		ts.Fatalf("this is not JSON: %v", err)
	}
	if doc.Version != 1 || doc.Kind == "" {
		ts.Fatalf("the document does not say its version and kind")
	}
	if _, err := dec.Token(); err != io.EOF {
		ts.Fatalf("something stands after the document")
	}
}

// patience is how long a story waits for something that takes a moment.
const patience = 30 * time.Second

// wait looks again and again until it is so, and reports whether it came to be.
func wait(isSo func() bool) bool {
	look := time.NewTicker(10 * time.Millisecond)
	defer look.Stop()
	for end := time.Now().Add(patience); time.Now().Before(end); <-look.C {
		if isSo() {
			return true
		}
	}
	return false
}

// until waits until a file holds a text: until FILE TEXT.
func until(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: until FILE TEXT")
	}
	if !wait(func() bool {
		data, err := os.ReadFile(ts.MkAbs(args[0]))
		return err == nil && strings.Contains(string(data), args[1])
	}) {
		ts.Fatalf("%s does not hold %q", args[0], args[1])
	}
}

// running waits until a process runs whose command line holds a text; with ! it demands that there is none: running TEXT.
func running(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 1 {
		ts.Fatalf("usage: running TEXT")
	}
	if neg {
		if pid, line := process(args[0]); pid != 0 {
			ts.Fatalf("process %d still runs: %s", pid, line)
		}
		return
	}
	if !wait(func() bool { pid, _ := process(args[0]); return pid != 0 }) {
		ts.Fatalf("no process %q came to run", args[0])
	}
}

// release asks the process whose command line holds a text to end: release TEXT.
func release(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: release TEXT")
	}
	pid, _ := process(args[0])
	if pid == 0 {
		ts.Fatalf("no process %q runs", args[0])
	}
	ts.Check(syscall.Kill(pid, syscall.SIGTERM))
}

// process finds a process whose command line holds a text; 0 when there is none.
func process(text string) (pid int, line string) {
	files, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, f := range files {
		raw, _ := os.ReadFile(f) // it may have ended meanwhile
		if line := strings.ReplaceAll(string(raw), "\x00", " "); strings.Contains(line, text) {
			pid, _ = strconv.Atoi(filepath.Base(filepath.Dir(f)))
			return pid, line
		}
	}
	return 0, ""
}

// commitAll makes a git repository of a folder with everything in it committed: commit FOLDER.
func commitAll(ts *testscript.TestScript, _ bool, args []string) {
	dir := ts.MkAbs(args[0])
	for _, argv := range [][]string{{"init", "-q"}, {"add", "-A"}, {"commit", "-q", "--allow-empty", "-m", "as it was"}} {
		ts.Check(ts.Exec("git", append([]string{"-C", dir}, argv...)...))
	}
}
