package shell_test

import (
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"fettle/internal/policy/shell"
	"fettle/internal/testenv"
)

// moreWrappers are those that only TestMetamorphic tries: it puts any of them, and of the others, around each other.
var moreWrappers = []struct {
	name string
	wrap func(string) string
}{
	{"braces", func(c string) string { return "{\n" + c + "\n}" }},
	{"else", func(c string) string { return "if false; then ls; else\n" + c + "\nfi" }},
	{"until", func(c string) string { return "until false; do\n" + c + "\nbreak; done" }},
	{"while", func(c string) string { return "while [ -f go.mod ]; do\n" + c + "\ndone" }},
	{"case", func(c string) string { return "case $1 in a) ls;; *)\n" + c + "\n;; esac" }},
	{"or", func(c string) string { return "go vet ./... || {\n" + c + "\n}" }},
	{"and", func(c string) string { return "go vet ./... && {\n" + c + "\n}" }},
	{"behind", func(c string) string { return "ls; zz=1\n" + c }},
	{"before", func(c string) string { return c + "\nls" }},
	{"negated", func(c string) string { return "! {\n" + c + "\n}" }},
	{"timed", func(c string) string { return "time {\n" + c + "\n}" }},
	{"silent", func(c string) string { return "{\n" + c + "\n} > /dev/null 2>&1" }},
	{"piped", func(c string) string { return "{\n" + c + "\n} | cat" }},
	{"piped into", func(c string) string { return "ls | {\n" + c + "\n}" }},
	{"process", func(c string) string { return "cat <(\n" + c + "\n)" }},
	{"assigned", func(c string) string { return "x=$(\n" + c + "\n)" }},
	{"local", func(c string) string { return "around() { local y=1\n" + c + "\n}; around \"$@\"" }},
	{"argument", func(c string) string {
		return "evaluating() { local it=$1; shift; eval \"$it\"; }; evaluating " + shell.Quote(c) + " \"$@\""
	}},
	{"list", func(c string) string { return "a=(bash -c " + shell.Quote(c) + "); \"${a[@]}\"" }},
	{"script", func(c string) string {
		return "printf '%s\\n' " + shell.Quote(c) + " > ./wrapped.sh; chmod +x ./wrapped.sh; ./wrapped.sh"
	}},
	{"command", func(c string) string { return "command eval " + shell.Quote(c) }},
	{"exec", func(c string) string { return "(exec sh -c " + shell.Quote(c) + ")" }},
	{"node", func(c string) string {
		return "node -e " + shell.Quote("require('child_process').execSync("+pythonText(c)+")")
	}},
	{"words", func(c string) string { return "sh -c '\"$@\"' _ bash -c " + shell.Quote(c) }},
	{"read", func(c string) string { return "while read -r l; do bash -c " + shell.Quote(c) + "; done < list.txt" }},
	{"concurrently", func(c string) string { return "npx concurrently " + shell.Quote(c) }},
	{"bisect", func(c string) string { return "git bisect run sh -c " + shell.Quote(c) }},
	{"xargs -0", func(c string) string {
		return "printf '%s\\0' " + shell.Quote(c) + " | xargs -0 -I{} sh -c '{}'"
	}},
	{"xargs -0 each", func(c string) string {
		return "printf '%s\\0' ls " + shell.Quote(c) + " | xargs -0n1 bash -c"
	}},
	{"xargs -d", func(c string) string {
		return "printf '%s\\a' " + shell.Quote(c) + " | xargs -r -d '\\a' -I@@ sh -c @@"
	}},
	{"xargs -d all", func(c string) string {
		return "printf '%s\\001' " + shell.Quote(c) + " | xargs --delimiter='\\x01' env sh -c"
	}},
	{"foreach", func(c string) string { return "git submodule foreach " + shell.Quote(c) }},
}

// composer puts commands together at random.
type composer struct {
	*rand.Rand
	rows []string // labelled commands
}

func (c *composer) pick(list ...string) string { return list[c.IntN(len(list))] }

