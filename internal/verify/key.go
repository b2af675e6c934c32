package verify

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"fettle/internal/check"
	"fettle/internal/proc"
)

// key names a check's result by all that it depends on: the content of the files that concern it (ignored inputs included), the
// check itself, the toolchain that runs it, the environment, and whether there was a network. Equal keys mean an equal question.
func (l *Lab) key(k *Known, c check.Check) string {
	inputs, some := k.Inputs[c.Name]
	if !some {
		inputs = k.Digest
	}
	h := sha256.New()
	enc := json.NewEncoder(h)
	_ = enc.Encode(c) // plain data into a hash: neither can fail
	_ = enc.Encode(l.Run.Args)
	fmt.Fprintln(h, inputs, !l.Offline)
	for _, argv := range c.Commands() {
		if len(argv) > 0 {
			fmt.Fprintln(h, toolchain(argv[0]))
		}
	}
	for _, kv := range environment(proc.Environ(l.Run.Env)) {
		fmt.Fprintln(h, kv)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// volatile are variables that differ from one terminal to the next and change no check's answer.
var volatile = []string{
	"_", "PWD", "OLDPWD", "SHLVL", "TERM", "COLUMNS", "LINES", "WINDOWID", "DISPLAY", "WAYLAND_DISPLAY", "TMUX", "TMUX_PANE", "STY",
	"INVOCATION_ID", "JOURNAL_STREAM",
}

func environment(env []string) []string {
	out := slices.DeleteFunc(slices.Clone(env), func(kv string) bool {
		name, _, _ := strings.Cut(kv, "=")
		return slices.Contains(volatile, name) || strings.HasPrefix(name, "SSH_") || strings.HasPrefix(name, "XDG_SESSION") ||
			strings.HasPrefix(name, "TERM_") || strings.HasPrefix(name, "DBUS_")
	})
	slices.Sort(out)
	return out
}

// toolchain identifies a program: the file it really is, and for a script the interpreter it names too. A program that is
// not there is identified by its absence.
func toolchain(name string) string {
	path, err := exec.LookPath(name)
	if err != nil {
		return name + " missing"
	}
	id := identify(path)
	f, err := os.Open(path)
	if err != nil {
		return id
	}
	defer f.Close()
	head := make([]byte, 256)
	n, _ := io.ReadFull(f, head)
	line, _, _ := bytes.Cut(head[:n], []byte("\n"))
	if script, ok := bytes.CutPrefix(line, []byte("#!")); ok {
		if words := strings.Fields(string(script)); len(words) > 0 {
			id += " " + identify(words[0])
		}
	}
	return id
}

func identify(path string) string {
	program, err := filepath.EvalSymlinks(path)
	if err != nil {
		program = path
	}
	info, err := os.Stat(program)
	if err != nil {
		return program + " missing"
	}
	return fmt.Sprintf("%s %d %d", program, info.Size(), info.ModTime().UnixNano())
}
