package code

import (
	"strconv"
	"strings"

	program "fettle/internal/code"
	"fettle/internal/pattern"
)

// Functions that start the program that their first argument names, by languages; after a context those of Go's that end in one.
const (
	pythonStarters = `subprocess.run subprocess.call subprocess.check_call subprocess.check_output subprocess.Popen`
	asyncStarters  = `asyncio.create_subprocess_exec asyncio.subprocess.create_subprocess_exec`
	scriptStarters = `child_process.spawn child_process.spawnSync child_process.execFile child_process.execFileSync spawn spawnSync execFile execFileSync execa cross-spawn
		child_process.fork execa.execa execa.execaSync execa.sync execa.default cross-spawn.sync cross-spawn.spawn nano-spawn tinyexec.x tinyexec.exec child-process-promise.spawn
		promisify-child-process.spawn node-pty.spawn spawn-sync spawn-async @npmcli/promise-spawn`
	otherStarters = `Bun.spawn Bun.spawnSync Deno.run`
	goStarters    = `os/exec.Command exec.Command os/exec.CommandContext exec.CommandContext`
	javaStarters  = `ProcessBuilder java.lang.ProcessBuilder`
)

// starters are all of them, and some that are judged by being mentioned.
var starters = set(pythonStarters + " " + asyncStarters + " " + scriptStarters + " " + otherStarters + " " + goStarters + " " + javaStarters +
	" Deno.Command os.execv os.execvp os.spawnvp os.startfile pexpect.spawn syscall.Exec os.StartProcess Runtime.getRuntime().exec")

// makers are functions that write a file, or say what may be done with one, by where the mode stands in their arguments.
var makers = map[string]int{
	"fs.writeFile": 2, "fs.writeFileSync": 2, "fs.createWriteStream": 1, "fs.chmod": 1, "fs.chmodSync": 1, "fs-extra.outputFile": 2,
	"os.chmod": 1, "os.WriteFile": 2, "os.Chmod": 1, "os.OpenFile": 2, "io/ioutil.WriteFile": 2,
}

// runs notes which files a program makes executable, and which it starts.
func (s *scan) runs(c *call, path string) {
	at := 0
	if strings.HasSuffix(path, "exec.CommandContext") {
		at = 1
	}
	if starters[path] {
		if key := c.file(at); key != "" {
			s.started = append(s.started, started{c.n, key})
		}
	}
	if at, ok := makers[path]; ok && executable(c.mode(at)) {
		s.arm(c)
	}
	if starters[path] && at < len(c.nodes) {
		s.interprets(c, c.nodes[at:])
	}
	if may, _ := s.says(c.node(0)); may && c.path == "setExecutable" {
		s.armed[c.receiver()] = true
	}
}

// arm notes a file that is made executable, and where a function is given its name, what the calls of that give.
func (s *scan) arm(c *call) {
	s.armed[c.file(0)] = true
	n := c.node(0)
	if !n.Is(program.Name) {
		return
	}
	if f := definer(n); f != nil {
		for _, a := range s.arguments(f, s.identifier(n.Name)) {
			if v := s.eval(a, 0); v.known() {
				s.armed[strings.TrimPrefix(v.text, "./")] = true
			}
		}
	}
}

// interpreters match what carries out the script that it is given.
var interpreters = pattern.New(`^(sys\.executable|process\.execPath|["'](python3?|node|bun|deno|ruby|perl|sh|bash)["'])$`)

// interprets judges a script that an interpreter is given, and that a function of the file has loaded from another machine.
func (s *scan) interprets(c *call, words []*program.Node) {
	if len(words) > 0 && words[0].Is(program.List) {
		words = words[0].All(program.Elem)
	} else if len(words) > 1 && words[1].Is(program.List) {
		words = append([]*program.Node{words[0]}, words[1].All(program.Elem)...)
	}
	if len(words) < 2 || !interpreters.MatchString(words[0].Text()) {
		return
	}
	for _, w := range words[1:] {
		made := w
		if all := s.bindings(w, s.identifier(w.Name)); w.Is(program.Name) && len(all) == 1 && all[0].node != nil {
			made = all[0].node
		}
		if f := s.carriedOut(made); f != nil && s.loads(f) {
			s.add(c.n, &hit{Process, Danger, "what was loaded is started"})
			return
		}
	}
}

// loads reports a function that talks to another machine.
func (s *scan) loads(f *program.Node) bool {
	for n := range f.Walk() {
		if n.Is(program.Attr, program.Name) {
			if h := s.rules.mentions[s.eval(n, 0).path]; h != nil && h.class == Network {
				return true
			}
		}
	}
	return false
}

type started struct {
	at  *program.Node
	key string
}

// file is what names a file or program: its path, if that is known, or else its expression.
func (c *call) file(i int) string {
	v := c.arg(i, "")
	if v.isList && len(v.list) > 0 {
		v = v.list[0]
	}
	if v.known() {
		return strings.TrimPrefix(v.text, "./")
	}
	text := c.node(i).Text()
	first, _, _ := strings.Cut(strings.TrimLeft(text, "["), ",")
	for _, end := range []string{".toString()", ".getPath()", ".getAbsolutePath()", "]"} {
		first = strings.TrimSuffix(first, end)
	}
	return first
}

// modeOf is what may be done with a file, as a number or as the text of an octal one says it.
func modeOf(v value) (mode uint64, ok bool) {
	digits := v.number
	if v.known() {
		digits = "0o" + strings.TrimPrefix(v.text, "0o")
	}
	mode, err := strconv.ParseUint(digits, 0, 32)
	return mode, err == nil
}

// executable reports a mode by which a file may be started.
func executable(v value) bool {
	mode, ok := modeOf(v)
	return ok && mode&0o111 != 0
}

// opensUp judges a mode by which everybody may write to a file, or whoever starts it becomes its owner.
func (c *call) opensUp(v value) *hit {
	if mode, ok := modeOf(v); !ok || mode&0o6002 == 0 {
		return nil
	}
	return c.hit(Weakening, Review)
}

// fetched joins what is harmless alone: a file that is talked to the network for, made executable, and started.
func (s *scan) fetched() {
	network := false
	for _, c := range s.found {
		network = network || c.Class == Network
	}
	if !network {
		return
	}
	for _, p := range s.started {
		if p.key != "" && s.armed[p.key] {
			s.add(p.at, &hit{Process, Danger, "what was loaded is started"})
		}
	}
}

// mode is the argument that says what may be done with a file, by its name or place.
func (c *call) mode(i int) value {
	if n := c.named["mode"]; n != nil {
		return c.s.eval(n, 0)
	}
	return c.arg(i, "")
}