// target is a path, or what may stand for one.
func (c *composer) target() string {
	return c.pick("/home/dev", "~", "$HOME", `"$HOME"/x`, "~/.ssh/id_rsa", "~/.bashrc", ".env", ".git", "/etc/passwd", "/", "..", ".", "*", "src", "build", "node_modules", "README.md", "tests/a_test.go", "/tmp/x",
		`"$x"`, "$x", "${x:-/home/dev}", "${x%/*}", "$(pwd)", "$(echo /home/dev)", "{a,b}/c", "src/*.go", "../repo", ".claude/settings.json", ".github/workflows/ci.yml", "/dev/sda", "`pwd`/src", `"$@"`)
}

// simple is one command.
func (c *composer) simple() string {
	switch c.IntN(4) {
	case 0:
		return c.rows[c.IntN(len(c.rows))]
	case 1:
		return c.pick("ls", "go test ./...", "npm test", "git status", "git diff", "true", "false", "echo hi", "cd src", "cd ..", "x=build", "x=/home/dev", "x=$(ls)", "set -e", "read x", "shift", "exit 1", ":", "set -- a b", "unset x", "git add -A", "pwd", "make")
	case 2:
		return c.pick("echo 'rm -rf ~'", "printf ls", "cat x.sh", "curl -s https://example.com/x", "echo cm0gLXJmIH4= | base64 -d", "cat .env", "echo $x", "printf '%s\\n' build /home/dev") + c.pick(" | sh", " | bash", " | xargs rm -rf", " > x.sh; sh x.sh", " > out.txt", " | while read -r l; do $l; done", " | cat", " | curl -d @- https://example.com", "", " | tee a.txt", " | python3 -")
	}
	return c.pick("rm -rf", "rm -f", "rm", "cat", "ls", "cp -r src", "mv", "chmod -R 777", "chown me", "git checkout --", "git clean -fd", "git rm -r", "tee", "sed -i s/a/b/", "touch", "mkdir -p", "find", "head -3", "> out.txt cat", "truncate -s 0", "ln -s", "tar cf x.tar", "grep -r x", "dd if=/dev/zero of=x", "sudo rm", "xargs -a list rm", "command rm -rf", "\\rm -rf") +
		" " + c.target() + c.pick("", "", "", " "+c.target())
}

// command is several of them, in what a shell has to put them together.
func (c *composer) command(depth int) string {
	if depth == 0 || c.IntN(3) == 0 {
		return c.simple()
	}
	one, two := c.command(depth-1), c.command(depth-1)
	switch c.IntN(12) {
	case 0, 1:
		return one + "\n" + two
	case 2:
		return one + c.pick(" && ", " || ", " ; ", " & ", " | ") + two
	case 3:
		return "if " + one + "\nthen " + two + "\nfi"
	case 4:
		return c.pick("for x in a b", "for x in /home/dev build", "while read -r x", "while :", "until false", "for x in *") + "; do\n" + one + "\n" + c.pick("", "break", "continue") + "\ndone\n" + two
	case 5:
		return "f() {\n" + one + "\n}\n" + two + "\nf " + c.target()
	case 6:
		return "(\n" + one + "\n)\n" + two
	case 7:
		return "{\n" + one + "\n} " + c.pick("> out.txt", "2>&1", "| cat", "< /dev/null", ">> x.sh", "3>&1") + "\n" + two
	case 8:
		return "case $x in a|b)\n" + one + "\n;; *)\n" + two + "\n;; esac"
	case 9:
		return "x=$(\n" + one + "\n)\n" + two
	case 10:
		return "trap " + shell.Quote(one) + " EXIT\n" + two
	}
	return "x=" + c.target() + "\n" + one + "\n" + two
}

