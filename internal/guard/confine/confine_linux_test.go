package confine

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"fettle/internal/testenv"
)

// asConfined has this test's own program start others as fettle does: it becomes what its arguments name.
const asConfined = "CONFINE_TEST"

func TestMain(m *testing.M) {
	if os.Getenv(asConfined) == "" {
		os.Exit(m.Run())
	}
	_ = os.Unsetenv(asConfined) // it is a name, which cannot fail
	fmt.Fprintln(os.Stderr, become(os.Args[1:]))
	os.Exit(125)
}

func become(argv []string) error {
	if argv[0] == "holds" {
		confined, known := Holds(os.Getenv("HOME"))
		fmt.Println(confined, known)
		os.Exit(0)
	}
	work, err := os.Getwd()
	if err != nil {
		return err
	}
	b, err := Draw(Ask{Home: os.Getenv("HOME"), Work: work, Argv: argv, Getenv: os.Getenv})
	if err != nil {
		return err
	}
	path, err := exec.LookPath(argv[0])
	if err != nil {
		return err
	}
	return b.Start(path, argv, os.Environ())
}

// yard is a home with what people have in one, and a project in it, in which somebody works.
type yard struct {
	t    *testing.T
	home string
	env  []string
}

func newYard(t *testing.T) *yard {
	t.Helper()
	if err := Supported(); err != nil {
		testenv.Missing(t, err.Error())
	}
	y := &yard{t: t, home: house(t, map[string]string{
		"Documents/a.txt": "years of work\n", "Documents/deep/er/b.txt": "more\n", ".bashrc": "# mine\n", ".ssh/id": "PRIVATE\n", ".config/app/settings": "mine\n", "shortcut": "->Documents",
		"other/main.c": "int main;\n", "other/kept.txt": "not committed\n", ".gitconfig": "[user]\n\tname = A\n\temail = a@b.c\n", ".local/bin/tool": "#!/bin/sh\n", ".cache/x": "1", ".m2/settings.xml": "<settings/>\n",
		"work/a.txt": "a\n", "work/go.mod": "module example.com/work\n\ngo 1.24\n", "work/main.go": "package main\n\nfunc main() {}\n",
	})}
	tmp := filepath.Join(filepath.Dir(y.home), "tmp")
	put(t, tmp+"/", "")
	y.env = append(os.Environ(), "HOME="+y.home, "TMPDIR="+tmp, "GIT_CONFIG_NOSYSTEM=1", "PYTHONDONTWRITEBYTECODE=1", "SELF="+self(t), "XDG_CACHE_HOME=", "XDG_STATE_HOME=", "XDG_CONFIG_HOME=", "XDG_DATA_HOME=", "GOFLAGS=-mod=mod", "GOTELEMETRY=off")
	if out, err := y.command("sh", "-c", "git init -q --template= && git add -A && git commit -qm first && cd ../other && git init -q --template= && git add main.c && git commit -qm first").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if out, err := y.confined("true").CombinedOutput(); err != nil { // what programs keep for themselves is made once
		t.Fatalf("%v: %s", err, out)
	}
	return y
}