// TestMetamorphic composes commands at random, puts them into several wrappers, and looks whether that lowers what is said of them, or takes too long.
// FETTLE_SOAK says how many, and FETTLE_SEED which: a failure names its seed.
func TestMetamorphic(t *testing.T) {
	count, seed := 4000, uint64(1)
	if n, err := strconv.Atoi(os.Getenv("FETTLE_SOAK")); err == nil {
		count, seed = n, uint64(time.Now().UnixNano())
	}
	if n, err := strconv.ParseUint(os.Getenv("FETTLE_SEED"), 10, 64); err == nil {
		seed = n
	}
	t.Logf("seed %d", seed)
	for range 20 {
		pace(t) // what is usual is known before anything is held against it
	}
	all := slices.Concat(wrappers, moreWrappers)
	var rows []string
	for _, r := range corpus(t) {
		rows = append(rows, r.Command)
	}
	var said [3]int
	unread := 0
	for i := range count {
		if i > 0 && i%100_000 == 0 {
			t.Logf("%d commands so far", i) // a soak takes hours, and may be broken off
		}
		c := &composer{rand.New(rand.NewPCG(seed, uint64(i))), rows}
		command := c.command(c.IntN(4))
		was, wrapped, how := timely(t, command), command, ""
		for range 1 + c.IntN(4) {
			w := all[c.IntN(len(all))]
			if w.name == "make" && strings.Contains(wrapped, "\n") {
				continue // a recipe is one line
			}
			if w.name == "local" && strings.Contains(wrapped, "trap ") && strings.Contains(wrapped, "set -- ") {
				continue // what a function sets its arguments to is gone when a trap of the whole shell runs
			}
			wrapped, how = w.wrap(wrapped), w.name+" "+how
		}
		said[was.Decision]++
		v := timely(t, wrapped)
		// What is nested too deep is refused, so it counts as everything else does.
		opaque := v.Decision > shell.Allow && v.Rule != "too-deep" && slices.ContainsFunc(v.Facts, func(f shell.Fact) bool {
			return f.Kind == shell.Opaque && !strings.HasSuffix(f.Target, "too deep to be followed")
		})
		if opaque {
			unread++
		}
		if was.Rule != "opaque" && !opaque && v.Decision < was.Decision {
			t.Errorf("input %d, in %s: %s, and without it %s (%s)\n\t%q\n\t%q\n\t%v", i, how, v.Decision, was.Decision, was.Rule, command, wrapped, v.Facts)
		}
	}
	t.Logf("%d commands, %v of them allowed, asked about and denied; %d could not be read within so many wrappers", count, said, unread)
	if unread*4 > count {
		t.Errorf("%d of %d could not be read: the wrappers say too little", unread, count)
	}
}

// timely judges a command, and sees to it that this takes no more work than the hook may do for one. What seems to be slow is tried again, and its
// processor time counts: the machine may be busy.
func timely(t *testing.T, command string) shell.Verdict {
	t.Helper()
	budget := 50 * time.Millisecond
	if testenv.Race() {
		budget *= 10 // the detector takes about so much more
	}
	began := time.Now()
	v := judge(command)
	if time.Since(began) < budget {
		return v
	}
	least := time.Hour
	for range 10 {
		pace, was := pace(t), processorTime(t)
		v = judge(command)
		least = min(least, time.Duration(float64(processorTime(t)-was)/pace))
	}
	if least >= budget {
		t.Errorf("%q: %s", command, least)
	}
	return v
}

// usual is the least time that the commands of pace have taken.
var usual = time.Hour

// pace is how many times as long as usual the machine takes just now. Where others use it, also what counts as a process's own time is several times as much.
func pace(t *testing.T) float64 {
	t.Helper()
	was := processorTime(t)
	for range 50 {
		judge("while read -r f; do case $f in *.go) gofmt -l \"$f\" | tee -a list.txt;; *) sh -c 'git add -- \"$0\"' \"$f\";; esac; done < files.txt")
	}
	took := processorTime(t) - was
	usual = min(usual, took)
	return float64(took) / float64(usual)
}

// processorTime is what this process has used so far.
func processorTime(t *testing.T) time.Duration {
	t.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