func self(t *testing.T) string {
	t.Helper()
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// command is a program in the project, as the person would start it.
func (y *yard) command(argv ...string) *exec.Cmd {
	cmd := exec.CommandContext(y.t.Context(), argv[0], argv[1:]...)
	cmd.Dir, cmd.Env = filepath.Join(y.home, "work"), y.env
	return cmd
}

// confined is the same in the bounds.
func (y *yard) confined(argv ...string) *exec.Cmd {
	cmd := y.command(append([]string{self(y.t)}, argv...)...)
	cmd.Env = append(cmd.Env, asConfined+"=1")
	return cmd
}

// state is what is in the home, but for what is free in it.
func (y *yard) state() map[string]string {
	y.t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(y.home, func(path string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(y.home, path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil:
			return err
		case slices.Contains([]string{"work", ".cache", ".local/state", ".m2/repository", ".m2/wrapper", ".m2/build-cache"}, rel):
			return fs.SkipDir
		case d.Type().IsRegular():
			data, err := os.ReadFile(path)
			all[rel] = string(data)
			return err
		case d.Type()&fs.ModeSymlink != 0:
			all[rel], err = os.Readlink(path)
			return err
		}
		all[rel] = d.Type().String()
		return nil
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		y.t.Fatal(err)
	}
	return all
}

// differ names what is not the same.
func differ(before, after map[string]string) (names []string) {
	for _, all := range []map[string]string{before, after} {
		for name := range all {
			if text, there := after[name]; !there || text != before[name] {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// harm are ways to lose something of a home, each of them of its own.
var harm = []struct{ name, tool, script string }{
	{"rm of a folder", "", `rm -rf ~/Documents`},
	{"rm of all", "", `rm -rf ~/* ~/.[a-z]*`},
	{"rm of the home", "", `cd /; rm -rf "$HOME"`},
	{"find -delete", "", `find ~ -type f ! -path '*/work/*' -delete`},
	{"another project", "", `rm -rf ../other`},
	{"git clean", "git", `git -C ../other clean -fdxq`},
	{"a child elsewhere", "", `cd ~/Documents && sh -c 'rm a.txt'`},
	{"a child that stays", "", `setsid sh -c 'rm -rf ~/Documents' & wait`},
	{"moved out", "", `mv ~/Documents $TMPDIR/gone`},
	{"moved into the project", "", `mv ~/Documents/a.txt .`},
	{"moved within", "", `mv ~/Documents ~/.cache/`},
	{"the home moved", "", `mv "$HOME" "$HOME.old"`},
	{"emptied", "", `: > ~/Documents/a.txt`},
	{"truncate", "", `truncate -s 0 ~/.ssh/id`},
	{"appended to a start-up file", "", `echo 'rm -rf ~' >> ~/.bashrc`},
	{"overwritten in its place", "", `printf zzzz | dd of="$HOME/Documents/a.txt" conv=notrunc`},
	{"copied over", "", `cp go.mod ~/Documents/a.txt`},
	{"renamed over", "", `mv a.txt ~/Documents/a.txt`},
	{"linked over", "", `ln -sf /dev/null ~/.bashrc`},
	{"sed -i", "", `sed -i d ~/.bashrc`},
	{"something new", "", `mkdir -p ~/.config/autostart && echo x > ~/.config/autostart/y`},
	{"a link within the project", "", `ln -s ~/Documents docs && rm -rf docs/*`},
	{"a link of the home's", "", `rm ~/shortcut`},
	{"a hard link", "", `ln ~/Documents/a.txt hard && echo gone > hard`},
	{"/proc/self/root", "", `rm -rf "/proc/self/root$HOME/Documents"`},
	{"/proc/self/cwd", "", `rm -rf /proc/self/cwd/../Documents`},
	{"shutil.rmtree", "python3", `python3 -c 'import os, shutil; shutil.rmtree(os.path.expanduser("~/Documents"), ignore_errors=True)'`},
	{"os.replace", "python3", `python3 -c 'import os; os.replace("a.txt", os.path.expanduser("~/.ssh/id"))'`},
	{"ftruncate", "python3", `python3 -c 'import os; f = open(os.path.expanduser("~/.ssh/id"), "r+"); f.truncate(0)'`},
	{"mmap", "python3", `python3 -c 'import mmap, os; f = open(os.path.expanduser("~/.ssh/id"), "r+b"); mmap.mmap(f.fileno(), 0)[0:2] = b"zz"'`},
	{"opened for reading, and emptied", "python3", `python3 -c 'import os; os.open(os.path.expanduser("~/.ssh/id"), os.O_RDONLY | os.O_TRUNC)'`},
	{"by an open folder", "python3", `python3 -c 'import os; os.unlink("a.txt", dir_fd=os.open(os.path.expanduser("~/Documents"), os.O_RDONLY))'`},
	{"exchanged", "python3", `python3 -c '
import ctypes, os
ctypes.CDLL(None).renameat2(-100, b"a.txt", -100, os.path.expanduser("~/Documents/a.txt").encode(), 2)'`},
	{"fs.rmSync", "node", `node -e 'require("fs").rmSync(process.env.HOME + "/Documents", {recursive: true})'`},
	{"unlink of perl's", "perl", `perl -e 'unlink glob("~/Documents/*")'`},
	{"a recipe", "make", `printf 'all:\n\trm -rf $(HOME)/Documents\n' | make -f -`},
	{"home in one file, deletion in another", "python3", `echo '{"out": "'$HOME/Documents'"}' > s.json; printf 'import json, shutil\nshutil.rmtree(json.load(open("s.json"))["out"])\n' > b.py; python3 b.py`},
}

// TestHarm tries each way with and without bounds: something is lost without, and nothing within, to the byte.
func TestHarm(t *testing.T) {
	for _, h := range harm {
		t.Run(h.name, func(t *testing.T) {
			t.Parallel()
			if h.tool != "" {
				testenv.NeedTool(t, h.tool)
			}
			y := newYard(t)
			before := y.state()
			out, _ := y.confined("sh", "-c", h.script).CombinedOutput() // most fail: that is the point
			if after := y.state(); !maps.Equal(before, after) {
				t.Errorf("changed: %q\n%s", differ(before, after), out)
			}
			out, _ = y.command("sh", "-c", h.script).CombinedOutput() // some fail behind what they have done
			if after := y.state(); maps.Equal(before, after) {
				t.Errorf("it does no harm where nothing is confined: %s", out)
			}
		})
	}
}

// A program that is confined cannot get out of it: by bounds of its own with another home, by mounts, or in a namespace of its own.
func TestNoWayOut(t *testing.T) {
	for name, script := range map[string]string{
		"another home":       `mkdir -p "$TMPDIR/h/w" && cd "$TMPDIR/h/w" && HOME="$TMPDIR/h" ` + asConfined + `=1 "$SELF" rm -rf "$0/Documents"`,
		"no environment":     `env -i sh -c 'rm -rf "$1/Documents"' sh "$0"`,
		"a mount":            `mkdir "$TMPDIR/m" && mount --bind "$0" "$TMPDIR/m" && rm -rf "$TMPDIR/m/Documents"`,
		"a namespace":        `unshare -rm sh -c 'mount --bind "$1" "$2" && rm -rf "$2/Documents"; rm -rf "$1/Documents"' sh "$0" "$TMPDIR"`,
		"a changed root":     `unshare -r chroot "$0" /bin/sh -c 'rm -rf /Documents'; unshare -r rm -rf "$0/Documents"`,
		"of another process": `sleep 5 & rm -rf "/proc/$!/root$0/Documents"; kill $!`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			y := newYard(t)
			before := y.state()
			out, _ := y.confined("sh", "-c", script, y.home).CombinedOutput()
			if after := y.state(); !maps.Equal(before, after) {
				t.Errorf("changed: %q\n%s", differ(before, after), out)
			}
		})
	}
}

// TestRefusedCalls: what Landlock does not see is refused by a filter: an overlay put together by the newer calls, whose kernel removes and makes files itself, and letters typed into the
// terminal of the shell outside. What was open before is closed.
func TestRefusedCalls(t *testing.T) {
	testenv.NeedTool(t, "python3")
	y := newYard(t)
	const asks = `import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
print("overlay", libc.syscall(430, b"overlay", 0), ctypes.get_errno())
ctypes.set_errno(0)
print("typed", libc.ioctl(0, 0x5412, b"x"), ctypes.get_errno())
print("open", os.path.exists("/proc/self/fd/7"))`
	cmd := y.confined("python3", "-c", asks)
	cmd.ExtraFiles = make([]*os.File, 5)
	for i := range cmd.ExtraFiles {
		f, err := os.Open(os.DevNull)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		cmd.ExtraFiles[i] = f
	}
	out, err := cmd.CombinedOutput()
	if want := "overlay -1 1\ntyped -1 1\nopen False\n"; err != nil || string(out) != want {
		t.Errorf("%v: %s, want %s", err, out, want)
	}
}

// TestOrdinaryUsersHarm has an ordinary user do the same, who has other ways out (a namespace in which they are root), and fewer.
func TestOrdinaryUsersHarm(t *testing.T) {
	testenv.AsOrdinaryUser(t, "TestHarm/rm_of_all", "^(TestHarm|TestNoWayOut|TestHolds|TestTakesThePlace)$", nil, nil)
}

// TestWork does a day's work in the bounds, with what tools keep in a home that has nothing of them yet.
func TestWork(t *testing.T) {
	const dep = `mkdir dep && echo '{"name":"dep","version":"1.0.0"}' > dep/package.json && npm pack -s --pack-destination . ./dep && echo '{"name":"p","version":"1.0.0","private":true,"dependencies":{"dep":"file:dep-1.0.0.tgz"},"scripts":{"build":"echo built"}}' > package.json && `
	for _, w := range []struct {
		name, script string
		tools        []string
	}{
		{"git", `git checkout -qb b && echo b > b.txt && git add -A && git commit -qm second && git rm -q b.txt && git stash -q && git stash pop -q && git reset -q --hard && git gc -q && git worktree add -q "$TMPDIR/w" && git branch -D main master 2>&1 | grep -q Deleted && git rebase -q HEAD~1`, nil},
		{"files", `mkdir -p sub && mv a.txt sub/ && cp sub/a.txt "$TMPDIR/x" && mv "$TMPDIR/x" . && ln x y && ln -s x z && : > x && rm -rf sub y z && mkfifo f && echo 1 > ~/.cache/y && mv ~/.cache/y . && echo hi > /dev/null`, nil},
		{"go", `go build -o out . && go test . && mkdir -p "$TMPDIR/proxy/example.com/d/@v" && cd "$TMPDIR/proxy/example.com/d/@v" && echo v1.0.0 > list && echo '{"Version":"v1.0.0"}' > v1.0.0.info && echo 'module example.com/d' > v1.0.0.mod &&
			mkdir -p "example.com/d@v1.0.0" && echo 'module example.com/d' > example.com/d@v1.0.0/go.mod && echo 'package d' > example.com/d@v1.0.0/d.go && python3 -c "import zipfile; z = zipfile.ZipFile('v1.0.0.zip', 'w'); [z.write(n) for n in ('example.com/d@v1.0.0/go.mod', 'example.com/d@v1.0.0/d.go')]; z.close()" && cd ~/work &&
			GOMODCACHE= GOPATH= GOSUMDB=off GOPROXY="file://$TMPDIR/proxy" go mod download -x example.com/d@v1.0.0 && ls ~/go/pkg/mod/example.com/d@v1.0.0 && GOMODCACHE= GOPATH= go clean -modcache`, []string{"go", "python3"}},
		{"npm", dep + `npm install --offline --no-audit --no-fund && npm ci --offline --no-audit --no-fund && npm run build && ls ~/.npm/_cacache`, []string{"npm"}},
		{"pnpm", dep + `pnpm install --offline && rm -rf node_modules && pnpm install --offline --frozen-lockfile`, []string{"npm", "pnpm"}},
		{"yarn", dep + `yarn1 install --offline && rm -rf node_modules && yarn1 install --offline --frozen-lockfile`, []string{"npm", "yarn1"}},
		{"pip", wheel + `python3 -m venv .venv && .venv/bin/pip install -q --no-index ./wh-1.0-py3-none-any.whl && .venv/bin/python -c 'import wh'`, []string{"python3"}},
		{"uv", wheel + `uv venv -q .venv && uv pip install -q --offline ./wh-1.0-py3-none-any.whl && ls ~/.cache/uv`, []string{"python3", "uv"}},
		{"cargo", `cargo init -q --name r rs && cd rs && cargo build -q --offline && cargo test -q --offline && cargo clean -q`, []string{"cargo"}},
	} {
		t.Run(w.name, func(t *testing.T) {
			t.Parallel()
			for _, tool := range w.tools {
				testenv.NeedTool(t, tool)
			}
			y := newYard(t)
			y.env = append(y.env, tools(t)...)
			cmd := y.confined("sh", "-ec", w.script)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
}

// wheel makes a package of Python's without any tool for that.
const wheel = `python3 -c '
import zipfile
z, d = zipfile.ZipFile("wh-1.0-py3-none-any.whl", "w"), "wh-1.0.dist-info/"
for name, text in {"wh.py": "", d + "METADATA": "Metadata-Version: 2.1\nName: wh\nVersion: 1.0\n", d + "WHEEL": "Wheel-Version: 1.0\nGenerator: x\nRoot-Is-Purelib: true\nTag: py3-none-any\n", d + "RECORD": "".join(n + ",,\n" for n in ["wh.py", d + "METADATA", d + "WHEEL", d + "RECORD"])}.items():
    z.writestr(name, text)
z.close()' && `

// tools are where the machine's own compilers keep what they bring, which a home of a test's does not have.
func tools(t *testing.T) []string {
	t.Helper()
	home, err := os.UserHomeDir()
	if err != nil {
		t.Fatal(err)
	}
	env := []string{"RUSTUP_HOME=" + filepath.Join(home, ".rustup")}
	out, err := exec.Command("go", "env", "-json", "GOCACHE").Output()
	if err != nil {
		return env // there is no Go to bring anything
	}
	all := map[string]string{}
	if err := json.Unmarshal(out, &all); err != nil {
		t.Fatal(err)
	}
	return append(env, "GOCACHE="+all["GOCACHE"])
}

// The program takes its starter's place: its process, its exit code, and the signal that ends it.
func TestTakesThePlace(t *testing.T) {
	y := newYard(t)
	cmd := y.confined("sh", "-c", "echo $$; exit 7")
	out, err := cmd.Output()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 7 || strings.TrimSpace(string(out)) != strconv.Itoa(cmd.Process.Pid) {
		t.Errorf("%v: %q", err, out)
	}
	cmd = y.confined("sh", "-c", "kill -TERM $$")
	if err := cmd.Run(); !errors.As(err, &exit) || exit.Sys().(syscall.WaitStatus).Signal() != syscall.SIGTERM {
		t.Errorf("%v", err)
	}
	if out, err := y.confined("grep", "NoNewPrivs:", "/proc/self/status").Output(); err != nil || !bytes.HasSuffix(bytes.TrimSpace(out), []byte("1")) {
		t.Errorf("%v: %s", err, out)
	}
}

// Whether something is confined it can tell by itself, whatever its environment says.
func TestHolds(t *testing.T) {
	y := newYard(t)
	inner := y.confined("sh", "-c", asConfined+`=1 "$SELF" holds`)
	outer := y.command(self(t), "holds")
	outer.Env = append(outer.Env, asConfined+"=1")
	for want, cmd := range map[string]*exec.Cmd{"true true": inner, "false true": outer} {
		if out, err := cmd.CombinedOutput(); err != nil || strings.TrimSpace(string(out)) != want {
			t.Errorf("%v: %s, want %s", err, out, want)
		}
	}
	if confined, known := Holds(filepath.Join(y.home, "gone")); confined || known {
		t.Error("something is known of a home that is not there")
	}
}

// Disks as devices lead past every folder: root has none of them, nor makes one.
func TestNoDisks(t *testing.T) {
	if os.Geteuid() != 0 {
		testenv.Missing(t, "needs root, who alone has devices of disks")
	}
	y := newYard(t)
	disk := filepath.Join(filepath.Dir(y.home), "disk")
	if err := syscall.Mknod(disk, syscall.S_IFBLK|0o600, 7<<8|250); err != nil {
		testenv.Missing(t, "needs to make devices")
	}
	if out, err := y.confined("sh", "-c", `dd if=/dev/null of="$0" conv=notrunc`, disk).CombinedOutput(); err == nil || !bytes.Contains(out, []byte("Permission denied")) {
		t.Errorf("%v: %s", err, out)
	}
	if out, err := y.confined("sh", "-c", `mknod "$TMPDIR/own" b 7 250`).CombinedOutput(); err == nil {
		t.Errorf("a device was made: %s", out)
	}
}
